"""`podium check landing --profile`: a known dataset must have its known counts."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from expectations import gate
from expectations.suites import xslides_expected
from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

COUNTS = {"cases": 3, "probes": 18, "audiences": 2, "weight_sets": 6, "weights": 36}


@pytest.fixture
def profile_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "expected.csv"
    monkeypatch.setattr(xslides_expected, "EXPECTED_FILE", path)
    return path


def write(path: Path, counts: dict[str, int]) -> None:
    with path.open("w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["profile", "count", "expected"])
        writer.writerows(["tree", name, count] for name, count in counts.items())


def test_counts_other_than_reviewed_are_named_by_dataset(
    tmp_path: Path, profile_file: Path
) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, spoiled.plant(tmp_path / "data").root, LandOptions())
    write(profile_file, COUNTS)
    assert not gate.check_landing(paths, "xslides", "tree").verdict.findings
    write(profile_file, {**COUNTS, "probes": 19, "audiences": 3})
    verdict = gate.check_landing(paths, "xslides", "tree").verdict
    assert [(one.subject, one.message, one.outcome) for one in verdict.findings] == [
        ("data/audiences", "2 instead of 3", Outcome.INCOMPLETE),
        ("data/probes", "18 instead of 19", Outcome.INCOMPLETE),
    ]
    assert verdict.exit_code == 4


def test_the_paper_profile_is_there_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    assert xslides_expected.profiles() == ["paper"]
    with pytest.raises(UsageError, match="no profile `papper`"):
        gate.check_landing(WarehousePaths(tmp_path), "xslides", "papper")
