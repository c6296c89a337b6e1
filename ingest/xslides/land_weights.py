"""Landing of one audience's weight file over one probe bank."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.xslides.utilities import snap
from warehouse import identity, storage
from warehouse.contracts import xslides as contracts
from warehouse.landing import Row, keep_unique

UNSTATED = "unstated"
MIXED = "mixed"


@dataclass(frozen=True)
class WeightSetInfo:
    """One weight set as runs see it."""

    weight_set_id: str
    weight_set_key: int
    audience: str
    weights_sha256: str


def read_weight_set(
    reader: FileReader,
    path: Path,
    bank_id: str,
    ordinals: dict[str, int],
    dataset_id: str,
    case_id: str,
    profiles: dict[str, str],
) -> tuple[WeightSetInfo, Row, list[Row]]:
    """Read one weight file.

    Returns:
        What runs need to know, the row of `weight_sets`, the rows of `weights`.
    """
    audience = identity.normalize_label(path.stem)
    file = reader.relative(path)

    def build(row: Row, line: int) -> Row:
        return _weight_row(row, line, audience, ordinals, file)

    rows = reader.rows(path, contracts.WEIGHTS.table, build, "probe_id")
    for row in rows:
        row["weight_set_id"] = file
    rows = keep_unique(contracts.WEIGHTS, rows, reader.log, subject="probe_id")
    judge_id = _one({row["_judge_id"] for row in rows})
    judge_kind = _one({row["_judge_kind"] for row in rows})
    counts = {row["sample_count"] for row in rows}
    k = counts.pop() if len(counts) == 1 else None
    content = [
        [row["probe_id"], row["utility_weight"], row["sample_count"], row["sample_tenths_sum"]]
        for row in sorted(rows, key=lambda one: str(one["probe_id"]))
    ]
    weight_set_id = identity.content_id(
        "weights", bank_id, audience, profiles.get(audience), judge_id, k, content
    )
    set_key = identity.weight_set_key(weight_set_id)
    for row in rows:
        del row["_judge_id"], row["_judge_kind"]
        row["weight_set_id"] = weight_set_id
        row["bank_id"] = bank_id
        row["weight_key"] = identity.weight_key(set_key, ordinals[row["probe_id"]])
    scope = MIXED if len(counts) > 1 else f"k{k}" if k is not None else "k unstated"
    weights_sha256 = storage.sha256_file(path)
    set_row: Row = {
        "weight_set_id": weight_set_id,
        "weight_set_key": set_key,
        "bank_id": bank_id,
        "dataset_id": dataset_id,
        "case_id": case_id,
        "audience": audience,
        "judge_id": judge_id,
        "judge_kind": judge_kind if judge_kind in contracts.JUDGE_KINDS else UNSTATED,
        "k": k,
        "weight_scope": f"{judge_id}, {scope}",
        "weight_count": len(rows),
        "weights_sha256": weights_sha256,
        "source_file": file,
        "source_line": None,
    }
    info = WeightSetInfo(weight_set_id, set_key, audience, weights_sha256)
    return info, set_row, rows


def _weight_row(row: Row, line: int, audience: str, ordinals: dict[str, int], file: str) -> Row:
    probe_id = fields.label(row, "probe_id")
    stated = fields.label(row, "audience") if row.get("audience") is not None else audience
    if stated != audience:
        raise FieldError("audience_mismatch", f"the row says `{stated}`, the file `{audience}`")
    if probe_id not in ordinals:
        raise FieldError("orphan_probe", f"probe `{probe_id}` is not in the probe bank")
    metadata = fields.mapping(row, "metadata")
    tenths = _sample_tenths(metadata.get("samples"))
    judge_id = next(
        (
            value
            for name in ("judge_id", "judge", "judge_model", "model")
            if isinstance(value := metadata.get(name), str) and value
        ),
        UNSTATED,
    )
    return {
        "weight_key": None,
        "weight_set_id": None,
        "bank_id": None,
        "probe_id": probe_id,
        "audience": audience,
        "utility_weight": fields.number(row, "utility_weight"),
        "sample_count": len(tenths) if tenths else None,
        "sample_tenths_sum": sum(tenths) if tenths else None,
        "sample_tenths_square_sum": sum(one * one for one in tenths) if tenths else None,
        "reason": fields.optional_text(row, "reason"),
        "metadata": fields.json_text(metadata),
        "source_file": file,
        "source_line": line,
        "_judge_id": judge_id,
        "_judge_kind": metadata.get("judge_kind"),
    }


def _sample_tenths(samples: Any) -> list[int]:
    """Return the samples snapped to the rubric, in tenths; nothing when none are stored."""
    if samples is None or samples == []:
        return []
    if not isinstance(samples, list):
        raise FieldError("wrong_type", "field `metadata.samples` is no list")
    tenths = []
    for sample in samples:
        if isinstance(sample, bool) or not isinstance(sample, int | float):
            raise FieldError("wrong_type", "field `metadata.samples` holds no numbers")
        try:
            tenths.append(round(10 * snap(float(sample))))
        except ValueError as error:
            raise FieldError("sample_out_of_range", str(error)) from None
    return tenths


def _one(values: set[Any]) -> str:
    if not values:
        return UNSTATED
    return str(next(iter(values)) or UNSTATED) if len(values) == 1 else MIXED
