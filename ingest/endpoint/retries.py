"""How long to wait before asking again: what the server says, else full jitter."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ingest.endpoint.settings import EndpointSettings


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a response asks to wait; None when it says nothing usable.

    Args:
        headers: `retry-after-ms` (milliseconds) or `retry-after` (seconds or an HTTP date).
        now: time of the response, with its zone. A date is measured against the server's own
            `date` header where it has one, so that a wrong clock here changes nothing.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _seconds(text)
    if seconds is not None or text is None:
        return seconds
    until = _date(text)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("date")) or now)).total_seconds())


def backoff(settings: EndpointSettings, failures: int, draw: random.Random) -> float:
    """Return a random wait in seconds, from 0 to a bound that doubles with each failure."""
    bound = settings.backoff_base_seconds * 2.0 ** min(failures - 1, 30)
    return draw.uniform(0, min(settings.backoff_cap_seconds, bound))


def _seconds(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _date(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text) if text else None
    except (TypeError, ValueError):
        return None
    if found is None:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
