"""What a judge is: somebody who answers the five tasks, whoever that may be.

An endpoint judge, the offline judge and a replayed judge all implement `Judge`. A stage
sends requests and never looks behind them; it checks every reply, because a judge may
answer fewer, more, doubled or reordered items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Protocol, TypeVar

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
from warehouse.errors import PodiumError


class JudgeStoppedError(PodiumError):
    """The judge may not be asked any more, for example because a budget is spent."""

    exit_code = 4


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
        """Return whether pictures of slides can be judged."""

    @property
    def max_in_flight(self) -> int:
        """Return how many requests may run at once (1: never from several threads)."""

    @property
    def crew(self) -> Executor | None:
        """Return whose threads ask several requests of one stage; None: ask one by one."""

    def stop(self) -> None:
        """Ask nothing more: what is under way or comes later ends in `JudgeStoppedError`."""

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
    ask: Callable[[Request], Answer], requests: Sequence[Request], judge: Judge
) -> list[Answer]:
    """Return a judge's answers in request order, as many asked at once as it takes.

    Args:
        ask: one of the judge's five methods.
        requests: what to ask.
        judge: whose method it is.

    Raises:
        JudgeStoppedError: when one of them may not be asked; the others are not waited for.
    """
    if judge.crew is None or len(requests) <= 1:
        return [ask(request) for request in requests]
    return list(judge.crew.map(ask, requests))


def ask_until_whole(
    ask: Callable[[Request], Answer],
    requests: Sequence[Request],
    judge: Judge,
    rest_of: Callable[[Request, Answer], Request | None],
) -> list[tuple[Request, Answer]]:
    """Return requests with their answers; what an answer left out is asked for again.

    Each round asks for less than the one before, so that it ends.

    Args:
        ask: one of the judge's five methods.
        requests: what to ask.
        judge: whose method it is.
        rest_of: gives the request for what an answer left out; None when nothing is missing, and
            when the answer brought nothing, since it would be the same request.

    Raises:
        JudgeStoppedError: when one of them may not be asked.
    """
    exchanges: list[tuple[Request, Answer]] = []
    asked = list(requests)
    while asked:
        answered = list(zip(asked, ask_all(ask, asked, judge), strict=True))
        exchanges += answered
        rests = (rest_of(request, answer) for request, answer in answered)
        asked = [rest for rest in rests if rest is not None]
    return exchanges
