"""Which structured output a server takes: found by asking, remembered by the process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest.endpoint.attempt import Attempt
from ingest.endpoint.reply import Status
from ingest.endpoint.settings import OutputMode, RoleSettings

_LADDER = (OutputMode.JSON_SCHEMA, OutputMode.JSON_OBJECT, OutputMode.TEXT)
_OLD_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"
# Codes of a 400 that another format of the reply would not mend.
_OTHER_REASONS = (
    "context_length_exceeded",
    "content_filter",
    "content_policy_violation",
    "invalid_api_key",
    "invalid_image",
    "model_not_found",
    "insufficient_quota",
)


@dataclass(frozen=True)
class Dialect:
    """What a server understands: the output mode, and the name of the output limit."""

    mode: OutputMode
    limit_name: str = _OLD_LIMIT


_known: dict[tuple[str, str, OutputMode], Dialect] = {}


def first_dialect(settings: RoleSettings) -> Dialect:
    """Return what worked for this address and model before, else the strictest."""
    known = _known.get((settings.base_url, settings.model, settings.output_mode))
    if known is not None:
        return known
    is_auto = settings.output_mode is OutputMode.AUTO
    return Dialect(_LADDER[0] if is_auto else settings.output_mode)


def next_dialect(dialect: Dialect, settings: RoleSettings, attempt: Attempt) -> Dialect | None:
    """Return what to try after a rejection; None when no other form would be taken."""
    if attempt.status is not Status.REJECTED or attempt.http_status not in (400, 422):
        return None
    if attempt.code in _OTHER_REASONS:
        return None
    if dialect.limit_name == _OLD_LIMIT and _NEW_LIMIT in attempt.message:
        return replace(dialect, limit_name=_NEW_LIMIT)
    if settings.output_mode is not OutputMode.AUTO or dialect.mode is _LADDER[-1]:
        return None
    return replace(dialect, mode=_LADDER[_LADDER.index(dialect.mode) + 1])


def remember(dialect: Dialect, settings: RoleSettings) -> None:
    """Keep what a server took, for the rest of the process."""
    _known[settings.base_url, settings.model, settings.output_mode] = dialect


def forget() -> None:
    """Drop what is known about all servers."""
    _known.clear()
