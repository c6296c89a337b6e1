"""Boards of searchgen in fractions: prompt by prompt, one policy at a time, nothing shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tests.support.random_searchgen import Model, Prompt, Release, Result
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    COMPONENTS_9,
    MISSING_STATUSES,
    SCORED,
    ZERO_FILL,
)

POLICIES = ("published", "all_zero_fill", "all_exclude", "common_prompts", "applicability_aware")
OVERALLS = {"overall_9": COMPONENTS_9, "overall_10": COMPONENTS}
SCORES = (*OVERALLS, *COMPONENTS)


class Place(NamedTuple):
    """What identifies a cell of a release."""

    slice: str
    view: str
    group: str
    policy: str
    source_id: str


@dataclass(frozen=True)
class Mean:
    """A sum of doubles, exact, and what it is divided by."""

    total: Fraction
    count: int

    @property
    def exact(self) -> Fraction | None:
        return self.total / self.count * 100 / 3 if self.count else None

    @property
    def public(self) -> float | None:
        """Return the double that boards show: sum, count, 100 and 3 in this order."""
        return float(self.total) / self.count * 100 / 3 if self.count else None

    @property
    def rounded(self) -> float | None:
        return None if self.public is None else round(self.public, 1)


@dataclass(frozen=True)
class Cell:
    """One row of a board, without its ranks."""

    n_total: int
    n_scored: int
    n_included: int
    missing: dict[str, int]
    means: dict[str, Mean]


def overall(result: Result | None, components: tuple[str, ...]) -> float | None:
    """Return the mean of what is not None, as a double; None of nothing."""
    if result is None or result.status != SCORED:
        return None
    values = [
        Fraction(value) for name in components if (value := result.components[name]) is not None
    ]
    return float(sum(values)) / len(values) if values else None


def boards(release: Release) -> dict[Place, Cell]:
    """Return every cell of a release."""
    return {
        Place(slice_, view, group, policy, model.source_id): _cell(release, members, model, policy)
        for slice_, view, group, members in groups(release)
        for policy in POLICIES
        for model in release.models
    }


def groups(release: Release) -> Iterator[tuple[str, str, str, list[Prompt]]]:
    """Yield slice, view, name and prompts of every group that holds a prompt."""
    names = sorted({name for prompt in release.prompts for name in prompt.slices})
    for slice_ in ("all", *names):
        inside = [one for one in release.prompts if slice_ == "all" or slice_ in one.slices]
        found: dict[tuple[str, str], list[Prompt]] = {}
        for prompt in inside:
            for key in _keys(prompt):
                found.setdefault(key, []).append(prompt)
        for (view, group), members in found.items():
            yield slice_, view, group, members


def ranks(release: Release, cells: dict[str, Cell]) -> dict[str, tuple[int | None, int]]:
    """Return rank and published position of each model, given its cell of one group."""
    names = {model.source_id: model.display_name for model in release.models}
    means = {source_id: cell.means[release.primary_metric] for source_id, cell in cells.items()}
    values = [mean.public for mean in means.values() if mean.public is not None]

    def order(source_id: str) -> tuple[bool, float, str, str]:
        rounded = means[source_id].rounded
        return rounded is None, -(rounded or 0.0), names[source_id], source_id

    positions = {name: place for place, name in enumerate(sorted(means, key=order), start=1)}
    return {
        source_id: (
            None if mean.public is None else 1 + sum(value > mean.public for value in values),
            positions[source_id],
        )
        for source_id, mean in means.items()
    }


def _keys(prompt: Prompt) -> set[tuple[str, str]]:
    return {
        ("overall", "All"),
        ("stratum", "All"),
        ("stratum", prompt.stratum),
        ("stratum", prompt.search_type),
        *(("domain", tag) for tag in prompt.domains),
        *(("failure_mode", tag) for tag in prompt.failure_modes),
    }


def _cell(release: Release, members: list[Prompt], model: Model, policy: str) -> Cell:
    results = {
        one.sample_id: release.results.get((one.sample_id, model.source_id)) for one in members
    }
    statuses = [one.status if one else None for one in results.values()]
    values: dict[str, list[Fraction]] = {name: [] for name in SCORES}
    included = 0
    for sample_id, result in results.items():
        counted = _counted(release, sample_id, result, model, policy)
        included += counted is not None
        for name, value in (counted or {}).items():
            if value is not None:
                values[name].append(Fraction(value))
    return Cell(
        len(members),
        statuses.count(SCORED),
        included,
        {status: statuses.count(status) for status in MISSING_STATUSES},
        {name: Mean(sum(found, Fraction(0)), len(found)) for name, found in values.items()},
    )


def _counted(
    release: Release, sample_id: str, result: Result | None, model: Model, policy: str
) -> dict[str, float | None] | None:
    """Return what a prompt puts into the means; None when it is left out."""
    if result is None or (policy == "common_prompts" and not _is_common(release, sample_id)):
        return None
    if result.status == SCORED:
        overalls = {name: overall(result, names) for name, names in OVERALLS.items()}
        return {**result.components, **overalls}
    if policy in ("all_exclude", "common_prompts"):
        return None
    if policy != "all_zero_fill" and model.fillings[result.status] != ZERO_FILL:
        return None
    zeros: dict[str, float | None] = dict.fromkeys(SCORES, 0.0)
    if policy == "applicability_aware":
        zeros |= {name: None for name in COMPONENTS if not _applies(release, sample_id, name)}
    return zeros


def _of_prompt(release: Release, sample_id: str) -> list[Result | None]:
    return [release.results.get((sample_id, model.source_id)) for model in release.models]


def _is_common(release: Release, sample_id: str) -> bool:
    found = _of_prompt(release, sample_id)
    return all(one is not None and one.status == SCORED for one in found)


def _applies(release: Release, sample_id: str, name: str) -> bool:
    found = _of_prompt(release, sample_id)
    return any(one is not None and one.components.get(name) is not None for one in found)
