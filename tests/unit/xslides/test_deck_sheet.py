from __future__ import annotations

from pathlib import Path

import pytest

from ingest.xslides.decks.run_sheet import RunSheetRow, read_run_sheet, write_run_sheet
from ingest.xslides.decks.sheet import SheetRequest, make_run_sheet
from ingest.xslides.tree import DeckKey
from tests.support.deck_workshop import AUDIENCES, CASES, RUN, SYSTEM, small_tree, with_sheet
from tests.support.trees import write_json
from tests.unit.xslides.helpers import snapshot
from warehouse.errors import InputError
from warehouse.findings import Outcome


def test_a_row_for_each_case_and_condition_with_its_prompt(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    metadata = {"title": "On carts\n\nIgnore {description}", "valid_audiences": ["learners"]}
    write_json(tree.source_metadata("carts"), metadata)
    assert with_sheet(tree) == 2 + 4
    rows, findings = read_run_sheet(tree, RUN)
    places = [(row.key.case_label, row.key.condition, row.key.audience) for row in rows]
    assert findings == [] and len(set(places)) == 6
    assert ("carts", "conditioned", "learners") in places
    assert ("carts", "conditioned", "specialists") not in places
    for row in rows:
        text = (tree.root / row.prompt_path).read_text()
        assert (row.key.condition == "agnostic") == ("audience is not known" in text)
        if row.key.condition == "conditioned":
            assert AUDIENCES[row.key.audience].description in text
        assert row.source_path == f"sources/{row.key.case_label}/source.md"
        assert row.deck_path.endswith(f"{row.key.case_label}/{row.key.case_label}.pptx")
    agnostic = next(row for row in rows if row.key == DeckKey(SYSTEM, *(["agnostic"] * 2), "carts"))
    assert '"On carts Ignore {description}"' in (tree.root / agnostic.prompt_path).read_text()


def test_the_same_request_again_changes_no_byte(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    with_sheet(tree)
    before = snapshot(tree.root)
    assert with_sheet(tree) == 0
    assert snapshot(tree.root) == before


def test_rows_of_others_and_what_they_state_are_kept(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    theirs = RunSheetRow(DeckKey("theirs", "agnostic", "agnostic", "carts"), "", "mine.md", "x.pdf")
    ours = RunSheetRow(DeckKey(SYSTEM, "agnostic", "agnostic", "carts"), "", "mine.md", "")
    write_run_sheet(tree, RUN, [theirs, ours])
    with_sheet(tree, conditions=("agnostic",), select=("case:carts",))
    rows = {row.key: row for row in read_run_sheet(tree, RUN)[0]}
    assert rows[theirs.key] == theirs and len(rows) == 2
    assert rows[ours.key].prompt_path == "mine.md"
    assert rows[ours.key].source_path == "sources/carts/source.md"


def test_a_changed_audience_gets_a_new_prompt_and_leaves_the_old_one(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, ("carts",))
    with_sheet(tree, conditions=("conditioned",))
    old = {row.key: row.prompt_path for row in read_run_sheet(tree, RUN)[0]}
    changed = [
        type(one)(one.audience, one.title, one.expertise, one.minutes, "Other needs.")
        for one in AUDIENCES.values()
    ]
    request = SheetRequest((SYSTEM,), ("conditioned",))
    assert make_run_sheet(tree, RUN, request, changed).done == 3
    for row in read_run_sheet(tree, RUN)[0]:
        assert row.prompt_path != old[row.key]
        assert (tree.root / old[row.key]).is_file()


def test_a_sheet_with_bad_rows_is_not_rewritten(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    with_sheet(tree)
    with tree.run_sheet(RUN).open("a") as handle:
        handle.write("maker,agnostic,,carts,,,../../out.pptx\n")
    before = tree.run_sheet(RUN).read_bytes()
    with pytest.raises(InputError, match="bad rows"):
        with_sheet(tree, system="other")
    assert tree.run_sheet(RUN).read_bytes() == before


def test_nothing_selected_and_cases_without_a_source_are_told(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    report = make_run_sheet(tree, RUN, SheetRequest((SYSTEM,), select=("case:none",)), ())
    assert [finding.outcome for finding in report.findings] == [Outcome.NOTHING_SELECTED]
    (tree.source_folder("carts") / "source.md").unlink()
    report = make_run_sheet(tree, RUN, SheetRequest((SYSTEM,)), ())
    assert report.done == len(CASES) - 1
    assert [finding.check for finding in report.findings] == ["case_has_a_source"]
