"""One command as a process of its own: timed, stoppable, its output kept to a bounded tail."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO

from ingest.endpoint.settings import redacted
from ingest.xslides.decks import guard as deck_guard

TAIL_CHARS = 4000
_POLL_SECONDS = 0.1
_DRAIN_SECONDS = 2.0
# Kept beyond the tail, so that a secret that the cut would split is still whole when it is sought.
_MARGIN_BYTES = 8192


class Ending(Enum):
    """How a command came to its end."""

    EXITED = "exited"
    TIMED_OUT = "timed_out"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Ended:
    """A command that has ended.

    Attributes:
        ending: by itself, by its time limit, or because the runner was stopped.
        exit_code: of the command; 128 + n after signal n, 127 when it could not be started.
        seconds: wall time.
        stdout_tail, stderr_tail: the last `TAIL_CHARS` characters, without secrets.
    """

    ending: Ending
    exit_code: int
    seconds: float
    stdout_tail: str
    stderr_tail: str


def run_command(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    folder: Path,
    timeout: float,
    stop: threading.Event,
    secrets: tuple[str, ...] = (),
) -> Ended:
    """Run one command to its end; its whole process group ends with it.

    Args:
        argv: the command and its arguments; no shell looks at them.
        env: its environment.
        folder: its working folder.
        timeout: seconds until it is ended.
        stop: ends it when set.
        secrets: values that are cut from the tails.

    Raises:
        OSError: when no process can be started at all, e.g. arguments that are too long.
    """
    started = time.monotonic()
    guarded = [sys.executable, "-I", "-S", deck_guard.__file__, *argv]
    with subprocess.Popen(
        guarded,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(env),
        cwd=folder,
        # Unbuffered: closing a buffered pipe waits for whoever reads it, perhaps for ever.
        bufsize=0,
        start_new_session=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        try:
            tails = _Tail(process.stdout), _Tail(process.stderr)
            ending = _wait(process, started + timeout, stop)
        finally:
            # Tells the guard to end the command, however this block is left.
            process.stdin.close()
            _reap(process)
        texts = [tail.text(secrets) for tail in tails]
    return Ended(ending, process.returncode, time.monotonic() - started, *texts)


def _wait(process: subprocess.Popen[bytes], deadline: float, stop: threading.Event) -> Ending:
    while True:
        try:
            process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            if stop.is_set():
                return Ending.INTERRUPTED
            if time.monotonic() >= deadline:
                return Ending.TIMED_OUT
        else:
            return Ending.EXITED


def _reap(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(deck_guard.GRACE_SECONDS + _DRAIN_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Tail:
    """Reads a pipe to its end and keeps the last bytes only."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._kept = bytearray()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def text(self, secrets: tuple[str, ...]) -> str:
        """Return the tail as printable text without the secrets."""
        # A process that left the group may hold the pipe open for ever.
        self._thread.join(_DRAIN_SECONDS)
        with self._lock:
            raw = bytes(self._kept)
        return clean_tail(raw.decode("utf-8", errors="replace"), secrets)

    def _read(self) -> None:
        most = 4 * TAIL_CHARS + _MARGIN_BYTES
        try:
            while chunk := self._pipe.read(65536):
                with self._lock:
                    self._kept += chunk
                    del self._kept[:-most]
        except (OSError, ValueError):
            return


def clean_tail(text: str, secrets: tuple[str, ...]) -> str:
    """Return the last `TAIL_CHARS` characters of a text: no secrets, no control characters."""
    shown = redacted(text, secrets)
    return "".join(one for one in shown if one in "\n\t" or one.isprintable())[-TAIL_CHARS:]
