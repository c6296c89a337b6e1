"""Landing gate of searchgen, run as commands run it: outcomes, exit codes, places, profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectations import gate
from expectations.suites import SUITES, searchgen_expected
from expectations.verdict import Verdict
from tests.support.searchgen_clean import LINES, RUN, write_clean
from tests.support.searchgen_gates import land_files, landed_tables
from tests.support.trees import write_jsonl
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

SUITE = SUITES["landing", "searchgen"]


def verdict_of(paths: WarehousePaths, profile: str | None = None) -> Verdict:
    return gate.check_landing(paths, "searchgen", profile).verdict


def test_a_clean_release_passes_without_a_finding(tmp_path: Path) -> None:
    verdict = verdict_of(land_files(tmp_path / "warehouse", write_clean(tmp_path / "release"))[0])
    assert verdict.findings == ()
    assert verdict.exit_code == 0


def test_a_result_that_is_removed_fails_the_gate_and_is_named(tmp_path: Path) -> None:
    files = write_clean(tmp_path / "release")
    (files.results / "rows/v_1/none/alpha/scores.json").unlink()
    verdict = verdict_of(land_files(tmp_path / "warehouse", files)[0])
    assert verdict.exit_code == 4
    assert any("not scored: v_1, v_2" in line for line in verdict.lines())


def test_tags_that_are_no_list_are_rejected_with_file_and_line(tmp_path: Path) -> None:
    files = write_clean(tmp_path / "release")
    write_jsonl(files.prompts, [*LINES[:3], {**LINES[3], "domains": "HIS"}])
    verdict = verdict_of(land_files(tmp_path / "warehouse", files)[0])
    assert verdict.exit_code == 1
    assert any("prompts.jsonl:4: texthard_1: wrong_type" in line for line in verdict.lines())


def test_the_gate_finds_what_its_queries_find(tmp_path: Path) -> None:
    files = write_clean(tmp_path / "release")
    write_jsonl(files.prompts, [*LINES[:3], {**LINES[3], "domains": ["HIS", "HIS"]}])
    paths, _ = land_files(tmp_path / "warehouse", files)
    verdict = verdict_of(paths)
    found = landed_tables(paths).findings(SUITE)
    assert {one.check for one in verdict.findings} == set(found) == {"tags_stand_once_in_a_prompt"}
    (finding,) = verdict.findings
    assert finding.place == "prompts.jsonl:4"
    assert finding.subject == f"{RUN}/texthard_1/domains"


def test_an_empty_warehouse_never_passes(tmp_path: Path) -> None:
    verdict = verdict_of(WarehousePaths(tmp_path))
    assert [one.check for one in verdict.findings] == ["a_release_is_landed"]
    assert verdict.exit_code == 5


def test_a_profile_can_be_forced_and_is_reviewed_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert searchgen_expected.profiles() == ["searchgen_751"]
    paths, _ = land_files(tmp_path / "warehouse", write_clean(tmp_path / "release"))
    with pytest.raises(UsageError, match="no profile `tinny`"):
        verdict_of(paths, "tinny")
    reviewed = tmp_path / "expected.csv"
    reviewed.write_text(
        "profile,slice,view,group_name,expected\n"
        "tiny,all,overall,All,5\ntiny,all,stratum,NoSearch,1\n"
        "tiny,all,stratum,SearchIntensive,3\ntiny,all,stratum,VisualSearch,2\n"
        "tiny,all,stratum,TextualSearch,1\ntiny,all,domain,ART,2\ntiny,all,domain,HIS,2\n"
        "tiny,all,failure_mode,CCS,2\ntiny,maxi,overall,All,9\n"
    )
    monkeypatch.setattr(searchgen_expected, "EXPECTED_FILE", reviewed)
    verdict = verdict_of(paths, "tiny")
    assert [(one.subject, one.message, one.outcome) for one in verdict.findings] == [
        (f"{RUN}/all/failure_mode/VUR", "1 prompts instead of 0", Outcome.INCOMPLETE),
        (f"{RUN}/all/overall/All", "4 prompts instead of 5", Outcome.INCOMPLETE),
        (f"{RUN}/all/stratum/All", "4 prompts instead of 5", Outcome.INCOMPLETE),
    ]
