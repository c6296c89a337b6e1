"""Documents on their way into retrieval: routed, placed, chunked, landed; nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ingest.documents.layout.blocks import LaidPage, Line
from ingest.rageval.documents import markers
from ingest.rageval.documents.artifacts import markdown_table
from ingest.rageval.documents.layout_rule import page_evidence, rule_class
from ingest.rageval.documents.parsed import parse
from podium.cli.main import app
from tests.support import laid_pdfs
from tests.support.project import ROOT
from tests.support.ragchecker_files import landed
from warehouse import jsonl
from warehouse.paths import WarehousePaths

SAMPLE = ROOT / "ingest" / "sample" / "xslides"
TOKENS = ("[[table:", "[[picture:", "[TABLE START]", "[PICTURE END]", "\\", "x", " ", "]]", "a_1")


@given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join))
@settings(max_examples=300, deadline=None)
def test_literal_words_are_never_places(text: str) -> None:
    escaped = markers.escape(text)
    assert markers.places(escaped) == []
    assert list(markers.unbalanced(escaped)) == []
    assert markers.unescape(escaped) == text
    whole = f"{escaped}\n{markers.place('table', 'table_0f')}\n{escaped}"
    assert markers.places(whole) == ["table_0f"]
    assert markers.resolve(whole, lambda found: f"<{found}>") == f"{text}\n<table_0f>\n{text}"
    assert list(markers.unbalanced(markers.marked("picture", text))) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[TABLE START]\na\n[TABLE END]", 0),
        ("[TABLE START]\na", 1),
        ("a\n[PICTURE END]", 1),
        ("[TABLE START][PICTURE START][PICTURE END]", 1),
        ("[TABLE START]\n[PICTURE END]", 2),
    ],
)
def test_markers_out_of_balance_are_told(text: str, wrong: int) -> None:
    assert len(list(markers.unbalanced(text))) == wrong


def test_a_table_becomes_markdown_with_its_bars_escaped() -> None:
    rows = (("a|b", "c"), ("1",))
    assert markdown_table(rows) == "| a\\|b | c |\n| --- | --- |\n| 1 |  |"


def page(width: float, height: float, sizes: list[tuple[float, int]]) -> LaidPage:
    lines = tuple(
        Line("w " * words, (0, 20 * place, 100, 20 * place + 10), size, False, words)
        for place, (size, words) in enumerate(sizes)
    )
    return LaidPage(1, width, height, (), lines)


@pytest.mark.parametrize(
    ("width", "height", "sizes", "expected"),
    [
        (960, 540, [(44, 4), (24, 8), (24, 8)], "presentation"),
        (720, 540, [(12, 9)] * 40, "standard"),
        (595, 842, [(20, 4), *[(11, 12)] * 30], "standard"),
        (842, 595, [(20, 4), *[(11, 12)] * 30], "standard"),
        (792, 612, [(40, 4), (28, 6)], "presentation"),
        (595, 842, [(11, 2)], "standard"),
        (960, 540, [], "presentation"),
        (595, 842, [], "standard"),
    ],
)
def test_the_rule_looks_at_shape_and_type(
    width: float, height: float, sizes: list[tuple[float, int]], expected: str
) -> None:
    found, reason = rule_class([page_evidence(page(width, height, sizes))])
    assert found == expected, reason
    assert "page 1" in reason


def test_a_report_is_placed_and_chunked(tmp_path: Path) -> None:
    parsed = parse(laid_pdfs.report(tmp_path / "report.pdf"), "report.pdf", {})
    assert parsed.route is not None
    assert (parsed.route.layout_class, parsed.route.method) == ("standard", "rule")
    assert parsed.title == "Chapter 1 of the harbour.pdf"
    assert not parsed.lost
    kinds = [one.kind for one in parsed.chunks]
    assert (kinds.count("table"), kinds.count("picture"), kinds.count("page")) == (3, 3, 3)
    parents = {one.chunk_id: one for one in parsed.chunks}
    for one in parsed.chunks:
        if one.artifact is None:
            continue
        assert one.parent_id is not None
        place = markers.place(one.artifact.kind, one.artifact.artifact_id)
        assert parents[one.parent_id].source_text.count(place) == 1
    texts = "\n".join(one.text for one in parsed.chunks if one.kind == "text")
    assert laid_pdfs.LITERAL in texts
    assert "Harbour office" not in texts
    assert "Counted at noon" in texts


def test_slides_stay_whole(tmp_path: Path) -> None:
    parsed = parse(laid_pdfs.slides(tmp_path / "talk.pdf"), "talk.pdf", {})
    assert parsed.is_slides
    assert [one.kind for one in parsed.chunks] == ["page"] * 3
    assert parsed.chunks[1].source_text.startswith("# Stone quays 2")
    assert not parsed.lost


def test_what_is_stated_wins_and_later_pages_that_disagree_are_counted(tmp_path: Path) -> None:
    path = laid_pdfs.slides(tmp_path / "talk.pdf", pages=5)
    parsed = parse(path, "talk.pdf", {"talk.pdf": "standard"})
    assert parsed.route is not None
    assert (parsed.route.layout_class, parsed.route.method) == ("standard", "override")
    assert parsed.route.rule == "presentation"
    assert parsed.route.disagreeing == (3, 4, 5)
    assert parsed.route.is_mixed


def test_long_paragraphs_are_cut_and_keep_all_words(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    sentences = [f"Sentence {number} names the yard of ship {number}." for number in range(200)]
    path.write_text(f"# Yards\n\n{' '.join(sentences)}\n\n{'code ' * 900}\n", encoding="utf-8")
    parsed = parse(path, "long.md", {})
    texts = [one for one in parsed.chunks if one.kind == "text"]
    assert len(texts) > 8
    assert max(len(one.text.split()) for one in texts) <= 222
    assert not parsed.lost
    assert {one.heading for one in texts} == {"Yards"}


def command(tmp_path: Path, *words: str) -> Any:
    root = ("--warehouse", str(tmp_path / "warehouse"))
    return CliRunner().invoke(app, ["rageval", "ingest", *words, *root])


def test_the_command_lands_documents_and_leaves_them_alone(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    laid_pdfs.report(folder / "report.pdf")
    laid_pdfs.slides(folder / "talk.pdf")
    (folder / "torn.pdf").write_bytes(b"%PDF-1.4 torn")
    (folder / ".hidden.md").write_text("no", encoding="utf-8")
    done = command(tmp_path, str(folder), "--json")
    assert done.exit_code == 0, done.output
    paths = WarehousePaths(tmp_path / "warehouse")
    documents = {row["document_id"]: row for row in landed(paths, "documents")}
    assert {name: row["layout_class"] for name, row in documents.items()} == {
        "report.pdf": "standard",
        "talk.pdf": "presentation",
        "torn.pdf": None,
    }
    assert documents["torn.pdf"]["document_status"] == "damaged"
    assert jsonl.parse(documents["talk.pdf"]["routing_evidence"])[0]["aspect"] == 1.7778
    assert {row["resolved_count"] for row in landed(paths, "chunk_artifacts")} == {1}
    again = jsonl.parse(command(tmp_path, str(folder), "--json").stdout)
    assert (again["landed_units"], len(again["unchanged_units"])) == ([], 3)
    classes = tmp_path / "classes.csv"
    classes.write_text("document_id,layout_class\ntalk.pdf,standard\n", encoding="utf-8")
    moved = jsonl.parse(
        command(tmp_path, str(folder), "--overrides", str(classes), "--json").stdout
    )
    assert len(moved["landed_units"]) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("document_id,layout_class\ntalk.pdf,slides\n", "has a class `slides`"),
        ("document_id,layout_class\nother.pdf,standard\n", "no document `other.pdf`"),
        ("document,layout_class\n", "other columns"),
    ],
)
def test_wrong_overrides_are_errors(tmp_path: Path, content: str, message: str) -> None:
    laid_pdfs.slides(tmp_path / "talk.pdf")
    classes = tmp_path / "classes.csv"
    classes.write_text(content, encoding="utf-8")
    done = command(tmp_path, str(tmp_path / "talk.pdf"), "--overrides", str(classes))
    assert done.exit_code == 2
    assert message in done.output


def test_nothing_to_ingest_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert command(tmp_path, str(tmp_path / "empty")).exit_code == 2
    assert command(tmp_path, str(tmp_path / "absent")).exit_code == 2
