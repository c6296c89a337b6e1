"""podium cache: what it prints, what it leaves, how it exits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ingest.endpoint import segments
from ingest.endpoint.cache import ReplyCache, cache_folder
from podium.cli.main import app
from tests.unit.endpoint.helpers import MODEL, truth
from tests.unit.endpoint.test_reply_cache import filled
from warehouse.paths import WarehousePaths


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    for name in "abc":
        filled(cache_folder(WarehousePaths(tmp_path)), name)
    return tmp_path


def run(warehouse: Path, *arguments: str, exit_code: int = 0) -> Any:
    """Return what a command prints with --json."""
    result = CliRunner().invoke(app, ["cache", *arguments, "--json", "--warehouse", str(warehouse)])
    assert result.exit_code == exit_code, result.output
    return json.loads(result.stdout) if result.stdout.strip() else None


def kept(warehouse: Path) -> int:
    return len(ReplyCache(cache_folder(WarehousePaths(warehouse))))


def test_list_shows_who_asked_whom_and_no_text(warehouse: Path) -> None:
    entries = run(warehouse, "list")
    assert len(entries) == 3
    assert {entry["model_asked"] for entry in entries} == {MODEL}
    assert "text" not in entries[0]
    assert len(run(warehouse, "list", "--limit", "2")) == 2
    assert run(warehouse, "list", "--role", "generator", exit_code=5) == []


def test_stats_sum_up_by_role_and_model(warehouse: Path) -> None:
    stats = run(warehouse, "stats")
    assert stats["replies"] == 3
    (group,) = stats["groups"]
    assert (group["role"], group["model"]) == ("claim_judge", MODEL)
    assert (group["input_tokens"], group["output_tokens"], group["without_cost"]) == (30, 15, 3)


def test_export_writes_texts(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "replies.jsonl"
    assert run(warehouse, "export", str(target))["replies"] == 3
    rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [json.loads(row["text"]) for row in rows] == [truth(name) for name in "abc"]
    run(warehouse, "export", str(target), "--model", "nobody", exit_code=5)
    assert len(target.read_text(encoding="utf-8").splitlines()) == 3


def test_verify_tells_torn_from_altered_lines_by_exit_code(warehouse: Path) -> None:
    folder = cache_folder(WarehousePaths(warehouse))
    assert run(warehouse, "verify") == {"replies": 3, "duplicates": 0, "damages": []}
    first, second, _ = segments.segments_of(folder)
    first.write_bytes(first.read_bytes()[:-9])
    told = run(warehouse, "verify", exit_code=4)
    assert (told["replies"], told["damages"]) == (
        2,
        [{"segment": first.name, "line": 1, "reason": "torn_line"}],
    )
    second.write_bytes(second.read_bytes().replace(b"covered", b"c0vered"))
    assert len(run(warehouse, "verify", exit_code=1)["damages"]) == 2
    assert run(warehouse, "prune")["set_aside"] == 2
    assert run(warehouse, "verify")["replies"] == 1


def test_an_empty_cache_is_nothing_selected(tmp_path: Path) -> None:
    for verb in ("list", "stats", "verify"):
        run(tmp_path, verb, exit_code=5)
    assert list(tmp_path.iterdir()) == []


def test_prune_tells_first_and_removes_what_it_was_told_to(warehouse: Path) -> None:
    assert len(run(warehouse, "prune", "--all", "--dry-run")["removed"]) == 3
    assert kept(warehouse) == 3
    assert run(warehouse, "prune", "--older-than", "30")["removed"] == []
    assert run(warehouse, "prune")["removed"] == []
    assert kept(warehouse) == 3
    run(warehouse, "prune", "--model", "no-such-model", exit_code=5)
    assert len(run(warehouse, "prune", "--model", MODEL)["removed"]) == 3
    assert kept(warehouse) == 0


def test_people_read_the_same_figures(warehouse: Path) -> None:
    result = CliRunner().invoke(app, ["cache", "stats", "--warehouse", str(warehouse)])
    assert result.exit_code == 0
    assert MODEL in result.output
    assert "3 replies" in result.output
