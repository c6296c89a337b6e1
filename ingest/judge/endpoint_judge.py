"""The judge behind an endpoint: tasks become requests, replies become items.

It adds no rule of its own. A judgment that names no asked item, comes twice or is out of range
is handed on as it came; the stage that asked drops and counts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ingest.endpoint.reply import Reply as EndpointReply
from ingest.endpoint.reply import Status
from ingest.endpoint.request import Request, Sampling
from ingest.endpoint.session import Session
from ingest.endpoint.settings import EndpointSettings, Role
from ingest.judge import endpoint_prompts as values
from ingest.judge.interface import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    Claim,
    ClaimJudgment,
    ClaimRequest,
    Evidence,
    JudgeStoppedError,
    ProbeDraft,
    ProbeRequest,
    Reply,
    ReplyStatus,
    Task,
    UtilityJudgment,
    Verdict,
    VerificationRequest,
    WeightRequest,
)
from ingest.judge.prompts import template_of
from ingest.judge.reply_schemas import SCHEMA_VERSION, SCHEMAS

ROLES = {
    Task.PROBES: Role.GENERATOR,
    Task.WEIGHTS: Role.UTILITY_JUDGE,
    Task.ANSWERABILITY: Role.ANSWERABILITY_JUDGE,
    Task.CLAIMS: Role.CLAIM_JUDGE,
    Task.VERIFICATION: Role.CLAIM_JUDGE,
}
_STATUSES = {
    Status.ANSWERED: ReplyStatus.OK,
    Status.REFUSED: ReplyStatus.REFUSED,
    Status.TRUNCATED: ReplyStatus.TRUNCATED,
    Status.INVALID_REPLY: ReplyStatus.INVALID,
}
Item = TypeVar("Item")


class EndpointJudge:
    """Judge behind an OpenAI-compatible endpoint; implements `ingest.judge.interface.Judge`.

    Args:
        session: answers requests; the caller opens and closes it.
        settings: endpoint and sampling of each role.
    """

    judge_kind = "llm"
    reads_images = False

    def __init__(self, session: Session, settings: EndpointSettings) -> None:
        self._session = session
        self._settings = settings
        self.max_in_flight = settings.concurrency

    def id_of(self, task: Task) -> str:
        """Return the model that is asked for a task."""
        return self._settings.of(ROLES[task]).model

    def prompt_sha256(self, task: Task) -> str:
        """Return the hash of the prompt of a task."""
        return template_of(task).prompt.sha256

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        """Ask for probes of one chunk; the pass is the sample index of the request."""
        given = values.probe_values(request)
        return self._ask(Task.PROBES, given, request.pass_index - 1, "probes", _draft)

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        """Ask how useful each probe is for an audience."""
        given = values.weight_values(request)
        return self._ask(Task.WEIGHTS, given, request.sample_index, "judgments", _utility)

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Ask which probes a deck answers."""
        given = values.answerability_values(request)
        return self._ask(
            Task.ANSWERABILITY, given, request.sample_index, "judgments", _answerability
        )

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        """Ask for the claims of a deck; ids are given here, in the order of the reply."""
        reply = self._ask(Task.CLAIMS, values.claim_values(request), 0, "claims", _claim)
        numbered = (
            Claim(f"claim_{number:04d}", one.text, one.slide)
            for number, one in enumerate(reply.items, start=1)
        )
        return Reply(tuple(numbered), reply.status, reply.message, reply.request, reply.response)

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Hold claims against their passages."""
        given = values.verification_values(request)
        return self._ask(Task.VERIFICATION, given, 0, "judgments", _verification)

    def _ask(
        self,
        task: Task,
        given: Mapping[str, str],
        sample_index: int,
        field: str,
        read: Callable[[Mapping[str, Any]], Item],
    ) -> Reply[Item]:
        template = template_of(task)
        role = self._settings.of(ROLES[task])
        request = Request(
            role.role,
            template.messages(given),
            SCHEMAS[task],
            template.prompt,
            Sampling.of(role),
            sample_index,
            SCHEMA_VERSION,
            task.value,
        )
        reply = self._session.ask(request)
        if reply.status is Status.STOPPED:
            raise JudgeStoppedError(
                "nothing more may be asked",
                got=reply.message,
                fix="run again with a larger budget; what was answered is kept",
            )
        asked = {"request_key": reply.request_key, "prompt": template.prompt.sha256}
        if not reply.is_answered:
            status = _STATUSES.get(reply.status, ReplyStatus.FAILED)
            return Reply((), status, _message(reply), asked, reply.text)
        items = tuple(read(one) for one in reply.value[field])
        return Reply(items, request=asked, response=reply.value)


def _message(reply: EndpointReply) -> str:
    return f"{reply.status.value}: {reply.message}" if reply.message else reply.status.value


def _draft(row: Mapping[str, Any]) -> ProbeDraft:
    evidence = tuple(Evidence(one["locator"], one["text"]) for one in row["evidence"])
    return ProbeDraft(
        row["question"],
        row["answer"],
        evidence,
        row["level"],
        row["modality"],
        row["theme"],
        row["domain"],
    )


def _utility(row: Mapping[str, Any]) -> UtilityJudgment:
    return UtilityJudgment(row["probe_id"], float(row["utility"]), row["rationale"])


def _answerability(row: Mapping[str, Any]) -> AnswerabilityJudgment:
    return AnswerabilityJudgment(
        row["probe_id"],
        Verdict(row["verdict"]),
        float(row["confidence"]),
        row["answer"],
        row["cited_evidence"],
    )


def _claim(row: Mapping[str, Any]) -> Claim:
    return Claim("", row["text"], row["slide"])


def _verification(row: Mapping[str, Any]) -> ClaimJudgment:
    return ClaimJudgment(row["claim_id"], row["label"], float(row["confidence"]))
