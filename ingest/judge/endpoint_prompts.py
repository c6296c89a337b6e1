"""What a judge behind an endpoint is shown: values of the placeholders of each prompt.

All foreign text is fenced: decks, sources, probes and claims alike, since a probe may quote its
source and a claim its deck. Records inside a fence are JSON, one a line, so that no text can
pass for a neighbour's id.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from ingest.endpoint.neutralise import fence
from ingest.judge.exchange import (
    AnswerabilityRequest,
    ClaimRequest,
    ClaimWithSnippets,
    DeckPage,
    PageImage,
    Probe,
    ProbeRequest,
    VerificationRequest,
    WeightRequest,
)
from warehouse import jsonl

# Deck and source stand in every request of a deck, and a source may be a million characters.
_fence_once = functools.lru_cache(maxsize=8)(fence)


def probe_values(request: ProbeRequest) -> dict[str, str]:
    """Return the values of the generation prompt."""
    return {
        "scene": _stated("scene", request.scene),
        "title": _stated("title", request.title),
        "chunk_index": str(request.chunk_index),
        "chunk_count": str(request.chunk_count),
        "pass_index": str(request.pass_index),
        "source": fence("source", request.text),
    }


def weight_values(request: WeightRequest) -> dict[str, str]:
    """Return the values of the utility prompt."""
    audience = request.audience
    profile = {
        "audience": audience.title or audience.audience,
        "expertise": audience.expertise,
        "minutes": audience.minutes,
        "description": audience.description,
    }
    return {
        "scene": _stated("scene", request.scene),
        "audience": fence("audience", jsonl.dumps(profile)),
        "probes": fence("probes", _records(_question(one) for one in request.probes)),
    }


def answerability_values(request: AnswerabilityRequest) -> dict[str, str]:
    """Return the values of the answerability prompt."""
    context = request.source_context
    return {
        "deck": _deck(request.pages, request.images),
        "context": _fence_once("source_context", context) if context else "(no source context)",
        "probes": fence("probes", _records(_probe(one) for one in request.probes)),
    }


def claim_values(request: ClaimRequest) -> dict[str, str]:
    """Return the values of the claim prompt."""
    return {"deck": _deck(request.pages, request.images)}


def verification_values(request: VerificationRequest) -> dict[str, str]:
    """Return the values of the verification prompt."""
    return {"claims": fence("claims", _records(_claim(one) for one in request.claims))}


def _question(probe: Probe) -> dict[str, Any]:
    return {
        "probe_id": probe.probe_id,
        "question": probe.question,
        "expected_answer": probe.answer,
    }


def _probe(probe: Probe) -> dict[str, Any]:
    evidence = [{"locator": one.locator, "text": one.text} for one in probe.evidence]
    return {
        **_question(probe),
        "evidence": evidence,
        "level": probe.level,
        "modality": probe.modality,
        "theme": probe.theme,
    }


def _claim(one: ClaimWithSnippets) -> dict[str, Any]:
    return {
        "claim_id": one.claim.claim_id,
        "claim": one.claim.text,
        "passages": [
            {"locator": snippet.locator, "text": snippet.text} for snippet in one.snippets
        ],
    }


def _deck(pages: Sequence[DeckPage], images: Sequence[PageImage]) -> str:
    """Return the text of a deck, or, when it goes as pictures, how many of them follow."""
    if images:
        return f"The deck follows as {len(images)} pictures, one a slide, in order."
    return _fence_once("deck", _pages(pages))


def _pages(pages: Iterable[DeckPage]) -> str:
    return _records(
        {"slide": page.number, "title": page.title or "", "text": page.text} for page in pages
    )


def _records(records: Iterable[dict[str, Any]]) -> str:
    return "\n".join(jsonl.dumps(one) for one in records)


def _stated(label: str, text: str) -> str:
    """Return what a file of the case states; even one word of it may be an order."""
    return fence(label, text) if text else "(not stated)"
