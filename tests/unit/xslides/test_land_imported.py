"""Imported metrics: which files count, whose they are, and what is set aside."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from ingest.land_fields import FileReader
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_imported import read_imported
from ingest.xslides.land_imported_files import by_run, find_imported
from ingest.xslides.tree import ArtifactTree
from tests.support.imported import EXAMPLE, compact, full, manifest
from tests.support.trees import write_json
from warehouse.contracts.xslides_imported import IMPORTED_METRICS
from warehouse.landing import RejectLog, sorted_table

Rows = list[dict[str, Any]]
CASES = {"case_000": CaseInfo("data", "doc-17", "case_000", None)}


def read(root: Path) -> tuple[Rows, list[tuple[str, str]]]:
    """Return landed rows, and (reason, file) of each reject."""
    log = RejectLog("xslides", "data", "data/metrics")
    reader = FileReader(root, log)
    rows: Rows = []
    for run, files in sorted(by_run(find_imported(ArtifactTree(root))).items()):
        rows += read_imported(reader, "data", run, files, CASES)
    sorted_table(IMPORTED_METRICS, rows)
    return rows, [(one.reason, one.source_file) for one in log.rejects]


def place(row: dict[str, Any]) -> tuple[Any, ...]:
    names = ("run_id", "system_id", "condition", "audience", "case_id", "variant")
    return tuple(row[name] for name in names)


def test_a_compact_file_gives_one_row_a_value(tmp_path: Path) -> None:
    compact(tmp_path, "system_a", "case_000", efficiency_token=0.041, note="kept out")
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {place(row) for row in rows} == {
        ("data/unstated", "system_a", "unstated", "specialists", "doc-17", "")
    }
    expected = {name: value for name, value in EXAMPLE.items() if name not in ("audience", "tau_a")}
    assert {row["metric"]: row["value"] for row in rows} == {**expected, "efficiency_word": 0.041}
    quantities = {row["metric"] for row in rows if not row["is_metric"]}
    assert quantities == {"included_probe_count", "available_utility", "recovered_utility"}
    assert {row["tau_a_thousandths"] for row in rows} == {700}
    assert not any(row["is_run_stated"] for row in rows)
    assert {row["source_file"] for row in rows} == {"metrics/system_a/specialists/case_000.json"}


def test_labels_are_compared_in_nfc(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "système")
    compact(tmp_path, name, unicodedata.normalize("NFD", "café@k2"))
    rows, _ = read(tmp_path)
    assert {place(row)[1:] for row in rows} == {
        ("système", "unstated", "specialists", "café", "k2")
    }


def test_a_full_folder_lies_anywhere_and_its_manifest_names_it(tmp_path: Path) -> None:
    full(tmp_path / "out" / "one", manifest("system_a", "case_000"))
    full(tmp_path / "two", manifest("system_a", "case_000", run="pilot", condition="agnostic"))
    full(tmp_path, manifest("system_b", "talk", case_id="t-1", condition="conditioned"))
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {place(row) for row in rows} == {
        ("data/unstated", "system_a", "unstated", "specialists", "doc-17", ""),
        ("data/pilot", "system_a", "agnostic", "specialists", "doc-17", ""),
        ("data/unstated", "system_b", "conditioned", "specialists", "t-1", ""),
    }
    assert {row["run_id"] for row in rows if row["is_run_stated"]} == {"data/pilot"}


def test_an_evaluation_folder_is_named_by_its_path(tmp_path: Path) -> None:
    base = tmp_path / "runs" / "run" / "evaluations" / "system_a"
    full(base / "agnostic" / "specialists" / "case_000", None)
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {place(row) for row in rows} == {
        ("data/run", "system_a", "agnostic", "specialists", "doc-17", "")
    }


def test_our_own_metrics_never_come_back(tmp_path: Path) -> None:
    base = tmp_path / "runs" / "run" / "evaluations" / "a" / "agnostic" / "specialists"
    full(base / "case_000", None, producer="podium")
    compact(tmp_path, "system_a", "case_000", producer="podium")
    full(tmp_path / "out", manifest("a", "case_000"), producer="another tool")
    files = find_imported(ArtifactTree(tmp_path))
    assert [one.parts for one in files] == [("out", "metrics.json")]


def test_inputs_decks_and_caches_are_not_searched(tmp_path: Path) -> None:
    for folder in ("sources/a", "probes/a", "runs/run/decks/a", "raw", "runs/r/correctness_cache"):
        full(tmp_path / folder, manifest("a", "case_000"))
    full(tmp_path / ".hidden", manifest("a", "case_000"))
    write_json(tmp_path / "metrics" / "a" / "run_manifest.json", {})
    assert find_imported(ArtifactTree(tmp_path)) == []


def test_a_mapping_splits_system_ids_that_encode_the_condition(tmp_path: Path) -> None:
    (tmp_path / "system_mapping.csv").write_text(
        "system_id,mapped_system_id,condition\nacme-cond,acme,conditioned\nacme,other,agnostic\n"
    )
    compact(tmp_path, "acme-cond", "case_000", system_id="acme-cond")
    compact(tmp_path, "plain", "case_000")
    # Where a condition is stated, the system id is taken as it is.
    full(tmp_path / "out", manifest("acme", "case_000", condition="conditioned", run="pilot"))
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {place(row)[:3] for row in rows} == {
        ("data/unstated", "acme", "conditioned"),
        ("data/unstated", "plain", "unstated"),
        ("data/pilot", "acme", "conditioned"),
    }


def test_bad_mapping_rows_are_set_aside(tmp_path: Path) -> None:
    (tmp_path / "system_mapping.csv").write_text(
        "system_id,mapped_system_id,condition\n"
        "a,b,agnostic\na,c,agnostic\nd,e,sideways\nf,,agnostic\n"
    )
    compact(tmp_path, "a", "case_000")
    rows, rejects = read(tmp_path)
    assert {place(row)[1:3] for row in rows} == {("a", "unstated")}
    reasons = sorted(reason for reason, file in rejects if file == "system_mapping.csv")
    assert reasons == ["duplicate_row", "duplicate_row", "invalid_mapping", "invalid_mapping"]


def test_a_mapping_with_other_columns_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "system_mapping.csv").write_text("system_id,condition\na,agnostic\n")
    compact(tmp_path, "a", "case_000")
    assert read(tmp_path)[1] == [("unreadable_file", "system_mapping.csv")]


def test_null_is_undefined_and_absent_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "metrics" / "a" / "specialists" / "case_000.json"
    write_json(path, {"tau_a": 1, "coverage": None, "available_utility": 0})
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {row["metric"]: row["value"] for row in rows} == {
        "coverage": None,
        "available_utility": 0.0,
    }


def test_thresholds_of_one_case_stand_side_by_side(tmp_path: Path) -> None:
    full(tmp_path / "one", manifest("a", "case_000", run="pilot"))
    full(tmp_path / "two", manifest("a", "case_000", run="pilot"), tau_a=0.5)
    rows, rejects = read(tmp_path)
    assert rejects == []
    assert {row["tau_a_thousandths"] for row in rows} == {500, 700}


def test_files_of_one_identity_are_all_set_aside(tmp_path: Path) -> None:
    (tmp_path / "system_mapping.csv").write_text(
        "system_id,mapped_system_id,condition\na-x,a,agnostic\na-y,a,agnostic\n"
    )
    for system in ("a-x", "a-y", "b"):
        compact(tmp_path, system, "case_000")
    rows, rejects = read(tmp_path)
    assert {row["system_id"] for row in rows} == {"b"}
    assert rejects == [
        ("duplicate_identity", "metrics/a-x/specialists/case_000.json"),
        ("duplicate_identity", "metrics/a-y/specialists/case_000.json"),
    ]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"tau_a": None}, "missing_field"),
        ({"tau_a": 1.5}, "invalid_threshold"),
        ({"tau_a": 0.70004}, "invalid_threshold"),
        ({"coverage": "0.6"}, "wrong_type"),
        ({"coverage": True}, "wrong_type"),
        ({"coverage": float("nan")}, "non_finite_number"),
        ({"efficiency_time": float("inf")}, "non_finite_number"),
        ({"efficiency_time": 1e7}, "number_too_large"),
        ({"included_probe_count": 4.5}, "wrong_type"),
        ({"efficiency_word": 1, "efficiency_token": 2}, "contradicting_fields"),
        ({"audience": "learners"}, "path_mismatch"),
        ({"system_id": "system_b"}, "path_mismatch"),
        ({"case_id": "case_001"}, "path_mismatch"),
    ],
    ids=str,
)
def test_a_bad_file_is_set_aside_whole(fields: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = compact(tmp_path, "system_a", "case_000")
    write_json(path, {**EXAMPLE, **fields})
    assert read(tmp_path) == ([], [(reason, "metrics/system_a/specialists/case_000.json")])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"tau_a": 0.7, "coverage": 0.5', "invalid_json"),
        ('{"tau_a": 0.7, "coverage": 0.5, "coverage": 0.6}', "duplicate_key"),
        ("[1]", "not_an_object"),
        ('{"tau_a": 0.7, "correctness": 0.5}', "missing_field"),
    ],
)
def test_json_is_read_strictly(text: str, reason: str, tmp_path: Path) -> None:
    compact(tmp_path, "system_a", "case_000").write_text(text)
    assert read(tmp_path) == ([], [(reason, "metrics/system_a/specialists/case_000.json")])


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"system_id": "system_b"}, "path_mismatch"),
        ({"condition": "conditioned"}, "path_mismatch"),
        ({"audience": "learners"}, "path_mismatch"),
        ({"case_label": "case_001"}, "path_mismatch"),
        ({"run": "other"}, "path_mismatch"),
    ],
    ids=str,
)
def test_a_manifest_must_not_contradict_its_path(
    changed: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    base = tmp_path / "runs" / "run" / "evaluations" / "system_a" / "agnostic" / "specialists"
    path = full(base / "case_000", manifest("system_a", "case_000"))
    write_json(path, EXAMPLE)
    write_json(path.with_name("run_manifest.json"), {**manifest("system_a", "case_000"), **changed})
    assert read(tmp_path) == ([], [(reason, path.relative_to(tmp_path).as_posix())])


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        (None, "no_manifest"),
        ({"audience": "specialists", "case_label": "case_000"}, "missing_field"),
        (manifest("a", "case_000", condition="sideways"), "unknown_value"),
        (manifest("a", "case_000", case_id="other"), "path_mismatch"),
        (manifest("a", "case_000", run=5), "path_mismatch"),
    ],
    ids=str,
)
def test_a_folder_without_identity_is_set_aside(stated: Any, reason: str, tmp_path: Path) -> None:
    full(tmp_path / "out", stated)
    assert read(tmp_path) == ([], [(reason, "out/metrics.json")])


def test_a_compact_file_in_another_depth_is_set_aside(tmp_path: Path) -> None:
    write_json(tmp_path / "metrics" / "system_a" / "case_000.json", EXAMPLE)
    assert read(tmp_path) == ([], [("odd_place", "metrics/system_a/case_000.json")])
