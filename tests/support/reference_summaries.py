"""Exact summary cells: which evaluations one published number is made of, in fractions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tests.support.reference import DOMAINS, TAUS, Evaluation, Number

METRICS = (
    "coverage",
    "coverage_unweighted",
    "efficiency_time",
    "efficiency_slide",
    "efficiency_word",
    "correctness",
    "safe_efficiency_time",
)
SETTLED = ("supported", "unsupported", "contradicted")
POLICIES = ("exclude_failed", "failed_as_zero")


class CellKey(NamedTuple):
    """What identifies a cell; the judge stands for the configuration."""

    run_id: str
    metric: str
    slice_type: str
    slice: str
    system_id: str
    condition: str
    audience: str
    tau: int
    policy: str
    judge_id: str
    weight_scope: str
    variant: str


class Term(NamedTuple):
    """One value of one evaluation, with the parts of its ratio where there are any."""

    value: Number
    numerator: Number
    denominator: Number


NOTHING = Term(None, None, None)


@dataclass
class Cell:
    """All values of one cell, by case."""

    n_total: int = 0
    n_scored: int = 0
    n_undefined: int = 0
    values: dict[str, Fraction] = field(default_factory=dict)
    numerator: Fraction = Fraction(0)
    denominator: Fraction = Fraction(0)

    @property
    def estimate(self) -> Number:
        return sum(self.values.values(), Fraction(0)) / len(self.values) if self.values else None

    @property
    def micro_estimate(self) -> Number:
        return self.numerator / self.denominator if self.denominator else None

    @property
    def standard_error(self) -> float | None:
        count, mean = len(self.values), self.estimate
        if count < 2 or mean is None:
            return None
        squares = sum(((one - mean) ** 2 for one in self.values.values()), Fraction(0))
        return math.sqrt(squares / (count - 1) / count)


def summarize(dataset_id: str, evaluations: Iterable[Evaluation]) -> dict[CellKey, Cell]:
    """Return every cell of a dataset; a case counts once in a cell."""
    cells: dict[CellKey, Cell] = defaultdict(Cell)
    for one in evaluations:
        for key, term in _terms(dataset_id, one):
            cell = cells[key]
            cell.n_total += 1
            cell.n_scored += one.is_scored
            cell.n_undefined += one.is_scored and term.value is None
            if term.value is not None:
                assert one.case_id not in cell.values
                cell.values[one.case_id] = term.value
                cell.numerator += term.numerator or 0
                cell.denominator += term.denominator or 0
    return cells


def _terms(dataset_id: str, one: Evaluation) -> Iterator[tuple[CellKey, Term]]:
    known = [(slice_type, name) for slice_type, name in one.slices.items() if name is not None]
    for tau in TAUS:
        values = one.metrics(tau)
        for metric in METRICS:
            for policy in POLICIES:
                term = _term(one, tau, values, metric, policy)
                for slice_type, name in known:
                    yield _key(dataset_id, one, metric, slice_type, name, tau, policy), term
        for domain in DOMAINS:
            for policy in POLICIES:
                key = _key(dataset_id, one, "coverage", "domain", domain, tau, policy)
                yield key, _domain_term(one, tau, domain, policy)


def _key(
    dataset_id: str,
    one: Evaluation,
    metric: str,
    slice_type: str,
    name: str,
    tau: int,
    policy: str,
) -> CellKey:
    place = (one.system_id, one.condition, one.audience, tau, policy)
    run_id = f"{dataset_id}/{one.run}"
    return CellKey(
        run_id, metric, slice_type, name, *place, one.judge_id, one.weight_scope, one.variant
    )


def _term(one: Evaluation, tau: int, values: dict[str, Number], metric: str, policy: str) -> Term:
    sums = one.sums(tau)
    if _counts_as_zero(one, policy) and sums.available and metric != "correctness":
        shares = {"coverage": sums.available, "coverage_unweighted": Fraction(sums.included)}
        return Term(Fraction(0), Fraction(0), shares.get(metric))
    value = values[metric]
    if value is None:
        return NOTHING
    match metric:
        case "coverage":
            return Term(value, sums.recovered, sums.available)
        case "coverage_unweighted":
            return Term(value, Fraction(sums.covered), Fraction(sums.included))
        case "efficiency_time":
            return Term(value, sums.recovered, values["time_cost_minutes"])
        case "efficiency_slide":
            return Term(value, sums.recovered, Fraction(max(one.slides or 0, 1)))
        case "efficiency_word":
            return Term(value, sums.recovered, Fraction(max(one.words or 0, 1)))
        case "correctness":
            settled = [one.labels.count(name) for name in SETTLED]
            return Term(value, Fraction(settled[0]), Fraction(sum(settled)))
    return Term(value, None, None)


def _domain_term(one: Evaluation, tau: int, domain: str, policy: str) -> Term:
    sums = one.sums(tau, domain)
    if not sums.available or not one.has_all_weights:
        return NOTHING
    if _counts_as_zero(one, policy):
        return Term(Fraction(0), Fraction(0), sums.available)
    if not one.is_scored:
        return NOTHING
    return Term(sums.recovered / sums.available, sums.recovered, sums.available)


def _counts_as_zero(one: Evaluation, policy: str) -> bool:
    return policy == "failed_as_zero" and one.status == "deck_failed" and one.has_all_weights
