from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import pytest

from ingest.judge.exchange import (
    AudienceProfile,
    Reply,
    UtilityJudgment,
    WeightRequest,
)
from ingest.judge.offline import OfflineJudge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.utilities import snap, summarize
from ingest.xslides.weights import make_weights
from tests.unit.xslides.helpers import SETTINGS, CountingJudge, prepared, snapshot
from warehouse.errors import InputError
from warehouse.jsonl import read_jsonl

LEVELS = (0.0, 0.3, 0.6, 1.0)


@pytest.mark.parametrize(
    ("raw", "level"),
    [
        *((0.0, 0.0), (0.15, 0.0), (0.1500001, 0.3), (0.3, 0.3), (0.45, 0.3), (0.46, 0.6)),
        *((0.6, 0.6), (0.8, 0.6), (0.80001, 1.0), (1.0, 1.0), (1, 1.0)),
    ],
)
def test_snapping_goes_to_the_nearest_level_and_a_tie_goes_down(raw: float, level: float) -> None:
    assert snap(raw) == level


@pytest.mark.parametrize("raw", [-0.01, 1.01, float("nan"), float("inf")])
def test_what_is_no_utility_is_refused(raw: float) -> None:
    with pytest.raises(ValueError, match="utility"):
        snap(raw)


def test_three_samples_give_sixteen_means_and_nine_high_variances() -> None:
    summaries = [summarize(one) for one in combinations_with_replacement(LEVELS, 3)]
    assert len({round(one.mean, 12) for one in summaries}) == 16
    assert sum(one.mean >= 0.7 for one in summaries) == 4
    assert sum(one.is_high_variance for one in summaries) == 9
    assert sum((one.sample_std or 0) > 0.25 for one in summaries) == 10


def test_the_order_of_samples_changes_nothing() -> None:
    assert len({summarize(one) for one in permutations((0.6, 0.3, 1.0, 0.3, 0.3))}) == 1
    assert summarize((0.6, 0.3, 1.0, 0.3, 0.3)).mean == 0.5
    assert summarize((0.6,)).sample_std is None


def test_weight_rows_carry_everything_that_made_them(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    rows = [row.value for row in read_jsonl(tree.weights_file("carts", "learners")).rows]
    bank = read_jsonl(tree.probe_folder("carts") / "probes_deduped.jsonl").rows
    assert [row["probe_id"] for row in rows] == [row.value["probe_id"] for row in bank]
    for row in rows:
        metadata = row["metadata"]
        assert row["audience"] == "learners" and row["reason"]
        assert metadata["k"] == len(metadata["samples"]) == len(metadata["rationales"]) == 3
        assert [snap(raw) for raw in metadata["raw_samples"]] == metadata["samples"]
        assert row["utility_weight"] == summarize(metadata["samples"]).mean


def test_audiences_weigh_differently(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    weights = {
        profile.audience: [
            row.value["utility_weight"]
            for row in read_jsonl(tree.weights_file("carts", profile.audience)).rows
        ]
        for profile in read_audiences()
    }
    assert len({tuple(values) for values in weights.values()}) == 3
    assert all(any(value >= 0.7 for value in values) for values in weights.values())


def test_finished_files_are_skipped_and_torn_ones_made_again(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    before = snapshot(tree.root)
    judge = CountingJudge()
    assert make_weights(tree, judge, read_audiences(), SETTINGS).skipped == 3
    assert judge.weights == 0 and snapshot(tree.root) == before
    path = tree.weights_file("carts", "learners")
    path.write_bytes(path.read_bytes()[:100])
    report = make_weights(tree, judge, read_audiences(), SETTINGS)
    assert (report.done, report.skipped) == (1, 2)
    assert snapshot(tree.root) == before


def test_another_k_makes_other_weights(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    settings = replace(SETTINGS, weight_samples=1)
    assert make_weights(tree, OfflineJudge(), read_audiences(), settings).done == 3
    row = read_jsonl(tree.weights_file("carts", "learners")).rows[0].value
    assert row["metadata"]["sample_std"] is None and row["metadata"]["k"] == 1


def test_weights_made_elsewhere_are_used_as_given(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    (tree.probe_folder("carts") / "weight_generation_status.json").unlink()
    path = tree.weights_file("carts", "learners")
    path.write_text('{"probe_id": "pb_0001", "audience": "learners", "utility_weight": 1.0}\n')
    report = make_weights(tree, OfflineJudge(), read_audiences(), SETTINGS)
    assert report.skipped == 3 and path.read_text().count("\n") == 1


def test_only_active_audiences_are_weighed(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    metadata = json.loads(tree.source_metadata("carts").read_text())
    metadata["valid_audiences"] = ["learners", "martians"]
    tree.source_metadata("carts").write_text(json.dumps(metadata))
    report = make_weights(tree, OfflineJudge(), read_audiences(), replace(SETTINGS, force=True))
    assert report.done == 1


class _HalfJudge(OfflineJudge):
    """Leaves out one probe of every batch and gives an impossible utility for another."""

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        items = list(super().weigh_probes(request).items)
        items[1] = UtilityJudgment(items[1].probe_id, 3.0)
        return Reply((*items[1:], *items[1:]))


def test_missing_judgments_leave_no_row_and_a_finding(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    settings = replace(SETTINGS, force=True, batch_size=100)
    report = make_weights(tree, _HalfJudge(), read_audiences(), settings)
    assert report.failed == 3
    assert {finding.check for finding in report.findings} == {"probe_has_weight"}
    rows = read_jsonl(tree.weights_file("carts", "learners")).rows
    assert rows[0].value["probe_id"] == "pb_0003"


def test_a_users_own_audience_is_weighed_by_its_expertise(tmp_path: Path) -> None:
    tree = prepared(tmp_path, decks=False)
    mayors = AudienceProfile("mayors", "Mayor", "non_technical", 5)
    assert make_weights(tree, OfflineJudge(), (mayors,), SETTINGS).done == 0
    metadata = json.loads(tree.source_metadata("carts").read_text())
    del metadata["valid_audiences"]
    tree.source_metadata("carts").write_text(json.dumps(metadata))
    assert make_weights(tree, OfflineJudge(), (mayors,), SETTINGS).done == 1


@pytest.mark.parametrize(
    "content",
    [
        "audience,title\nx,y\n",
        "audience,title,expertise,minutes,description\n",
        "audience,title,expertise,minutes,description\nx,X,wizard,5,d\n",
        "audience,title,expertise,minutes,description\nx,X,expert,nan,d\n",
        "audience,title,expertise,minutes,description\nagnostic,X,expert,5,d\n",
        "audience,title,expertise,minutes,description\n../x,X,expert,5,d\n",
        "audience,title,expertise,minutes,description\nx,X,expert,5,d\nx,X,expert,5,d\n",
    ],
)
def test_unusable_audiences_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "audiences.csv"
    path.write_text(content)
    with pytest.raises(InputError):
        read_audiences(path)
