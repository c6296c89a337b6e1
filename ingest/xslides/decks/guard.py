"""Starts one command and ends it with all it started as soon as its owner is gone.

Run as a script: `python -I -S guard.py COMMAND [ARGUMENT ...]`. The owner holds the other
end of standard input. When that end closes, because the owner closes it or was killed, the
command's process group is asked to end and, `GRACE_SECONDS` later, killed. When the command
ends by itself, what it left running in its group is killed. The exit code is the command's, 128
plus the number of the signal that ended it, or 127 when it could not be started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

GRACE_SECONDS = 2.0
NOT_STARTED = 127


def main() -> None:
    """Run the command that the arguments name."""
    try:
        child = subprocess.Popen(  # a list, never a shell
            sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        os.write(2, f"the command cannot be started: {error}\n".encode(errors="replace"))
        os._exit(NOT_STARTED)
    threading.Thread(target=_end_with_owner, args=(child.pid,), daemon=True).start()
    if hasattr(os, "waitid"):
        # Not reaped yet, so that the number of the group cannot have gone to another process.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        _signal(child.pid, signal.SIGKILL)
    code = child.wait()
    os._exit(code if code >= 0 else 128 - code)


def _end_with_owner(group: int) -> None:
    while os.read(0, 1):
        pass
    _signal(group, signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    _signal(group, signal.SIGKILL)


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


if __name__ == "__main__":
    main()
