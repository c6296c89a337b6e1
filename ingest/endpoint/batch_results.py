"""The lines of result files, each taken as the reply to a single request would be.

Lines come in any order, and a provider may leave some out, send some twice, or send some that
nobody asked for. Only keys that were sent are taken, the first line of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from ingest.endpoint import modes
from ingest.endpoint.asking import Asking
from ingest.endpoint.attempt import Attempt, attempt_of
from ingest.endpoint.batch_files import Form, Sent
from ingest.endpoint.batch_store import BatchRecord
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallLog, call_of_attempt
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.reply import Status
from ingest.endpoint.settings import RoleSettings, redacted
from ingest.endpoint.transport import MESSAGE_CHARS, status_of
from ingest.endpoint.wire import BodyError, completion_of
from warehouse import jsonl

# What lines are counted as beside the statuses of replies.
MISSING, DUPLICATE, UNKNOWN, UNREADABLE = "missing", "duplicate", "unknown", "unreadable"
Settled = Callable[[str, Decimal | None], None]


class Taking:
    """Takes the results of one batch into the cache and the record of calls.

    Args:
        record: the batch.
        sent: its requests by key.
        settings: its address, key and model; the role is that of each request.
        secrets: keys that nothing kept may repeat.
        cache: takes answered replies.
        calls: takes one call a line.
        prices: the user's price table.
        logged: keys whose call was recorded before a kill.
        settled: hears what each request cost, None when that is unknown.
        doublings: times that a truncated reply is asked for with twice the limit.
    """

    def __init__(
        self,
        record: BatchRecord,
        sent: Mapping[str, Sent],
        settings: RoleSettings,
        secrets: tuple[str, ...],
        cache: ReplyCache,
        calls: CallLog,
        prices: PriceTable,
        logged: Collection[str],
        settled: Settled,
        doublings: int = 0,
    ) -> None:
        self._record = record
        self._sent = sent
        self._settings = settings
        self._secrets = secrets
        self._cache = cache
        self._calls = calls
        self._logged = logged
        self._settled = settled
        self._doublings = doublings
        day = datetime.fromisoformat(record.created_at).date()
        self._price = prices.at(record.model, day)
        self._statuses: dict[str, str] = {}
        self._in_files_before: set[str] = set()
        self._in_file: set[str] = set()
        self._odd_before: Counter[str] = Counter()
        self._odd: Counter[str] = Counter()
        self.next_forms: dict[str, Form] = {}

    def begin_file(self) -> None:
        """Begin a result file."""
        self._in_files_before |= self._in_file
        self._odd_before += self._odd
        self.begin_again()

    def begin_again(self) -> None:
        """Begin the same file from its first line on; what was taken of it stays taken."""
        self._in_file = set()
        self._odd = Counter()

    def take(self, line: bytes | None) -> None:
        """Take one line of a result file; None is one that was too long.

        Raises:
            OSError: when the disk does not take it.
        """
        if line is not None and not line.strip():
            return
        value = None if line is None else self._parsed(line)
        key = None if value is None else value.get("custom_id")
        if value is None or not isinstance(key, str):
            self._odd[UNREADABLE] += 1
        elif key not in self._sent:
            self._odd[UNKNOWN] += 1
        elif key in self._in_file or key in self._in_files_before:
            self._odd[DUPLICATE] += 1
        else:
            self._in_file.add(key)
            if key not in self._statuses:
                self._keep(key, attempt_of_line(value))

    def counts(self) -> dict[str, int]:
        """Return lines by what they came to, and how many requests have none."""
        counts = Counter(self._statuses.values()) + self._odd_before + self._odd
        counts[MISSING] = len(self._sent) - len(self._statuses)
        return {name: count for name, count in sorted(counts.items()) if count}

    def missing(self) -> list[str]:
        """Return the keys without a line, in the order in which they were sent."""
        return [key for key in self._sent if key not in self._statuses]

    def _parsed(self, line: bytes) -> dict[str, Any] | None:
        try:
            value = jsonl.parse(redacted(line.decode("utf-8"), self._secrets))
        except (jsonl.StrictJsonError, UnicodeError):
            return None
        return value if isinstance(value, dict) else None

    def _keep(self, key: str, attempt: Attempt) -> None:
        sent = self._sent[key]
        settings = replace(self._settings, role=sent.request.role, output_mode=sent.output_mode)
        asking = Asking(
            sent.request,
            key,
            settings,
            sent.form.dialect,
            sent.form.limit,
            price=self._price,
            attempt_count=1,
        )
        cost = asking.cost_of(attempt)
        asking.add_cost(cost)
        reply = asking.read(attempt, self._secrets)
        if key not in self._logged:
            call = call_of_attempt(attempt, reply, self._record.created_at, cost)
            self._calls.add(sent.request, asking.target, call)
        self._cache.put(sent.request, asking.target, reply)
        if attempt.http_status == 200:
            modes.remember(sent.form.dialect, settings)
        following = self._next_form(sent, settings, attempt)
        if following is not None:
            self.next_forms[key] = following
        self._settled(key, cost)
        # Last: a line that could not be kept is taken again.
        self._statuses[key] = reply.status.value

    def _next_form(self, sent: Sent, settings: RoleSettings, attempt: Attempt) -> Form | None:
        """Return how to send a request next that ended for its form; None for any other end."""
        form, first_limit = sent.form, sent.request.sampling.max_output_tokens
        if attempt.status is Status.TRUNCATED:
            doubled = 2 * form.limit
            is_allowed = doubled <= first_limit * 2**self._doublings
            return replace(form, limit=doubled) if is_allowed else None
        if form.limit > first_limit:
            # The larger limit is more than the model has: another dialect would not mend it.
            return None
        dialect = modes.next_dialect(form.dialect, settings, attempt)
        return None if dialect is None else replace(form, dialect=dialect)


def attempt_of_line(value: Mapping[str, Any]) -> Attempt:
    """Return the attempt that one line of a result file tells of.

    Args:
        value: `response` with `status_code` and `body`, or an `error` with `code` and `message`.
    """
    response, error = value.get("response"), value.get("error")
    http_status = response.get("status_code") if isinstance(response, dict) else None
    if not isinstance(response, dict) or not isinstance(http_status, int):
        code, message = _told(error)
        told = f"the batch has no response: {message or code or 'no reason is given'}"
        return Attempt(Status.UNAVAILABLE, None, code=code, message=told[:MESSAGE_CHARS])
    body = response.get("body")
    if http_status == 200:
        try:
            return attempt_of(completion_of(body), None, http_status)
        except BodyError as bad:
            message = str(bad)[:MESSAGE_CHARS]
            return Attempt(
                Status.INVALID_REPLY, None, 200, is_billable=True, code="body", message=message
            )
    code, message = _told(body.get("error") if isinstance(body, dict) else error)
    told = f"HTTP {http_status}: {message}"[:MESSAGE_CHARS]
    return Attempt(status_of(http_status, code), None, http_status, code=code, message=told)


def _told(error: Any) -> tuple[str, str]:
    """Return code and message of an error as a provider writes it, blank where it does not."""
    if not isinstance(error, Mapping):
        return "", ""
    code, message = error.get("code"), error.get("message")
    return (
        code[:MESSAGE_CHARS] if isinstance(code, str) else "",
        message[:MESSAGE_CHARS] if isinstance(message, str) else "",
    )
