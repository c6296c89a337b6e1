"""Which rows of a run sheet a command takes: filters, and shards that split the cases."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ingest.xslides.tree import CONDITIONS, DeckKey
from warehouse.errors import UsageError


@dataclass(frozen=True)
class RowFilter:
    """Rows that a command takes; an empty set takes all.

    Attributes:
        systems, conditions, audiences, cases: exact names in NFC; the audience of an agnostic
            row is `agnostic`.
        num_shards: how many parts the cases are split into, at least 1.
        shard_index: which part, 0 to `num_shards` - 1.

    Raises:
        UsageError: when the shard is out of range or a condition is none.
    """

    systems: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    audiences: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()
    num_shards: int = 1
    shard_index: int = 0

    def __post_init__(self) -> None:
        if self.num_shards < 1 or not 0 <= self.shard_index < self.num_shards:
            raise UsageError(
                "the shard does not exist",
                expected="a shard index from 0 to one less than the number of shards",
                got=f"index {self.shard_index} of {self.num_shards}",
            )
        unknown = sorted(self.conditions.difference(CONDITIONS))
        if unknown:
            raise UsageError(
                f"`{unknown[0]}` is no condition", expected=", ".join(sorted(CONDITIONS))
            )

    def takes(self, key: DeckKey) -> bool:
        """Return whether the row of this deck is taken."""
        pairs = (
            (self.systems, key.system_id),
            (self.conditions, key.condition),
            (self.audiences, key.audience),
            (self.cases, key.case_label),
        )
        return all(not names or name in names for names, name in pairs) and (
            shard_of(key.case_label, self.num_shards) == self.shard_index
        )


def shard_of(case_label: str, num_shards: int) -> int:
    """Return the shard of a case: its whole MD5 as an integer, modulo the number of shards.

    The label is hashed in NFC and UTF-8, so that one case has one shard on every system.
    """
    label = unicodedata.normalize("NFC", case_label).encode("utf-8")
    return int(hashlib.md5(label, usedforsecurity=False).hexdigest(), 16) % num_shards


def names(values: Iterable[str] | None) -> frozenset[str]:
    """Return names as a filter compares them."""
    return frozenset(unicodedata.normalize("NFC", value) for value in values or ())
