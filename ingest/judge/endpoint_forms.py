"""The five tasks as an endpoint sees them: what is sent for each, and what comes back.

A judgment that names no asked item, comes twice or is out of range is handed on as it came; the
stage that asked drops and counts it. A reply of nothing but such judgments is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ingest.endpoint.reply import Reply as EndpointReply
from ingest.endpoint.reply import Status
from ingest.endpoint.request import ImagePart, Message, Request, Sampling, TextPart
from ingest.endpoint.settings import EndpointSettings, Role
from ingest.endpoint.subject import CallSubject
from ingest.judge import endpoint_prompts as values
from ingest.judge.exchange import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    Claim,
    ClaimJudgment,
    ClaimRequest,
    Evidence,
    PageImage,
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
from ingest.judge.interface import JudgeStoppedError
from ingest.judge.prompts import template_of
from ingest.judge.reply_schemas import SCHEMA_VERSION, SCHEMAS
from ingest.judge.reply_texts import clean_text

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
Asked = TypeVar("Asked")
Item = TypeVar("Item")


@dataclass(frozen=True)
class SaysSomething:
    """Whether the value of a reply says anything of what was asked, told by ids alone."""

    ids: frozenset[str]
    holds: Callable[[Any], bool]

    def __call__(self, value: Any) -> bool:
        """Return whether it does."""
        return self.holds(value)


@dataclass(frozen=True)
class Form(Generic[Asked, Item]):
    """How one task is asked.

    Attributes:
        task: which one.
        field: list of the reply that holds the items.
        values: values of the prompt's placeholders.
        sample_index: 0-based index that tells repeats apart.
        subject: what the request is about, for the record of calls.
        images: pictures that go with the text.
        read: makes an item of one row of the list, given its 1-based place.
        ids: ids of the items that are asked for; None where a reply may be empty.
        is_asked_for: whether an item is a possible one of some ids.
    """

    task: Task
    field: str
    values: Callable[[Asked], dict[str, str]]
    sample_index: Callable[[Asked], int]
    subject: Callable[[Asked], CallSubject]
    images: Callable[[Asked], tuple[PageImage, ...]]
    read: Callable[[int, Mapping[str, Any]], Item]
    ids: Callable[[Asked], frozenset[str]] | None = None
    is_asked_for: Callable[[Item, Collection[str]], bool] = lambda item, ids: True

    def request(self, asked: Asked, settings: EndpointSettings) -> Request:
        """Return what is sent for one request of the task."""
        template = template_of(self.task)
        role = settings.of(ROLES[self.task])
        return Request(
            role.role,
            _with_images(template.messages(self.values(asked)), self.images(asked)),
            SCHEMAS[self.task],
            template.prompt,
            Sampling.of(role),
            self.sample_index(asked),
            SCHEMA_VERSION,
            self.task.value,
            replace(self.subject(asked), task=self.task.value),
            self._says_something(asked),
        )

    def reply(self, reply: EndpointReply) -> Reply[Item]:
        """Return what came back, as items.

        Raises:
            JudgeStoppedError: when the request may not be asked any more.
        """
        if reply.status is Status.STOPPED:
            raise JudgeStoppedError(
                "nothing more may be asked",
                got=reply.message,
                fix="run again with a larger budget; what was answered is kept",
            )
        asked = {
            "request_key": reply.request_key,
            "prompt": template_of(self.task).prompt.sha256,
        }
        if not reply.is_answered:
            status = _STATUSES.get(reply.status, ReplyStatus.FAILED)
            return Reply((), status, _message(reply), asked, reply.text)
        return Reply(self._items(reply.value), request=asked, response=reply.value)

    def _items(self, value: Mapping[str, Any]) -> tuple[Item, ...]:
        return tuple(self.read(place, row) for place, row in enumerate(value[self.field], start=1))

    def _says_something(self, asked: Asked) -> Callable[[Any], bool] | None:
        return None if self.ids is None else self.check(self.ids(asked))

    def check(self, ids: frozenset[str]) -> SaysSomething:
        """Return whether the value of a reply says anything of some ids, as a function of it."""
        return SaysSomething(
            ids,
            lambda value: any(self.is_asked_for(item, ids) for item in self._items(value)),
        )


def read_images(settings: EndpointSettings) -> bool:
    """Return whether all models that are shown decks are said to read pictures."""
    return all(settings.of(ROLES[task]).reads_images for task in (Task.ANSWERABILITY, Task.CLAIMS))


def _with_images(
    messages: tuple[Message, ...], images: tuple[PageImage, ...]
) -> tuple[Message, ...]:
    """Put pictures behind the text of the last message, each after its slide's number."""
    if not images:
        return messages
    parts = [
        part
        for one in images
        for part in (TextPart(f"Slide {one.number}:"), ImagePart(one.png, detail="high"))
    ]
    *before, last = messages
    return (*before, Message(last.role, (*last.parts, *parts)))


def _message(reply: EndpointReply) -> str:
    return f"{reply.status.value}: {reply.message}" if reply.message else reply.status.value


def _draft(_: int, row: Mapping[str, Any]) -> ProbeDraft:
    evidence = tuple(_evidence(one) for one in row["evidence"])
    return ProbeDraft(
        clean_text(row["question"]),
        clean_text(row["answer"]),
        evidence,
        row["level"],
        row["modality"],
        clean_text(row["theme"]),
        row["domain"],
    )


def _evidence(row: Mapping[str, Any]) -> Evidence:
    return Evidence(clean_text(row["locator"]), clean_text(row["text"]))


def _utility(_: int, row: Mapping[str, Any]) -> UtilityJudgment:
    return UtilityJudgment(row["probe_id"], float(row["utility"]), clean_text(row["rationale"]))


def _answerability(_: int, row: Mapping[str, Any]) -> AnswerabilityJudgment:
    return AnswerabilityJudgment(
        row["probe_id"],
        Verdict(row["verdict"]),
        float(row["confidence"]),
        clean_text(row["answer"]),
        clean_text(row["cited_evidence"]),
    )


def _claim(place: int, row: Mapping[str, Any]) -> Claim:
    # A claim's id is its place in the reply: a model's own could come twice.
    return Claim(f"claim_{place:04d}", clean_text(row["text"]), row["slide"])


def _verification(_: int, row: Mapping[str, Any]) -> ClaimJudgment:
    return ClaimJudgment(row["claim_id"], row["label"], float(row["confidence"]))


def _weighed(request: WeightRequest) -> CallSubject:
    about = request.subject or CallSubject()
    return replace(about, audience=about.audience or request.audience.audience)


PROBES: Form[ProbeRequest, ProbeDraft] = Form(
    Task.PROBES,
    "probes",
    values.probe_values,
    lambda asked: asked.pass_index - 1,
    lambda asked: asked.subject or CallSubject(),
    lambda _: (),
    _draft,
)
WEIGHTS: Form[WeightRequest, UtilityJudgment] = Form(
    Task.WEIGHTS,
    "judgments",
    values.weight_values,
    lambda asked: asked.sample_index,
    _weighed,
    lambda _: (),
    _utility,
    lambda asked: frozenset(probe.probe_id for probe in asked.probes),
    lambda one, ids: one.is_possible and one.probe_id in ids,
)
ANSWERABILITY: Form[AnswerabilityRequest, AnswerabilityJudgment] = Form(
    Task.ANSWERABILITY,
    "judgments",
    values.answerability_values,
    lambda asked: asked.sample_index,
    lambda asked: asked.subject or CallSubject(),
    lambda asked: asked.images,
    _answerability,
    lambda asked: frozenset(probe.probe_id for probe in asked.probes),
    lambda one, ids: one.is_possible and one.probe_id in ids,
)
CLAIMS: Form[ClaimRequest, Claim] = Form(
    Task.CLAIMS,
    "claims",
    values.claim_values,
    lambda _: 0,
    lambda asked: asked.subject or CallSubject(),
    lambda asked: asked.images,
    _claim,
)
VERIFICATION: Form[VerificationRequest, ClaimJudgment] = Form(
    Task.VERIFICATION,
    "judgments",
    values.verification_values,
    lambda _: 0,
    lambda asked: asked.subject or CallSubject(),
    lambda _: (),
    _verification,
    lambda asked: frozenset(each.claim.claim_id for each in asked.claims),
    lambda one, ids: one.is_possible and one.claim_id in ids,
)
_CHECKED: tuple[Form[Any, Any], ...] = (WEIGHTS, ANSWERABILITY, VERIFICATION)


def check_of(name: str, ids: Collection[str]) -> SaysSomething | None:
    """Return the check of a request that is not at hand any more; None for a task without one.

    Args:
        name: name of its schema, which is that of its task.
        ids: `ids` of its `says_something`.
    """
    found = (form for form in _CHECKED if form.task.value == name)
    return next((form.check(frozenset(ids)) for form in found), None)
