"""Small published releases of searchgen, in every shape that releases have had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.trees import write_json
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9

Row = dict[str, Any]
MODELS = {
    "gpt_image": {"display_name": "GPT", "source_id": "gpt", "type": "Commercial"},
    "bagel": {"display_name": "Bagel", "source_id": "bagel", "type": "Open"},
}


def row(model_id: str, names: tuple[str, ...], **fields: Any) -> Row:
    return {
        "model_id": model_id,
        "display_name": MODELS[model_id]["display_name"],
        "type": MODELS[model_id]["type"],
        "missing_policy": "zero_fill",
        "n_total": 4,
        "n_scored": 3,
        "n_included": 4,
        "coverage": 0.75,
        "overall_9": 50.0,
        "overall_10": 48.2,
        "components": dict.fromkeys(names, 50.0),
        "component_counts": dict.fromkeys(names, 4),
        **fields,
    }


def manifest(**scoring: Any) -> Row:
    return {
        "schema_version": "1.0.0",
        "benchmark": "SearchGen-Bench",
        "artifacts": ["prompt_scores.jsonl", "leaderboard_overall.json"],
        "dataset": {"filename": "p.jsonl", "n_prompts": 4, "sha256": "0" * 64},
        "generated_at": "2026-07-16T00:00:00+00:00",
        "models": MODELS,
        "partition": {"NoSearch": 1},
        "scoring": {
            "missing_policy_default": "zero_fill",
            "missing_policy_exceptions": ["bagel"],
            "overall_9_components": list(COMPONENTS_9),
            "overall_10_components": list(COMPONENTS),
            "public_rounding_decimals": 1,
            "primary_metric": "overall_10",
            "source": "s.json",
            **scoring,
        },
        "source_commit": None,
    }


def write(folder: Path, names: tuple[str, ...] = COMPONENTS_9, **top: Any) -> Path:
    """Write a small release; `top` holds further or other keys of its manifest."""
    rows = [row(one, names) for one in MODELS]
    write_json(folder / "manifest.json", {**manifest(), **top})
    write_json(folder / "leaderboard_overall.json", rows)
    write_json(folder / "leaderboard_by_stratum.json", {"All": rows, "NoSearch": rows[:1]})
    write_json(folder / "leaderboard_by_domain.json", {"ART": rows})
    write_json(folder / "leaderboard_by_failure_mode.json", {"CCS": rows})
    return folder


def write_sliced(folder: Path) -> Path:
    """Write a release with ten components and a slice beside the whole."""
    rows = [row(one, COMPONENTS) for one in MODELS]
    views = {
        "overall": rows,
        "strata": {"All": rows},
        "domains": {"ART": rows},
        "failure_modes": {},
    }
    artifacts = ["leaderboard_overall.json", "leaderboard_by_slice.json"]
    write(folder, COMPONENTS, artifacts=artifacts, output_slice="full_4")
    write_json(folder / "leaderboard_by_slice.json", {"full_4": views, "mini": views})
    return folder
