"""The bulk lane's language: what it takes, a strict parser takes with the same meaning."""

from __future__ import annotations

import contextlib
import json
import random

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from ingest.xslides.score_grammar import BLANK_LINE, CLEAN_LINE, ORDERED_LINE, REPEATED_FIELD
from tests.faults.test_fuzzed_lines import fuzz
from warehouse import jsonl

ROW = {
    "probe_id": "pb_0001",
    "covered": True,
    "answer": 'A "café" \\ 你好 \u2028 line',
    "cited_evidence": "",
    "confidence": 0.9,
    "metadata": {"verdict": "covered", "confidence": 1e-3, "n": -12, "x": None, "y": False},
}
SHORT = {"probe_id": "pb_0001", "covered": False}
REPEATS = [
    {"verdict": "covered", "confidence": 0.25},
    None,
    {"confidence": 3e-5, "verdict": "abstain"},
]
REPEATED = {**ROW, "metadata": {"verdict": "covered", "repeats": REPEATS, "n": 3}}


def matches(pattern: str, line: str | bytes) -> bool:
    content = line.encode() if isinstance(line, str) else line
    column = pa.array([content + b"\n"], pa.binary()).cast(pa.string())
    return bool(pc.match_substring_regex(column, pattern)[0].as_py())


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("row", [ROW, REPEATED, SHORT, {**SHORT, "answer": None, "metadata": {}}])
def test_lines_of_common_writers_are_clean(row: dict[str, object], is_ascii: bool) -> None:
    line = json.dumps(row, ensure_ascii=is_ascii)
    assert matches(ORDERED_LINE, line)
    for other in (
        line,
        json.dumps(row, ensure_ascii=is_ascii, separators=(",", ":")),
        json.dumps(row, ensure_ascii=is_ascii, sort_keys=True),
        line + " \r",
        "\t" + line,
    ):
        assert matches(CLEAN_LINE, other)
        assert not matches(REPEATED_FIELD, other)


@pytest.mark.parametrize("text", ["你好", "Ответ", "こんにちは", "한국어", "שלום", "😀 ok", "é"])
def test_escaped_text_of_any_script_is_clean(text: str) -> None:
    # A writer that escapes all but ASCII is the default of Python's json.
    assert matches(ORDERED_LINE, json.dumps({**SHORT, "answer": text}))
    assert matches(ORDERED_LINE, json.dumps({**SHORT, "answer": text}, ensure_ascii=False))


@pytest.mark.parametrize(
    "line",
    [
        '{"probe_id": "a", "covered": true,}',
        '{"probe_id": "a" "covered": true}',
        '{"probe_id": 1, "covered": true}',
        '{"probe_id": "a", "covered": "true"}',
        '{"probe_id": "a", "covered": 1}',
        '{"probe_id": "a", "covered": null}',
        '{"probe_id": "a", "covered": true, "confidence": NaN}',
        '{"probe_id": "a", "covered": true, "confidence": 1e999}',
        '{"probe_id": "a", "covered": true, "confidence": 01}',
        '{"probe_id": "a", "covered": true, "confidence": .5}',
        '{"probe_id": "a", "covered": true, "confidence": +1}',
        '{"probe_id": "a", "covered": true, "confidence": 9007199254740993}',
        '{"probe_id": "a", "covered": true, "answer": "\\ud800"}',
        '{"probe_id": "a", "covered": true, "answer": "\\u0000"}',
        '{"probe_id": "a", "covered": true, "answer": "\\x41"}',
        '{"probe_id": "a", "covered": true, "answer": "tab\there"}',
        '{"probe_id": "a", "covered": true, "answer": "   "}',
        '{"probe_id": "a", "covered": true, "answer": "\u00a0"}',
        '{"probe_id": "a", "covered": true, "answer": "\\u00a0\\n\\u2003"}',
        '{"probe_id": "a", "covered": true, "metadata": null}',
        '{"probe_id": "a", "covered": true, "metadata": {"x": {"y": 1}}}',
        '{"probe_id": "a", "covered": true, "metadata": {"x": [1]}}',
        '{"probe_id": "a", "covered": true, "metadata": {"repeats": []}}',
        '{"probe_id": "a", "covered": true, "metadata": {"repeats": [null,]}}',
        '{"probe_id": "a", "covered": true, "metadata": {"repeats": ["covered"]}}',
        '{"probe_id": "a", "covered": true, "metadata": {"repeats": [{"verdict": "covered"}]}}',
        '{"probe_id": "a", "covered": true, "metadata": '
        '{"repeats": [{"verdict": "yes", "confidence": 1}]}}',
        '{"probe_id": "a", "covered": true, "metadata": '
        '{"repeats": [{"verdict": "covered", "confidence": 1.01}]}}',
        '{"probe_id": "a", "covered": true, "metadata": '
        '{"repeats": [{"verdict": "covered", "confidence": 9e-0}]}}',
        '{"probe_id": "a", "covered": true, "metadata": '
        '{"repeats": [{"verdict": "covered", "confidence": -0.5}]}}',
        '{"probe_id": "a", "covered": true, "metadata": '
        '{"others": [{"verdict": "covered", "confidence": 1}]}}',
        '{"probe_id": "a", "covered": true, "extra": 1}',
        '{"probe_id": "a", "covered": true} {"probe_id": "b", "covered": true}',
        '[{"probe_id": "a", "covered": true}]',
        '\ufeff{"probe_id": "a", "covered": true}',
        "{}",
        "",
    ],
)
def test_lines_that_parsers_or_rules_could_read_otherwise_are_left_out(line: str) -> None:
    assert not matches(ORDERED_LINE, line)
    assert not matches(CLEAN_LINE, line)


@pytest.mark.parametrize("name", list(ROW))
def test_a_field_that_stands_twice_is_seen_wherever_it_stands(name: str) -> None:
    members = [json.dumps({key: value})[1:-1] for key, value in ROW.items()]
    again = json.dumps({name: ROW[name]})[1:-1]
    for position in range(len(members) + 1):
        line = "{" + ", ".join([*members[:position], again, *members[position:]]) + "}"
        assert matches(CLEAN_LINE, line)
        assert not matches(ORDERED_LINE, line)
        assert matches(REPEATED_FIELD, line)


def test_a_metadata_key_is_no_repeated_field() -> None:
    assert not matches(REPEATED_FIELD, json.dumps(ROW))
    assert not matches(
        REPEATED_FIELD, '{"answer": "\\"answer\\": \\"x\\"", "probe_id": "a", "covered": true}'
    )


def test_blank_lines_hold_only_white_space_of_json() -> None:
    assert matches(BLANK_LINE, "")
    assert matches(BLANK_LINE, " \t\r")
    assert not matches(BLANK_LINE, "\u00a0")
    assert not matches(BLANK_LINE, "\x0b")


def test_a_clean_line_parses_strictly_unless_a_metadata_key_stands_twice() -> None:
    draw = random.Random(7)
    lines = []
    for is_sorted in (False, True) * 2_000:
        line = fuzz(json.dumps(ROW, sort_keys=is_sorted), draw)
        with contextlib.suppress(UnicodeDecodeError):
            lines.append(line.decode("utf-8") + "\n")
    column = pa.array(lines)
    is_clean = pc.and_not(
        pc.match_substring_regex(column, CLEAN_LINE),
        pc.match_substring_regex(column, REPEATED_FIELD),
    )
    clean = column.filter(is_clean).to_pylist()
    assert len(clean) > 500
    for line in clean:
        try:
            value = jsonl.parse(line)
        except jsonl.StrictJsonError as error:
            assert error.reason == "duplicate_key"
            assert '"metadata"' in line
        else:
            assert isinstance(value["covered"], bool)
