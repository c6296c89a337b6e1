"""Hold scores of answers against those that TAT-QA's own script gave the same answers.

    python -m tests.corpus.check_scores DIR

DIR holds `tatqa/` (dev_gold.jsonl, sample_prediction.json, official_scores.csv). Every question on
which the two differ must fall under a rule that docs/slideagent-tatqa.md names, as often as it
says there. Exits with 1 otherwise.
"""

from __future__ import annotations

import csv
import re
import string
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from ingest.numbers.answers import parse_answer
from ingest.slideagent.land import LandOptions, land
from ingest.slideagent.native import Stated, texts
from ingest.slideagent.tokens import tokens_of
from tests.support.project import ROOT
from warehouse import build, jsonl
from warehouse.paths import WarehousePaths

GUIDE = ROOT / "docs" / "slideagent-tatqa.md"
# Their scores have two decimals.
CLOSE = 0.005 + 1e-9
ARTICLES = ("a", "an", "the")
_SIGNS = dict.fromkeys(map(ord, string.punctuation + "\u2018\u2019\u00b4`"))
_ROW = re.compile(r"^\| ([^|]+) \| ([\d,]+) \|", re.MULTILINE)
AGREED = {
    (1.0, 1.0): "numbers: right by both",
    (0.0, 0.0): "numbers: wrong by both",
    (None, 0.0): "no answer: 0 by both",
}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write("usage: python -m tests.corpus.check_scores DIR\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="podium-scores-") as scratch:
        found = Counter(reasons(Path(arguments[0]) / "tatqa", WarehousePaths(Path(scratch))))
    stated = {
        name: int(count.replace(",", ""))
        for name, count in _ROW.findall(GUIDE.read_text(encoding="utf-8"))
    }
    failures = 0
    for name in sorted({*found, *stated}):
        failures += found[name] != stated.get(name)
        sys.stdout.write(f"  {name}: {found[name]}, stated {stated.get(name)}\n")
    sys.stdout.write(f"{found.total()} scored answers, {failures} failures\n")
    return 1 if failures or not found else 0


def reasons(folder: Path, paths: WarehousePaths) -> Iterator[str]:
    """Yield for every question how the two scores compare.

    Raises:
        RuntimeError: when a row is rejected or the build fails.
    """
    said = folder / "sample_prediction.json"
    options = LandOptions(layout="tatqa", stated=Stated(None, "sample", "end_to_end"))
    report = land(paths, folder / "dev_gold.jsonl", [said], options)
    built = build.run_build(paths, with_unit_tests=False)
    if report.rejects or not built.is_complete:
        raise RuntimeError("something was rejected, or the build failed")
    with (folder / "official_scores.csv").open(encoding="utf-8") as file:
        official = {row["uid"]: row for row in csv.DictReader(file)}
    golds = {
        row.value["uid"]: row.value for row in jsonl.read_jsonl(folder / "dev_gold.jsonl").rows
    }
    predictions = jsonl.read_json(said)
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        rows = connection.execute(
            "select question_id, is_numeric, num, num_rounded, f1, answer_status "
            "from marts.fct_slideagent__answer_scores order by question_id"
        ).fetchall()
    for question, is_numeric, num, rounded, f1, status in rows:
        theirs = official[question]
        if status == "missing":
            yield AGREED[None, float(theirs["f1"])]
        elif is_numeric:
            yield _of_numbers(num, rounded, float(theirs["em"]), golds[question])
        else:
            answers = texts(predictions[question][0], "answer")
            yield _of_words(f1, float(theirs["f1"]), golds[question], answers)


def _of_numbers(num: float, rounded: float, theirs: float, gold: dict[str, Any]) -> str:
    if num == theirs:
        return AGREED[num, theirs]
    if num:
        return "numbers: words, signs or punctuation beside the right number"
    if rounded:
        return "numbers: right once rounded to two decimals"
    values = {one.value for text in texts(gold["answer"], "answer")
              for one in parse_answer(text).numbers}  # fmt: skip
    return "numbers: sign lost in brackets" if min(values) > 0 else "unexplained"


def _of_words(ours: float, theirs: float, gold: dict[str, Any], answers: tuple[str, ...]) -> str:
    """Return which rules of theirs, put into ours one by one, give their score."""
    golds = texts(gold["answer"], "answer")
    rules: dict[str, tuple[Callable[[str], list[str]], bool]] = {
        "stop words kept": (_all_words, False),
        "stop words kept, each word once": (_all_words, True),
        "stop words kept, signs cut out of words": (_their_words, False),
        "stop words kept, signs cut out of words, each word once": (_their_words, True),
    }
    if abs(ours - theirs) <= CLOSE:
        return "words: F1 within half a hundredth"
    for name, (words, is_set) in rules.items():
        sides = [Counter(one for text in side for one in words(text)) for side in (golds, answers)]
        gold_words, said = (Counter(set(one)) for one in sides) if is_set else sides
        total = gold_words.total() + said.total()
        if total and abs(Fraction(2 * (gold_words & said).total(), total) - theirs) <= CLOSE:
            return f"words: {name}"
    return "unexplained"


def _all_words(text: str) -> list[str]:
    return [word for word in tokens_of(text).all if word not in ARTICLES]


def _their_words(text: str) -> list[str]:
    """Return words as their script does: split at blanks, signs cut out, numbers as floats."""
    words = []
    for piece in text.lower().split():
        try:
            word = str(float(piece.replace(",", "").strip("%$")))
        except ValueError:
            word = piece.translate(_SIGNS)
        if word and word not in ARTICLES:
            words.append(word)
    return words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
