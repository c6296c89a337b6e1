from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.decks.commands import Adapter
from ingest.xslides.decks.process import TAIL_CHARS
from ingest.xslides.decks.run_sheet import RunSheetRow, read_run_sheet, write_run_sheet
from ingest.xslides.decks.runner import RunnerOptions, run_decks
from ingest.xslides.decks.selection import RowFilter, names, shard_of
from ingest.xslides.decks.status import generation_folder, status_file, work_folder
from ingest.xslides.stage import StageReport
from ingest.xslides.tree import ArtifactTree, DeckKey
from tests.support.deck_workshop import (
    CASES,
    RUN,
    SYSTEM,
    calls,
    generator,
    model_deck,
    model_pdf,
    shop,
    small_tree,
    with_sheet,
)
from warehouse.errors import UsageError
from warehouse.findings import Outcome

AGNOSTIC = {"conditions": ("agnostic",)}
CARTS = DeckKey(SYSTEM, "agnostic", "agnostic", "carts")


@pytest.fixture
def tree(tmp_path: Path) -> ArtifactTree:
    made = small_tree(tmp_path)
    with_sheet(made, **AGNOSTIC)
    return made


def run(
    tree: ArtifactTree, root: Path, adapter: Adapter, *, force: bool = False, **options: Any
) -> StageReport:
    env = options.pop("env", {})
    chosen = RunnerOptions(shop(tree, root, force=force, **env), **options)
    return run_decks(tree, RUN, {SYSTEM: adapter}, chosen)


def only_carts(**more: Any) -> dict[str, Any]:
    return {"rows": RowFilter(cases=names(["carts"]), **more)}


def status(tree: ArtifactTree, key: DeckKey = CARTS) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(status_file(tree, RUN, key).read_text())
    return content


def deck(tree: ArtifactTree, name: str = "carts.pptx") -> Path:
    return tree.deck_folder(RUN, CARTS) / name


def test_decks_are_made_once_and_told_of(tmp_path: Path, tree: ArtifactTree) -> None:
    adapter = generator(tmp_path, "deck", "{case_label}", "{condition}")
    report = run(tree, tmp_path, adapter, jobs=2)
    assert (report.done, report.failed, report.findings) == (len(CASES), 0, ())
    assert tree.deck_keys(RUN) == sorted(row.key for row in read_run_sheet(tree, RUN)[0])
    assert deck(tree).read_bytes().startswith(model_deck(tmp_path).read_bytes())
    assert status(tree)["status"] == "done" and status(tree)["exit_code"] == 0
    assert list(work_folder(tree, RUN, CARTS).iterdir()) == []
    (batch,) = (generation_folder(tree, RUN) / "batches").iterdir()
    summary = json.loads(batch.read_text())
    assert summary["counts"]["done"] == 2 and len(summary["rows"]) == 2
    assert not list(tmp_path.rglob("pwned"))
    again = run(tree, tmp_path, adapter)
    assert (again.done, again.skipped) == (0, 2) and len(calls(tmp_path)) == 2


@pytest.mark.parametrize("changed", ["source", "prompt", "command", "deck", "force"])
def test_a_deck_is_made_again_when_what_it_was_made_of_changed(
    tmp_path: Path, tree: ArtifactTree, changed: str
) -> None:
    adapter = generator(tmp_path, "deck", "{case_label}")
    run(tree, tmp_path, adapter)
    (row,) = (row for row in read_run_sheet(tree, RUN)[0] if row.key == CARTS)
    if changed == "source":
        (tree.root / row.source_path).write_text("other")
    elif changed == "prompt":
        (tree.root / row.prompt_path).write_text("other")
    elif changed == "command":
        adapter = replace(adapter, argv=(*adapter.argv, "more"))
    elif changed == "deck":
        deck(tree).unlink()
    report = run(tree, tmp_path, adapter, force=changed == "force", **only_carts())
    assert (report.done, report.skipped) == (1, 0)


@pytest.mark.parametrize(
    ("what", "status_name", "exit_code"),
    [
        ("fail", "failed", 3),
        ("text", "not_a_deck", 0),
        ("archive", "not_a_deck", 0),
        ("link", "not_a_deck", 0),
        ("folder_link", "no_output", 0),
        ("nothing", "no_output", 0),
    ],
)
def test_what_is_no_deck_is_not_stored(
    tmp_path: Path, tree: ArtifactTree, what: str, status_name: str, exit_code: int
) -> None:
    env = {"API_KEY": "sk-very-secret"}
    report = run(tree, tmp_path, generator(tmp_path, what), env=env, **only_carts())
    assert (report.done, report.failed) == (0, 1)
    (finding,) = report.findings
    assert finding.check == "deck_was_made" and finding.outcome is Outcome.INCOMPLETE
    assert (status(tree)["status"], status(tree)["exit_code"]) == (status_name, exit_code)
    assert tree.deck_keys(RUN) == []
    told = b"".join(path.read_bytes() for path in tree.root.rglob("*") if path.is_file())
    assert b"sk-very-secret" not in told
    assert ("secret is [key]" in status(tree)["stderr_tail"]) == (what == "fail")
    assert run(tree, tmp_path, generator(tmp_path), **only_carts()).done == 1


def test_a_link_to_a_deck_through_a_folder_is_refused(tmp_path: Path, tree: ArtifactTree) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "carts.pptx"
    target.write_bytes(model_deck(tmp_path).read_bytes())
    adapter = generator(tmp_path, "folder_link", deck=target)
    assert run(tree, tmp_path, adapter, **only_carts()).failed == 1
    assert status(tree)["status"] == "not_a_deck" and target.is_file()


def test_a_pdf_under_the_name_of_a_pptx_is_stored_as_what_it_is(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    adapter = generator(tmp_path, deck=model_pdf(tmp_path))
    assert run(tree, tmp_path, adapter, **only_carts()).done == 1
    assert deck(tree, "carts.pdf").is_file() and not deck(tree).exists()
    assert run(tree, tmp_path, adapter, **only_carts()).skipped == 1
    pptx = generator(tmp_path, "deck", "now a pptx")
    assert run(tree, tmp_path, pptx, **only_carts()).done == 1
    assert [path.name for path in deck(tree).parent.iterdir()] == ["carts.pptx"]


def test_a_foreign_deck_is_complete_and_only_force_replaces_it(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    deck(tree, "given.pdf").parent.mkdir(parents=True)
    deck(tree, "given.pdf").write_bytes(b"%PDF-1.7 by hand")
    for _ in range(2):
        report = run(tree, tmp_path, generator(tmp_path), **only_carts())
        assert (report.done, report.skipped, calls(tmp_path)) == (0, 1, [])
        assert "not made by this runner" in report.notes[0]
        assert status(tree)["status"] == "skipped"
    assert run(tree, tmp_path, generator(tmp_path), force=True, **only_carts()).done == 1
    assert [path.name for path in deck(tree).parent.iterdir()] == ["carts.pptx"]


def test_a_deck_that_somebody_changed_is_theirs(tmp_path: Path, tree: ArtifactTree) -> None:
    run(tree, tmp_path, generator(tmp_path), **only_carts())
    with deck(tree).open("ab") as handle:
        handle.write(b"edited")
    report = run(tree, tmp_path, generator(tmp_path, "deck", "other"), **only_carts())
    assert report.skipped == 1 and deck(tree).read_bytes().endswith(b"edited")


def test_a_failed_remake_keeps_the_deck_and_is_tried_again(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    run(tree, tmp_path, generator(tmp_path), **only_carts())
    before = deck(tree).read_bytes()
    assert run(tree, tmp_path, generator(tmp_path, "fail"), **only_carts()).failed == 1
    assert deck(tree).read_bytes() == before
    assert run(tree, tmp_path, generator(tmp_path, "deck", "x"), **only_carts()).done == 1


def test_a_row_that_could_not_start_keeps_its_deck_as_its_own(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    run(tree, tmp_path, generator(tmp_path), **only_carts())
    source = tree.source_folder("carts") / "source.md"
    source.unlink()
    report = run(tree, tmp_path, generator(tmp_path), **only_carts())
    assert report.failed == 1 and "is not there" in report.findings[0].message
    source.write_text("a new source")
    assert run(tree, tmp_path, generator(tmp_path), **only_carts()).done == 1


@pytest.mark.parametrize(
    "path", ["sources/carts/source.md", "runs/r1/decks/other/agnostic/agnostic/carts/x.pptx"]
)
def test_a_deck_path_outside_the_rows_own_folder_is_refused(
    tmp_path: Path, tree: ArtifactTree, path: str
) -> None:
    rows = [replace(row, deck_path=path) for row in read_run_sheet(tree, RUN)[0]]
    write_run_sheet(tree, RUN, [row for row in rows if row.key == CARTS])
    before = (tree.root / "sources/carts/source.md").read_bytes()
    report = run(tree, tmp_path, generator(tmp_path))
    assert report.failed == 1 and "own folder" in report.findings[0].message
    assert (tree.root / "sources/carts/source.md").read_bytes() == before


def test_paths_that_lead_out_of_the_root_are_refused(tmp_path: Path, tree: ArtifactTree) -> None:
    sheet = tree.run_sheet(RUN)
    sheet.write_text(sheet.read_text() + "maker,agnostic,,zz,,,../../../out.pptx\n")
    report = run(tree, tmp_path, generator(tmp_path), **only_carts())
    assert [finding.check for finding in report.findings] == ["run_sheet_row_is_valid"]
    (tmp_path / "out").mkdir()
    (tree.root / "runs" / RUN / "decks" / "linked").parent.mkdir(exist_ok=True)
    (tree.root / "runs" / RUN / "decks" / "linked").symlink_to(tmp_path / "out")
    linked = RunSheetRow(DeckKey("linked", "agnostic", "agnostic", "carts"))
    write_run_sheet(tree, RUN, [linked])
    chosen = RunnerOptions(shop(tree, tmp_path))
    report = run_decks(tree, RUN, {"linked": generator(tmp_path)}, chosen)
    assert report.failed == 1 and "leads out" in report.findings[0].message
    assert list((tmp_path / "out").iterdir()) == []


def test_endless_output_is_ended_and_kept_to_its_tail(tmp_path: Path, tree: ArtifactTree) -> None:
    adapter = replace(generator(tmp_path, "endless"), timeout=0.5)
    assert run(tree, tmp_path, adapter, **only_carts()).failed == 1
    assert status(tree)["status"] == "timed_out"
    assert len(status(tree)["stderr_tail"]) == TAIL_CHARS
    assert status_file(tree, RUN, CARTS).stat().st_size < 4 * TAIL_CHARS


def test_a_deck_below_the_work_folder_is_found_by_pattern(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    adapter = replace(generator(tmp_path, "runs"), deck="runs/*/final.pptx")
    assert run(tree, tmp_path, adapter, **only_carts()).done == 1
    assert deck(tree).is_file()


def test_filters_and_shards_take_each_row_once(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, tuple(f"case_{n}" for n in range(5)))
    with_sheet(tree, **AGNOSTIC)
    adapter = generator(tmp_path, "deck", "{case_label}")

    def shard(index: int) -> StageReport:
        rows = RowFilter(num_shards=2, shard_index=index)
        return run(tree, tmp_path, adapter, rows=rows)

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(shard, range(2)))
    counts = [sum(shard_of(f"case_{n}", 2) == index for n in range(5)) for index in range(2)]
    assert [report.done for report in reports] == counts
    assert sorted(calls(tmp_path)) == [f"case_{n}.pptx" for n in range(5)]
    made = {key.case_label for key in tree.deck_keys(RUN)}
    told = {path.stem for path in (generation_folder(tree, RUN) / "status").rglob("*.json")}
    assert made == told and len(made) == 5


def test_nothing_selected_is_told(tmp_path: Path, tree: ArtifactTree) -> None:
    report = run(tree, tmp_path, generator(tmp_path), rows=RowFilter(cases=names(["none"])))
    assert [finding.outcome for finding in report.findings] == [Outcome.NOTHING_SELECTED]


def test_keys_never_stand_in_a_command(tmp_path: Path, tree: ArtifactTree) -> None:
    adapter = generator(tmp_path, "deck", "sk-very-secret")
    with pytest.raises(UsageError) as caught:
        run(tree, tmp_path, adapter, env={"API_KEY": "sk-very-secret"})
    assert "sk-very-secret" not in str(caught.value) and calls(tmp_path) == []


def test_equal_decks_of_one_case_are_warned_of(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, ("carts",))
    with_sheet(tree)
    report = run(tree, tmp_path, generator(tmp_path, "deck"))
    (finding,) = report.findings
    assert (finding.check, finding.outcome) == ("decks_of_one_case_differ", Outcome.WARNED)
    report = run(tree, tmp_path, generator(tmp_path, "deck", "{audience}"))
    assert report.done == 4 and report.findings == ()
