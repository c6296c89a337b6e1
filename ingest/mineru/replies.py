"""What stands in the answers of both APIs, read as strictly as any foreign file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ingest.documents.archive import Package
from ingest.documents.document import DocumentStatus
from ingest.documents.failures import FileFailureError, PartFailureError
from ingest.documents.policy import MIB, Limits
from ingest.mineru.outcome import Outcome, ParseFailureError, shown
from warehouse import jsonl

MARKDOWN_FILE = "full.md"
MARKDOWN_BYTES = 16 * MIB
# A result holds page pictures and layouts beside the text; of these nothing is inflated.
RESULT_LIMITS = Limits(part_bytes=MARKDOWN_BYTES, inflated_bytes=MARKDOWN_BYTES)

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,31}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNSET = (None, 0, "0")
# Codes of the hosted API, as its reference lists them.
_CODES = {
    "A0202": Outcome.REFUSED,
    "A0211": Outcome.REFUSED,
    "-60018": Outcome.QUOTA_USED_UP,
    "-60019": Outcome.QUOTA_USED_UP,
    "-60005": Outcome.TOO_LARGE,
    "-60006": Outcome.TOO_LARGE,
    "-10001": Outcome.UNAVAILABLE,
    "-60001": Outcome.UNAVAILABLE,
    "-60007": Outcome.UNAVAILABLE,
    "-60009": Outcome.UNAVAILABLE,
}
UNKNOWN_BATCH_CODES = frozenset({"-60012", "-60013"})


def read_object(body: bytes, what: str) -> dict[str, Any]:
    """Return the JSON object in an answer.

    Raises:
        ParseFailureError: invalid_reply.
    """
    try:
        value = jsonl.parse(body)
    except jsonl.StrictJsonError as error:
        raise _invalid(f"{what} is no JSON: {error.reason}") from None
    if not isinstance(value, dict):
        raise _invalid(f"{what} is no JSON object")
    return value


def code_of(reply: Mapping[str, Any]) -> str:
    """Return the error code in a reply of the hosted API; blank when it tells success.

    The API tells `code`, its gateway `msgCode` beside `success: false`.
    """
    for name in ("msgCode", "code"):
        code = reply.get(name)
        if code not in _UNSET and isinstance(code, str | int):
            return str(code)
    return "unstated" if reply.get("success") is False else ""


def failure_of(code: str, message: object, what: str) -> ParseFailureError:
    """Return the failure behind a code of the hosted API."""
    hint = "; set MINERU_API_KEY" if _CODES.get(code) is Outcome.REFUSED else ""
    text = f"{what}: code {shown(code)}{hint}: {shown(message or 'no message')}"
    return ParseFailureError(_CODES.get(code, Outcome.FAILED), text)


def busy(body: bytes) -> ParseFailureError | None:
    """Return the failure in a reply that says: later. Any other reply is left to its reader."""
    try:
        reply = read_object(body, "the reply")
    except ParseFailureError:
        return None
    code = code_of(reply)
    is_busy = _CODES.get(code) is Outcome.UNAVAILABLE
    return failure_of(code, reply.get("msg"), "MinerU is busy") if is_busy else None


def data_of(reply: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return the `data` of a reply of the hosted API.

    Raises:
        ParseFailureError: what its code says, or invalid_reply.
    """
    code = code_of(reply)
    if code:
        raise failure_of(code, reply.get("msg"), what)
    data = reply.get("data")
    if not isinstance(data, dict):
        raise _invalid(f"{what} holds no `data`")
    return data


def markdown_of_zip(body: bytes) -> str:
    """Return the text of `full.md` in a result; nothing else is inflated, nothing written.

    Raises:
        ParseFailureError: too_large, or invalid_reply.
    """
    try:
        package = Package(body, RESULT_LIMITS)
        names = [name for name in package.names() if name.split("/")[-1] == MARKDOWN_FILE]
        if MARKDOWN_FILE in names:
            names = [MARKDOWN_FILE]
        if len(names) != 1:
            raise _invalid(f"the result holds {len(names)} files `{MARKDOWN_FILE}`, not one")
        return cleaned(package.read(names[0]).decode("utf-8"))
    except FileFailureError as failure:
        is_large = failure.status is DocumentStatus.TOO_LARGE
        outcome = Outcome.TOO_LARGE if is_large else Outcome.INVALID_REPLY
        raise ParseFailureError(outcome, f"the result: {shown(failure.message)}") from None
    except (PartFailureError, UnicodeDecodeError) as error:
        raise _invalid(f"the result: {shown(error)}") from None


def markdown_of_results(reply: Mapping[str, Any]) -> tuple[str, str]:
    """Return text and server version in the answer of a mineru-api server to one file.

    Raises:
        ParseFailureError: failed, too_large or invalid_reply.
    """
    results = reply.get("results")
    if not isinstance(results, dict) or len(results) != 1:
        raise _invalid("the answer does not hold the results of one file")
    (result,) = results.values()
    text = result.get("md_content") if isinstance(result, dict) else None
    if text is None:
        raise ParseFailureError(Outcome.FAILED, "the server gave no markdown for the file")
    if not isinstance(text, str):
        raise _invalid("`md_content` is no text")
    if len(text) > MARKDOWN_BYTES:
        raise ParseFailureError(Outcome.TOO_LARGE, f"more than {MARKDOWN_BYTES} characters")
    version = reply.get("version")
    is_told = isinstance(version, str) and _VERSION.fullmatch(version)
    return cleaned(text), str(version) if is_told else ""


def cleaned(text: str) -> str:
    """Return text with line feeds, and spaces for control characters: a form feed is a page."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub(" ", lines)


def _invalid(message: str) -> ParseFailureError:
    return ParseFailureError(Outcome.INVALID_REPLY, message)
