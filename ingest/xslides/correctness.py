"""Claims of a deck held against its source: extraction, snippets, verification, cache.

Correctness depends on deck, source, judge and settings, never on the audience, so one
cache entry per run serves every audience of a deck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ingest.judge.interface import (
    CLAIM_LABELS,
    Claim,
    ClaimJudgment,
    ClaimRequest,
    ClaimWithSnippets,
    DeckPage,
    Judge,
    Reply,
    ReplyStatus,
    Task,
    VerificationRequest,
    ask_all,
)
from ingest.xslides.quick_files import put_json
from ingest.xslides.snippets import SNIPPET_RULE, SnippetIndex
from ingest.xslides.stage import Settings, batches, fingerprint
from warehouse import jsonl

FAILED = "failed"
NOT_COUNTED = ("unverifiable", FAILED)


@dataclass(frozen=True)
class Correctness:
    """`record` is `correctness.json`; `failed` counts claims without a usable judgment."""

    record: dict[str, Any]
    failed: int
    message: str = ""


def score_correctness(
    judge: Judge,
    pages: tuple[DeckPage, ...],
    hashes: tuple[str, str],
    index: SnippetIndex,
    settings: Settings,
    cache: Path,
) -> Correctness:
    """Return the claims of a deck with their labels, from the cache where it holds them.

    Args:
        judge: who extracts and verifies.
        pages: visible pages of the deck.
        hashes: SHA-256 of the deck file and of the source context.
        index: passages of the source.
        settings: batch size and snippets per claim.
        cache: folder of the run-level cache.
    """
    stated = {
        "batch_size": settings.batch_size,
        "snippets_per_claim": settings.snippets_per_claim,
        "snippet_rule": SNIPPET_RULE,
    }
    key = fingerprint(
        {
            "deck": hashes[0],
            "pages": [asdict(page) for page in pages],
            "source": hashes[1],
            "judge": claim_judge_record(judge),
            "settings": stated,
        }
    )
    path = cache / f"{key}.json"
    known = _cached(path, key)
    if known is not None and not settings.force:
        return Correctness(known, 0)
    extracted = judge.extract_claims(ClaimRequest(pages))
    if extracted.status is not ReplyStatus.OK:
        nothing: dict[str, Any] = {"correctness": None, "claims": [], "settings": stated}
        message = extracted.message or extracted.status.value
        return Correctness(nothing, 1, message=f"claims could not be extracted: {message}")
    claims = _verify(judge, extracted, pages, index, settings)
    failed = sum(claim["label"] == FAILED for claim in claims)
    record = {"correctness": correctness_of(claims), "claims": claims, "settings": stated}
    if not failed:
        put_json(path, {"key": key, "record": record})
    message = f"{failed} of {len(claims)} claims could not be verified" if failed else ""
    return Correctness(record, failed, message=message)


def correctness_of(claims: Sequence[dict[str, Any]]) -> float | None:
    """Return supported claims over claims with a verdict; None when there is none.

    Unsupported and contradicted claims count 0; unverifiable and failed ones are left out.
    """
    counted = [claim for claim in claims if claim["label"] not in NOT_COUNTED]
    if not counted:
        return None
    supported = [claim for claim in counted if claim["label"] == "supported"]
    return len(supported) / len(counted)


def claim_judge_record(judge: Judge) -> dict[str, str]:
    """Return who judges claims; the hash covers extraction and verification."""
    prompts = [judge.prompt_sha256(Task.CLAIMS), judge.prompt_sha256(Task.VERIFICATION)]
    return {
        "id": judge.id_of(Task.VERIFICATION),
        "kind": judge.judge_kind,
        "model": judge.id_of(Task.VERIFICATION),
        "prompt_sha256": fingerprint(prompts),
    }


def _verify(
    judge: Judge,
    extracted: Reply[Claim],
    pages: tuple[DeckPage, ...],
    index: SnippetIndex,
    settings: Settings,
) -> list[dict[str, Any]]:
    numbers = {page.number for page in pages}
    claims = [
        Claim(f"cl_{n:04d}", claim.text, claim.slide if claim.slide in numbers else None)
        for n, claim in enumerate((c for c in extracted.items if c.text.strip()), start=1)
    ]
    paired = [
        ClaimWithSnippets(claim, index.find(claim.text, settings.snippets_per_claim))
        for claim in claims
    ]
    requests = [
        VerificationRequest(tuple(paired[part]))
        for part in batches(len(paired), settings.batch_size)
    ]
    replies = ask_all(judge.verify_claims, requests, judge.max_in_flight)
    judgments: dict[str, ClaimJudgment] = {}
    for request, reply in zip(requests, replies, strict=True):
        asked = {one.claim.claim_id for one in request.claims}
        for judgment in reply.items if reply.status is ReplyStatus.OK else ():
            if judgment.claim_id in asked and _is_possible(judgment):
                judgments.setdefault(judgment.claim_id, judgment)
    return [_row(one, judgments.get(one.claim.claim_id)) for one in paired]


def _is_possible(judgment: ClaimJudgment) -> bool:
    confidence = judgment.confidence
    return judgment.label in CLAIM_LABELS and math.isfinite(confidence) and 0 <= confidence <= 1


def _row(one: ClaimWithSnippets, judgment: ClaimJudgment | None) -> dict[str, Any]:
    return {
        "claim_id": one.claim.claim_id,
        "text": one.claim.text,
        "slide": one.claim.slide,
        "label": FAILED if judgment is None else judgment.label,
        "snippets": [asdict(snippet) for snippet in one.snippets],
        "confidence": 0.0 if judgment is None else judgment.confidence,
    }


def _cached(path: Path, key: str) -> dict[str, Any] | None:
    try:
        stored = jsonl.read_json(path)
    except (OSError, jsonl.StrictJsonError):
        return None
    record = stored.get("record")
    return record if stored.get("key") == key and isinstance(record, dict) else None
