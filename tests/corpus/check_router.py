"""Hold the offline layout rule against labels that a person gave by looking at the pages.

    python -m tests.corpus.check_router DIR...

Looks for the labelled files (layout_labels.csv, by SHA-256) anywhere below the folders; `.pdf.gz`
is unpacked, PPTX is drawn by LibreOffice, so that no file is known by its suffix or its producer.
Prints a confusion table for the files that the rule was written on and for those that it was not,
and exits with 1 where the second has a precision below 0.95 or a recall below 0.90 for
presentations.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pymupdf

from ingest.documents.layout.read import read_layout
from ingest.documents.office import OfficeError, to_pdf
from ingest.rageval.documents.layout_rule import (
    DECIDING_PAGES,
    PRESENTATION,
    STANDARD,
    page_evidence,
    rule_class,
)

LABELS = Path(__file__).with_name("layout_labels.csv")
PRECISION, RECALL = 0.95, 0.90
HELD_OUT = "held_out"


def main(arguments: list[str]) -> int:
    folders = [Path(one) for one in arguments]
    if not folders or not all(one.is_dir() for one in folders):
        sys.stderr.write("usage: python -m tests.corpus.check_router DIR...\n")
        return 2
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = {row["sha256"]: row for row in csv.DictReader(file)}
    counts: Counter[tuple[str, str, str]] = Counter()
    for sha256, first_pages in found(folders, set(labels)):
        label = labels[sha256]
        said, why = decided(first_pages)
        counts[label["part"], label["layout_class"], said] += 1
        if said != label["layout_class"]:
            sys.stdout.write(f"  {label['part']} {label['file']}: {said}; {why}\n")
    sys.stdout.write(f"{counts.total()} of {len(labels)} labelled files\n")
    is_good = True
    for part in sorted({row["part"] for row in labels.values()}):
        right = counts[part, PRESENTATION, PRESENTATION]
        wrong = counts[part, STANDARD, PRESENTATION]
        missed = counts[part, PRESENTATION, STANDARD]
        if not right:
            continue
        precision, recall = right / (right + wrong), right / (right + missed)
        sys.stdout.write(
            f"{part}: presentation as such {right}, as standard {missed}; standard as such "
            f"{counts[part, STANDARD, STANDARD]}, as presentation {wrong}; "
            f"precision {precision:.3f}, recall {recall:.3f}\n"
        )
        is_good &= part != HELD_OUT or (precision >= PRECISION and recall >= RECALL)
    return 0 if is_good and counts else 1


def found(folders: list[Path], wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield hash and first pages as a PDF of every wanted file, each once."""
    rest = set(wanted)
    for path in sorted(one for folder in folders for one in folder.rglob("*") if one.is_file()):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in rest:
            continue
        rest.remove(sha256)
        try:
            pdf = data if data.startswith(b"%PDF") or b"%PDF" in data[:1024] else to_pdf(path)
        except OfficeError as error:
            sys.stderr.write(f"{path.name}: {error}\n")
            continue
        with pymupdf.open(stream=pdf, filetype="pdf") as document:
            document.select(range(min(DECIDING_PAGES, document.page_count)))
            yield sha256, document.tobytes()


def decided(first_pages: bytes) -> tuple[str, str]:
    """Return class and reason of a document by its first pages."""
    with tempfile.TemporaryDirectory(prefix="podium-router-") as scratch:
        path = Path(scratch) / "document"
        path.write_bytes(first_pages)
        return rule_class([page_evidence(page) for page in read_layout(path).pages])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
