"""Promoted states of searchgen made by hand: marts out of a naive reference, no build.

The reference goes prompt by prompt with `math.fsum`; it shares nothing with the SQL, the
exporter or the recount, and knows only the columns of the marts.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from warehouse import jsonl, states
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9, MISSING_STATUSES

Row = dict[str, Any]
RUN = {"run_id": "searchgen/test", "dataset_id": "searchgen", "release": "test"}
JUDGE = {"evaluation_config_id": "config_1", "judge_id": "ffjudge", "judge_kind": "llm"}
LANDED = {
    **{"benchmark": "searchgen", "unit": "searchgen/runs/test", "source_root": "/data"},
    **{"landing_table": "searchgen/prompt_scores", "landed_file": "scores.parquet"},
    **{"file_sha256": "3" * 64, "input_sha256": "4" * 64, "code_version": "test"},
    **{"row_count": 90, "input_count": 2},
}
MODELS = ("alpha", "beta", "gamma")
FILLS = {
    "alpha": frozenset(MISSING_STATUSES),
    "beta": frozenset[str](),
    "gamma": frozenset({"missing_generation"}),
}
POLICY_NAMES = {"alpha": "zero_fill", "beta": "exclude", "gamma": "per_status"}
POLICIES = ["published", "all_zero_fill", "all_exclude", "common_prompts", "applicability_aware"]
PARTS = (
    ("NoSearch", "NoSearch"),
    ("SearchIntensive", "VisualSearch"),
    ("SearchIntensive", "TextualSearch"),
)
_MINI = {"include_tags": ["mini"], "match": "any"}
_DOMAINS = ("ART", "HIS", "SCI")
_INTERVAL = (
    *(f"overall_{k}_{part}" for k in (9, 10) for part in ("low", "high", "standard_error")),
    *("interval_method", "rank_low", "rank_high", "tie_group"),
)


@dataclass
class Marts:
    """Rows of the marts of one release; tests may spoil them before they are promoted."""

    scores: list[Row]
    tags: list[Row]
    run: Row = field(default_factory=dict)
    models: list[Row] = field(default_factory=list)

    def promote(self, folder: Path) -> Path:
        """Write a state's folder and return it."""
        folder.mkdir(parents=True)
        tables = {
            "dim_searchgen__runs": [self.run],
            "dim_searchgen__models": self.models,
            "fct_searchgen__prompt_scores": self.scores,
            "bridge_searchgen__prompt_tags": self.tags,
            "rpt_searchgen__leaderboards": boards(self),
            "dim_metrics": [{"benchmark": "searchgen", "metric": "overall_9"}],
            "dim_evaluation_configs": [{"benchmark": "searchgen", **JUDGE}],
            "fct_landed_files": [LANDED],
        }
        with duckdb.connect(str(folder / states.DATABASE_FILE)) as connection:
            for name, rows in tables.items():
                connection.register("given", pa.Table.from_pylist(rows))
                connection.execute(f"create table {name} as select * from given")
        record = {"release_id": "release_1", "duckdb_version": "test", "marts": {}}
        jsonl.write_json(folder / states.STATE_FILE, record)
        return folder


def marts(seed: int = 1, prompts: int = 30, **run: Any) -> Marts:
    """Return a release of three models with three policies, nulls, ties and gaps."""
    draw = random.Random(seed)
    scores: list[Row] = []
    tags: list[Row] = []
    for number in range(prompts):
        stratum, search_type = PARTS[number % 3]
        kind = "texthard" if search_type == "TextualSearch" else "prompt"
        sample_id = f"{kind}_{number:03}"
        prompt = {
            "sample_id": sample_id,
            "prompt_index": number,
            "release_row": f"rows/{sample_id}",
            "stratum": stratum,
            "search_type": search_type,
            "difficulty": "hard",
            "language": None,
            "generation_task_type": None,
            "is_miniset": number % 2 == 0,
        }
        for domain in draw.sample(_DOMAINS, number % 3):
            tags.append(_tag(sample_id, "domain", domain))
        if number % 5:
            tags.append(_tag(sample_id, "failure_mode", "CCS"))
        if number % 2 == 0:
            tags.append(_tag(sample_id, "slice", "mini"))
        for model in MODELS:
            scores.append(_score(draw, prompt, model))
    whole: Row = {
        **RUN,
        **JUDGE,
        "benchmark_name": "SearchGen-Bench",
        "primary_metric": "overall_9",
        "published_lane": "none",
        "minimum_coverage": 0.95,
        "missing_policy_default": "zero_fill",
        "missing_policies": "{}",
        "scoring_source": "scores.json",
        "judge_settings": '{"post_processing": true}',
        "extractor": "podium",
        "prompts_file": "prompts.jsonl",
        "prompts_sha256": "0" * 64,
        "source_commit": None,
        "whole_slice_name": f"full_{prompts}",
        "subset_field": "subset",
        "slices": jsonl.dumps({"mini": {**_MINI, "expected_rows": (prompts + 1) // 2}}),
        "profile": None,
    }
    return Marts(scores, tags, {**whole, **run}, [_model(one) for one in MODELS])


def boards(given: Marts) -> list[Row]:
    """Return the rows of `rpt_searchgen__leaderboards` that the scores give."""
    rows: list[Row] = []
    shown = [row for row in given.scores if row["is_published_lane"]]
    held = {(row["sample_id"], row["tag_type"], row["tag"]) for row in given.tags}
    for slice_ in ("all", "mini"):
        inside = [
            row for row in shown if slice_ == "all" or (row["sample_id"], "slice", slice_) in held
        ]
        for view, group, members in _groups(held, inside):
            for policy in POLICIES:
                rows += _group(given, shown, members, (slice_, view, group, policy))
    published = {
        (row["slice"], row["view"], row["group_name"], row["source_id"]): row["model_rank"]
        for row in rows
        if row["policy"] == "published"
    }
    for row in rows:
        before = published[row["slice"], row["view"], row["group_name"], row["source_id"]]
        is_open = before is None or row["model_rank"] is None
        row["rank_change"] = None if is_open else before - row["model_rank"]
    return rows


def _groups(held: set[tuple[str, str, str]], rows: list[Row]) -> list[tuple[str, str, list[Row]]]:
    found = [("overall", "All", rows), ("stratum", "All", rows)]
    for name in ("NoSearch", "SearchIntensive", "VisualSearch", "TextualSearch"):
        part = [row for row in rows if name in (row["stratum"], row["search_type"])]
        found.append(("stratum", name, part))
    for tag_type, tags in (("domain", _DOMAINS), ("failure_mode", ("CCS",))):
        for tag in tags:
            part = [row for row in rows if (row["sample_id"], tag_type, tag) in held]
            found.append((tag_type, tag, part))
    return [one for one in found if one[2]]


def _group(
    given: Marts, everything: list[Row], members: list[Row], place: tuple[str, str, str, str]
) -> list[Row]:
    slice_, view, group, policy = place
    rows = []
    for model in given.models:
        mine = [row for row in members if row["source_id"] == model["source_id"]]
        kept, filled = _included(everything, mine, model["source_id"], policy)
        cell = {
            **{name: given.run[name] for name in (*RUN, *JUDGE)},
            "slice": slice_,
            "view": view,
            "group_name": group,
            "policy": policy,
            "primary_metric": given.run["primary_metric"],
            **{name: model[name] for name in ("source_id", "model_id", "display_name")},
            **{name: model[name] for name in ("lane", "model_type", "model_order")},
            "missing_policy": model["missing_policy"],
            "n_total": len(mine),
            "n_scored": sum(row["status"] == "scored" for row in mine),
            "n_included": len(kept) + len(filled),
            **{
                f"n_{status}": sum(row["status"] == status for row in mine)
                for status in MISSING_STATUSES
            },
            **dict.fromkeys(_INTERVAL),
            "is_low_coverage": False,
            "is_small_sample": len(kept) + len(filled) < 10,
        }
        cell["scored_share"] = cell["n_scored"] / cell["n_total"]
        for name in ("overall_9", "overall_10", *COMPONENTS):
            column = f"{name}_raw" if name.startswith("overall") else name
            values = [row[column] for row in kept if row[column] is not None]
            values += [0.0 for row in filled if _applies(everything, row, name, policy)]
            cell[name] = math.fsum(values) / len(values) * 100 / 3 if values else None
            cell[f"{name}_count"] = len(values)
        for name in ("overall_9", "overall_10"):
            cell[f"{name}_rounded"] = None if cell[name] is None else round(cell[name], 1)
        rows.append(cell)
    return _ranked(rows, given.run["primary_metric"])


def _included(
    everything: list[Row], mine: list[Row], source_id: str, policy: str
) -> tuple[list[Row], list[Row]]:
    scored = [row for row in mine if row["status"] == "scored"]
    if policy == "common_prompts":
        lost = {row["sample_id"] for row in everything if row["status"] != "scored"}
        return [row for row in scored if row["sample_id"] not in lost], []
    fills = {"all_zero_fill": frozenset(MISSING_STATUSES), "all_exclude": frozenset[str]()}
    statuses = fills.get(policy, FILLS.get(source_id, frozenset()))
    return scored, [row for row in mine if row["status"] in statuses]


def _applies(everything: list[Row], row: Row, name: str, policy: str) -> bool:
    if policy != "applicability_aware" or name.startswith("overall"):
        return True
    return any(one[name] is not None for one in everything if one["sample_id"] == row["sample_id"])


def _ranked(rows: list[Row], primary: str) -> list[Row]:
    values = [row[primary] for row in rows if row[primary] is not None]

    def order(row: Row) -> Any:
        value = row[f"{primary}_rounded"]
        return value is None, -(value or 0.0), row["display_name"], row["source_id"]

    for position, row in enumerate(sorted(rows, key=order), start=1):
        value = row[primary]
        row["rank_published"] = position
        row["model_rank"] = None if value is None else 1 + sum(one > value for one in values)
    return rows


def _score(draw: random.Random, prompt: Row, model: str) -> Row:
    status = "scored" if draw.random() < 0.8 else draw.choice(MISSING_STATUSES)
    # Gamma has nothing of the fifth prompts, and nobody a visual reference of odd ones.
    if model == "gamma" and prompt["prompt_index"] % 5 == 0:
        status = "missing_generation"
    components: Row = dict.fromkeys(COMPONENTS)
    if status == "scored":
        for name in COMPONENTS:
            components[name] = None if draw.random() < 0.2 else draw.randrange(0, 7) / 2
        components["checklist"] = draw.randrange(0, 22) / 7
        components["rubric_adaptive"] = draw.randrange(0, 7) / 2
        if prompt["prompt_index"] % 2:
            components["visual_reference_evaluation"] = None
    return {
        **RUN,
        **JUDGE,
        **prompt,
        "source_id": model,
        "lane": "none",
        "is_published_lane": True,
        "model_id": f"{model}-1",
        "display_name": model.title(),
        "model_type": "Open",
        "source_file": f"{prompt['sample_id']}/{model}.json",
        "source_line": None,
        "status": status,
        "status_reason": None if status == "scored" else "absent",
        **components,
        "overall_9_raw": mean([components[name] for name in COMPONENTS_9]),
        "overall_10_raw": mean([components[name] for name in COMPONENTS]),
    }


def mean(values: list[float | None]) -> float | None:
    numbers = [one for one in values if one is not None]
    return math.fsum(numbers) / len(numbers) if numbers else None


def _model(name: str) -> Row:
    return {
        **RUN,
        "source_id": name,
        "model_id": f"{name}-1",
        "display_name": name.title(),
        "model_type": "Open",
        "model_order": MODELS.index(name) + 1,
        "aliases": '["other name"]',
        "lane": "none",
        "missing_policy": POLICY_NAMES[name],
        **{
            f"{status}_policy": "zero_fill" if status in FILLS[name] else "exclude"
            for status in MISSING_STATUSES
        },
        "expected_scored_count": None,
    }


def _tag(sample_id: str, tag_type: str, tag: str) -> Row:
    return {"run_id": RUN["run_id"], "sample_id": sample_id, "tag_type": tag_type, "tag": tag}
