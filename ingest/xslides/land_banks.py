"""Landing of what stands above runs: cases, probe banks, probes and audience weights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_weights import WeightSetInfo, read_weight_set
from ingest.xslides.tree import (
    PROBE_STATUS_FILE,
    PROBES_FILE,
    ArtifactTree,
    split_variant,
)
from warehouse import identity, storage
from warehouse.contracts import xslides as contracts
from warehouse.landing import Row, keep_unique

# All that the file says of a probe: banks that differ in a domain alone are two banks.
CONTENT_COLUMNS = (
    "probe_id",
    "question",
    "answer",
    "evidence",
    "level",
    "modality",
    "theme",
    "stated_domain",
    "metadata",
)


@dataclass(frozen=True)
class BankInfo:
    """One probe bank as runs see it; `ordinals` maps probe ids to 1-based positions."""

    bank_id: str
    case: CaseInfo
    variant: str
    ordinals: dict[str, int]
    probes_sha256: str


@dataclass
class Banks:
    """All banks and weight sets of a dataset, by case folder in NFC, and their rows."""

    by_folder: dict[str, BankInfo] = field(default_factory=dict)
    weight_sets: dict[tuple[str, str], WeightSetInfo] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    ids: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def bank(self, case_label: str, variant: str) -> tuple[str, BankInfo] | None:
        """Return folder and bank of a case; a variant without its own bank takes the plain."""
        folder = f"{case_label}@{variant}" if variant else case_label
        for name in (folder, case_label):
            if name in self.by_folder:
                return name, self.by_folder[name]
        return None

    def audiences(self, case_label: str) -> set[str]:
        """Return the audiences that any weight file of a case speaks for."""
        return {
            audience
            for (folder, audience) in self.weight_sets
            if split_variant(folder)[0] == case_label
        }


def read_banks(
    tree: ArtifactTree,
    reader: FileReader,
    dataset_id: str,
    cases: dict[str, CaseInfo],
    profiles: dict[str, str],
) -> Banks:
    """Read all probe banks and weight files of a tree.

    Args:
        tree: the artifact tree.
        reader: reads files and keeps rejects.
        dataset_id: artifact root that rows belong to.
        cases: cases by label.
        profiles: hash of each configured audience's profile by audience.
    """
    banks = Banks()
    for name in tree.bank_folders():
        folder = identity.normalize_label(name)
        case_label, variant = split_variant(folder)
        path = tree.probe_folder(name) / PROBES_FILE
        if folder in banks.by_folder:
            reader.reject(
                contracts.PROBES.table,
                path,
                "label_collision",
                folder,
                "two folders have the same name after Unicode normalisation",
            )
            continue
        if not path.is_file():
            continue
        if case_label not in cases:
            reader.reject(
                contracts.PROBES.table, path, "no_case", folder, "its case could not be landed"
            )
            continue
        bank = _read_bank(tree, reader, name, cases[case_label], variant or "", banks)
        banks.by_folder[folder] = bank
        weights_folder = tree.probe_folder(name) / "weights"
        for weights in sorted(weights_folder.glob("*.jsonl")):
            info, set_row, weight_rows = read_weight_set(
                reader,
                weights,
                bank.bank_id,
                bank.ordinals,
                dataset_id,
                bank.case.case_id,
                profiles,
            )
            banks.weight_sets[(folder, info.audience)] = info
            _add_once(banks, contracts.WEIGHT_SETS.noun, [set_row], "weight_set_id")
            _add_once(banks, contracts.WEIGHTS.noun, weight_rows, "weight_set_id")
    return banks


def _read_bank(
    tree: ArtifactTree,
    reader: FileReader,
    folder: str,
    case: CaseInfo,
    variant: str,
    banks: Banks,
) -> BankInfo:
    path = tree.probe_folder(folder) / PROBES_FILE
    table = contracts.PROBES.table

    def build(row: Row, line: int) -> Row:
        return _probe_row(row, line, case, reader.relative(path))

    rows = reader.rows(path, table, build, "probe_id")
    rows = keep_unique(contracts.PROBES, rows, reader.log, subject="probe_id")
    # By id, so that neither the hash nor a key depends on the order of lines.
    rows.sort(key=lambda row: str(row["probe_id"]))
    content = [[row[name] for name in CONTENT_COLUMNS] for row in rows]
    bank_id = identity.content_id("bank", case.dataset_id, case.case_id, content)
    for ordinal, row in enumerate(rows, start=1):
        row.update(bank_id=bank_id, probe_ordinal=ordinal)
    info = BankInfo(
        bank_id,
        case,
        variant,
        {row["probe_id"]: row["probe_ordinal"] for row in rows},
        storage.sha256_file(path),
    )
    status = _status(tree, reader, folder)
    bank_row = {
        "bank_id": bank_id,
        "dataset_id": case.dataset_id,
        "case_id": case.case_id,
        "case_label": case.case_label,
        "probe_count": len(rows),
        "generator_id": _plain(status, "judge_id", "model"),
        "source_parser": _plain(status, "parser_fingerprint", "parser"),
        "is_source_truncated": status.get("truncated")
        if isinstance(status.get("truncated"), bool)
        else None,
        "probes_sha256": info.probes_sha256,
        "source_file": reader.relative(path),
        "source_line": None,
    }
    _add_once(banks, contracts.PROBE_BANKS.noun, [bank_row], "bank_id")
    _add_once(banks, contracts.PROBES.noun, rows, "bank_id")
    return info


def _probe_row(row: Row, line: int, case: CaseInfo, file: str) -> Row:
    stated_case = fields.optional_text(row, "source_case_id")
    if stated_case is not None and identity.normalize_label(stated_case) not in case.names:
        raise FieldError(
            "case_mismatch", f"`source_case_id` is `{stated_case}`, the folder says {case.names}"
        )
    evidence = row.get("evidence")
    if evidence is not None and not isinstance(evidence, list | dict | str):
        raise FieldError("wrong_type", f"field `evidence` is {fields.kind(evidence)}")
    metadata = fields.mapping(row, "metadata")
    domain = metadata.get("domain")
    known = {"probe_id", "source_case_id", "question", "answer", "evidence", "level", "modality"}
    rest = {key: value for key, value in row.items() if key not in {*known, "theme", "metadata"}}
    question, answer = fields.text(row, "question"), fields.text(row, "answer")
    theme, modality = fields.optional_text(row, "theme"), fields.optional_text(row, "modality")
    return {
        "bank_id": None,
        "probe_id": fields.label(row, "probe_id"),
        "probe_ordinal": None,
        "dataset_id": case.dataset_id,
        "case_id": case.case_id,
        "question": question,
        "answer": answer,
        "evidence": fields.json_text([evidence] if isinstance(evidence, dict) else evidence),
        "level": fields.optional_integer(row, "level"),
        "modality": modality,
        "theme": theme,
        "stated_domain": domain if isinstance(domain, str) and domain.strip() else None,
        "theme_tokens": fields.tokens(theme),
        "question_tokens": fields.tokens(question),
        "answer_tokens": fields.tokens(answer),
        "modality_tokens": fields.tokens(modality),
        "metadata": fields.json_text({**rest, **metadata}),
        "source_file": file,
        "source_line": line,
    }


def _status(tree: ArtifactTree, reader: FileReader, folder: str) -> dict[str, Any]:
    path = tree.probe_folder(folder) / PROBE_STATUS_FILE
    if not path.is_file():
        return {}
    return reader.document(path, contracts.PROBE_BANKS.table) or {}


def _plain(status: dict[str, Any], *names: str) -> str | None:
    for name in names:
        value = status.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def _add_once(banks: Banks, noun: str, rows: Iterable[Row], id_column: str) -> None:
    """Keep rows whose id is new: equal content under two folders is one bank or set."""
    new = [row for row in rows if row[id_column] not in banks.ids[noun]]
    banks.ids[noun].update(row[id_column] for row in new)
    banks.rows[noun].extend(new)
