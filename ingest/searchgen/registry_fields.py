"""Typed fields of a configuration object; a key that nobody asked for is an error."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from ingest.names import check_name
from ingest.searchgen.policies import Policy, parse_policy
from warehouse.errors import InputError

_ABSENT = object()


class Section:
    """One object of a configuration file.

    Every getter raises InputError that names the place, what it needs and what stands there.
    What was asked for is known; `refuse_unknown` names everything else.
    """

    def __init__(self, place: str, content: dict[str, Any]) -> None:
        self._place = place
        self._content = content
        self._known: list[str] = []

    def names(self) -> list[str]:
        """Return the keys of an object whose keys are names."""
        return list(self._content)

    def refuse_unknown(self) -> None:
        """Refuse keys that no getter was asked for.

        Raises:
            InputError: naming the first of them and the known ones.
        """
        unknown = sorted(set(self._content) - set(self._known))
        if unknown:
            raise InputError(
                f"{self._place} has the unknown key `{unknown[0]}`",
                expected=", ".join(dict.fromkeys(self._known)),
            )

    def section(self, name: str) -> Section:
        """Return an object, an empty one when it is absent or null."""
        value = self._get(name, None)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self._wrong(name, value, "keys and values")
        return Section(f"{self._place}, `{name}`", value)

    def sections(self, name: str) -> list[Section]:
        """Return a list of objects."""
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._wrong(name, value, "a list of objects")
        return [
            Section(f"{self._place}, `{name}` {position}", one)
            for position, one in enumerate(value, start=1)
        ]

    def text(self, name: str, default: Any = _ABSENT) -> str:
        """Return a text that is not blank."""
        value = self._get(name, default)
        if not isinstance(value, str) or not value.strip():
            is_taken_for_another = isinstance(value, int | float | date)
            hint = ' (quote it: "...")' if is_taken_for_another else ""
            raise self._wrong(name, value, f"a text{hint}")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None when it is absent or null."""
        return None if self._get(name, None) is None else self.text(name)

    def name(self, name: str, default: Any = _ABSENT) -> str:
        """Return a text that can name a folder, in NFC."""
        return check_name(f"{name} of {self._place}", self.text(name, default))

    def optional_name(self, name: str) -> str | None:
        """Return a name, or None when it is absent or null."""
        return None if self._get(name, None) is None else self.name(name)

    def choice(self, name: str, allowed: Collection[str], default: Any = _ABSENT) -> str:
        """Return a value of a closed set."""
        value = self._get(name, default)
        if not isinstance(value, str) or value not in allowed:
            raise self._wrong(name, value, " or ".join(allowed))
        return value

    def share(self, name: str, default: float) -> float:
        """Return a number from 0 to 1."""
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self._wrong(name, value, "a number from 0 to 1")
        return float(value)

    def count(self, name: str, default: Any = _ABSENT) -> int:
        """Return an integer from 0 to 2^31."""
        value = self._get(name, default)
        if type(value) is not int or not 0 <= value < 2**31:
            raise self._wrong(name, value, "an integer, 0 or more")
        return int(value)

    def optional_count(self, name: str) -> int | None:
        """Return an integer, or None when it is absent or null."""
        return None if self._get(name, None) is None else self.count(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, an empty one when it is absent or null."""
        value = self._get(name, None)
        found = [] if value is None else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise self._wrong(name, value, "a list of texts")
        return tuple(found)

    def free(self, name: str) -> dict[str, Any]:
        """Return an object of plain JSON values, an empty one when it is absent or null."""
        value = self.section(name)._content
        if not _is_json(value):
            raise self._wrong(name, value, "texts, numbers, booleans, lists, objects")
        return value

    def policy(self, name: str, default: Policy | None = None) -> Policy | None:
        """Return a policy, or None when it is absent or null."""
        value = self._get(name, None)
        if value is None:
            return None
        try:
            return parse_policy(value, default)
        except ValueError as error:
            raise self._wrong(name, value, str(error)) from None

    def _get(self, name: str, default: Any = _ABSENT) -> Any:
        self._known.append(name)
        value = self._content.get(name, default)
        if value is _ABSENT:
            raise InputError(f"{self._place} lacks `{name}`", fix=f"add `{name}`")
        return value

    def _wrong(self, name: str, value: Any, expected: str) -> InputError:
        return InputError(
            f"`{name}` of {self._place} is not usable", expected=expected, got=ascii(value)[:200]
        )


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(one) for key, one in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, float):
        return value - value == 0  # neither infinite nor not a number
    return value is None or isinstance(value, str | int)
