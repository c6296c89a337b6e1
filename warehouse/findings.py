"""Findings: what a job or a gate has to say about one file, row or check.

Jobs return findings instead of printing them, so that one place (the verdict) turns
them into text and into an exit code. Precedence of the codes: docs/decisions/0003.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """How one check ended. The value is the name that reports and tables carry."""

    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"
    INCONCLUSIVE = "inconclusive"
    INCOMPLETE = "incomplete"
    NOTHING_SELECTED = "nothing_selected"
    ACCEPTED = "accepted"
    WARNED = "warned"

    @property
    def exit_code(self) -> int:
        """Return the exit code that this outcome alone would give a command."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Outcome.PASSED: 0,
    Outcome.ACCEPTED: 0,
    Outcome.WARNED: 0,
    Outcome.FAILED: 1,
    Outcome.BROKEN: 2,
    Outcome.INCONCLUSIVE: 3,
    Outcome.INCOMPLETE: 4,
    Outcome.NOTHING_SELECTED: 5,
}


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that is not as it should be.

    Attributes:
        check: stable snake_case name of the rule, e.g. `deck_is_readable`.
        subject: the id that it is about, e.g. `case_000/specialists/pb_0001`.
        message: one sentence for people, without the file name.
        file: path relative to the data root or as the user gave it; None if no file.
        line: 1-based line in that file; None if the finding is about the whole file.
        outcome: how it counts.
    """

    check: str
    subject: str
    message: str
    file: str | None = None
    line: int | None = None
    outcome: Outcome = Outcome.FAILED

    @property
    def place(self) -> str:
        """Return `file:line`, `file` or an empty string."""
        if self.file is None:
            return ""
        return self.file if self.line is None else f"{self.file}:{self.line}"
