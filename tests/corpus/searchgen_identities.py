"""What must hold in published boards, from their numbers alone; fractions, no tolerance hidden.

Published scores are rounded to one decimal, so each is known to 0.05. A weighted mean of such
numbers is known to 0.05 as well, and two numbers that must be one are at most 0.1 apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import duckdb
import jinja2

from tests.corpus.published_boards import (
    FILES,
    NINE,
    OVERALLS,
    SINGLE_SCORES,
    SLICE_FILE,
    TENTH,
    WHOLE,
    Group,
    PublishedRelease,
)
from warehouse.paths import PROJECT_ROOT

ROUNDING = Fraction(1, 20)
# Below 50 / 0.3 prompts one more half point moves a mean by more than one decimal, so that a
# published number has one sum of half points that it can come from.
TIE_PROMPTS = 150
SPLITS = (
    ("All", "NoSearch", "SearchIntensive"),
    ("SearchIntensive", "VisualSearch", "TextualSearch"),
)
_MACROS = [
    PROJECT_ROOT / "macros" / one
    for one in ("engine/types.sql", "scoring/exact_sums.sql", "scoring/searchgen.sql")
]
# What dbt's dispatch chooses for this engine.
_DUCKDB = "{% macro exact_integer() %}hugeint{% endmacro %}"
Row = dict[str, Any]


@dataclass
class Check:
    """How one identity came out: what was compared, the largest difference, what failed."""

    name: str
    compared: int = 0
    largest: Fraction = Fraction(0)
    failures: list[str] = field(default_factory=list)
    note: str = ""

    def same(self, found: object, wanted: object, place: str) -> None:
        self.compared += 1
        if isinstance(found, dict) and isinstance(wanted, dict):
            names = [one for one in sorted({*found, *wanted}) if found.get(one) != wanted.get(one)]
            self.failures += [
                f"{place} {one}: {found.get(one)} and {wanted.get(one)}" for one in names
            ]
        elif found != wanted:
            self.failures.append(f"{place}: {found} is not {wanted}")

    def near(self, found: Fraction, wanted: Fraction, place: str) -> None:
        self.compared += 1
        difference = abs(found - wanted)
        self.largest = max(self.largest, difference)
        if difference > 2 * ROUNDING:
            self.failures.append(f"{place}: {float(found):.4f} is not {float(wanted):.4f}")


def whole_boards_repeat(release: PublishedRelease) -> Check:
    check = Check("1 boards of all prompts repeat each other")
    found = {
        (group.file, group.view, group.name): group.rows
        for group in release.groups
        if group.slice == WHOLE
    }
    for (file, view, name), rows in found.items():
        if file == SLICE_FILE:
            other = found.get((FILES[view], view, name), ())
        elif view == "overall":
            other = found.get((FILES["stratum"], "stratum", name), ())
        else:
            continue
        check.same(len(rows), len(other), f"{file} {view}/{name} number of rows")
        for row, same in zip(rows, other, strict=False):
            check.same(row, same, f"{file} {view}/{name} {row['model_id']}")
    return check


def counts_add_up(release: PublishedRelease) -> Check:
    check = Check("2 counts of parts add up")
    for place, whole, parts in _splits(release):
        for name, count in _counts(whole).items():
            check.same(count, sum(_counts(one)[name] for one in parts), f"{place} {name}")
    return check


def coverage_and_policy(release: PublishedRelease) -> Check:
    check = Check("3 coverage and n_included follow from counts")
    for group, row in _rows(release):
        place = group.place(row["model_id"])
        share = round(row["n_scored"] / row["n_total"], 4)
        check.same(row["coverage"], Fraction(str(share)), f"{place} coverage")
        is_filled = row["missing_policy"] == "zero_fill"
        included = row["n_total"] if is_filled else row["n_scored"]
        check.same(row["n_included"], included, f"{place} n_included")
    return check


def components_are_weighted_means(release: PublishedRelease) -> Check:
    check = Check("4 components are count-weighted means of parts")
    for place, whole, parts in _splits(release):
        for name in whole["components"]:
            weights = [one["component_counts"][name] for one in parts]
            values = [one["components"][name] for one in parts]
            _weighted(check, whole["components"][name], values, weights, f"{place} {name}")
    return check


def overalls_are_weighted_means(release: PublishedRelease) -> Check:
    check = Check("5 overalls are prompt-weighted means of parts")
    for place, whole, parts in _splits(release):
        for name in OVERALLS:
            weights = [one["n_included"] for one in parts]
            values = [one[name] for one in parts]
            _weighted(check, whole[name], values, weights, f"{place} {name}")
    return check


def full_counts_make_the_mean(release: PublishedRelease) -> Check:
    check = Check("6 nine full counts make Overall-9 the mean of nine")
    for group, row in _rows(release):
        if row["n_included"] and all(
            row["component_counts"][name] == row["n_included"] for name in NINE
        ):
            mean = Fraction(sum(row["components"][name] for name in NINE)) / len(NINE)
            check.near(row["overall_9"], mean, group.place(row["model_id"]))
    return check


def no_tenth_no_difference(release: PublishedRelease) -> Check:
    check = Check("7 without text references both overalls are one")
    for group, row in _rows(release):
        if row["component_counts"].get(TENTH) == 0:
            check.same(row["overall_10"], row["overall_9"], group.place(row["model_id"]))
    return check


def one_prompt_is_its_components(release: PublishedRelease) -> Check:
    check = Check("8 one prompt's overall is the mean of its components")
    for group, row in _rows(release):
        if row["n_included"] == 1:
            nine = [row["components"][name] for name in NINE]
            values = [value for value in nine if value is not None]
            place = group.place(row["model_id"])
            check.near(row["overall_9"], Fraction(sum(values)) / len(values), place)
    return check


def ties_are_rounded_half_even(release: PublishedRelease) -> Check:
    """Hold single scores that lie on a tie against the rule, in Python and in DuckDB.

    Scores are half points, so a mean of n of them is s / (2 n) with an integer s.
    """
    check = Check("9 ties are rounded half-even on the double")
    query, off_grid = rounding_sql(), 0
    with duckdb.connect() as connection:
        for place, published, count in _single_scores(release):
            step = Fraction(50, 3 * count)
            sums = range(int((published - ROUNDING) / step), int((published + ROUNDING) / step) + 2)
            near = [one for one in sums if abs(one * step - published) <= ROUNDING]
            off_grid += not near
            for half_points in near:
                if abs(half_points * step - published) == ROUNDING:
                    value = half_points / 2 / count * 100 / 3
                    check.same(Fraction(str(round(value, 1))), published, f"{place} Python")
                    found = connection.execute(query, [half_points / 2, count]).fetchall()
                    check.same(Fraction(str(found[0][0])), published, f"{place} DuckDB")
    check.note = f"{check.compared // 2} ties, {off_grid} cells are no sum of half points"
    return check


def rounding_sql() -> str:
    """Return the project's own rule as a query of a sum of raw scores and their number."""
    macros = "".join(path.read_text(encoding="utf-8") for path in _MACROS) + _DUCKDB
    call = "{{ rounded_once(public_score(fixed_point('raw_sum'), 'value_count'), 1) }}"
    expression = jinja2.Environment().from_string(macros + call).render()
    return f"select {expression} from (select ?::double as raw_sum, ? as value_count)"


def both_overalls_order_alike(release: PublishedRelease) -> Check:
    check = Check("12 both overalls order the board of all alike")
    for group in release.by_view("overall", file=FILES["overall"]):
        nine, ten = (
            [row["model_id"] for row in sorted(group.rows, key=_by(metric))] for metric in OVERALLS
        )
        check.same(ten, nine, group.place("order"))
    return check


def domains_overlap(release: PublishedRelease) -> Check:
    check = Check("13 domains do not add up to the prompts")
    total = sum(
        group.rows[0]["n_total"] for group in release.by_view("domain", file=FILES["domain"])
    )
    prompts = release.manifest["dataset"]["n_prompts"]
    check.compared, check.note = 1, f"{total} tags, {prompts} prompts"
    if total <= prompts:
        check.failures.append(check.note)
    return check


def rows_stand_in_order(release: PublishedRelease) -> Check:
    check = Check("rows stand by rounded score, then by name")
    for group in release.groups:
        found = [row["model_id"] for row in group.rows]
        key = _by(release.primary_metric)
        check.same(found, [row["model_id"] for row in sorted(group.rows, key=key)], group.place(""))
    return check


IDENTITIES: tuple[Callable[[PublishedRelease], Check], ...] = (
    whole_boards_repeat,
    counts_add_up,
    coverage_and_policy,
    components_are_weighted_means,
    overalls_are_weighted_means,
    full_counts_make_the_mean,
    no_tenth_no_difference,
    one_prompt_is_its_components,
    ties_are_rounded_half_even,
    both_overalls_order_alike,
    domains_overlap,
    rows_stand_in_order,
)


def _rows(release: PublishedRelease) -> Iterator[tuple[Group, Row]]:
    for group in release.groups:
        for row in group.rows:
            yield group, row


def _single_scores(release: PublishedRelease) -> Iterator[tuple[str, Fraction, int]]:
    """Yield the cells of single scores of few prompts, each once: no board is read twice."""
    is_sliced = any(group.file == SLICE_FILE for group in release.groups)
    for group, row in _rows(release):
        if group.view == "overall" or is_sliced != (group.file == SLICE_FILE):
            continue
        for name in SINGLE_SCORES:
            count = row["component_counts"].get(name, 0)
            if 0 < count <= TIE_PROMPTS:
                value = Fraction(row["components"][name])
                yield f"{group.place(row['model_id'])} {name}", value, count


def _splits(release: PublishedRelease) -> Iterator[tuple[str, Row, list[Row]]]:
    for strata in release.strata():
        for whole, *parts in SPLITS:
            for model, row in strata[whole].items():
                yield f"{whole} {model}", row, [strata[part][model] for part in parts]


def _counts(row: Row) -> dict[str, int]:
    heads = {name: row[name] for name in ("n_total", "n_scored", "n_included")}
    return {**heads, **row["component_counts"]}


def _weighted(check: Check, whole: Any, values: list[Any], weights: list[int], place: str) -> None:
    total = sum(weights)
    if total == 0:
        check.same(whole, None, place)
        return
    pairs = zip(values, weights, strict=True)
    weighted = sum((Fraction(value) * weight for value, weight in pairs if weight), Fraction(0))
    check.near(Fraction(whole), weighted / total, place)


def _by(metric: str) -> Callable[[Row], tuple[Any, ...]]:
    return lambda row: (row[metric] is None, -(row[metric] or 0), row["display_name"])
