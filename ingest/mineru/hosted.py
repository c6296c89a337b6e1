"""The hosted API: hand in a file, wait for its batch, fetch the result.

`POST /api/v4/file-urls/batch` gives a batch and a signed address for the file; the PUT to it
starts the parse. `GET /api/v4/extract-results/batch/<id>` tells the state, and in the end the
address of a ZIP that holds `full.md`. The file is named by its hash: its own name stays here.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Any

from ingest.documents.policy import MIB
from ingest.mineru import replies
from ingest.mineru.cache import Batch, MarkdownCache
from ingest.mineru.outcome import Outcome, Parsed, ParseFailureError, shown
from ingest.mineru.settings import HOSTED_FILE_BYTES, HOSTED_PATH, MineruSettings, may_be_fetched
from ingest.mineru.wire import Answer, Call, Wire

RESULT_BYTES = 512 * MIB
DOWNLOADS = 3
DONE, FAILED, WAITING_FILE = "done", "failed", "waiting-file"
# Of a batch that was not looked at yet; the API has no such state.
_UPLOADED = "uploaded"
_BATCH_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True)
class _Row:
    """How far a batch of one file is."""

    state: str
    message: str = ""
    url: object = None


async def parse_hosted(
    wire: Wire, settings: MineruSettings, cache: MarkdownCache, data: bytes, sha256: str
) -> Parsed:
    """Return what the hosted API makes of a PDF.

    A batch that an earlier run handed in is waited for and not handed in again.

    Raises:
        ParseFailureError: any outcome but parsed.
        OSError: when the batch cannot be noted; nothing was sent then.
    """
    if len(data) > HOSTED_FILE_BYTES:
        message = f"the file has {len(data)} bytes, more than {HOSTED_FILE_BYTES}"
        raise ParseFailureError(Outcome.TOO_LARGE, message)
    job = _Job(wire, settings, cache, data, sha256)
    row = await job.resume() or await job.hand_in()
    return Parsed(await job.fetch(await job.wait(row)))


class _Job:
    """One PDF on its way through the API."""

    def __init__(
        self, wire: Wire, settings: MineruSettings, cache: MarkdownCache, data: bytes, sha256: str
    ) -> None:
        self._wire = wire
        self._settings = settings
        self._cache = cache
        self._data = data
        self._sha256 = sha256
        self._batch_id = ""

    async def resume(self) -> _Row | None:
        """Return the state of a batch that was handed in before; None when there is none."""
        settings = self._settings
        known = self._cache.batch(self._sha256, settings.options, settings.base_url)
        if known is None or not _BATCH_ID.fullmatch(known.batch_id):
            return None
        self._batch_id = known.batch_id
        row = await self._look()
        # The run may have ended between the note and the upload: then the file never came.
        if row is None or (row.state == WAITING_FILE and not known.is_uploaded):
            self._forget()
            return None
        return row

    async def hand_in(self) -> _Row:
        """Upload the file into a new batch, noted before the file leaves."""
        settings, options = self._settings, self._settings.options
        asked = {
            "files": [{"name": f"{self._sha256}.pdf", "data_id": self._sha256}],
            "model_version": options.model,
            "language": options.language,
            "enable_formula": True,
            "enable_table": True,
        }
        what = "the request for an upload"
        answer = await self._ask("POST", "/file-urls/batch", what, {"json": asked})
        data = replies.data_of(replies.read_object(answer.body, what), what)
        batch_id, urls = data.get("batch_id"), data.get("file_urls")
        if not isinstance(batch_id, str) or not _BATCH_ID.fullmatch(batch_id):
            raise ParseFailureError(Outcome.INVALID_REPLY, f"{what} gave no batch id")
        if not isinstance(urls, list) or len(urls) != 1:
            raise ParseFailureError(Outcome.INVALID_REPLY, f"{what} gave no single address")
        url = self._followed(urls[0], "the upload")
        batch = Batch(batch_id, settings.base_url, is_uploaded=False)
        self._batch_id = batch_id
        self._cache.note_batch(self._sha256, options, batch)
        # Signed without a content type: one more header, and the storage refuses it.
        call = Call(
            "PUT", url, "the upload", settings.transfer_seconds, body={"content": self._data}
        )
        sent = await self._wire.send(call)
        if not sent.is_ok:
            self._forget()
            message = f"the upload: HTTP {sent.status}"
            raise ParseFailureError(Outcome.INVALID_REPLY, message)
        self._cache.note_batch(self._sha256, options, replace(batch, is_uploaded=True))
        return _Row(_UPLOADED)

    async def wait(self, row: _Row) -> str:
        """Wait until a batch is done and return the address of its result."""
        pause = self._settings.poll_seconds
        while row.state != DONE:
            if row.state == FAILED:
                self._forget()
                raise ParseFailureError(Outcome.FAILED, f"MinerU says: {row.message}")
            if pause >= self._wire.seconds_left:
                raise self._late(row)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 5 * self._settings.poll_seconds)
            try:
                found = await self._look()
            except ParseFailureError as failure:
                is_late = failure.outcome is Outcome.TIMED_OUT
                raise self._late(row) if is_late else failure from None
            if found is None:
                self._forget()
                message = "MinerU does not know the batch any more"
                raise ParseFailureError(Outcome.FAILED, message)
            row = found
        return self._followed(row.url, "the result")

    def _late(self, row: _Row) -> ParseFailureError:
        """Return the failure of a batch that takes too long."""
        message = f"the batch is still `{row.state}`"
        if row.state == WAITING_FILE:
            # The API has told that the upload went astray: waiting again would never end.
            self._forget()
        else:
            message += "; the same command goes on waiting for it"
        return ParseFailureError(Outcome.TIMED_OUT, message)

    async def fetch(self, url: str) -> str:
        """Return the text in a result; a torn download is made again."""
        call = Call(
            "GET",
            url,
            "the result",
            self._settings.transfer_seconds,
            most_bytes=RESULT_BYTES,
        )
        failure = None
        for _ in range(DOWNLOADS):
            answer = await self._wire.send(call)
            if not answer.is_ok:
                message = f"the result: HTTP {answer.status}"
                raise ParseFailureError(Outcome.INVALID_REPLY, message)
            try:
                return replies.markdown_of_zip(answer.body)
            except ParseFailureError as error:
                failure = error
                if error.outcome is not Outcome.INVALID_REPLY:
                    break
        # A result that stays unusable would be met by every later run: those start anew.
        self._forget()
        assert failure is not None
        raise failure

    async def _look(self) -> _Row | None:
        """Return the state of the batch; None when the API does not know it."""
        what = "the state of the batch"
        answer = await self._ask("GET", f"/extract-results/batch/{self._batch_id}", what, {})
        if answer.status == 404:
            return None
        reply = replies.read_object(answer.body, what)
        if replies.code_of(reply) in replies.UNKNOWN_BATCH_CODES:
            return None
        rows = replies.data_of(reply, what).get("extract_result")
        found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        own = [row for row in found if row.get("data_id") == self._sha256] or found
        if len(own) != 1:
            message = f"{what} tells of {len(own)} files, not of one"
            raise ParseFailureError(Outcome.INVALID_REPLY, message)
        state = own[0].get("state")
        if not isinstance(state, str):
            raise ParseFailureError(Outcome.INVALID_REPLY, f"{what} holds no state")
        message = self._wire.clean(own[0].get("err_msg") or "no reason")
        return _Row(shown(state)[:40], message, own[0].get("full_zip_url"))

    async def _ask(self, method: str, path: str, what: str, body: dict[str, Any]) -> Answer:
        settings = self._settings
        url = f"{settings.base_url}{HOSTED_PATH}{path}"
        call = Call(
            method,
            url,
            what,
            settings.attempt_seconds,
            with_key=True,
            body=body,
            check=replies.busy,
        )
        return await self._wire.send(call)

    def _followed(self, url: object, what: str) -> str:
        """Return an address out of a reply, if it may be followed."""
        if isinstance(url, str) and may_be_fetched(url, self._settings.base_url):
            return url
        message = f"the address of {what} is not one to follow: https to a public host"
        raise ParseFailureError(Outcome.INVALID_REPLY, message)

    def _forget(self) -> None:
        self._cache.forget_batch(self._sha256, self._settings.options)
