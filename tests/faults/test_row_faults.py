"""Dirty rows and dirty files: one named outcome, nothing dropped, nothing made up (N, Q, D, R)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from tests.support.landed import (
    findings_of,
    land_tree,
    read_landed,
    write_scores,
)
from tests.support.project import ROOT
from tests.support.trees import Tree, probe, score
from warehouse import jsonl, landing, manifests, relations
from warehouse.contracts.xslides import PROBES, WEIGHTS
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

Planted = tuple[Path, WarehousePaths]
BOM = b"\xef\xbb\xbf"
# One dirty line each: what a strict reader makes of it, whatever an engine would.
DIRTY: dict[str, tuple[bytes, str]] = {
    "duplicate key": (b'{"probe_id": "pb_0001", "s": 1, "s": 0}\n', "duplicate_key"),
    "duplicate key inside": (b'{"m": {"s": 1, "s": 0}}\n', "duplicate_key"),
    "trailing comma": (b'{"probe_id": "pb_0001",}\n', "invalid_json"),
    "NaN": (b'{"s": NaN}\n', "non_finite_number"),
    "Infinity": (b'{"s": -Infinity}\n', "non_finite_number"),
    "beyond a double": (b'{"s": 1e999}\n', "non_finite_number"),
    "torn last line": (b'{"probe_id": "pb_00', "torn_line"),
    "invalid UTF-8": (b'{"s": "\xff\xfe"}\n', "invalid_utf8"),
    "lone surrogate": (b'{"s": "\\ud800"}\n', "lone_surrogate"),
    "beyond 64 bits": (b'{"s": 123456789012345678901}\n', "integer_out_of_range"),
    "no object": (b"[1, 2]\n", "not_an_object"),
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """A clean tree and the warehouse that it is landed in."""
    base = tmp_path_factory.mktemp("planted")
    root = spoiled.plant(base / "data").root
    return root, land_tree(base / "warehouse", root)


@pytest.mark.parametrize("fault", DIRTY)
def test_a_dirty_line_is_a_named_reject_and_its_neighbours_stay(fault: str, tmp_path: Path) -> None:
    line, reason = DIRTY[fault]
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"probe_id": "first"}\n{"probe_id": "second"}\n' + line)
    content = jsonl.read_jsonl(path)
    assert [one.value["probe_id"] for one in content.rows] == ["first", "second"]
    assert [(one.line, one.reason) for one in content.rejects] == [(3, reason)]
    assert content.rejects[0].raw


def test_marks_line_ends_and_blank_lines_change_no_row(tmp_path: Path) -> None:
    clean = b'{"a": "one\xe2\x80\xa8line"}\n{"a": "two"}\n'
    dirty = BOM + clean.replace(b"\n", b"\r\n\r\n  \n").rstrip()
    (tmp_path / "clean.jsonl").write_bytes(clean)
    (tmp_path / "dirty.jsonl").write_bytes(dirty)
    found = [jsonl.read_jsonl(tmp_path / f"{name}.jsonl") for name in ("clean", "dirty")]
    assert [[row.value for row in one.rows] for one in found] == [
        [{"a": "one\u2028line"}, {"a": "two"}]
    ] * 2
    assert [one.rejects for one in found] == [[], []]


def test_a_whole_tree_with_marks_and_crlf_lands_the_same_rows(
    planted: Planted, tmp_path: Path
) -> None:
    root, clean = planted
    dirty = tmp_path / "data"
    shutil.copytree(root, dirty)
    for path in sorted(dirty.rglob("*.json*")):
        path.write_bytes(BOM + path.read_bytes().replace(b"\n", b"\r\n"))
    paths = land_tree(tmp_path / "warehouse", dirty)
    for table in ("xslides.probe_scores", "xslides.weights", "xslides.probes", "xslides.cases"):
        rows = read_landed(paths, table)
        assert rows
        assert rows == read_landed(clean, table), table
    assert read_landed(paths, "core.rejects") == []


def test_tables_of_a_user_may_begin_with_a_mark(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    sheet = "system_id,condition,audience,case_label\r\nsystem_c,agnostic,agnostic,case_000\r\n"
    (root / "runs/run/run_sheet.csv").write_bytes(BOM + sheet.encode())
    paths = land_tree(tmp_path / "warehouse", root)
    found = {row["system_id"] for row in read_landed(paths, "xslides.evaluations")}
    assert found == {*spoiled.SYSTEMS, "system_c"}


def test_bad_lines_are_counted_and_leave_no_row_of_nulls(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    lines = [line for line, _ in DIRTY.values()]
    with (root / spoiled.SCORES).open("ab") as handle:
        handle.writelines(sorted(lines, key=lambda line: not line.endswith(b"\n")))
    paths = land_tree(tmp_path / "warehouse", root)
    rows = read_landed(paths, "xslides.probe_scores")
    assert len(rows) == 72
    assert not any(row["probe_id"] is None or row["covered"] is None for row in rows)
    rejects = read_landed(paths, "core.rejects")
    assert len(rejects) == len(DIRTY)
    assert {row["source_file"] for row in rejects} == {spoiled.SCORES}
    assert sorted(row["source_line"] for row in rejects) == list(range(7, 7 + len(DIRTY)))
    found = [one for one in findings_of(paths) if one.check == "nothing_is_rejected"]
    assert len(found) == len(DIRTY)


@pytest.mark.parametrize("lane", ["fast", "slow"])
def test_large_integers_stay_exact_beside_fractions(lane: str, tmp_path: Path) -> None:
    exact = 9007199254740993
    rows = [score("pb_0001", True, n=exact), score("pb_0002", True, n=0.5)]
    if lane == "slow":
        rows[0]["metadata"]["list"] = [1]
    paths = land_tree(tmp_path / "warehouse", write_scores(tmp_path / "data", rows))
    found = {row["probe_id"]: row["metadata"] for row in read_landed(paths, "xslides.probe_scores")}
    assert str(exact) in found["pb_0001"]
    assert json.loads(found["pb_0001"])["n"] == exact


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\v"])
def test_a_line_sign_inside_a_text_splits_no_row(sign: str, tmp_path: Path) -> None:
    rows = [{**score("pb_0001", True), "answer": f"one{sign}two"}]
    paths = land_tree(tmp_path / "warehouse", write_scores(tmp_path / "data", rows))
    assert [row["answer"] for row in read_landed(paths, "xslides.probe_scores")] == [
        f"one{sign}two"
    ]
    assert read_landed(paths, "core.rejects") == []


def test_a_key_that_is_seen_late_is_kept(tmp_path: Path) -> None:
    # Engines that guess columns look at 20,480 lines.
    scores = [score(f"pb_{number:04d}", True) for number in range(1, 351)]
    root = write_scores(tmp_path / "data", scores)
    for number in range(60):
        rows = scores
        if number == 59:
            rows = [*scores[:-1], score("pb_0350", True, late={"deep": 1})]
        Tree(root).evaluation("case_000", f"a{number:02d}", rows)
    paths = land_tree(tmp_path / "warehouse", root)
    found = [row["metadata"] for row in read_landed(paths, "xslides.probe_scores")]
    assert len(found) == 61 * 350
    assert [json.loads(one) for one in found if "late" in one] == [
        {"confidence": 0.9, "late": {"deep": 1}}
    ]
    assert read_landed(paths, "core.rejects") == []


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_the_writers_refuse_what_readers_refuse(number: float, tmp_path: Path) -> None:
    for write in (jsonl.dumps, jsonl.canonical):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write({"utility_weight": number})
    row = dict.fromkeys(WEIGHTS.names, "x") | {"weight_key": 1, "utility_weight": number}
    row |= dict.fromkeys(("sample_count", "sample_tenths_sum", "sample_tenths_square_sum"))
    with pytest.raises(InputError, match="non-finite number"):
        landing.write_table(WarehousePaths(tmp_path), WEIGHTS, [{**row, "source_line": 1}])


def test_json_is_written_in_one_place_alone() -> None:
    writers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("ingest", "warehouse", "expectations", "podium")
        for path in (ROOT / folder).rglob("*.py")
        if "json.dump" in path.read_text(encoding="utf-8")
    }
    assert writers == {"warehouse/jsonl.py", "ingest/sample/make_sample.py"}


def test_a_column_of_nulls_has_its_type_in_any_order_of_files(tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("one", "two")]
    for root, level in zip(roots, (None, 3), strict=True):
        write_scores(root, [score("pb_0001", True)], level=level, theme=None if level else "x")
    for order in (roots, roots[::-1]):
        paths = WarehousePaths(tmp_path / f"warehouse_{order[0].name}")
        for root in order:
            land(paths, root, LandOptions())
        rows = read_landed(paths, "xslides.probes")
        assert sorted((str(row["level"]), str(row["theme"])) for row in rows) == [
            ("3", "None"),
            ("None", "x"),
        ]
        assert {type(row["level"]) for row in rows} == {int, type(None)}
        for file in (paths.landing / "xslides/probes").glob("*.parquet"):
            assert pq.read_schema(file).equals(PROBES.schema)


@pytest.mark.parametrize(("field", "value"), [("level", "2"), ("theme", 7), ("probe_id", 12)])
def test_a_value_of_another_type_is_refused_with_file_line_and_column(
    field: str, value: Any, tmp_path: Path
) -> None:
    root = write_scores(tmp_path / "data", [score("pb_0001", True)])
    with (root / "probes/case_000/probes_deduped.jsonl").open("a") as handle:
        handle.write(json.dumps({**probe("pb_0002", "case_000"), field: value}) + "\n")
    paths = land_tree(tmp_path / "warehouse", root)
    rejects = read_landed(paths, "core.rejects")
    assert [(one["reason"], one["source_line"]) for one in rejects] == [("wrong_type", 2)]
    assert f"`{field}`" in rejects[0]["message"]
    assert rejects[0]["source_file"] == "probes/case_000/probes_deduped.jsonl"
    assert len(read_landed(paths, "xslides.probes")) == 1


@pytest.mark.parametrize("rest", [0, 3, 0.5])
def test_a_torn_landed_file_is_named_and_landing_again_mends_it(
    rest: float, tmp_path: Path
) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = land_tree(tmp_path / "warehouse", root)
    whole = relations.current_state(paths).state_id
    landed = next(
        one.file
        for manifest in manifests.read_all(paths)
        for one in manifest.files
        if one.table == "xslides/weights" and one.rows
    )
    file = paths.landing / landed
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * rest) if rest < 1 else int(rest)])
    with pytest.raises(InputError, match="torn") as caught:
        relations.current_state(paths)
    assert landed in str(caught.value)
    file.unlink()
    land(paths, root, LandOptions())
    assert relations.current_state(paths).state_id == whole
    assert file.read_bytes() == content


@pytest.mark.parametrize("folder", ["audience=learners", "nope=1", "a[b]*?"])
def test_a_folder_name_is_no_column(folder: str, planted: Planted, tmp_path: Path) -> None:
    root, plain = planted
    odd = land_tree(tmp_path / folder / "warehouse", root)
    for table in ("xslides.weights", "xslides.evaluations"):
        assert read_landed(odd, table) == read_landed(plain, table)
    assert {row["audience"] for row in read_landed(odd, "xslides.weights")} == set(
        spoiled.AUDIENCES
    )


def test_every_query_of_files_takes_no_column_from_a_path() -> None:
    found = 0
    for folder in ("macros", "models", "warehouse", "expectations", "podium"):
        for path in sorted((ROOT / folder).rglob("*.*")):
            text = path.read_text(encoding="utf-8") if path.suffix in (".py", ".sql") else ""
            for match in re.finditer(r"(?:(?:from|join) |\")read_(?:parquet|json|csv)\(", text):
                found += 1
                assert "hive_partitioning = false" in text[match.end() :][:300], path
    assert found >= 5


def test_nothing_landed_is_typed_and_without_a_ghost_row(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        assert connection.execute("select count(*) from xslides.weights").fetchall() == [(0,)]
        described = connection.execute("describe xslides.weights").fetchall()
    types = {row[0]: row[1] for row in described}
    assert tuple(types) == WEIGHTS.names
    assert types["utility_weight"] == "DOUBLE"
    assert types["sample_count"] == "BIGINT"
