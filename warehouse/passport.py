"""The passport of a published number: its cell, the rows behind it, how they were judged.

Everything here is read from one state; the probes of a case are read by
`warehouse/passport_probes.py` from what is landed. What is added up here is compared with what
was published, so a passport that does not add up says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from warehouse import diff
from warehouse.passport_cells import IMPORTED, Question, Row, find_cell, rows_of

TOLERANCE = 1e-12
POLICIES = {
    "exclude_failed": "decks that could not be read are left out of the mean",
    "failed_as_zero": "decks that could not be read count as 0 where utility was available",
}
_CASE_SLICES = ("scene", "category", "topic")
_FACT_KEY: tuple[str, ...] = tuple(
    name
    for name in diff.KEY
    if name not in ("benchmark", "metric", "slice_type", "slice", "policy")
)
_IMPORTED_KEY: tuple[str, ...] = (
    "run_id",
    "system_id",
    "condition",
    "audience",
    "variant",
    "tau_a_thousandths",
    "metric",
)
# A deck that could not be read makes no claims, so it has no wrong ones either.
_NEVER_ZERO = ("correctness",)
_FACT_COLUMNS = (
    "evaluation_id, dataset_id, case_id, variant, condition, deck_audience, evaluation_status, "
    "bank_id, weight_set_id, available_utility, recovered_utility, coverage, "
    "included_probe_count, covered_probe_count"
)
_DECK_COLUMNS = (
    "deck_status, is_hash_verified, n_missing, n_filled, n_failed, n_abstained, slide_count, "
    "visible_word_count, time_cost_minutes, claim_count, settled_claim_count, correctness"
)


@dataclass(frozen=True)
class Sum:
    """One sum that was made again: what it gives and what was published."""

    name: str
    subject: str
    recomputed: float | int | None
    published: float | int | None

    @property
    def agrees(self) -> bool:
        """Return whether both are the same to 1e-12, relative above 1."""
        if self.recomputed is None or self.published is None:
            return self.recomputed is self.published
        bound = TOLERANCE * max(1.0, abs(self.published))
        return abs(self.recomputed - self.published) <= bound

    def as_record(self) -> Row:
        """Return the sum as JSON-serialisable fields."""
        return {**vars(self), "agrees": self.agrees}


@dataclass(frozen=True)
class Passport:
    """What stands behind one cell.

    Attributes:
        cell: the row of `rpt_metric_summaries`.
        metric: the metric's row of `dim_metrics`.
        judging: the row of `dim_evaluation_configs`, or nothing for an imported value.
        rows: rows of the fact, one a case, with `value` and `counted` (what the mean takes).
        landed_files: files that the rows were landed in, with hashes.
        sums: what was added up again.
    """

    cell: Row
    metric: Row
    judging: Row
    rows: tuple[Row, ...]
    landed_files: tuple[Row, ...]
    sums: tuple[Sum, ...]


def read(connection: duckdb.DuckDBPyConnection, question: Question) -> Passport:
    """Return the passport of the one cell that a question names.

    Raises:
        UsageError: when no cell or several answer to it.
    """
    cell = find_cell(connection, question)
    rows = _fact_rows(connection, cell)
    datasets = {row["dataset_id"] for row in rows}
    metrics = rows_of(
        connection,
        "select * from published.main.dim_metrics where benchmark = ? and metric = ?",
        cell["benchmark"],
        cell["metric"],
    )
    judging = rows_of(
        connection,
        "select * from published.main.dim_evaluation_configs "
        "where benchmark = ? and evaluation_config_id = ?",
        cell["benchmark"],
        cell["evaluation_config_id"],
    )
    landed = rows_of(
        connection,
        "select unit, landing_table, landed_file, row_count, file_sha256, input_sha256, "
        "input_count, source_root, code_version from published.main.fct_landed_files "
        "where benchmark = ? and list_contains(?, unit) and row_count > 0 order by all",
        cell["benchmark"],
        _units(cell["run_id"], datasets),
    )
    return Passport(
        cell,
        metrics[0] if metrics else {},
        judging[0] if judging else {},
        tuple(rows),
        tuple(landed),
        tuple(_cell_sums(connection, cell, rows)),
    )


def _fact_rows(connection: duckdb.DuckDBPyConnection, cell: Row) -> list[Row]:
    """Return the rows that the cell counts, one a case, as the fact has them."""
    if cell["judge_kind"] == IMPORTED:
        mart, names = "fct_xslides__metric_reconciliations", _IMPORTED_KEY
        columns = "fact.*, fact.imported_value as value"
    elif cell["slice_type"] == "domain":
        mart, names = "fct_xslides__domain_recoveries", _FACT_KEY
        columns = f'{_FACT_COLUMNS}, fact."{cell["metric"]}" as value'
    else:
        mart, names = "fct_xslides__deck_audience_scores", _FACT_KEY
        columns = f'{_FACT_COLUMNS}, {_DECK_COLUMNS}, fact."{cell["metric"]}" as value'
    conditions = [f'fact."{name}" is not distinct from ?' for name in names]
    values = [cell[name] for name in names]
    if cell["slice_type"] == "domain":
        conditions.append("fact.domain = ?")
        values.append(cell["slice"])
    elif cell["slice_type"] in _CASE_SLICES:
        conditions.append(
            "(dataset_id, case_id) in (select (dataset_id, case_id) "
            f'from published.main.dim_xslides__cases where "{cell["slice_type"]}" = ?)'
        )
        values.append(cell["slice"])
    found = rows_of(
        connection,
        f"select {columns} from published.main.{mart} as fact where {' and '.join(conditions)} "
        "order by dataset_id, case_id, evaluation_id",
        *values,
    )
    return [{**row, "counted": _counted(cell, row)} for row in found]


def _counted(cell: Row, row: Row) -> float | None:
    """Return what the mean takes of a row: its value, or 0 for a failed deck by policy."""
    value: float | None = row["value"]
    is_zero = (
        cell["policy"] == "failed_as_zero"
        and cell["judge_kind"] != IMPORTED
        and row["evaluation_status"] == "deck_failed"
        and cell["metric"] not in _NEVER_ZERO
        and (row["available_utility"] or 0) > 0
    )
    return 0.0 if is_zero else value


def _cell_sums(connection: duckdb.DuckDBPyConnection, cell: Row, rows: list[Row]) -> list[Sum]:
    """Return the cell's mean and counts, made again from the rows as the models make them."""
    if cell["judge_kind"] == IMPORTED:
        return []
    values = [row["counted"] for row in rows]
    mean = connection.execute(
        "select cast(sum(cast(round(value * 1e9) as bigint)) as double) "
        "/ nullif(count(value), 0) / 1e9 from unnest(cast(? as double[])) as counted(value)",
        [values],
    ).fetchall()[0][0]
    n_scored = sum(row["evaluation_status"] in ("ok", "incomplete_scores") for row in rows)
    subject = cell["metric"]
    return [
        Sum("estimate", subject, mean, cell["estimate"]),
        Sum("n_total", subject, len(rows), cell["n_total"]),
        Sum("n_scored", subject, n_scored, cell["n_scored"]),
        Sum("n_included", subject, sum(one is not None for one in values), cell["n_included"]),
    ]


def _units(run_id: str, datasets: set[str]) -> list[str]:
    """Return the landing units of a run: its own, and the banks of its datasets."""
    units = {f"{one}/probes" for one in datasets}
    for one in datasets:
        if run_id.startswith(f"{one}/"):
            run = run_id.removeprefix(f"{one}/")
            # Of the two, the second holds metrics that another tool computed.
            units |= {f"{one}/runs/{run}", f"{one}/metrics/{run}"}
    return sorted(units)
