"""Compares the unrounded file of all policies with what the prompts give."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from expectations.searchgen.aggregates import POLICIES, Cell, Group, Mean, Recount
from expectations.searchgen.boards import MODELS
from expectations.searchgen.folder import SCORED, Folder, Row, Rules
from expectations.searchgen.prompts import TOLERANCE, is_number
from warehouse.findings import Finding

FILE = "leaderboard_policies.jsonl"
UNROUNDED = "unrounded_scores_recompute"
ORDER_FREE = "scores_do_not_depend_on_row_order"
COUNTS = "policy_denominators_recompute"
ROUNDING = "policy_scores_are_rounded_once"
RANKS = "ranks_recompute"
CHECKS = (UNROUNDED, ORDER_FREE, COUNTS, ROUNDING, RANKS)
_NAMES = ("slice", "view", "group", "source_id")

Key = tuple[str, ...]
Cells = dict[str, Cell]


def check(folder: Folder, recount: Recount) -> Iterator[Finding]:
    """Yield what differs between the file of policies and the prompts."""
    rows = folder.boards.get(FILE)
    if rows is None:
        yield Finding(MODELS, FILE, "it is not there", FILE)
        return
    published: dict[Key, Row] = {}
    for row in rows:
        key = tuple(str(row.get(name)) for name in _NAMES)
        if key in published:
            yield Finding(MODELS, "/".join(key), "its row is there twice", FILE)
        published[key] = row
    for group in recount.groups:
        yield from _group(folder.rules, recount, group, published)
    for key in published:
        yield Finding(MODELS, "/".join(key), "no prompt gives this row", FILE)


def _group(
    rules: Rules, recount: Recount, group: Group, published: dict[Key, Row]
) -> Iterator[Finding]:
    """Compare the rows of one group, and take them out of `published`."""
    place = (group.slice, group.view, group.name)
    ranks: dict[str, dict[str, tuple[int | None, int]]] = {}
    cells = {
        model.source_id: {policy: recount.cell(group, model, policy) for policy in POLICIES}
        for model in rules.models
    }
    for policy in POLICIES:
        ranks[policy] = _ranks(rules, {key: one[policy] for key, one in cells.items()})
    for model in rules.models:
        subject = "/".join((*place, model.source_id))
        row = published.pop((*place, model.source_id), None)
        if row is None:
            yield Finding(MODELS, subject, "its row is missing", FILE)
            continue
        yield from _row(subject, row, cells[model.source_id], rules)
        policies = row.get("policies")
        for policy in POLICIES:
            found = policies.get(policy) if isinstance(policies, dict) else None
            if not isinstance(found, dict):
                yield Finding(MODELS, subject, f"it has no policy {policy}", FILE)
                continue
            cell = cells[model.source_id][policy]
            yield from _cell(f"{subject}/{policy}", found, cell, rules)
            stated = ranks[policy][model.source_id], ranks["published"][model.source_id]
            yield from _rank(f"{subject}/{policy}", found, *stated)


def _row(subject: str, row: Row, cells: Cells, rules: Rules) -> Iterator[Finding]:
    cell = cells["published"]
    expected: Row = {
        "n_total": cell.n_total,
        "n_scored": cell.n_scored,
        "scored_share": cell.n_scored / cell.n_total,
        **{f"n_{status}": cell.missing[status] for status in rules.statuses if status != SCORED},
    }
    yield from _exact(COUNTS, subject, row, expected)


def _cell(subject: str, found: Row, cell: Cell, rules: Rules) -> Iterator[Finding]:
    counts = found.get("component_counts")
    values = found.get("components")
    overalls = [name for name in cell.means if name not in rules.ten]
    expected: Row = {"n_included": cell.n_included}
    expected |= {f"{name}_count": cell.means[name].count for name in overalls}
    yield from _exact(COUNTS, subject, found, expected)
    expected = {name: cell.means[name].count for name in rules.ten}
    yield from _exact(COUNTS, subject, counts if isinstance(counts, dict) else {}, expected)
    for name, mean in cell.means.items():
        source = found if name in overalls else values
        value = source.get(name) if isinstance(source, dict) else None
        yield from _mean(f"{subject}/{name}", value, mean)
    expected = {f"{name}_rounded": cell.means[name].rounded(rules.decimals) for name in overalls}
    yield from _exact(ROUNDING, subject, found, expected)


def _mean(subject: str, value: Any, mean: Mean) -> Iterator[Finding]:
    """Compare one unrounded mean: to the bit with its double, else to 1e-12 with the fraction.

    The double is four roundings from the fraction, less than 1e-13 on a scale of 100, so a
    value that equals it needs no fraction.
    """
    public = mean.public
    if public is None or not is_number(value):
        if public is not None or value is not None:
            message = f"{value!r}, the prompts give {public} over {mean.count} values"
            yield Finding(UNROUNDED, subject, message, FILE)
    elif value == public:
        return
    elif abs(Fraction(value) - mean.exact) > Fraction(TOLERANCE):
        yield Finding(UNROUNDED, subject, f"{value!r}, the prompts give {public!r}", FILE)
    else:
        message = f"{value!r} differs in its last bits from the exact sum's {public!r}"
        yield Finding(ORDER_FREE, subject, message, FILE)


def _ranks(rules: Rules, cells: Cells) -> dict[str, tuple[int | None, int]]:
    """Return rank (ties share it, None without a score) and published position by model."""
    names = {model.source_id: model.display_name for model in rules.models}
    values = {key: cell.means[rules.primary].public for key, cell in cells.items()}
    ranked = [value for value in values.values() if value is not None]

    def position(key: str) -> tuple[bool, float, str, str]:
        value = cells[key].means[rules.primary].rounded(rules.decimals)
        return value is None, -(value or 0.0), names[key], key

    positions = {key: at for at, key in enumerate(sorted(cells, key=position), start=1)}
    return {
        key: (
            None if value is None else 1 + sum(other > value for other in ranked),
            positions[key],
        )
        for key, value in values.items()
    }


def _rank(
    subject: str, found: Row, here: tuple[int | None, int], published: tuple[int | None, int]
) -> Iterator[Finding]:
    rank, position = here
    change = None if rank is None or published[0] is None else published[0] - rank
    expected = {"model_rank": rank, "rank_published": position, "rank_change": change}
    yield from _exact(RANKS, subject, found, expected)


def _exact(check_name: str, subject: str, found: Row, expected: Row) -> Iterator[Finding]:
    for name, value in expected.items():
        if found.get(name) != value or isinstance(found.get(name), bool):
            message = f"{name} is {found.get(name)!r}, the prompts give {value!r}"
            yield Finding(check_name, subject, message, FILE)
