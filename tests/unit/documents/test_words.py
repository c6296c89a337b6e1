"""The word rule (faults W01 to W03, X06)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.documents.words import count_words, normalize_tokens, split_words

WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("你好\uff0c世界", 4),  # W01
        ("一二三四五 six seven eight", 8),
        ("第3章", 3),
        ("カタカナ・テスト", 7),
        ("か\u3099", 1),  # a voiced mark belongs to its character
        ("한국어 문장 둘", 3),
        ("ブレス\u3000オフ", 5),  # W02
        ("Wörter naïve", 2),  # W03
        ("- — • | ** 3.5%", 1),
        ("a\x1cb", 1),  # U+001C is not in White_Space
        ("", 0),
    ],
)
def test_words_by_script(text: str, count: int) -> None:
    assert count_words(text) == count


@pytest.mark.parametrize("space", WHITE_SPACE)
def test_every_unicode_white_space_splits(space: str) -> None:
    assert split_words(f"one{space}two") == ["one", "two"]


@pytest.mark.parametrize("joiner", ["\u200b", "\u00ad", "\ufeff", "-", "_"])
def test_nothing_else_splits(joiner: str) -> None:
    assert count_words(f"one{joiner}two") == 1


@given(st.text())
def test_counting_with_tokens_at_hand_gives_the_same(text: str) -> None:
    folded = " ".join(text.split())
    assert count_words(folded, folded.split()) == len(split_words(folded))


@given(st.text(), st.text())
def test_texts_apart_have_the_words_of_both(left: str, right: str) -> None:
    assert count_words(f"{left}\n{right}") == count_words(left) + count_words(right)


def test_normalised_tokens_match_across_form_case_and_punctuation() -> None:
    assert normalize_tokens("“Accuracy, ﬁnal”: 95%") == ["accuracy", "final", "95%"]
