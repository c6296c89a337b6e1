"""Offline claims: sentences of a deck as claims, and their labels against source snippets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.judge.exchange import (
    Claim,
    ClaimJudgment,
    ClaimWithSnippets,
    DeckPage,
)
from ingest.judge.lexical import (
    Analysis,
    analyze,
    is_title_like,
    merge,
    split_sentences,
    total_weight,
)
from ingest.judge.lexical_compare import Comparison, compare

SUPPORTED, UNSUPPORTED, CONTRADICTED = "supported", "unsupported", "contradicted"
UNVERIFIABLE = "unverifiable"
# Share of a claim's words that a snippet must contain to support or to contradict it.
SUPPORT_SHARE, UNION_SHARE, CONTRADICT_SHARE = 0.60, 0.70, 0.55
# Share that a passage must contain of a claim to support it together with others.
UNION_LEAST = 0.25
LEAST_WEIGHT = 2.0
_NOT_FACTUAL = re.compile(
    r"""^\W*(agenda|outline|contents?|overview|summary|conclusions?|questions?|discussion
        |thank\s*you|thanks|any\ questions|q\s*&\s*a|contact|references?|appendix|backup)\b\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TO_THE_READER = re.compile(
    r"""\b(ignore|disregard|forget)\b.{0,40}\b(instruction|prompt|previous|above|rule)s?\b
      | \b(mark|rate|score|grade|judge|treat|label)\b.{0,60}
        \b(covered|supported|correct|uncovered|probes?|questions?|claims?)\b
      | \b(as\ an?|you\ are\ an?)\ (ai|assistant|language\ model|judge|grader|evaluator)\b
      | \bsystem\ prompt\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_instruction(text: str) -> bool:
    """Return whether a text of a deck addresses whoever judges it; it is never followed."""
    return _TO_THE_READER.search(text) is not None


def claims_of(pages: Sequence[DeckPage]) -> list[Claim]:
    """Return the sentences and items of a deck that could be a claim, once each, in order.

    Titles that are no sentence, lines of fewer than two telling words without a figure,
    questions and instructions to a reader are no claims.
    """
    found: list[Claim] = []
    seen: set[str] = set()
    for page in pages:
        for line in page.text.split("\n"):
            for text in split_sentences(line.strip()):
                key = " ".join(text.casefold().split())
                if key in seen or not _is_claim(text, page):
                    continue
                seen.add(key)
                found.append(Claim(f"cl_{len(found) + 1:04d}", text, page.number))
    return found


def verify_claim(one: ClaimWithSnippets) -> ClaimJudgment:
    """Label one claim by the rules that also decide answerability, against its snippets."""
    claim = analyze(one.claim.text)
    if _is_empty(claim) or _NOT_FACTUAL.match(one.claim.text):
        return ClaimJudgment(one.claim.claim_id, UNVERIFIABLE, 0.6)
    singles = [merge([analyze(snippet.locator), analyze(snippet.text)]) for snippet in one.snippets]
    results = [compare(claim, window) for window in singles]
    # A figure that stands in a passage about something else supports nothing.
    near = [
        window
        for window, result in zip(singles, results, strict=True)
        if result.contained >= UNION_LEAST
    ]
    unions = [merge(near[:count]) for count in range(2, len(near) + 1)]
    joined = [compare(claim, window) for window in unions]
    return ClaimJudgment(one.claim.claim_id, *_label(results, joined))


def _label(results: Sequence[Comparison], joined: Sequence[Comparison]) -> tuple[str, float]:
    """Return label and confidence.

    One sentence that supports decides; then one that denies the claim; then several that
    support it together; then one that has another figure in its place.
    """
    for result in results:
        if _supports(result, SUPPORT_SHARE):
            return SUPPORTED, round(min(1.0, 0.5 + result.contained / 2), 3)
    close = [result for result in results if result.aligned >= CONTRADICT_SHARE]
    for result in close:
        if result.is_opposite or result.is_misbound:
            return CONTRADICTED, round(0.5 + result.aligned / 3, 3)
    if any(_supports(result, UNION_SHARE) for result in joined):
        return SUPPORTED, 0.6
    # A figure that stands in another of the passages is not replaced by this one.
    is_elsewhere = bool(joined) and joined[-1].missing == 0
    for result in close:
        if result.conflicting and not is_elsewhere:
            return CONTRADICTED, round(0.5 + result.aligned / 3, 3)
    best = max((result.contained for result in results), default=0.0)
    return UNSUPPORTED, round(1 - best / 2, 3)


def _supports(result: Comparison, share: float) -> bool:
    return result.contained >= share and result.has_figures and not result.is_opposite


def _is_claim(text: str, page: DeckPage) -> bool:
    if text.endswith("?") or is_instruction(text) or _NOT_FACTUAL.match(text):
        return False
    analysis = analyze(text)
    figures = [quantity for quantity in analysis.quantities if not quantity.is_soft]
    if _weight(analysis) + len(figures) < LEAST_WEIGHT:
        return False
    # A page without a marked title has its first line for one.
    title = " ".join((page.title or page.text.partition("\n")[0]).split())
    is_title = " ".join(text.split()) == title
    return not (is_title and is_title_like(text) and not figures)


def _is_empty(analysis: Analysis) -> bool:
    return not analysis.quantities and _weight(analysis) < LEAST_WEIGHT


def _weight(analysis: Analysis) -> float:
    return total_weight(analysis.known)
