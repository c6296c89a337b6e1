"""What judging cost, on random records of calls, against plain sums in fractions."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import duckdb
import pytest

from warehouse import landing, manifests
from warehouse.build import run_build
from warehouse.contracts.core import JUDGE_CALLS
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

KEY = (
    "benchmark", "dataset_id", "run_id", "system_id", "condition", "case_label", "role", "task",
    "model_asked",
)  # fmt: skip
BELOW = {"run": ("system_id", "condition", "case_label"), "system": ("case_label",), "case": ()}
Row = dict[str, Any]


def calls() -> list[Row]:
    """Return random calls: retries, cached replies, unknown tokens, prices and subjects."""
    draw = random.Random(41)
    rows = []
    for number in range(400):
        is_cached = draw.random() < 0.2
        http_status = draw.choice((200, 200, 200, 429, 500, None))
        is_told = not is_cached and http_status == 200 and draw.random() < 0.95
        system = draw.choice((None, "outliner", "sampler"))
        rows.append(
            dict.fromkeys(JUDGE_CALLS.names)
            | {
                "call_id": f"call_{number:04d}",
                "request_key": f"{draw.randrange(150):064x}",
                "benchmark": "xslides",
                "dataset_id": "data",
                "run_id": draw.choice((None, "data/a", "data/b")),
                "case_label": draw.choice(("case_1", "case_2")),
                "system_id": system,
                "condition": system and draw.choice(("agnostic", "conditioned")),
                "role": "answerability_judge",
                "task": draw.choice((None, "answerability")),
                "base_url": "http://127.0.0.1/v1",
                "model_asked": draw.choice(("model-a", "model-b")),
                "prompt_id": "answerability",
                "prompt_version": "1",
                "prompt_sha256": "a" * 64,
                "sample_index": 0,
                "schema_version": 1,
                "attempt": 0 if is_cached else draw.randrange(1, 4),
                "status": "answered" if is_told else "unavailable",
                "is_cached": is_cached,
                "http_status": None if is_cached else http_status,
                "input_token_count": draw.randrange(5_000) if is_told else None,
                "cached_input_token_count": draw.randrange(50) if is_told else None,
                "output_token_count": draw.randrange(900) if is_told else None,
                "latency_ms": None if is_cached else draw.choice((None, draw.randrange(90_000))),
                "cost_usd": 0.0
                if is_cached
                else draw.randrange(10**9) / 10**10
                if is_told and draw.random() < 0.9
                else None,
                "started_at": "2026-01-01T00:00:00.000+00:00",
                "source_file": "judge_calls/xslides/dataset-data/one.jsonl",
                "source_line": number + 1,
            }
        )
    return rows


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[Any, ...], Row]:
    paths = WarehousePaths(tmp_path_factory.mktemp("costs"))
    landed = landing.write_table(paths, JUDGE_CALLS, calls())
    manifest = Manifest(
        benchmark="xslides",
        unit="data/judge_calls",
        shard=manifests.WHOLE,
        dataset_id="data",
        source_root=str(paths.root),
        code_version="test",
        input_sha256="0" * 64,
        inputs=(),
        files=(landed,),
    )
    manifests.write(paths, manifest)
    result = run_build(paths, select="+rpt_judge_costs", threads=2)
    assert not result.findings
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        table = connection.sql("select * from marts.rpt_judge_costs").to_arrow_table()
    rows = {tuple(row[name] for name in ("cost_scope", *KEY)): row for row in table.to_pylist()}
    assert len(rows) == table.num_rows
    return rows


def expected() -> dict[tuple[Any, ...], list[Row]]:
    """Return the calls of every cell of every scope."""
    cells = defaultdict(list)
    for row in calls():
        for scope, below in BELOW.items():
            key = (None if name in below else row[name] for name in KEY)
            cells[(scope, *key)].append(row)
    return cells


def is_chargeable(row: Row) -> bool:
    return row["attempt"] > 0 and (row["http_status"] is None or row["http_status"] < 400)


def test_every_cell_of_every_scope_is_there(found: dict[tuple[Any, ...], Row]) -> None:
    assert found.keys() == expected().keys()


def test_counts_and_tokens(found: dict[tuple[Any, ...], Row]) -> None:
    for key, rows in expected().items():
        sent = [row for row in rows if row["attempt"]]
        charged = [row for row in rows if is_chargeable(row)]
        tokens = ("input_token_count", "cached_input_token_count", "output_token_count")
        assert {name: found[key][name] for name in found[key] if name.startswith("n_")} == {
            "n_requests": len({row["request_key"] for row in rows}),
            "n_attempts": len(sent),
            "n_failed_attempts": sum(row["status"] != "answered" for row in sent),
            "n_cached": sum(row["is_cached"] for row in rows),
            "n_uncounted": sum(row["input_token_count"] is None for row in charged),
            "n_unpriced": sum(row["cost_usd"] is None for row in charged),
        }, key
        for name in tokens:
            assert found[key][name] == sum(row[name] or 0 for row in rows), (key, name)


def test_dollars_are_exact_and_a_part_never_passes_for_the_whole(
    found: dict[tuple[Any, ...], Row],
) -> None:
    wholes = set()
    for key, rows in expected().items():
        known = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
        priced = sum((round(Fraction(one) * 10**12) for one in known), 0) / 10**12
        is_whole = all(row["cost_usd"] is not None for row in rows if is_chargeable(row))
        assert found[key]["priced_cost_usd"] == priced, key
        assert found[key]["cost_usd"] == (priced if is_whole else None), key
        wholes.add(is_whole)
    assert wholes == {True, False}


def test_latencies_are_nearest_ranks(found: dict[tuple[Any, ...], Row]) -> None:
    for key, rows in expected().items():
        timed = sorted(
            row["latency_ms"] for row in rows if row["attempt"] and row["latency_ms"] is not None
        )
        for name, share in (("latency_median_ms", 0.5), ("latency_p95_ms", 0.95)):
            rank = math.ceil(round(share * len(timed), 9))
            assert found[key][name] == (timed[rank - 1] if timed else None), (key, name)
