"""One request on its way to its end: where it goes, what it cost, what it would be as a reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from ingest.endpoint.attempt import Attempt
from ingest.endpoint.modes import Dialect
from ingest.endpoint.parsing import Parsed, ReplyError
from ingest.endpoint.prices import Price
from ingest.endpoint.reading import read_reply
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.request import Request, Target
from ingest.endpoint.settings import RoleSettings
from ingest.endpoint.tokens import count_request
from warehouse import jsonl


@dataclass
class Asking:
    """The state of one request.

    Attributes:
        request: what is asked.
        key: key of the request.
        settings: endpoint of its role.
        dialect: form in which it is sent next.
        limit: output tokens of the next attempt.
        price: price of its model today; None when unknown.
        deadline: monotonic time at which asking ends; 0 before the first attempt.
        attempt_count: HTTP requests so far.
        failures: attempts that failed and may pass.
        truncations: replies that were cut.
        invalid: replies that could not be used.
        cost: US dollars so far; None once an attempt had no known cost.
        cut: the last truncated reply.
    """

    request: Request
    key: str
    settings: RoleSettings
    dialect: Dialect
    limit: int
    price: Price | None = None
    deadline: float = 0.0
    attempt_count: int = 0
    failures: int = 0
    truncations: int = 0
    invalid: int = 0
    cost: Decimal | None = Decimal(0)
    cut: Reply | None = None

    @property
    def target(self) -> Target:
        """Return who is asked."""
        return Target.of(self.settings)

    def worst_cost(self) -> Decimal | None:
        """Return the most that the next attempt can cost; None without a price."""
        if self.price is None:
            return None
        return self.price.worst_cost(count_request(self.request).bound, self.limit)

    def cost_of(self, attempt: Attempt) -> Decimal | None:
        """Return what an attempt cost; None when that is unknown."""
        if attempt.usage.is_known:
            return None if self.price is None else self.price.cost(attempt.usage)
        return None if attempt.is_billable else Decimal(0)

    def add_cost(self, cost: Decimal | None) -> None:
        """Add what an attempt cost."""
        if self.cost is not None:
            self.cost = None if cost is None else self.cost + cost

    def read(self, attempt: Attempt, secrets: tuple[str, ...]) -> Reply:
        """Return the reply that an attempt is if it stays the last one.

        Args:
            attempt: what came.
            secrets: keys that no value may repeat.
        """
        if attempt.status is not Status.ANSWERED or attempt.text is None:
            return self.reply(attempt.status, attempt, message=attempt.message)
        try:
            parsed = read_reply(attempt.text, self.request)
        except ReplyError as error:
            return self.reply(Status.INVALID_REPLY, attempt, message=str(error))
        if any(secret in jsonl.canonical(parsed.value) for secret in secrets):
            message = "the reply repeats a key in another spelling"
            return replace(self.reply(Status.INVALID_REPLY, attempt, message=message), text=None)
        return self.reply(Status.ANSWERED, attempt, parsed)

    def reply(
        self,
        status: Status,
        attempt: Attempt | None = None,
        parsed: Parsed | None = None,
        *,
        message: str = "",
    ) -> Reply:
        """Return a reply with all that is known so far."""
        reply = Reply(
            status=status,
            request_key=self.key,
            model_asked=self.settings.model,
            value=None if parsed is None else parsed.value,
            parse_level=None if parsed is None else parsed.level,
            attempt_count=self.attempt_count,
            cost_usd=self.cost,
            price_date=None if self.price is None else self.price.valid_from.isoformat(),
            message=message,
        )
        if attempt is None:
            return reply
        return replace(
            reply,
            model_served=attempt.model_served,
            text=attempt.text,
            output_mode=self.dialect.mode,
            usage=attempt.usage,
            latency_ms=attempt.latency_ms,
        )
