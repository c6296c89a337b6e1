"""Stage 2: a bank of source-grounded probes per case.

The judge is asked k times per chunk; the bank is the union of all passes without
reference-only questions and without duplicates, numbered in (chunk, pass, position) order.
A bank that somebody else made (no status file of ours) is used as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ingest.endpoint.subject import CallSubject
from ingest.judge.exchange import (
    ProbeDraft,
    ProbeRequest,
    Reply,
    ReplyStatus,
    Task,
)
from ingest.judge.interface import Judge, ask_all
from ingest.xslides import deduplication
from ingest.xslides.bank_unit import BankUnit, is_complete, status_start, unit_of
from ingest.xslides.case_order import drawn, work_through
from ingest.xslides.chunks import Chunk, chunk_source
from ingest.xslides.probe_bank import is_reference_only
from ingest.xslides.probe_rows import Origin, PlacedDraft, pair_rows, probe_row, write_raw
from ingest.xslides.source_metadata import SourceMetadata, selected_cases
from ingest.xslides.source_text import SourceReader, extract, read_document
from ingest.xslides.stage import (
    Progress,
    Settings,
    StageReport,
    Tally,
    incomplete,
    read_status,
    stopped,
)
from ingest.xslides.tree import (
    PROBE_PAIRS_FILE,
    PROBE_STATUS_FILE,
    PROBES_FILE,
    SOURCE_CONTEXT,
    ArtifactTree,
    join_variant,
)
from warehouse import jsonl, storage
from warehouse.findings import Finding


def make_probes(
    tree: ArtifactTree,
    judge: Judge,
    settings: Settings,
    progress: Progress | None = None,
    reader: SourceReader = read_document,
) -> StageReport:
    """Make the probe bank of every selected case of the tree.

    When the judge may not be asked any more, finished banks stay and the report has a finding.

    Args:
        tree: the artifact tree; sources must be in it.
        judge: who proposes probes.
        settings: passes, chunking, limits, selection and variant.
        progress: told after each case.
        reader: opens a source document.

    Raises:
        UsageError: for a selector that is not known.
    """
    cases = selected_cases(tree, settings.select)
    tally = Tally("probes", len(cases), progress)
    order = drawn(cases, settings.order_seed, lambda case: case.case_label)
    reason = work_through(
        order, lambda case: make_bank(tree, case, judge, settings, reader, tally), judge
    )
    if reason:
        tally.find(stopped("probes", reason))
    return tally.report()


def make_bank(
    tree: ArtifactTree,
    case: SourceMetadata,
    judge: Judge,
    settings: Settings,
    reader: SourceReader,
    tally: Tally,
) -> None:
    """Make the probe bank of one case unless it is there, and count it.

    Raises:
        JudgeStoppedError: when the judge may not be asked any more; the bank is made later.
    """
    tally.count(_make_bank(tree, case, judge, settings, reader, tally))


def _make_bank(
    tree: ArtifactTree,
    case: SourceMetadata,
    judge: Judge,
    settings: Settings,
    reader: SourceReader,
    tally: Tally,
) -> str:
    folder = tree.probe_folder(join_variant(case.case_label, settings.variant))
    path = tree.source_file(case.case_label)
    foreign = (folder / PROBES_FILE).is_file() and not (folder / PROBE_STATUS_FILE).is_file()
    if path is None:
        if foreign:
            return "skipped"
        tally.find(
            incomplete("source_is_readable", case.case_label, "the case has no source file", None)
        )
        return "failed"
    source = extract(path, settings.source_chars, reader)
    if foreign:
        if not (folder / SOURCE_CONTEXT).is_file() and source.is_usable:
            storage.write_text(folder / SOURCE_CONTEXT, source.text)
        tally.note(f"`{case.case_label}`: the probe bank was made elsewhere and is used as given")
        return "skipped"
    file = tree.relative(path)
    if not source.is_usable:
        message = f"the source has no text: {source.trouble}"
        tally.find(incomplete("source_is_readable", case.case_label, message, file))
        return "failed"
    return _generate(unit_of(case, folder, file, source, judge, settings), judge, settings, tally)


def _generate(unit: BankUnit, judge: Judge, settings: Settings, tally: Tally) -> str:
    status_path = unit.folder / PROBE_STATUS_FILE
    if not settings.force and is_complete(unit, read_status(status_path)):
        return "skipped"
    requests = unit.chunk_count * settings.probe_passes
    if requests > settings.max_chunks:
        message = (
            f"{requests} requests for one source are more than the limit of "
            f"{settings.max_chunks}; use larger chunks or less overlap"
        )
        tally.find(Finding("chunking_is_bounded", unit.case.case_label, message, unit.file))
        return "failed"
    status = status_start(unit, judge, settings)
    jsonl.write_json(status_path, status)
    storage.write_text(unit.folder / SOURCE_CONTEXT, unit.source.text)
    chunks = chunk_source(unit.source.text, settings.chunk_chars, settings.chunk_overlap)
    asked = _requests(unit, chunks, settings)
    replies = ask_all(judge.generate_probes, asked, judge)
    write_raw(unit.folder / "raw", chunks, asked, replies)
    return _finish(unit, judge, status, asked, replies, tally)


def _finish(
    unit: BankUnit,
    judge: Judge,
    status: dict[str, Any],
    asked: Sequence[ProbeRequest],
    replies: Sequence[Reply[ProbeDraft]],
    tally: Tally,
) -> str:
    label = unit.case.case_label
    unanswered = sum(reply.status is not ReplyStatus.OK for reply in replies)
    placed = _placed(asked, replies)
    valid = [one for one in placed if _is_valid(one.draft)]
    kept = [one for one in valid if not is_reference_only(one.draft)]
    outcome = deduplication.deduplicate([_probe_text(one.draft) for one in kept])
    bank = [kept[position] for position in outcome.kept]
    origin = Origin(
        unit.case.case_id,
        unit.case.scene,
        unit.source.text,
        unit.chunk_count,
        judge.id_of(Task.PROBES),
        judge.judge_kind,
    )
    rows = [probe_row(origin, number, one) for number, one in enumerate(bank, start=1)]
    if unanswered:
        message = f"{unanswered} of {len(asked)} generation requests had no usable answer"
        tally.find(incomplete("probe_requests_are_answered", label, message, unit.file))
    if not rows:
        message = "no probe could be made from the source"
        tally.find(incomplete("case_has_probes", label, message, unit.file))
        return "failed"
    jsonl.write_jsonl(unit.folder / PROBE_PAIRS_FILE, pair_rows(label, kept, outcome))
    jsonl.write_jsonl(unit.folder / PROBES_FILE, rows)
    sha256 = storage.sha256_file(unit.folder / PROBES_FILE)
    counts = {
        "requests": len(asked),
        "requests_unanswered": unanswered,
        "drafts": len(placed),
        "drafts_invalid": len(placed) - len(valid),
        "drafts_reference_only": len(valid) - len(kept),
        "duplicates": len(kept) - len(bank),
        "probes": len(bank),
    }
    state = "incomplete" if unanswered else "complete"
    done = {**status, "state": state, "counts": counts, "probes_sha256": sha256}
    jsonl.write_json(unit.folder / PROBE_STATUS_FILE, done)
    return "done"


def _requests(unit: BankUnit, chunks: Sequence[Chunk], settings: Settings) -> list[ProbeRequest]:
    return [
        ProbeRequest(
            case_id=unit.case.case_id,
            scene=unit.case.scene,
            text=chunk.prompt_text,
            chunk_index=chunk.index,
            chunk_count=len(chunks),
            pass_index=number,
            title=unit.case.title,
            subject=CallSubject(unit.case.case_label),
        )
        for chunk in chunks
        for number in range(1, settings.probe_passes + 1)
    ]


def _placed(
    asked: Sequence[ProbeRequest], replies: Sequence[Reply[ProbeDraft]]
) -> list[PlacedDraft]:
    return [
        PlacedDraft(request.chunk_index, request.pass_index, position, draft)
        for request, reply in zip(asked, replies, strict=True)
        if reply.status is ReplyStatus.OK
        for position, draft in enumerate(reply.items, start=1)
    ]


def _is_valid(draft: ProbeDraft) -> bool:
    return bool(draft.question.strip() and draft.answer.strip()) and 1 <= draft.level <= 4


def _probe_text(draft: ProbeDraft) -> deduplication.ProbeText:
    evidence = tuple(one.text for one in draft.evidence)
    return deduplication.ProbeText(draft.question, draft.answer, evidence)
