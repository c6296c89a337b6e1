"""PDF pages written by hand: any content stream, and glyphs that stand for any character."""

from __future__ import annotations


def raw_pdf(content: str, characters: dict[int, str] | None = None) -> bytes:
    """Return a PDF of one page of 640 by 360 points with the font `F`.

    Args:
        content: the page's content stream, in Latin-1.
        characters: what the codes of the font stand for; its own encoding when not given.
    """
    mapping = " /ToUnicode 6 0 R" if characters else ""
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 640 360]/Contents 5 0 R"
        "/Resources<</Font<</F 4 0 R>>/ExtGState<</M<</BM/Multiply>>>>>>>>",
        f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica{mapping}>>",
        _stream(content),
    ]
    if characters:
        objects.append(_stream(_character_map(characters)))
    text = "%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(len(text))
        text += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    text += (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(text)}\n%%EOF"
    )
    return text.encode("latin-1")


def mapped_pdf(text: str) -> bytes:
    """Return a PDF that shows one line whose glyphs stand for the characters of a text."""
    codes: dict[str, int] = {}
    for character in text:
        codes.setdefault(character, 33 + len(codes))
    shown = "".join(f"{codes[character]:02X}" for character in text)
    return raw_pdf(
        f"BT /F 12 Tf 50 300 Td <{shown}> Tj ET", {code: one for one, code in codes.items()}
    )


def _stream(content: str) -> str:
    return f"<</Length {len(content)}>>stream\n{content}\nendstream"


def _character_map(characters: dict[int, str]) -> str:
    rows = "\n".join(
        f"<{code:02X}> <{one.encode('utf-16-be').hex().upper()}>"
        for code, one in characters.items()
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        "/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange "
        f"{len(characters)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
