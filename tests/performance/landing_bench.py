"""Landing of judgments against the least that could be done: writing the same Parquet."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.land_fields import FileReader
from ingest.xslides.land_banks import BankInfo
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_scores import EvaluationIds
from ingest.xslides.land_scores_fast import ScoreFile, read_clean
from tests.performance.measure import Comparison
from tests.support.trees import score, write_jsonl
from warehouse import landing
from warehouse.contracts.xslides import PROBE_SCORES
from warehouse.landing import RejectLog
from warehouse.paths import WarehousePaths

PROBES = 75


def comparison(folder: Path, file_count: int) -> Comparison:
    """Return the comparison on `file_count` files of 75 clean judgments made in `folder`."""
    files = score_files(folder / "scores", file_count)
    table = land_scores(folder / "landing", files)
    rows = file_count * PROBES
    return Comparison(
        f"{rows:,} clean judgments in {file_count:,} JSONL files landed, strictly checked",
        "PyArrow, Parquet write alone",
        lambda: land_scores(folder / "landing", files),
        lambda: write_parquet(table, folder / "plain.parquet"),
        at_most=6,
    )


def score_files(root: Path, file_count: int) -> list[ScoreFile]:
    """Write clean judgments, 75 a file, and return the files with their ids."""
    draw = random.Random(5)
    ids = [f"pb_{number:04d}" for number in range(1, PROBES + 1)]
    case = CaseInfo("bench", "case_000", "case_000", None)
    ordinals = {probe_id: index for index, probe_id in enumerate(ids, start=1)}
    bank = BankInfo("bank_bench", case, "", ordinals, "")
    files = []
    for number in range(file_count):
        folder = root / f"evaluation_{number:05d}"
        rows = [score(one, draw.random() < 0.6) for one in ids]
        for row in rows:
            row["metadata"]["verdict"] = "covered" if row["covered"] else "uncovered"
            row["metadata"]["latency_ms"] = draw.randrange(200, 9_000)
            row["answer"] = f"Some answer of the deck about thing {draw.randrange(10**6)}"
        write_jsonl(folder / "probe_scores.jsonl", rows)
        evaluation = EvaluationIds(f"evaluation_{number:05d}", number, number)
        files.append(ScoreFile(folder, evaluation, bank))
    return files


def land_scores(root: Path, files: list[ScoreFile]) -> pa.Table:
    """Land score files, strictly checked, and return the table.

    Raises:
        ValueError: when a clean file did not take the fast lane, so that a slow lane that
            happened to be quick enough could not hide it.
    """
    log = RejectLog("xslides", "bench", "bench")
    table, slow = read_clean(FileReader(files[0].folder.parent, log), files)
    if slow:
        raise ValueError(f"{len(slow)} clean files took the slow lane")
    landing.write_table(WarehousePaths(root), PROBE_SCORES, [], table)
    return table


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as landing does, without reading or checking anything."""
    pq.write_table(table, path, compression="zstd", use_dictionary=True)
