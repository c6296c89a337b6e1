from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.xslides.audiences import read_audiences
from ingest.xslides.source_metadata import selected_cases
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import StageReport
from ingest.xslides.tree import ArtifactTree
from tests.unit.xslides.helpers import SETTINGS, SOURCE, snapshot, write_source
from warehouse.errors import InputError, UsageError
from warehouse.findings import Outcome


def prepare(tree: ArtifactTree, inputs: Path) -> StageReport:
    return prepare_sources(tree, inputs, read_audiences(), SETTINGS)


def test_loose_documents_become_cases_with_default_metadata(tmp_path: Path) -> None:
    write_source(tmp_path / "in", "carts")
    tree = ArtifactTree(tmp_path / "data")
    report = prepare(tree, tmp_path / "in")
    assert (report.done, report.failed, report.findings) == (1, 0, ())
    assert (tree.source_folder("carts") / "source.md").read_text() == SOURCE
    metadata = json.loads(tree.source_metadata("carts").read_text())
    assert metadata == {
        "case_id": "carts",
        "title": "carts",
        "source_path": "sources/carts/source.md",
        "source_type": "md",
        "scene": "unstated",
        "valid_audiences": ["specialists", "learners", "decision_makers"],
        "metadata": {},
    }
    assert tree.audiences_csv.is_file()


def test_a_second_run_skips_and_changes_no_byte(tmp_path: Path) -> None:
    write_source(tmp_path / "in")
    tree = ArtifactTree(tmp_path / "data")
    prepare(tree, tmp_path / "in")
    before = snapshot(tree.root)
    report = prepare(tree, tmp_path / "in")
    assert (report.done, report.skipped) == (0, 1)
    assert snapshot(tree.root) == before


def test_case_folders_keep_their_metadata(tmp_path: Path) -> None:
    write_source(tmp_path / "in" / "c1", "report")
    stated = {"case_id": "case_7", "scene": "board", "valid_audiences": ["learners"], "extra": 1}
    (tmp_path / "in" / "c1" / "source_metadata.json").write_text(json.dumps(stated))
    tree = ArtifactTree(tmp_path / "data")
    assert prepare(tree, tmp_path / "in").done == 1
    metadata = json.loads(tree.source_metadata("c1").read_text())
    assert metadata["case_id"] == "case_7" and metadata["extra"] == 1
    assert [case.case_label for case in selected_cases(tree, ["scene:board"])] == ["c1"]
    assert selected_cases(tree, ["scene:other"]) == []
    with pytest.raises(UsageError):
        selected_cases(tree, ["colour:red"])


def test_a_tree_is_taken_as_input_and_left_as_it_is(tmp_path: Path) -> None:
    write_source(tmp_path / "in")
    tree = ArtifactTree(tmp_path / "data")
    prepare(tree, tmp_path / "in")
    before = snapshot(tree.root)
    assert prepare(tree, tree.root).skipped == 1
    other = ArtifactTree(tmp_path / "other")
    assert prepare(other, tree.root).done == 1
    assert snapshot(tree.root) == before


def test_one_bad_source_does_not_stop_the_others(tmp_path: Path) -> None:
    write_source(tmp_path / "in")
    (tmp_path / "in" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "in" / "~$lock.md").write_text("x")
    report = prepare(ArtifactTree(tmp_path / "data"), tmp_path / "in")
    assert (report.done, report.failed) == (1, 1)
    finding = report.findings[0]
    assert finding.check == "source_is_readable"
    assert finding.outcome is Outcome.INCOMPLETE
    assert finding.file == str(tmp_path / "in" / "broken.pdf")
    assert any("~$lock.md" in note for note in report.notes)


def test_labels_that_collide_after_normalising_are_all_refused(tmp_path: Path) -> None:
    write_source(tmp_path / "in", "r\u00e9port")
    write_source(tmp_path / "in", "re\u0301port")
    report = prepare(ArtifactTree(tmp_path / "data"), tmp_path / "in")
    assert (report.done, report.failed) == (0, 2)
    assert {finding.check for finding in report.findings} == {"case_label_is_unique"}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write_source(tmp_path / "elsewhere", "secret")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "carts.md").symlink_to(tmp_path / "elsewhere" / "secret.md")
    report = prepare(ArtifactTree(tmp_path / "data"), tmp_path / "in")
    assert report.done == 0
    assert report.findings[0].check == "source_stays_inside"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        prepare(ArtifactTree(tmp_path / "data"), tmp_path / "nowhere")
