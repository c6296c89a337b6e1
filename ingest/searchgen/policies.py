"""Policies for what is missing: what each missing status of a model becomes in a mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warehouse.contracts.searchgen_values import (
    FILLINGS,
    MISSING_STATUSES,
    PER_STATUS,
)
from warehouse.landing import Row


@dataclass(frozen=True)
class Policy:
    """What each missing status becomes, in the order of `MISSING_STATUSES`."""

    fillings: tuple[str, ...]

    @property
    def word(self) -> str:
        """Return the policy in one word, `per_status` when its statuses differ."""
        return self.fillings[0] if len(set(self.fillings)) == 1 else PER_STATUS

    @property
    def record(self) -> str | dict[str, str]:
        """Return the policy as files state it: one word, or a word for each status."""
        if self.word != PER_STATUS:
            return self.word
        return dict(zip(MISSING_STATUSES, self.fillings, strict=True))

    def columns(self) -> Row:
        """Return the policy columns of `searchgen/models`."""
        return {
            "missing_policy": self.word,
            **{
                f"{status}_policy": filling
                for status, filling in zip(MISSING_STATUSES, self.fillings, strict=True)
            },
        }


def policy_of(word: str) -> Policy:
    """Return the policy that does the same with every missing status."""
    return Policy((word,) * len(MISSING_STATUSES))


def parse_policy(value: Any, default: Policy | None) -> Policy:
    """Return the policy that a file states.

    Args:
        value: a word of `FILLINGS`, or an object of such words by status.
        default: fills statuses that the object leaves out; None wants all of them.

    Raises:
        ValueError: saying what was expected.
    """
    words = " or ".join(FILLINGS)
    if isinstance(value, str) and value in FILLINGS:
        return policy_of(value)
    if not isinstance(value, Mapping):
        raise ValueError(f"{words}, or one of them for each of {', '.join(MISSING_STATUSES)}")
    unknown = [name for name in value if name not in MISSING_STATUSES]
    absent = [name for name in MISSING_STATUSES if name not in value]
    if unknown or (absent and default is None):
        raise ValueError(f"all of {', '.join(MISSING_STATUSES)} and nothing else")
    base = dict(zip(MISSING_STATUSES, default.fillings, strict=True)) if default else {}
    fillings = {**base, **value}
    if any(one not in FILLINGS for one in fillings.values()):
        raise ValueError(f"{words} for each status")
    return Policy(tuple(fillings[status] for status in MISSING_STATUSES))
