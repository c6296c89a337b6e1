"""The offline judge against hand-written items, tuned and held-out halves apart."""

from __future__ import annotations

from collections import defaultdict

import pytest

from ingest.judge.exchange import (
    AnswerabilityRequest,
    Claim,
    ClaimWithSnippets,
    DeckPage,
    Evidence,
    Probe,
    Verdict,
    VerificationRequest,
)
from ingest.judge.offline import OfflineJudge
from tests.unit.judge.items import Item, read_items

BARS = {"verbatim": 0.95, "near": 0.95, "gap": 0.95, "swap": 0.95, "negation": 0.90}
COVERED_KINDS = ("verbatim", "near", "paraphrase")


def verdict_of(item: Item) -> Verdict:
    title, *lines = item.text.split(" / ")
    pages = (
        DeckPage(1, "Annual talk\nA short subtitle", "Annual talk"),
        DeckPage(2, "\n".join([title, *lines]), title),
    )
    probe = Probe("pb_0001", item.question, item.answer)
    reply = OfflineJudge().judge_answerability(AnswerabilityRequest(pages, "", (probe,)))
    return reply.items[0].verdict


def label_of(item: Item) -> str:
    snippets = (Evidence("", item.text), Evidence("", "The report was written in the spring."))
    asked = ClaimWithSnippets(Claim("cl_0001", item.answer, 2), snippets)
    return OfflineJudge().verify_claims(VerificationRequest((asked,))).items[0].label


def scores(items: list[Item]) -> tuple[dict[str, float], float, list[str]]:
    """Return the share of right verdicts by kind, the share of abstentions, what was wrong."""
    hits: dict[str, list[bool]] = defaultdict(list)
    wrong = []
    abstained = 0
    for item in items:
        verdict = verdict_of(item)
        abstained += verdict is Verdict.ABSTAIN
        right = (verdict is Verdict.COVERED) == (item.expected in COVERED_KINDS)
        hits[item.expected].append(right)
        if not right:
            wrong.append(f"{item.expected}: {item.text!r} / {item.answer} -> {verdict}")
    rates = {kind: sum(found) / len(found) for kind, found in hits.items()}
    return rates, abstained / len(items), wrong


@pytest.mark.parametrize("half", ["tuned", "held"])
def test_answerability_reaches_the_bars(half: str) -> None:
    rates, abstained, wrong = scores(read_items(half, "answerability"))
    short = {kind: rates[kind] for kind, bar in BARS.items() if rates[kind] < bar}
    assert not short, wrong
    assert abstained <= 0.15


@pytest.mark.parametrize("half", ["tuned", "held"])
def test_claim_labels_reach_the_bar(half: str) -> None:
    items = read_items(half, "claim")
    wrong = [(item, label_of(item)) for item in items if label_of(item) != item.expected]
    assert len(wrong) <= 0.05 * len(items), wrong


def test_there_are_enough_items() -> None:
    assert len(read_items("tuned", "answerability")) >= 60
    assert len(read_items("held", "answerability")) >= 40
