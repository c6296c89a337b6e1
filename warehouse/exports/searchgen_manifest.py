"""`manifest.json` of a published searchgen release: what pins it and how to read it.

Its keys are those that releases of the benchmark have always had, so that their readers go
on; what is ours stands beside them. It holds no clock: two exports of one state are one file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from warehouse import jsonl
from warehouse.contracts.searchgen_values import (
    ALL_GROUP,
    COMPONENTS,
    COMPONENTS_9,
    EXCLUDED_COMPONENT,
    MISSING_STATUSES,
    PER_STATUS,
    RAW_MAXIMUM,
    RAW_MINIMUM,
    STATUSES,
)
from warehouse.errors import UsageError
from warehouse.exports.leaderboards import HEURISTIC_BANNER
from warehouse.exports.searchgen_boards import (
    COVERAGE_DECIMALS,
    PUBLISHED,
    SCORE_DECIMALS,
    STRATUM,
    public_slice,
)
from warehouse.exports.searchgen_records import OTHER_LANE, other_lane_records
from warehouse.manifests import InputFile

Row = dict[str, Any]

PRODUCER = "podium"
INPUTS = "inputs.jsonl"
SCHEMA_VERSION = "2.0.0"
"""Raised on any change of a published shape; 1.x are releases that others made."""
DEDUPLICATION = {"deduplicate_by": "release_row"}
METRIC_LABELS = {"overall_9": "Overall-9", "overall_10": "Overall-10"}
POLICIES = {
    PUBLISHED: "each model's own rule for each status, as `models` states it",
    "all_zero_fill": "a missing result counts as ten zeros, for every model",
    "all_exclude": "a missing result is left out, for every model",
    "common_prompts": "only prompts that every model of the release has scored",
    "applicability_aware": (
        "as published, but a missing result is zero only in components that some model of "
        "the release has a value for at that prompt"
    ),
}
ROUNDING_RULE = "round half to even on the double of mean * 100 / 3, once, from the unrounded mean"


@dataclass(frozen=True)
class Provenance:
    """What an export knows beside the marts.

    Attributes:
        inputs: files that the run was landed from, with hash and size.
        warehouse_release_id: state that was exported.
        podium_version: version of the code that exports.
        duckdb_version: version of the engine that built the state.
        generated_at: stated time in UTC, ISO 8601; None when nothing states one.
        gates: outcome of the gates on that state; `incomplete` is told to every reader.
    """

    inputs: tuple[InputFile, ...]
    warehouse_release_id: str
    podium_version: str
    duckdb_version: str
    generated_at: str | None = None
    gates: str = "passed"


def generated_at(source_date_epoch: str | None) -> str | None:
    """Return SOURCE_DATE_EPOCH as time in UTC, ISO 8601; None when it is not set.

    Landed inputs carry no time that a copy would keep, so nothing stands in for it.

    Raises:
        UsageError: when it is no number of seconds since 1970.
    """
    if not source_date_epoch:
        return None
    try:
        return datetime.fromtimestamp(int(source_date_epoch), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            "SOURCE_DATE_EPOCH is no time",
            expected="whole seconds since 1970",
            got=source_date_epoch[:40],
        ) from None


def manifest(
    run: Row,
    models: list[Row],
    boards: list[Row],
    prompts: list[Row],
    artifacts: dict[str, Row],
    known: Provenance,
) -> Row:
    """Return the manifest of one release.

    Args:
        run: its row of `dim_searchgen__runs`.
        models: its rows of `dim_searchgen__models`.
        boards: its rows of `rpt_searchgen__leaderboards`.
        prompts: records of `prompt_scores.jsonl`.
        artifacts: `bytes` and `sha256` by file name, in the order of publication.
        known: what the marts do not hold.
    """
    partitions = _partitions(boards, run["whole_slice_name"])
    return {
        "artifact_files": artifacts,
        "artifacts": list(artifacts),
        "benchmark": run["benchmark_name"],
        "dataset": {
            "filename": run["prompts_file"],
            "n_prompts": len(prompts),
            "sha256": run["prompts_sha256"],
        },
        "dataset_id": run["dataset_id"],
        "evaluation_slices": _slices(run, len(prompts)),
        "gates": known.gates,
        "generated_at": known.generated_at,
        "inputs": inputs_summary(known.inputs),
        "judge": _judge(run),
        "lanes": _lanes(run, prompts),
        "minimum_coverage": run["minimum_coverage"],
        "models": {one["model_id"]: _model(one) for one in models},
        "output_slice": run["whole_slice_name"],
        "partition": partitions.get(run["whole_slice_name"], {}),
        "policies": POLICIES,
        "producer": PRODUCER,
        "published_slices": sorted(partitions),
        "release": run["release"],
        "run_id": run["run_id"],
        "schema_version": SCHEMA_VERSION,
        "scoring": _scoring(run, models),
        "slice_partitions": partitions,
        "source_commit": run["source_commit"],
        "statuses": list(STATUSES),
        "versions": {"duckdb": known.duckdb_version, "podium": known.podium_version},
        "warehouse_release_id": known.warehouse_release_id,
    }


def inputs_summary(inputs: Iterable[InputFile]) -> Row:
    """Return count and size of all inputs; the file that lists each is hashed as an artifact.

    They are thousands of evaluation files: listed here they would make the manifest, which
    every page loads, a hundred times as long.
    """
    files = list(inputs)
    return {
        "bytes": sum(one.bytes for one in files),
        "count": len(files),
        "listed_in": INPUTS,
    }


def _partitions(boards: list[Row], whole_name: str) -> Row:
    """Return the prompts by part of every slice."""
    found: Row = {}
    for row in boards:
        if (row["view"], row["policy"]) == (STRATUM, PUBLISHED):
            part = found.setdefault(public_slice(row["slice"], whole_name), {})
            if row["group_name"] != ALL_GROUP:
                part[row["group_name"]] = row["n_total"]
    return found


def _slices(run: Row, prompt_count: int) -> Row:
    whole = {"expected_rows": prompt_count, "include_tags": [], "match": "all"}
    named = {run["whole_slice_name"]: whole, **jsonl.parse(run["slices"] or "{}")}
    return {
        "named": {name: {"deduplicate_by": "release_row", **one} for name, one in named.items()},
        "subset_field": run["subset_field"],
    }


def _judge(run: Row) -> Row:
    is_heuristic = run["judge_kind"] == "heuristic"
    return {
        "evaluation_config_id": run["evaluation_config_id"],
        "extractor": run["extractor"],
        "id": run["judge_id"],
        "kind": run["judge_kind"],
        "notice": HEURISTIC_BANNER if is_heuristic else None,
        "settings": jsonl.parse(run["judge_settings"] or "{}"),
    }


def _lanes(run: Row, prompts: list[Row]) -> Row:
    """Return the lane that boards show, and what no board shows, with the reason."""
    counts: dict[str, int] = {}
    for one in other_lane_records(prompts):
        counts[one["lane"]] = counts.get(one["lane"], 0) + 1
    excluded = {
        lane: {"reason": OTHER_LANE, "record_count": count} for lane, count in counts.items()
    }
    return {"excluded": excluded, "published": run["published_lane"]}


def _model(model: Row) -> Row:
    return {
        "aliases": jsonl.parse(model["aliases"] or "[]"),
        "display_name": model["display_name"],
        "lane": model["lane"],
        "missing_policies": {one: model[f"{one}_policy"] for one in MISSING_STATUSES},
        "missing_policy": model["missing_policy"],
        "order": model["model_order"],
        "source_id": model["source_id"],
        "type": model["model_type"],
    }


def _scoring(run: Row, models: list[Row]) -> Row:
    default = run["missing_policy_default"]
    exceptions = {
        one["model_id"]: _exception(one)
        for one in models
        if one["missing_policy"] != default and default != PER_STATUS
    }
    return {
        "metric_label": METRIC_LABELS[run["primary_metric"]],
        "missing_policy_default": default,
        "missing_policy_exceptions": exceptions,
        "overall_10_components": list(COMPONENTS),
        "overall_9_components": list(COMPONENTS_9),
        "overall_9_excluded_component": EXCLUDED_COMPONENT,
        "primary_metric": run["primary_metric"],
        "public_coverage_decimals": COVERAGE_DECIMALS,
        "public_rounding_decimals": SCORE_DECIMALS,
        "public_rounding_rule": ROUNDING_RULE,
        "scale_public": [0, 100],
        "scale_raw": [int(RAW_MINIMUM), int(RAW_MAXIMUM)],
        "source": run["scoring_source"],
    }


def _exception(model: Row) -> Any:
    if model["missing_policy"] != PER_STATUS:
        return model["missing_policy"]
    return {one: model[f"{one}_policy"] for one in MISSING_STATUSES}
