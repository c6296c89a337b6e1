"""What a judge is: typed requests in, typed replies out, whoever answers them.

An endpoint judge, the offline judge and a replayed judge all implement `Judge`. A stage
sends requests and never looks behind them; it checks every reply, because a judge may
answer fewer, more, doubled or reordered items. Texts of decks and sources are data for
the judge, never instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from warehouse.errors import PodiumError

DOMAINS = (
    "context",
    "method",
    "evidence",
    "limitations",
    "implementation",
    "implications",
)
CLAIM_LABELS = ("supported", "unsupported", "contradicted", "unverifiable", "failed")


class JudgeStoppedError(PodiumError):
    """The judge may not be asked any more, for example because a budget is spent."""

    exit_code = 4


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
class ProbeRequest:
    """One generation pass over one chunk; `pass_index` and `chunk_index` are 1-based."""

    case_id: str
    scene: str
    text: str
    chunk_index: int
    chunk_count: int
    pass_index: int
    title: str = ""


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


@dataclass(frozen=True)
class UtilityJudgment:
    """Raw utility (0 to 1, not yet snapped) of one probe for the audience."""

    probe_id: str
    utility: float
    rationale: str = ""


@dataclass(frozen=True)
class AnswerabilityRequest:
    """One batch of probes against one deck; `sample_index` (0-based) tells repeats apart."""

    pages: tuple[DeckPage, ...]
    source_context: str
    probes: tuple[Probe, ...]
    sample_index: int = 0


@dataclass(frozen=True)
class AnswerabilityJudgment:
    """What the deck says to one probe; `confidence` is 0 to 1."""

    probe_id: str
    verdict: Verdict
    confidence: float
    answer: str = ""
    cited_evidence: str = ""


@dataclass(frozen=True)
class ClaimRequest:
    """A whole deck, out of which atomic factual claims are to be taken."""

    pages: tuple[DeckPage, ...]


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


@dataclass(frozen=True)
class ClaimJudgment:
    """Label (one of `CLAIM_LABELS`) and confidence (0 to 1) of one claim."""

    claim_id: str
    label: str
    confidence: float


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


class Judge(Protocol):
    """Somebody who answers the five tasks.

    Methods never raise for a bad answer (the reply carries a status); they raise
    `JudgeStoppedError` when nothing more may be asked.
    """

    def id_of(self, task: Task) -> str:
        """Return the id of who does a task: the model behind an endpoint, or named rules."""

    @property
    def judge_kind(self) -> str:
        """Return llm, heuristic, human or imported."""

    @property
    def reads_images(self) -> bool:
        """Return whether decks without visible text can be judged."""

    @property
    def max_in_flight(self) -> int:
        """Return how many requests may run at once (1: never from several threads)."""

    def prompt_sha256(self, task: Task) -> str:
        """Return the hash of the prompt or of the rules behind one task."""

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        """Propose probes for one chunk of a source."""

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        """Judge how useful each probe is for an audience."""

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Judge which probes a deck answers."""

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        """Take the atomic factual claims out of a deck."""

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Hold claims against the source snippets that come with them."""


Request = TypeVar("Request")
Answer = TypeVar("Answer")


def ask_all(
    ask: Callable[[Request], Answer], requests: Sequence[Request], max_in_flight: int
) -> list[Answer]:
    """Return the answers in request order, at most `max_in_flight` at a time."""
    if max_in_flight <= 1 or len(requests) <= 1:
        return [ask(request) for request in requests]
    with ThreadPoolExecutor(max_workers=min(max_in_flight, len(requests))) as pool:
        return list(pool.map(ask, requests))
