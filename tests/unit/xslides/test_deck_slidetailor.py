from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.decks.commands import Adapter
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.decks.runner import RunnerOptions, run_tasks
from ingest.xslides.decks.selection import RowFilter, names
from ingest.xslides.decks.slidetailor import SlideTailorRequest, prepare_slidetailor
from ingest.xslides.decks.slidetailor_sheet import FINISHED_DECK, SHEET_FILE, read_tasks
from ingest.xslides.decks.status import status_file
from ingest.xslides.stage import StageReport
from ingest.xslides.tree import ArtifactTree, DeckKey
from tests.support.deck_workshop import (
    AUDIENCES,
    RUN,
    calls,
    generator,
    model_deck,
    model_pdf,
    shop,
    small_tree,
)
from tests.unit.xslides.helpers import snapshot
from warehouse.errors import InputError

LEARNERS = ("conditioned", "learners")


@pytest.fixture
def tree(tmp_path: Path) -> ArtifactTree:
    """Two cases with a PDF, one without."""
    made = small_tree(tmp_path, ("carts", "trams", "only text"))
    for label in ("carts", "trams"):
        (made.source_folder(label) / "source.md").unlink()
        content = model_pdf(tmp_path).read_bytes() + label.encode()
        (made.source_folder(label) / "source.pdf").write_bytes(content)
    for name in ("a", "b"):
        path = tmp_path / "templates" / f"{name}.pptx"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(model_deck(tmp_path).read_bytes() + name.encode())
    for kind in ("paper", "ppt"):
        (tmp_path / "pairs" / kind).mkdir(parents=True)
        (tmp_path / "pairs" / kind / "one.pdf").write_bytes(model_pdf(tmp_path).read_bytes())
    (tmp_path / "pairs" / "paper" / "lonely.pdf").write_bytes(model_pdf(tmp_path).read_bytes())
    return made


def prepare(tree: ArtifactTree, root: Path, **more: Any) -> StageReport:
    request = {"sample_pairs": root / "pairs", **more}
    wanted = SlideTailorRequest(root / "st", root / "templates", **request)
    return prepare_slidetailor(tree, RUN, wanted, tuple(AUDIENCES.values()))


def sheet(root: Path) -> list[dict[str, str]]:
    with (root / "st" / SHEET_FILE).open(newline="") as handle:
        return list(csv.DictReader(handle))


def test_every_row_gets_its_configuration_and_preferences(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    report = prepare(tree, tmp_path)
    assert (report.done, report.failed, report.findings) == (8, 0, ())
    assert any("only text" in note for note in report.notes)
    assert any("1 cases have no PDF" in note for note in report.notes)
    out = tmp_path / "st"
    rows = sheet(tmp_path)
    assert {row["template_mode"] for row in rows} == {"source_template_generation"}
    for row in rows:
        (config,) = json.loads((out / row["config_path"]).read_text())
        assert config["sample"] == {"paper": "one.pdf", "ppt": "one.pdf"}
        assert (out / "slide_templates" / config["template"]).is_file()
        paper = (out / "target_papers" / config["target"]).read_bytes()
        assert paper.endswith(row["case_label"].encode())
        for kind in ("paper", "ppt"):
            assert (out / "slide_paper_pairs" / kind / config["sample"][kind]).is_file()
        preferences = json.loads((out / row["preferences_path"]).read_text())
        section = preferences["presentation_guidelines"]["section_level_preferences"][0]
        if row["condition"] == "conditioned":
            assert section["content_handling"] == AUDIENCES[row["audience"]].description
    per_case = {(row["case_label"], row["template"], row["target"]) for row in rows}
    assert len(per_case) == 2, "rows of one case differ in preferences alone"
    assert len({(out / row["preferences_path"]).read_bytes() for row in rows}) == 4
    assert {row.key.case_label for row in read_run_sheet(tree, RUN)[0]} == {"carts", "trams"}


def test_preparing_again_changes_no_byte_and_keeps_targets(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    prepare(tree, tmp_path, select=("case:trams",), conditions=("agnostic",))
    first = sheet(tmp_path)
    prepare(tree, tmp_path)
    assert [row for row in sheet(tmp_path) if row in first] == first
    before = snapshot(tmp_path / "st")
    assert prepare(tree, tmp_path).skipped == 8
    assert snapshot(tmp_path / "st") == before


def test_no_sample_pair_is_stated_as_none(tmp_path: Path, tree: ArtifactTree) -> None:
    prepare(tree, tmp_path, sample_pairs=None)
    (config,) = json.loads((tmp_path / "st" / sheet(tmp_path)[0]["config_path"]).read_text())
    assert config["sample"] == {"paper": "", "ppt": ""}


def test_what_cannot_be_prepared_is_refused_or_told(tmp_path: Path, tree: ArtifactTree) -> None:
    (tree.source_folder("carts") / "source.pdf").write_text("no PDF")
    report = prepare(tree, tmp_path)
    assert (report.done, report.failed) == (4, 4)
    assert {finding.check for finding in report.findings} == {"source_is_a_pdf"}
    with pytest.raises(InputError, match="no sample pair"):
        (tmp_path / "pairs" / "ppt" / "one.pdf").unlink()
        prepare(tree, tmp_path)
    with pytest.raises(InputError, match="no template"):
        for path in (tmp_path / "templates").iterdir():
            path.write_text("no deck")
        prepare(tree, tmp_path)


def run(tree: ArtifactTree, root: Path, adapter: Adapter, rows: RowFilter) -> StageReport:
    tasks = read_tasks(tree, RUN, root / "st")
    options = RunnerOptions(shop(tree, root), rows, device="cuda:1")
    adapters = {task.row.key.system_id: adapter for task in tasks}
    return run_tasks(tree, RUN, tasks, adapters, options)


def finished(root: Path, what: str, *rest: str) -> Adapter:
    made = generator(root, what, *rest)
    return Adapter(made.argv, deck=FINISHED_DECK)


def test_rows_are_run_each_in_its_own_folder_and_failures_are_counted(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    prepare(tree, tmp_path)
    learners = RowFilter(audiences=names(["learners"]))
    arguments = ("{config}", "{dataset_dir}", "{preferences}", "{device}", "{work_dir}")
    report = run(tree, tmp_path, finished(tmp_path, "runs", *arguments), learners)
    assert (report.done, report.findings) == (2, ())
    key = DeckKey("slidetailor", *LEARNERS, "carts")
    assert [path.name for path in tree.deck_folder(RUN, key).iterdir()] == ["carts.pptx"]
    again = run(tree, tmp_path, finished(tmp_path, "runs", *arguments), learners)
    assert (again.done, again.skipped, len(calls(tmp_path))) == (0, 2, 2)
    specialists = RowFilter(audiences=names(["specialists"]), cases=names(["trams"]))
    report = run(tree, tmp_path, finished(tmp_path, "nothing"), specialists)
    assert (report.failed, report.findings[0].check) == (1, "deck_was_made")
    key = DeckKey("slidetailor", "conditioned", "specialists", "trams")
    assert json.loads(status_file(tree, RUN, key).read_text())["status"] == "no_output"


def test_changed_preferences_make_the_deck_again(tmp_path: Path, tree: ArtifactTree) -> None:
    prepare(tree, tmp_path)
    rows = RowFilter(audiences=names(["learners"]), cases=names(["carts"]))
    assert run(tree, tmp_path, finished(tmp_path, "runs"), rows).done == 1
    path = tmp_path / "st" / "preferences" / "conditioned" / "learners" / "carts.json"
    path.write_text(path.read_text().replace("Short lines", "Long lines"))
    assert run(tree, tmp_path, finished(tmp_path, "runs"), rows).done == 1


@pytest.mark.parametrize("column", ["config_path", "preferences_path", "template"])
def test_paths_that_leave_the_prepared_folder_are_refused(
    tmp_path: Path, tree: ArtifactTree, column: str
) -> None:
    prepare(tree, tmp_path)
    path = tmp_path / "st" / SHEET_FILE
    value = sheet(tmp_path)[0][column]
    path.write_text(path.read_text().replace(value, "../../../etc/passwd"))
    with pytest.raises(InputError, match="leads out"):
        read_tasks(tree, RUN, tmp_path / "st")


def test_a_folder_that_is_not_prepared_for_the_run_is_refused(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    with pytest.raises(InputError, match="prepare-slidetailor"):
        read_tasks(tree, RUN, tmp_path / "st")
    prepare(tree, tmp_path)
    with pytest.raises(InputError, match="lacks 8 rows"):
        read_tasks(tree, "other", tmp_path / "st")
