"""The judge behind an endpoint: tasks become requests, replies become items."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

from ingest.endpoint.session import Session
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
    VerificationRequest,
    WeightRequest,
)
from ingest.judge.prompts import template_of

Asked = TypeVar("Asked")
Item = TypeVar("Item")
# Threads for each request in flight, so that none waits for another's back-off.
_THREADS_EACH = 4


class EndpointJudge:
    """Judge behind an OpenAI-compatible endpoint; implements `ingest.judge.interface.Judge`.

    Args:
        session: answers requests; the caller opens and closes it.
        settings: endpoint and sampling of each role.
    """

    judge_kind = "llm"

    def __init__(self, session: Session, settings: EndpointSettings) -> None:
        self._session = session
        self._settings = settings
        self.max_in_flight = settings.concurrency
        # Threads start when they are first needed and end with the last reference to the judge.
        self.crew: Executor | None = ThreadPoolExecutor(
            _THREADS_EACH * settings.concurrency, "podium-ask"
        )

    @property
    def reads_images(self) -> bool:
        """Return whether the models of decks are said to read pictures."""
        return forms.read_images(self._settings)

    def stop(self) -> None:
        """Ask nothing more; what is under way ends as stopped."""
        self._session.stop()

    def id_of(self, task: Task) -> str:
        """Return the model that is asked for a task."""
        return self._settings.of(ROLES[task]).model

    def prompt_sha256(self, task: Task) -> str:
        """Return the hash of the prompt of a task."""
        return template_of(task).prompt.sha256

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        """Ask for probes of one chunk; the pass is the sample index of the request."""
        return self._ask(forms.PROBES, request)

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        """Ask how useful each probe is for an audience."""
        return self._ask(forms.WEIGHTS, request)

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Ask which probes a deck answers."""
        return self._ask(forms.ANSWERABILITY, request)

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        """Ask for the claims of a deck; ids are given here, in the order of the reply."""
        return self._ask(forms.CLAIMS, request)

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Hold claims against their passages."""
        return self._ask(forms.VERIFICATION, request)

    def _ask(self, form: Form[Asked, Item], asked: Asked) -> Reply[Item]:
        return form.reply(self._session.ask(form.request(asked, self._settings)))
