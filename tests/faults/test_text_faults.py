"""Web pages, Markdown and the counting of words (catalogue P11, W, E)."""

from __future__ import annotations

import re
from pathlib import Path

import pymupdf
import pytest

from ingest.documents.document import Document, DocumentStatus
from tests.support.project import ROOT
from tests.unit.documents.document_builders import pdf_bytes, read_bytes, words

SQL = sorted(
    path
    for folder in ("models", "macros", "expectations/dbt")
    for path in (ROOT / folder).rglob("*.sql")
)


def read_html(folder: Path, body: str) -> Document:
    return read_bytes(folder, f"<html><body>{body}".encode(), "page.html")


def read_markdown(folder: Path, text: str) -> Document:
    return read_bytes(folder, text.encode(), "page.md")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<nav>Home</nav><p>Text</p><p><span>N</span>o one</p>", "Text\nNo one"),
        ("<td>one</td><td>two</td>", "one | two"),
        ("one<br>two<hr>three", "one two\nthree"),
        ("<p>half<!-- no words -->way</p>", "halfway"),
        ("<p>ab<wbr>cd<b>ef</b></p>", "abcdef"),
        (
            '<span style="display: block">one</span><span style="display:flex">two</span>',
            "one\ntwo",
        ),
        ("<script>no</script><style>no</style><template>no</template>one", "one"),
    ],
)
def test_tags_break_where_a_browser_breaks(tmp_path: Path, body: str, text: str) -> None:
    found = read_html(tmp_path, body).visible_text
    assert found.split() == text.split()


@pytest.mark.parametrize(
    "body",
    [
        '<section data-markdown="slides.md"></section>',
        '<section data-markdown><script type="text/template"># Title</script></section>',
        '<section data-external="more.html"></section>',
    ],
)
def test_text_that_a_script_loads_is_told(tmp_path: Path, body: str) -> None:
    document = read_html(tmp_path, f"{body}<p>two words</p>")
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert "loaded by script" in document.warnings[0]
    assert document.visible_word_count == 2


@pytest.mark.parametrize("label", ["hex", "base64", "idna", "unicode_escape", "utf-7", "nonsense"])
def test_an_encoding_that_no_page_has_is_passed_over(tmp_path: Path, label: str) -> None:
    page = f'<html><meta charset="{label}"><p>naïve +AGE- \\u0061'.encode()
    document = read_bytes(tmp_path, page, "page.html")
    assert document.status is DocumentStatus.OK
    assert document.visible_text == "naïve +AGE- \\u0061"


@pytest.mark.parametrize("encoding", ["utf-16", "cp1256", "cp1252"])
def test_a_page_that_is_not_utf8_keeps_its_words(tmp_path: Path, encoding: str) -> None:
    text = "عربي نص" if encoding == "cp1256" else "naïve café"
    page = f'<html><meta charset="{encoding}"><p>{text}'.encode(encoding)
    assert read_bytes(tmp_path, page, "page.html").visible_text == text


def test_named_characters_are_characters(tmp_path: Path) -> None:
    document = read_markdown(tmp_path, "a &amp; b&nbsp;c &lt;d&gt; &#8212; R&D ?x=1&copy=2\n")
    assert document.visible_text == "a & b c <d> — R&D ?x=1&copy=2"
    assert document.visible_word_count == 6
    assert read_markdown(tmp_path, "```\n&amp;\n```\n").visible_text == "&amp;"


def test_targets_of_links_are_no_words(tmp_path: Path) -> None:
    text = "See [the paper][1] now.\n\n[1]: https://a.example/x (The title)\n[^2]: a note\n"
    assert read_markdown(tmp_path, text).visible_text == "See the paper now.\n[^2]: a note"


def test_words_are_those_of_the_same_text_in_every_format(tmp_path: Path) -> None:
    text = "Wörter naïve ブレス\u3000オフ 你好\uff0c世界 one\u00a0two"
    found = {
        words(read_bytes(tmp_path, data.encode(), name))["body"]
        for name, data in (
            ("a.txt", text),
            ("a.md", text),
            ("a.html", f"<html><p>{text}"),
        )
    }
    assert found == {13}


def test_no_sql_counts_words_or_tells_letters() -> None:
    assert len(SQL) > 50
    for path in SQL:
        text = re.sub(r"\{#.*?#\}|--[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert not re.search(r"string_split|str_split|regexp_|split_part|\\[swSW]", text), path


def test_sql_rounds_only_to_whole_numbers_of_a_fixed_point() -> None:
    found = 0
    for path in SQL:
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"\bround\(", text):
            found += 1
            assert re.search(r"cast\(\s*\Z", text[: match.start()]), path
    assert found > 5


def test_every_division_in_sql_is_guarded_or_by_a_constant() -> None:
    guarded = re.compile(
        r"\{\{ number\(|nullif\(|\{\{ unit_count \}\}|\{\{ weights \}\}\.sample_count"
    )
    found = 0
    for path in SQL:
        text = re.sub(r"\{#.*?#\}|--[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        for match in re.finditer(r"\s/\s", text):
            found += 1
            assert guarded.match(text, match.end()), (path, text[match.start() : match.end() + 40])
    assert found > 10


def test_no_reader_of_rows_passes_over_errors() -> None:
    for path in (
        *SQL,
        *(ROOT / "warehouse").rglob("*.py"),
        *(ROOT / "ingest/xslides").rglob("*.py"),
    ):
        assert "ignore_errors" not in path.read_text(encoding="utf-8"), path


def test_the_pdf_library_is_pinned_and_named(tmp_path: Path) -> None:
    pins = (ROOT / "requirements/runtime.txt").read_text(encoding="utf-8")
    assert re.search(rf"^pymupdf=={re.escape(pymupdf.pymupdf_version)}\b", pins, re.MULTILINE)
    document = read_bytes(tmp_path, pdf_bytes([[(50, 50, "text", {})]]), "a.pdf")
    assert pymupdf.pymupdf_version in document.parser_fingerprint
