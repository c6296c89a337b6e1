"""Ids and integer keys: what makes a row itself.

Every id is a function of content, so that the same artifacts give the same id on any
machine. Text ids are for people and joins between tables; integer keys are stored on
landed rows because joining on them is measurably faster than on text.
Decision: docs/decisions/0001-keys.md.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

from warehouse import jsonl
from warehouse.errors import InputError

ID_DIGITS = 20
ORDINAL_BITS = 20
MAX_ORDINAL = 2**ORDINAL_BITS - 1
_SET_KEY_BITS = 43
_EVALUATION_KEY_BITS = 62


def normalize_label(label: str) -> str:
    """Return a label in Unicode NFC, the only form in which keys are compared."""
    return unicodedata.normalize("NFC", label)


def content_id(prefix: str, *parts: Any) -> str:
    """Return `<prefix>_<20 hex digits>`, the id of JSON-serialisable content.

    20 hexadecimal digits are 80 bits: a collision among 10^9 ids has probability 4e-7.
    """
    return f"{prefix}_{_digest(parts).hex()[:ID_DIGITS]}"


def evaluation_key(evaluation_id: str) -> int:
    """Return the integer key of an evaluation, in [0, 2^62)."""
    return _bits(evaluation_id, _EVALUATION_KEY_BITS)


def weight_set_key(weight_set_id: str) -> int:
    """Return the integer key of a weight set, in [0, 2^43)."""
    return _bits(weight_set_id, _SET_KEY_BITS)


def weight_key(set_key: int, probe_ordinal: int) -> int:
    """Return the integer key of one probe's weight: set in the high bits, ordinal low.

    Args:
        set_key: `weight_set_key` of the weight set.
        probe_ordinal: 1-based position of the probe in its bank.

    Raises:
        InputError: when a bank has more than 1,048,575 probes.
    """
    if not 1 <= probe_ordinal <= MAX_ORDINAL:
        raise InputError(
            f"probe ordinal `{probe_ordinal}` does not fit a weight key",
            expected=f"1 to {MAX_ORDINAL} probes in one bank",
        )
    return (set_key << ORDINAL_BITS) | probe_ordinal


def _bits(text: str, count: int) -> int:
    return int.from_bytes(_digest(text)[:8], "big") >> (64 - count)


def _digest(value: Any) -> bytes:
    return hashlib.sha256(jsonl.canonical(value).encode("utf-8")).digest()
