"""Landing of cases: one row per source document, or per folder that speaks of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.xslides.tree import ArtifactTree, split_variant
from warehouse import identity, storage
from warehouse.contracts import xslides as contracts
from warehouse.landing import Row


@dataclass(frozen=True)
class CaseInfo:
    """One case as other tables see it; `valid_audiences` is None when undeclared."""

    dataset_id: str
    case_id: str
    case_label: str
    valid_audiences: tuple[str, ...] | None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which artifacts may speak of this case."""
        return (self.case_id, self.case_label)


def read_cases(
    tree: ArtifactTree, reader: FileReader, dataset_id: str
) -> tuple[dict[str, CaseInfo], list[Row]]:
    """Read all cases of a tree; a case without source or metadata is a case all the same.

    Returns:
        Cases by label in NFC, and the rows of `cases`.
    """
    found: dict[str, tuple[CaseInfo, Row]] = {}
    for name in tree.case_labels():
        label = identity.normalize_label(name)
        if label in found:
            _collision(reader, tree.source_folder(name), label, "label_collision")
            continue
        found[label] = _read_case(tree, reader, dataset_id, name)
    for label, folder in sorted(_other_labels(tree).items()):
        if label not in found:
            row = _blank_row(dataset_id, label, label, reader.relative(folder))
            found[label] = (CaseInfo(dataset_id, label, label, None), row)
    by_id: dict[str, str] = {}
    for label in sorted(found):
        info, _ = found[label]
        if info.case_id in by_id:
            folder = tree.source_folder(label)
            _collision(reader, folder, f"{by_id[info.case_id]}, {label}", "case_id_collision")
            del found[label]
            continue
        by_id[info.case_id] = label
    cases = {label: info for label, (info, _) in found.items()}
    return cases, [row for _, row in found.values()]


def _read_case(
    tree: ArtifactTree, reader: FileReader, dataset_id: str, name: str
) -> tuple[CaseInfo, Row]:
    label = identity.normalize_label(name)
    path = tree.source_metadata(name)
    content = (reader.document(path, contracts.CASES.table) or {}) if path.is_file() else {}
    source = tree.source_file(name)
    place = path if path.is_file() else tree.source_folder(name)
    row = _blank_row(dataset_id, label, label, reader.relative(place))
    if source is not None:
        row["source_sha256"] = storage.sha256_file(source)
        row["source_type"] = source.suffix.lstrip(".").lower()
    try:
        row.update(_metadata_fields(content, row))
    except FieldError as error:
        reader.reject(contracts.CASES.table, path, error.reason, label, str(error))
    audiences = row["valid_audiences"]
    info = CaseInfo(
        dataset_id, row["case_id"], label, None if audiences is None else tuple(audiences)
    )
    return info, row


def _metadata_fields(content: dict[str, Any], row: Row) -> Row:
    inner = fields.mapping(content, "metadata")
    merged = {**inner, **content}
    audiences = content.get("valid_audiences")
    if audiences is not None and not (
        isinstance(audiences, list) and all(isinstance(one, str) for one in audiences)
    ):
        raise FieldError("wrong_type", "field `valid_audiences` is no list of texts")
    known = {"case_id", "title", "source_path", "source_type", "scene", "valid_audiences"}
    known |= {"display_name", "category", "topic", "metadata"}
    case_id = fields.optional_text(content, "case_id")
    return {
        "case_id": identity.normalize_label(case_id) if case_id else row["case_id"],
        "title": fields.optional_text(content, "title"),
        "scene": fields.optional_text(content, "scene") or row["scene"],
        "source_type": fields.optional_text(content, "source_type") or row["source_type"],
        "source_path": fields.optional_text(content, "source_path"),
        "valid_audiences": None
        if audiences is None
        else sorted({identity.normalize_label(one) for one in audiences}),
        "display_name": fields.optional_text(merged, "display_name"),
        "category": fields.optional_text(merged, "category"),
        "topic": fields.optional_text(merged, "topic"),
        "metadata": fields.json_text({k: v for k, v in merged.items() if k not in known}),
    }


def _blank_row(dataset_id: str, case_id: str, label: str, file: str) -> Row:
    row: Row = dict.fromkeys(contracts.CASES.names)
    row.update(
        dataset_id=dataset_id,
        case_id=case_id,
        case_label=label,
        scene="unstated",
        source_file=file,
    )
    return row


def _other_labels(tree: ArtifactTree) -> dict[str, Path]:
    """Return the case labels that probes or evaluations speak of, with a folder that does."""
    labels: dict[str, Path] = {}
    for name in tree.bank_folders():
        label = identity.normalize_label(split_variant(name)[0])
        labels.setdefault(label, tree.probe_folder(name))
    for run in tree.runs():
        for key in tree.evaluation_keys(run):
            label = identity.normalize_label(split_variant(key.case_folder)[0])
            labels.setdefault(label, tree.evaluation_folder(run, key))
        for deck in tree.deck_keys(run):
            label = identity.normalize_label(split_variant(deck.case_label)[0])
            labels.setdefault(label, tree.deck_folder(run, deck))
    return labels


def _collision(reader: FileReader, folder: Path, subject: str, reason: str) -> None:
    reader.reject(contracts.CASES.table, folder, reason, subject, "two folders speak of one case")
