"""Tiny searchgen releases written by hand: prompts, models and scores become files on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support.trees import write_jsonl
from warehouse import jsonl
from warehouse.contracts.searchgen_values import COMPONENTS

Row = dict[str, Any]
GENERICS = COMPONENTS[2:8]
REFERENCES = COMPONENTS[8:]
EVALUATION_FILE = "scores.json"
GENERATED, BROKEN = "generated", "broken"
"""A pair with an image and no evaluation; a pair whose evaluation is no JSON."""


@dataclass(frozen=True)
class ReleaseFiles:
    """Where a release lies: what `podium land searchgen` is given."""

    prompts: Path
    results: Path
    models: Path


def prompt(sample_id: str, search_type: str = "VisualSearch", **fields: Any) -> Row:
    """Return a prompt that states its part; `subset`, `domains` and so on are `fields`."""
    stratum = "NoSearch" if search_type == "NoSearch" else "SearchIntensive"
    return {
        "sample_id": sample_id,
        "release_row": f"rows/{sample_id}",
        "stratum": stratum,
        "search_type": search_type,
        "subset": stratum,
        "domains": [],
        "failure_modes": [],
        **fields,
    }


def model(source_id: str, **fields: Any) -> Row:
    """Return a model of models.yml under the name of its source."""
    names = {"source_id": source_id, "model_id": source_id, "display_name": source_id.title()}
    return {**names, "type": "Open", **fields}


def evaluation(score: float | None = 2.0, **components: float | None) -> Row:
    """Return an evaluation in the evaluator's words: `score` in all ten but those named.

    None is not applicable.
    """
    values = {**dict.fromkeys(COMPONENTS, score), **components}
    checklist, rubric = values["checklist"], values["rubric_adaptive"]
    content: Row = {
        "checklist": {} if checklist is None else {"checklist:0": {"score": checklist}},
        "adaptive_rubric": {} if rubric is None else {"mood": {"score": rubric}},
    }
    for name in GENERICS:
        content[name] = {"score": values[name]}
    for name in REFERENCES:
        value = values[name]
        applies = value is not None
        content[name.removesuffix("_evaluation")] = {"applicable": applies, "score": value or 0}
    return content


def write_release(
    folder: Path,
    prompts: Iterable[Row],
    models: Iterable[Row],
    scores: Mapping[tuple[str, str], Row | str],
    *,
    lane: str = "none",
    **release: Any,
) -> ReleaseFiles:
    """Write a release and return where it lies; again into one folder adds to its results.

    Args:
        folder: is made.
        prompts: rows as `prompt` returns them.
        models: models as `model` returns them.
        scores: what there is of (sample_id, source_id): an evaluation, GENERATED or BROKEN;
            a pair that is absent was never generated.
        lane: lane of all these results.
        release: further keys of models.yml, or other values of those below.
    """
    rows, table = list(prompts), list(models)
    files = ReleaseFiles(folder / "prompts.jsonl", folder / "results", folder / "models.yml")
    write_jsonl(files.prompts, rows)
    top = {
        "release": "test",
        "judge": {"id": "judge", "kind": "llm", "scoring_source": EVALUATION_FILE},
        **release,
        "models": table,
    }
    files.models.write_text(yaml.safe_dump(top, sort_keys=False), encoding="utf-8")
    files.results.mkdir(exist_ok=True)
    places = {row["sample_id"]: row["release_row"] for row in rows}
    generators = {one["source_id"]: one.get("generator", one["source_id"]) for one in table}
    for (sample_id, source_id), content in scores.items():
        target = files.results / places[sample_id] / lane / generators[source_id]
        _write_result(target, content)
    return files


def _write_result(target: Path, content: Row | str) -> None:
    target.mkdir(parents=True, exist_ok=True)
    if content == GENERATED:
        (target / "image.png").write_bytes(b"image")
    elif content == BROKEN:
        (target / EVALUATION_FILE).write_text('{"checklist": ', encoding="utf-8")
    else:
        (target / EVALUATION_FILE).write_text(jsonl.dumps(content), encoding="utf-8")
