"""Whether the text of a reply answers its request: asked when it comes and when it is replayed."""

from __future__ import annotations

from ingest.endpoint.parsing import Parsed, ReplyError, parse_reply
from ingest.endpoint.request import Request


def read_reply(text: str, request: Request) -> Parsed:
    """Return the one value of a reply that keeps the schema and says something of what was asked.

    A reply that speaks of nothing that was asked would otherwise be kept and replayed for good,
    and what it left out could never be asked again.

    Raises:
        ReplyError: when there is no such value.
    """
    parsed = parse_reply(text, request.schema_text)
    if request.says_something is not None and not request.says_something(parsed.value):
        raise ReplyError("off_topic", "the reply says nothing of what was asked")
    return parsed
