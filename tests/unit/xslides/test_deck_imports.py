from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.decks.importing import ImportOptions, import_decks
from ingest.xslides.decks.layouts import Layout
from ingest.xslides.decks.run_sheet import RunSheetRow, read_run_sheet, write_run_sheet
from ingest.xslides.decks.store import IMPORTS_FILE
from ingest.xslides.stage import Settings, StageReport
from ingest.xslides.tree import ArtifactTree, DeckKey
from tests.support.deck_workshop import RUN, model_deck, model_pdf, small_tree, with_sheet
from tests.support.trees import write_json
from tests.unit.xslides.helpers import SLIDES, snapshot, write_deck
from warehouse.errors import InputError, UsageError
from warehouse.findings import Outcome

AUTO = ImportOptions(Layout.AUTO)


@pytest.fixture
def tree(tmp_path: Path) -> ArtifactTree:
    return small_tree(tmp_path, ("carts", "trams"))


def load(
    tree: ArtifactTree,
    root: Path,
    options: ImportOptions = AUTO,
    *,
    system: str | None = None,
    force: bool = False,
) -> StageReport:
    return import_decks(tree, root / "in", RUN, system, Settings(force=force), None, options)


def put(path: Path, source: Path, *, tail: bytes = b"") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source.read_bytes() + tail)
    return path


def subjects(tree: ArtifactTree) -> list[str]:
    return [key.subject for key in tree.deck_keys(RUN)]


def records(tree: ArtifactTree) -> dict[str, Any]:
    content = json.loads((tree.run_folder(RUN) / IMPORTS_FILE).read_text())
    decks: dict[str, Any] = content["decks"]
    return decks


def session(root: Path, name: str, case: str, **request: Any) -> Path:
    """Write a session that was given the source of a case as an attachment."""
    folder = root / "in" / name
    (folder / "attachments").mkdir(parents=True)
    source = (root / "data" / "sources" / case / "source.md").read_bytes()
    (folder / "attachments" / "paper.md").write_bytes(source)
    content = {"instruction": "Make slides", "attachments": ["/tmp/x/paper.md"], **request}
    write_json(folder / ".input_request.json", content)
    return folder


def run_folder(root: Path, target: str, stamp: str = "20260101_101010_ab12") -> Path:
    folder = root / "in" / "runs" / f"{stamp}_refpair_one_tgt{target}"
    folder.mkdir(parents=True)
    return folder


def test_exports_of_notebooklm(tmp_path: Path, tree: ArtifactTree) -> None:
    put(tmp_path / "in" / "carts.pdf", model_pdf(tmp_path))
    put(tmp_path / "in" / "conditioned" / "learners" / "trams.pdf", model_pdf(tmp_path))
    put(tmp_path / "in" / "notebooklm" / "trams.pdf", model_pdf(tmp_path), tail=b"\n%")
    put(tmp_path / "in" / "unknown.pdf", model_pdf(tmp_path))
    report = load(tree, tmp_path, ImportOptions(Layout.NOTEBOOKLM))
    assert subjects(tree) == [
        "notebooklm/agnostic/agnostic/carts",
        "notebooklm/agnostic/agnostic/trams",
        "notebooklm/conditioned/learners/trams",
    ]
    assert [(one.check, one.outcome) for one in report.findings] == [
        ("deck_matches_a_case", Outcome.INCOMPLETE)
    ]
    assert {one["layout"] for one in records(tree).values()} == {"notebooklm"}


def test_a_whole_folder_for_one_audience(tmp_path: Path, tree: ArtifactTree) -> None:
    session(tmp_path, "ab12cd34", "trams")
    put(tmp_path / "in" / "ab12cd34" / "slides.pdf", model_pdf(tmp_path))
    load(tree, tmp_path, ImportOptions(Layout.AUTO, place=("conditioned", "learners")))
    assert subjects(tree) == ["deeppresenter/conditioned/learners/trams"]
    with pytest.raises(UsageError, match="martians"):
        load(tree, tmp_path, ImportOptions(Layout.AUTO, place=("conditioned", "martians")))


def test_a_session_is_one_deck_and_its_bytes_say_what_it_is(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    folder = session(tmp_path, "ab12cd34", "trams", num_pages="10-12", template="t\n1")
    put(folder / "manuscript.pdf", model_pdf(tmp_path))
    put(folder / "template.pptx", model_deck(tmp_path))
    put(folder / "out.pptx", model_pdf(tmp_path))
    (folder / ".html2pptx-error.txt").write_text("failed")
    (folder / "slides").mkdir()
    (folder / "slides" / "slide_01.html").write_text("<p>")
    write_json(folder / "intermediate_output.json", {"final": "/gone/manuscript.pdf"})
    put(tmp_path / "in" / "delivered.pptx", model_pdf(tmp_path))
    report = load(tree, tmp_path)
    assert (report.done, report.findings) == (1, ())
    (path,) = records(tree)
    assert path.endswith("deeppresenter/agnostic/agnostic/trams/manuscript.pdf")
    record = records(tree)[path]
    assert record["given"] == str(folder / "manuscript.pdf") and record["format"] == "pdf"
    assert record["facts"] == {
        "session": "ab12cd34",
        "num_pages": "10-12",
        "template": "t 1",
        "is_conversion_fallback": True,
        "html_page_count": 1,
    }
    assert any("copy" in note and "delivered" in note for note in report.notes)
    before = snapshot(tree.root)
    assert load(tree, tmp_path).skipped == 1 and snapshot(tree.root) == before


def test_a_pdf_named_pptx_is_stored_as_a_pdf(tmp_path: Path, tree: ArtifactTree) -> None:
    put(session(tmp_path, "ab12cd34", "carts") / "out.pptx", model_pdf(tmp_path))
    load(tree, tmp_path)
    (row,) = read_run_sheet(tree, RUN)[0]
    assert row.deck_path.endswith("/carts/out.pdf") and (tree.root / row.deck_path).is_file()


@pytest.mark.parametrize("asked", [".pptx", ".pdf"])
def test_of_pptx_and_pdf_the_run_sheet_chooses(
    tmp_path: Path, tree: ArtifactTree, asked: str
) -> None:
    key = DeckKey("deeppresenter", "agnostic", "agnostic", "carts")
    path = tree.relative(tree.deck_folder(RUN, key) / f"carts{asked}")
    write_run_sheet(tree, RUN, [RunSheetRow(key, deck_path=path)])
    folder = session(tmp_path, "ab12cd34", "carts")
    put(folder / "talk.pptx", model_deck(tmp_path))
    put(folder / "talk.pdf", model_pdf(tmp_path))
    assert load(tree, tmp_path).done == 1
    assert [path.suffix for path in tree.deck_folder(RUN, key).iterdir()] == [asked]
    assert load(tree, tmp_path).skipped == 1


def test_the_words_of_a_prompt_tell_condition_audience_and_case(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    with_sheet(tree, system="deeppresenter")
    row = next(
        row
        for row in read_run_sheet(tree, RUN)[0]
        if (row.key.audience, row.key.case_label) == ("specialists", "trams")
    )
    prompt = (tree.root / row.prompt_path).read_text()
    put(session(tmp_path, "a1", "trams", instruction=prompt + "\n") / "a.pdf", model_pdf(tmp_path))
    assert load(tree, tmp_path).done == 1
    assert subjects(tree) == [row.key.subject]
    put(session(tmp_path, "a2", "carts", instruction=prompt) / "a.pdf", model_pdf(tmp_path))
    (finding,) = load(tree, tmp_path).findings
    assert "different cases" in finding.message


def test_sessions_that_match_nothing_are_listed(tmp_path: Path, tree: ArtifactTree) -> None:
    folder = session(tmp_path, "ab12cd34", "carts")
    (folder / "attachments" / "paper.md").write_text("something else")
    put(folder / "a.pdf", model_pdf(tmp_path))
    session(tmp_path, "empty", "trams")
    report = load(tree, tmp_path)
    checks = {finding.check: finding for finding in report.findings}
    assert set(checks) == {"deck_matches_a_case", "deck_was_made"}
    assert all(finding.outcome is Outcome.INCOMPLETE for finding in report.findings)
    # What was not made stays expected, so that it counts as missing.
    assert [row.key.case_label for row in read_run_sheet(tree, RUN)[0]] == ["trams"]


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b'{"attachments": 3, "instruction": []}'])
def test_odd_requests_of_sessions_are_no_error(
    tmp_path: Path, tree: ArtifactTree, content: bytes
) -> None:
    folder = session(tmp_path, "ab12cd34", "carts")
    (folder / ".input_request.json").write_bytes(content)
    put(folder / "a.pdf", model_pdf(tmp_path))
    assert load(tree, tmp_path).done == 1


def test_attachments_of_several_cases_decide_nothing(tmp_path: Path, tree: ArtifactTree) -> None:
    folder = session(tmp_path, "carts", "carts", attachments=[])
    source = tree.source_folder("trams") / "source.md"
    put(folder / "attachments" / "other.md", source)
    put(folder / "a.pdf", model_pdf(tmp_path))
    (finding,) = load(tree, tmp_path).findings
    assert "several cases" in finding.message


def test_an_import_loses_no_row_of_a_sheet_that_has_bad_ones(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    with_sheet(tree, system="theirs")
    with tree.run_sheet(RUN).open("a") as handle:
        handle.write("theirs,sometimes,,carts,,,\n")
    before = tree.run_sheet(RUN).read_bytes()
    put(tmp_path / "in" / "ours" / "carts.pptx", model_deck(tmp_path))
    report = load(tree, tmp_path)
    assert [finding.check for finding in report.findings] == ["run_sheet_row_is_valid"]
    assert tree.run_sheet(RUN).read_bytes() == before and len(tree.deck_keys(RUN)) == 1


def test_links_in_a_session_are_not_followed(tmp_path: Path, tree: ArtifactTree) -> None:
    folder = session(tmp_path, "ab12cd34", "carts")
    (folder / "a.pdf").symlink_to(model_pdf(tmp_path))
    assert load(tree, tmp_path).done == 0
    assert subjects(tree) == []


def test_an_experiment_tree_of_pptagent(tmp_path: Path, tree: ArtifactTree) -> None:
    topic = tmp_path / "in" / "data" / "towns"
    put(topic / "pptx/deck7/PPTCrew-a+b/carts/final.pptx", model_deck(tmp_path))
    put(topic / "pptx/deck7/PPTCrew-a+b/carts/final.pdf", model_pdf(tmp_path))
    put(topic / "pptx/deck7/original.pptx", model_deck(tmp_path))
    put(topic / "pdf/paper3/docpres/model-a/final.pptx", model_deck(tmp_path), tail=b"1")
    put(topic / "pdf/carts/kctv/model-a/final.pdf", model_pdf(tmp_path))
    put(topic / "pdf/paper3/original.pdf", tree.source_folder("trams") / "source.md")
    report = load(tree, tmp_path)
    assert subjects(tree) == [
        "PPTCrew-a+b/agnostic/agnostic/carts",
        "docpres-model-a/agnostic/agnostic/trams",
        "kctv-model-a/agnostic/agnostic/carts",
    ]
    assert report.findings == ()
    facts = [one.get("facts") for one in records(tree).values()]
    assert {"template_deck": "deck7", "setting": "PPTCrew-a+b"} in facts


def test_runs_of_slidetailor(tmp_path: Path, tree: ArtifactTree) -> None:
    mapping = "target,case_label,source_sha256\n1,carts,x\n2,trams,y\n"
    (tmp_path / "in" / "target_papers").mkdir(parents=True)
    (tmp_path / "in" / "target_papers" / "mapping.csv").write_text(mapping)
    put(tmp_path / "in" / "target_papers" / "1.pdf", model_pdf(tmp_path))
    folder = run_folder(tmp_path, "1")
    put(folder / "final.pptx", model_deck(tmp_path))
    put(folder / "final.pdf", model_pdf(tmp_path))
    put(tmp_path / "in" / "collected" / "1.pptx", model_deck(tmp_path))
    run_folder(tmp_path, "2")
    summary = [
        {"task": 1, "target": "1.pdf", "reference": "r", "success": True, "error": None},
        {"task": 2, "target": "2.pdf", "reference": "r", "success": False, "error": "no\nslide"},
        {"task": 3, "target": "9.pdf", "reference": "r", "success": False, "error": None},
    ]
    write_json(tmp_path / "in" / "runs" / "summary_all.json", summary)
    report = load(tree, tmp_path)
    assert subjects(tree) == ["slidetailor/agnostic/agnostic/carts"]
    assert (report.done, report.failed) == (1, 2)
    told = {finding.check: finding.message for finding in report.findings}
    assert "no slide" in told["deck_was_made"] and "`9`" in told["deck_matches_a_case"]
    assert len(read_run_sheet(tree, RUN)[0]) == 2


def test_several_runs_of_one_target_are_never_chosen_from(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    put(run_folder(tmp_path, "carts") / "final.pptx", model_deck(tmp_path))
    again = run_folder(tmp_path, "carts", "20260102_101010_ab13")
    put(again / "final.pdf", model_pdf(tmp_path))
    report = load(tree, tmp_path)
    assert (report.done, report.findings[0].check) == (0, "deck_is_unique")
    again_only = f"runs/{again.name}"
    (tmp_path / "map.csv").write_text(
        "path,system_id,condition,audience,case_label\n"
        f"{again_only},slidetailor,conditioned,learners,carts\n"
    )
    report = load(tree, tmp_path, ImportOptions(Layout.AUTO, tmp_path / "map.csv"))
    assert (report.done, report.findings) == (2, ())
    assert "slidetailor/conditioned/learners/carts" in subjects(tree)


def test_a_failed_run_beside_a_good_one_is_no_failure(tmp_path: Path, tree: ArtifactTree) -> None:
    run_folder(tmp_path, "carts")
    good = run_folder(tmp_path, "carts", "20260102_101010_ab13")
    put(good / "final.pptx", model_deck(tmp_path))
    report = load(tree, tmp_path)
    assert (report.done, report.failed, report.findings) == (1, 0, ())


def test_a_mapping_goes_before_everything_and_is_checked(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    put(session(tmp_path, "ab12", "carts") / "a.pdf", model_pdf(tmp_path))
    put(tmp_path / "in" / "odd name.pdf", model_pdf(tmp_path), tail=b"\n%")
    (tmp_path / "map.csv").write_text(
        "path,system_id,condition,audience,case_label\n"
        "ab12/,theirs,,,trams\n"
        "odd name.pdf,theirs,conditioned,learners,carts\n"
        "gone,theirs,,,carts\n"
        "../up,theirs,,,carts\n"
        "x,theirs,,,nowhere\n"
        "y,../z,,,carts\n"
        "z,theirs,sometimes,,carts\n"
        "ab12,theirs,,,carts\n"
    )
    report = load(tree, tmp_path, ImportOptions(Layout.AUTO, tmp_path / "map.csv"))
    assert subjects(tree) == ["theirs/agnostic/agnostic/trams", "theirs/conditioned/learners/carts"]
    found = [(finding.check, finding.line) for finding in report.findings]
    invalid = [("mapping_row_is_valid", line) for line in (5, 6, 7, 8, 9)]
    assert sorted(found, key=str) == sorted([*invalid, ("mapping_row_is_used", 4)], key=str)
    (tmp_path / "map.csv").write_text("path,system\n")
    with pytest.raises(InputError, match="mapping"):
        load(tree, tmp_path, ImportOptions(Layout.AUTO, tmp_path / "map.csv"))


def test_a_deck_from_elsewhere_is_not_overwritten(tmp_path: Path, tree: ArtifactTree) -> None:
    first = put(tmp_path / "in" / "ours" / "carts.pptx", model_deck(tmp_path))
    load(tree, tmp_path)
    first.rename(tmp_path / "kept.pptx")
    put(first, model_deck(tmp_path), tail=b"mended")
    assert load(tree, tmp_path).done == 1, "the same origin may change"
    other = tmp_path / "other"
    write_deck(other / "ours" / "carts" / "final.pptx", SLIDES[:1])
    before = snapshot(tree.root)
    report = import_decks(tree, other, RUN)
    assert (report.done, report.findings[0].check) == (0, "deck_is_unique")
    assert snapshot(tree.root) == before
    assert import_decks(tree, other, RUN, settings=Settings(force=True)).done == 1
    (folder,) = (tree.deck_folder(RUN, key) for key in tree.deck_keys(RUN))
    assert [path.name for path in folder.iterdir()] == ["final.pptx"]
    assert list(records(tree)) == [tree.relative(folder / "final.pptx")]


def test_a_better_file_of_the_same_folder_takes_the_place(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    pdf = put(tmp_path / "in" / "ours" / "carts.pdf", model_pdf(tmp_path))
    load(tree, tmp_path)
    put(tmp_path / "in" / "ours" / "carts.pptx", model_deck(tmp_path))
    assert load(tree, tmp_path).findings == ()
    pdf.unlink()
    (tmp_path / "in" / "ours" / "carts.pptx").unlink()
    put(tmp_path / "in" / "ours" / "carts" / "final.pdf", model_pdf(tmp_path))
    assert load(tree, tmp_path).findings == ()
    (folder,) = (tree.deck_folder(RUN, key) for key in tree.deck_keys(RUN))
    assert [path.name for path in folder.iterdir()] == ["final.pdf"]


def test_equal_decks_for_two_audiences_are_warned_of(tmp_path: Path, tree: ArtifactTree) -> None:
    put(tmp_path / "in" / "ours" / "carts.pptx", model_deck(tmp_path))
    put(tmp_path / "in" / "ours" / "conditioned/learners/carts.pptx", model_deck(tmp_path))
    put(tmp_path / "in" / "theirs" / "carts.pptx", model_deck(tmp_path))
    (finding,) = load(tree, tmp_path).findings
    assert (finding.check, finding.outcome) == ("decks_of_one_case_differ", Outcome.WARNED)
    assert finding.subject == "ours/carts"


def test_folders_of_several_tools_are_not_guessed(tmp_path: Path, tree: ArtifactTree) -> None:
    put(run_folder(tmp_path, "carts") / "final.pptx", model_deck(tmp_path))
    session(tmp_path, "ab12", "carts")
    with pytest.raises(UsageError, match="several tools"):
        load(tree, tmp_path)


def test_a_deck_folder_that_leads_out_of_the_root_is_refused(
    tmp_path: Path, tree: ArtifactTree
) -> None:
    put(tmp_path / "in" / "ours" / "carts.pptx", model_deck(tmp_path))
    (tmp_path / "out").mkdir()
    decks = tree.run_folder(RUN) / "decks"
    decks.mkdir(parents=True)
    (decks / "ours").symlink_to(tmp_path / "out")
    assert load(tree, tmp_path).failed == 1
    assert list((tmp_path / "out").iterdir()) == []
