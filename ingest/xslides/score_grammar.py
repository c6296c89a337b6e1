"""The regular language of judgment lines that need no second look.

A line of this language is one strict JSON object: every member is a known field of the right
type, `metadata` is flat but for `repeats`, every number is exact in a double, and no string
holds U+0000 or half of a surrogate pair. It leaves out much that is allowed; such lines are
read one by one.
Two things it cannot say: that no metadata key stands twice, and what type its value has.

The pattern is for RE2, which matches it in one pass over the bytes, however it is written.
"""

from __future__ import annotations

# Escapes: no U+0000, and surrogates only as a whole pair.
_HEX = "[0-9a-fA-F]"
_PAIR = rf"\\u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_SEEN_ESCAPE = (
    rf'{_PAIR}|\\["\\/]|\\u(?:00[3-6b-fB-F]{_HEX}|00[aA][1-9a-fA-F]|0[1-9a-fA-F]{_HEX}{{2}}|1[0-57-9a-fA-F]{_HEX}{{2}}'
    rf"|30[1-9a-fA-F]{_HEX}|3[1-9a-fA-F]{_HEX}{{2}}|[4-9a-cA-C]{_HEX}{{3}})"
)
_ESCAPE = (
    rf'{_PAIR}|\\["\\/bfnrt]|\\u(?:000[1-9a-fA-F]|00[1-9a-fA-F]{_HEX}|0[1-9a-fA-F]{_HEX}{{2}}'
    rf"|[1-9a-cA-Ce-fE-F]{_HEX}{{3}}|[dD][0-7]{_HEX}{{2}})"
)
_CHARACTER = rf'(?:[^"\\\x00-\x1f]|{_ESCAPE})'
# Neither white space of Unicode nor an escape that could be white space.
_SEEN = (
    r'(?:[^"\\\x00-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}'
    rf"\x{{3000}}]|{_SEEN_ESCAPE})"
)
_STRING = f'"{_CHARACTER}*"'
# Empty, or with something to see: a blank text is for the slow lane to judge.
_TEXT = f'(?:""|"{_CHARACTER}*{_SEEN}{_CHARACTER}*")'
# Fifteen digits and two of exponent stay exact and finite, whatever parses them.
_NUMBER = r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,2})?"
_SPACE = r"[ \t]*"
_COMMA = f"{_SPACE},{_SPACE}"


def _member(key: str, value: str) -> str:
    return f"{key}{_SPACE}:{_SPACE}{value}"


_PLAIN_MEMBER = _member(_STRING, f"(?:{_STRING}|{_NUMBER}|true|false|null)")
# Numbers from 0 to 1; those of repeats are only checked, so that any length will do.
_SHARE = (
    r"(?:0(?:\.[0-9]+)?(?:[eE]-[0-9]{1,2})?|1(?:\.0+)?"
    r"|[1-9](?:\.[0-9]+)?[eE]-(?:0?[1-9]|[1-9][0-9]))"
)
_VERDICT = _member('"verdict"', '"(?:covered|uncovered|abstain)"')
_CONFIDENCE = _member('"confidence"', _SHARE)
_REPEAT = (
    rf"(?:null|\{{{_SPACE}(?:{_VERDICT}{_COMMA}{_CONFIDENCE}|{_CONFIDENCE}{_COMMA}{_VERDICT})"
    rf"{_SPACE}\}})"
)
_REPEATS = _member('"repeats"', rf"\[{_SPACE}{_REPEAT}(?:{_COMMA}{_REPEAT})*{_SPACE}\]")
_METADATA_MEMBER = f"(?:{_PLAIN_MEMBER}|{_REPEATS})"
_METADATA = rf"\{{{_SPACE}(?:{_METADATA_MEMBER}(?:{_COMMA}{_METADATA_MEMBER})*{_SPACE})?\}}"
_VALUES = {
    "probe_id": _STRING,
    "covered": "(?:true|false)",
    "answer": f"(?:{_TEXT}|null)",
    "cited_evidence": f"(?:{_TEXT}|null)",
    "confidence": f"(?:{_NUMBER}|null)",
    "metadata": _METADATA,
}
_MEMBERS = {name: _member(f'"{name}"', value) for name, value in _VALUES.items()}
_ANY_MEMBER = "(?:" + "|".join(_MEMBERS.values()) + ")"
_END = rf"{_SPACE}\}}[ \t\r]*\n$"
_OPTIONAL = "".join(f"(?:{_COMMA}{one})?" for one in list(_MEMBERS.values())[2:])

ORDERED_LINE = (
    rf"^{_SPACE}\{{{_SPACE}{_MEMBERS['probe_id']}{_COMMA}{_MEMBERS['covered']}{_OPTIONAL}{_END}"
)
"""Pattern of a clean line with its line feed, its fields in the order that writers keep."""

CLEAN_LINE = rf"^{_SPACE}\{{{_SPACE}{_ANY_MEMBER}(?:{_COMMA}{_ANY_MEMBER})*{_END}"
"""Pattern of a clean line with its fields in any order; one may stand twice."""

_TWICE = "|".join(
    f'{one}{_COMMA}(?:{_ANY_MEMBER}{_COMMA})*"{name}"{_SPACE}:' for name, one in _MEMBERS.items()
)
REPEATED_FIELD = rf"^{_SPACE}\{{{_SPACE}(?:{_ANY_MEMBER}{_COMMA})*(?:{_TWICE})"
"""Pattern of a clean line in which a field stands twice; parsers differ on which one counts."""

BLANK_LINE = r"^[ \t\r]*\n$"
"""Pattern of a line that is no row."""
