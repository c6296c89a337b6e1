"""Invented results of a searchgen release: what was scored, what is missing, and the scores.

How many prompts of each part a model has scores for, and how many of those have each
component, are given counts and met exactly; which prompts they are, is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from ingest.sample.searchgen_draws import chosen, noise, stream
from ingest.sample.searchgen_figures import Counts, Figures
from ingest.sample.searchgen_prompts import Prompt
from warehouse.contracts.searchgen_values import COMPONENTS, MISSING_STATUSES, SCORED

GENERICS = COMPONENTS[2:8]
REFERENCES = COMPONENTS[8:]
_VISUAL = REFERENCES[0]
RUBRIC_DIMENSIONS = ("mood", "period", "material", "scale", "setting")
_RUBRIC_WEIGHTS = {3: (0.5, 0.25, 0.25), 4: (0.4, 0.3, 0.2, 0.1), 5: (0.2,) * 5}
# Shares of what is missing, in the order of the statuses; the last one takes the rest.
_MISSING_SHARES = (0.6, 0.85)
# What components of a model are above or below its level, on the scale of 0 to 3.
_ABOVE = dict(zip(COMPONENTS, (0, 0, 0, 0.2, -0.1, -0.2, 0.3, 0.2, -0.2, -0.4), strict=True))


@dataclass(frozen=True)
class Scores:
    """What a judge said of one image: scores in half points, 0 to 3; None does not apply.

    Attributes:
        checklist: score of each item.
        rubric: name, score and weight of each dimension.
        generics: the six scores of GENERICS by name.
        references: the two of REFERENCES by name.
    """

    checklist: tuple[float, ...]
    rubric: tuple[tuple[str, float, float], ...]
    generics: Mapping[str, float | None]
    references: Mapping[str, float | None]

    def components(self) -> dict[str, float | None]:
        """Return the ten components by name, the rubric as its plain mean."""
        # Sums of half points are exact, so a mean has one value in whatever order.
        rubric = [score for _, score, _ in self.rubric]
        return {
            COMPONENTS[0]: sum(self.checklist) / len(self.checklist),
            COMPONENTS[1]: sum(rubric) / len(rubric),
            **self.generics,
            **self.references,
        }


@dataclass(frozen=True)
class Result:
    """One prompt's result of one model; `scores` is None unless it is scored."""

    prompt: Prompt
    source_id: str
    status: str
    scores: Scores | None = None


def make_results(figures: Figures, prompts: list[Prompt], seed: int) -> Iterator[Result]:
    """Yield the results of all models; a model's do not depend on how many others there are.

    Raises:
        ValueError: when a count is larger than what it is a part of.
    """
    habits = _habits(figures, prompts, stream(seed, "habits"))
    for model in figures.models:
        draw = stream(seed, "results", model.source_id)
        for search_type, counts in model.parts.items():
            part = [one for one in prompts if one.search_type == search_type]
            scored = _scored(draw, part, counts, habits)
            having = _having(draw, scored, counts, habits)
            for prompt in part:
                if prompt.sample_id not in having:
                    yield Result(prompt, model.source_id, _missing_status(draw))
                    continue
                base = model.level + habits.ease[prompt.sample_id]
                scores = _scores(draw, base, having[prompt.sample_id])
                yield Result(prompt, model.source_id, SCORED, scores)


@dataclass(frozen=True)
class _Habits:
    """What all models share about a prompt, by sample id.

    Attributes:
        referring: prompts with a visual reference.
        reluctance: 0 to 1 by component; prompts with much of it rarely have the component.
        ease: what is above or below a model's level here.
    """

    referring: frozenset[str]
    reluctance: Mapping[str, Mapping[str, float]]
    ease: Mapping[str, float]


def _habits(figures: Figures, prompts: list[Prompt], draw: Random) -> _Habits:
    referring: list[str] = []
    for search_type, count in figures.referring.items():
        part = [one.sample_id for one in prompts if one.search_type == search_type]
        referring += chosen(draw, part, count)
    ids = [one.sample_id for one in prompts]
    reluctance = {name: {one: draw.random() for one in ids} for name in COMPONENTS}
    reluctance[_VISUAL] = {one: float(one not in referring) for one in ids}
    return _Habits(frozenset(referring), reluctance, {one: noise(draw) / 2 for one in ids})


def _scored(draw: Random, part: list[Prompt], counts: Counts, habits: _Habits) -> list[str]:
    """Return the scored prompts: so many with a visual reference as its count asks, if it can."""
    ids = [one.sample_id for one in part]
    referring = [one for one in ids if one in habits.referring]
    others = [one for one in ids if one not in habits.referring]
    least = counts.n_scored - len(others)
    count = max(least, min(counts.components[_VISUAL], len(referring)))
    return chosen(draw, referring, count) + chosen(draw, others, counts.n_scored - count)


def _having(
    draw: Random, scored: list[str], counts: Counts, habits: _Habits
) -> dict[str, set[str]]:
    """Return by scored prompt the components that it has."""
    having: dict[str, set[str]] = {one: set() for one in scored}
    for name, count in counts.components.items():
        reluctance = habits.reluctance[name]
        for sample_id in chosen(draw, scored, count, reluctance.__getitem__):
            having[sample_id].add(name)
    return having


def _missing_status(draw: Random) -> str:
    found = draw.random()
    return MISSING_STATUSES[sum(found >= share for share in _MISSING_SHARES)]


def _scores(draw: Random, base: float, having: set[str]) -> Scores:
    item_count = 3 + int(draw.random() * 5)
    weights = _RUBRIC_WEIGHTS[3 + int(draw.random() * 3)]
    return Scores(
        checklist=tuple(_half_points(base + noise(draw)) for _ in range(item_count)),
        rubric=tuple(
            (name, _half_points(base + noise(draw)), weight)
            for name, weight in zip(RUBRIC_DIMENSIONS, weights, strict=False)
        ),
        generics=_named(draw, base, having, GENERICS),
        references=_named(draw, base, having, REFERENCES),
    )


def _named(
    draw: Random, base: float, having: set[str], names: tuple[str, ...]
) -> dict[str, float | None]:
    return {
        name: _half_points(base + _ABOVE[name] + noise(draw)) if name in having else None
        for name in names
    }


def _half_points(value: float) -> float:
    return min(max(round(value * 2) / 2, 0.0), 3.0)
