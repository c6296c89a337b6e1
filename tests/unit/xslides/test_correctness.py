from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ingest.judge.exchange import (
    Claim,
    ClaimJudgment,
    ClaimRequest,
    DeckPage,
    Reply,
    ReplyStatus,
    VerificationRequest,
)
from ingest.judge.offline import OfflineJudge
from ingest.xslides.correctness import correctness_of, score_correctness
from ingest.xslides.deck_input import DeckInput
from ingest.xslides.snippets import SnippetIndex
from tests.unit.xslides.helpers import SETTINGS, SOURCE

PAGES = (
    DeckPage(
        1,
        "Results\nUnloading became 12 minutes shorter\nComplaints fell from 31 to 12 a month",
        "Results",
    ),
)
DECK = DeckInput("text", PAGES)
HASHES = ("d" * 64, "s" * 64)


class _Judge(OfflineJudge):
    """Counts extractions; never answers the second claim when `is_lazy`."""

    def __init__(self, *, is_lazy: bool = False) -> None:
        self.extractions = 0
        self.is_lazy = is_lazy

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        self.extractions += 1
        return super().extract_claims(request)

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        items = super().verify_claims(request).items
        answered = (one for one in items if one.claim_id != "cl_0002" or not self.is_lazy)
        return Reply(tuple(answered))


@pytest.mark.parametrize(
    ("labels", "value"),
    [
        (["supported"], 1.0),
        (["supported", "unsupported", "contradicted", "supported"], 0.5),
        (["supported", "unverifiable", "failed"], 1.0),
        (["contradicted"], 0.0),
        (["unverifiable", "failed"], None),
        ([], None),
    ],
)
def test_unverifiable_and_failed_claims_are_no_claims(
    labels: list[str], value: float | None
) -> None:
    assert correctness_of([{"label": label} for label in labels]) == value


def test_claims_are_labelled_with_their_snippets(tmp_path: Path) -> None:
    index = SnippetIndex(SOURCE)
    result = score_correctness(OfflineJudge(), DECK, HASHES, index, SETTINGS, tmp_path)
    claims = result.record["claims"]
    assert [claim["claim_id"] for claim in claims] == ["cl_0001", "cl_0002"]
    assert [claim["label"] for claim in claims] == ["contradicted", "supported"]
    assert claims[0]["slide"] == 1
    assert claims[0]["snippets"][0] == {
        "locator": "Results",
        "text": "Unloading became 11 minutes shorter, because bays were free at night.",
    }
    assert result.record["correctness"] == 0.5


def test_the_cache_serves_the_same_question_only(tmp_path: Path) -> None:
    index, judge = SnippetIndex(SOURCE), _Judge()
    first = score_correctness(judge, DECK, HASHES, index, SETTINGS, tmp_path)
    again = score_correctness(judge, DECK, HASHES, index, SETTINGS, tmp_path)
    assert again == first and judge.extractions == 1
    score_correctness(judge, DECK, ("e" * 64, HASHES[1]), index, SETTINGS, tmp_path)
    score_correctness(judge, DECK, (HASHES[0], "t" * 64), index, SETTINGS, tmp_path)
    score_correctness(judge, DECK, HASHES, index, replace(SETTINGS, batch_size=1), tmp_path)
    assert judge.extractions == 4
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:40])
    assert score_correctness(judge, DECK, HASHES, index, SETTINGS, tmp_path) == first
    assert judge.extractions == 5


def test_claims_without_a_judgment_fail_and_are_not_cached(tmp_path: Path) -> None:
    judge = _Judge(is_lazy=True)
    index = SnippetIndex(SOURCE)
    result = score_correctness(judge, DECK, HASHES, index, SETTINGS, tmp_path)
    assert [claim["label"] for claim in result.record["claims"]] == ["contradicted", "failed"]
    assert result.failed == 1 and "1 of 2" in result.message
    assert not list(tmp_path.iterdir())


class _Mute(OfflineJudge):
    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        return Reply((), ReplyStatus.TRUNCATED, "cut")


def test_a_failed_extraction_leaves_correctness_open(tmp_path: Path) -> None:
    index = SnippetIndex(SOURCE)
    result = score_correctness(_Mute(), DECK, HASHES, index, SETTINGS, tmp_path)
    assert result.record["correctness"] is None and result.failed == 1


def test_snippets_are_the_nearest_sentences() -> None:
    index = SnippetIndex(SOURCE)
    assert "7 metres" in index.find("streets narrower than 7 metres", 1)[0].text
    assert index.find("zebra crossing", 3) == ()
    assert SnippetIndex("").find("anything", 3) == ()
