"""Recorded outputs that pair statements with verdicts by number: read strictly, or invalid."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.rageval.imports import ImportOptions
from ingest.rageval.judging.numbered import judged_of
from ingest.rageval.land_imported import land_judge_outputs
from tests.support.ragchecker_files import landed
from warehouse import jsonl
from warehouse.paths import WarehousePaths


def output(statements: dict[str, object], verdicts: dict[str, object]) -> str:
    return jsonl.dumps({"answer_statements": statements, "verdicts": verdicts})


def many(part: str, values: list[object]) -> dict[str, object]:
    return {f"{part}_{number}": value for number, value in enumerate(values, start=1)}


ELEVEN = many("verdict", ["1"] * 9 + ["0", "-1"])
# What was written, and the labels it comes to by number; None: no judgment can be made of it.
CASES: dict[str, tuple[str, list[str] | None, str | None]] = {
    "codes as text": (
        output(many("statement", ["x", "y", "z"]), many("verdict", ["1", "0", "-1"])),
        ["Entailment", "Contradiction", "Neutral"],
        None,
    ),
    "codes as integers": (
        output(many("statement", ["x", "y"]), many("verdict", [0, -1])),
        ["Contradiction", "Neutral"],
        None,
    ),
    "labels for codes": (
        output(many("statement", ["x"]), many("verdict", ["Neutral"])),
        ["Neutral"],
        None,
    ),
    "keys in another order": (
        output({"statement_2": "y", "statement_1": "x"}, {"verdict_2": "0", "verdict_1": "1"}),
        ["Entailment", "Contradiction"],
        None,
    ),
    "ten comes after nine": (
        output(many("statement", ["the same"] * 11), dict(sorted(ELEVEN.items()))),
        ["Entailment"] * 9 + ["Contradiction", "Neutral"],
        None,
    ),
    "a fenced block": (
        "So be it.\n```json\n" + output(many("statement", ["x"]), many("verdict", ["1"])) + "\n```",
        ["Entailment"],
        None,
    ),
    "no statements": (output({}, {}), [], "no_response_statement"),
    "a verdict is missing": (
        output(many("statement", ["x", "y"]), many("verdict", ["1"])),
        None,
        "statements_and_verdicts_differ",
    ),
    "a verdict too many": (
        output(many("statement", ["x"]), many("verdict", ["1", "1"])),
        None,
        "statements_and_verdicts_differ",
    ),
    "a hole in the numbers": (
        output({"statement_1": "x", "statement_3": "y"}, {"verdict_1": "1", "verdict_3": "1"}),
        None,
        "numbers_have_holes",
    ),
    "an unknown key": (
        output({"statement_one": "x"}, {"verdict_1": "1"}),
        None,
        "unknown_key",
    ),
    "a number with a nought before it": (
        output({"statement_01": "x"}, {"verdict_01": "1"}),
        None,
        "unknown_key",
    ),
    "a code that is none": (
        output(many("statement", ["x"]), many("verdict", ["2"])),
        None,
        "unknown_verdict",
    ),
    "true for a code": (
        output(many("statement", ["x"]), many("verdict", [True])),
        None,
        "unknown_verdict",
    ),
    "a fraction for a code": (
        output(many("statement", ["x"]), many("verdict", [1.0])),
        None,
        "unknown_verdict",
    ),
    "a statement that is no text": (
        output(many("statement", [["x"]]), many("verdict", ["1"])),
        None,
        "statement_is_no_text",
    ),
    "a blank statement": (
        output(many("statement", [" "]), many("verdict", ["1"])),
        None,
        "blank_statement",
    ),
    "a list for an object": (
        jsonl.dumps({"answer_statements": ["x"], "verdicts": ["1"]}),
        None,
        "no_answer_statements",
    ),
    "a third part": (
        jsonl.dumps({"answer_statements": {}, "verdicts": {}, "score": 1}),
        None,
        "statements_and_verdicts_differ",
    ),
    "the template as it is printed": (
        '{"answer_statements": {"statement_1": "x"} "verdicts": {{"verdict_1": "0"}}}',
        None,
        "invalid_json",
    ),
    "a key that stands twice": (
        '{"answer_statements": {"statement_1": "x", "statement_1": "y"}, '
        '"verdicts": {"verdict_1": "1"}}',
        None,
        "duplicate_key",
    ),
    "a text that was cut": (
        '{"answer_statements": {"statement_1": "x"}, "verd',
        None,
        "unbalanced",
    ),
    "no JSON": ("I cannot do that.", None, "no_json"),
    "nothing": ("", None, "empty"),
}


@pytest.mark.parametrize("name", CASES)
def test_an_output_is_paired_by_number_or_invalid(name: str) -> None:
    text, labels, reason = CASES[name]
    judged = judged_of(text)
    assert judged.reason == reason
    if labels is None:
        assert (judged.status, judged.statements) == ("invalid", ())
    else:
        assert judged.status == ("scored" if labels else "abstained")
        assert [one.label for one in judged.statements] == labels
        assert [one.number for one in judged.statements] == list(range(1, len(labels) + 1))


def test_outputs_land_with_their_states(tmp_path: Path) -> None:
    texts = {
        "a": output(many("statement", ["x", "y"]), many("verdict", ["1", "-1"])),
        "b": output({}, {}),
        "c": "nothing of use",
    }
    file = tmp_path / "outputs.jsonl"
    rows = [{"query_id": name, "raw": text} for name, text in texts.items()]
    jsonl.write_jsonl(file, [*rows, {"query_id": "d", "raw": 5}, rows[1]])
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land_judge_outputs(paths, file, ImportOptions(judge_id="m", judge_kind="llm"))
    assert sorted(one.reason for one in report.rejects) == [
        "duplicate_row",
        "duplicate_row",
        "wrong_type",
    ]
    states = {row["question_id"]: row["judgment_status"] for row in landed(paths, "judgments")}
    assert states == {"a": "scored", "c": "invalid"}
    verdicts = [(row["premise"], row["label"]) for row in landed(paths, "verdicts")]
    assert verdicts == [("source", "Entailment"), ("source", "Neutral")]
