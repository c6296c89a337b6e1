"""Make the shipped question set: ``python -m ingest.sample.make_questions_sample [FOLDER]``.

``rageval/questions.csv`` has questions that were written by hand with their answers, and what a
page must say to hold each answer. This finds the pages of the library that say it, and writes
``questions.jsonl`` beside it; a second run makes the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ingest.csv_files import read_csv
from ingest.documents.layout.read import read_layout
from warehouse import jsonl

SAMPLE = Path(__file__).parent / "rageval"
LIBRARY = Path(__file__).parent / "xslides"
_GLOBS = (
    "cases/*/source.*",
    "decks/narrator/agnostic/*",
    "decks/outliner/agnostic/*",
    "decks/sampler/agnostic/*",
)
# It is damaged on purpose, for those who count decks.
_LEFT_OUT = ("decks/sampler/agnostic/library_report.pptx",)
_AND = "&"
COLUMNS = ("question_id", "case", "question", "gold_answer", "modality", "evidence")


def library() -> list[Path]:
    """Return the documents that the questions are about: sources, and decks made of them."""
    return sorted(
        path
        for pattern in _GLOBS
        for path in LIBRARY.glob(pattern)
        if path.relative_to(LIBRARY).as_posix() not in _LEFT_OUT
    )


def make_questions() -> list[dict[str, Any]]:
    """Return the questions with all pages that hold their answers.

    Raises:
        ValueError: when no page says what a question asks for.
    """
    pages = {
        (path.relative_to(LIBRARY).as_posix(), page.number): (path, folded(page.text))
        for path in library()
        for page in read_layout(path).pages
    }
    return [_question(row, pages) for _, row in read_csv(SAMPLE / "questions.csv", COLUMNS)]


def folded(text: str) -> str:
    """Return text as evidence is looked for in it: one blank between words, no case."""
    return " ".join(text.replace("\u2212", "-").casefold().split())


def _question(
    row: dict[str, str], pages: dict[tuple[str, int], tuple[Path, str]]
) -> dict[str, Any]:
    evidence = [folded(one) for one in row["evidence"].split(_AND)]
    found = [
        f"{document_id}#{number}"
        for (document_id, number), (path, text) in sorted(pages.items())
        if row["case"] in (path.stem, path.parent.name) and all(one in text for one in evidence)
    ]
    if not found:
        raise ValueError(f"no page of {row['case']} says {row['evidence']}")
    return {
        "question_id": row["question_id"],
        "question": row["question"],
        "gold_answers": [row["gold_answer"]],
        "gold_pages": found,
        "modality": row["modality"],
        "question_type": row["case"],
    }


def main(arguments: list[str]) -> None:
    """Write the questions into a folder, by default the shipped one."""
    folder = Path(arguments[0]) if arguments else SAMPLE
    jsonl.write_jsonl(folder / "questions.jsonl", make_questions())


if __name__ == "__main__":
    main(sys.argv[1:])
