"""Stage 1: bring source documents into the artifact tree, one per case.

The input may be a folder of loose documents, a folder of case folders, one document, or
an artifact tree. A document that cannot be read becomes a finding; the others go on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.documents.document import Document
from ingest.judge.exchange import AudienceProfile
from ingest.xslides.audiences import write_audiences
from ingest.xslides.source_metadata import SourceMetadata, parse_metadata, read_metadata
from ingest.xslides.source_text import SUFFIXES, SourceReader, read_document
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, batches
from ingest.xslides.tree import SOURCE_METADATA, ArtifactTree, check_name
from ingest.xslides.user_files import UserFiles, list_files
from warehouse import jsonl, storage
from warehouse.errors import InputError
from warehouse.findings import Finding, Outcome

ReadAhead = Callable[[Sequence[Path]], None]
# Documents that are made ready together; progress is told in between.
READ_AHEAD = 16
DOCUMENT_SUFFIXES = (".pdf", ".html", ".htm", ".md", ".markdown", ".txt")


@dataclass(frozen=True)
class Candidate:
    """One source that the user gave: label, document and metadata file, if any."""

    case_label: str
    document: Path
    metadata: Path | None


def prepare_sources(
    tree: ArtifactTree,
    inputs: Path,
    audiences: tuple[AudienceProfile, ...],
    settings: Settings,
    progress: Progress | None = None,
    reader: SourceReader = read_document,
    read_ahead: ReadAhead | None = None,
) -> StageReport:
    """Copy the sources below `inputs` into the tree and write their metadata.

    Args:
        tree: the artifact tree to write to; it may be `inputs` itself.
        inputs: what the user points at.
        audiences: the configured audiences, copied to `audiences.csv`.
        settings: only `force` matters here.
        progress: told after each source.
        reader: opens a document to see whether it can be read.
        read_ahead: told which documents the reader opens next.

    Raises:
        InputError: when `inputs` does not exist.
    """
    candidates, findings, notes = _discover(inputs)
    tally = Tally("sources", len(candidates) + len(findings), progress)
    tally.note(*notes)
    for finding in findings:
        tally.find(finding)
        tally.count("failed")
    write_audiences(tree.audiences_csv, audiences)
    case_ids: dict[str, str] = {}
    for part in batches(len(candidates), READ_AHEAD):
        if read_ahead is not None:
            read_ahead([candidate.document for candidate in candidates[part]])
        for candidate in candidates[part]:
            tally.count(_prepare_one(tree, candidate, audiences, settings, reader, tally, case_ids))
    return tally.report()


def _prepare_one(
    tree: ArtifactTree,
    candidate: Candidate,
    audiences: tuple[AudienceProfile, ...],
    settings: Settings,
    reader: SourceReader,
    tally: Tally,
    case_ids: dict[str, str],
) -> str:
    label, file = candidate.case_label, str(candidate.document)
    try:
        path = candidate.metadata
        stated = parse_metadata(label, {}) if path is None else read_metadata(path, label)
    except ValueError as error:
        tally.find(Finding("source_metadata_is_valid", label, str(error), str(path)))
        return "failed"
    if case_ids.setdefault(stated.case_id, label) != label:
        message = f"case id `{stated.case_id}` is already that of `{case_ids[stated.case_id]}`"
        tally.find(Finding("case_id_is_unique", label, message, file))
        return "failed"
    document = reader(candidate.document)
    trouble = _trouble(document)
    if trouble is not None:
        tally.find(Finding("source_is_readable", label, trouble, file, outcome=Outcome.INCOMPLETE))
        return "failed"
    if not stated.active(audiences):
        names = ", ".join(stated.valid_audiences or ())
        message = f"none of its valid audiences ({names}) is configured"
        tally.find(Finding("case_has_an_audience", label, message, file))
    return _store(tree, candidate, stated, document, audiences, settings)


def _store(
    tree: ArtifactTree,
    candidate: Candidate,
    stated: SourceMetadata,
    document: Document,
    audiences: tuple[AudienceProfile, ...],
    settings: Settings,
) -> str:
    label = candidate.case_label
    suffix = SUFFIXES[str(document.format)]
    target = tree.source_folder(label) / f"source.{suffix}"
    in_place = candidate.document.resolve() == target.resolve()
    wanted = dict(stated.fields) if stated.fields else {}
    if not (in_place and wanted):
        wanted = _complete(wanted, stated, tree.relative(target), suffix, audiences)
    metadata_path = tree.source_metadata(label)
    same_file = target.is_file() and storage.sha256_file(target) == document.sha256
    if same_file and _holds(metadata_path, wanted) and not settings.force:
        return "skipped"
    if not same_file:
        storage.write_bytes(target, candidate.document.read_bytes())
    for stale in tree.source_folder(label).glob("source.*"):
        if stale != target and not in_place:
            stale.unlink()
    jsonl.write_json(metadata_path, wanted)
    return "done"


def _complete(
    fields: dict[str, Any],
    stated: SourceMetadata,
    source_path: str,
    suffix: str,
    audiences: tuple[AudienceProfile, ...],
) -> dict[str, Any]:
    valid = stated.valid_audiences
    known = {
        "case_id": stated.case_id,
        "title": stated.title,
        "source_path": source_path,
        "source_type": suffix,
        "scene": stated.scene,
        "valid_audiences": [p.audience for p in audiences] if valid is None else list(valid),
    }
    rest = {name: value for name, value in fields.items() if name not in known}
    return {**known, "metadata": {}, **rest}


def _holds(path: Path, wanted: dict[str, Any]) -> bool:
    try:
        return jsonl.read_json(path) == wanted
    except (OSError, jsonl.StrictJsonError):
        return False


def _trouble(document: Document) -> str | None:
    if not document.status.is_readable:
        return f"the source cannot be read: {document.failure or document.status.value}"
    if document.format not in SUFFIXES:
        return f"a source may be PDF, HTML, Markdown or text, not {document.format}"
    if not document.visible_text.strip():
        return f"the source has no text ({document.status.value}); a scan needs an OCR parser"
    return None


def _discover(inputs: Path) -> tuple[list[Candidate], list[Finding], list[str]]:
    if inputs.is_file():
        return [Candidate(_label(inputs.stem), inputs, None)], [], []
    if not inputs.is_dir():
        raise InputError(f"sources `{inputs}` do not exist", fix="name a folder of documents")
    folder = inputs / "sources" if (inputs / "sources").is_dir() else inputs
    listed = list_files(folder)
    notes = [f"`{name}` was ignored (hidden, lock or system file)" for name in listed.ignored]
    findings = [
        Finding("source_stays_inside", name, "the link leads out of the folder", name)
        for name in listed.escaping
    ]
    candidates: list[Candidate] = []
    for label, files in _by_case(folder, listed).items():
        candidate, finding = _candidate(folder, label, files)
        if candidate is not None:
            candidates.append(candidate)
        if finding is not None:
            findings.append(finding)
    kept, collisions = _without_collisions(candidates)
    return kept, findings + collisions, notes


def _by_case(folder: Path, listed: UserFiles) -> dict[str, list[Path]]:
    """Group files: a loose document is a case of its own, a folder one case."""
    groups: dict[str, list[Path]] = defaultdict(list)
    for path in listed.files:
        parts = path.relative_to(folder).parts
        if len(parts) == 1 and path.suffix.lower() in (".json", ".csv"):
            continue
        if len(parts) <= 2:
            groups[parts[0]].append(path)
    return groups


def _candidate(
    folder: Path, name: str, files: list[Path]
) -> tuple[Candidate | None, Finding | None]:
    loose = files[0] == folder / name
    metadata = [path for path in files if path.name == SOURCE_METADATA]
    documents = [path for path in files if path.suffix.lower() in DOCUMENT_SUFFIXES]
    named = [path for path in files if path.stem == "source"]
    chosen = named or documents or [path for path in files if path not in metadata]
    subject = Path(name).stem if loose else name
    if len(chosen) != 1:
        message = f"the case needs one source document and holds {len(chosen)}"
        incomplete = Outcome.INCOMPLETE if not chosen else Outcome.FAILED
        return None, Finding(
            "case_has_one_source", subject, message, str(folder / name), outcome=incomplete
        )
    try:
        label = _label(subject)
    except InputError as error:
        return None, Finding("case_label_is_usable", subject, error.what, str(chosen[0]))
    return Candidate(label, chosen[0], metadata[0] if metadata else None), None


def _label(text: str) -> str:
    label = check_name("case label", text)
    if "@" in label:
        raise InputError(f"`{label}` cannot be a case label", expected="no `@`: it marks variants")
    return label


def _without_collisions(
    candidates: Iterable[Candidate],
) -> tuple[list[Candidate], list[Finding]]:
    """Refuse every one of several sources that share a label: none may win silently."""
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.case_label].append(candidate)
    kept = [group[0] for group in groups.values() if len(group) == 1]
    findings = [
        Finding(
            "case_label_is_unique",
            candidate.case_label,
            f"{len(group)} sources have this case label after Unicode normalisation (NFC)",
            str(candidate.document),
        )
        for group in groups.values()
        if len(group) > 1
        for candidate in group
    ]
    return sorted(kept, key=lambda one: one.case_label), findings
