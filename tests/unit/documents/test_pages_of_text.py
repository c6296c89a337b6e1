"""Web pages, Markdown and plain text as sources (fault P11)."""

from __future__ import annotations

from pathlib import Path

import pytest
from document_builders import read_bytes, words


def read_html(folder: Path, body: str, encoding: str = "utf-8") -> str:
    return read_bytes(folder, body.encode(encoding), "page.html").visible_text


def test_p11_block_tags_break_and_inline_tags_do_not(tmp_path: Path) -> None:
    page = "<nav>Home</nav><p>Text</p><p><span>N</span>o one</p><div>a</div><div>b</div>"
    document = read_bytes(tmp_path, page.encode(), "page.html")
    assert document.visible_text == "Text\nNo one\na\nb"
    assert words(document) == {"body": 5, "furniture": 1}


@pytest.mark.parametrize("tag", ["script", "style", "template", "noscript"])
def test_p11_scripts_and_styles_never_count(tmp_path: Path, tag: str) -> None:
    assert read_html(tmp_path, f"<html><p>one</p><{tag}>no words</{tag}>two") == "one\ntwo"


def test_headings_lists_tables_and_breaks_keep_their_lines(tmp_path: Path) -> None:
    page = (
        "<html><head><title>The  page</title></head><body><h1>Top <em>level</em></h1><h3>Below</h3>"
        "<p>white \n space<br>folded</p><ul><li>one</li><li>two</li></ul>"
        "<table><tr><th>Name</th><th>Value</th></tr><tr><td><p>x</p></td><td>1</td></tr></table>"
        "<pre>first\nsecond</pre></body></html>"
    )
    document = read_bytes(tmp_path, page.encode(), "page.html")
    assert document.visible_text.split("\n") == [
        "# Top level",
        "### Below",
        "white space folded",
        "one",
        "two",
        "Name | Value",
        "x | 1",
        "first",
        "second",
    ]
    assert document.pages[0].title == "The page"
    assert document.slide_count is None


def test_text_of_svg_is_kept_and_descriptions_are_apart(tmp_path: Path) -> None:
    page = (
        "<html><svg><title>a drawing</title><text>Node <tspan>one</tspan></text></svg>"
        '<img alt="pic">'
    )
    document = read_bytes(tmp_path, page.encode(), "page.html")
    assert words(document) == {"body": 2, "alt_text": 3}


def test_hidden_elements_are_invisible(tmp_path: Path) -> None:
    page = '<html><p>seen</p><p hidden>not seen</p><p style="display: none">nor this</p>'
    assert words(read_bytes(tmp_path, page.encode(), "a.html")) == {"body": 1, "invisible": 4}


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ('<meta charset="windows-1256">', "cp1256"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', "cp1252"),
    ],
)
def test_encoding_comes_from_mark_declaration_or_bytes(
    tmp_path: Path, head: str, encoding: str
) -> None:
    text = "عربي" if encoding == "cp1256" else "naïve"
    assert read_html(tmp_path, f"<html>{head}<p>{text}</p>", encoding) == text


def test_bytes_that_are_no_utf8_are_read_with_a_warning(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "<html><p>naïve".encode("cp1252"), "page.html")
    assert document.visible_text == "naïve"
    assert document.status == "ok_with_warnings"


def test_deeply_nested_html_ends_in_a_status(tmp_path: Path) -> None:
    page = "<div>" * 20_000 + "deep" + "</div>" * 20_000
    document = read_bytes(tmp_path, f"<html><p>text</p>{page}".encode(), "page.html")
    assert document.status in ("ok", "ok_with_warnings", "damaged")


def test_markdown_keeps_headings_and_paragraphs(tmp_path: Path) -> None:
    page = (
        "\ufeff---\ntitle: front matter\n---\n# Title #\n\nA soft\n"
        "wrapped <b>bo</b>ld [link](http://x.y).\n"
        "<!-- a\ncomment -->\nUnder\n-----\n- item one\n  goes on\n- item two\n\n"
        "| a | b |\n|---|---|\n"
        "| 1 | 2 |\n\n```python\n# code <b>stays</b>\n```\n![picture of it](a.png)\n"
    )
    document = read_bytes(tmp_path, page.encode(), "page.md")
    assert document.visible_text.split("\n") == [
        "# Title",
        "A soft wrapped bold link.",
        "## Under",
        "- item one goes on",
        "- item two",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "# code <b>stays</b>",
    ]
    assert document.pages[0].title == "Title"
    assert document.words_by_class["alt_text"] == 3


def test_plain_text_keeps_its_paragraphs(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, b"one\r\ntwo\r\n\r\nthree", "page.txt")
    assert document.visible_text == "one two\nthree"
    assert document.format == "text"
