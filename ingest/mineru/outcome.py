"""How asking MinerU for one PDF ended: a closed list, and the text if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MESSAGE_CHARS = 300


class Outcome(StrEnum):
    """How one PDF ended; every PDF ends in exactly one of these."""

    PARSED = "parsed"
    EMPTY = "empty"
    FAILED = "failed"
    TOO_LARGE = "too_large"
    REFUSED = "refused"
    QUOTA_USED_UP = "quota_used_up"
    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    UNAVAILABLE = "unavailable"
    INVALID_REPLY = "invalid_reply"
    NOT_KEPT = "not_kept"

    @property
    def is_about_the_server(self) -> bool:
        """Whether the next PDF would end alike, since the file had no part in it."""
        return self in (Outcome.RATE_LIMITED, Outcome.TIMED_OUT, Outcome.UNAVAILABLE)

    @property
    def is_final(self) -> bool:
        """Whether asking for any other PDF is useless until a person does something."""
        return self in (Outcome.REFUSED, Outcome.QUOTA_USED_UP)


@dataclass(frozen=True)
class Parsed:
    """What MinerU made of a PDF.

    Attributes:
        markdown: its text, with line feeds and without control characters.
        version: version that the server told; blank when it told none.
    """

    markdown: str
    version: str = ""


class ParseFailureError(Exception):
    """MinerU gave no text; caught by the reader, never shown as it is.

    Args:
        outcome: any but `parsed`.
        message: what happened, without a key and without a signed address.
        http_status: status of the last answer, where it was the failure.
    """

    def __init__(self, outcome: Outcome, message: str, http_status: int | None = None) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message
        self.http_status = http_status


def shown(text: object) -> str:
    """Return foreign text in one line, cut and without characters that steer a terminal."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line[:MESSAGE_CHARS]
