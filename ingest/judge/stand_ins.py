"""What is put in the place of replies that are not there yet, to see what they would lead to.

Probes and claims decide how much is asked next. The fewest are one probe and no claim, the most
are what fits into a reply; what is likely is what the offline judge would say, whose probes and
claims come from the same texts. Which probes and claims these are is never written anywhere.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ingest.endpoint.settings import EndpointSettings
from ingest.endpoint.tokens import estimate_text
from ingest.judge.endpoint_forms import ROLES
from ingest.judge.exchange import (
    AnswerabilityRequest,
    Claim,
    ClaimRequest,
    ClaimWithSnippets,
    Evidence,
    ProbeDraft,
    ProbeRequest,
    Task,
    VerificationRequest,
)
from ingest.judge.lexical import sentences
from ingest.judge.offline import OfflineJudge
from warehouse import storage

# Tokens of the marks and names around one probe and one claim, which no reply does without.
PROBE_TOKENS = 32
CLAIM_TOKENS = 8
# Passages that the stage shows with a claim.
MOST_PASSAGES = 5
_WORD_LETTERS = 7


class StandIn(Protocol):
    """Somebody who says what a reply might be."""

    name: str

    def probes(self, request: ProbeRequest) -> tuple[ProbeDraft, ...]:
        """Return drafts of one generation pass."""

    def claims(self, request: ClaimRequest) -> tuple[Claim, ...]:
        """Return the claims of a deck."""

    def context(self, request: AnswerabilityRequest) -> None:
        """Hear the source that a deck's claims will be held against."""

    def verification(self, request: VerificationRequest) -> VerificationRequest:
        """Return the request of claims that stand in."""


class Fewest:
    """One and the same probe from every pass, and no claim."""

    name = "fewest"

    def probes(self, request: ProbeRequest) -> tuple[ProbeDraft, ...]:
        """Return the shortest draft."""
        return (ProbeDraft("a", "a", (), 1, "text", ""),)

    def claims(self, request: ClaimRequest) -> tuple[Claim, ...]:
        """Return nothing."""
        return ()

    def context(self, request: AnswerabilityRequest) -> None:
        """Do nothing."""

    def verification(self, request: VerificationRequest) -> VerificationRequest:
        """Return the request as it is."""
        return request


class Likely(Fewest):
    """What the offline judge finds in the same texts."""

    name = "likely"

    def __init__(self) -> None:
        self._judge = OfflineJudge()

    def probes(self, request: ProbeRequest) -> tuple[ProbeDraft, ...]:
        """Return the offline judge's drafts."""
        return self._judge.generate_probes(request).items

    def claims(self, request: ClaimRequest) -> tuple[Claim, ...]:
        """Return the offline judge's claims."""
        return self._judge.extract_claims(request).items


class Most(Fewest):
    """As many probes and claims as fit into the longest reply, each with the longest passages.

    Args:
        settings: whose output limits bound a reply.
    """

    name = "most"

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._longest = Evidence("", "")
        self._contexts: dict[str, Evidence] = {}

    def probes(self, request: ProbeRequest) -> tuple[ProbeDraft, ...]:
        """Return drafts that use a whole reply up; no two passes say the same."""
        tokens = self._reply_tokens(Task.PROBES)
        count = max(1, tokens // PROBE_TOKENS)
        size = max(1, tokens // count)
        seed = f"{request.case_id}/{request.chunk_index}/{request.pass_index}"
        return tuple(
            ProbeDraft(_words(f"{seed}/{n}", size), _words(f"{seed}/{n}/a", 1), (), 1, "text", "")
            for n in range(count)
        )

    def claims(self, request: ClaimRequest) -> tuple[Claim, ...]:
        """Return claims that use a whole reply up."""
        tokens = self._reply_tokens(Task.CLAIMS)
        count = max(1, tokens // CLAIM_TOKENS)
        size = max(1, tokens // count)
        return tuple(Claim("", _words(str(n), size), None) for n in range(count))

    def context(self, request: AnswerabilityRequest) -> None:
        """Find the longest passage that a claim of this deck can be shown."""
        text = request.source_context
        key = storage.sha256_bytes(text.encode("utf-8", "surrogatepass"))
        if key not in self._contexts:
            found = [Evidence(one.heading or "Page 999", one.text) for one in sentences(text)]
            self._contexts[key] = max(found, key=_evidence_tokens, default=Evidence("", ""))
        self._longest = self._contexts[key]

    def verification(self, request: VerificationRequest) -> VerificationRequest:
        """Return the request with the longest passage in the place of every one."""
        return replace(
            request,
            claims=tuple(
                ClaimWithSnippets(one.claim, (self._longest,) * 5) for one in request.claims
            ),
        )

    def _reply_tokens(self, task: Task) -> int:
        role = self._settings.of(ROLES[task])
        return int(role.max_output_tokens * 2**self._settings.truncation_retries)


def _evidence_tokens(evidence: Evidence) -> int:
    return estimate_text(evidence.locator) + estimate_text(evidence.text)


def _words(seed: str, count: int) -> str:
    """Return `count` words of one token each that no other seed gives."""
    words: list[str] = []
    block = 0
    while len(words) < count:
        digits = storage.sha256_bytes(f"{seed}#{block}".encode())
        letters = digits.translate(_AS_LETTERS)
        words += [letters[n : n + _WORD_LETTERS] for n in range(0, 56, _WORD_LETTERS)]
        block += 1
    return " ".join(words[:count])


_AS_LETTERS = str.maketrans("0123456789", "ghijklmnop")
