from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ingest.judge.exchange import Evidence, ProbeDraft
from ingest.judge.offline import OfflineJudge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.chunks import chunk_source, count_chunks
from ingest.xslides.probe_bank import is_reference_only, parse_probe, read_bank
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.tree import ArtifactTree
from tests.unit.xslides.helpers import (
    SETTINGS,
    CountingJudge,
    prepared,
    snapshot,
    write_source,
)
from warehouse.jsonl import read_jsonl


@pytest.mark.parametrize("overlap", [-3, 0, 1, 3, 4, 5, 100])
@pytest.mark.parametrize("size", [1, 4, 9, 10, 11])
def test_chunks_end_and_cover_every_character(size: int, overlap: int) -> None:
    text = "0123456789"
    chunks = chunk_source(text, size, overlap)
    assert len(chunks) == count_chunks(len(text), size, overlap)
    assert chunks[0].start == 0 and chunks[-1].end == len(text)
    assert {n for chunk in chunks for n in range(chunk.start, chunk.end)} == set(range(10))
    assert all(left.start < right.start for left, right in pairwise(chunks))
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)


def test_no_chunking_is_one_chunk_with_its_prefix() -> None:
    (chunk,) = chunk_source("abc", 0, 0)
    assert chunk.prompt_text == "[Source chunk chars 0-3]\nabc"


@pytest.mark.parametrize(
    ("question", "answer", "is_reference"),
    [
        ("Which references are cited in section 2?", "Smith and Lee.", True),
        ("What is the DOI of the paper?", "10.1000/182", True),
        ("Who is cited as the source of the method?", "[12], [13]", True),
        ("What is known?", "[3] Smith, J. Title of a paper. 2019", True),
        ("What is known?", "[1, 2, 3]", True),
        ("How many reefs were cleared?", "Six reefs were cleared in 2021.", False),
        ("Which site was chosen?", "The northern site, see [3].", False),
    ],
)
def test_questions_about_citations_alone_are_told(
    question: str, answer: str, is_reference: bool
) -> None:
    draft = ProbeDraft(question, answer, (Evidence("", answer),), 1, "text", "")
    assert is_reference_only(draft) is is_reference


def test_a_bank_has_the_fields_of_the_benchmark(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    folder = tree.probe_folder("carts")
    rows = [row.value for row in read_jsonl(folder / "probes_deduped.jsonl").rows]
    assert [row["probe_id"] for row in rows] == [f"pb_{n:04d}" for n in range(1, len(rows) + 1)]
    assert len({row["question"] for row in rows}) == len(rows) >= 6
    context = (folder / "source_context.txt").read_text()
    for row in rows:
        assert set(row) == {
            *("probe_id", "source_case_id", "scene", "question", "answer", "evidence"),
            *("level", "modality", "theme", "metadata"),
        }
        assert 1 <= row["level"] <= 4
        assert row["evidence"][0]["text"] in context.replace("\n", " ")
        assert row["metadata"]["source_chunk_index"] == row["metadata"]["source_chunk_count"] == 1
        assert row["metadata"]["judge_kind"] == "heuristic"
    status = json.loads((folder / "probe_generation_status.json").read_text())
    counts = status["counts"]
    assert status["state"] == "complete" and counts["requests"] == 3
    assert counts["drafts"] == counts["probes"] + counts["duplicates"]
    pairs = read_jsonl(folder / "probes_pairs.jsonl").rows
    assert sum(row.value["second_dropped_for_first"] for row in pairs) == counts["duplicates"]
    raw = json.loads((folder / "raw" / "chunk_01" / "pass_02.json").read_text())
    assert raw["pass"] == 2 and raw["response"]["probes"]


def test_finished_cases_are_skipped_until_something_changes(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    before = snapshot(tree.root)
    judge = CountingJudge()
    assert make_probes(tree, judge, SETTINGS).skipped == 1
    assert judge.probes == 0 and snapshot(tree.root) == before
    assert make_probes(tree, judge, replace(SETTINGS, probe_passes=2)).done == 1
    raw = tree.probe_folder("carts") / "raw" / "chunk_01"
    assert sorted(path.name for path in raw.iterdir()) == ["pass_01.json", "pass_02.json"]


def test_a_torn_bank_is_made_again(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    path = tree.probe_folder("carts") / "probes_deduped.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert make_probes(tree, OfflineJudge(), SETTINGS).done == 1
    assert path.read_bytes() == whole


def test_a_bank_made_elsewhere_is_used_as_given(tmp_path: Path) -> None:
    tree = ArtifactTree(tmp_path / "data")
    write_source(tmp_path / "cases")
    prepare_sources(tree, tmp_path / "cases", read_audiences(), SETTINGS)
    path = tree.probe_folder("carts") / "probes_deduped.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"probe_id": "pb_0001", "question": "Q?", "answer": "A."}\n')
    report = make_probes(tree, OfflineJudge(), SETTINGS)
    assert (report.skipped, report.done) == (1, 0)
    assert path.read_text().count("\n") == 1
    assert (path.parent / "source_context.txt").is_file()
    assert any("made elsewhere" in note for note in report.notes)


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    tree = ArtifactTree(tmp_path / "data")
    write_source(tmp_path / "cases")
    prepare_sources(tree, tmp_path / "cases", read_audiences(), SETTINGS)
    judge = CountingJudge()
    report = make_probes(tree, judge, replace(SETTINGS, chunk_chars=300, chunk_overlap=299))
    assert report.failed == 1 and judge.probes == 0
    assert report.findings[0].check == "chunking_is_bounded"


def test_chunks_and_truncation_are_recorded(tmp_path: Path) -> None:
    tree = ArtifactTree(tmp_path / "data")
    write_source(tmp_path / "cases")
    prepare_sources(tree, tmp_path / "cases", read_audiences(), SETTINGS)
    settings = replace(SETTINGS, source_chars=400, chunk_chars=250, variant="short")
    assert make_probes(tree, OfflineJudge(), settings).done == 1
    folder = tree.probe_folder("carts@short")
    status = json.loads((folder / "probe_generation_status.json").read_text())
    assert status["truncated"] is True and status["context_characters"] == 400
    assert status["chunk_count"] == 2
    assert (folder / "raw" / "chunk_02" / "pass_01.json").is_file()


def test_rows_that_are_no_probes_become_findings(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    path = tree.probe_folder("carts") / "probes_deduped.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[0], '{"probe_id": "pb_0002"}', lines[1], '{"pro']))
    bank, findings = read_bank(tree, "carts")
    assert bank is not None and len(bank.probes) == 2
    assert [finding.line for finding in findings] == [5, 2, 3]


def test_evidence_may_be_an_object_or_texts() -> None:
    row = {"probe_id": "p", "question": "q", "answer": "a"}
    one = parse_probe({**row, "evidence": {"locator": "1", "text": "t"}})
    other = parse_probe({**row, "evidence": ["t"]})
    assert one is not None and one.evidence == (Evidence("1", "t"),)
    assert other is not None and other.evidence == (Evidence("", "t"),)
