"""Parsing parts of an Office Open XML package, transitional and strict alike."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from lxml import etree

from ingest.documents.archive import Package
from ingest.documents.failures import PartFailureError

XmlElement = Any  # lxml ships no types

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT_NAMESPACES = {
    b"http://purl.oclc.org/ooxml/presentationml/main": b"presentationml/2006/main",
    b"http://purl.oclc.org/ooxml/drawingml/main": b"drawingml/2006/main",
    b"http://purl.oclc.org/ooxml/drawingml/chart": b"drawingml/2006/chart",
    b"http://purl.oclc.org/ooxml/drawingml/chartDrawing": b"drawingml/2006/chartDrawing",
    b"http://purl.oclc.org/ooxml/drawingml/diagram": b"drawingml/2006/diagram",
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"officeDocument/2006/relationships"
    ),
    b"http://purl.oclc.org/ooxml/officeDocument/math": b"officeDocument/2006/math",
}
_STRICT_ATTRIBUTE = re.compile(rb"(=\s*[\"'])(http://purl\.oclc\.org/ooxml/[A-Za-z/]+)(?=[\"'])")

A = f"{{{_TRANSITIONAL}drawingml/2006/main}}"
P = f"{{{_TRANSITIONAL}presentationml/2006/main}}"
C = f"{{{_TRANSITIONAL}drawingml/2006/chart}}"
CDR = f"{{{_TRANSITIONAL}drawingml/2006/chartDrawing}}"
DGM = f"{{{_TRANSITIONAL}drawingml/2006/diagram}}"
R = f"{{{_TRANSITIONAL}officeDocument/2006/relationships}}"
M = f"{{{_TRANSITIONAL}officeDocument/2006/math}}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
A14 = "{http://schemas.microsoft.com/office/drawing/2010/main}"

# Extensions whose Choice branch this reader understands; for all others it takes the Fallback.
_UNDERSTOOD = re.compile(
    r"http://schemas\.microsoft\.com/office/"
    r"(powerpoint/20\d\d/|drawing/20\d\d/|drawing/20\d\d/\d+/\d+/chartex|drawing/2017/model3d)"
)

# The order in which Office and its like write the attributes, hence one match for all of them.
_USUAL_RELATIONSHIP = re.compile(
    r'<Relationship Id="([^"]*)" Type="([^"]*)" Target="([^"]*)"(?: TargetMode="([^"]*)")? ?/>'
)
_RELATIONSHIP = re.compile(r"<Relationship\s([^<>]*)>")
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*\"([^\"]*)\"")
# Entities, comments, other quotes and prefixes need a parser.
_NOT_PLAIN = re.compile(r"[&']|<!|<\w+:|\sxmlns:")


def _bounded_parser(*, recover: bool) -> Any:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


# Made once: most parts are so small that making a parser costs as much as parsing them.
_PARSER = _bounded_parser(recover=False)
_RECOVERING_PARSER = _bounded_parser(recover=True)

# A part in UTF-8, by its XML declaration or for want of one.
_PLAIN_START = re.compile(
    rb"(?:\xef\xbb\xbf)?<(?:\w|\?xml [^<>]*encoding=[\"'](?:UTF-8|utf-8)[\"'][^<>]*\?>)"
)


class Relation(NamedTuple):
    """One relation of a part.

    Args:
        kind: the last segment of the relation's type, such as `slide` or `image`.
        target: the target part's name in the package, or the outside address.
        is_external: whether the target lies outside the package.
        is_dangling: whether the target should be in the package and is not.
    """

    kind: str
    target: str
    is_external: bool
    is_dangling: bool


def parse_xml(content: bytes, name: str, *, recover: bool = False) -> XmlElement:
    """Parse one part with entities, network and huge trees switched off.

    Args:
        content: the part's bytes; strict namespaces are turned into transitional ones.
        name: the part's name, for messages.
        recover: read what can be read of a part that is not well-formed.

    Returns:
        The root element.

    Raises:
        PartFailureError: the part is no well-formed XML, is nested too deep, or has a DTD, which
            OPC forbids and which is the door for entity attacks.
    """
    if b"purl.oclc.org/ooxml" in content:
        content = _STRICT_ATTRIBUTE.sub(_transitional, content)
    try:
        root = etree.fromstring(content, _RECOVERING_PARSER if recover else _PARSER)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise PartFailureError(f"part `{name}` is no readable XML: {error}") from error
    if root is None:
        raise PartFailureError(f"part `{name}` has no XML in it")
    # Asking the tree for its DTD takes as long as parsing a slide, so it is asked only when the
    # bytes may hold one: they have a declaration, or an encoding in which it would look different.
    may_declare = b"<!" in content or not _PLAIN_START.match(content)
    if may_declare and root.getroottree().docinfo.internalDTD is not None:
        raise PartFailureError(f"part `{name}` declares a DTD, which is not allowed here")
    return root


def child(element: XmlElement, tag: str) -> XmlElement | None:
    """Return the first child with a tag, or None; several times faster than `find`."""
    return next(element.iterchildren(tag), None)


def descend(element: XmlElement | None, *tags: str) -> XmlElement | None:
    """Follow first children with the given tags; None where the path ends early."""
    for tag in tags:
        if element is None:
            return None
        element = next(element.iterchildren(tag), None)
    return element


def read_xml(package: Package, name: str) -> XmlElement:
    """Inflate and parse one part; raises as `Package.read` and `parse_xml` do."""
    return parse_xml(package.read(name), name)


def read_relations(package: Package, name: str) -> dict[str, Relation]:
    """Return the relations of a part by id; a part without a relations part has none.

    Args:
        package: the package.
        name: the part's name; an empty string stands for the package itself.

    Raises:
        PartFailureError: the relations part is there and cannot be read.
    """
    folder, _, base = name.rpartition("/")
    rels_name = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
    if package.find(rels_name) is None:
        return {}
    content = package.read(rels_name)
    # Slides of one layout mostly have the same relations, byte for byte.
    relations: dict[str, Relation] | None = package.memo.get((folder, content))
    if relations is None:
        rows = _plain_relations(content) or _parsed_relations(content, rels_name)
        relations = {row[0]: _relation(package, folder, *row[1:]) for row in rows}
        package.memo[folder, content] = relations
    return relations


def _relation(package: Package, folder: str, kind: str, target: str, mode: str) -> Relation:
    is_external = mode == "External"
    if not is_external:
        target = _resolve(folder, target)
    is_dangling = not is_external and package.find(target) is None
    return Relation(kind.rpartition("/")[2], target, is_external, is_dangling)


def first_of_kind(relations: Mapping[str, Relation], kind: str) -> str | None:
    """Return the target of the first relation of a kind that leads somewhere, or None."""
    for relation in relations.values():
        if relation.kind == kind and not relation.is_external and not relation.is_dangling:
            return relation.target
    return None


def choose_alternative(alternate: XmlElement) -> XmlElement | None:
    """Return the branch of an `mc:AlternateContent` that counts: never more than one.

    The first Choice whose required namespaces are all understood wins, else the Fallback.
    """
    fallback = None
    for branch in alternate:
        if branch.tag == f"{MC}Choice":
            prefixes = (branch.get("Requires") or "").split()
            spaces = [branch.nsmap.get(prefix) or "" for prefix in prefixes]
            if spaces and all(_UNDERSTOOD.match(space) for space in spaces):
                return branch
        elif branch.tag == f"{MC}Fallback":
            fallback = branch
    return fallback


def _transitional(match: re.Match[bytes]) -> bytes:
    path = _STRICT_NAMESPACES.get(match[2])
    if path is None:
        return match[0]
    return match[1] + _TRANSITIONAL.encode() + path


def _plain_relations(content: bytes) -> list[tuple[str, str, str, str]] | None:
    """Read a relations part written the way all common writers do; None for any other.

    Every slide has such a part, and most of what parsing it costs is building a tree.
    """
    begin = content.find(b"<Relationships")
    if begin < 0 or not content.isascii() or not content.rstrip().endswith(b"</Relationships>"):
        return None
    text = content[begin:].decode("ascii")
    usual = _USUAL_RELATIONSHIP.findall(text)
    # Besides the relations there are the two tags around them, and nothing that needs a parser.
    if len(usual) == text.count("<") - 2 and "&" not in text:
        return usual
    if _NOT_PLAIN.search(text):
        return None
    matches = [dict(_ATTRIBUTE.findall(match)) for match in _RELATIONSHIP.findall(text)]
    return [_of_attributes(attributes) for attributes in matches]


def _parsed_relations(content: bytes, name: str) -> list[tuple[str, str, str, str]]:
    return [_of_attributes(node.attrib) for node in parse_xml(content, name)]


def _of_attributes(attributes: Mapping[str, str]) -> tuple[str, str, str, str]:
    return (
        attributes.get("Id", ""),
        attributes.get("Type", ""),
        attributes.get("Target", ""),
        attributes.get("TargetMode", ""),
    )


def _resolve(folder: str, target: str) -> str:
    """Return the part name that a relation of a part in `folder` leads to."""
    if target.startswith("../") and "/../" not in target and "./" not in target[3:]:
        return f"{folder.rpartition('/')[0]}/{target[3:]}".lstrip("/")
    if target[-1:].isalnum() and target[0].isalnum() and "./" not in target and "//" not in target:
        return f"{folder}/{target}" if folder else target
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
