from __future__ import annotations

from pathlib import Path

import pytest

from ingest.xslides.decks.importing import deck_origins, import_decks
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.tree import ArtifactTree, DeckKey
from tests.unit.xslides.helpers import SLIDES, prepared, snapshot, write_deck
from warehouse.errors import InputError
from warehouse.findings import Outcome


@pytest.fixture
def tree(tmp_path: Path) -> ArtifactTree:
    return prepared(tmp_path, decks=False)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("ours/carts.pptx", ("ours", "agnostic", "agnostic", "carts")),
        ("ours/CARTS.pptx", ("ours", "agnostic", "agnostic", "carts")),
        ("ours/agnostic/carts.pptx", ("ours", "agnostic", "agnostic", "carts")),
        ("ours/agnostic/agnostic/carts/final.pptx", ("ours", "agnostic", "agnostic", "carts")),
        ("ours/conditioned/learners/carts.pptx", ("ours", "conditioned", "learners", "carts")),
        ("ours/conditioned/learners/carts/x.pptx", ("ours", "conditioned", "learners", "carts")),
        ("ours/carts/final.pptx", ("ours", "agnostic", "agnostic", "carts")),
    ],
)
def test_folders_name_the_deck(
    tmp_path: Path, tree: ArtifactTree, path: str, key: tuple[str, str, str, str]
) -> None:
    write_deck(tmp_path / "in" / path, SLIDES)
    report = import_decks(tree, tmp_path / "in", "r1")
    assert (report.done, report.findings) == (1, ())
    assert tree.deck_keys("r1") == [DeckKey(*key)]
    (row,), _ = read_run_sheet(tree, "r1")
    copied = tree.root / row.deck_path
    assert copied.read_bytes() == (tmp_path / "in" / path).read_bytes()
    assert row.source_path == "sources/carts/source.md"
    assert deck_origins(tree, "r1") == {row.deck_path: str(tmp_path / "in" / path)}


@pytest.mark.parametrize(
    "path",
    [
        "carts.pptx",
        "ours/unknown.pptx",
        "ours/conditioned/carts.pptx",
        "ours/conditioned/martians/carts.pptx",
        "ours/agnostic/agnostic/deep/deeper/carts.pptx",
    ],
)
def test_what_does_not_match_is_listed(tmp_path: Path, tree: ArtifactTree, path: str) -> None:
    write_deck(tmp_path / "in" / path, SLIDES)
    report = import_decks(tree, tmp_path / "in", "r1")
    assert (report.done, report.failed) == (0, 1)
    finding = report.findings[0]
    assert finding.outcome is Outcome.INCOMPLETE
    assert finding.file == str(tmp_path / "in" / path)


def test_a_flat_folder_needs_the_name_of_the_system(tmp_path: Path, tree: ArtifactTree) -> None:
    write_deck(tmp_path / "in" / "carts.pptx", SLIDES)
    assert import_decks(tree, tmp_path / "in", "r1", system="theirs").done == 1
    assert tree.deck_keys("r1")[0].system_id == "theirs"
    with pytest.raises(InputError):
        import_decks(tree, tmp_path / "in", "r1", system="../out")


def test_a_pptx_is_preferred_to_its_pdf(tmp_path: Path, tree: ArtifactTree) -> None:
    write_deck(tmp_path / "in" / "ours" / "carts.pptx", SLIDES)
    (tmp_path / "in" / "ours" / "carts.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "in" / "ours" / "~$carts.pptx").write_bytes(b"lock")
    report = import_decks(tree, tmp_path / "in", "r1")
    assert (report.done, report.findings) == (1, ())
    assert len(report.notes) == 2
    (row,), _ = read_run_sheet(tree, "r1")
    assert row.deck_path.endswith("carts.pptx")


def test_two_files_of_one_kind_for_one_deck_are_refused(tmp_path: Path, tree: ArtifactTree) -> None:
    write_deck(tmp_path / "in" / "ours" / "carts.pptx", SLIDES)
    write_deck(tmp_path / "in" / "ours" / "Carts.pptx", SLIDES)
    report = import_decks(tree, tmp_path / "in", "r1")
    assert report.done == 0 and report.findings[0].check == "deck_is_unique"


def test_importing_again_skips_and_changes_no_byte(tmp_path: Path, tree: ArtifactTree) -> None:
    write_deck(tmp_path / "in" / "ours" / "carts.pptx", SLIDES)
    import_decks(tree, tmp_path / "in", "r1")
    before = snapshot(tree.root)
    assert import_decks(tree, tmp_path / "in", "r1").skipped == 1
    assert snapshot(tree.root) == before
    write_deck(tmp_path / "more" / "other" / "carts.pptx", SLIDES)
    assert import_decks(tree, tmp_path / "more", "r1").done == 1
    assert len(read_run_sheet(tree, "r1")[0]) == 2


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path, tree: ArtifactTree) -> None:
    write_deck(tmp_path / "elsewhere" / "carts.pptx", SLIDES)
    (tmp_path / "in" / "ours").mkdir(parents=True)
    (tmp_path / "in" / "ours" / "carts.pptx").symlink_to(tmp_path / "elsewhere" / "carts.pptx")
    (tmp_path / "in" / "theirs").symlink_to(tmp_path / "elsewhere")
    report = import_decks(tree, tmp_path / "in", "r1")
    assert report.done == 0
    assert {finding.check for finding in report.findings} == {"deck_stays_inside"}


def test_bad_run_sheet_rows_become_findings(tree: ArtifactTree) -> None:
    header = "system_id,condition,audience,case_label,source_path,prompt_path,deck_path\n"
    tree.run_sheet("r1").parent.mkdir(parents=True)
    tree.run_sheet("r1").write_text(
        header
        + "ours,agnostic,,carts,,,\n"
        + "ours,agnostic,agnostic,carts,,,\n"
        + "ours,conditioned,,carts,,,\n"
        + "ours,sometimes,,carts,,,\n"
        + "../x,agnostic,,carts,,,\n"
        + "ours,agnostic,,other,,,../../etc/passwd\n"
    )
    rows, findings = read_run_sheet(tree, "r1")
    assert [row.key for row in rows] == [DeckKey("ours", "agnostic", "agnostic", "carts")]
    assert [finding.line for finding in findings] == [3, 4, 5, 6, 7]
