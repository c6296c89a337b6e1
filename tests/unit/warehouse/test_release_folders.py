"""Releases: what may become one, what is in it, how long it stays, how it is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from podium import releasing
from tests.support.promoted import cell, promote, publish, verdict
from warehouse import jsonl, query, releases
from warehouse.errors import InputError, LockedError, UsageError
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    return WarehousePaths(tmp_path / "warehouse")


def names(paths: WarehousePaths) -> list[str]:
    return [one.name for one in releases.read_all(paths)]


def test_a_release_holds_the_files_of_the_state_and_says_what_it_is(paths: WarehousePaths) -> None:
    state = promote(paths, [cell()])
    done = publish(paths)
    folder = paths.releases / state.name
    assert done.is_new
    assert paths.latest.resolve() == folder.resolve()
    record = jsonl.read_json(folder / "release.json")
    assert record["release_id"] == state.name.rpartition("-")[0]
    assert record["landing_state_id"] == "state_00000001"
    assert record["verdict"]["outcome"] == "passed"
    assert record["marts"]["rpt_metric_summaries"]["rows"] == 1
    assert {"podium.duckdb", "marts/rpt_metric_summaries.parquet"} <= record["files"].keys()
    assert record["published_at"] == "2026-01-01T00:00:00+00:00"
    assert not record["is_incomplete"]
    assert releases.damaged_files(done.release) == []


def test_files_cost_nothing_twice_and_cannot_be_written(paths: WarehousePaths) -> None:
    state = promote(paths, [cell()])
    publish(paths)
    for file in ("podium.duckdb", "state.json"):
        copy = paths.releases / state.name / file
        assert copy.samefile(state / file)
        assert copy.stat().st_mode & 0o222 == 0


def test_a_file_system_without_links_gets_copies(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "cross-device link")

    monkeypatch.setattr("warehouse.releases.os.link", refuse)
    state = promote(paths, [cell()])
    done = publish(paths)
    copy = done.release.folder / "podium.duckdb"
    assert not copy.samefile(state / "podium.duckdb")
    assert releases.damaged_files(done.release) == []


def test_publishing_the_same_state_again_does_nothing(paths: WarehousePaths) -> None:
    promote(paths, [cell()])
    first = publish(paths)
    before = first.release.folder.stat().st_mtime_ns
    again = publish(paths)
    assert (again.is_new, again.is_moved, again.retired) == (False, False, ())
    assert again.release.folder.stat().st_mtime_ns == before
    assert len(names(paths)) == 1


def test_latest_goes_back_with_current(paths: WarehousePaths) -> None:
    old = promote(paths, [cell()])
    publish(paths)
    promote(paths, [cell(estimate=0.6)])
    publish(paths)
    promote(paths, [cell()])
    back = publish(paths)
    assert (back.is_new, back.is_moved) == (False, True)
    assert paths.latest.resolve().name == old.name


@pytest.mark.parametrize(
    ("outcome", "code"),
    [("failed", 1), ("broken", 2), ("inconclusive", 3), ("incomplete", 4), ("nothing_selected", 5)],
)
def test_only_a_green_verdict_is_published(paths: WarehousePaths, outcome: str, code: int) -> None:
    promote(paths, [cell()], verdict=verdict(outcome, code))
    with pytest.raises(UsageError, match=outcome):
        publish(paths)
    assert not paths.latest.exists()
    assert names(paths) == []


@pytest.mark.parametrize("outcome", ["accepted", "warned"])
def test_findings_that_do_not_count_let_it_pass(paths: WarehousePaths, outcome: str) -> None:
    promote(paths, [cell()], verdict=verdict(outcome, 0))
    assert publish(paths).release.record["verdict"]["findings"]


def test_incomplete_is_published_only_when_asked_and_says_so(paths: WarehousePaths) -> None:
    promote(paths, [cell()], verdict=verdict("incomplete", 4))
    assert publish(paths, allow_incomplete=True).release.record["is_incomplete"]


def test_failed_is_not_published_as_incomplete(paths: WarehousePaths) -> None:
    promote(paths, [cell()], verdict=verdict("failed", 1))
    with pytest.raises(UsageError):
        publish(paths, allow_incomplete=True)


def test_the_last_ones_stay_and_so_do_those_that_links_name(paths: WarehousePaths) -> None:
    made = []
    for number in range(4):
        made.append(promote(paths, [cell(n_total=number)]).name)
        publish(paths)
    # `current` goes back to the first state; `latest` follows with the next publishing.
    promote(paths, [cell(n_total=0)])
    done = publish(paths, keep=1)
    assert done.retired == (made[1], made[2])
    assert names(paths) == [made[0], made[3]]
    assert paths.latest.resolve().name == made[0]


def test_order_is_that_of_publishing_and_not_of_clocks(paths: WarehousePaths) -> None:
    made = []
    for number in range(3):
        made.append(promote(paths, [cell(n_total=number)]).name)
        publish(paths)
    assert names(paths) == made


def test_a_state_that_lacks_rows_is_not_published(paths: WarehousePaths) -> None:
    state = promote(paths, [cell()])
    (state / "marts" / "rpt_metric_summaries.parquet").unlink()
    with pytest.raises(InputError, match="not whole"):
        publish(paths)


def test_a_verdict_on_another_landing_state_does_not_count(paths: WarehousePaths) -> None:
    promote(paths, [cell()], landing="state_00000001")
    record = jsonl.read_json(paths.published / "standing.json")
    promote(paths, [cell()], landing="state_00000002")
    jsonl.write_json(paths.published / "standing.json", record)
    with pytest.raises(InputError, match="no verdict stands"):
        publish(paths)


def test_an_empty_warehouse_names_the_next_command(paths: WarehousePaths) -> None:
    with pytest.raises(InputError, match="podium build"):
        publish(paths)
    with pytest.raises(InputError, match="podium publish"):
        releases.resolve(paths, "latest")


def test_states_and_releases_are_found_by_id_name_and_link(paths: WarehousePaths) -> None:
    old = promote(paths, [cell()])
    publish(paths)
    new = promote(paths, [cell(estimate=0.9)])
    for name in (old.name, old.name.rpartition("-")[0], "latest"):
        assert releases.resolve(paths, name).name == old.name
        result = query.query(paths, "select estimate from rpt_metric_summaries", release_id=name)
        assert result.rows == [(0.5,)]
    assert releases.resolve(paths, "current").name == new.name
    assert releases.resolve(paths, new.name).name == new.name


def test_a_release_outlives_its_state(paths: WarehousePaths) -> None:
    old = promote(paths, [cell()])
    publish(paths)
    promote(paths, [cell(estimate=0.9)])
    shutil.rmtree(old)
    assert query.database(paths, old.name).is_file()


@pytest.mark.parametrize("name", ["release_0", "../states", "", "*"])
def test_other_names_are_refused_with_what_there_is(paths: WarehousePaths, name: str) -> None:
    state = promote(paths, [cell()])
    with pytest.raises(InputError, match=state.name):
        releases.resolve(paths, name)


def test_a_changed_file_is_told(paths: WarehousePaths) -> None:
    promote(paths, [cell()])
    release = publish(paths).release
    blob = release.folder / "blob"
    blob.chmod(0o644)
    blob.write_bytes(b"other")
    assert releases.damaged_files(release) == ["blob"]


def test_rows_that_no_landing_gate_saw_are_not_published(paths: WarehousePaths) -> None:
    """The gate cannot be run any more: what is landed now is another state."""
    promote(paths, [cell()], has_landing_verdict=False)
    with pytest.raises(InputError, match="never saw"):
        releasing.publish(paths, lambda _: None, keep=10, allow_incomplete=False)
    assert not paths.latest.exists()


def test_two_publishers_never_meet(paths: WarehousePaths) -> None:
    promote(paths, [cell()])
    with build_lock(paths), pytest.raises(LockedError):
        releasing.publish(paths, lambda _: None, keep=10, allow_incomplete=False)
