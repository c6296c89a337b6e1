"""Who is asked, and how: one endpoint a role, and what all roles share.

Plain values only: which variable or file they come from is settled by the command. A key is
wrapped, so that no print, log, comparison or pickle can show it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn
from urllib.parse import urlsplit

from warehouse.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
SHORTEST_SECRET = 12
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Role(StrEnum):
    """The four parts that a model plays; each may have an endpoint of its own."""

    GENERATOR = "generator"
    UTILITY_JUDGE = "utility_judge"
    ANSWERABILITY_JUDGE = "answerability_judge"
    CLAIM_JUDGE = "claim_judge"


class OutputMode(StrEnum):
    """How a reply is bound to its schema. `auto` finds the strictest that the server takes."""

    AUTO = "auto"
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


class ApiKey:
    """A key that shows itself to the client alone.

    Args:
        value: the key; white space around it is cut.
        name: the variable that it came from, for messages.

    Raises:
        UsageError: when it cannot stand in a header; the message does not show it.
    """

    __slots__ = ("_value", "name")

    def __init__(self, value: str, name: str = "") -> None:
        self._value = value.strip()
        self.name = name
        if not (self._value.isascii() and self._value.isprintable()):
            raise UsageError(
                f"the key in `{name or 'the settings'}` cannot be sent",
                expected="printable ASCII characters in one line",
                fix=f"set {name or 'PODIUM_JUDGE_API_KEY'} anew",
            )

    def reveal(self) -> str:
        """Return the key itself. Only the client and the redaction call this."""
        return self._value

    def __repr__(self) -> str:
        return "ApiKey(hidden)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never serialised")


@dataclass(frozen=True)
class RoleSettings:
    """The endpoint of one role.

    Attributes:
        role: which role.
        base_url: address up to `/v1`, without user, query or fragment.
        model: model to ask for.
        api_key: None for servers that want none.
        temperature: 0 to 2; None leaves it to the server.
        max_output_tokens: at least 1; a truncated reply is asked for once more with twice it.
        timeout_seconds: wall time of one attempt, above 0.
        output_mode: `auto`, or one mode that is never left.
        reads_images: whether the model is said to read pictures; one that does not is never
            sent any.
    """

    role: Role
    base_url: str
    model: str
    api_key: ApiKey | None = None
    temperature: float | None = None
    max_output_tokens: int = 4096
    timeout_seconds: float = 120.0
    output_mode: OutputMode = OutputMode.AUTO
    reads_images: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", checked_base_url(self.base_url))
        if not self.model.strip():
            raise UsageError(
                f"no model is named for role `{self.role}`", fix="set PODIUM_JUDGE_MODEL"
            )
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise _out_of_range("temperature", "0 to 2, or none", self.temperature)
        if self.max_output_tokens < 1:
            raise _out_of_range("max_output_tokens", "at least 1", self.max_output_tokens)
        if not 0 < self.timeout_seconds < math.inf:
            raise _out_of_range("timeout_seconds", "above 0", self.timeout_seconds)


@dataclass(frozen=True)
class EndpointSettings:
    """All roles and what they share.

    Attributes:
        roles: endpoints by role; a role that is not asked may be absent.
        concurrency: requests in flight at once, 1 to 1,024.
        requests_per_minute: most requests sent in any minute, evenly spaced; None: no limit.
        max_attempts: most failed attempts (rate limit, timeout, broken transport) a request.
        backoff_base_seconds: upper end of the first random wait; it doubles each time.
        backoff_cap_seconds: upper end of any random wait.
        total_seconds: time of one request with all its attempts and waits, from the first on.
        truncation_retries: times that a truncated reply is asked for with twice the limit.
        invalid_retries: times that an unusable reply is asked for again.
        give_up_after: requests that may fail in a row at one endpoint before the rest of them
            fail unasked.
        batch_poll_seconds: seconds between two looks at a batch.
        batch_total_seconds: most seconds that a command waits for batches.
    """

    roles: Mapping[Role, RoleSettings] = field(default_factory=dict)
    concurrency: int = 8
    requests_per_minute: float | None = None
    max_attempts: int = 5
    backoff_base_seconds: float = 0.5
    backoff_cap_seconds: float = 30.0
    total_seconds: float = 600.0
    truncation_retries: int = 1
    invalid_retries: int = 1
    give_up_after: int = 20
    batch_poll_seconds: float = 30.0
    batch_total_seconds: float = 93_600.0

    def __post_init__(self) -> None:
        rate = self.requests_per_minute
        if not 1 <= self.concurrency <= 1024:
            raise _out_of_range("concurrency", "1 to 1024", self.concurrency)
        if rate is not None and not 0 < rate < math.inf:
            raise _out_of_range("requests_per_minute", "above 0", rate)
        for name in ("max_attempts", "give_up_after"):
            if getattr(self, name) < 1:
                raise _out_of_range(name, "at least 1", getattr(self, name))
        for name in ("truncation_retries", "invalid_retries"):
            if not 0 <= getattr(self, name) <= 5:
                raise _out_of_range(name, "0 to 5", getattr(self, name))
        for name in ("backoff_base_seconds", "backoff_cap_seconds", "total_seconds"):
            if not 0 <= getattr(self, name) < math.inf:
                raise _out_of_range(name, "0 or more", getattr(self, name))
        self._check_batch_times()

    def _check_batch_times(self) -> None:
        for name in ("batch_poll_seconds", "batch_total_seconds"):
            if not 0 < getattr(self, name) < math.inf:
                raise _out_of_range(name, "above 0", getattr(self, name))

    def of(self, role: Role) -> RoleSettings:
        """Return the endpoint of a role.

        Raises:
            UsageError: when the role has none.
        """
        if role not in self.roles:
            raise UsageError(
                f"role `{role}` has no endpoint",
                expected="an address and a model",
                fix="set PODIUM_JUDGE_BASE_URL and PODIUM_JUDGE_MODEL",
            )
        return self.roles[role]

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return all keys, for the one purpose of striking them out of texts.

        Short ones are the placeholders of local servers, such as `EMPTY`: words that a reply
        may hold.
        """
        keys = {one.api_key.reveal() for one in self.roles.values() if one.api_key is not None}
        long = (key for key in keys if len(key) >= SHORTEST_SECRET)
        return tuple(sorted(long, key=len, reverse=True))


def checked_base_url(url: str) -> str:
    """Return an address in its one form: scheme and host lower case, no slash at the end.

    Raises:
        UsageError: when it is no http(s) address, or carries a user, a query or a fragment.
            The message never repeats the address, which may hold a password.
    """
    problem = None
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise _bad_url("it cannot be read") from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        problem = "it is no http or https address"
    elif parts.username is not None or parts.password is not None:
        problem = "it holds a user or a password"
    elif parts.query or parts.fragment:
        problem = "it holds a query or a fragment"
    if problem:
        raise _bad_url(problem)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    shown = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}{parts.path.rstrip('/')}"


def redacted(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text without the keys, which a server may have echoed."""
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return text


def _bad_url(problem: str) -> UsageError:
    return UsageError(
        "the address of the endpoint cannot be used",
        expected="such as https://host/v1; a key goes to PODIUM_JUDGE_API_KEY",
        got=problem,
        fix="set PODIUM_JUDGE_BASE_URL",
    )


def _out_of_range(name: str, expected: str, got: float) -> UsageError:
    return UsageError(f"endpoint setting `{name}` is out of range", expected=expected, got=str(got))
