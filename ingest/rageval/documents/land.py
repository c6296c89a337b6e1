"""Landing of documents: routed, parsed and chunked, one unit a document."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.csv_files import read_csv
from ingest.documents.words import count_words
from ingest.landing_units import LandReport, UnitLander
from ingest.names import check_name
from ingest.rageval.documents import markers
from ingest.rageval.documents.artifacts import PICTURE, Artifact
from ingest.rageval.documents.chunks import ChunkOf
from ingest.rageval.documents.layout_rule import DECIDING_PAGES, PageEvidence
from ingest.rageval.documents.parsed import Parsed, furniture_of, parse, slide_class
from ingest.rageval.landed_rows import BENCHMARK
from ingest.row_fields import provenance_of
from warehouse import jsonl, manifests
from warehouse.contracts import rageval as contracts
from warehouse.contracts.docqa_values import LAYOUT_CLASSES
from warehouse.errors import InputError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.paths import WarehousePaths

LANDER = 1
"""Raised when the same documents give other rows."""
_RULE = "rule"
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class IngestOptions:
    """How to ingest.

    Attributes:
        dataset_id: data set; None takes the name of the folder.
        overrides: layout class by document, stated by hand.
        labels: true layout class by document, for the confusion table alone.
        replace: take over documents that were landed from another folder.
        code_version: version that manifests record.
    """

    dataset_id: str | None = None
    overrides: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    replace: bool = False
    code_version: str = "unknown"


def ingest(
    paths: WarehousePaths, sources: Sequence[Path], options: IngestOptions, told: Told
) -> LandReport:
    """Land documents, each as a unit of its own that is left alone while nothing changed.

    Args:
        paths: the warehouse.
        sources: files, and folders with all files below them.
        options: see IngestOptions.
        told: called with the number of documents done and of all.

    Returns:
        What was landed. A document that cannot be read is landed with its status.

    Raises:
        InputError: when a source is absent, there is no file, or an override names none of them.
        UsageError: when a document was landed from another folder and `replace` is off.
    """
    root, files = _files(sources)
    dataset_id = check_name("dataset", options.dataset_id or root.name)
    ids = {path.relative_to(root).as_posix(): path for path in files}
    for stated in (options.overrides, options.labels):
        unknown = next((one for one in stated if one not in ids), None)
        if unknown is not None:
            raise InputError(f"there is no document `{unknown}`", expected=f"a file below {root}")
    report = LandReport(dataset_id)
    lander = UnitLander(
        paths,
        BENCHMARK,
        str(root),
        report,
        lambda old, new: [],
        options.replace,
        code_version=options.code_version,
    )
    for done, (document_id, path) in enumerate(sorted(ids.items()), start=1):
        settings = {
            "lander": LANDER,
            "override": options.overrides.get(document_id),
            "label": options.labels.get(document_id),
        }
        unit = f"{dataset_id}/documents/{hashlib.sha256(document_id.encode()).hexdigest()[:20]}"
        rows = _Rows(dataset_id, document_id, path, options)
        lander.land(unit, [manifests.hash_file(path, root)], rows.chunks, settings)
        told(done, len(ids))
    return report


def read_classes(path: Path) -> dict[str, str]:
    """Return layout classes by document out of a CSV of `document_id` and `layout_class`.

    Raises:
        InputError: when it cannot be read, or names a class that there is not.
    """
    found: dict[str, str] = {}
    for line, row in read_csv(path, ("document_id", "layout_class")):
        if row["layout_class"] not in LAYOUT_CLASSES:
            raise InputError(
                f"`{path.name}` line {line} has a class `{row['layout_class']}`",
                expected=", ".join(LAYOUT_CLASSES),
            )
        found[row["document_id"]] = row["layout_class"]
    return found


def _files(sources: Sequence[Path]) -> tuple[Path, list[Path]]:
    """Return the folder that all files lie below, and the files; hidden ones are left out."""
    found: list[Path] = []
    roots: list[Path] = []
    for source in (one.resolve() for one in sources):
        if source.is_dir():
            roots.append(source)
            found += [
                one
                for one in sorted(source.rglob("*"))
                if one.is_file()
                and not any(part.startswith((".", "~$")) for part in one.relative_to(source).parts)
            ]
        elif source.is_file():
            roots.append(source.parent)
            found.append(source)
        else:
            raise InputError(f"there is no file or folder `{source.name}`", got=str(source))
    if not found:
        raise InputError("there is no document to ingest", got=", ".join(map(str, sources)))
    root = roots[0]
    while not all(one.is_relative_to(root) for one in roots):
        root = root.parent
    return root, found


@dataclass(frozen=True)
class _Rows:
    """The rows of one document."""

    dataset_id: str
    document_id: str
    path: Path
    options: IngestOptions

    def chunks(self, log: RejectLog) -> Iterator[Chunk]:
        """Yield all tables of the document."""
        parsed = parse(self.path, self.document_id, self.options.overrides)
        yield contracts.DOCUMENTS, [self._document(parsed)], None
        yield contracts.PAGES, list(self._pages(parsed)), None
        every = [one for page in parsed.artifacts.values() for one in page]
        yield contracts.ARTIFACTS, [self._artifact(one, parsed) for one in every], None
        yield contracts.CHUNKS, [self._chunk(one) for one in parsed.chunks], None
        yield contracts.CHUNK_ARTIFACTS, list(self._places(parsed)), None

    @property
    def _ids(self) -> Row:
        return {
            "dataset_id": self.dataset_id,
            "document_id": self.document_id,
            **provenance_of(self.document_id),
        }

    def _document(self, parsed: Parsed) -> Row:
        document, way = parsed.layout.document, parsed.route
        furniture = [text for page in parsed.layout.pages for text in furniture_of(page)]
        return {
            **self._ids,
            "document_sha256": document.sha256 or "",
            "document_status": document.status.value,
            "format": document.format,
            "page_count": len(document.pages),
            "title": parsed.title,
            "title_method": None if parsed.title is None else _RULE,
            "layout_class": None if way is None else way.layout_class,
            "routing_method": None if way is None else way.method,
            "routing_reason": None if way is None else way.reason,
            "routing_evidence": None if way is None else _evidence(way.evidence),
            "rule_class": None if way is None else way.rule,
            "true_class": self.options.labels.get(self.document_id),
            "deciding_page_count": min(DECIDING_PAGES, len(document.pages)),
            "disagreeing_page_count": 0 if way is None else len(way.disagreeing),
            "is_mixed": way is not None and way.is_mixed,
            "word_count": document.visible_word_count or 0,
            "furniture_word_count": sum(map(count_words, furniture)),
            "lost_word_count": parsed.lost.total(),
            "warnings": [*document.warnings, *parsed.layout.warnings],
            "parser": document.parser_fingerprint,
            "layout_parser": parsed.layout.parser,
        }

    def _pages(self, parsed: Parsed) -> Iterator[Row]:
        classes = {} if parsed.route is None else {
            one.page_number: one.layout_class for one in parsed.route.evidence
        }  # fmt: skip
        texts = {one.first_page: one.source_text for one in parsed.chunks if one.kind == "page"}
        for page in parsed.layout.pages:
            furniture = furniture_of(page)
            yield {
                **self._ids,
                "page_number": page.number,
                "width": page.width,
                "height": page.height,
                "word_count": count_words(page.text) + sum(map(count_words, furniture)),
                "furniture_word_count": sum(map(count_words, furniture)),
                "furniture": "\n".join(furniture),
                "rule_class": classes.get(page.number),
                "slide_class": slide_class(page) if parsed.is_slides else None,
                "text": texts.get(page.number, ""),
                "description_method": _RULE,
                "image_sha256": None,
            }

    def _artifact(self, one: Artifact, parsed: Parsed) -> Row:
        x0, y0, x1, y1 = one.block.box or (None, None, None, None)
        is_placed = not parsed.is_slides
        return {
            **self._ids,
            "artifact_id": one.artifact_id,
            "artifact_number": one.number,
            "page_number": one.page_number,
            "kind": one.kind,
            "placeholder": markers.place(one.kind, one.artifact_id) if is_placed else None,
            "x0": x0,
            "y0": y0,
            "x1": x1,
            "y1": y1,
            "markdown": one.markdown,
            "picture_class": one.picture_class,
            "class_reason": one.class_reason,
            "description": None if one.dropped_reason else one.description,
            "description_method": None if one.dropped_reason else _RULE,
            "image_sha256": one.block.digest or None if one.kind == PICTURE else None,
            "is_dropped": one.dropped_reason is not None,
            "dropped_reason": one.dropped_reason,
        }

    def _chunk(self, one: ChunkOf) -> Row:
        return {
            **self._ids,
            "chunk_id": one.chunk_id,
            "chunk_number": one.number,
            "kind": one.kind,
            "first_page": one.first_page,
            "last_page": one.last_page,
            "parent_chunk_id": one.parent_id,
            "artifact_id": None if one.artifact is None else one.artifact.artifact_id,
            "heading": one.heading,
            "text": one.text,
            "source_text": one.source_text,
            "word_count": count_words(one.text),
        }

    def _places(self, parsed: Parsed) -> Iterator[Row]:
        """Yield every place of an artifact in text and page chunks, and how often it is resolved.

        A place counts in the chunks of its kind: an artifact stands once in running text, and
        once on its whole page.
        """
        for kind in ("text", "page"):
            chunks = [one for one in parsed.chunks if one.kind == kind]
            is_marked = kind == "page" and parsed.is_slides
            counts: Counter[str] = Counter()
            for chunk in chunks:
                held = [one.artifact_id for one in chunk.artifacts]
                counts.update(held if is_marked else markers.places(chunk.source_text))
            for chunk in chunks:
                for position, one in enumerate(chunk.artifacts, start=1):
                    yield {
                        **self._ids,
                        "chunk_id": chunk.chunk_id,
                        "position": position,
                        "artifact_id": one.artifact_id,
                        "resolved_count": counts[one.artifact_id],
                    }


def _evidence(evidence: Sequence[PageEvidence]) -> str:
    return jsonl.dumps([one.as_record() for one in evidence[:DECIDING_PAGES]])
