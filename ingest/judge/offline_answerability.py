"""Offline answerability: find the slide that speaks of a probe and hold it to the answer.

Windows are sentences, neighbouring sentences and whole slides; the slide's title counts as
context. A window answers a probe when it contains most of the answer's words, all of its
figures bound as in the answer, and does not say the contrary. The deck is data: nothing in
it is ever followed.
"""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from dataclasses import dataclass

from ingest.judge.exchange import (
    AnswerabilityJudgment,
    DeckPage,
    Probe,
    Verdict,
)
from ingest.judge.lexical import (
    Analysis,
    analyze,
    containment,
    merge,
    split_sentences,
    total_weight,
    weight_of,
)
from ingest.judge.lexical_compare import Comparison, compare
from ingest.judge.lexical_quantities import matches
from ingest.judge.lexical_words import concept

CANDIDATES = 10
# Share of an answer that a window must hold to be looked at.
LEAST_SHARE = 0.35
# Share of the answer's words that a window must contain, by the kind of window.
LINE_SHARE, PAIR_SHARE, SLIDE_SHARE = 0.60, 0.68, 0.80
# Share of those words that the question does not already say.
NOVEL_SHARE = 0.50
# For answers of a word or two: share of the question's words that must stand around them.
QUESTION_SHARE = 0.40
SHORT_ANSWER = 2.5
ABSTAIN_BAND = 0.10


@dataclass(frozen=True)
class Window:
    """A stretch of one slide: `share` is what it must contain of an answer."""

    page: int
    text: str
    analysis: Analysis
    context: frozenset[str]
    share: float
    size: int


@dataclass(frozen=True)
class _Hit:
    window: Window
    comparison: Comparison
    novel: float
    asked_about: float


class DeckIndex:
    """All windows of one deck, found by the concepts in them."""

    def __init__(self, pages: tuple[DeckPage, ...]) -> None:
        self.windows: list[Window] = []
        for page in pages:
            self.windows.extend(_windows(page))
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, window in enumerate(self.windows):
            for name in sorted(window.analysis.known):
                self._places[name].append(place)

    def find(self, answer: Analysis, question: Analysis) -> list[Window]:
        """Return the windows that share most with an answer and its question, best first.

        Windows that share too little of the answer to decide anything are left out.
        """
        shared: dict[int, float] = defaultdict(float)
        rank: dict[int, float] = defaultdict(float)
        for name in sorted(answer.known | question.known):
            weight = weight_of(name)
            places = self._places.get(name, ())
            rare = 1 / (1 + 0.1 * len(places) ** 0.5)
            for place in places:
                shared[place] += weight if name in answer.known else 0.0
                rank[place] += weight * rare * (1.0 if name in answer.known else 0.5)
        values = {quantity.value for quantity in answer.quantities}
        least = LEAST_SHARE * (total_weight(answer.known) + len(answer.quantities))
        for place in list(rank):
            window = self.windows[place]
            figures = sum(q.value in values for q in window.analysis.quantities)
            titled = total_weight(answer.known & window.context)
            if shared[place] + figures + titled < least:
                del rank[place]
                continue
            rank[place] += figures - 0.01 * window.size
        ranked = sorted(rank, key=lambda place: (-rank[place], place))
        return [self.windows[place] for place in ranked[:CANDIDATES]]


@functools.lru_cache(maxsize=16)
def index_deck(pages: tuple[DeckPage, ...]) -> DeckIndex:
    """Return the index of a deck; the batches of one deck share it."""
    return DeckIndex(pages)


def judge_probe(index: DeckIndex, probe: Probe) -> AnswerabilityJudgment:
    """Judge whether a deck answers one probe."""
    answer, question = analyze(probe.answer), analyze(probe.question)
    hits = [_hit(window, answer, question) for window in index.find(answer, question)]
    if not hits:
        return AnswerabilityJudgment(probe.probe_id, Verdict.UNCOVERED, 1.0)
    short = _size(answer) < SHORT_ANSWER
    blocked = max(
        (hit.comparison.aligned for hit in hits if hit.window.size == 1 and _contradicts(hit)),
        default=0.0,
    )
    covering = [hit for hit in hits if _covers(hit, short, blocked) and not _outdone(hit, hits)]
    if covering:
        best = max(covering, key=lambda hit: (hit.comparison.contained, -hit.window.size))
        return _judgment(probe, best, Verdict.COVERED, _confidence(best))
    best = max(hits, key=lambda hit: hit.comparison.contained)
    if not blocked and any(_nearly_covers(hit, short) for hit in hits):
        return _judgment(probe, best, Verdict.ABSTAIN, 0.5)
    return _judgment(probe, best, Verdict.UNCOVERED, round(1 - best.comparison.contained / 2, 3))


def _windows(page: DeckPage) -> list[Window]:
    lines = [one for line in page.text.split("\n") for one in split_sentences(line)]
    title = analyze(page.title or "").known
    found = [Window(page.number, line, analyze(line), title, LINE_SHARE, 1) for line in lines]
    for size, share in ((2, PAIR_SHARE), (3, PAIR_SHARE), (len(lines), SLIDE_SHARE)):
        if size == len(lines) and size < 4 and size != 1:
            continue
        for start in range(len(lines) - size + 1 if size > 1 else 0):
            joined = merge([window.analysis for window in found[start : start + size]])
            found.append(Window(page.number, joined.text, joined, title, share, size))
    return found


def _hit(window: Window, answer: Analysis, question: Analysis) -> _Hit:
    there = window.analysis.known | window.context
    new = answer.known - question.known
    about = {name for name in question.known if weight_of(name) == 1.0} - _asked_measure(question)
    return _Hit(
        window=window,
        comparison=compare(answer, window.analysis, window.context),
        novel=_novel(new, there, answer, question, window.analysis),
        asked_about=containment(about - answer.known, there) if about - answer.known else 1.0,
    )


def _asked_measure(question: Analysis) -> frozenset[str]:
    """Return the word of `how long` or `how much`: what is asked for, not what it is about."""
    words = question.text.casefold().split()
    pairs = itertools.pairwise(words)
    return frozenset(concept(word.strip("?.,")) for how, word in pairs if how == "how")


def _novel(
    new: frozenset[str],
    there: frozenset[str],
    answer: Analysis,
    question: Analysis,
    window: Analysis,
) -> float:
    """Return the share of what the answer adds to the question: its words and its figures."""
    asked = {quantity.value for quantity in question.quantities}
    figures = [q for q in answer.quantities if not q.is_soft and q.value not in asked]
    found = sum(any(matches(one, other) for other in window.quantities) for one in figures)
    words = total_weight(new)
    if not words and not figures:
        return 1.0
    return (
        (containment(new, there) * words + found) / (words + len(figures))
        if words
        else (found / len(figures))
    )


def _size(answer: Analysis) -> float:
    soft = sum(quantity.is_soft for quantity in answer.quantities)
    return sum(weight_of(name) for name in answer.known) + soft


def _contradicts(hit: _Hit) -> bool:
    """Return whether a window speaks of the answer's subject and says something else."""
    result = hit.comparison
    wrong = result.conflicting or result.is_misbound or result.is_opposite
    return wrong and result.aligned >= hit.window.share


def _covers(hit: _Hit, short: bool, blocked: float) -> bool:
    result = hit.comparison
    if not result.has_figures or result.is_opposite:
        return False
    # What one sentence denies cannot be pieced together from several others.
    if hit.window.size > 1 and blocked:
        return False
    if short:
        enough = result.contained >= 0.99 or (result.contained >= 0.6 and hit.novel >= 0.6)
        return enough and hit.asked_about >= QUESTION_SHARE
    return result.contained >= hit.window.share and hit.novel >= NOVEL_SHARE


def _outdone(hit: _Hit, hits: list[_Hit]) -> bool:
    """Return whether another sentence says more of the answer's words, with another figure."""
    return any(
        rival.window.size == 1
        and rival.comparison.conflicting
        and rival.comparison.words > hit.comparison.words
        for rival in hits
    )


def _nearly_covers(hit: _Hit, short: bool) -> bool:
    result = hit.comparison
    if short or not result.has_figures or result.is_opposite or hit.window.size > 3:
        return False
    return result.contained >= hit.window.share - ABSTAIN_BAND and hit.novel >= NOVEL_SHARE


def _confidence(hit: _Hit) -> float:
    return round(min(1.0, 0.5 + hit.comparison.contained / 2), 3)


def _judgment(
    probe: Probe, hit: _Hit, verdict: Verdict, confidence: float
) -> AnswerabilityJudgment:
    covered = verdict is not Verdict.UNCOVERED
    return AnswerabilityJudgment(
        probe_id=probe.probe_id,
        verdict=verdict,
        confidence=confidence,
        answer=" ".join(hit.window.text.split()) if covered else "",
        cited_evidence=f"Slide {hit.window.page}" if covered else "",
    )
