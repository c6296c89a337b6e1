"""2 banks x 2 weight sets x 2 judges x 2 thresholds x 2 runs of one name from two folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ingest.xslides.land import LandOptions, land
from tests.support.project import mart_keys
from tests.support.trees import JUDGE, Tree, probe, score, weight
from tests.support.worlds import World
from warehouse import manifests
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

ROOTS = "dataset_id in ('root_one', 'root_two')"
RUNS = "run_id in ('root_one/run', 'root_two/run')"
TAUS = "tau_a_thousandths in (500, 700)"
DATASETS, CASES, BANKS, WEIGHT_SETS, JUDGES, THRESHOLDS = 2, 2, 2, 2, 2, 2
EVALUATIONS = DATASETS * CASES * BANKS * WEIGHT_SETS * JUDGES


@pytest.mark.parametrize(("mart", "key"), sorted(mart_keys().items()))
def test_every_mart_row_is_unique(golden_world: World, mart: str, key: tuple[str, ...]) -> None:
    columns = ", ".join(f'"{name}"' for name in key)
    twice = golden_world.rows(
        f'select {columns}, count(*) from marts."{mart}" group by {columns} having count(*) > 1'
    )
    assert not twice, twice[:3]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("evaluation_id", EVALUATIONS),
        ("run_id", DATASETS),
        ("bank_id", DATASETS * CASES * BANKS),
        ("weight_set_id", DATASETS * CASES * BANKS * WEIGHT_SETS),
        ("evaluation_config_id", JUDGES),
        ("judge_id", JUDGES),
        ("weight_scope", WEIGHT_SETS),
        ("variant", BANKS * WEIGHT_SETS * JUDGES),
    ],
)
def test_nothing_is_lost(golden_world: World, column: str, expected: int) -> None:
    row = golden_world.one(
        f"select count(distinct {column}) as found from marts.fct_xslides__deck_audience_scores "
        f"where {ROOTS}"
    )
    assert row["found"] == expected


def test_every_evaluation_stands_at_every_threshold(golden_world: World) -> None:
    facts = golden_world.one(
        "select count(*) as found, count(coverage) as defined "
        f"from marts.fct_xslides__deck_audience_scores where {ROOTS} and {TAUS}"
    )
    assert facts == {"found": EVALUATIONS * THRESHOLDS, "defined": EVALUATIONS * THRESHOLDS}
    domains = golden_world.one(
        "select count(*) as found, sum(included_probe_count) as included "
        f"from marts.fct_xslides__domain_recoveries where {ROOTS} and {TAUS}"
    )
    probes = EVALUATIONS // BANKS * (3 + 5)
    assert domains == {
        "found": EVALUATIONS * THRESHOLDS * 7,
        "included": probes * THRESHOLDS,
    }


def test_every_evaluation_has_its_own_numbers(golden_world: World) -> None:
    rows = golden_world.rows(
        "select * from marts.fct_xslides__deck_audience_scores "
        f"where {ROOTS} and tau_a_thousandths = 700"
    )
    for row in rows:
        bank, k, judge = row["variant"].split("-", 2)
        size, samples = {"short": 3, "long": 5}[bank], int(k[1:])
        shift = (row["dataset_id"] == "root_two") + 2 * (row["case_id"] == "case_001")
        covered = sum((index + shift + (judge == "judge-b")) % 2 == 0 for index in range(size))
        mean = (samples - 1 + 0.6) / samples
        assert (row["judge_id"], row["weight_scope"]) == (judge, f"utility-a, {k}")
        assert (row["included_probe_count"], row["covered_probe_count"]) == (size, covered)
        assert row["available_utility"] == pytest.approx(size * mean, abs=1e-12)
        assert row["recovered_utility"] == pytest.approx(covered * mean, abs=1e-12)


def test_no_summary_pools_over_what_was_judged_differently(golden_world: World) -> None:
    cells = golden_world.rows(
        "select * from marts.rpt_metric_summaries "
        f"where {RUNS} and metric = 'coverage' and slice_type = 'all' and {TAUS} "
        "and policy = 'exclude_failed'"
    )
    assert len(cells) == EVALUATIONS // CASES * THRESHOLDS
    assert {row["n_total"] for row in cells} == {CASES}
    for row in cells:
        _, k, judge = row["variant"].split("-", 2)
        assert (row["judge_id"], row["weight_scope"]) == (judge, f"utility-a, {k}")
        facts = golden_world.rows(
            "select coverage from marts.fct_xslides__deck_audience_scores "
            "where run_id = ? and variant = ? and tau_a_thousandths = ?",
            row["run_id"],
            row["variant"],
            row["tau_a_thousandths"],
        )
        mean = sum(fact["coverage"] for fact in facts) / len(facts)
        assert row["estimate"] == pytest.approx(mean, abs=1e-9)


def test_judges_and_weights_of_one_plain_run_are_kept_apart(golden_world: World) -> None:
    cells = golden_world.rows(
        "select judge_id, weight_scope, n_total, estimate, judge_kind "
        "from marts.rpt_metric_summaries where run_id = 'mixed_judges/run' "
        "and metric = 'coverage' and slice_type = 'all' and tau_a_thousandths = 700 "
        "and policy = 'exclude_failed' order by judge_id, weight_scope"
    )
    assert [tuple(row.values()) for row in cells] == [
        ("judge-a", "utility-a, k2", 1, 1.0, "llm"),
        ("judge-a", "utility-a, k3", 1, 0.0, "llm"),
        ("judge-b", "utility-a, k2", 1, 1.0, "heuristic"),
    ]


def test_no_cell_of_any_dataset_counts_a_case_twice(golden_world: World) -> None:
    assert not golden_world.rows(
        "select * from marts.rpt_metric_summaries where n_total <> unit_count"
    )


def small_tree(root: Path, *, question: str = "What?", domain: str = "method") -> Path:
    tree = Tree(root)
    row = probe("pb_0001", "case_000", question=question, metadata={"domain": domain})
    tree.case("case_000", [row], {"specialists": [weight("pb_0001", "specialists", [1.0, 0.6])]})
    tree.evaluation("case_000", "specialists", [score("pb_0001", True)], claims=["supported"])
    return tree.root


def landed(paths: WarehousePaths, noun: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for manifest in manifests.read_all(paths):
        for file in manifest.files:
            if file.table == f"xslides/{noun}":
                rows += pq.read_table(paths.landing / file.file).to_pylist()
    return rows


def test_a_run_of_another_root_needs_replace(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    first, second = small_tree(tmp_path / "a" / "data"), small_tree(tmp_path / "b" / "data")
    land(paths, first, LandOptions())
    with pytest.raises(UsageError) as caught:
        land(paths, second, LandOptions())
    assert "another folder" in str(caught.value)
    assert {one.source_root for one in manifests.read_all(paths)} == {str(first)}
    land(paths, second, LandOptions(replace=True))
    assert {one.source_root for one in manifests.read_all(paths)} == {str(second)}
    assert len(landed(paths, "evaluations")) == 1


def test_another_dataset_name_lets_both_stand(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    first, second = small_tree(tmp_path / "a" / "data"), small_tree(tmp_path / "b" / "data")
    land(paths, first, LandOptions())
    land(paths, second, LandOptions(dataset_id="other"))
    assert sorted(row["run_id"] for row in landed(paths, "evaluations")) == [
        "data/run",
        "other/run",
    ]
    assert len({row["bank_id"] for row in landed(paths, "probes")}) == 2


def test_same_content_gives_the_same_ids_anywhere(tmp_path: Path) -> None:
    states = []
    for name in ("a", "b"):
        paths = WarehousePaths(tmp_path / name / "warehouse")
        land(paths, small_tree(tmp_path / name / "data"), LandOptions())
        rows = {noun: landed(paths, noun) for noun in ("probes", "weights", "evaluations")}
        states.append((rows, manifests.state_id(manifests.read_all(paths))))
    assert states[0] == states[1]


@pytest.mark.parametrize("change", [{"question": "Why?"}, {"domain": "evidence"}])
def test_other_content_gives_other_ids(tmp_path: Path, change: dict[str, str]) -> None:
    ids = []
    for name, fields in (("a", {}), ("b", change)):
        paths = WarehousePaths(tmp_path / name / "warehouse")
        land(paths, small_tree(tmp_path / name / "data", **fields), LandOptions())
        row = landed(paths, "evaluations")[0]
        ids.append((row["bank_id"], row["weight_set_id"], row["evaluation_id"]))
    assert all(one != other for one, other in zip(*ids, strict=True))


def test_a_variant_without_a_bank_takes_the_plain_one(tmp_path: Path) -> None:
    root = small_tree(tmp_path / "data")
    scores = [score("pb_0001", False)]
    Tree(root).evaluation("case_000@again", "specialists", scores, judge=JUDGE)
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    rows = landed(paths, "evaluations")
    assert sorted(row["variant"] for row in rows) == ["", "again"]
    assert len({row["evaluation_id"] for row in rows}) == 2
    assert len({(row["bank_id"], row["weight_set_id"], row["case_id"]) for row in rows}) == 1


def test_a_deck_of_a_variant_that_nobody_judged_is_not_lost(tmp_path: Path) -> None:
    root = small_tree(tmp_path / "data")
    for folder in ("case_000", "case_000@again"):
        deck = root / "runs/run/decks/system_a/agnostic/agnostic" / folder
        deck.mkdir(parents=True)
        (deck / "deck.pptx").write_bytes(b"not a deck")
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    found = {row["variant"]: row["is_found"] for row in landed(paths, "evaluations")}
    assert found == {"": True, "again": False}


def test_equal_banks_of_two_variants_are_one_bank(tmp_path: Path) -> None:
    tree = Tree(small_tree(tmp_path / "data"))
    row = probe("pb_0001", "case_000", question="What?", metadata={"domain": "method"})
    weights = [weight("pb_0001", "specialists", [0.6, 0.6])]
    tree.case("case_000", [row], {"specialists": weights}, variant="lower")
    other = probe("pb_0001", "case_000", question="What?", metadata={"domain": "evidence"})
    tree.case("case_000", [other], {"specialists": weights}, variant="moved")
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, tree.root, LandOptions())
    assert len(landed(paths, "probe_banks")) == len(landed(paths, "probes")) == 2
    assert len(landed(paths, "weight_sets")) == len(landed(paths, "weights")) == 3


def test_a_manifest_that_denies_its_path_is_a_reject(tmp_path: Path) -> None:
    root = small_tree(tmp_path / "data")
    folder = Tree(root).evaluation_folder("case_000", "specialists")
    file = folder / "run_manifest.json"
    file.write_text(file.read_text().replace('"system_a"', '"system_b"'))
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land(paths, root, LandOptions())
    assert report.row_counts["core/rejects"] == 1
    assert not landed(paths, "evaluations")
