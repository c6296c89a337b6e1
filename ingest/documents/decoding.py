"""Turning bytes into text: byte order mark, declaration, then what the bytes allow."""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_DECLARATION_WINDOW = 4096
# WHATWG Encoding: what browsers take these labels for.
_LABELS = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
_FALLBACK = "cp1252"
# What Python can decode and no page is written in; a page that names one of them errs.
_NO_ENCODINGS = frozenset(
    {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
)


def decode_text(data: bytes, *, declared: bool = False) -> tuple[str, list[str]]:
    """Decode a text of unknown encoding.

    Args:
        data: the bytes.
        declared: whether an HTML or XML declaration in the bytes is to be looked for.

    Returns:
        The text, and a warning for each thing that had to be guessed or was lost.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode(data[len(bom) :], encoding)
    if declared:
        match = _DECLARATION.search(data[:_DECLARATION_WINDOW])
        if match is not None:
            label = _lookup((match[1] or match[2]).decode("ascii", "replace"))
            if label is not None:
                return _decode(data, label)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        encoding = _guess_wide(data) or _FALLBACK
    text, warnings = _decode(data, encoding)
    return text, [f"no encoding is declared and it is not UTF-8; read as {encoding}", *warnings]


def _decode(data: bytes, encoding: str) -> tuple[str, list[str]]:
    text = data.decode(encoding, "replace")
    lost = text.count("\ufffd") - data.decode(encoding, "ignore").count("\ufffd")
    return text, [f"{lost} characters are not valid {encoding}"] if lost > 0 else []


def _lookup(label: str) -> str | None:
    label = label.lower()
    try:
        found = codecs.lookup(_LABELS.get(label, label))
    except (LookupError, ValueError):
        return None
    # Python also has codecs from bytes to bytes, such as base64, under such names.
    is_text = getattr(found, "_is_text_encoding", True)
    return found.name if is_text and found.name not in _NO_ENCODINGS else None


def _guess_wide(data: bytes) -> str | None:
    """Recognise UTF-16 without a mark by the zero bytes of its ASCII characters."""
    head = data[:1024]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < len(head) // 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"
