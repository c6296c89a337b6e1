"""A model as judge of answers: one request an answer, and its reply read strictly.

FastRAGEval is one request by definition, so a reply that cannot be used is not asked for again:
it is an invalid judgment, never a score of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from ingest.endpoint.neutralise import fence
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.reply import Usage as Tokens
from ingest.endpoint.request import Request, Sampling
from ingest.endpoint.session import Session
from ingest.endpoint.settings import EndpointSettings, Role, RoleSettings
from ingest.endpoint.subject import CallSubject
from ingest.judge.interface import JudgeStoppedError
from ingest.judge.prompts import Template, read_template
from ingest.rageval.judging.exchange import (
    FASTRAGEVAL,
    INVALID,
    MISSING,
    REFERENCE,
    RESPONSE,
    AnswerToJudge,
    Judged,
    Statement,
    Usage,
    settled,
)
from warehouse import identity
from warehouse.contracts.docqa_values import LABELS

FOLDER = Path(__file__).with_name("prompts")
ROLE = Role.CLAIM_JUDGE
# Raise with any change of meaning; it is part of the key of every request.
SCHEMA_VERSION = 1
Price = Callable[[str, Tokens], Decimal | None]
"""Gives the dollars of a model's tokens; None when unknown."""

_STATEMENTS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "statement": {"type": "string"},
            "verdict": {"type": "string", "enum": list(LABELS)},
        },
        "required": ["statement", "verdict"],
        "additionalProperties": False,
    },
}
_INVALID = {
    Status.REFUSED: "judge_refused",
    Status.TRUNCATED: "truncated",
    Status.INVALID_REPLY: "invalid_reply",
}


def sides_of(metric: str) -> tuple[str, ...]:
    """Return the sides whose statements a metric asks for."""
    return (REFERENCE, RESPONSE) if metric == FASTRAGEVAL else (RESPONSE,)


def schema_of(metric: str) -> dict[str, Any]:
    """Return the JSON schema of a reply: statements with their verdicts, by side."""
    fields = {f"{side}_statements": _STATEMENTS for side in sides_of(metric)}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def template_of(metric: str) -> Template:
    """Return the prompt of a metric."""
    return read_template(FOLDER, metric)


def once(settings: EndpointSettings) -> EndpointSettings:
    """Return settings under which a reply that came is never asked for again."""
    return replace(settings, invalid_retries=0, truncation_retries=0)


class AskingJudge:
    """Judges answers by a model.

    Args:
        session: answers requests.
        settings: endpoint and sampling of the role.
        price: gives what tokens cost.
    """

    judge_kind = "llm"

    def __init__(self, session: Session, settings: EndpointSettings, price: Price) -> None:
        self._session = session
        self._role: RoleSettings = settings.of(ROLE)
        self._price = price
        self.judge_id = self._role.model

    def prompt_sha256(self, metric: str) -> str:
        """Return the hash of the prompt."""
        return template_of(metric).prompt.sha256

    def evaluation_config_id(self, metric: str) -> str:
        """Return the id of how answers are judged: model, prompt, schema, sampling."""
        role = self._role
        sampling = [role.temperature, role.max_output_tokens]
        return identity.content_id(
            "config", metric, self.judge_id, self.prompt_sha256(metric), SCHEMA_VERSION, sampling
        )

    def judge(
        self, metric: str, answers: Sequence[AnswerToJudge], repeat: int
    ) -> Iterator[tuple[int, Judged]]:
        """Yield the position of each answer and how its judging ended, as soon as it is known.

        Args:
            metric: fastrageval or consistency.
            answers: what can be judged.
            repeat: 1-based; tells samples of one answer apart.

        Raises:
            JudgeStoppedError: when nothing more may be asked.
        """
        requests = [self.request(metric, one, repeat) for one in answers]
        stopped: Reply | None = None
        # What is under way when a limit is reached is waited for: it is paid for and kept.
        for position, reply in self._session.as_completed(requests):
            if reply.status is Status.STOPPED:
                stopped = reply
            elif stopped is None:
                yield position, self.read(metric, reply)
        if stopped is not None:
            raise JudgeStoppedError(
                "nothing more may be asked",
                got=stopped.message,
                fix="run again with a larger budget; what was answered is kept",
            )

    def request(self, metric: str, answer: AnswerToJudge, repeat: int) -> Request:
        """Return the one request of an answer."""
        template = template_of(metric)
        values = {
            "question": fence("question", answer.question),
            "reference": fence(REFERENCE, answer.reference or ""),
            "response": fence(RESPONSE, answer.response or ""),
            "source": "\n\n".join(
                fence(f"passage_{number}", text)
                for number, text in enumerate(answer.passages, start=1)
            ),
        }
        return Request(
            ROLE,
            template.messages(values),
            schema_of(metric),
            template.prompt,
            Sampling.of(self._role),
            repeat - 1,
            SCHEMA_VERSION,
            metric,
            CallSubject(answer.question_id, answer.system_id, task=metric),
        )

    def read(self, metric: str, reply: Reply) -> Judged:
        """Return what a reply makes of a judgment."""
        usage = Usage(
            1,
            reply.usage.input_tokens,
            reply.usage.output_tokens,
            self._price(self.judge_id, reply.usage) if reply.usage.is_known else None,
        )
        if reply.status in _INVALID:
            return Judged(INVALID, _INVALID[reply.status], usage=usage)
        if not reply.is_answered:
            return Judged(MISSING, reply.status.value, usage=usage)
        statements = tuple(
            Statement(side, number, one["statement"].strip(), one["verdict"])
            for side in sides_of(metric)
            for number, one in enumerate(reply.value[f"{side}_statements"], start=1)
        )
        return settled(metric, statements, usage)
