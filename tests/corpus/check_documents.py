"""Hold the document readers against a folder of real files.

    python tests/corpus/check_documents.py DIR

Every PPTX, PDF, HTML and Markdown file under DIR has to end in one status of the closed list
without an exception, and the words of all classes together are never fewer than a full walk by
python-pptx (frames, groups, tables, charts, notes) or PyMuPDF's own words give under the same word
rule. Exits with 1 on any shortfall or crash.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import pptx
import pymupdf

from ingest.documents.document import Document, DocumentStatus
from ingest.documents.read import read_document
from ingest.documents.words import count_words

SUFFIXES = frozenset(
    {".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm", ".pdf", ".html", ".htm", ".md", ".qmd"}
)


def say(line: str, stream: TextIO = sys.stdout) -> None:
    stream.write(line + "\n")


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        say("usage: python tests/corpus/check_documents.py DIR", sys.stderr)
        return 2
    root = Path(arguments[0])
    files = sorted(path for path in root.rglob("*") if path.suffix.lower() in SUFFIXES)
    statuses: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    compared = 0
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    for path in files:
        name = path.relative_to(root).as_posix()
        try:
            document = read_document(path)
        except Exception:  # the check is that there is none
            failures.append(f"{name}: crash\n{traceback.format_exc()}")
            continue
        if document.status not in DocumentStatus:
            failures.append(f"{name}: status {document.status} is not in the closed list")
        statuses[(document.format or "-", document.status.value)] += 1
        words = reference_words(path, document)
        if words is not None:
            compared += 1
            found = sum(document.words_by_class.values())
            if found < words:
                failures.append(f"{name}: {found} words, the reference sees {words}")
    say(f"{len(files)} files, {compared} compared with a reference")
    for (kind, status), count in sorted(statuses.items()):
        say(f"  {kind:<9} {status:<17} {count:>4}")
    say(f"{len(failures)} shortfalls or crashes")
    for failure in failures:
        say(f"  {failure}")
    return 1 if failures or not files else 0


def reference_words(path: Path, document: Document) -> int | None:
    """Count what the reference library sees; None where it does not open the file."""
    if not document.status.is_readable:
        return None
    try:
        if document.format == "pptx":
            return sum(count_words(text) for text in presentation_texts(path))
        if document.format == "pdf":
            with pymupdf.open(path, filetype="pdf") as pdf:
                return sum(count_words(word[4]) for page in pdf for word in page.get_text("words"))
    except Exception as error:  # the reference may fail on a file that we read
        say(f"  reference fails on {path.name}: {type(error).__name__}", sys.stderr)
    return None


def presentation_texts(path: Path) -> Iterator[str]:
    """Walk a presentation with python-pptx: frames, groups, tables, charts and notes."""
    for slide in pptx.Presentation(str(path)).slides:
        for shape in slide.shapes:
            yield from shape_texts(shape)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield from frame_texts(slide.notes_slide.notes_text_frame)


def shape_texts(shape: Any) -> Iterator[str]:
    if hasattr(shape, "shapes"):
        for child in shape.shapes:
            yield from shape_texts(child)
    elif getattr(shape, "has_table", False):
        for row in shape.table.rows:
            for cell in row.cells:
                if not cell.is_spanned:
                    yield from frame_texts(cell.text_frame)
    elif getattr(shape, "has_chart", False):
        yield from chart_texts(shape.chart)
    elif shape.has_text_frame:
        yield from frame_texts(shape.text_frame)


def frame_texts(frame: Any) -> Iterator[str]:
    for paragraph in frame.paragraphs:
        yield paragraph.text


def chart_texts(chart: Any) -> Iterator[str]:
    if chart.has_title and chart.chart_title.has_text_frame:
        yield from frame_texts(chart.chart_title.text_frame)
    categories: set[tuple[str, ...]] = set()
    try:
        plots = list(chart.plots)
    except ValueError:  # a kind of chart that python-pptx cannot name
        return
    for plot in plots:
        # Plots on the same axis share their categories, which the chart shows once.
        categories.add(tuple(str(category) for category in plot.categories))
        for series in plot.series:
            yield series.name
    for labels in sorted(categories):
        yield from labels


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
