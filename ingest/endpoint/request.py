"""One request to a model, frozen, and the key under which its answer is kept.

Whatever may change an answer is part of the request or of the target, and so of the key:
address, model, output mode, role, every message and picture, schema, prompt, sampling, sample
index, versions. What may not is left out: keys, time limits, retries, concurrency, subject.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ingest.endpoint.settings import OutputMode, Role, RoleSettings
from ingest.endpoint.subject import CallSubject
from warehouse import jsonl, storage
from warehouse.errors import UsageError

# Raise when the same request would be sent in another form than before.
KEY_VERSION = 1
MESSAGE_ROLES = ("system", "user", "assistant")
MEDIA_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")
DETAILS = ("auto", "low", "high")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class TextPart:
    """Text of a message. Foreign text must have been fenced before (`neutralise.fence`)."""

    text: str

    def __post_init__(self) -> None:
        try:
            self.text.encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError(
                "a text cannot be sent", got="half of a surrogate pair", fix="neutralise it first"
            ) from None


@dataclass(frozen=True)
class ImagePart:
    """A picture of a message: its bytes, their media type, and the detail asked for."""

    data: bytes = field(repr=False)
    media_type: str = "image/png"
    detail: str = "auto"

    def __post_init__(self) -> None:
        _one_of("media_type", self.media_type, MEDIA_TYPES)
        _one_of("detail", self.detail, DETAILS)


@dataclass(frozen=True)
class Message:
    """One message: who speaks (system, user or assistant) and its parts in order."""

    role: str
    parts: tuple[TextPart | ImagePart, ...]

    def __post_init__(self) -> None:
        _one_of("message role", self.role, MESSAGE_ROLES)

    @classmethod
    def of(cls, role: str, text: str) -> Message:
        """Return a message of text alone."""
        return cls(role, (TextPart(text),))


@dataclass(frozen=True)
class Prompt:
    """The template behind the messages: id, version and SHA-256 of its text."""

    prompt_id: str
    version: str
    sha256: str

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.sha256):
            raise UsageError(
                f"prompt `{self.prompt_id}` has no hash", expected="64 hexadecimal digits"
            )


@dataclass(frozen=True)
class Sampling:
    """How the answer is drawn; None leaves a parameter to the server."""

    max_output_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None

    @classmethod
    def of(cls, settings: RoleSettings) -> Sampling:
        """Return the sampling that a role's settings ask for."""
        return cls(settings.max_output_tokens, settings.temperature)

    def __post_init__(self) -> None:
        if self.max_output_tokens < 1:
            raise UsageError("`max_output_tokens` must be at least 1")
        for name in ("temperature", "top_p"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise UsageError(f"`{name}` must be a finite number", got=str(value))


@dataclass(frozen=True)
class Request:
    """Everything that is asked in one go.

    Attributes:
        role: whose endpoint answers.
        messages: at least one.
        schema: JSON schema (draft 2020-12) that the reply must keep; copied, so that a later
            change of the mapping changes nothing.
        prompt: where the messages come from.
        sampling: how the answer is drawn.
        sample_index: 0-based; tells repeats of one request apart.
        schema_version: raised by the stage with any change of the schema's meaning.
        schema_name: name that the server is told, 1 to 64 letters, digits, `_` or `-`.
        subject: what the request is about, for the record of calls alone.
        says_something: whether a value that keeps the schema says anything of what was asked;
            one that does not is no answer. None takes every value.
    """

    role: Role
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] = field(repr=False, compare=False)
    prompt: Prompt
    sampling: Sampling
    sample_index: int = 0
    schema_version: int = 1
    schema_name: str = "reply"
    subject: CallSubject | None = field(default=None, compare=False)
    says_something: Callable[[Any], bool] | None = field(default=None, compare=False, repr=False)
    schema_text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.messages:
            raise UsageError("a request needs at least one message")
        if self.sample_index < 0:
            raise UsageError("`sample_index` starts at 0", got=str(self.sample_index))
        if not _NAME.fullmatch(self.schema_name):
            raise UsageError("`schema_name` cannot be sent", got=self.schema_name)
        text = jsonl.canonical(self.schema)
        object.__setattr__(self, "schema_text", text)
        object.__setattr__(self, "schema", jsonl.parse(text))

    def as_record(self) -> dict[str, Any]:
        """Return the request as JSON-serialisable fields; pictures stand as their hashes."""
        return {
            "role": self.role.value,
            "messages": [
                {"role": one.role, "parts": [_part_record(part) for part in one.parts]}
                for one in self.messages
            ],
            "schema": self.schema,
            "schema_name": self.schema_name,
            "schema_version": self.schema_version,
            "prompt": asdict(self.prompt),
            "sampling": asdict(self.sampling),
            "sample_index": self.sample_index,
        }


@dataclass(frozen=True)
class Target:
    """Who is asked, as far as it changes the answer."""

    base_url: str
    model: str
    output_mode: OutputMode

    @classmethod
    def of(cls, settings: RoleSettings) -> Target:
        """Return the target of a role."""
        return cls(settings.base_url, settings.model, settings.output_mode)


def request_key(request: Request, target: Target) -> str:
    """Return the SHA-256, as 64 hexadecimal digits, under which the answer is kept."""
    whole = {
        "key_version": KEY_VERSION,
        "base_url": target.base_url,
        "model": target.model,
        "output_mode": target.output_mode.value,
        "request": request.as_record(),
    }
    return storage.sha256_bytes(jsonl.canonical(whole).encode("utf-8"))


def _part_record(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {
        "type": "image",
        "media_type": part.media_type,
        "detail": part.detail,
        "sha256": storage.sha256_bytes(part.data),
    }


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"`{name}` is not known", expected=", ".join(allowed), got=value)
