"""Aggregates of a searchgen release, rebuilt from its prompts in exact arithmetic.

Every double is a fraction with a power of two below the line. All values are put over one
such power, so that sums are sums of integers: exact, and the same in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from expectations.searchgen.folder import SCORED, Folder, Model, Prompt
from expectations.searchgen.prompts import is_number, parts

OVERALLS = ("overall_9", "overall_10")
POLICIES = ("published", "all_zero_fill", "all_exclude", "common_prompts", "applicability_aware")
ALL = "All"
VIEWS = ("overall", "stratum", "domain", "failure_mode")


@dataclass(frozen=True)
class Mean:
    """One mean: an exact total over a power of two, and how many values it counts."""

    total: int
    bits: int
    count: int
    highest: float

    @property
    def exact(self) -> Fraction:
        """Return the exact mean on the scale of 0 to 100; 0 over no value."""
        if not self.count:
            return Fraction(0)
        return Fraction(self.total, self.count << self.bits) * 100 / Fraction(self.highest)

    @property
    def public(self) -> float | None:
        """Return the mean on the scale of 0 to 100 as boards compute it, in doubles."""
        if not self.count:
            return None
        # Division of integers is rounded correctly: this is the double next to the sum.
        return self.total / (1 << self.bits) / self.count * 100 / self.highest

    def rounded(self, decimals: int) -> float | None:
        """Return the public mean, rounded once, ties to even on the double."""
        value = self.public
        return None if value is None else round(value, decimals)


@dataclass(frozen=True)
class Cell:
    """One model in one group under one policy."""

    n_total: int
    n_scored: int
    n_included: int
    missing: dict[str, int]
    means: dict[str, Mean]


@dataclass(frozen=True)
class Sums:
    """Exact totals and counts of values by metric, over so many prompts."""

    prompt_count: int
    by_metric: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Group:
    """Prompts that a board counts together, as positions in the folder's prompts."""

    slice: str
    view: str
    name: str
    members: tuple[int, ...]


class Recount:
    """All cells of a release, made from its prompts alone."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._rules = folder.rules
        self._metrics = (*folder.rules.ten, *OVERALLS)
        self._known: dict[tuple[str, ...], Sums] = {}
        self._counted: dict[tuple[str, ...], Counter[str | None]] = {}
        records = [
            {name: _values(prompt, name, folder) for name in prompt.records}
            for prompt in folder.prompts
        ]
        self._bits = max(
            (
                value.as_integer_ratio()[1].bit_length() - 1
                for one in records
                for values in one.values()
                for value in values.values()
            ),
            default=0,
        )
        self._values = {
            model.source_id: self._scaled(records, model.source_id) for model in self._rules.models
        }
        self._statuses = {
            model.source_id: [
                prompt.records.get(model.source_id, {}).get("status") for prompt in folder.prompts
            ]
            for model in self._rules.models
        }

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Every group that holds a prompt: slice by slice, view by view."""
        found: dict[tuple[str, str, str], list[int]] = {}
        for position, prompt in enumerate(self._folder.prompts):
            slices = dict.fromkeys((self._rules.whole_slice, *map(str, prompt.tags("slices"))))
            for slice_ in slices:
                for view, name in _groups_of(prompt):
                    found.setdefault((slice_, view, name), []).append(position)
        return tuple(Group(*key, tuple(members)) for key, members in found.items())

    def cell(self, group: Group, model: Model, policy: str) -> Cell:
        """Return one model in one group under one policy."""
        if policy == "common_prompts":
            kept = [one for one in group.members if one in self._common]
            return self._cell(group, model, self._sums(model, kept), [], None)
        statuses = self._statuses[model.source_id]
        fills = {
            "all_zero_fill": frozenset(self._rules.statuses) - {SCORED},
            "all_exclude": frozenset[str](),
        }.get(policy, model.fills)
        filled = [one for one in group.members if statuses[one] in fills]
        zeros = self._applicable(filled) if policy == "applicability_aware" else None
        return self._cell(group, model, self._scored(group, model), filled, zeros)

    @cached_property
    def _common(self) -> frozenset[int]:
        """Positions that every model has scored."""
        columns = list(self._statuses.values())
        return frozenset(
            position
            for position in range(len(self._folder.prompts))
            if all(column[position] == SCORED for column in columns)
        )

    @cached_property
    def _applies(self) -> dict[str, frozenset[int]]:
        """Positions at which some model has a value, by component."""
        return {
            name: frozenset(
                position
                for values in self._values.values()
                for position, value in enumerate(values[name])
                if value is not None
            )
            for name in self._rules.ten
        }

    def _applicable(self, filled: list[int]) -> dict[str, int]:
        return {name: sum(one in self._applies[name] for one in filled) for name in self._rules.ten}

    def _scored(self, group: Group, model: Model) -> Sums:
        """Return the sums over what is scored; four policies share them."""
        key = (group.slice, group.view, group.name, model.source_id)
        if key not in self._known:
            statuses = self._statuses[model.source_id]
            scored = [one for one in group.members if statuses[one] == SCORED]
            self._known[key] = self._sums(model, scored)
        return self._known[key]

    def _status_counts(self, group: Group, model: Model) -> Counter[str | None]:
        key = (group.slice, group.view, group.name, model.source_id)
        if key not in self._counted:
            column = self._statuses[model.source_id]
            self._counted[key] = Counter(column[one] for one in group.members)
        return self._counted[key]

    def _sums(self, model: Model, scored: list[int]) -> Sums:
        values = self._values[model.source_id]
        sums = {}
        for metric in self._metrics:
            column = values[metric]
            numbers = [value for one in scored if (value := column[one]) is not None]
            sums[metric] = (sum(numbers), len(numbers))
        return Sums(len(scored), sums)

    def _cell(
        self,
        group: Group,
        model: Model,
        sums: Sums,
        filled: list[int],
        zeros: dict[str, int] | None,
    ) -> Cell:
        """Return a cell: sums, and a zero in every metric for each filled prompt.

        Args:
            group: prompts that it counts.
            model: whose records.
            sums: over the prompts that count with their scores.
            filled: positions that count as zeros.
            zeros: how many of these by component, where that differs from all.
        """
        statuses = self._status_counts(group, model)
        means = {
            metric: Mean(
                total,
                self._bits,
                count + (zeros or {}).get(metric, len(filled)),
                self._rules.high,
            )
            for metric, (total, count) in sums.by_metric.items()
        }
        return Cell(
            len(group.members),
            statuses[SCORED],
            sums.prompt_count + len(filled),
            {one: statuses[one] for one in self._rules.statuses if one != SCORED},
            means,
        )

    def _scaled(
        self, records: list[dict[str, dict[str, float]]], source_id: str
    ) -> dict[str, list[int | None]]:
        columns: dict[str, list[int | None]] = {metric: [] for metric in self._metrics}
        for one in records:
            values = one.get(source_id, {})
            for metric, column in columns.items():
                value = values.get(metric)
                column.append(None if value is None else self._integer(value))
        return columns

    def _integer(self, value: float) -> int:
        above, below = value.as_integer_ratio()
        return above * ((1 << self._bits) // below)


def _values(prompt: Prompt, source_id: str, folder: Folder) -> dict[str, float]:
    """Return the numbers of one record by metric; what is no number is left out."""
    record = prompt.records[source_id]
    if record.get("status") != SCORED:
        return {}
    components = record.get("components_raw_0to3")
    found = {
        **{f"{name}": record.get(f"{name}_raw") for name in OVERALLS},
        **(components if isinstance(components, dict) else {}),
    }
    names = (*folder.rules.ten, *OVERALLS)
    return {name: float(found[name]) for name in names if is_number(found.get(name))}


def _groups_of(prompt: Prompt) -> Iterator[tuple[str, str]]:
    yield "overall", ALL
    yield "stratum", ALL
    for part in parts(prompt):
        yield "stratum", part
    for view, name in (("domain", "domains"), ("failure_mode", "failure_modes")):
        for tag in dict.fromkeys(map(str, prompt.tags(name))):
            yield view, tag
