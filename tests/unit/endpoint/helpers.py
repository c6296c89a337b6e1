"""What the endpoint tests share: one schema, one kind of request, sessions that wait little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from ingest.endpoint import modes
from ingest.endpoint.asker import Stores
from ingest.endpoint.budget import Limits
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallContext, CallLog, CallRows, call_rows
from ingest.endpoint.prices import Price, PriceTable
from ingest.endpoint.reply import Reply
from ingest.endpoint.request import Message, Prompt, Request, Sampling
from ingest.endpoint.session import EndpointSession
from ingest.endpoint.settings import ApiKey, EndpointSettings, Role, RoleSettings
from tests.support.openai_server import OpenAIServer, serving

KEY = "sk-loopback-4f1d0c2b9a"
MODEL = "asked-model"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "covered": {"type": "boolean"}},
    "required": ["id", "covered"],
    "additionalProperties": False,
}
PROMPT = Prompt("answerability", "1", "a" * 64)


def request(name: str, **changes: Any) -> Request:
    """Return a request that the server of the tests knows by its name."""
    messages = (
        Message.of("system", "You judge decks."),
        Message.of("user", f"[[{name}]] Is it covered?"),
    )
    whole = Request(Role.CLAIM_JUDGE, messages, SCHEMA, PROMPT, Sampling(64, 0.0))
    return replace(whole, **changes) if changes else whole


def requests(names: Iterable[str]) -> list[Request]:
    return [request(name) for name in names]


def truth(name: str) -> dict[str, Any]:
    """Return what the server answers to a name, by its plain rule."""
    return {"id": name, "covered": sum(name.encode()) % 2 == 0}


def settings_of(base_url: str, **changes: Any) -> EndpointSettings:
    """Return settings for one address; changes go to the role or to what roles share."""
    of_role = {"model": MODEL, "api_key": ApiKey(KEY), "timeout_seconds": 20.0}
    of_role |= {name: changes.pop(name) for name in list(changes) if name in ROLE_FIELDS}
    roles = {role: RoleSettings(role, base_url, **of_role) for role in Role}  # type: ignore[arg-type]
    shared = {"backoff_base_seconds": 0.01, "total_seconds": 60.0} | changes
    return EndpointSettings(roles, **shared)


ROLE_FIELDS = frozenset(
    ("model", "api_key", "temperature", "max_output_tokens", "timeout_seconds", "output_mode")
)


def price(model: str = MODEL, fresh: str = "1", output: str = "1") -> Price:
    return Price(model, Decimal(fresh), Decimal(output), Decimal(fresh), date(2026, 1, 1))


@contextmanager
def bench_at(root: Path) -> Iterator[Bench]:
    """Yield a server and a folder, with no word about servers from the test before."""
    modes.forget()
    with serving() as server:
        yield Bench(server, root)


@dataclass
class Bench:
    """A server and a folder; each `session` opens the same cache and record anew."""

    server: OpenAIServer
    root: Path
    prices: PriceTable = field(default_factory=PriceTable)

    @contextmanager
    def session(self, limits: Limits | None = None, **changes: Any) -> Iterator[EndpointSession]:
        stores = Stores(self.cache(), self.log(), self.prices)
        settings = settings_of(self.server.base_url, **changes)
        with EndpointSession(settings, stores, limits) as session:
            yield session

    def ask(self, *names: str, limits: Limits | None = None, **changes: Any) -> list[Reply]:
        """Return the replies to some names, of a session of their own."""
        with self.session(limits, **changes) as session:
            return session.ask_all(requests(names))

    def cache(self) -> ReplyCache:
        return ReplyCache(self.root / "cache")

    def log(self) -> CallLog:
        return CallLog(self.root / "calls", CallContext("xslides", "data", "data/run"))

    def calls(self) -> CallRows:
        return call_rows(self.root / "calls", self.root)

    def statuses(self) -> list[tuple[int, str]]:
        """Return attempt and status of all recorded calls, in order."""
        return [(row["attempt"], row["status"]) for row in self.calls().rows]
