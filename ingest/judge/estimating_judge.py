"""A judge that asks nobody and notes what would be asked.

Stages run against it as against any judge, on a copy of their tree, so that what is noted is by
construction what they will send. A reply that is kept is given; for one that is not, somebody
stands in, and whatever follows from that is noted as not exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.request import Request, Target, request_key
from ingest.endpoint.settings import EndpointSettings
from ingest.judge import endpoint_forms as forms
from ingest.judge.endpoint_forms import ROLES, Form
from ingest.judge.exchange import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    Claim,
    ClaimJudgment,
    ClaimRequest,
    ProbeDraft,
    ProbeRequest,
    Reply,
    Task,
    UtilityJudgment,
    Verdict,
    VerificationRequest,
    WeightRequest,
)
from ingest.judge.prompts import template_of
from ingest.judge.stand_ins import StandIn

Asked = TypeVar("Asked")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Planned:
    """One request that a stage would make.

    Attributes:
        task: what for.
        request: what would be sent.
        key: its key.
        is_exact: whether no stand-in has led to it.
        is_kept: whether the cache answers it.
    """

    task: Task
    request: Request
    key: str
    is_exact: bool
    is_kept: bool


class EstimatingJudge:
    """Notes requests; implements `ingest.judge.interface.Judge`. Of one thread.

    Args:
        settings: endpoint of each role.
        cache: replies that are kept; nothing is written.
        stand_in: says what missing replies might be.
        note: hears of every request, equal ones each time.
    """

    judge_kind = "llm"
    max_in_flight = 1
    crew = None

    def __init__(
        self,
        settings: EndpointSettings,
        cache: ReplyCache,
        stand_in: StandIn,
        note: Callable[[Planned], None],
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._stand_in = stand_in
        self._note = note
        self._cases: set[str | None] = set()
        self._is_claimed = False

    @property
    def reads_images(self) -> bool:
        """Return what the endpoint judge of the same settings says."""
        return forms.read_images(self._settings)

    def stop(self) -> None:
        """Do nothing: nothing is asked."""

    def id_of(self, task: Task) -> str:
        """Return the model that would be asked for a task."""
        return self._settings.of(ROLES[task]).model

    def prompt_sha256(self, task: Task) -> str:
        """Return the hash of the prompt of a task."""
        return template_of(task).prompt.sha256

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        """Note a generation request."""
        kept = self._kept(forms.PROBES, request, is_exact=True)
        if kept is not None:
            return kept
        self._cases.add(_case(request))
        return Reply(self._stand_in.probes(request))

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        """Note a request for utilities."""
        kept = self._kept(forms.WEIGHTS, request, is_exact=_case(request) not in self._cases)
        return kept or Reply(tuple(UtilityJudgment(one.probe_id, 0.0) for one in request.probes))

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Note a request for verdicts."""
        self._stand_in.context(request)
        is_exact = _case(request) not in self._cases
        kept = self._kept(forms.ANSWERABILITY, request, is_exact=is_exact)
        return kept or Reply(
            tuple(
                AnswerabilityJudgment(one.probe_id, Verdict.UNCOVERED, 0.0)
                for one in request.probes
            )
        )

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        """Note a request for the claims of a deck."""
        kept = self._kept(forms.CLAIMS, request, is_exact=True)
        # The claims of a deck are verified before the next deck is looked at.
        self._is_claimed = kept is not None
        return kept or Reply(self._stand_in.claims(request))

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Note a request for labels."""
        if not self._is_claimed:
            request = self._stand_in.verification(request)
        kept = self._kept(forms.VERIFICATION, request, is_exact=self._is_claimed)
        labels = (ClaimJudgment(one.claim.claim_id, "unverifiable", 0.0) for one in request.claims)
        return kept or Reply(tuple(labels))

    def _kept(self, form: Form[Asked, Item], asked: Asked, *, is_exact: bool) -> Reply[Item] | None:
        request = form.request(asked, self._settings)
        key = request_key(request, Target.of(self._settings.of(request.role)))
        kept = self._cache.get(request, key)
        self._note(Planned(form.task, request, key, is_exact, kept is not None))
        return None if kept is None else form.reply(kept)


def _case(request: ProbeRequest | WeightRequest | AnswerabilityRequest) -> str | None:
    return None if request.subject is None else request.subject.case_label
