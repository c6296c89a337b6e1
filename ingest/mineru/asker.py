"""Asking MinerU for files: several at once if told to, each once, and no longer than it helps."""

from __future__ import annotations

import threading
from dataclasses import replace

from ingest.endpoint.settings import redacted
from ingest.mineru.cache import MarkdownCache
from ingest.mineru.outcome import Outcome, Parsed, ParseFailureError
from ingest.mineru.settings import Api, MineruSettings

GIVE_UP_AFTER = 3


class Asker:
    """Asks one MinerU and remembers how it ended.

    Args:
        settings: whom to ask.
        cache: takes what was parsed.
    """

    def __init__(self, settings: MineruSettings, cache: MarkdownCache) -> None:
        self.settings = settings
        self._cache = cache
        self._guard = threading.Lock()
        self._parsed: set[str] = set()
        self._failures: dict[str, ParseFailureError] = {}
        self._failed_in_a_row = 0
        self._stopped: ParseFailureError | None = None

    def has_parsed(self, sha256: str) -> bool:
        """Return whether a file was parsed by this asker, and not in an earlier run."""
        return sha256 in self._parsed

    async def ask(self, data: bytes, sha256: str) -> Parsed:
        """Have a file parsed, and keep what it gives.

        A file that failed is not sent again, and none is after MinerU refused the key or did
        not answer for several files in a row.

        Raises:
            ParseFailureError: any outcome but parsed.
            OSError: when the cache cannot be written.
        """
        with self._guard:
            known = self._failures.get(sha256) or self._stopped
        if known is not None:
            raise ParseFailureError(known.outcome, known.message)
        try:
            parsed = await self._send(data, sha256)
            if not parsed.markdown.strip():
                raise ParseFailureError(Outcome.EMPTY, "there is no text in the file")
        except ParseFailureError as failure:
            # A server may have echoed the key in whatever it told.
            message = redacted(failure.message, self.settings.secrets)
            told = ParseFailureError(failure.outcome, message)
            self._note(sha256, told)
            raise told from None
        parsed = replace(parsed, markdown=redacted(parsed.markdown, self.settings.secrets))
        self._cache.put(sha256, self.settings.options, parsed)
        with self._guard:
            self._failed_in_a_row = 0
            self._parsed.add(sha256)
        return parsed

    async def _send(self, data: bytes, sha256: str) -> Parsed:
        # The client takes a third of a second to import; a run with everything kept does without.
        from ingest.mineru.hosted import parse_hosted
        from ingest.mineru.own import parse_own
        from ingest.mineru.wire import opened_wire

        async with opened_wire(self.settings) as wire:
            if self.settings.options.api is Api.OWN:
                return await parse_own(wire, self.settings, data, sha256)
            return await parse_hosted(wire, self.settings, self._cache, data, sha256)

    def _note(self, sha256: str, failure: ParseFailureError) -> None:
        is_server = failure.outcome.is_about_the_server
        with self._guard:
            self._failures[sha256] = failure
            self._failed_in_a_row = self._failed_in_a_row + 1 if is_server else 0
            if failure.outcome.is_final or self._failed_in_a_row >= GIVE_UP_AFTER:
                self._stopped = failure
