"""Landing gate of ingested documents: each fault alone, planted in clean rows, is told by name."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from expectations.suites import SUITES
from ingest.rageval.documents.land import IngestOptions, ingest
from tests.support import laid_pdfs
from tests.support.spoiled_tables import Spoil, Tables, drop, edit, read_tables, repeat
from warehouse import relations
from warehouse.paths import WarehousePaths

REPORT, TALK = {"document_id": "report.pdf"}, {"document_id": "talk.pdf"}
TABLE = {"kind": "table", "page_number": 2}
DOCUMENT_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a document is damaged": (
        edit("rageval.documents", TALK, document_status="damaged", warnings=["no page"]),
        "documents_can_be_read",
        "library/talk.pdf: it is damaged: no page",
    ),
    "a word is in no chunk": (
        edit("rageval.documents", REPORT, lost_word_count=2),
        "every_word_reaches_a_chunk",
        "library/report.pdf: 2 of",
    ),
    "a document has no class": (
        edit("rageval.documents", TALK, layout_class=None),
        "documents_have_a_way",
        "library/talk.pdf: it was read and has no class",
    ),
    "later pages look otherwise": (
        edit("rageval.documents", REPORT, is_mixed=True, disagreeing_page_count=1),
        "pages_agree_with_the_first",
        "library/report.pdf: it went as standard, and 1 of 1 later pages",
    ),
    "a page is gone": (
        drop("rageval.pages", **TALK, page_number=3),
        "every_page_is_landed",
        "library/talk.pdf: 3 pages are stated, 2 are there",
    ),
    "a place leads nowhere": (
        drop("rageval.artifacts", **REPORT, **TABLE),
        "places_lead_somewhere",
        "no such chunk or artifact: table_",
    ),
    "a place is resolved twice": (
        edit("rageval.chunk_artifacts", {**REPORT, "position": 1}, resolved_count=2),
        "places_are_resolved_once",
        "is resolved 2 times",
    ),
    "an artifact has no place": (
        lambda tables: tables.rows.update(
            {
                "rageval.chunk_artifacts": [
                    row
                    for row in tables.rows["rageval.chunk_artifacts"]
                    if not row["artifact_id"].startswith("table_")
                ]
            }
        ),
        "kept_artifacts_stand_once",
        "it stands in 0 places",
    ),
    "an artifact stands twice": (
        repeat("rageval.chunk_artifacts", {**REPORT, "position": 1}, position=9),
        "kept_artifacts_stand_once",
        "it stands in 2 places",
    ),
    "the chunk of a table has another parent": (
        edit("rageval.chunks", {**REPORT, "kind": "table"}, parent_chunk_id="chunk_0"),
        "artifact_chunks_follow_their_place",
        "its parent does not hold the place",
    ),
    "a marker is left open": (
        edit("rageval.pages", TALK, text="[TABLE START]\nYears\n[PICTURE END]"),
        "markers_are_balanced",
        "library/talk.pdf/1: markers: [TABLE START] [PICTURE END]",
    ),
}


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    root = tmp_path_factory.mktemp("documents")
    (root / "library").mkdir()
    laid_pdfs.report(root / "library" / "report.pdf")
    laid_pdfs.slides(root / "library" / "talk.pdf")
    paths = WarehousePaths(root / "warehouse")
    ingest(paths, [root / "library"], IngestOptions(), lambda done, all_: None)
    state = relations.current_state(paths)
    with duckdb.connect() as connection:
        relations.register(connection, state)
        nouns = tuple(f"rageval.{one.name}" for one in state.relations if one.schema == "rageval")
        return read_tables(connection, (*nouns, "core.rejects", "core.landed_files"))


def test_clean_documents_pass_the_gate(landed: Tables) -> None:
    assert landed.findings(SUITES["landing", "rageval"]) == {}


@pytest.mark.parametrize("name", DOCUMENT_FAULTS)
def test_a_fault_is_told_by_name(landed: Tables, name: str) -> None:
    spoil, rule, message = DOCUMENT_FAULTS[name]
    tables = landed.copy()
    spoil(tables)
    found = tables.findings(SUITES["landing", "rageval"])
    assert any(message in one for one in found.get(rule, ())), found


def test_literal_markers_are_balanced(landed: Tables, tmp_path: Path) -> None:
    tables = landed.copy()
    edit("rageval.pages", TALK, text="\\[TABLE START] it says\n[TABLE START]\na\n[TABLE END]")(
        tables
    )
    assert "markers_are_balanced" not in tables.findings(SUITES["landing", "rageval"])
