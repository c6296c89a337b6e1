"""The catalogue of known faults: each one has a test that states the right value."""

from __future__ import annotations

import ast
import csv
from functools import cache
from pathlib import Path

from tests.support.project import ROOT

CATALOGUE = Path(__file__).with_name("catalogue.csv")
COLUMNS = ["fault", "kind", "symptom", "right_behaviour", "test"]
# Faults met in practice, by area; a number that is not here never was a fault of this project.
KNOWN = {
    "X": (1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 15),
    "P": (1, 2, 4, 5, 6, 11, 13),
    "W": (1, 2, 3),
    "J": (1, 2, 3, 5, 6, 7, 10, 11, 13, 15, 16, 17, 19),
    "C": range(1, 17),
    "L": (1, 2, 4, 6, 9, 11),
    "S": (1, 3, 4),
    "D": (1, 2, 5),
    "Q": (1, 2, 3),
    "G": (1, 2, 3),
    "N": (1, 2, 3, 5, 6),
    "U": (1,),
    "E": range(1, 19),
    "R": range(1, 14),
    "T": (2, 5, 7, 13, 17, 18),
}


@cache
def rows() -> tuple[dict[str, str], ...]:
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == COLUMNS
        return tuple(reader)


@cache
def claims_in(file: str) -> frozenset[str]:
    """Return the names of the tests of a file that assert something."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and any(isinstance(one, ast.Assert | ast.With) for one in ast.walk(node))
    )


def test_every_known_fault_stands_once_and_no_other() -> None:
    names = [row["fault"] for row in rows()]
    wanted = {f"{area}{number:02d}" for area, numbers in KNOWN.items() for number in numbers}
    assert len(names) == len(set(names))
    assert set(names) == wanted


def test_every_fault_has_a_test_that_is_there() -> None:
    for row in rows():
        file, _, name = row["test"].partition("::")
        assert (ROOT / file).is_file(), row
        assert name in claims_in(file), row


def test_every_fault_is_told_in_full_sentences() -> None:
    for row in rows():
        assert row["kind"].strip(), row
        for column in ("symptom", "right_behaviour"):
            text = row[column]
            assert text == text.strip() and text.endswith("."), row
            assert 10 < len(text) < 100, row
