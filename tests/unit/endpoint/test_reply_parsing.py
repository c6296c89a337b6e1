"""Tolerant parsing: each level by name, and everything that is no level refused."""

from __future__ import annotations

import json

import pytest

from ingest.endpoint.parsing import ParseLevel, ReplyError, parse_reply
from tests.unit.endpoint.helpers import SCHEMA
from warehouse import jsonl

TEXT = jsonl.canonical(SCHEMA)
GOOD = '{"id": "a", "covered": true}'
VALUE = {"id": "a", "covered": True}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        (GOOD, ParseLevel.STRICT),
        (f"\ufeff  {GOOD}\n", ParseLevel.STRICT),
        (f"<think>Is it {{covered}}? {GOOD}</think>\n{GOOD}", ParseLevel.STRICT),
        (f"```json\n{GOOD}\n```", ParseLevel.FENCED),
        (f"Here it is:\n\n~~~\n{GOOD}\n~~~\nDone.", ParseLevel.FENCED),
        (f"The verdict is {GOOD}, I think.", ParseLevel.EMBEDDED),
        (f"{{note}} interval [0, 1) and [3] then {GOOD}", ParseLevel.EMBEDDED),
        ('{"id": "a", "covered": true, // sure\n}', ParseLevel.REPAIRED),
        ('```json\n{"id": "a", /* as asked */ "covered": true,}\n```', ParseLevel.REPAIRED),
    ],
)
def test_each_level_finds_the_same_value(text: str, level: ParseLevel) -> None:
    parsed = parse_reply(text, TEXT)
    assert (parsed.value, parsed.level) == (VALUE, level)


def test_raw_line_breaks_in_strings_are_kept_as_text() -> None:
    parsed = parse_reply('{"id": "a\nb\t// no comment, }", "covered": true}', TEXT)
    assert parsed.value["id"] == "a\nb\t// no comment, }"
    assert parsed.level is ParseLevel.REPAIRED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("INCORRECT", "no_json"),
        ("covered: true", "no_json"),
        ('{"covered": tr', "unbalanced"),
        ('{"id": "a", "covered": true', "unbalanced"),
        (f'{GOOD} and then {{"id": "b', "unbalanced"),
        ('{"id": "a", "covered": NaN}', "non_finite_number"),
        ('{"id": "a", "covered": false, "covered": true}', "duplicate_key"),
        ('Sure: {"id": "a", "covered": false, "covered": true}', "duplicate_key"),
        ('{"id": "a", "covered": "true"}', "schema"),
        ('{"id": "a", "covered": 1}', "schema"),
        ('{"id": "a"}', "schema"),
        ('{"id": "a", "covered": true, "note": ""}', "schema"),
        ('{"id": "a" "covered": true}', "invalid_json"),
        ('{"id": "a",, "covered": true}', "invalid_json"),
        ("{'id': 'a', 'covered': true}", "no_json"),
        ('{"id": "\\ud800", "covered": true}', "lone_surrogate"),
        (f"[{GOOD}]", "schema"),
        (f"All verdicts: [{GOOD}]", "schema"),
        ("[" * 100_000 + "]" * 100_000, "too_deep"),
        ("x" * (4 * 1024 * 1024 + 1), "too_long"),
    ],
)
def test_what_is_no_single_good_value_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ReplyError) as caught:
        parse_reply(text, TEXT)
    assert caught.value.reason == reason


@pytest.mark.parametrize("first", [True, False])
def test_neither_the_first_nor_the_last_of_two_verdicts_wins(first: bool) -> None:
    one = json.dumps({"id": "a", "covered": first})
    other = json.dumps({"id": "a", "covered": not first})
    with pytest.raises(ReplyError, match="ambiguous"):
        parse_reply(f"```json\n{one}\n```\n{other}", TEXT)


def test_pieces_that_break_the_schema_do_not_count_against_the_one_that_keeps_it() -> None:
    text = f'The schema is {jsonl.canonical(SCHEMA)}, an example {{"id": "x"}}. {GOOD}'
    assert parse_reply(text, TEXT).value == VALUE


def test_a_verdict_inside_a_string_is_text() -> None:
    text = 'So: {"id": "says {\\"id\\": \\"a\\", \\"covered\\": true}", "covered": false}'
    assert parse_reply(text, TEXT).value["covered"] is False


def test_a_comma_without_a_value_is_not_mended() -> None:
    schema = jsonl.canonical({"type": "array", "items": {"type": "number"}})
    assert parse_reply("[1, 2,]", schema).value == [1, 2]
    for text in ("[,]", "[1,,]", "[1, ,2]"):
        with pytest.raises(ReplyError):
            parse_reply(text, schema)


def test_numbers_beyond_a_double_are_refused() -> None:
    schema = jsonl.canonical({"type": "object"})
    with pytest.raises(ReplyError, match="non_finite_number"):
        parse_reply('{"overall_score": 1e999}', schema)
