"""The guide to numbers names every status, kind, note, reason, metric and policy field."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from ingest.numbers.answers import parse_answer
from ingest.numbers.comparisons import NUMBER_METRICS
from ingest.numbers.decisions import REASONS
from ingest.numbers.parsed import ANSWER_KINDS, NOTES, QUALIFIERS, STATUSES
from ingest.numbers.policy import DEFAULT, NumberPolicy

GUIDE = Path(__file__).parents[3] / "docs" / "numbers.md"
FIELDS = tuple(field.name for field in fields(NumberPolicy) if field.name != "name")
NAMES = (*STATUSES, *ANSWER_KINDS, *QUALIFIERS, *NOTES, *REASONS, *NUMBER_METRICS, *FIELDS)
_EXAMPLE = re.compile(r"`([^`]+)` (-?[0-9./]+(?:, -?[0-9./]+)*)(?= \u00b7| \|)")


def guide() -> str:
    return GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted({*NAMES, DEFAULT.name}))
def test_the_guide_explains(name: str) -> None:
    assert f"`{name}`" in guide()


def test_examples_of_the_guide_are_read_as_it_says() -> None:
    examples = _EXAMPLE.findall(guide())
    assert len(examples) > 30
    for text, said in examples:
        assert ", ".join(parse_answer(text).values) == said, text
