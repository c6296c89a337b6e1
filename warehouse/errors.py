"""Errors that say what broke, what was expected, what was found and what mends it."""

from __future__ import annotations


class PodiumError(Exception):
    """A failure that ends a command with exit code 2 and one readable message.

    Args:
        what: what broke, with the object in backticks.
        expected: what the code needed, if that helps.
        got: what it found instead.
        fix: the command or the change that mends it.
    """

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        expected: str | None = None,
        got: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.what = what
        self.expected = expected
        self.got = got
        self.fix = fix
        super().__init__(self.render())

    def render(self) -> str:
        """Return the message as lines of `what`, `expected`, `got` and `fix`."""
        lines = [self.what]
        if self.expected is not None:
            lines.append(f"  expected: {self.expected}")
        if self.got is not None:
            lines.append(f"  got:      {self.got}")
        if self.fix is not None:
            lines.append(f"  fix:      {self.fix}")
        return "\n".join(lines)


class UsageError(PodiumError):
    """The command was asked for something that it cannot do."""


class InputError(PodiumError):
    """A file or folder that the user gave cannot be used at all."""


class LockedError(PodiumError):
    """Another process holds the lock of this warehouse."""


class BuildError(PodiumError):
    """dbt could not run, as opposed to a dbt test that failed."""
