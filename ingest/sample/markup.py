"""Front matter and the small Markdown subset in which the sample's documents are written.

Supported: ``#`` to ``###`` headings, paragraphs, ``-`` and ``1.`` lists, pipe tables, ``>`` quotes,
``**bold**``, ``*emphasis*`` and back-quoted code. That is all the documents need, and a subset that
fits a page keeps the made bytes independent of any Markdown library's version.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<![\w*])\*([^*]+?)\*(?![\w*])"), r"<i>\1</i>"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
)


@dataclass(frozen=True)
class SourceText:
    """One source document as written: its label, front matter and Markdown body."""

    label: str
    fields: Mapping[str, str]
    body: str

    def listed(self, name: str) -> tuple[str, ...]:
        """Return a comma-separated front-matter field as a tuple, empty when it is absent."""
        return tuple(part.strip() for part in self.fields.get(name, "").split(",") if part.strip())


def read_source_text(path: Path) -> SourceText:
    """Read ``content/<case_label>.md``.

    Args:
        path: The file; its stem is the case label.

    Returns:
        Front matter and body.

    Raises:
        ValueError: The file has no front matter, or a line of it is no ``name: value``.
    """
    text = path.read_text(encoding="utf-8")
    match = re.match(r"---\n(.*?)\n---\n+", text, flags=re.DOTALL)
    if match is None:
        raise ValueError(f"{path.name}: front matter between two '---' lines expected at the top")
    fields: dict[str, str] = {}
    for line in match.group(1).splitlines():
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"{path.name}: 'name: value' expected in the front matter, got {line}")
        fields[name.strip()] = value.strip()
    return SourceText(path.stem, fields, text[match.end() :])


def inline_html(text: str) -> str:
    """Turn one line of inline markup into HTML, with the rest escaped."""
    result = html.escape(text, quote=False)
    for pattern, replacement in _INLINE:
        result = pattern.sub(replacement, result)
    return result


def split_row(line: str) -> list[str]:
    """Split a pipe-table line into its cells."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _kind(line: str) -> str:
    if line.startswith("#"):
        return "heading"
    if line.startswith("|"):
        return "table"
    if line.startswith("> "):
        return "quote"
    if line.startswith("- "):
        return "ul"
    return "ol" if re.match(r"\d+\. ", line) else "text"


def _table_html(lines: list[str]) -> str:
    rows = [split_row(line) for line in lines]
    head, body = rows[0], rows[2:]
    parts = ["<tr>" + "".join(f"<th>{inline_html(cell)}</th>" for cell in head) + "</tr>"]
    for row in body:
        parts.append("<tr>" + "".join(f"<td>{inline_html(cell)}</td>" for cell in row) + "</tr>")
    return "<table>\n" + "\n".join(parts) + "\n</table>"


def _block_html(kind: str, lines: list[str]) -> Iterator[str]:
    if kind == "heading":
        for line in lines:
            level = len(line) - len(line.lstrip("#"))
            yield f"<h{level}>{inline_html(line[level:].strip())}</h{level}>"
    elif kind == "table":
        yield _table_html(lines)
    elif kind == "quote":
        text = inline_html(" ".join(line[2:] for line in lines))
        yield f"<blockquote>{text}</blockquote>"
    elif kind in ("ul", "ol"):
        items = [re.sub(r"^(?:- |\d+\. )", "", line) for line in lines]
        listed = "\n".join(f"<li>{inline_html(item)}</li>" for item in items)
        yield f"<{kind}>\n{listed}\n</{kind}>"
    else:
        yield f"<p>{inline_html(' '.join(lines))}</p>"


def body_html(body: str) -> str:
    """Turn the Markdown subset into HTML blocks, one per line group, separated by newlines."""
    parts: list[str] = []
    for block in re.split(r"\n\s*\n", body.strip()):
        lines = [line.rstrip() for line in block.splitlines()]
        for kind, group in groupby(lines, key=_kind):
            parts.extend(_block_html(kind, list(group)))
    return "\n".join(parts)
