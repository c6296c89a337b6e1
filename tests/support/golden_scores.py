"""Questions and answers whose scores are known: worked out by hand, or drawn at random."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import duckdb

from ingest.slideagent.land import LandOptions, land
from tests.support.worlds import World
from warehouse import build, jsonl
from warehouse.paths import WarehousePaths

Row = dict[str, Any]
RANDOM_QUESTIONS = 60
MANY_QUESTIONS = 700

QUESTIONS: tuple[Row, ...] = (
    {"dataset": "alpha", "question_id": "cranes", "question": "How many cranes are there?",
     "gold_answers": ["17k"], "question_type": "count", "page_count": 1},
    {"dataset": "alpha", "question_id": "region", "question": "Which region grew?",
     "gold_answers": ["the North America office", "North America"], "gold_pages": [1, 2],
     "question_type": "span", "page_count": 20},
    {"dataset": "alpha", "question_id": "yard", "question": "Which yard is the oldest?",
     "gold_answers": ["the red harbour"], "question_type": "span", "page_count": 21},
    {"dataset": "alpha", "question_id": "share", "question": "What share is exported?",
     "gold_answers": ["97%"], "gold_pages": [3], "page_count": 51},
    {"dataset": "alpha", "question_id": "open", "question": "Is the dock open?",
     "gold_answers": ["no"]},
    {"dataset": "beta", "question_id": "colours", "question": "Which colours are used?",
     "gold_answers": ["red", "blue"], "gold_mode": "all"},
    {"dataset": "beta", "question_id": "sizes", "question": "Which sizes are sold?",
     "gold_answers": ["12", "15"], "gold_mode": "all"},
)  # fmt: skip
ANSWERS: tuple[Row, ...] = tuple(
    {"dataset": dataset, "system_id": system, "setting": setting, "question_id": question,
     "answer": answer, "pages": list(pages)}
    for dataset, system, setting, question, answer, pages in (
        ("alpha", "one", "end_to_end", "cranes", "17,000", (1,)),
        ("alpha", "one", "end_to_end", "region", "North America region", (1, 3)),
        ("alpha", "one", "end_to_end", "yard", "  ", ()),
        ("alpha", "one", "end_to_end", "share", "97", ()),
        ("alpha", "one", "end_to_end", "open", "No.", ()),
        ("alpha", "one", "oracle", "cranes", "17 thousand", ()),
        ("alpha", "one", "oracle", "region", "North America", ()),
        ("alpha", "one", "oracle", "yard", "red harbour", ()),
        ("alpha", "one", "oracle", "share", "97 %", ()),
        ("alpha", "one", "oracle", "open", "yes", ()),
        ("alpha", "two", "end_to_end", "cranes", "between 16,900 and 17,000", ()),
        ("alpha", "two", "end_to_end", "region", "North America, and the North America", ()),
        ("alpha", "two", "end_to_end", "share", "97% of 97", ()),
        ("beta", "one", "end_to_end", "colours", "blue and green", ()),
        ("beta", "one", "end_to_end", "sizes", "15 and 12", ()),
    )
)  # fmt: skip
_PIECES = (
    "north", "North", "the", "of", "a", "no", "not", "above", "3.14", "-5", "5", "1,234",
    "r\u00e9sum\u00e9", "caf\u00e9", "x-ray", "co.", "U.S.", "\u201cquoted\u201d", "dock's",
    "docks'", "\u6771\u4eac", "!", "...", "\u2014",
)  # fmt: skip


def draw(seed: int) -> tuple[list[Row], list[Row]]:
    """Return random questions and answers: words, signs, nothing but stop words, copies."""
    drawn = random.Random(seed)

    def text() -> str:
        return " ".join(drawn.choices(_PIECES, k=drawn.choice((1, 1, 2, 3, 6))))

    questions, answers = [], []
    for number in range(RANDOM_QUESTIONS):
        golds = [text() for _ in range(drawn.choice((1, 1, 2, 3)))]
        where = {"dataset": "drawn", "question_id": f"q{number:03}"}
        mode = drawn.choice(("any", "all"))
        questions.append({**where, "question": "What?", "gold_answers": golds, "gold_mode": mode})
        for system in ("left", "right"):
            said = drawn.choice(golds) if drawn.random() < 0.3 else text()
            said = "" if drawn.random() < 0.1 else said
            named = {"system_id": system, "setting": "end_to_end"}
            answers.append({**where, **named, "answer": said})
    drawn.shuffle(answers)
    return questions, answers


def many() -> tuple[list[Row], list[Row]]:
    """Return more numeric questions than draws are counted in one way for, each third one right."""
    questions, answers = [], []
    for number in range(MANY_QUESTIONS):
        where = {"dataset": "many", "question_id": f"q{number:03}"}
        gold = str(number + 2)
        questions.append({**where, "question": "How many?", "gold_answers": [gold]})
        named = {"system_id": "one", "setting": "oracle"}
        said = gold if number % 3 == 0 else "1"
        answers.append({**where, **named, "answer": said})
    return questions, answers


def plant(root: Path, name: str, questions: list[Row], answers: list[Row]) -> tuple[Path, Path]:
    """Write one run's two files into a folder of its own."""
    folder = root / name
    jsonl.write_jsonl(folder / "questions.jsonl", questions)
    jsonl.write_jsonl(folder / "answers.jsonl", answers)
    return folder / "questions.jsonl", folder / "answers.jsonl"


def build_scores(root: Path, runs: dict[str, tuple[list[Row], list[Row]]]) -> World:
    """Land runs, each its questions and answers, and build them whole."""
    paths = WarehousePaths(root / "warehouse")
    reports = {}
    for name, (questions, answers) in runs.items():
        question_file, answer_file = plant(root, name, questions, answers)
        report = land(paths, question_file, [answer_file], LandOptions())
        assert report.rejects == [], report.rejects
        reports[name] = report
    result = build.run_build(paths, with_unit_tests=False)
    assert result.is_complete, [(one.subject, one.message) for one in result.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, {}, result, connection)


def build_all(root: Path) -> World:
    """Land and build what is known by hand, and what was drawn."""
    by_hand = (list(QUESTIONS), list(ANSWERS))
    return build_scores(root, {"by_hand": by_hand, "drawn": draw(11), "many": many()})
