"""What a judge is asked and what it answers: the requests and replies of the five tasks.

Texts of decks and sources are data for the judge, never instructions. The `subject` of a request
is for the record of calls; no judge looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

from ingest.endpoint.subject import CallSubject

DOMAINS = (
    "context",
    "method",
    "evidence",
    "limitations",
    "implementation",
    "implications",
)
CLAIM_LABELS = ("supported", "unsupported", "contradicted", "unverifiable", "failed")


class Task(StrEnum):
    """The five things that a judge is asked; each has its own prompt or rule hash."""

    PROBES = "probes"
    WEIGHTS = "weights"
    ANSWERABILITY = "answerability"
    CLAIMS = "claims"
    VERIFICATION = "verification"


class ReplyStatus(StrEnum):
    """How one request ended. Only `ok` carries items that may be used."""

    OK = "ok"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    INVALID = "invalid"
    FAILED = "failed"


class Verdict(StrEnum):
    """Whether a deck answers one probe. `abstain` counts as uncovered and is kept apart."""

    COVERED = "covered"
    UNCOVERED = "uncovered"
    ABSTAIN = "abstain"


@dataclass(frozen=True)
class Evidence:
    """A passage of the source: `locator` (heading or page) and its `text`."""

    locator: str
    text: str


@dataclass(frozen=True)
class Probe:
    """One question of a bank, as the judge sees it. `level` is 1 (surface) to 4 (deep)."""

    probe_id: str
    question: str
    answer: str
    evidence: tuple[Evidence, ...] = ()
    level: int = 1
    modality: str = "text"
    theme: str = ""
    domain: str | None = None


@dataclass(frozen=True)
class AudienceProfile:
    """Who a deck is for.

    Attributes:
        audience: id, e.g. `specialists`.
        title: name for people.
        expertise: expert, intermediate or non_technical.
        minutes: time that the audience gives the talk.
        description: free text of what the audience wants.
    """

    audience: str
    title: str
    expertise: str
    minutes: float
    description: str = ""


@dataclass(frozen=True)
class DeckPage:
    """Visible text of one slide or page: 1-based `number`, `title`, `text`."""

    number: int
    text: str
    title: str | None = None


@dataclass(frozen=True)
class PageImage:
    """One visible slide or page as a picture: 1-based `number`, PNG bytes."""

    number: int
    png: bytes = field(repr=False)


@dataclass(frozen=True)
class ProbeRequest:
    """One generation pass over one chunk; `pass_index` and `chunk_index` are 1-based."""

    case_id: str
    scene: str
    text: str
    chunk_index: int
    chunk_count: int
    pass_index: int
    title: str = ""
    subject: CallSubject | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ProbeDraft:
    """One proposed probe; it has no id before the bank is deduplicated."""

    question: str
    answer: str
    evidence: tuple[Evidence, ...]
    level: int
    modality: str
    theme: str
    domain: str | None = None


@dataclass(frozen=True)
class WeightRequest:
    """One batch of probes for one audience; `sample_index` (0-based) tells repeats apart."""

    audience: AudienceProfile
    scene: str
    probes: tuple[Probe, ...]
    sample_index: int
    subject: CallSubject | None = field(default=None, compare=False)


@dataclass(frozen=True)
class UtilityJudgment:
    """Raw utility (0 to 1, not yet snapped) of one probe for the audience."""

    probe_id: str
    utility: float
    rationale: str = ""

    @property
    def is_possible(self) -> bool:
        """Return whether the utility is in its range."""
        return 0 <= self.utility <= 1


@dataclass(frozen=True)
class AnswerabilityRequest:
    """One batch of probes against one deck; `sample_index` (0-based) tells repeats apart.

    With `images`, one for every page, the deck is judged by these and not by its text.
    """

    pages: tuple[DeckPage, ...]
    source_context: str
    probes: tuple[Probe, ...]
    sample_index: int = 0
    images: tuple[PageImage, ...] = ()
    subject: CallSubject | None = field(default=None, compare=False)


@dataclass(frozen=True)
class AnswerabilityJudgment:
    """What the deck says to one probe; `confidence` is 0 to 1."""

    probe_id: str
    verdict: Verdict
    confidence: float
    answer: str = ""
    cited_evidence: str = ""

    @property
    def is_possible(self) -> bool:
        """Return whether the confidence is in its range."""
        return 0 <= self.confidence <= 1


@dataclass(frozen=True)
class ClaimRequest:
    """A whole deck, out of which atomic factual claims are to be taken; images as above."""

    pages: tuple[DeckPage, ...]
    images: tuple[PageImage, ...] = ()
    subject: CallSubject | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Claim:
    """One atomic claim of a deck and the 1-based `slide` that makes it."""

    claim_id: str
    text: str
    slide: int | None


@dataclass(frozen=True)
class ClaimWithSnippets:
    """A claim and the source passages that it is to be held against."""

    claim: Claim
    snippets: tuple[Evidence, ...]


@dataclass(frozen=True)
class VerificationRequest:
    """One batch of claims with their snippets."""

    claims: tuple[ClaimWithSnippets, ...]
    subject: CallSubject | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ClaimJudgment:
    """Label (one of `CLAIM_LABELS`) and confidence (0 to 1) of one claim."""

    claim_id: str
    label: str
    confidence: float

    @property
    def is_possible(self) -> bool:
        """Return whether the label is known and the confidence in its range."""
        return self.label in CLAIM_LABELS and 0 <= self.confidence <= 1


Item = TypeVar("Item")


@dataclass(frozen=True)
class Reply(Generic[Item]):
    """What came back: items in the judge's order, and the raw exchange for the record.

    Attributes:
        items: empty unless `status` is ok.
        status: how the request ended.
        message: reason when it did not end well.
        request: what was sent, JSON-serialisable.
        response: what came back, JSON-serialisable.
    """

    items: tuple[Item, ...]
    status: ReplyStatus = ReplyStatus.OK
    message: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)
    response: Any = None
