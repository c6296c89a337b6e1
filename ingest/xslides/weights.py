"""Stage 3: what each probe is worth to each audience.

Every probe of a bank is judged k times per active audience, in batches; raw values are
snapped to {0, 0.3, 0.6, 1} and their mean is the stored weight. Weights that somebody else
made (not in our status file) are used as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ingest.endpoint.subject import CallSubject
from ingest.judge.exchange import (
    AudienceProfile,
    Probe,
    Reply,
    ReplyStatus,
    Task,
    UtilityJudgment,
    WeightRequest,
)
from ingest.judge.interface import Judge, ask_until_whole
from ingest.xslides.audiences import audience_sha256, write_audiences
from ingest.xslides.case_order import drawn, work_through
from ingest.xslides.probe_bank import ProbeBank, read_bank
from ingest.xslides.source_metadata import SourceMetadata, selected_cases
from ingest.xslides.stage import (
    Progress,
    Settings,
    StageReport,
    Tally,
    batches,
    fingerprint,
    incomplete,
    read_status,
    stopped,
)
from ingest.xslides.tree import WEIGHT_STATUS_FILE, ArtifactTree
from ingest.xslides.utilities import snap, summarize
from warehouse import jsonl, storage

# Judgments of a probe by sample index: raw utility and rationale.
Samples = dict[str, dict[int, tuple[float, str]]]


@dataclass(frozen=True)
class WeightUnit:
    """One audience's weights over one bank."""

    case: SourceMetadata
    bank: ProbeBank
    audience: AudienceProfile

    @property
    def subject(self) -> str:
        """Return the id that findings carry."""
        return f"{self.bank.case_folder}/{self.audience.audience}"


def make_weights(
    tree: ArtifactTree,
    judge: Judge,
    audiences: Sequence[AudienceProfile],
    settings: Settings,
    progress: Progress | None = None,
) -> StageReport:
    """Weigh every bank of the selected cases for every active audience.

    When the judge may not be asked any more, finished files stay and the report has a finding.

    Args:
        tree: the artifact tree; probe banks must be in it.
        judge: who weighs.
        audiences: the configured audiences; they are copied to `audiences.csv`.
        settings: repeats k, batch size and selection.
        progress: told after each bank and audience.

    Raises:
        UsageError: for a selector that is not known.
    """
    write_audiences(tree.audiences_csv, audiences)
    cases = selected_cases(tree, settings.select)
    tally = Tally("weights", sum(expected(tree, case, audiences) for case in cases), progress)
    order = drawn(cases, settings.order_seed, lambda case: case.case_label)
    reason = work_through(
        order, lambda case: weigh_case(tree, case, judge, audiences, settings, tally), judge
    )
    if reason:
        tally.find(stopped("weights", reason))
    return tally.report()


def weigh_case(
    tree: ArtifactTree,
    case: SourceMetadata,
    judge: Judge,
    audiences: Sequence[AudienceProfile],
    settings: Settings,
    tally: Tally,
) -> None:
    """Weigh every bank of one case for every active audience.

    Raises:
        JudgeStoppedError: when the judge may not be asked any more; finished files stay.
    """
    for unit in _units(tree, case, audiences, tally):
        tally.count(weigh(tree, unit, judge, settings, tally))


def weigh(
    tree: ArtifactTree, unit: WeightUnit, judge: Judge, settings: Settings, tally: Tally
) -> str:
    """Make one weight file unless it is there; return `done`, `skipped` or `failed`."""
    name = unit.audience.audience
    path = tree.weights_file(unit.bank.case_folder, name)
    status_path = tree.probe_folder(unit.bank.case_folder) / WEIGHT_STATUS_FILE
    status = read_status(status_path)
    known = status.get("audiences")
    entries: dict[str, Any] = dict(known) if isinstance(known, dict) else {}
    entry = entries.get(name)
    made_of = _fingerprint(unit, judge, settings)
    if path.is_file() and not isinstance(entry, dict):
        tally.note(f"`{unit.subject}`: the weights were made elsewhere and are used as given")
        return "skipped"
    if isinstance(entry, dict) and not settings.force and path.is_file():
        whole = entry.get("state") == "complete" and entry.get("fingerprint") == made_of
        if whole and storage.sha256_file(path) == entry.get("weights_sha256"):
            return "skipped"
    entries[name] = {"state": "running", "fingerprint": made_of}
    jsonl.write_json(status_path, {"producer": "podium", "audiences": entries})
    rows, unanswered = _judge_unit(unit, judge, settings)
    if unanswered:
        message = f"{unanswered} probes were not judged {settings.weight_samples} times"
        tally.find(incomplete("probe_has_weight", unit.subject, message, tree.relative(path)))
    if not rows:
        return "failed"
    jsonl.write_jsonl(path, rows)
    entries[name] = {
        "state": "incomplete" if unanswered else "complete",
        "fingerprint": made_of,
        "weights_sha256": storage.sha256_file(path),
        "audience_sha256": audience_sha256(unit.audience),
        "probes_sha256": unit.bank.sha256,
        "rows": len(rows),
        "high_variance_rows": sum(row["metadata"]["is_high_variance"] for row in rows),
        "settings": {"k": settings.weight_samples, "batch_size": settings.batch_size},
    }
    jsonl.write_json(status_path, {"producer": "podium", "audiences": entries})
    return "failed" if unanswered else "done"


def _judge_unit(
    unit: WeightUnit, judge: Judge, settings: Settings
) -> tuple[list[dict[str, Any]], int]:
    """Return the weight rows, and how many probes lack one of their k judgments."""
    probes = unit.bank.probes
    about = CallSubject(unit.case.case_label, audience=unit.audience.audience)
    requests = [
        WeightRequest(unit.audience, unit.case.scene, probes[part], sample, about)
        for part in batches(len(probes), settings.batch_size)
        for sample in range(settings.weight_samples)
    ]
    samples: Samples = {probe.probe_id: {} for probe in probes}
    for request, reply in ask_until_whole(judge.weigh_probes, requests, judge, _rest):
        for probe_id, one in _usable(request, reply).items():
            samples[probe_id][request.sample_index] = (one.utility, one.rationale)
    k = settings.weight_samples
    rows = [
        _row(unit, judge, probe, [given[index] for index in range(k)])
        for probe in probes
        if len(given := samples[probe.probe_id]) == k
    ]
    return rows, len(probes) - len(rows)


def _usable(request: WeightRequest, reply: Reply[UtilityJudgment]) -> dict[str, UtilityJudgment]:
    """Return the first possible judgment of each asked probe in a reply."""
    asked = {probe.probe_id for probe in request.probes}
    judgments: dict[str, UtilityJudgment] = {}
    for judgment in reply.items if reply.status is ReplyStatus.OK else ():
        if judgment.probe_id in asked and judgment.is_possible:
            judgments.setdefault(judgment.probe_id, judgment)
    return judgments


def _rest(request: WeightRequest, reply: Reply[UtilityJudgment]) -> WeightRequest | None:
    """Return the request for the probes that a reply left out; see `ask_until_whole`."""
    known = _usable(request, reply)
    left = tuple(one for one in request.probes if one.probe_id not in known)
    return replace(request, probes=left) if known and left else None


def _row(
    unit: WeightUnit, judge: Judge, probe: Probe, samples: list[tuple[float, str]]
) -> dict[str, Any]:
    snapped = [snap(raw) for raw, _ in samples]
    summary = summarize(snapped)
    rationales = [rationale for _, rationale in samples]
    return {
        "probe_id": probe.probe_id,
        "audience": unit.audience.audience,
        "utility_weight": summary.mean,
        "reason": rationales[0],
        "metadata": {
            "samples": snapped,
            "raw_samples": [raw for raw, _ in samples],
            "rationales": rationales,
            "judge_id": judge.id_of(Task.WEIGHTS),
            "judge_kind": judge.judge_kind,
            "judge_model": judge.id_of(Task.WEIGHTS),
            "prompt_sha256": judge.prompt_sha256(Task.WEIGHTS),
            "audience_sha256": audience_sha256(unit.audience),
            "k": len(samples),
            "population_std": summary.population_std,
            "sample_std": summary.sample_std,
            "is_high_variance": summary.is_high_variance,
        },
    }


def _units(
    tree: ArtifactTree,
    case: SourceMetadata,
    audiences: Sequence[AudienceProfile],
    tally: Tally,
) -> Iterator[WeightUnit]:
    folders = tree.bank_folders(case.case_label) or [case.case_label]
    active = case.active(audiences)
    for folder in folders:
        bank, findings = read_bank(tree, folder)
        tally.find(*findings)
        for audience in active:
            if bank is None:
                tally.count("failed")
            else:
                yield WeightUnit(case, bank, audience)


def expected(tree: ArtifactTree, case: SourceMetadata, audiences: Sequence[AudienceProfile]) -> int:
    """Return how many weight files a case needs, as far as its banks are known."""
    return max(1, len(tree.bank_folders(case.case_label))) * len(case.active(audiences))


def _fingerprint(unit: WeightUnit, judge: Judge, settings: Settings) -> str:
    return fingerprint(
        {
            "bank": unit.bank.sha256,
            "audience": audience_sha256(unit.audience),
            "scene": unit.case.scene,
            "k": settings.weight_samples,
            "batch_size": settings.batch_size,
            "judge": [
                judge.id_of(Task.WEIGHTS),
                judge.id_of(Task.WEIGHTS),
                judge.prompt_sha256(Task.WEIGHTS),
            ],
        }
    )
