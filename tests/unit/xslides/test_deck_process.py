from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from ingest.xslides.decks.process import TAIL_CHARS, Ended, Ending, clean_tail, run_command


def run(tmp_path: Path, script: str, *arguments: str, timeout: float = 20.0) -> Ended:
    argv = [sys.executable, "-I", "-c", script, *arguments]
    env = {"PATH": os.environ["PATH"], "MARK": "seen"}
    stop = threading.Event()
    secrets = ("sk-secret",)
    return run_command(argv, env=env, folder=tmp_path, timeout=timeout, stop=stop, secrets=secrets)


def test_a_command_gets_its_arguments_environment_and_folder(tmp_path: Path) -> None:
    script = "import os, sys; print(sys.argv[1:], os.environ['MARK'], os.getcwd()); sys.exit(7)"
    ended = run(tmp_path, script, "a b", "$(x)", "--", "-c", "'")
    assert (ended.ending, ended.exit_code) == (Ending.EXITED, 7)
    expected = f"{['a b', '$(x)', '--', '-c', chr(39)]} seen {tmp_path.resolve()}"
    assert ended.stdout_tail.strip() == expected


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 137),
        ("import sys; sys.exit(0)", 0),
    ],
)
def test_a_signal_is_told_as_shells_do(tmp_path: Path, script: str, code: int) -> None:
    assert run(tmp_path, script).exit_code == code


def test_a_program_that_is_not_there_ends_with_127(tmp_path: Path) -> None:
    stop = threading.Event()
    argv = ["no-such-program"]
    ended = run_command(argv, env={"PATH": ""}, folder=tmp_path, timeout=5, stop=stop)
    assert ended.exit_code == 127 and "cannot be started" in ended.stderr_tail


def test_standard_input_is_empty(tmp_path: Path) -> None:
    assert run(tmp_path, "import sys; print(repr(sys.stdin.read()))").stdout_tail == "''\n"


def test_the_tail_is_bounded_printable_and_without_secrets(tmp_path: Path) -> None:
    script = (
        "import sys; sys.stderr.buffer.write(b'x' * 10**6 + b'sk-secret\\0\\x1b[31m'"
        " + b'y' * 3990 + b'\\xff')"
    )
    tail = run(tmp_path, script).stderr_tail
    assert len(tail) == TAIL_CHARS and tail.endswith("y\ufffd")
    assert "secret" not in tail and "\0" not in tail and "\x1b" not in tail


def test_a_secret_that_the_cut_would_split_is_cut_whole() -> None:
    text = "sk-secret" + "y" * (TAIL_CHARS - 4)
    assert clean_tail(text, ("sk-secret",)) == "key]" + "y" * (TAIL_CHARS - 4)


def test_a_process_that_left_the_group_and_holds_the_pipe_stops_nothing(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c',"
        " 'import time; time.sleep(30)'], start_new_session=True).pid)"
    )
    started = time.monotonic()
    ended = run(tmp_path, script)
    assert ended.exit_code == 0 and time.monotonic() - started < 15
    os.kill(int(ended.stdout_tail), 9)
