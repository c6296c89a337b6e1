"""Fuzzed score files: both lanes of landing agree, nothing is lost, nothing raises."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ingest.xslides import land_runs
from ingest.xslides.land import LandOptions, land
from ingest.xslides.land_scores_fast import ScoreFile
from tests.support import spoiled
from warehouse import jsonl
from warehouse.contracts.xslides import PROBE_SCORES
from warehouse.paths import WarehousePaths

LINES = int(os.environ.get("PODIUM_FUZZED_LINES", "4000"))
pytestmark = pytest.mark.faults

REPLACEMENTS = (
    ("true", '"true"'),
    ("true", "1"),
    ("true", "null"),
    ("0.9", "NaN"),
    ("0.9", "Infinity"),
    ("0.9", "1e999"),
    ("0.9", '"0.9"'),
    ("0.9", "0.9,"),
    ("0.9", "7"),
    ("0.9", "0"),
    ("0.9", "12345678901234567890123"),
    ('"covered"', '"covered": false, "covered"'),
    ('"confidence"', '"confidence": 0.1, "confidence"'),
    ('"confidence"', '"verdict": "abstain", "confidence"'),
    ('"confidence"', '"judgment_status": "failed", "confidence"'),
    ('"confidence"', '"notes": [1, {"x": 2}], "confidence"'),
    ('"confidence"', '"repeats": [{"verdict": "covered", "confidence": 1}, null], "confidence"'),
    ('"confidence"', '"repeats": [null, {"confidence": 0, "verdict": "abstain"}], "confidence"'),
    ('"confidence"', '"repeats": [null], "repeats": 3, "confidence"'),
    ('"confidence"', '"repeats": "covered", "confidence"'),
    ('"answer": "answer"', '"answer": "\\ud800"'),
    ('"answer": "answer"', '"answer": "a\\u0000b"'),
    ('"answer": "answer"', '"answer": "\\u2028 \\u00a0"'),
    ('"answer": "answer"', '"answer": "\\u00a0"'),
    ('"answer": "answer"', '"answer": null'),
    ('"answer": "answer"', '"answer": "tab\there"'),
    ('"answer": "answer"', '"answer": "NaN, Infinity] and \\"covered\\": 1"'),
    ("pb_0", "pb_9"),
    ("pb_0", "p\u0301b_0"),
    ('"probe_id": "pb_', '"probe_id": "  ", "x": "pb_'),
    ('"metadata": {', '"metadata": null, "rest": {'),
    ("{", "["),
    ("}", ""),
    ("{", '{"_f": 3, '),
    ('"', "'"),
)


def fuzz(line: str, draw: random.Random) -> bytes:
    """Return a line with one or two faults, or with random bytes changed."""
    for _ in range(draw.randrange(3)):
        old, new = draw.choice(REPLACEMENTS)
        line = line.replace(old, new, 1)
    content = bytearray(line.encode("utf-8"))
    if draw.random() < 0.2 and content:
        for _ in range(draw.randrange(1, 4)):
            content[draw.randrange(len(content))] = draw.randrange(256)
    if draw.random() < 0.05:
        content = content[: draw.randrange(len(content) + 1)]
    return bytes(content).replace(b"\n", b" ")


def test_every_fuzzed_line_is_a_row_or_a_named_reject(tmp_path: Path) -> None:
    draw = random.Random(31)
    clean = json.dumps({"probe_id": "pb_0001", "covered": True, "metadata": {"confidence": 0.9}})
    lines = [fuzz(clean, draw) for _ in range(LINES)]
    path = tmp_path / "fuzzed.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    content = jsonl.read_jsonl(path)
    filled = sum(bool(line.strip(b" \t\r\n")) for line in lines)
    assert len(content.rows) + len(content.rejects) == filled
    assert len({one.line for one in content.rows} | {one.line for one in content.rejects}) == filled
    assert content.rejects
    assert content.rows


@pytest.mark.parametrize("seed", range(max(4, LINES // 2000)))
def test_both_lanes_land_the_same_rows_and_rejects(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    root = spoiled.plant(tmp_path / "data").root
    for path in sorted(root.rglob("probe_scores.jsonl")):
        lines = path.read_text().splitlines()
        if draw.random() < 0.3:
            lines = [json.dumps(json.loads(one), sort_keys=True) for one in lines]
        fuzzed = [fuzz(one, draw) if draw.random() < 0.15 else one.encode() for one in lines]
        if draw.random() < 0.2:
            fuzzed.insert(draw.randrange(len(fuzzed)), draw.choice((b"", b" \t", b"\xc2\xa0")))
        ending = draw.choice((b"\n", b"\r\n", b""))
        mark = b"\xef\xbb\xbf" if draw.random() < 0.1 else b""
        path.write_bytes(mark + b"\n".join(fuzzed) + ending)
    fast = landed(WarehousePaths(tmp_path / "fast"), root)
    monkeypatch.setattr(land_runs, "read_clean", _all_slow)
    assert landed(WarehousePaths(tmp_path / "slow"), root) == fast


def _all_slow(_: Any, files: list[ScoreFile]) -> tuple[Any, list[ScoreFile]]:
    return PROBE_SCORES.schema.empty_table(), [
        one for one in files if (one.folder / "probe_scores.jsonl").is_file()
    ]


def landed(paths: WarehousePaths, root: Path) -> list[list[Any]]:
    """Return all landed judgments and rejects, metadata in one form: lanes order its keys."""
    land(paths, root, LandOptions())
    found = []
    for table in ("xslides/probe_scores", "core/rejects"):
        rows = []
        for file in sorted((paths.landing / table).glob("*.parquet")):
            for row in pq.read_table(file).to_pylist():
                if row.get("metadata"):
                    row["metadata"] = jsonl.canonical(json.loads(row["metadata"]))
                rows.append(sorted(row.items(), key=lambda item: item[0]))
        found.append(sorted(rows, key=str))
    return found
