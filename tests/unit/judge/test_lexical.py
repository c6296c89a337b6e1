from __future__ import annotations

from typing import Any

import pytest

from ingest.judge.lexical import analyze, merge, sentences, split_sentences
from ingest.judge.lexical_compare import compare
from ingest.judge.lexical_numbers import find_quantities
from ingest.judge.lexical_tokens import fold, tokenize
from ingest.judge.lexical_words import concept, stem


def figures(text: str) -> list[tuple[float, str | None]]:
    return [(q.value, q.dimension) for q in find_quantities(tokenize(fold(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12,000 people", [(12000, None)]),
        ("1\u202f200 patients", [(1200, None)]),
        ("3,5 kg", [(3.5, "mass")]),
        ("15\u201320 cm", [(0.15, "length"), (0.2, "length")]),
        ("3.8 to 1.4 percentage points", [(3.8, "percentage_point"), (1.4, "percentage_point")]),
        ("\u20ac5m", [(5e6, "euro")]),
        ("$4.5 billion", [(4.5e9, "dollar")]),
        ("35ms or 0.035 s", [(0.035, "time"), (0.035, "time")]),
        ("minus 20 \u00b0C", [(-20, "celsius")]),
        ("\u221220 \u00b0C", [(-20, "celsius")]),
        ("half of the staff", [(50, "percent")]),
        ("two thirds of it", [(200 / 3, "percent")]),
        ("seventy-five percent", [(75, "percent")]),
        ("Table 2 and Tern 4", []),
        ("GPT-4, COVID-19, CO2, 2nd", []),
        ("24 hours", [(86400, "time")]),
        ("no figure", []),
    ],
)
def test_figures_have_values_and_units(text: str, expected: list[tuple[float, Any]]) -> None:
    assert figures(text) == [(pytest.approx(value), unit) for value, unit in expected]


@pytest.mark.parametrize(
    "family",
    [
        "recover recovered recovering",
        "reduce reduced reduction reduces",
        "calibrate calibrated calibration",
        "measure measured measurement measuring",
        "fertilise fertiliser fertilizer",
        "control controlled controls",
        "city cities",
        "fall fell fallen",
    ],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


def test_synonyms_share_a_concept_and_opposites_do_not() -> None:
    assert concept("rose") == concept("increased") == concept("raised")
    assert concept("fell") != concept("rose")


def test_sentences_know_heading_page_and_end() -> None:
    text = "# Title\nOne sentence, e.g. this. Another of 3.5 kg.\n\fSecond page\nIt goes on here."
    found = [(one.text, one.heading, one.page) for one in sentences(text)]
    assert found == [
        ("One sentence, e.g. this.", "Title", 1),
        ("Another of 3.5 kg.", "Title", 1),
        ("It goes on here.", "Second page", 2),
    ]
    assert split_sentences("Dr. Lee et al. found it. Yes.") == [
        "Dr. Lee et al. found it.",
        "Yes.",
    ]


@pytest.mark.parametrize(
    ("asked", "window", "is_opposite"),
    [
        ("It improves accuracy.", "It does not improve accuracy", True),
        ("It does not improve accuracy.", "It improves accuracy", True),
        ("It does not improve accuracy.", "It doesn't improve accuracy", False),
        ("It measures moisture.", "It does not measure salinity; it measures moisture", False),
        ("Costs rose.", "Costs fell", True),
        ("Costs did not rise.", "Costs fell", False),
        ("Not only costs rose.", "Costs rose", False),
        ("There were no more than 5 cases.", "There were 5 cases", False),
    ],
)
def test_negation_and_antonyms(asked: str, window: str, is_opposite: bool) -> None:
    assert compare(analyze(asked), analyze(window)).is_opposite is is_opposite


@pytest.mark.parametrize(
    ("asked", "window", "has_figures"),
    [
        ("X had 45% and Y had 62%.", "X: 45%, Y: 62%", True),
        ("X had 45% and Y had 62%.", "Y: 62%, X: 45%", True),
        ("X had 45% and Y had 62%.", "X: 62%, Y: 45%", False),
        ("It fell from 3 kg to 2 kg.", "It fell from 2 kg to 3 kg", False),
        ("The weight fell to 2 kg.", "The weight fell from 3 kg to 2 kg", True),
        ("671 of 720 households took part.", "Of 720 households, 671 took part", True),
        ("It takes 90 minutes.", "It takes 1.5 hours", True),
        ("It takes 90 minutes.", "It takes 90 hours", False),
        ("It weighs 94 kg.", "It weighs about 95 kg", True),
        ("It weighs 94 kg.", "It weighs 95 kg", False),
    ],
)
def test_figures_must_be_there_and_belong(asked: str, window: str, has_figures: bool) -> None:
    assert compare(analyze(asked), analyze(window)).has_figures is has_figures


def test_merging_equals_analysing_the_whole() -> None:
    lines = ["A: 45% of 31 farms, not more", "It does not rise", "3 GB without"]
    one, whole = merge([analyze(line) for line in lines]), analyze("\n".join(lines))
    assert one.known == whole.known and one.negated == whole.negated
    assert [q.value for q in one.quantities] == [q.value for q in whole.quantities]
    assert one.negations == whole.negations


@pytest.mark.parametrize(
    "text", ["", " ", "\n\f\n", "\u4f60\u597d\uff0c\u4e16\u754c", "%%%", "1" * 500]
)
def test_odd_texts_are_analysed(text: str) -> None:
    assert compare(analyze(text), analyze(text)).is_opposite is False
