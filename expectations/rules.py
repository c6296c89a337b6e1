"""What an expectation is here: a name, a relation, a query for offending rows, an outcome.

Great Expectations runs them. All are queries, because a finding must name the exact file
and id, which a column aggregate cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.findings import Outcome


@dataclass(frozen=True)
class RowRule:
    """Rows that should not be there.

    Attributes:
        name: the claim, in snake_case; findings, results and acceptances carry it.
        relation: relation that the rule is about, `<schema>__<name>`.
        query: SQL that returns offending rows as subject, message, source_file and
            source_line, sorted. `{relation}` stands for the relation.
        outcome: how a hit counts.
    """

    name: str
    relation: str
    query: str
    outcome: Outcome = Outcome.FAILED

    @property
    def statement(self) -> str:
        """Return the query with the relation in its place."""
        return self.query.replace("{relation}", self.relation.replace("__", ".", 1))


@dataclass(frozen=True)
class Suite:
    """All rules of one gate for one benchmark."""

    gate: str
    benchmark: str
    rules: tuple[RowRule, ...]

    def __post_init__(self) -> None:
        names = [rule.name for rule in self.rules]
        assert len(set(names)) == len(names), "rule names are unique in a suite"
