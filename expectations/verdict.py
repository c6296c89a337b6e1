"""The verdict: one object that gives the text and the exit code of a command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from warehouse.findings import Finding, Outcome

# Which outcome decides when a command has several findings (docs/decisions/0003).
PRECEDENCE = (
    Outcome.BROKEN,
    Outcome.FAILED,
    Outcome.INCOMPLETE,
    Outcome.INCONCLUSIVE,
    Outcome.NOTHING_SELECTED,
    Outcome.WARNED,
    Outcome.ACCEPTED,
)
SHOWN_PER_CHECK = 10


@dataclass(frozen=True)
class Verdict:
    """What a command has to say about its work.

    Attributes:
        title: what was judged, e.g. `landing gate`.
        checks: names of all checks that were made, in order.
        findings: what is not as it should be.
    """

    title: str
    checks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default_factory=tuple)

    @property
    def outcome(self) -> Outcome:
        """Return the outcome that decides."""
        found = {finding.outcome for finding in self.findings}
        return next((one for one in PRECEDENCE if one in found), Outcome.PASSED)

    @property
    def exit_code(self) -> int:
        """Return the exit code: 0, 1 failed, 2 broken, 3 inconclusive, 4 incomplete, 5 empty."""
        return self.outcome.exit_code

    def merged(self, other: Verdict, title: str | None = None) -> Verdict:
        """Return the verdict on both; equal findings are told once."""
        findings = tuple(dict.fromkeys((*self.findings, *other.findings)))
        return Verdict(title or self.title, (*self.checks, *other.checks), findings)

    def lines(self) -> list[str]:
        """Return the verdict as lines for people: the findings by check, then the sum."""
        lines = []
        for check, findings in self._by_check():
            outcome = _worst(findings).value.replace("_", " ")
            lines.append(f"{outcome.upper():<11} {check}: {_count(len(findings))}")
            for one in findings[:SHOWN_PER_CHECK]:
                place = f"{one.place}: " if one.place else ""
                lines.append(f"  {place}{one.subject}: {one.message}")
            if len(findings) > SHOWN_PER_CHECK:
                lines.append(f"  and {len(findings) - SHOWN_PER_CHECK} more")
        lines.append(self.summary())
        return lines

    def summary(self) -> str:
        """Return the one line that stands at the end."""
        bad = len({one.check for one in self.findings})
        checked = len(self.checks) or bad
        return (
            f"{self.title}: {self.outcome.value.replace('_', ' ')} "
            f"({checked - bad} of {checked} checks without findings, exit {self.exit_code})"
        )

    def as_record(self) -> dict[str, Any]:
        """Return the verdict as JSON-serialisable fields."""
        return {
            "title": self.title,
            "outcome": self.outcome.value,
            "exit_code": self.exit_code,
            "checks": list(self.checks),
            "findings": [
                {
                    "check": one.check,
                    "outcome": one.outcome.value,
                    "subject": one.subject,
                    "message": one.message,
                    "file": one.file,
                    "line": one.line,
                }
                for one in self.findings
            ],
        }

    def as_junit(self) -> str:
        """Return the verdict as JUnit XML, one test case a check."""
        by_check = dict(self._by_check())
        names = list(dict.fromkeys((*self.checks, *by_check)))
        suite = ElementTree.Element("testsuite", name=self.title, tests=str(len(names)))
        failures = errors = 0
        for name in names:
            case = ElementTree.SubElement(suite, "testcase", classname="podium", name=name)
            findings = by_check.get(name, [])
            worst = _worst(findings)
            if worst.exit_code:
                kind = "error" if worst is Outcome.BROKEN else "failure"
                failures += kind == "failure"
                errors += kind == "error"
                element = ElementTree.SubElement(case, kind, message=worst.value)
                element.text = _printable(
                    "\n".join(f"{one.place} {one.subject}: {one.message}" for one in findings)
                )
        suite.set("failures", str(failures))
        suite.set("errors", str(errors))
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

    def _by_check(self) -> list[tuple[str, list[Finding]]]:
        groups: dict[str, list[Finding]] = {}
        for finding in self.findings:
            groups.setdefault(finding.check, []).append(finding)
        order = {outcome: position for position, outcome in enumerate(PRECEDENCE)}
        return sorted(groups.items(), key=lambda item: (order[_worst(item[1])], item[0]))


def _worst(findings: Iterable[Finding]) -> Outcome:
    found = {finding.outcome for finding in findings}
    return next((one for one in PRECEDENCE if one in found), Outcome.PASSED)


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"


def _printable(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    return "".join(one for one in text if one in "\t\n\r" or ord(one) >= 32)
