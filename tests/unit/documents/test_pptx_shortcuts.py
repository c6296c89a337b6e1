"""What is usually read by a shortcut reads the same when it is written in an unusual way."""

from __future__ import annotations

from pathlib import Path

import pytest
from document_builders import (
    KINDS,
    NAMESPACES,
    RELATIONS,
    box,
    deck_parts,
    paragraph,
    read_bytes,
    slide,
    words,
    zip_bytes,
)

from ingest.documents.archive import Package
from ingest.documents.failures import PartFailureError
from ingest.documents.ooxml import Relation, parse_xml, read_relations
from ingest.documents.policy import Limits

LAYOUT_RELATIONS = "ppt/slideLayouts/_rels/layout{}.xml.rels"


def written(relation: str, head: str = "") -> str:
    return f'{head}<Relationships xmlns="{RELATIONS}">{relation}</Relationships>'


@pytest.mark.parametrize(
    "text",
    [
        written(f'<Relationship Id="r" Type="{KINDS}/image" Target="../media/a%26b.png"/>'),
        written(f'<Relationship Id="r" Type="{KINDS}/image" Target="../media/a%26b.png" />'),
        written(f'<Relationship Target="/ppt/media/a%26b.png" Id="r"\n Type="{KINDS}/image"/>'),
        written(f"<Relationship Id='r' Type='{KINDS}/image' Target='../media/a%26b.png'/>"),
        written(
            f'<Relationship Id="r" Type="{KINDS}/image" Target="../media/a%26b.png"></Relationship>'
        ),
        written(
            f'<!-- <Relationship Id="x" Type="{KINDS}/image" Target="x"/> -->'
            f'<Relationship Id="r" Type="{KINDS}/image" Target="..&#47;media/a%26b.png"/>',
            "<?xml version='1.0' encoding='UTF-8'?>\n",
        ),
        f'<p:Relationships xmlns:p="{RELATIONS}"><p:Relationship Id="r" '
        f'Type="{KINDS}/image" Target="./.././media/a%26b.png"/></p:Relationships>',
    ],
)
def test_relations_are_the_same_however_they_are_written(text: str) -> None:
    parts: dict[str, str | bytes] = {"ppt/slides/_rels/s.xml.rels": text}
    relations = read_relations(Package(zip_bytes(parts), Limits()), "ppt/slides/s.xml")
    assert relations == {"r": Relation("image", "ppt/media/a%26b.png", False, True)}


def test_an_ampersand_in_a_target_is_no_entity() -> None:
    entry = f'<Relationship Id="r" Type="{KINDS}/x" Target="a&amp;b" TargetMode="External"/>'
    package = Package(zip_bytes({"_rels/s.rels": written(entry)}), Limits())
    assert read_relations(package, "s") == {"r": Relation("x", "a&b", True, False)}


def test_equal_relations_lead_elsewhere_from_another_folder() -> None:
    entry = written(f'<Relationship Id="r" Type="{KINDS}/x" Target="y.xml"/>')
    package = Package(zip_bytes({"a/_rels/s.rels": entry, "b/_rels/s.rels": entry}), Limits())
    targets = [read_relations(package, name)["r"].target for name in ("a/s", "b/s", "a/s")]
    assert targets == ["a/y.xml", "b/y.xml", "a/y.xml"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("head", ["", '<?xml version="1.0" encoding="{}"?>', "\n<?xml?>"])
def test_a_dtd_is_refused_in_every_encoding(encoding: str, head: str) -> None:
    head = head.format(encoding.removesuffix("-sig").upper())
    content = f'{head}<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode(encoding)
    with pytest.raises(PartFailureError):
        parse_xml(content, "a.xml")


def sheet(kind: str, offset: str) -> str:
    holder = '<p:nvSpPr><p:cNvPr id="2" name=""/><p:cNvSpPr/><p:nvPr><p:ph type="body" idx="1"/>'
    return (
        f"<p:{kind} {NAMESPACES}><p:cSld><p:spTree><p:sp>{holder}</p:nvPr></p:nvSpPr><p:spPr>"
        f'<a:xfrm>{offset}<a:ext cx="9" cy="9"/></a:xfrm></p:spPr></p:sp></p:spTree></p:cSld>'
        f"</p:{kind}>"
    )


@pytest.mark.parametrize(
    ("offset", "word_class"),
    [
        ('<a:off x="10" y="10"/>', "body"),
        ('<a:off x="1000" y="10"/>', "off_slide"),
        ('<a:off x="-10" y="10"/>', "off_slide"),
        ('<a:off y="900" x="10"/>', "off_slide"),
        ("<a:off  x='1000' y='10'></a:off>", "off_slide"),
        ('<a:off x="1000.5" y="10"/>', "off_slide"),
    ],
)
@pytest.mark.parametrize("is_master", [False, True])
def test_an_inherited_place_counts_however_it_is_written(
    tmp_path: Path, offset: str, word_class: str, is_master: bool
) -> None:
    """Two layouts share a master; the place is written in both layouts or in the master."""
    body = slide(box(paragraph("placed"), at=None, mark='<p:ph type="body" idx="1"/>'))
    parts = deck_parts([body, body])
    for number in (1, 2):
        entry = ("slideLayout", f"../slideLayouts/layout{number}.xml")
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relation(*entry)
        own = sheet("sldLayout", "" if is_master else offset)
        parts[f"ppt/slideLayouts/layout{number}.xml"] = (
            own.replace('<a:ext cx="9" cy="9"/>', "").replace("<a:xfrm></a:xfrm>", "")
            if is_master
            else own
        )
        parts[LAYOUT_RELATIONS.format(number)] = _relation("slideMaster", "../m/master.xml")
    parts["ppt/m/master.xml"] = sheet("sldMaster", offset if is_master else "")
    assert words(read_bytes(tmp_path, zip_bytes(parts))) == {word_class: 2}


def _relation(kind: str, target: str) -> str:
    return written(f'<Relationship Id="rId1" Type="{KINDS}/{kind}" Target="{target}"/>')
