"""Counts that a synthetic searchgen release must have: prompts by part, tag and slice, results.

Two sets of result counts are kept in `searchgen_result_counts.csv`, both taken from published
releases of the benchmark: `first` (13 models; what is missing is filled with zeros, two models
excepted) and `newest` (18 models; what is missing is left out). Published component counts hold
filled prompts; `Counts` holds what was really scored.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from warehouse.contracts.searchgen_values import COMPONENTS, SEARCH_TYPES, WHOLE_SLICE, ZERO_FILL

NEWEST, FIRST = "newest", "first"
FIGURES = (NEWEST, FIRST)
SLICES = (WHOLE_SLICE, "testmini", "testmini_easy", "testmini_hard")
TAG_KINDS = ("domain", "failure_mode")
_VISUAL = COMPONENTS[8]
# Models stand in the order of their boards, so levels fall.
_BEST, _WORST, _STEP = 2.4, 0.7, 0.1
_FOLDER = Path(__file__).parent
_PROMPT_COUNTS = _FOLDER / "searchgen_prompt_counts.csv"
_RESULT_COUNTS = _FOLDER / "searchgen_result_counts.csv"

SliceCounts = Mapping[str, int]
"""Prompts by slice; `all` holds every prompt."""


@dataclass(frozen=True)
class Counts:
    """Results of one model in one part: scored prompts, and those with each component."""

    n_scored: int
    components: Mapping[str, int]


@dataclass(frozen=True)
class ModelFigures:
    """One model.

    Attributes:
        source_id: invented name.
        model_type: Open or Commercial.
        missing_policy: what becomes of prompts without a score.
        level: where its scores lie, 0 to 3; the only thing here that nobody published.
        parts: its counts by part.
    """

    source_id: str
    model_type: str
    missing_policy: str
    level: float
    parts: Mapping[str, Counts]

    @property
    def n_scored(self) -> int:
        """Scored prompts of all parts."""
        return sum(one.n_scored for one in self.parts.values())


@dataclass(frozen=True)
class Figures:
    """What a release must count.

    Attributes:
        parts: prompts by part.
        tags: prompts by kind and name of a tag.
        referring: prompts with a visual reference by part.
        models: their results.
    """

    parts: Mapping[str, SliceCounts]
    tags: Mapping[tuple[str, str], SliceCounts]
    referring: Mapping[str, int]
    models: tuple[ModelFigures, ...]

    @property
    def slices(self) -> tuple[str, ...]:
        """Names of the slices, that of all prompts first."""
        return tuple(next(iter(self.parts.values())))

    def total(self, slice_name: str = WHOLE_SLICE) -> int:
        """Return the prompts of a slice."""
        return sum(counts[slice_name] for counts in self.parts.values())

    def first_models(self, count: int) -> Figures:
        """Return the same with the first `count` models.

        Raises:
            ValueError: when there are fewer.
        """
        if not 1 <= count <= len(self.models):
            raise ValueError(f"these figures have 1 to {len(self.models)} models, not {count}")
        return replace(self, models=self.models[:count])


def published_figures(figures: str = NEWEST) -> Figures:
    """Return the counts of a published release: `newest` or `first`."""
    prompt_rows = _rows(_PROMPT_COUNTS)
    counts = {
        (row["kind"], row["name"]): {one: int(row[one]) for one in SLICES} for row in prompt_rows
    }
    parts = {one: counts.pop(("search_type", one)) for one in SEARCH_TYPES}
    sizes = {one: parts[one][WHOLE_SLICE] for one in SEARCH_TYPES}
    rows = [row for row in _rows(_RESULT_COUNTS) if row["figures"] == figures]
    if not rows:
        raise ValueError(f"figures `{figures}` are not known: {' or '.join(FIGURES)}")
    models = tuple(
        _model(list(group), sizes, max(_BEST - _STEP * position, _WORST))
        for position, (_, group) in enumerate(groupby(rows, key=lambda row: row["model"]))
    )
    referring = {
        part: max(one.parts[part].components[_VISUAL] for one in models) for part in SEARCH_TYPES
    }
    return Figures(parts, counts, referring, models)


def _model(rows: list[dict[str, str]], sizes: Mapping[str, int], level: float) -> ModelFigures:
    first = rows[0]
    parts = {}
    for row in rows:
        n_scored = int(row["n_scored"])
        is_filled = row["missing_policy"] == ZERO_FILL
        filled = sizes[row["search_type"]] - n_scored if is_filled else 0
        components = {one: int(row[one]) - filled for one in COMPONENTS}
        parts[row["search_type"]] = Counts(n_scored, components)
    return ModelFigures(first["model"], first["model_type"], first["missing_policy"], level, parts)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
