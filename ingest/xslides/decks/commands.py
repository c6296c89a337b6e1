"""Commands that make decks: templates with placeholders, by hand or out of a file of adapters."""

from __future__ import annotations

import math
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from ingest.xslides.stage import fingerprint
from ingest.xslides.tree import check_name
from warehouse.errors import InputError, UsageError

DEFAULT_TIMEOUT_SECONDS = 3600.0
SHORTEST_SECRET = 6
PLACEHOLDERS = (
    "source",
    "prompt",
    "prompt_text",
    "output",
    "work_dir",
    "system_id",
    "condition",
    "audience",
    "case_label",
    "run",
    "device",
)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
# The end of the name decides: a variable such as KEY_FILE holds a path, no secret.
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS)S?(?:_?\d+)?$", re.IGNORECASE
)
_ADAPTER_FIELDS = frozenset({"command", "env", "timeout", "deck", "cwd"})


@dataclass(frozen=True)
class Adapter:
    """How one system is asked for a deck.

    Attributes:
        argv: command and arguments; `{name}` stands for a value of the row.
        env: variables that are set for the command.
        timeout: seconds that one deck may take, above 0.
        deck: pattern of the finished deck below the work folder; None is `{output}` itself.
        is_run_in_work_dir: whether the command starts in the row's work folder.
        folder: where it starts otherwise; None is the folder that the runner was started in.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    timeout: float = DEFAULT_TIMEOUT_SECONDS
    deck: str | None = None
    is_run_in_work_dir: bool = False
    folder: Path | None = None

    def __post_init__(self) -> None:
        if not self.argv or not self.argv[0].strip():
            raise UsageError("the command is empty")
        if any("\0" in part for part in self.argv):
            raise UsageError("the command holds a NUL character")
        if not 0 < self.timeout < math.inf:
            raise UsageError("the timeout must be above 0 seconds", got=f"{self.timeout:g}")
        if self.deck is not None:
            pattern = PurePosixPath(self.deck)
            if not self.deck or pattern.is_absolute() or ".." in pattern.parts:
                raise UsageError(
                    f"`{self.deck}` cannot name the finished deck",
                    expected="a pattern below the work folder, such as runs/*/final.pptx",
                )
        if self.folder is not None and not self.folder.is_dir():
            raise UsageError(f"`{self.folder}` is no folder to start the command in")

    @property
    def sha256(self) -> str:
        """Return the hash of what decides the deck: the template, not its limits."""
        return fingerprint([self.argv, self.deck, self.is_run_in_work_dir])

    def check(self, known: Iterable[str], secrets: Iterable[str], search_path: str | None) -> None:
        """Refuse a command that could only fail.

        Args:
            known: placeholders that rows have a value for.
            secrets: values that must not stand in the command, where every user of the machine
                can read them.
            search_path: `PATH` of the command.

        Raises:
            UsageError: when a placeholder is unknown, a secret stands in the command, or the
                program is not there.
        """
        names = set(known)
        for part in self.argv:
            unknown = [name for name in _PLACEHOLDER.findall(part) if name not in names]
            if unknown:
                raise UsageError(
                    f"`{{{unknown[0]}}}` is no placeholder of this command",
                    expected=", ".join(f"{{{name}}}" for name in sorted(names)),
                )
            if any(secret in part for secret in secrets):
                raise UsageError(
                    "the command holds a key, which every process of the machine could read",
                    fix="let the program read it from its environment (`.env`)",
                )
        program = self.argv[0]
        if self.folder is not None and "/" in program:
            program = str(self.folder / program)
        if not _PLACEHOLDER.search(program) and shutil.which(program, path=search_path) is None:
            raise UsageError(
                f"`{program}` cannot be run", expected="a program on PATH, or a path to one"
            )

    def uses(self, name: str) -> bool:
        """Return whether the command has this placeholder."""
        return any(name in _PLACEHOLDER.findall(part) for part in self.argv)

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """Return the command for one row. A value is never split and never looked at again.

        Raises:
            InputError: when a value is missing, or would be read as an option because it is an
                argument of its own and starts with a dash.
        """
        argv = []
        for part in self.argv:
            for name in _PLACEHOLDER.findall(part):
                if not values.get(name):
                    raise InputError(f"the row has no value for `{{{name}}}`")
            filled = _PLACEHOLDER.sub(lambda found: values[found[1]], part)
            if filled.startswith("-") and part.startswith("{"):
                raise InputError(
                    f"the value of `{part}` starts with a dash and would be read as an option; "
                    f"write it as --name={part} in the command"
                )
            argv.append(filled)
        return argv


def parse_command(text: str, **options: Any) -> Adapter:
    """Return the adapter of a command line; quotes group words as in a shell, nothing else.

    Raises:
        UsageError: when a quote is not closed or the command is empty.
    """
    try:
        return Adapter(tuple(shlex.split(text)), **options)
    except ValueError as error:
        raise UsageError("the command cannot be split into arguments", got=str(error)) from None


def read_adapters(path: Path) -> dict[str, Adapter]:
    """Read a TOML file of adapters: `[systems.<id>]` with `command = [...]`.

    `env` (table of texts), `timeout` (seconds), `deck` (pattern) and `cwd` are optional. `cwd` is
    `work` for the row's work folder, else a folder, relative to that of the file.

    Raises:
        InputError: when the file cannot be read or a system is not stated as above.
        UsageError: when a value is out of range.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"adapters `{path}` cannot be read", got=str(error)) from None
    systems = content.get("systems")
    if not isinstance(systems, dict) or not systems or set(content) != {"systems"}:
        raise InputError(f"adapters `{path}` hold no systems", expected="tables [systems.<id>]")
    return {
        check_name("system id", name): _adapter(path, name, stated)
        for name, stated in systems.items()
    }


def secret_values(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of variables that are named like a secret, longest first."""
    found = {
        value
        for name, value in env.items()
        if _SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _adapter(path: Path, name: str, stated: Any) -> Adapter:
    if not isinstance(stated, dict) or not set(stated) <= _ADAPTER_FIELDS:
        raise _bad(path, name, f"a table of {', '.join(sorted(_ADAPTER_FIELDS))}")
    command, env = stated.get("command"), stated.get("env", {})
    if not isinstance(command, list) or not all(isinstance(one, str) for one in command):
        raise _bad(path, name, "`command` as a list of texts")
    if not isinstance(env, dict) or not all(isinstance(one, str) for one in env.values()):
        raise _bad(path, name, "`env` as a table of texts")
    timeout, deck = stated.get("timeout", DEFAULT_TIMEOUT_SECONDS), stated.get("deck")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise _bad(path, name, "`timeout` in seconds")
    if not (deck is None or isinstance(deck, str)):
        raise _bad(path, name, "`deck` as a pattern")
    cwd = stated.get("cwd")
    if not (cwd is None or isinstance(cwd, str)):
        raise _bad(path, name, "`cwd` as work or a folder")
    is_work = cwd == "work"
    folder = None if cwd is None or is_work else path.absolute().parent / cwd
    return Adapter(tuple(command), env, float(timeout), deck, is_work, folder)


def _bad(path: Path, name: str, expected: str) -> InputError:
    return InputError(f"system `{name}` in `{path}` is not usable", expected=expected)
