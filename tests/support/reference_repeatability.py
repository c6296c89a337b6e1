"""A judge's agreement with itself, by its definition: pair by pair, coincidences in fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from tests.support.reference import UNREADABLE, Evaluation, Number


class RepeatKey(NamedTuple):
    """What identifies a cell; the judge stands for the configuration."""

    run_id: str
    system_id: str
    condition: str
    variant: str
    judge_id: str
    repeat_source: str


@dataclass
class Repeats:
    """All ratings of one cell: by case, by probe, one a judgment."""

    ratings: dict[str, dict[str, list[bool]]] = field(default_factory=dict)

    @property
    def units(self) -> list[list[bool]]:
        """Return the ratings of every probe that has two of them."""
        probes = [one for case in self.ratings.values() for one in case.values()]
        return [one for one in probes if len(one) > 1]

    @property
    def pairs(self) -> list[tuple[bool, bool]]:
        return [pair for unit in self.units for pair in combinations(unit, 2)]

    @property
    def agreement(self) -> Number:
        pairs = self.pairs
        return Fraction(sum(one == other for one, other in pairs), len(pairs)) if pairs else None

    @property
    def alpha(self) -> Number:
        """Return Krippendorff's alpha from the matrix of coincidences."""
        coincidences: dict[tuple[bool, bool], Fraction] = defaultdict(Fraction)
        for unit in self.units:
            for pair in permutations(unit, 2):
                coincidences[pair] += Fraction(1, len(unit) - 1)
        totals = {
            value: sum((n for pair, n in coincidences.items() if pair[0] is value), Fraction(0))
            for value in (True, False)
        }
        if not totals[True] or not totals[False]:
            return None
        count = totals[True] + totals[False]
        observed = (coincidences[True, False] + coincidences[False, True]) / count
        expected = 2 * totals[True] * totals[False] / (count * (count - 1))
        return Fraction(1 - observed / expected)

    @property
    def by_case(self) -> list[tuple[int, int]]:
        """Return (agreeing pairs, pairs) of every case that has pairs, in the order of cases."""
        found = []
        for _, probes in sorted(self.ratings.items()):
            pairs = [pair for unit in probes.values() for pair in combinations(unit, 2)]
            if pairs:
                found.append((sum(one == other for one, other in pairs), len(pairs)))
        return found


def repeats_of(
    dataset_id: str, evaluations: Iterable[Evaluation], ruled: frozenset[str]
) -> dict[RepeatKey, Repeats]:
    """Return every cell of a dataset; judges in `ruled` work by rules and rate nothing."""
    listed = list(evaluations)
    return {**_of_audiences(dataset_id, listed, ruled), **_of_samples(dataset_id, listed, ruled)}


def _of_audiences(
    dataset_id: str, evaluations: list[Evaluation], ruled: frozenset[str]
) -> dict[RepeatKey, Repeats]:
    cells: dict[RepeatKey, Repeats] = defaultdict(Repeats)
    for one in evaluations:
        is_failed = one.deck_status in UNREADABLE
        if one.condition != "agnostic" or not one.judgments or is_failed:
            continue
        key = _key(dataset_id, one, "audiences")
        case = cells[key].ratings.setdefault(one.case_id, {})
        if one.judge_id in ruled:
            continue
        for probe_id, judgment in one.judgments.items():
            if judgment.status == "judged":
                case.setdefault(probe_id, []).append(judgment.covered)
    return cells


def _of_samples(
    dataset_id: str, evaluations: list[Evaluation], ruled: frozenset[str]
) -> dict[RepeatKey, Repeats]:
    cells: dict[RepeatKey, Repeats] = defaultdict(Repeats)
    for one in evaluations:
        sampled = {
            name: list(row.repeats)
            for name, row in one.judgments.items()
            if row.repeats is not None
        }
        if not sampled or one.deck_status in UNREADABLE:
            continue
        cell = cells[_key(dataset_id, one, "repeats")]
        if one.judge_id not in ruled:
            # The samples of two evaluations never meet.
            case = cell.ratings.setdefault(one.case_id, {})
            case |= {f"{one.audience}/{name}": ratings for name, ratings in sampled.items()}
    return cells


def _key(dataset_id: str, one: Evaluation, source: str) -> RepeatKey:
    run_id = f"{dataset_id}/{one.run}"
    return RepeatKey(run_id, one.system_id, one.condition, one.variant, one.judge_id, source)
