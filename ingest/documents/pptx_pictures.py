"""Counting the pictures of a slide and naming those that lead nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.documents.archive import Package
from ingest.documents.failures import PartFailureError
from ingest.documents.ooxml import A, R, Relation, XmlElement, child, read_xml

_BLIP = f"{A}blip"
_EMBED = f"{R}embed"
_LINK = f"{R}link"


class ContentTypes:
    """Content types of a package's parts, read when the first picture asks.

    Args:
        package: the package to read `[Content_Types].xml` from.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._overrides: dict[str, str] | None = None
        self._defaults: dict[str, str] = {}

    def of(self, name: str) -> str | None:
        """Return the content type of a part, None when the package does not say."""
        if self._overrides is None:
            self._overrides = self._read()
        declared = self._overrides.get(name.casefold())
        return declared or self._defaults.get(name.rpartition(".")[2].casefold())

    def _read(self) -> dict[str, str]:
        overrides: dict[str, str] = {}
        try:
            root = read_xml(self._package, "[Content_Types].xml")
        except PartFailureError:
            return overrides  # nothing is declared, so no picture can contradict it
        for node in root:
            part, extension = node.get("PartName"), node.get("Extension")
            if part:
                overrides[part.lstrip("/").casefold()] = node.get("ContentType") or ""
            elif extension:
                self._defaults[extension.casefold()] = node.get("ContentType") or ""
        return overrides


def picture_fault(
    fill: XmlElement | None, relations: Mapping[str, Relation], types: ContentTypes
) -> str | None:
    """Say what is wrong with a picture, or None when it can be shown.

    Args:
        fill: the picture's `blipFill`, None when it has none.
        relations: the relations of the slide's part.
        types: content types of the package.
    """
    blip = None if fill is None else child(fill, _BLIP)
    if blip is None:
        return "has no image"
    embedded = blip.get(_EMBED)
    if not embedded:
        return None if blip.get(_LINK) else "has no image"
    relation = relations.get(embedded)
    if relation is None:
        return f"points at relation `{embedded}`, which is not there"
    if relation.is_dangling:
        return f"points at part `{relation.target}`, which is not there"
    content_type = types.of(relation.target) if not relation.is_external else None
    if content_type and not content_type.startswith("image/"):
        return f"points at part `{relation.target}`, which is `{content_type}` and no image"
    return None
