"""A contract that changes has to raise its version; a reviewed snapshot tells that it changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import contract_columns
from tests.support.contract_columns import COMMAND, complaints, rows_of
from tests.support.older_landings import with_columns, without
from warehouse.contracts import ALL
from warehouse.contracts.base import TEXT, Column, Contract
from warehouse.contracts.xslides import CLAIMS

REVIEWED = {CLAIMS.table: rows_of(CLAIMS)}


def said(contract: Contract) -> str:
    return "\n".join(complaints(REVIEWED, {contract.table: contract}))


def test_contracts_are_those_that_were_reviewed() -> None:
    wrong = complaints(contract_columns.read(), ALL)
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("contract", ALL.values(), ids=ALL)
def test_old_files_are_readable_up_to_the_present_version(contract: Contract) -> None:
    assert 1 <= contract.readable_from <= contract.version


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        (without(CLAIMS, "slide"), "slide"),
        (replace(with_columns(CLAIMS, Column("late", TEXT, "Added.")), version=1), "late"),
        (replace(with_columns(CLAIMS, Column("slide", TEXT, "Other.")), version=1), "slide"),
        (
            replace(
                with_columns(CLAIMS, Column("label", TEXT, "Other.", False, ("a",))), version=1
            ),
            "label",
        ),
        (replace(CLAIMS, key=("evaluation_key",)), "claim_id"),
        (replace(CLAIMS, columns=CLAIMS.columns[::-1]), "their order"),
    ],
)
def test_a_change_under_an_old_version_is_told_with_what_to_do(
    changed: Contract, name: str
) -> None:
    text = said(changed)
    assert f"`xslides/claims` changed ({name}) but its version is still 1" in text
    assert "set version = 2" in text
    assert COMMAND in text


def test_a_raised_version_asks_for_a_new_snapshot_only() -> None:
    grown = with_columns(CLAIMS, Column("late", TEXT, "Added."))
    assert said(grown) == f"`xslides/claims` is at version 2, new here: run {COMMAND}"
    assert complaints(REVIEWED, {CLAIMS.table: grown}, is_rewriting=True) == []


def test_a_version_never_falls() -> None:
    later = {CLAIMS.table: rows_of(replace(CLAIMS, version=3))}
    assert "it only rises" in complaints(later, {CLAIMS.table: CLAIMS}, is_rewriting=True)[0]


def test_a_table_that_went_is_told() -> None:
    assert complaints(REVIEWED, {}) == [f"`xslides/claims` is gone: run {COMMAND}"]


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    contract_columns.write(path)
    assert complaints(contract_columns.read(path), ALL) == []
    assert path.read_bytes() == contract_columns.SNAPSHOT.read_bytes()
