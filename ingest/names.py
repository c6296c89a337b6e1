"""What may name a folder or a key: text that cannot leave its place."""

from __future__ import annotations

import unicodedata

from warehouse.errors import InputError

MAX_NAME_BYTES = 200


def check_name(kind: str, text: str) -> str:
    """Return a folder name in NFC, or refuse it.

    Args:
        kind: what the name is of, for the message, e.g. `case label`.
        text: the name as given.

    Raises:
        InputError: when the name is empty, hidden, too long, or could leave its folder.
    """
    name = unicodedata.normalize("NFC", text).strip()
    bad = (
        not name
        or name.startswith((".", "~$"))
        or any(character in "/\\" or ord(character) < 32 for character in name)
        or len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES
        or any("\ud800" <= character <= "\udfff" for character in name)
    )
    if bad:
        raise InputError(
            f"`{text[:80]!a}` cannot be a {kind}",
            expected=f"1 to {MAX_NAME_BYTES} bytes of text, no slash, no leading dot",
        )
    return name
