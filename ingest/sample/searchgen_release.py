"""Write a synthetic searchgen release: ``python -m ingest.sample.searchgen_release --out DIR``.

Its prompts, tags, slices, scored prompts and component counts are those of a published
release; everything else is invented. One seed makes the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import yaml

from ingest.sample.searchgen_draws import stream
from ingest.sample.searchgen_evaluations import broken_evaluation_text, evaluation_text
from ingest.sample.searchgen_figures import (
    FIGURES,
    NEWEST,
    Figures,
    ModelFigures,
    published_figures,
)
from ingest.sample.searchgen_prompts import make_prompts
from ingest.sample.searchgen_results import Result, make_results
from warehouse import jsonl
from warehouse.contracts.searchgen_values import EXCLUDE, SCORED, WHOLE_SLICE, ZERO_FILL

LANE = "none"
EVALUATION_FILE = "augmented_parsed_result_invented.json"
IMAGE_FILE = "image.png"
PROFILE = "searchgen_751"
_MISSING_GENERATION, _INVALID = "missing_generation", "invalid_evaluation"


@dataclass(frozen=True)
class SyntheticRelease:
    """Where a release lies, and what it says.

    Attributes:
        prompts: prompt metadata, JSON Lines.
        results: root of the evaluation files.
        models: models.yml.
        planned: the results that the files stand for.
    """

    prompts: Path
    results: Path
    models: Path
    planned: tuple[Result, ...]


def write_release(
    folder: Path, *, seed: int, models: int | None = None, figures: str = NEWEST
) -> SyntheticRelease:
    """Write prompts.jsonl, results/ and models.yml into a folder, which is made.

    Args:
        folder: must be absent or empty.
        seed: what is drawn depends on nothing else.
        models: the first so many models of the figures; None takes all.
        figures: `newest` (18 models) or `first` (13 models).

    Raises:
        ValueError: when the figures have fewer models.
        FileExistsError: when the folder holds something.
    """
    counts = published_figures(figures)
    if models is not None:
        counts = counts.first_models(models)
    top = {"release": f"synthetic-{figures}-{seed}", "profile": PROFILE}
    prompts = make_prompts(counts, seed)
    rows = [prompt.row(position) for position, prompt in enumerate(prompts)]
    results = tuple(make_results(counts, prompts, seed))
    return write_files(folder, rows, results, {**top, **registry(counts)}, seed)


def write_files(
    folder: Path,
    rows: Iterable[dict[str, Any]],
    results: tuple[Result, ...],
    models: dict[str, Any],
    seed: int,
) -> SyntheticRelease:
    """Write a release out of its parts; see `write_release`."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"`{folder}` is not empty")
    release = SyntheticRelease(
        folder / "prompts.jsonl", folder / "results", folder / "models.yml", results
    )
    release.results.mkdir(parents=True)
    lines = "".join(jsonl.dumps(row) + "\n" for row in rows)
    release.prompts.write_bytes(lines.encode())
    text = yaml.safe_dump(models, sort_keys=False, allow_unicode=True)
    release.models.write_bytes(text.encode())
    for row in {one.prompt.release_row for one in results}:
        (release.results / row / LANE).mkdir(parents=True)
    draw = stream(seed, "spellings")
    for result in results:
        _write_result(str(release.results), result, draw)
    return release


def registry(figures: Figures) -> dict[str, Any]:
    """Return what models.yml says of figures, its release and profile left out."""
    policies = [one.missing_policy for one in figures.models]
    default = max((ZERO_FILL, EXCLUDE), key=policies.count)
    exceptions = {
        one.source_id: one.missing_policy for one in figures.models if one.missing_policy != default
    }
    return {
        "primary_metric": "overall_9",
        "published_lane": LANE,
        "minimum_coverage": 0.95,
        "missing_policy": {"default": default, "exceptions": exceptions},
        "judge": {
            "id": "invented_judge",
            "kind": "heuristic",
            "scoring_source": EVALUATION_FILE,
            "settings": {"post_processing": True},
        },
        "whole_slice_name": f"full_{figures.total()}",
        "slices": {
            name: {"include_tags": [name], "match": "any", "expected_rows": figures.total(name)}
            for name in figures.slices
            if name != WHOLE_SLICE
        },
        "models": [_model(one) for one in figures.models],
    }


def _model(figures: ModelFigures) -> dict[str, Any]:
    return {
        "source_id": figures.source_id,
        "model_id": figures.source_id.replace("_", "-"),
        "display_name": figures.source_id.replace("_", " ").title(),
        "type": figures.model_type,
        "expected_scored_count": figures.n_scored,
    }


def _write_result(root: str, result: Result, draw: Random) -> None:
    """Write what there is of one result; texts of paths, for there are many thousands."""
    if result.status == _MISSING_GENERATION:
        return
    folder = f"{root}/{result.prompt.release_row}/{LANE}/{result.source_id}"
    name, text = EVALUATION_FILE, ""
    if result.scores is not None:
        text = evaluation_text(result.scores, draw)
    elif result.status == _INVALID:
        text = broken_evaluation_text(draw)
    else:
        name = IMAGE_FILE
    os.mkdir(folder)  # noqa: PTH102
    with open(f"{folder}/{name}", "wb", buffering=0) as file:  # noqa: PTH123
        file.write(text.encode())


def main(arguments: list[str]) -> int:
    """Write a release as the arguments say and tell where it lies."""
    parser = argparse.ArgumentParser(description="Write a synthetic searchgen release.")
    parser.add_argument("--out", type=Path, required=True, help="folder, absent or empty")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figures", choices=FIGURES, default=NEWEST)
    parser.add_argument("--models", type=int, help="the first so many models")
    chosen = parser.parse_args(arguments)
    try:
        release = write_release(
            chosen.out, seed=chosen.seed, models=chosen.models, figures=chosen.figures
        )
    except (ValueError, OSError) as error:
        parser.error(str(error))
    scored = sum(one.status == SCORED for one in release.planned)
    sys.stdout.write(f"{len(release.planned)} results, {scored} scored, in {chosen.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
