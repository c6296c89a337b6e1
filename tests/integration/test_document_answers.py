"""Documents to answers on the command line, offline: from ingest to judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.main import app
from tests.support.golden_retrieval import DATASET, plant
from tests.support.ragchecker_files import landed
from warehouse import jsonl
from warehouse.paths import WarehousePaths


def run(warehouse: Path, *words: str) -> Any:
    return CliRunner().invoke(app, [*words, "--warehouse", str(warehouse)])


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    folder = plant(tmp_path)
    found = tmp_path / "warehouse"
    assert run(found, "rageval", "ingest", str(folder)).exit_code == 0
    asked = str(tmp_path / "asked.jsonl")
    done = run(found, "land", "rageval", "--questions", asked, "--dataset", DATASET)
    assert done.exit_code == 0, done.output
    return found


def test_the_whole_way_by_words_and_vectors(warehouse: Path) -> None:
    data = ("--dataset", DATASET)
    assert run(warehouse, "rageval", "index", *data).exit_code == 0
    variants = ("--variant", "TCTE", "--variant", "page_only")
    done = run(warehouse, "rageval", "retrieve", *data, *variants)
    assert done.exit_code == 0, done.output
    assert run(warehouse, "rageval", "answer", *data).exit_code == 0
    paths = WarehousePaths(warehouse)
    runs = {row["system_id"]: row for row in landed(paths, "runs")}
    assert {name: row["is_surrogate"] for name, row in runs.items()} == {
        "TCTE": False,
        "page_only": True,
    }
    configuration = jsonl.parse(runs["TCTE"]["configuration"])
    assert configuration["depths"] == {
        "dense": 70, "bm25": 100, "fused": 30, "reranked": 20, "rrf_k": 60
    }  # fmt: skip
    assert configuration["today"] is None
    assert {row["stage"] for row in landed(paths, "hits")} == {"dense", "bm25", "fused"}
    assert {row["rerank_status"] for row in landed(paths, "rewrites")} == {"skipped"}
    assert {row["dimension"] for row in landed(paths, "vectors")} == {384}
    answers = {
        (row["system_id"], row["question_id"]): row["answer"] for row in landed(paths, "answers")
    }
    assert answers["TCTE", "anchor"] == "55 crowns"
    judged = run(warehouse, "rageval", "judge", *data, "--run", "run", "--judge", "offline")
    assert judged.exit_code == 0, judged.output
    again = jsonl.parse(run(warehouse, "rageval", "retrieve", *data, *variants, "--json").stdout)
    assert (again["landed_units"], len(again["unchanged_units"])) == ([], 2)


def test_what_is_missing_is_told_with_what_mends_it(warehouse: Path, tmp_path: Path) -> None:
    data = ("--dataset", DATASET)
    done = run(warehouse, "rageval", "retrieve", *data, "--embedder", "offline")
    assert done.exit_code == 2
    assert f"podium rageval index --dataset {DATASET}" in done.output
    done = run(warehouse, "rageval", "answer", *data)
    assert done.exit_code == 2
    assert "has no hits" in done.output
    done = run(warehouse, "rageval", "retrieve", "--dataset", "other")
    assert done.exit_code == 2
    assert "has no questions" in done.output
    assert run(warehouse, "rageval", "retrieve", *data, "--variant", "best").exit_code == 2
    assert run(warehouse, "rageval", "retrieve", *data, "--embedder", "best").exit_code == 2


def test_vectors_are_made_once_for_a_text(warehouse: Path, tmp_path: Path) -> None:
    data = ("--dataset", DATASET)
    run(warehouse, "rageval", "index", *data)
    again = jsonl.parse(run(warehouse, "rageval", "index", *data, "--json").stdout)
    assert again["landed_units"] == []
    note = tmp_path / DATASET / "ropes.md"
    note.write_text("# Ropes\n\nRopes are made of jute now.\n", encoding="utf-8")
    run(warehouse, "rageval", "ingest", str(tmp_path / DATASET))
    done = run(warehouse, "rageval", "retrieve", *data, "--embedder", "offline")
    assert done.exit_code == 2
    assert "have no vector" in done.output
    run(warehouse, "rageval", "index", *data)
    done = run(warehouse, "rageval", "retrieve", *data, "--embedder", "offline")
    assert done.exit_code == 0, done.output


SPOILED = {
    "no question": ({"question": None}, "missing_field"),
    "a modality of its own": ({"modality": "sound"}, "unknown_value"),
    "a page without a document": ({"gold_pages": ["3"]}, "wrong_page"),
    "a page zero": ({"gold_pages": ["a.md#0"]}, "wrong_page"),
    "gold answers that are numbers": ({"gold_answers": [3]}, "wrong_type"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_question_is_told(tmp_path: Path, name: str) -> None:
    changes, reason = SPOILED[name]
    good = {"question_id": "a", "question": "Why?", "gold_answers": ["so"]}
    rows = [good, {**good, "question_id": "b", **changes}]
    jsonl.write_jsonl(tmp_path / "asked.jsonl", rows)
    done = run(
        tmp_path / "warehouse",
        "land",
        "rageval",
        "--questions",
        str(tmp_path / "asked.jsonl"),
        "--json",
    )
    assert done.exit_code == 1
    assert reason in done.stdout
    paths = WarehousePaths(tmp_path / "warehouse")
    assert [row["question_id"] for row in landed(paths, "questions")] == ["a"]
