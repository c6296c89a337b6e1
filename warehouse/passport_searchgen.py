"""The passport of a cell of a searchgen board: its prompts, what each counts for, and why.

Rows are read prompt by prompt from the fact and added up as fractions, by another way than
the model's, so a passport that does not add up says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import duckdb

from warehouse.contracts.searchgen_values import (
    ALL_GROUP,
    COMPONENTS,
    COMPONENTS_9,
    EXCLUDE,
    MISSING_STATUSES,
    RAW_MAXIMUM,
    SCORED,
    WHOLE_SLICE,
    ZERO_FILL,
)
from warehouse.errors import InputError, UsageError
from warehouse.passport import Passport, Sum
from warehouse.passport_cells import Row, has_mart, nearest, rows_of

BENCHMARK = "searchgen"
OVERALLS = ("overall_9", "overall_10")
METRICS = (*OVERALLS, *COMPONENTS)
PUBLISHED, COMMON, APPLICABLE = "published", "common_prompts", "applicability_aware"
_FILLED_BY_NAME = {"all_zero_fill": ZERO_FILL, "all_exclude": EXCLUDE}
_BOARDS = "rpt_searchgen__leaderboards"
_ROUNDING_DECIMALS = 1


@dataclass(frozen=True)
class Question:
    """Which cell is asked for.

    Attributes:
        metric: overall_9, overall_10 or one of the ten components.
        system_id: source_id of the model; its public id answers too.
        run_id: release, or None for the only one.
        view: overall, stratum, domain or failure_mode; `all` means overall.
        group: group of the view; `all` means that of all prompts.
        slice: named slice of prompts; `all` is every prompt.
        policy: what becomes of missing results.
    """

    metric: str
    system_id: str
    run_id: str | None = None
    view: str = "all"
    group: str = "all"
    slice: str = WHOLE_SLICE
    policy: str = PUBLISHED


def read(connection: duckdb.DuckDBPyConnection, question: Question) -> Passport:
    """Return the passport of the one cell that a question names.

    `rows` hold one prompt each: status, `value` (0 to 3, None when not applicable or missing),
    the components that are not null, `counted` (what the mean takes) and `counted_because`.

    Raises:
        InputError: when the state holds no boards of searchgen.
        UsageError: when no cell or several answer to it.
    """
    if not has_mart(connection, _BOARDS):
        raise InputError("this state holds no boards of searchgen", fix="podium build")
    if question.metric not in METRICS:
        raise UsageError(f"`{question.metric}` is no metric", expected=", ".join(METRICS))
    cell = _find_cell(connection, question)
    rules = _rules(connection, cell)
    common = _common(connection, cell) if cell["policy"] == COMMON else frozenset[str]()
    applies = _applies(connection, cell, question.metric)
    rows = [
        _explained(row, question.metric, cell["policy"], rules, common, applies)
        for row in _prompts(connection, cell, question.metric)
    ]
    return Passport(
        {**cell, "metric": question.metric, "estimate": cell[question.metric]},
        _first(connection, "dim_metrics", benchmark=BENCHMARK, metric=question.metric),
        _first(
            connection,
            "dim_evaluation_configs",
            benchmark=BENCHMARK,
            evaluation_config_id=cell["evaluation_config_id"],
        ),
        tuple(rows),
        tuple(_landed_files(connection, cell)),
        tuple(_sums(cell, question.metric, rows)),
    )


def _find_cell(connection: duckdb.DuckDBPyConnection, question: Question) -> Row:
    whole = question.group == "all"
    asked: Row = {} if question.run_id is None else {"run_id": question.run_id}
    asked["slice"] = question.slice
    asked["view"] = "overall" if question.view == "all" else question.view
    asked["group_name"] = ALL_GROUP if whole else question.group
    asked["policy"] = question.policy
    for column in ("source_id", "model_id"):
        named = {**asked, column: question.system_id}
        where = " and ".join(f'"{name}" = ?' for name in named)
        found = rows_of(
            connection,
            f"select * from published.main.{_BOARDS} where {where} order by run_id",
            *named.values(),
        )
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(
                f"{len(found)} published cells answer to this",
                expected=f"one of run_id: {', '.join(row['run_id'] for row in found)}",
                fix="add --run",
            )
    asked["source_id"] = question.system_id
    raise UsageError(
        "no published cell answers to this",
        expected=nearest(connection, _BOARDS, asked),
        got=", ".join(f"{name} = {value}" for name, value in asked.items()),
    )


def _prompts(connection: duckdb.DuckDBPyConnection, cell: Row, metric: str) -> list[Row]:
    """Return the model's records of all prompts of the cell's group, in published order."""
    value = f"{metric}_raw" if metric in OVERALLS else metric
    conditions = ["fact.run_id = ?", "fact.source_id = ?", "fact.is_published_lane"]
    parameters = [cell["run_id"], cell["source_id"]]
    tags = [("slice", cell["slice"])] if cell["slice"] != WHOLE_SLICE else []
    if cell["view"] in ("domain", "failure_mode"):
        tags.append((cell["view"], cell["group_name"]))
    elif cell["group_name"] != ALL_GROUP:
        conditions.append("? in (fact.stratum, fact.search_type)")
        parameters.append(cell["group_name"])
    for tag_type, tag in tags:
        conditions.append(
            "fact.sample_id in (select sample_id "
            "from published.main.bridge_searchgen__prompt_tags "
            "where run_id = ? and tag_type = ? and tag = ?)"
        )
        parameters += [cell["run_id"], tag_type, tag]
    return rows_of(
        connection,
        f'select fact.*, fact."{value}" as value '
        "from published.main.fct_searchgen__prompt_scores as fact "
        f"where {' and '.join(conditions)} order by prompt_index nulls last, sample_id",
        *parameters,
    )


def _rules(connection: duckdb.DuckDBPyConnection, cell: Row) -> dict[str, str]:
    """Return what the cell's policy makes of each missing status."""
    named = _FILLED_BY_NAME.get(cell["policy"])
    if named is not None:
        return dict.fromkeys(MISSING_STATUSES, named)
    model = _first(
        connection, "dim_searchgen__models", run_id=cell["run_id"], source_id=cell["source_id"]
    )
    return {status: model[f"{status}_policy"] for status in MISSING_STATUSES}


def _common(connection: duckdb.DuckDBPyConnection, cell: Row) -> frozenset[str]:
    """Return the prompts that every model of the release has scored."""
    rows = rows_of(
        connection,
        "select sample_id from published.main.fct_searchgen__prompt_scores "
        "where run_id = ? and is_published_lane group by sample_id having bool_and(status = ?) "
        "and count(*) = (select count(*) from published.main.dim_searchgen__models "
        "where run_id = ?)",
        cell["run_id"],
        SCORED,
        cell["run_id"],
    )
    return frozenset(row["sample_id"] for row in rows)


def _applies(
    connection: duckdb.DuckDBPyConnection, cell: Row, metric: str
) -> frozenset[str] | None:
    """Return the prompts that a component applies to by the cell's policy; None for all."""
    if cell["policy"] != APPLICABLE or metric in OVERALLS:
        return None
    rows = rows_of(
        connection,
        "select distinct sample_id from published.main.fct_searchgen__prompt_scores "
        f'where run_id = ? and is_published_lane and "{metric}" is not null',
        cell["run_id"],
    )
    return frozenset(row["sample_id"] for row in rows)


def _explained(
    row: Row,
    metric: str,
    policy: str,
    rules: dict[str, str],
    common: frozenset[str],
    applies: frozenset[str] | None,
) -> Row:
    """Return one prompt with what the mean takes of it, and why."""
    names = COMPONENTS_9 if metric == "overall_9" else COMPONENTS
    counted, is_included, reason = row["value"], True, SCORED
    if policy == COMMON and row["sample_id"] not in common:
        counted, is_included, reason = None, False, "not every model has scored it"
    elif row["status"] != SCORED:
        rule = rules[row["status"]]
        counted, is_included = (0.0, True) if rule == ZERO_FILL else (None, False)
        reason = f"{row['status']}: {rule}"
        if is_included and applies is not None and row["sample_id"] not in applies:
            counted, reason = None, f"{row['status']}: no model has this component here"
    elif counted is None:
        reason = "scored, not applicable"
    shown = ("sample_id", "prompt_index", "stratum", "search_type", "status", "status_reason")
    return {
        **{name: row[name] for name in shown},
        "value": row["value"],
        "components": {name: row[name] for name in names if row[name] is not None},
        "counted": counted,
        "counted_because": reason,
        "is_included": is_included,
        "lane": row["lane"],
        "source_file": row["source_file"],
        "source_line": row["source_line"],
    }


def _sums(cell: Row, metric: str, rows: list[Row]) -> Iterable[Sum]:
    """Yield the cell's mean and counts, made again from its prompts."""
    values = [Fraction(row["counted"]) for row in rows if row["counted"] is not None]
    mean = float(sum(values) / len(values) * 100 / Fraction(RAW_MAXIMUM)) if values else None
    yield Sum("mean * 100 / 3", metric, mean, cell[metric])
    yield Sum("values in the mean", metric, len(values), cell[f"{metric}_count"])
    yield Sum("n_total", metric, len(rows), cell["n_total"])
    scored = sum(row["status"] == SCORED for row in rows)
    yield Sum("n_scored", metric, scored, cell["n_scored"])
    included = sum(row["is_included"] for row in rows)
    yield Sum("n_included", metric, included, cell["n_included"])
    if metric in OVERALLS:
        shown = None
        if values:
            double = float(sum(values)) / len(values) * 100 / RAW_MAXIMUM
            shown = round(double, _ROUNDING_DECIMALS)
        yield Sum("rounded", metric, shown, cell[f"{metric}_rounded"])
        for row in rows:
            yield from _prompt_sum(row)


def _prompt_sum(row: Row) -> Iterable[Sum]:
    """Yield a prompt's overall made again, where it is not what the fact says."""
    values = [Fraction(one) for one in row["components"].values()]
    mean = float(sum(values) / len(values)) if values else None
    made = Sum("mean of components", row["sample_id"], mean, row["value"])
    if not made.agrees:
        yield made


def _landed_files(connection: duckdb.DuckDBPyConnection, cell: Row) -> list[Row]:
    return rows_of(
        connection,
        "select unit, landing_table, landed_file, row_count, file_sha256, input_sha256, "
        "input_count, source_root, code_version from published.main.fct_landed_files "
        "where benchmark = ? and unit = ? and row_count > 0 order by all",
        BENCHMARK,
        f"{cell['dataset_id']}/runs/{cell['release']}",
    )


def _first(connection: duckdb.DuckDBPyConnection, mart: str, **key: str) -> Row:
    where = " and ".join(f'"{name}" = ?' for name in key)
    found = rows_of(connection, f"select * from published.main.{mart} where {where}", *key.values())
    return found[0] if found else {}
