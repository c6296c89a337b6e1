"""Small random releases of searchgen: results drawn from a seed, and the files they land from."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import yaml

from ingest.searchgen.land import LandOptions, land_prompt_scores
from tests.support.trees import write_jsonl
from tests.support.worlds import World
from warehouse.build import run_build
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    FILLINGS,
    MISSING_STATUSES,
    PRIMARY_METRICS,
    SCORED,
    SEARCH_TYPES,
)
from warehouse.paths import WarehousePaths

Row = dict[str, Any]
DATASET = "searchgen"


@dataclass(frozen=True)
class Prompt:
    """A prompt with its tags; lists may state a tag twice."""

    sample_id: str
    search_type: str
    domains: tuple[str, ...] = ()
    failure_modes: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    @property
    def stratum(self) -> str:
        return "NoSearch" if self.search_type == "NoSearch" else "SearchIntensive"


@dataclass(frozen=True)
class Model:
    """An image model; `fillings` by missing status."""

    source_id: str
    display_name: str
    fillings: dict[str, str]
    lane: str = "none"


@dataclass(frozen=True)
class Result:
    """A result: its status, and ten components from 0 to 3 when it is scored."""

    status: str
    components: dict[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Release:
    """A release: `results` and `other_lanes` by (sample_id, source_id); pairs may be absent."""

    name: str
    prompts: tuple[Prompt, ...]
    models: tuple[Model, ...]
    results: dict[tuple[str, str], Result]
    other_lanes: dict[tuple[str, str], Result] = field(default_factory=dict)
    primary_metric: str = "overall_9"
    minimum_coverage: float = 0.95

    @property
    def run_id(self) -> str:
        return f"{DATASET}/{self.name}"


def draw_release(seed: int) -> Release:
    """Return a release of up to 40 prompts and 5 models: nulls, ties, gaps, lanes, policies."""
    draw = random.Random(seed)
    prompts = tuple(_prompt(draw, number) for number in range(draw.choice((1, 3, 8, 16, 40))))
    models = tuple(_model(draw, number) for number in range(draw.randint(1, 5)))
    kind = draw.choice(("halves", "shares", "floats", "equal"))
    gaps = draw.choice((0.0, 0.2, 0.7))
    pairs = [(prompt.sample_id, model.source_id) for prompt in prompts for model in models]
    results = {pair: _result(draw, kind, gaps) for pair in pairs if draw.random() > 0.02}
    others = {pair: _result(draw, kind, gaps) for pair in pairs if draw.random() < 0.1}
    return Release(
        f"random_{seed}",
        prompts,
        models,
        results,
        others,
        draw.choice(PRIMARY_METRICS),
        draw.choice((0.5, 0.95)),
    )


def plant(root: Path, release: Release, order: random.Random | None = None) -> Path:
    """Write the public records of a release and its models.yml; `order` shuffles the lines."""
    lines = [
        {
            "sample_id": prompt.sample_id,
            "prompt_index": position,
            "release_row": f"rows/{prompt.sample_id}",
            "stratum": prompt.stratum,
            "search_type": prompt.search_type,
            "domains": list(prompt.domains),
            "failure_modes": list(prompt.failure_modes),
            "slices": list(prompt.slices),
            **_records(release, prompt, order),
        }
        for position, prompt in enumerate(release.prompts)
    ]
    if order is not None:
        order.shuffle(lines)
    folder = root / release.name
    file = folder / "prompt_scores.jsonl"
    write_jsonl(file, lines)
    content = yaml.safe_dump(_registry(release), sort_keys=False)
    (folder / "models.yml").write_text(content, encoding="utf-8")
    return file


def plant_twice(root: Path) -> list[Path]:
    """Write one large release as `ordered`, and with lines and models in another order."""
    drawn = next(
        one
        for one in map(draw_release, itertools.count(1000))
        if len(one.prompts) == 40 and len(one.models) == 5
    )
    return [
        plant(root, replace(drawn, name="ordered")),
        plant(root, replace(drawn, name="shuffled"), random.Random(1)),
    ]


def build_releases(root: Path, files: Iterable[Path]) -> World:
    """Land releases that `plant` wrote into one warehouse and build it whole."""
    paths = WarehousePaths(root / "warehouse")
    reports = {}
    for file in files:
        models = file.parent / "models.yml"
        report = land_prompt_scores(paths, file=file, models=models, options=LandOptions())
        reports[file.parent.name] = report
    result = run_build(paths, with_unit_tests=False)
    assert result.is_complete, [(one.subject, one.message) for one in result.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, reports, result, connection)


def _prompt(draw: random.Random, number: int) -> Prompt:
    domains = draw.choices(("ART", "HIS", "SCI", "All"), k=draw.randint(0, 3))
    modes = draw.choices(("CCS", "ART", "VUR"), k=draw.randint(0, 2))
    slices = draw.sample(("mini", "hard"), draw.randint(0, 2))
    # Ids in another order than positions: nothing may be joined by a position.
    sample_id = f"prompt_{(number * 7919) % 1000:03}"
    return Prompt(sample_id, draw.choice(SEARCH_TYPES), tuple(domains), tuple(modes), tuple(slices))


def _model(draw: random.Random, number: int) -> Model:
    policy = draw.choice(FILLINGS)
    fillings = dict.fromkeys(MISSING_STATUSES, policy)
    if draw.random() < 0.4:
        fillings = {status: draw.choice(FILLINGS) for status in MISSING_STATUSES}
    name = draw.choice(("Same", f"Model {9 - number}", f"model {number}"))
    return Model(f"source_{number}", name, fillings, draw.choice(("none", "none", "agent")))


def _result(draw: random.Random, kind: str, gaps: float) -> Result:
    if draw.random() < gaps:
        return Result(draw.choice(MISSING_STATUSES))
    nulls = draw.choice((0.0, 0.3, 0.3, 0.95))
    return Result(
        SCORED,
        {name: None if draw.random() < nulls else _score(draw, kind) for name in COMPONENTS},
    )


def _score(draw: random.Random, kind: str) -> float:
    if kind == "equal":
        return 1.5
    if kind == "halves":
        return draw.randrange(7) / 2
    if kind == "shares":
        whole = draw.randint(1, 12)
        return draw.randint(0, 3 * whole) / whole
    return draw.random() * draw.choice((3.0, 1e-6))


def _records(release: Release, prompt: Prompt, order: random.Random | None) -> Row:
    models = list(release.models)
    if order is not None:
        order.shuffle(models)
    found: Row = {"models": {}, "other_lanes": []}
    for model in models:
        pair = (prompt.sample_id, model.source_id)
        if pair in release.results:
            found["models"][model.source_id] = _record(release.results[pair], model.lane)
        if pair in release.other_lanes:
            record = _record(release.other_lanes[pair], f"not_{model.lane}")
            found["other_lanes"].append({"source_id": model.source_id, **record})
    return found


def _record(result: Result, lane: str) -> Row:
    values = {name: result.components.get(name) for name in COMPONENTS}
    return {"status": result.status, "lane": lane, "components_raw_0to3": values}


def _registry(release: Release) -> Row:
    return {
        "release": release.name,
        "dataset": DATASET,
        "primary_metric": release.primary_metric,
        "minimum_coverage": release.minimum_coverage,
        "judge": {"id": "judge", "kind": "llm", "scoring_source": "scores.json"},
        "models": [
            {
                "source_id": model.source_id,
                "model_id": f"{model.source_id}-v1",
                "display_name": model.display_name,
                "type": "Open",
                "lane": model.lane,
                "missing_policy": model.fillings,
            }
            for model in release.models
        ],
    }
