"""Prompts of a release: metadata lines in, rows of `searchgen/prompts` out.

Lists of tags stand as the file states them; whether they make sense is for the landing gate
to say. A line that would have to be guessed at is a reject.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.searchgen import partitions
from ingest.searchgen.model_registry import Release, SliceRule
from warehouse import identity
from warehouse.contracts.searchgen import PROMPTS
from warehouse.contracts.searchgen_values import SEARCH_TYPES, STRATA
from warehouse.findings import Finding, Outcome
from warehouse.landing import Row, keep_unique

TABLE = PROMPTS.table
PARTITION_CHECK = "stated_parts_follow_the_rule"
MODELS_FIELDS = ("models", "other_lanes")
_FIELDS = (
    "sample_id",
    "prompt_index",
    "release_row",
    "bench_id",
    "stratum",
    "search_type",
    "domains",
    "failure_modes",
    "slices",
    "difficulty",
    "language",
    "generation_task_type",
    "is_miniset",
)


@dataclass(frozen=True)
class PromptRules:
    """How lines are read.

    Attributes:
        run_id: release that the prompts belong to.
        dataset_id: data set of the release.
        subset_field: field with one subset label or a list of them.
        slices: named slices by their subset labels.
        wants_release_row: whether results are looked for by `release_row`.
    """

    run_id: str
    dataset_id: str
    subset_field: str = "subset"
    slices: Mapping[str, SliceRule] = field(default_factory=dict)
    wants_release_row: bool = False


def rules_of(
    run_id: str, dataset_id: str, release: Release, *, wants_release_row: bool
) -> PromptRules:
    """Return the rules that a release gives."""
    return PromptRules(run_id, dataset_id, release.subset_field, release.slices, wants_release_row)


@dataclass(frozen=True)
class Prompts:
    """Prompts of one file: landing rows, weights of their rubrics, what is odd about them."""

    rows: list[Row]
    rubric_weights: dict[str, dict[str, Any]]
    findings: list[Finding]


def read_prompts(reader: FileReader, path: Path, rules: PromptRules) -> Prompts:
    """Read the prompt metadata of a release, one JSON object a line.

    Args:
        reader: reads the file and keeps rejects.
        path: the file.
        rules: see PromptRules.
    """
    weights: dict[str, dict[str, Any]] = {}

    def build(line: Row, number: int) -> Row:
        row = prompt_row(line, number, reader.relative(path), rules)
        weights[row["sample_id"]] = rubric_weights(line)
        return row

    rows = reader.rows(path, TABLE, build, "sample_id")
    return finished(reader, rows, rules, weights)


def finished(
    reader: FileReader, rows: list[Row], rules: PromptRules, weights: dict[str, dict[str, Any]]
) -> Prompts:
    """Return prompts of which each stands once, with their slices."""
    unique = keep_unique(PROMPTS, rows, reader.log, subject="sample_id")
    members = partitions.slice_members(unique, rules.slices)
    for row in unique:
        if row["slices"] is None:
            row["slices"] = sorted(name for name in members if row["sample_id"] in members[name])
    return Prompts(unique, weights, _contradictions(unique))


def prompt_row(line: Row, number: int, file: str, rules: PromptRules) -> Row:
    """Return one prompt as a landing row; `slices` is None where they are not stated.

    Raises:
        FieldError: when a field is missing, has another type, or names a place outside.
    """
    sample_id = fields.label(line, "sample_id")
    subsets = _subsets(line, rules.subset_field)
    stratum, search_type = _parts(line, sample_id, subsets, rules.subset_field)
    return {
        "run_id": rules.run_id,
        "dataset_id": rules.dataset_id,
        "sample_id": sample_id,
        "prompt_index": fields.optional_integer(line, "prompt_index"),
        "release_row": _release_row(line, rules.wants_release_row),
        "bench_id": fields.optional_text(line, "bench_id"),
        "stratum": stratum,
        "search_type": search_type,
        "domains": labels(line, "domains"),
        "failure_modes": labels(line, "failure_modes"),
        "subsets": subsets,
        "slices": labels(line, "slices") if line.get("slices") is not None else None,
        "difficulty": _scalar(line, "difficulty"),
        "language": _scalar(line, "language"),
        "generation_task_type": _scalar(line, "generation_task_type"),
        "is_miniset": None
        if line.get("is_miniset") is None
        else fields.boolean(line, "is_miniset"),
        "metadata": fields.json_text(_rest(line, rules.subset_field)) or "{}",
        "source_file": file,
        "source_line": number,
    }


def rubric_weights(line: Row) -> dict[str, Any]:
    """Return the weight of each dimension of a prompt's rubric, where it states one."""
    rubric = line.get("evaluation_rubric")
    if not isinstance(rubric, dict):
        return {}
    return {
        name: one["weight"]
        for name, one in rubric.items()
        if isinstance(one, dict) and one.get("weight") is not None
    }


def labels(line: Row, name: str) -> list[str]:
    """Return a list of labels in NFC; repeated ones stay.

    Raises:
        FieldError: when it is absent, no list, or holds anything but texts.
    """
    if name not in line:
        raise FieldError("missing_field", f"field `{name}` is missing; without any it is []")
    value = line[name]
    if not isinstance(value, list):
        raise FieldError("wrong_type", f"field `{name}` is no list but {fields.kind(value)}")
    for one in value:
        if not isinstance(one, str):
            raise FieldError("wrong_type", f"field `{name}` holds {fields.kind(one)}")
        if not one.strip():
            raise FieldError("blank_field", f"field `{name}` holds a blank label")
    return [identity.normalize_label(one) for one in value]


def check_inside(text: str, name: str) -> str:
    """Return a relative path that stays below its root.

    Raises:
        FieldError: when it is absolute, climbs, or has parts that no file system keeps apart.
    """
    parts = text.split("/")
    is_odd = any(part in {"", ".", ".."} or len(part.encode()) > 255 for part in parts)
    if is_odd or "\\" in text or any(ord(character) < 32 for character in text):
        raise FieldError("path_leaves_root", f"field `{name}` is no path below the results")
    return text


def _subsets(line: Row, name: str) -> list[str]:
    value = line.get(name)
    if value is None:
        return []
    return labels({name: [value] if isinstance(value, str) else value}, name)


def _parts(line: Row, sample_id: str, subsets: list[str], subset_field: str) -> tuple[str, str]:
    stratum = fields.optional_text(line, "stratum")
    search_type = fields.optional_text(line, "search_type")
    if stratum is not None:
        fields.choice(stratum, STRATA, "stratum")
    if search_type is not None:
        fields.choice(search_type, SEARCH_TYPES, "search_type")
    if stratum is None and search_type is None and line.get(subset_field) is None:
        # A prompt without a label is not one that needs search: it would be counted as such.
        raise FieldError(
            "missing_field", f"neither `{subset_field}` nor `search_type` tells the prompt's part"
        )
    return partitions.completed(sample_id, subsets, stratum, search_type)


def _release_row(line: Row, is_wanted: bool) -> str | None:
    if is_wanted:
        fields.text(line, "release_row")
    value = fields.optional_text(line, "release_row")
    return None if value is None else check_inside(value, "release_row")


def _scalar(line: Row, name: str) -> str | None:
    """Return a text; a number is taken as its text."""
    value = line.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return fields.optional_text(line, name)


def _rest(line: Row, subset_field: str) -> Row:
    known = {*_FIELDS, *MODELS_FIELDS, subset_field}
    return {name: value for name, value in line.items() if name not in known}


def _contradictions(rows: list[Row]) -> list[Finding]:
    """Return one finding for all stated parts that the rule for ids and labels denies."""
    odd = [
        row
        for row in rows
        if row["subsets"]
        and (row["stratum"], row["search_type"])
        != partitions.derive(row["sample_id"], row["subsets"])
    ]
    if not odd:
        return []
    first = min(odd, key=lambda row: str(row["sample_id"]))
    derived = "/".join(partitions.derive(first["sample_id"], first["subsets"]))
    return [
        Finding(
            PARTITION_CHECK,
            f"{first['run_id']}/{first['sample_id']}",
            f"{len(odd)} of {len(rows)} prompts state another part than subset and id give; here "
            f"{first['stratum']}/{first['search_type']} for {derived}; what is stated stays",
            first["source_file"],
            first["source_line"],
            Outcome.WARNED,
        )
    ]
