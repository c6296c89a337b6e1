"""The batch API of one address: files up, batches made and looked at, results down.

What may pass (429, 5xx, a broken connection) is tried again with a back-off. Making a batch is
never simply repeated: whether the provider has it already is looked up first, since an answer
that was lost on its way would be paid for twice.
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ingest.endpoint.attempt import Attempt
from ingest.endpoint.batch_errors import (
    LOOK,
    BatchError,
    BatchPendingError,
    MissingError,
    refused,
    unknown,
)
from ingest.endpoint.batch_files import URL
from ingest.endpoint.batch_wire import Seen, id_of, lines_of, seen_of
from ingest.endpoint.client import open_client
from ingest.endpoint.gate import LONGEST_PAUSE_SECONDS
from ingest.endpoint.reply import Status
from ingest.endpoint.retries import backoff
from ingest.endpoint.settings import EndpointSettings, RoleSettings, redacted
from ingest.endpoint.transport import attempt_of_error
from warehouse import jsonl
from warehouse.errors import PodiumError

if TYPE_CHECKING:
    import openai

METADATA = "podium_batch"
WINDOW: Final = "24h"
MAX_RESULT_BYTES = 4 * 1024 * 1024 * 1024
# Of one file up or down.
TRANSFER_SECONDS = 3600.0
PAGE = 100
# Batches that are looked through for one whose id was not recorded.
MOST_PAGES = 100
_TRANSIENT = (Status.RATE_LIMITED, Status.TIMED_OUT, Status.UNAVAILABLE)
_INPUT, _BATCH = "the input of a batch", "a batch"
T = TypeVar("T")


class BatchClient:
    """The batch API of one address and key; made, used and closed inside one event loop.

    Args:
        settings: address and key.
        shared: retries and waits.
        draw: source of the random part of waits.
    """

    def __init__(
        self, settings: RoleSettings, shared: EndpointSettings, draw: random.Random | None = None
    ) -> None:
        self._settings = settings
        self._shared = shared
        self._draw = draw or random.Random()
        self._client = open_client(settings)
        self._large: openai.AsyncOpenAI | None = None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()
        if self._large is not None:
            await self._large.close()

    async def upload(self, path: Path) -> str:
        """Send an input file and return the provider's id of it.

        Raises:
            BatchError: when it is refused.
            BatchPendingError: when the provider cannot be reached.
        """

        async def send() -> str:
            with path.open("rb") as file:
                response = await self._client.files.with_raw_response.create(
                    file=(path.name, file), purpose="batch", timeout=TRANSFER_SECONDS
                )
            return id_of(self._read(response), "id")

        try:
            return await self._tried(_INPUT, send, TRANSFER_SECONDS)
        except MissingError as missing:
            raise refused(_INPUT, str(missing), 404) from None

    async def create(self, file_id: str, local_id: str) -> Seen:
        """Have the provider work on an uploaded file, unless it does already.

        Args:
            file_id: the provider's id of the input.
            local_id: goes along as metadata, by which the batch is found again.

        Raises:
            BatchError: when it is refused.
            BatchPendingError: when the provider cannot be reached.
        """
        # No answer to the first try leaves open whether there is a batch.
        is_open = is_looking = False

        async def make() -> Seen:
            nonlocal is_open, is_looking
            is_looking = is_open
            found = await self._find(file_id, local_id) if is_open else None
            if found is not None:
                return found
            is_open, is_looking = True, False
            response = await self._client.batches.with_raw_response.create(
                input_file_id=file_id,
                endpoint=URL,
                completion_window=WINDOW,
                metadata={METADATA: local_id},
                timeout=self._settings.timeout_seconds,
            )
            return seen_of(self._read(response))

        limit = self._settings.timeout_seconds * MOST_PAGES
        try:
            return await self._tried(_BATCH, make, limit)
        except MissingError as missing:
            if is_looking:
                raise unknown(file_id, str(missing)) from None
            raise refused(_BATCH, str(missing), 404) from None

    async def find(self, file_id: str, local_id: str) -> Seen | None:
        """Return the batch that was made of a file, None when the provider has none.

        Raises:
            BatchError: when the provider does not list batches, so that nobody can know.
            BatchPendingError: when it cannot be reached.
        """

        async def look() -> Seen | None:
            return await self._find(file_id, local_id)

        limit = self._settings.timeout_seconds * MOST_PAGES
        try:
            return await self._tried("the list of batches", look, limit)
        except MissingError as missing:
            raise unknown(file_id, str(missing)) from None

    async def look(self, batch_id: str) -> Seen:
        """Return a batch as it is now.

        Raises:
            MissingError: when there is none of this id.
            BatchError: when the provider refuses to tell.
            BatchPendingError: when it cannot be reached for long.
        """

        async def look() -> Seen:
            response = await self._client.batches.with_raw_response.retrieve(
                batch_id, timeout=self._settings.timeout_seconds
            )
            return seen_of(self._read(response))

        failures, least = self._shared.give_up_after, self._shared.batch_poll_seconds
        timeout = self._settings.timeout_seconds
        return await self._tried(f"batch `{batch_id}`", look, timeout, failures, least)

    async def each_line(
        self, file_id: str, begin: Callable[[], None], use: Callable[[bytes | None], None]
    ) -> None:
        """Hand over each line of a result file; None for one that is too long.

        Args:
            file_id: the provider's id of the file.
            begin: called before the first line, and again when the file is read anew.
            use: takes one line without its end.

        Raises:
            MissingError: when the file is not there.
            BatchError: when it is refused, or has more than `MAX_RESULT_BYTES`.
            BatchPendingError: when the provider cannot be reached.
            OSError: of `use`, when the disk does not take a reply.
        """
        if self._large is None:
            self._large = open_client(self._settings, MAX_RESULT_BYTES)
        content = self._large.files.with_streaming_response.content

        async def read() -> None:
            begin()
            async with content(file_id, timeout=self._settings.timeout_seconds) as response:
                async for line in lines_of(response.iter_bytes()):
                    use(line)

        await self._tried(f"file `{file_id}`", read, TRANSFER_SECONDS)

    async def _find(self, file_id: str, local_id: str) -> Seen | None:
        after: str | None = None
        for _ in range(MOST_PAGES):
            page = functools.partial(
                self._client.batches.with_raw_response.list,
                limit=PAGE,
                timeout=self._settings.timeout_seconds,
            )
            response = await (page() if after is None else page(after=after))
            body = self._read(response)
            data = body.get("data")
            rows = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
            for row in rows:
                told = row.get("metadata")
                is_ours = isinstance(told, dict) and told.get(METADATA) == local_id
                # Some providers keep no metadata.
                if is_ours or row.get("input_file_id") == file_id:
                    return seen_of(row)
            if not rows or body.get("has_more") is not True:
                return None
            after = id_of(rows[-1], "id")
        raise BatchError(
            f"the provider has more than {MOST_PAGES * PAGE:,} batches",
            expected=f"to find the one of file `{file_id}`, or that there is none",
            fix=LOOK,
        )

    def _read(self, response: Any) -> dict[str, Any]:
        text = redacted(response.http_response.content.decode("utf-8"), self._shared.secrets)
        body = jsonl.parse(text)
        if not isinstance(body, dict):
            raise jsonl.StrictJsonError("not_an_object", "the body is no JSON object")
        return body

    async def _tried(
        self,
        what: str,
        work: Callable[[], Awaitable[T]],
        timeout: float,
        most: int | None = None,
        least_wait: float = 0.0,
    ) -> T:
        """Return what some requests come to, tried again while failures may pass.

        Args:
            what: for messages.
            work: sends them.
            timeout: wall time in seconds of one try.
            most: failed tries before giving up; None takes the setting.
            least_wait: seconds between two tries at least.
        """
        failures = 0
        while True:
            try:
                async with asyncio.timeout(timeout):
                    return await work()
            except TimeoutError:
                attempt = Attempt(Status.TIMED_OUT, None, message=f"no answer in {timeout:g} s")
            except (PodiumError, OSError):
                raise
            except (jsonl.StrictJsonError, UnicodeError) as error:
                message = f"the answer cannot be read: {error}"
                attempt = Attempt(Status.UNAVAILABLE, None, message=message)
            except Exception as error:
                attempt = self._failed(error)
            if attempt.http_status == 404:
                raise MissingError(attempt.message) from None
            if attempt.status not in _TRANSIENT:
                raise refused(what, attempt.message, attempt.http_status) from None
            failures += 1
            if failures >= (most or self._shared.max_attempts):
                raise BatchPendingError(
                    f"{what} cannot be reached at `{self._settings.base_url}`",
                    got=attempt.message,
                    fix="give the same command again; what was sent is not sent twice",
                ) from None
            wait = backoff(self._shared, failures, self._draw)
            asked = min(attempt.retry_after or 0.0, LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(max(wait, least_wait, asked))

    def _failed(self, error: Exception) -> Attempt:
        import httpx2

        attempt = attempt_of_error(error, 0, self._settings, self._shared.secrets)
        if attempt is None and isinstance(error, httpx2.HTTPError):
            # A body that broke off while it was read line by line.
            message = redacted(f"{type(error).__name__}: {error}", self._shared.secrets)
            attempt = Attempt(Status.UNAVAILABLE, None, message=message[:500])
        if attempt is None:
            raise error
        return attempt
