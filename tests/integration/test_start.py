"""A command pays for what it needs: it starts without the libraries of others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer
from rich.text import Text
from typer.core import TyperGroup
from typer.testing import CliRunner

from podium.cli.later import Later
from podium.cli.main import app
from warehouse import states
from warehouse.paths import PROJECT_ROOT, WarehousePaths

HEAVY = (
    "dbt", "great_expectations", "httpx2", "jsonschema.validators", "openai", "pandas", "pptx",
    "pymupdf", "scipy", "sqlalchemy",
)  # fmt: skip
ENGINES = ("duckdb", "numpy", "pyarrow")
"""Libraries of the warehouse: who reads it needs them, who asks for help does not."""

RUN = "from podium.cli.main import main; main()"
IMPORT_ALL = "from tests.integration.test_start import listed; list(listed())"


def started(code: str, *arguments: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """Run code in a process of its own; return how it ended and what it had loaded."""
    told = (
        f"import json, sys; names = {(*HEAVY, *ENGINES)}\ntry: {code}\n"
        "finally: print(json.dumps([one for one in names if one in sys.modules]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", told, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)},
    )
    (line,) = (one for one in done.stderr.splitlines() if one.startswith("["))
    return done, set(json.loads(line))


def listed() -> Iterator[tuple[Any, Any]]:
    """Yield every command of every group as it is listed, and as it is when it is called."""
    groups: list[Any] = [typer.main.get_group(app)]
    while groups:
        for command in groups.pop().commands.values():
            found = command.imported() if isinstance(command, Later) else command
            yield command, found
            if isinstance(found, TyperGroup):
                groups.append(found)


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [(("--help",), 0), (("--version",), 0), (("land", "--help"), 0), (("qery",), 2)],
)
def test_what_is_listed_is_not_imported(arguments: tuple[str, ...], exit_code: int) -> None:
    done, loaded = started(RUN, *arguments)
    assert done.returncode == exit_code, done.stderr
    assert not loaded


def test_a_query_loads_no_reader_builder_or_client(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    paths.current.mkdir(parents=True)
    duckdb.connect(str(paths.current / states.DATABASE_FILE)).close()
    state = {"release_id": "0", "marts": {}}
    (paths.current / states.STATE_FILE).write_text(json.dumps(state), encoding="utf-8")
    done, loaded = started(RUN, "query", "select 41 + 1 as answer", "--warehouse", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["answer", "42"]
    assert not loaded & set(HEAVY)


def test_no_command_loads_a_reader_builder_or_client_before_its_work() -> None:
    done, loaded = started(IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert set(ENGINES) <= loaded
    assert not loaded & set(HEAVY)


def test_a_list_says_of_a_command_what_the_command_says_of_itself() -> None:
    differing = {
        later.name: (later.help, found.help)
        for later, found in listed()
        if isinstance(later, Later) and later.help != " ".join(found.help.split("\n\n")[0].split())
    }
    assert not differing


def test_all_that_podium_lists_is_imported_later() -> None:
    commands: dict[str, Any] = dict(typer.main.get_group(app).commands)
    inner = [one for name in ("land", "check") for one in commands.pop(name).commands.values()]
    assert len(inner) == 7
    assert all(isinstance(one, Later) for one in (*commands.values(), *inner))


def test_no_help_text_has_square_brackets_that_its_printer_takes_for_markup() -> None:
    texts = [one.help or "" for _, found in listed() for one in (found, *found.params)]
    assert "Warehouse root. \\[env: PODIUM_WAREHOUSE]" in texts
    for text in texts:
        assert Text.from_markup(text).plain == text.replace("\\[", "["), text


def test_a_name_that_is_no_command_is_suggested_for() -> None:
    done = CliRunner().invoke(app, ["land", "serchgen"])
    assert done.exit_code == 2
    assert "Did you mean 'searchgen'?" in done.output
