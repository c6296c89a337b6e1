"""The shipped questions over the shipped library: what docs/rageval-sample.md says is so."""

from __future__ import annotations

import re

import pytest

from expectations import gate
from ingest.sample.make_questions_sample import SAMPLE, make_questions
from tests.support.project import ROOT
from tests.support.sample_library import build_sample_library
from tests.support.worlds import World
from warehouse import jsonl

GUIDE = (ROOT / "docs" / "rageval-sample.md").read_text(encoding="utf-8")
FIGURE = re.compile(r"^\| (\w+) \| (bm25|dense|fused)" + r" \| ([\d.]+)" * 5 + r" \|", re.MULTILINE)
METRICS = ("hit_at_1", "hit_at_5", "recall_at_1", "recall_at_5", "mrr")
# An int8 model rounds otherwise on other processors, so ranks by vectors may move a little.
CLOSE = {"bm25": 0.0005, "dense": 0.05, "fused": 0.05}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build_sample_library(tmp_path_factory.mktemp("sample_library"))


def test_a_second_run_of_the_maker_makes_the_same_questions() -> None:
    stated = jsonl.read_jsonl(SAMPLE / "questions.jsonl")
    assert stated.rejects == []
    assert [one.value for one in stated.rows] == make_questions()


def test_the_library_is_as_large_as_the_guide_says(world: World) -> None:
    def count(table: str) -> int:
        return int(world.one(f"select count(*) as row_count from staging.{table}")["row_count"])

    counts = {name: count(f"stg_rageval__{name}") for name in ("documents", "chunks", "questions")}
    assert counts["documents"] >= 12
    assert counts["chunks"] >= 300
    assert counts["questions"] >= 100
    for name, found in counts.items():
        assert f"{found} {name}" in GUIDE
    rows = world.rows("select distinct modality from staging.stg_rageval__questions")
    assert {row["modality"] for row in rows} == {"text", "table", "picture"}
    assert gate.check_landing(world.paths, "rageval").verdict.exit_code == 0


def test_every_figure_of_the_guide_is_so(world: World) -> None:
    stated = FIGURE.findall(GUIDE)
    assert len(stated) == 18
    for system, stage, *figures in stated:
        rows = world.rows(
            "select metric, estimate, n_included from marts.rpt_metric_summaries "
            "where benchmark = 'rageval' and system_id = ? and condition = ? "
            "and slice_type = 'all' and metric like 'retrieval_%'",
            system,
            stage,
        )
        found = {row["metric"].removeprefix("retrieval_"): row["estimate"] for row in rows}
        for metric, figure in zip(METRICS, figures, strict=True):
            assert found[metric] == pytest.approx(float(figure), abs=CLOSE[stage]), (system, stage)


def test_all_questions_are_answered_or_refused(world: World) -> None:
    rows = world.rows(
        "select system_id, answer_status, count(*) as row_count from staging.stg_rageval__answers "
        "group by all"
    )
    by_system: dict[str, int] = {}
    for row in rows:
        by_system[row["system_id"]] = by_system.get(row["system_id"], 0) + row["row_count"]
    assert set(by_system.values()) == {120}
    assert {row["answer_status"] for row in rows} <= {"answered", "refused"}


def test_nothing_of_the_library_is_lost(world: World) -> None:
    row = world.one("select sum(lost_word_count) as lost from marts.rpt_rageval__layout_classes")
    assert row["lost"] == 0


def test_questions_are_about_twelve_cases() -> None:
    assert len({one["question_type"] for one in make_questions()}) == 12
