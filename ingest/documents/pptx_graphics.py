"""Text of charts and SmartArt, which lies in parts of its own."""

from __future__ import annotations

from ingest.documents.ooxml import CX, DGM, A, C, XmlElement
from ingest.documents.pptx_text import P_TAG, paragraph_text

# Points of a diagram whose text is painted; the others only say how it is laid out.
_NODE_KINDS = frozenset({"node", "doc", "asst"})


def read_chart(root: XmlElement) -> list[str]:
    """Return the texts of a chart part (`c:chartSpace`).

    Titles of the chart and its axes and labels written by hand come first, then series names, then
    categories. Series that share their categories show them once.
    """
    texts = [
        paragraph_text(paragraph)
        for rich in root.iter(f"{C}rich")
        for paragraph in rich.iter(P_TAG)
    ]
    for title in root.iter(f"{C}title"):
        source = title.find(f"{C}tx/{C}strRef")
        if source is not None:
            texts.extend(_point_values(source))
    categories: dict[tuple[str, ...], None] = {}
    for series in root.iter(f"{C}ser"):
        name = series.find(f"{C}tx")
        if name is not None:
            texts.extend(_point_values(name))
        for axis in series.iterfind(f"{C}cat"):
            categories[tuple(_point_values(axis))] = None
        texts.extend(node.text or "" for node in series.iterfind(f"{C}trendline/{C}name"))
    texts.extend(text for values in categories for text in values)
    return texts


def read_extended_chart(root: XmlElement) -> list[str]:
    """Return the texts of a chart part of the 2016 kind (`cx:chartSpace`)."""
    texts: list[str] = []
    for title in root.iter(f"{CX}title"):
        paragraphs = [paragraph_text(paragraph) for paragraph in title.iter(P_TAG)]
        plain = [node.text or "" for node in title.iter(f"{CX}v")]
        texts.extend(paragraphs if any(paragraphs) else plain)
    for series in root.iter(f"{CX}series"):
        texts.extend(node.text or "" for node in series.iterfind(f"{CX}tx/{CX}txData/{CX}v"))
    levels: dict[tuple[str, ...], None] = {}
    for dimension in root.iter(f"{CX}strDim"):
        if dimension.get("type") == "cat":
            for level in dimension.iter(f"{CX}lvl"):
                # These kinds of chart group equal categories, so each is painted once.
                labels = dict.fromkeys(node.text or "" for node in level.iter(f"{CX}pt"))
                levels[tuple(labels)] = None
    texts.extend(label for level in levels for label in level)
    return texts


def read_diagram(root: XmlElement) -> tuple[list[str], list[str]]:
    """Return the texts of a SmartArt data part (`dgm:dataModel`).

    Returns:
        The texts of its nodes in the order of the outline, and the texts of points that are not
        painted (transitions and presentation points).
    """
    shown: dict[str, list[str]] = {}
    unseen: list[str] = []
    for point in root.iterfind(f"{DGM}ptLst/{DGM}pt"):
        body = point.find(f"{DGM}t")
        texts = [] if body is None else [paragraph_text(node) for node in body.iter(P_TAG)]
        if point.get("type", "node") in _NODE_KINDS:
            shown[point.get("modelId") or str(len(shown))] = texts
        else:
            unseen.extend(texts)
    order = _outline_order(root, list(shown))
    return [text for model_id in order for text in shown[model_id]], unseen


def _outline_order(root: XmlElement, model_ids: list[str]) -> list[str]:
    """Sort points as their outline reads; points outside it keep their place at the end."""
    children: dict[str, list[tuple[int, str]]] = {}
    below: set[str] = set()
    for link in root.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        source, target = link.get("srcId"), link.get("destId")
        if link.get("type", "parOf") == "parOf" and source and target:
            rank = link.get("srcOrd") or "0"
            children.setdefault(source, []).append((int(rank) if rank.isdigit() else 0, target))
            below.add(target)
    known = set(model_ids)
    order: dict[str, None] = {}
    stack = [model_id for model_id in reversed(model_ids) if model_id not in below]
    while stack:
        model_id = stack.pop()
        if model_id in order or model_id not in known:
            continue
        order[model_id] = None
        ranked = sorted(children.get(model_id, []), key=lambda child: child[0])
        stack.extend(target for _, target in reversed(ranked))
    return [*order, *(model_id for model_id in model_ids if model_id not in order)]


def _point_values(source: XmlElement) -> list[str]:
    """Return the cached values under a chart reference or a literal, in document order."""
    return [node.text or "" for node in source.iter(f"{C}v")]


def read_drawing(root: XmlElement) -> list[str]:
    """Return the texts of shapes drawn on top of a chart (`c:userShapes`)."""
    return [paragraph_text(paragraph) for paragraph in root.iter(f"{A}p")]
