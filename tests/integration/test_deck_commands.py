"""`podium xslides decks`: from the run sheet to the decks of a run, and its exit codes."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.tree import ArtifactTree
from podium.cli.main import app
from tests.support.deck_workshop import model_deck, model_pdf, small_tree

MAKER = """
import os, pathlib, shutil, sys
deck, output, note = sys.argv[1:]
shutil.copy(deck, output)
pathlib.Path(output).open("ab").write((note + os.environ.get("NOTE", "")).encode())
if os.environ.get("MAKER_API_KEY"):
    print(os.environ["MAKER_API_KEY"], file=sys.stderr)
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ArtifactTree:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MAKER_API_KEY", raising=False)
    (tmp_path / "maker.py").write_text(MAKER)
    (tmp_path / ".env").write_text("MAKER_API_KEY=sk-from-dotenv\n")
    return small_tree(tmp_path, ("carts", "trams"))


def decks(tree: ArtifactTree, verb: str, *arguments: str) -> Result:
    words = ["xslides", "decks", verb, str(tree.root), "--run", "r1", *arguments]
    return CliRunner().invoke(app, words)


def command(*parts: str) -> str:
    return shlex.join([sys.executable, "-I", "maker.py", *parts])


def report(result: Result) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def test_decks_are_made_once_and_no_key_reaches_the_tree(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    assert decks(tree, "sheet", "--system", "ours").exit_code == 0
    make = command(str(model_deck(tmp_path)), "{output}", "{audience}")
    made = decks(tree, "run", "--system", "ours", "--command", make, "--jobs", "2", "--json")
    assert made.exit_code == 0 and report(made)["done"] == 8
    again = decks(tree, "run", "--system", "ours", "--command", make, "--json")
    assert (again.exit_code, report(again)["skipped"]) == (0, 8)
    rows, findings = read_run_sheet(tree, "r1")
    assert findings == [] and [row.key for row in rows] == tree.deck_keys("r1")
    assert all((tree.root / row.deck_path).is_file() for row in rows)
    files = [path for path in tree.root.rglob("*") if path.is_file()]
    assert not any(b"sk-from-dotenv" in path.read_bytes() for path in files)
    status = tree.run_folder("r1") / "deck_generation/status/ours/agnostic/agnostic/carts.json"
    assert json.loads(status.read_text())["stderr_tail"].strip() == "[key]"


def test_exit_codes_tell_what_happened(tmp_path: Path, tree: ArtifactTree) -> None:
    assert decks(tree, "sheet", "--system", "ours", "--condition", "agnostic").exit_code == 0
    ours = ("--system", "ours", "--command")
    assert decks(tree, "run", *ours, "false {output}").exit_code == 4
    assert decks(tree, "run", *ours, "true", "--case", "none").exit_code == 5
    assert decks(tree, "run", *ours, "true", "--shard-index", "1").exit_code == 2
    assert decks(tree, "run", *ours, "true {nothing}").exit_code == 2
    assert decks(tree, "run", "--system", "ours").exit_code == 2
    assert decks(tree, "run", "--command", "true").exit_code == 2
    secret = decks(tree, "run", *ours, "true sk-from-dotenv")
    assert secret.exit_code == 2 and "sk-from-dotenv" not in secret.output
    assert decks(tree, "sheet").exit_code == 2
    assert decks(tree, "sheet", "--system", "ours", "--select", "case:none").exit_code == 5


def test_adapters_are_read_from_a_file(tmp_path: Path, tree: ArtifactTree) -> None:
    assert decks(tree, "sheet", "--system", "one", "--system", "two").exit_code == 0
    parts = [sys.executable, "-I", "maker.py", str(model_deck(tmp_path)), "{output}", "{audience}"]
    (tmp_path / "adapters.toml").write_text(
        f"[systems.one]\ncommand = {json.dumps(parts)}\n"
        f"[systems.two]\ncommand = {json.dumps(parts)}\n[systems.two.env]\nNOTE = 'two'\n"
    )
    adapters = ("--adapters", "adapters.toml")
    one = decks(tree, "run", *adapters, "--system", "one", "--audience", "learners", "--json")
    assert report(one)["done"] == 2
    both = decks(tree, "run", *adapters, "--json")
    assert (report(both)["done"], report(both)["skipped"]) == (14, 2)
    (deck,) = (tree.run_folder("r1") / "decks/two/agnostic/agnostic/carts").iterdir()
    assert deck.read_bytes().endswith(b"agnostictwo")
    assert decks(tree, "run", *adapters, "--system", "three").exit_code == 2


def test_exports_are_imported_with_a_mapping(tmp_path: Path, tree: ArtifactTree) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "talk one.pdf").write_bytes(model_pdf(tmp_path).read_bytes())
    (folder / "talk two.pdf").write_bytes(model_pdf(tmp_path).read_bytes() + b"\n%")
    layout = ("--decks", str(folder), "--layout", "notebooklm", "--json")
    assert decks(tree, "import", *layout).exit_code == 4
    (tmp_path / "map.csv").write_text(
        "path,system_id,condition,audience,case_label\n"
        "talk one.pdf,notebooklm,conditioned,learners,carts\n"
        "talk two.pdf,notebooklm,agnostic,,trams\n"
    )
    mapped = decks(tree, "import", *layout, "--mapping", "map.csv")
    assert (mapped.exit_code, report(mapped)["done"]) == (0, 2)


def test_slidetailor_is_prepared_and_run(tmp_path: Path, tree: ArtifactTree) -> None:
    (tree.source_folder("carts") / "source.md").unlink()
    (tree.source_folder("carts") / "source.pdf").write_bytes(model_pdf(tmp_path).read_bytes())
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "one.pptx").write_bytes(model_deck(tmp_path).read_bytes())
    prepared = decks(
        tree, "prepare-slidetailor", "--out", "st", "--templates", "templates", "--json"
    )
    assert (prepared.exit_code, report(prepared)["done"]) == (0, 4)
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "maker.py").write_text(MAKER)
    make = command("{template}", "{work_dir}/final.pptx", "{preferences}{device}{audience}")
    options = ("--dataset", "st", "--cwd", "checkout", "--command", make, "--json")
    more = ("--devices", "cuda:0", "--condition", "conditioned")
    made = decks(tree, "run-slidetailor", *options, *more)
    assert (made.exit_code, report(made)["done"]) == (0, 3)
    key = "slidetailor/conditioned/learners/carts/carts.pptx"
    assert (tree.run_folder("r1") / "decks" / key).read_bytes().endswith(b"cuda:0learners")
