"""Releases of searchgen as files on disk, out of the rows of a hand-made state."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.support.searchgen_states import FILLS, Marts
from warehouse import jsonl
from warehouse.contracts.searchgen_values import EXCLUDE, MISSING_STATUSES, SCORED, ZERO_FILL

Row = dict[str, Any]
SOURCE = "scores.json"
_GENERIC = (
    "prompt_faithfulness",
    "image_quality",
    "text_rendering",
    "ai_naturalness",
    "composition_and_aesthetics",
    "physical_plausibility",
)
_REFERENCES = ("visual_reference_evaluation", "text_reference_evaluation")
_TAGS = {"domain": "domains", "failure_mode": "failure_modes"}


def plant(folder: Path, given: Marts, *, release: str = "test", shuffled: bool = False) -> Path:
    """Write prompts.jsonl, results/ and models.yml; `shuffled` draws another order of all."""
    folder.mkdir(parents=True, exist_ok=True)
    prompts = _prompts(given)
    scores = list(given.scores)
    if shuffled:
        random.Random(3).shuffle(prompts)
        random.Random(4).shuffle(scores)
    jsonl.write_jsonl(folder / "prompts.jsonl", prompts)
    for row in scores:
        _plant_result(folder / "results", row)
    jsonl.write_json(folder / "models.yml", _models(given, release))
    return folder


def result_file(folder: Path, row: Row) -> Path:
    """Return where the evaluation of one row stands."""
    return folder.joinpath("results", row["release_row"], row["lane"], row["source_id"], SOURCE)


def arguments(folder: Path) -> tuple[str, ...]:
    """Return the options that name the files of a planted release."""
    return (
        *("--prompts", str(folder / "prompts.jsonl")),
        *("--results", str(folder / "results")),
        *("--models", str(folder / "models.yml")),
    )


def _prompts(given: Marts) -> list[Row]:
    prompts: dict[str, Row] = {}
    for row in given.scores:
        names = ("sample_id", "prompt_index", "release_row", "stratum", "search_type")
        prompt = prompts.setdefault(row["sample_id"], {name: row[name] for name in names})
        prompt |= {"difficulty": row["difficulty"], "is_miniset": row["is_miniset"]}
        labels = ["NoSearch"] if row["stratum"] == "NoSearch" else []
        prompt |= {"domains": [], "failure_modes": [], "subset": labels}
    for tag in given.tags:
        name = _TAGS.get(tag["tag_type"], "subset")
        prompts[tag["sample_id"]][name].append(tag["tag"])
    return list(prompts.values())


def _plant_result(root: Path, row: Row) -> None:
    folder = root / row["release_row"] / row["lane"] / row["source_id"]
    if row["status"] == "missing_generation":
        return
    folder.mkdir(parents=True)
    if row["status"] == "missing_evaluation":
        (folder / "image.png").write_bytes(b"png")
    elif row["status"] == SCORED:
        jsonl.write_json(folder / SOURCE, _evaluation(row))
    else:
        (folder / SOURCE).write_text("torn", encoding="utf-8")


def _evaluation(row: Row) -> Row:
    return {
        "checklist": {"checklist:0": {"score": row["checklist"]}},
        "rubric_adaptive": {"mood": {"score": row["rubric_adaptive"], "weight": 1}},
        **{name: {"score": "N/A" if row[name] is None else row[name]} for name in _GENERIC},
        **{
            name: {"applicable": row[name] is not None, "score": row[name] or 0}
            for name in _REFERENCES
        },
    }


def _models(given: Marts, release: str) -> Row:
    """Return models.yml; JSON is YAML."""
    return {
        "release": release,
        "primary_metric": given.run["primary_metric"],
        "whole_slice_name": given.run["whole_slice_name"],
        "judge": {
            "id": given.run["judge_id"],
            "kind": given.run["judge_kind"],
            "scoring_source": SOURCE,
            "settings": jsonl.parse(given.run["judge_settings"]),
        },
        "slices": jsonl.parse(given.run["slices"]),
        "models": [
            {
                "source_id": model["source_id"],
                "model_id": model["model_id"],
                "display_name": model["display_name"],
                "type": model["model_type"],
                "missing_policy": {
                    status: ZERO_FILL if status in FILLS[model["source_id"]] else EXCLUDE
                    for status in MISSING_STATUSES
                },
            }
            for model in given.models
        ],
    }
