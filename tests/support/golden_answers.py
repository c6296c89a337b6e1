"""Judged answers, preferences and labels whose figures are known: by hand, or drawn at random."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from tests.support.ragchecker_files import Result, build_answers, draw_results, result, write
from tests.support.worlds import World
from warehouse import jsonl

RANDOM_FILES = 6

# Two answers whose figures were worked out by hand. Of the first: passages 1 and 2 are
# relevant, 3 is not; the second has no passages.
BY_HAND: tuple[Result, ...] = (
    result(
        "harbour",
        [("E", "ENN"), ("N", "EEN"), ("C", "NNN")],
        [("E", "ENN"), ("N", "NNE"), ("C", "NEE"), ("E", "NNC"), ("N", "NCN")],
        3,
    ),
    result("mill", [("E", ""), ("N", "")], [("E", ""), ("N", ""), ("C", "")], 0),
)
# What the tool would state of them; its means are percentages with one decimal.
STATED = {"harbour": {"precision": 0.4, "f1": 4 / 11}, "mill": {"precision": 1 / 3}}
STATED_MEANS = {"overall": {"precision": 36.7, "recall": 41.7}}
# Outputs of a consistency judge: three of four statements entailed, one of two, and none at all.
SAID = {
    "three": '{"answer_statements": {"statement_1": "a", "statement_2": "b", "statement_3": "c", '
    '"statement_4": "d"}, "verdicts": {"verdict_1": "1", "verdict_2": "1", "verdict_3": "0", '
    '"verdict_4": "1"}}',
    "one": '{"answer_statements": {"statement_1": "a", "statement_2": "b"}, '
    '"verdicts": {"verdict_1": "-1", "verdict_2": "1"}}',
    "none": '{"answer_statements": {}, "verdicts": {}}',
}
PAIRS = 40


def build(root: Path) -> World:
    """Land and build all of it."""
    stated = [{**one, "metrics": STATED[one["query_id"]]} for one in BY_HAND]
    ragchecker = [write(root / "by_hand.json", stated, metrics=STATED_MEANS)]
    unjudged = ("query_id", "query", "gt_answer", "response", "retrieved_context")
    said = [{**{name: BY_HAND[0][name] for name in unjudged}, "query_id": one} for one in SAID]
    ragchecker.append(write(root / "said.json", said))
    outputs = root / "outputs" / "said.jsonl"
    jsonl.write_jsonl(outputs, [{"query_id": one, "raw": raw} for one, raw in SAID.items()])
    for seed in range(RANDOM_FILES):
        ragchecker.append(write(root / f"drawn_{seed}.json", draw_results(seed)))
    return build_answers(
        root,
        {
            "ragchecker": ragchecker,
            "preferences": [draw_preferences(root / "drawn.csv"), binary(root / "binary.csv")],
            "refchecker": labels(root),
            "outputs": [outputs],
        },
    )


def draw_preferences(path: Path) -> Path:
    """Write preferences of two annotators with many ties, and scores with gaps."""
    draw = random.Random(7)
    rows = []
    for pair in range(PAIRS):
        first, second = (draw.choice((0.0, 0.25, 0.5, 1 / 3, 1.0)) for _ in range(2))
        leaning = round(2 * (second - first)) + draw.choice((-1, 0, 1))
        rows.append(
            {
                "pair_no": pair,
                "model1": "left",
                "model2": "right",
                "m1_f1": "" if pair in (3, 11) else first,
                "m2_f1": second,
                "a1_overall": max(-2, min(2, leaning)),
                "a2_overall": max(-2, min(2, leaning + draw.choice((-1, 0, 1)))),
            }
        )
    return _write_csv(path, rows)


def binary(path: Path) -> Path:
    """Write preferences and scores of two values each, where all coefficients are one."""
    draw = random.Random(8)
    rows = []
    for pair in range(PAIRS):
        is_better = draw.random() < 0.5
        agrees = draw.random() < 0.8
        rows.append(
            {
                "pair_no": pair,
                "model1": "left",
                "model2": "right",
                "m1_recall": 0,
                "m2_recall": int(is_better == agrees),
                "a1_overall": int(is_better),
            }
        )
    return _write_csv(path, rows)


def labels(root: Path) -> list[Path]:
    """Write labels of three responses: of four claims, of one, of none."""
    claims = [
        *((0, number, label) for number, label in enumerate(("Entailment",) * 3)),
        (0, 3, "Contradiction"),
        (1, 0, "Neutral"),
    ]
    where = {"setting": "zero", "model": "small"}
    _write_csv(
        root / "labels.csv",
        [
            {
                **where,
                "id": response,
                "claim_no": number,
                "subject": "A mill",
                "predicate": "grinds",
                "object": f"grain {number}",
                "human_label": label,
            }
            for response, number, label in claims
        ],
    )
    _write_csv(
        root / "responses.csv",
        [{**where, "id": number, "n_claims": count} for number, count in enumerate((4, 1, 0))],
    )
    return [root / "labels.csv", root / "responses.csv"]


def _write_csv(path: Path, rows: list[dict[str, object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
