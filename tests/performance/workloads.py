"""Made inputs of the benchmarks, and our way to do each job on them."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from ingest.xslides.land import LandOptions, land
from ingest.xslides.land_banks import BankInfo
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_fields import FileReader
from ingest.xslides.land_scores import EvaluationIds
from ingest.xslides.land_scores_fast import ScoreFile, read_clean
from tests.support.trees import Tree, probe, score, weight, write_jsonl
from warehouse import landing, relations, statistics
from warehouse.contracts.xslides import PROBE_SCORES
from warehouse.landing import RejectLog
from warehouse.paths import WarehousePaths

CASES, PROBES, SYSTEMS = 20, 50, 12
AUDIENCES = ("specialists", "learners", "decision_makers")
SAMPLES = ([1.0, 1.0, 0.6], [1.0, 0.6, 0.6], [0.3, 0.3, 0.0], [0.6, 0.6, 1.0])
CELLS, UNITS, RESAMPLES = 432, 113, 10_000

# The rules of the models (decision 0005), on landed relations, at the headline threshold.
_COVERAGE = """
with included as (
    select weight_key, sample_tenths_sum * (720720 // sample_count) as units
    from xslides.weights
    where 100 * sample_tenths_sum >= sample_count * 700
),
available as (
    select weights.weight_set_id, sum(included.units) as units
    from xslides.weights as weights
    inner join included on weights.weight_key = included.weight_key
    group by weights.weight_set_id
),
recovered as (
    select scores.evaluation_key, sum(included.units) as units
    from xslides.probe_scores as scores
    inner join included on scores.weight_key = included.weight_key
    where scores.covered
    group by scores.evaluation_key
)
select ev.evaluation_id,
    coalesce(recovered.units, 0) / nullif(cast(available.units as double), 0) as coverage
from xslides.evaluations as ev
left join available on ev.weight_set_id = available.weight_set_id
left join recovered on ev.evaluation_key = recovered.evaluation_key
"""


def score_tree(root: Path) -> Path:
    """Write a tree of 20 cases, 50 probes each, 3 audiences and 12 systems."""
    draw = random.Random(11)
    tree = Tree(root)
    for number in range(CASES):
        case = f"case_{number:03d}"
        probes = [probe(f"pb_{index:04d}", case) for index in range(1, PROBES + 1)]
        ids = [one["probe_id"] for one in probes]
        weights = {
            audience: [weight(one, audience, draw.choice(SAMPLES)) for one in ids]
            for audience in AUDIENCES
        }
        tree.case(case, probes, weights)
        for system in range(SYSTEMS):
            for audience in AUDIENCES:
                scores = [score(one, draw.random() < 0.6) for one in ids]
                tree.evaluation(case, audience, scores, system=f"system_{system:02d}")
    return root


def landed(root: Path, tree: Path) -> duckdb.DuckDBPyConnection:
    """Land a tree and return a connection that sees its relations."""
    paths = WarehousePaths(root)
    land(paths, tree, LandOptions())
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    relations.register(connection, relations.current_state(paths))
    return connection


LANDED_FILES, LANDED_PROBES = 4_000, 75


def score_files(root: Path) -> list[ScoreFile]:
    """Write 300,000 clean judgments in 4,000 files of 75 and return them with their ids."""
    draw = random.Random(5)
    ids = [f"pb_{number:04d}" for number in range(1, LANDED_PROBES + 1)]
    case = CaseInfo("bench", "case_000", "case_000", None)
    ordinals = {probe_id: index for index, probe_id in enumerate(ids, start=1)}
    bank = BankInfo("bank_bench", case, "", ordinals, "")
    files = []
    for number in range(LANDED_FILES):
        folder = root / f"evaluation_{number:05d}"
        rows = [score(one, draw.random() < 0.6, verdict=None) for one in ids]
        for row in rows:
            row["metadata"]["verdict"] = "covered" if row["covered"] else "uncovered"
            row["answer"] = f"Some answer of the deck about thing {draw.randrange(10**6)}"
        write_jsonl(folder / "probe_scores.jsonl", rows)
        evaluation = EvaluationIds(f"evaluation_{number:05d}", number, number)
        files.append(ScoreFile(folder, evaluation, bank))
    return files


def land_scores(root: Path, files: list[ScoreFile]) -> pa.Table:
    """Land score files, strictly checked, and return the table."""
    log = RejectLog("xslides", "bench", "bench")
    table, slow = read_clean(FileReader(files[0].folder.parent, log), files)
    assert not slow
    landing.write_table(WarehousePaths(root), PROBE_SCORES, [], table)
    return table


def coverage_in_sql(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Return the coverage of every evaluation."""
    return connection.execute(_COVERAGE).fetchall()


@cache
def metric_values() -> np.ndarray[Any, Any]:
    """Return 432 cells of 113 values in [0, 1]."""
    return np.random.default_rng(3).beta(5, 4, size=(CELLS, UNITS))


def bootstrap_in_sql(values: np.ndarray[Any, Any]) -> list[tuple[Any, ...]]:
    """Return the percentile interval of every cell by the method of the models."""
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    fixed = np.round(values * 1e9)
    connection.execute("create table cells (cell integer, unit_values double[])")
    connection.executemany(
        "insert into cells values (?, ?)",
        [(index, row.tolist()) for index, row in enumerate(fixed)],
    )
    return connection.execute(_bootstrap_sql()).fetchall()


def _bootstrap_sql() -> str:
    first, second, third = statistics.round_keys()
    low = int(statistics.lower_ranks("percentile", RESAMPLES, UNITS)[-1])
    prime = statistics.PRIME
    square = f"(state * state % {prime})"
    power = f"({square} * {square} % {prime}) * state % {prime}"
    return f"""
with counters as (
    select range // {UNITS} as replicate, range % {UNITS} as unit,
        (range + {first}) % {prime} as state
    from range({RESAMPLES * UNITS})
),
second as (select replicate, ({power} + {second}) % {prime} as state from counters),
third as (select replicate, ({power} + {third}) % {prime} as state from second),
tallied as (
    select replicate, ({power}) * {UNITS} // {prime} as unit, 1 as hit from third
    union all
    select replicate, unit, 0 from counters
),
counted as (
    select replicate, unit, sum(hit) as hits from tallied group by replicate, unit
),
listed as (
    select replicate, list(cast(hits as double) order by unit) as hits
    from counted group by replicate
),
sums as (
    select cell, list_sort(list(list_dot_product(unit_values, hits))) as sums
    from cells cross join listed group by cell
)
select cell, sums[{low}] / {UNITS} / 1e9, sums[{RESAMPLES + 1 - low}] / {UNITS} / 1e9
from sums
"""
