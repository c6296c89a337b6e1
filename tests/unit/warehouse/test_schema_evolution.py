"""Files of an older contract are read with NULLs where that is right, and refused elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.older_landings import Row, commit, with_columns, without
from warehouse import landing, relations
from warehouse.contracts import ALL
from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    TEXT,
    TEXT_LIST,
    Column,
    Contract,
    required,
)
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

OLD = Contract(
    "xslides",
    "claims",
    "One claim.",
    (
        required("evaluation_key", INTEGER, "Key."),
        required("claim_id", TEXT, "Id."),
        Column("slide", INTEGER, "Slide."),
    ),
    key=("evaluation_key", "claim_id"),
)
GROWN = with_columns(
    OLD,
    Column("is_new", BOOLEAN, "Added."),
    Column("share", NUMBER, "Added."),
    Column("notes", TEXT_LIST, "Added."),
)
REPLANT = "podium land xslides '/srv/my data' --dataset data --warehouse "


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    return WarehousePaths(tmp_path / "warehouse")


def old_row(key: int) -> Row:
    return {"evaluation_key": key, "claim_id": f"c{key}", "slide": key + 10}


def new_row(key: int) -> Row:
    return {**old_row(key), "is_new": True, "share": 0.5, "notes": ["one"]}


def read(paths: WarehousePaths) -> tuple[dict[str, str], list[Row]]:
    """Return types and rows of the claims relation, as gate and passport see it."""
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        cursor = connection.execute("select * from xslides.claims order by evaluation_key")
        types = {name: str(kind) for name, kind, *_ in cursor.description or ()}
        rows = [dict(zip(types, values, strict=True)) for values in cursor.fetchall()]
    return types, rows


def refusal(
    paths: WarehousePaths, present: Contract, monkeypatch: pytest.MonkeyPatch
) -> InputError:
    monkeypatch.setitem(ALL, OLD.table, present)
    with pytest.raises(InputError) as caught:
        relations.current_state(paths)
    return caught.value


def test_every_landed_file_says_its_table_and_version_in_the_footer(paths: WarehousePaths) -> None:
    landed = landing.write_table(paths, GROWN, [new_row(1)])
    entries = pq.read_metadata(paths.landing / landed.file).metadata
    assert entries[b"podium.table"] == b"xslides/claims"
    assert entries[b"podium.contract_version"] == b"2"
    assert landed.contract_version == 2


def test_parsed_rows_without_a_stamp_are_stamped(paths: WarehousePaths) -> None:
    bare = pa.Table.from_pylist([new_row(1)], schema=GROWN.schema.remove_metadata())
    landed = landing.write_table(paths, GROWN, [], bare)
    assert landed == landing.write_table(paths, GROWN, [new_row(1)])


def test_the_same_rows_under_the_same_contract_are_one_file(paths: WarehousePaths) -> None:
    first = landing.write_table(paths, OLD, [old_row(1)])
    assert landing.write_table(paths, OLD, [old_row(1)]) == first
    other = landing.write_table(paths, replace(OLD, version=2), [old_row(1)])
    assert other.file != first.file


def test_absent_columns_that_may_be_null_are_null_and_typed(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALL, OLD.table, GROWN)
    commit(paths, OLD, [old_row(1)])
    types, rows = read(paths)
    assert types == {
        "evaluation_key": "BIGINT",
        "claim_id": "VARCHAR",
        "slide": "BIGINT",
        "is_new": "BOOLEAN",
        "share": "DOUBLE",
        "notes": "VARCHAR[]",
    }
    assert rows == [{**old_row(1), "is_new": None, "share": None, "notes": None}]


def test_old_and_new_files_are_one_relation(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALL, OLD.table, with_columns(GROWN, Column("late", TEXT, "Later.")))
    late = ALL[OLD.table]
    commit(paths, OLD, [old_row(1)], unit="data/runs/one")
    commit(paths, GROWN, [new_row(2)], unit="data/runs/two")
    commit(paths, late, [{**new_row(3), "late": "x"}], unit="data/runs/three")
    types, rows = read(paths)
    assert list(types) == list(late.names)
    assert [(row["share"], row["late"]) for row in rows] == [(None, None), (0.5, None), (0.5, "x")]


def test_a_value_of_a_new_file_is_not_lost_beside_an_old_one(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The engine takes names and types from one file unless it is told otherwise.
    monkeypatch.setitem(ALL, OLD.table, GROWN)
    commit(paths, GROWN, [new_row(2)], unit="data/runs/two")
    commit(paths, OLD, [old_row(1)], unit="data/runs/one")
    assert [row["notes"] for row in read(paths)[1]] == [None, ["one"]]


@pytest.mark.parametrize(
    ("present", "expected", "got"),
    [
        (
            with_columns(OLD, required("judge", TEXT, "Added.")),
            "version 2, column `judge` as string, never NULL",
            "version 1, no column `judge`",
        ),
        (
            with_columns(OLD, Column("slide", TEXT, "Other type.")),
            "version 2, column `slide` as string, which may be NULL",
            "version 1, column `slide` as int64, which may be NULL",
        ),
        (
            with_columns(OLD, required("slide", INTEGER, "Now required.")),
            "version 2, column `slide` as int64, never NULL",
            "version 1, column `slide` as int64, which may be NULL",
        ),
        (
            with_columns(OLD, Column("claim_id", TEXT, "No longer required.")),
            "version 2, column `claim_id` as string, which may be NULL",
            "version 1, column `claim_id` as string, never NULL",
        ),
        (
            replace(without(OLD, "slide"), version=2),
            "version 2, no column `slide`",
            "version 1, column `slide` as int64",
        ),
        (
            replace(OLD, version=3, readable_from=2),
            "version 3, or at least version 2",
            "version 1, whose rows meant something else",
        ),
    ],
    ids=["required", "type", "stricter", "looser", "surplus", "meaning"],
)
def test_any_other_change_asks_to_land_again(
    paths: WarehousePaths,
    monkeypatch: pytest.MonkeyPatch,
    present: Contract,
    expected: str,
    got: str,
) -> None:
    landed = commit(paths, OLD, [old_row(1)])
    error = refusal(paths, present, monkeypatch)
    assert landed.file in error.what
    assert "`xslides/claims`" in error.what
    assert (error.expected, error.got) == (expected, got)
    assert error.fix == f"{REPLANT}{paths.root}"


def test_a_file_of_a_newer_podium_is_refused_unopened(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    landed = commit(paths, GROWN, [new_row(1)])
    (paths.landing / landed.file).write_bytes(b"PAR1 not looked at PAR1")
    error = refusal(paths, OLD, monkeypatch)
    assert (error.expected, error.got) == (
        "version 1, the newest that this Podium knows",
        "version 2, landed by a newer one",
    )


def test_files_of_the_present_version_are_not_opened(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALL, OLD.table, OLD)
    commit(paths, OLD, [old_row(1)])

    def opened(*_: Any) -> None:
        raise AssertionError("a footer was opened")

    monkeypatch.setattr(pq, "read_schema", opened)
    assert relations.current_state(paths).relations
    monkeypatch.setitem(ALL, OLD.table, GROWN)
    with pytest.raises(AssertionError, match="opened"):
        relations.current_state(paths)


@pytest.mark.parametrize("stated", [{"contract_version": 2}, {"contract_version": 1}])
def test_a_footer_that_contradicts_its_manifest_is_found_when_it_is_opened(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch, stated: dict[str, int]
) -> None:
    # Of three files the first is older, so all three are looked at.
    present = with_columns(GROWN, Column("late", TEXT, "Later."))
    commit(paths, OLD, [old_row(1)], unit="data/runs/one")
    row = {**new_row(2), "late": None}
    lying = commit(paths, present, [row], unit="data/runs/two", **stated)
    error = refusal(paths, present, monkeypatch)
    assert lying.file in error.what
    assert error.got == f"version {stated['contract_version']}, podium.contract_version 3"


def test_a_footer_of_another_table_is_refused(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(paths, replace(OLD, noun="verdicts"), [old_row(1)], table=OLD.table)
    error = refusal(paths, GROWN, monkeypatch)
    assert error.got == "version 1, podium.table xslides/verdicts"


def test_a_file_of_the_present_version_that_cannot_be_read_has_to_go_first(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Landing leaves a unit alone whose inputs and version are unchanged and whose files exist.
    commit(paths, OLD, [old_row(1)], unit="data/runs/one")
    landed = commit(paths, GROWN, [new_row(2)], unit="data/runs/two")
    (paths.landing / landed.file).write_bytes(b"PAR1 no footer PAR1")
    error = refusal(paths, GROWN, monkeypatch)
    assert error.expected == "version 2, a Parquet file"
    assert error.fix is not None
    assert error.fix.startswith(f"rm {paths.landing / landed.file} && {REPLANT}")


def test_one_error_names_all_commands(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(paths, OLD, [old_row(1)], unit="data/runs/one")
    commit(paths, OLD, [old_row(2)], unit="data/runs/two")
    commit(paths, OLD, [old_row(3)], unit="gates/landing/state_1")
    error = refusal(paths, with_columns(OLD, required("judge", TEXT, "Added.")), monkeypatch)
    assert "(and 2 more)" in error.what
    fixes = [line.strip() for line in (error.fix or "").splitlines()]
    record = paths.manifests / "xslides" / "gates%2Flanding%2Fstate_1.0-of-1.json"
    assert sorted(fixes) == sorted([f"{REPLANT}{paths.root}", f"rm {record}"])
    assert record.is_file()


def test_a_present_file_that_lacks_a_column_is_never_read_as_null(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALL, OLD.table, GROWN)
    commit(paths, OLD, [old_row(1)], contract_version=2)
    with pytest.raises(duckdb.Error, match="schema mismatch"):
        read(paths)
