"""Claims of a deck held against its source: extraction, snippets, verification, cache.

Correctness depends on deck, source, judge and settings, never on the audience, so one
cache entry per run serves every audience of a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ingest.endpoint.subject import CallSubject
from ingest.judge.exchange import (
    Claim,
    ClaimJudgment,
    ClaimRequest,
    ClaimWithSnippets,
    DeckPage,
    Reply,
    ReplyStatus,
    Task,
    VerificationRequest,
)
from ingest.judge.interface import Judge, ask_until_whole
from ingest.xslides.deck_input import DeckInput
from ingest.xslides.quick_files import put_json
from ingest.xslides.snippets import SNIPPET_RULE, SnippetIndex
from ingest.xslides.stage import Settings, batches, fingerprint
from warehouse import jsonl, storage

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
    deck: DeckInput,
    hashes: tuple[str, str],
    index: SnippetIndex,
    settings: Settings,
    cache: Path,
    subject: CallSubject | None = None,
) -> Correctness:
    """Return the claims of a deck with their labels, from the cache where it holds them.

    Args:
        judge: who extracts and verifies.
        deck: visible pages of the deck, and their pictures where it is judged by these.
        hashes: SHA-256 of the deck file and of the source context.
        index: passages of the source.
        settings: batch size and snippets per claim.
        cache: folder of the run-level cache.
        subject: whose deck it is, for the record of calls.
    """
    stated = {
        "batch_size": settings.batch_size,
        "snippets_per_claim": settings.snippets_per_claim,
        "snippet_rule": SNIPPET_RULE,
    }
    key = fingerprint(
        {
            "deck": hashes[0],
            "pages": [asdict(page) for page in deck.pages],
            "images": [storage.sha256_bytes(one.png) for one in deck.images],
            "source": hashes[1],
            "judge": claim_judge_record(judge),
            "settings": stated,
        }
    )
    path = cache / f"{key}.json"
    known = _cached(path, key)
    if known is not None and not settings.force:
        return Correctness(known, 0)
    extracted = judge.extract_claims(ClaimRequest(deck.pages, deck.images, subject))
    if extracted.status is not ReplyStatus.OK:
        nothing: dict[str, Any] = {"correctness": None, "claims": [], "settings": stated}
        message = extracted.message or extracted.status.value
        return Correctness(nothing, 1, message=f"claims could not be extracted: {message}")
    claims = _verify(judge, extracted, deck.pages, index, settings, subject)
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
    subject: CallSubject | None,
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
        VerificationRequest(tuple(paired[part]), subject)
        for part in batches(len(paired), settings.batch_size)
    ]
    judgments: dict[str, ClaimJudgment] = {}
    for request, reply in ask_until_whole(judge.verify_claims, requests, judge, _rest):
        judgments |= _usable(request, reply)
    return [_row(one, judgments.get(one.claim.claim_id)) for one in paired]


def _usable(request: VerificationRequest, reply: Reply[ClaimJudgment]) -> dict[str, ClaimJudgment]:
    """Return the first possible judgment of each asked claim in a reply."""
    asked = {one.claim.claim_id for one in request.claims}
    judgments: dict[str, ClaimJudgment] = {}
    for judgment in reply.items if reply.status is ReplyStatus.OK else ():
        if judgment.claim_id in asked and judgment.is_possible:
            judgments.setdefault(judgment.claim_id, judgment)
    return judgments


def _rest(request: VerificationRequest, reply: Reply[ClaimJudgment]) -> VerificationRequest | None:
    """Return the request for the claims that a reply left out; see `ask_until_whole`."""
    known = _usable(request, reply)
    left = tuple(one for one in request.claims if one.claim.claim_id not in known)
    return replace(request, claims=left) if known and left else None


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
