"""Landing of deck files: what our own readers count, beside what each evaluation states."""

from __future__ import annotations

from ingest.documents.read import read_document
from ingest.land_fields import FileReader
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.tree import CONDITIONS, ArtifactTree, DeckKey, is_plain_file, split_variant
from warehouse import identity
from warehouse.contracts import xslides as contracts
from warehouse.landing import Row


def read_decks(
    tree: ArtifactTree, reader: FileReader, run: str, run_id: str, cases: dict[str, CaseInfo]
) -> list[Row]:
    """Return one row per deck file of a run; a deck of an unknown case is a reject."""
    rows = []
    for key in tree.deck_keys(run):
        label, variant = split_variant(identity.normalize_label(key.case_label))
        folder = tree.deck_folder(run, key)
        if key.condition not in CONDITIONS or label not in cases:
            reader.reject(
                contracts.DECKS.table,
                folder,
                "unknown_place",
                key.subject,
                "its condition or its case is unknown",
            )
            continue
        for path in sorted(folder.iterdir()):
            if is_plain_file(path):
                document = read_document(path)
                rows.append(
                    {
                        **_identity(key, run_id, cases[label].case_id, variant or ""),
                        "deck_path": reader.relative(path),
                        "deck_sha256": document.sha256,
                        "format": document.format,
                        "deck_status": document.status.value,
                        "slide_count": document.slide_count,
                        "hidden_slide_count": document.hidden_slide_count,
                        "visible_word_count": document.visible_word_count,
                        "parser": document.parser_fingerprint,
                        "warnings": list(document.warnings),
                        "source_file": reader.relative(path),
                        "source_line": None,
                    }
                )
    return rows


def _identity(key: DeckKey, run_id: str, case_id: str, variant: str) -> Row:
    return {
        "run_id": run_id,
        "system_id": identity.normalize_label(key.system_id),
        "condition": key.condition,
        "deck_audience": identity.normalize_label(key.audience),
        "case_id": case_id,
        "variant": variant,
    }
