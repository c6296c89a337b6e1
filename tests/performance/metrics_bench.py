"""Coverage of every evaluation at one threshold, from landed Parquet, at three sizes."""

from __future__ import annotations

import json
import multiprocessing
import resource
from pathlib import Path
from typing import Any

import duckdb

from tests.performance.measure import Comparison, Timing, timed
from warehouse import relations
from warehouse.paths import WarehousePaths

# The rules of the models (decision 0005) at the headline threshold. Denominators come from
# the weights alone, so a missing judgment counts as uncovered and never leaves the grid.
COVERAGE = """
with included as (
    select weight_key, weight_set_id, sample_tenths_sum * (720720 // sample_count) as units
    from xslides.weights
    where 100 * sample_tenths_sum >= sample_count * 700
),
available as (
    select weight_set_id, sum(units) as units from included group by weight_set_id
),
recovered as (
    select scores.evaluation_key, sum(included.units) as units
    from xslides.probe_scores as scores
    inner join included on scores.weight_key = included.weight_key
    where scores.covered and scores.judgment_status = 'judged'
    group by scores.evaluation_key
)
select evaluations.source_file, evaluations.evaluation_key,
    coalesce(recovered.units, 0) / nullif(cast(available.units as double), 0) as coverage
from xslides.evaluations as evaluations
left join available on evaluations.weight_set_id = available.weight_set_id
left join recovered on evaluations.evaluation_key = recovered.evaluation_key
"""
SCAN = """
select sum(evaluation_key), sum(weight_key), count(*) filter (covered) from xslides.probe_scores
"""
CASES, AUDIENCES, PROBES = 113, 3, 830


def paper_comparison(tree: Path, paths: WarehousePaths) -> Comparison:
    """Return the comparison with plain Python on a landed tree."""
    connection = landed_relations(paths)
    found = connection.execute("select count(*) from xslides.probe_scores").fetchone()
    rows = found[0] if found else 0
    return Comparison(
        f"coverage of every evaluation in SQL over landed Parquet, {rows:,} judgments",
        "plain Python over the JSONL tree",
        lambda: connection.execute(COVERAGE).fetchall(),
        lambda: coverage_in_python(tree),
        at_least=100,
    )


def landed_relations(paths: WarehousePaths) -> duckdb.DuckDBPyConnection:
    """Return a connection that sees what is landed."""
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    relations.register(connection, relations.current_state(paths))
    return connection


def coverage_in_sql(connection: duckdb.DuckDBPyConnection) -> dict[str, float | None]:
    """Return coverage by folder of a landed tree."""
    rows = connection.execute(COVERAGE).fetchall()
    return {Path(file).parent.as_posix(): coverage for file, _, coverage in rows}


def coverage_in_python(root: Path, tau: float = 0.7) -> dict[str, float | None]:
    """Return coverage by folder of a tree, re-reading probes and weights per evaluation."""
    coverages = {}
    for file in sorted(root.glob("runs/*/evaluations/*/*/*/*/probe_scores.jsonl")):
        case, audience = file.parts[-2], file.parts[-3]
        bank = root / "probes" / case
        probes = {row["probe_id"] for row in _rows(bank / "probes_deduped.jsonl")}
        weights = {
            row["probe_id"]: row["utility_weight"]
            for row in _rows(bank / "weights" / f"{audience}.jsonl")
        }
        covered = {row["probe_id"]: row["covered"] for row in _rows(file)}
        included = [one for one in probes if weights[one] >= tau]
        available = sum(weights[one] for one in included)
        recovered = sum(weights[one] for one in included if covered.get(one))
        folder = file.parent.relative_to(root).as_posix()
        coverages[folder] = recovered / available if available else None
    return coverages


def scale_comparison(folder: Path, cells: int, at_most: float) -> Comparison:
    """Return the comparison with a scan, on `cells` x 281,370 judgments made as Parquet."""
    connection = scale_relations(folder, cells)
    rows = cells * CASES * AUDIENCES * PROBES
    return Comparison(
        f"the same on {rows:,} judgments made as Parquet",
        "DuckDB, scan of the integer columns",
        lambda: connection.execute(COVERAGE).fetchall(),
        lambda: connection.execute(SCAN).fetchall(),
        at_most=at_most,
    )


def scale_relations(folder: Path, cells: int) -> duckdb.DuckDBPyConnection:
    """Make landing relations of `cells` system and condition pairs; return a reader of them.

    113 cases, 3 audiences and 830 probes a case; keys are spread over 63 bits as real ones
    are, files are sorted by key as landing sorts them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    connection.execute("set enable_progress_bar = false")
    connection.execute("set memory_limit = '2GB'")
    connection.execute(f"set temp_directory = '{folder / 'spill'}'")
    sets = CASES * AUDIENCES
    made = {
        "weights": f"""
            select sets.weight_set_id, sets.weight_set_key * 1048576 + ordinals.ordinal
                as weight_key, 3 as sample_count,
                cast(hash(sets.weight_set_id * 1000 + ordinals.ordinal) % 31 as bigint)
                    as sample_tenths_sum
            from ({_keys("weight_set", sets)}) as sets
            cross join (select range + 1 as ordinal from range({PROBES})) as ordinals
            order by weight_key
        """,
        "evaluations": f"""
            select evaluation_id as source_file, evaluation_key, evaluation_id % {sets}
                as weight_set_id
            from ({_keys("evaluation", sets * cells)})
        """,
        "probe_scores": f"""
            select evaluations.evaluation_key, sets.weight_set_key * 1048576 + ordinals.ordinal
                as weight_key,
                hash(evaluations.evaluation_id * 1009 + ordinals.ordinal) % 10 < 6 as covered,
                'judged' as judgment_status
            from ({_keys("evaluation", sets * cells)}) as evaluations
            inner join ({_keys("weight_set", sets)}) as sets
                on evaluations.evaluation_id % {sets} = sets.weight_set_id
            cross join (select range + 1 as ordinal from range({PROBES})) as ordinals
            order by evaluations.evaluation_id, ordinals.ordinal
        """,
    }
    connection.execute("create schema xslides")
    for name, query in made.items():
        path = folder / f"{name}.parquet"
        if not path.exists():
            connection.execute(f"copy ({query}) to '{path}' (compression zstd)")
        connection.execute(f"create view xslides.{name} as select * from '{path}'")
    return connection


def _keys(noun: str, count: int) -> str:
    return (
        f"select range as {noun}_id, (range + 7) * 2654435761 % 4398046511104 as {noun}_key "
        f"from range({count})"
    )


def in_a_child(folder: Path, cells: int) -> tuple[Timing, Timing, int]:
    """Return median timings of coverage and scan and the peak bytes, in a fresh process.

    The Parquet files must be there, so that making them does not count as memory.
    """
    scale_relations(folder, cells).close()
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measured, (folder, cells))


def _measured(folder: Path, cells: int) -> tuple[Timing, Timing, int]:
    connection = scale_relations(folder, cells)
    ours: list[Timing] = []
    theirs: list[Timing] = []
    for _ in range(3):
        ours.append(timed(lambda: connection.execute(COVERAGE).fetchall()))
        theirs.append(timed(lambda: connection.execute(SCAN).fetchall()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return sorted(ours, key=_cpu)[1], sorted(theirs, key=_cpu)[1], peak


def _cpu(timing: Timing) -> float:
    return timing.cpu


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
