"""Compares published boards with those that the prompts give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from expectations.searchgen.aggregates import ALL, OVERALLS, Cell, Recount
from expectations.searchgen.folder import Folder, Model, Row, Rules
from warehouse.findings import Finding

SHAPE = "rows_have_their_twelve_keys"
GROUPS = "boards_hold_every_group"
MODELS = "groups_hold_every_model_once"
NAMES = "models_are_those_of_the_manifest"
DENOMINATORS = "denominators_follow_the_policy"
SCORES = "rounded_scores_recompute"
NULLS = "null_exactly_where_nothing_counts"
ROW_ORDER = "rows_are_in_published_order"
CHECKS = (SHAPE, GROUPS, MODELS, NAMES, DENOMINATORS, SCORES, NULLS, ROW_ORDER)

OVERALL_FILE = "leaderboard_overall.json"
BY_SLICE = "leaderboard_by_slice.json"
_FILES = {
    "leaderboard_by_stratum.json": "stratum",
    "leaderboard_by_domain.json": "domain",
    "leaderboard_by_failure_mode.json": "failure_mode",
}
_SLICE_KEYS = {"strata": "stratum", "domains": "domain", "failure_modes": "failure_mode"}
_NAMED = ("display_name", "type")
_COUNTED = ("coverage", "missing_policy", "n_included", "n_scored", "n_total")

Rebuilt = dict[tuple[str, str], dict[str, list[Row]]]


def rebuild(folder: Folder, recount: Recount) -> Rebuilt:
    """Return the boards that the prompts give, by (slice, view): groups with ordered rows."""
    rules = folder.rules
    found: Rebuilt = {}
    for group in recount.groups:
        rows = [
            (_row(rules, model, recount.cell(group, model, "published")), model)
            for model in rules.models
        ]
        rows.sort(key=lambda one: _published_order(rules, *one))
        groups = found.setdefault((group.slice, group.view), {})
        groups[group.name] = [row for row, _ in rows]
    return found


def _published_order(rules: Rules, row: Row, model: Model) -> tuple[bool, float, str, str]:
    """Return the key of the published order: rounded primary metric, name, stable id."""
    value = row[rules.primary]
    return value is None, -(value or 0.0), model.display_name, model.source_id


def check(folder: Folder, recount: Recount) -> Iterator[Finding]:
    """Yield what differs between the board files and the boards that the prompts give."""
    rebuilt = rebuild(folder, recount)
    whole = folder.rules.whole_slice
    overall = {ALL: folder.boards.get(OVERALL_FILE)}
    yield from _compare(OVERALL_FILE, overall, rebuilt.get((whole, "overall"), {}))
    for file, view in _FILES.items():
        yield from _compare(file, folder.boards.get(file), rebuilt.get((whole, view), {}))
    slices = sorted({slice_ for slice_, _ in rebuilt})
    published = folder.boards.get(BY_SLICE)
    if slices == [whole] and published is None:
        return
    if not isinstance(published, dict):
        yield Finding(GROUPS, BY_SLICE, "it is no object of slices", BY_SLICE)
        return
    yield from _differences(GROUPS, BY_SLICE, "slice", published, slices)
    for slice_ in slices:
        content = published.get(slice_)
        content = content if isinstance(content, dict) else {}
        place = f"{BY_SLICE}/{slice_}"
        yield from _compare(place, {ALL: content.get("overall")}, rebuilt[slice_, "overall"])
        for key, view in _SLICE_KEYS.items():
            yield from _compare(f"{place}/{key}", content.get(key), rebuilt.get((slice_, view), {}))


def _row(rules: Rules, model: Model, cell: Cell) -> Row:
    """Return one row as it must be published."""
    scores = {name: one.rounded(rules.decimals) for name, one in cell.means.items()}
    return {
        "component_counts": {name: cell.means[name].count for name in rules.ten},
        "components": {name: scores[name] for name in rules.ten},
        "coverage": round(cell.n_scored / cell.n_total, rules.coverage_decimals),
        "display_name": model.display_name,
        "missing_policy": model.policy_name,
        "model_id": model.model_id,
        "n_included": cell.n_included,
        "n_scored": cell.n_scored,
        "n_total": cell.n_total,
        "type": model.type,
        **{name: scores[name] for name in OVERALLS},
    }


def _compare(place: str, published: Any, rebuilt: dict[str, list[Row]]) -> Iterator[Finding]:
    file = place.partition("/")[0]
    if not isinstance(published, dict):
        yield Finding(GROUPS, place, "it is no object of groups", file)
        return
    yield from _differences(GROUPS, place, "group", published, rebuilt)
    for name in sorted(set(rebuilt) & set(published)):
        rows = published[name]
        subject = f"{place}/{name}"
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            yield Finding(SHAPE, subject, "it is no list of rows", file)
            continue
        yield from _compare_rows(file, subject, rows, rebuilt[name])


def _compare_rows(
    file: str, subject: str, rows: list[Row], rebuilt: list[Row]
) -> Iterator[Finding]:
    found = [str(row.get("model_id")) for row in rows]
    expected = [row["model_id"] for row in rebuilt]
    yield from _differences(MODELS, subject, "model", found, expected)
    twice = sorted({one for one in found if found.count(one) > 1})
    if twice:
        yield Finding(MODELS, subject, f"it holds {', '.join(twice)} twice", file)
    elif sorted(found) == sorted(expected) and found != expected:
        position = next(
            at for at, pair in enumerate(zip(found, expected, strict=True)) if pair[0] != pair[1]
        )
        message = f"row {position + 1} is {found[position]}, by the rule it is {expected[position]}"
        yield Finding(ROW_ORDER, subject, message, file)
    by_model = {row["model_id"]: row for row in rebuilt}
    for row in rows:
        if row.get("model_id") in by_model:
            model_id = str(row["model_id"])
            yield from _compare_row(file, f"{subject}/{model_id}", row, by_model[model_id])


def _compare_row(file: str, subject: str, row: Row, rebuilt: Row) -> Iterator[Finding]:
    if set(row) != set(rebuilt):
        message = f"keys differ: {', '.join(sorted(set(row) ^ set(rebuilt)))}"
        yield Finding(SHAPE, subject, message, file)
    for check_name, names in ((NAMES, _NAMED), (DENOMINATORS, _COUNTED), (SCORES, OVERALLS)):
        for name in names:
            yield from _value(check_name, file, subject, name, row.get(name), rebuilt[name])
    for check_name, key in ((DENOMINATORS, "component_counts"), (SCORES, "components")):
        found = row.get(key)
        if not isinstance(found, dict) or set(found) != set(rebuilt[key]):
            yield Finding(SHAPE, subject, f"`{key}` does not hold the components", file)
            continue
        for name, value in rebuilt[key].items():
            yield from _value(check_name, file, subject, name, found[name], value)


def _value(
    check_name: str, file: str, subject: str, name: str, found: Any, expected: Any
) -> Iterator[Finding]:
    if found == expected and type(found) is not bool:
        return
    message = f"{name} is {found!r}, the prompts give {expected!r}"
    if check_name == SCORES and (found is None or expected is None):
        check_name = NULLS
    yield Finding(check_name, subject, message, file)


def _differences(
    check_name: str, subject: str, noun: str, found: Iterable[str], expected: Iterable[str]
) -> Iterator[Finding]:
    """Yield one finding for what is missing and one for what is too much."""
    file = subject.partition("/")[0]
    missing = sorted(set(expected) - set(found))
    extra = sorted(set(found) - set(expected))
    if missing:
        yield Finding(check_name, subject, f"{noun} missing: {', '.join(missing)}", file)
    if extra:
        yield Finding(check_name, subject, f"{noun} without prompts: {', '.join(extra)}", file)
