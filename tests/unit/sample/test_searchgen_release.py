"""The synthetic searchgen release: exact counts, the same bytes, files that mean the plan."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from ingest.sample.searchgen_figures import (
    FIGURES,
    SLICES,
    TAG_KINDS,
    Figures,
    published_figures,
)
from ingest.sample.searchgen_prompts import Prompt, make_prompts
from ingest.sample.searchgen_release import PROFILE, main, write_release
from ingest.sample.searchgen_results import Result, make_results
from ingest.searchgen.land import LandOptions, land_results
from tests.support.landed import read_landed
from warehouse.contracts.searchgen_values import COMPONENTS, MISSING_STATUSES, SCORED
from warehouse.paths import PROJECT_ROOT, WarehousePaths

EXPECTED = PROJECT_ROOT / "seeds" / "expected" / "searchgen.csv"
SEEDS = (1, 2, 3)
# The whole release of seed 1 with one model: no machine and no library may change a byte.
BYTES_OF_SEED_1 = "24e0e31cf3a6eff032ffb43b0f60527c839c27e0f3f7275e105d35b0df7ccea3"


def planned(figures: str, seed: int) -> tuple[Figures, list[Prompt], list[Result]]:
    counts = published_figures(figures)
    prompts = make_prompts(counts, seed)
    return counts, prompts, list(make_results(counts, prompts, seed))


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()


def test_the_figures_are_the_published_ones() -> None:
    newest, first = map(published_figures, FIGURES)
    assert [newest.total(one) for one in SLICES] == [751, 200, 100, 100]
    assert [list(one.values()) for one in newest.parts.values()] == [
        [100, 26, 13, 13],
        [387, 101, 50, 50],
        [264, 73, 37, 37],
    ]
    tags = {kind: [one for one in newest.tags if one[0] == kind] for kind in TAG_KINDS}
    assert [len(one) for one in tags.values()] == [22, 12]
    sums = [sum(newest.tags[one]["all"] for one in found) for found in tags.values()]
    assert sums == [1785, 2537]
    assert (len(newest.models), len(first.models)) == (18, 13)
    assert sum(one.n_scored for one in newest.models) == 13_350
    assert [one.source_id for one in first.models if one.missing_policy == "exclude"] == [
        "model_03",
        "model_04",
    ]
    assert newest.models[0].n_scored == 718
    assert sum(one.components["text_rendering"] for one in newest.models[0].parts.values()) == 526


def test_the_gate_expects_the_same_prompts() -> None:
    figures = published_figures()
    with EXPECTED.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["profile"] == PROFILE]
    expected = {
        (row["view"], row["group_name"], row["slice"]): int(row["expected"])
        for row in rows
        if row["view"] in TAG_KINDS
    }
    slices = {row["slice"] for row in rows}
    assert expected == {
        (*tag, name): count
        for tag, counts in figures.tags.items()
        for name, count in counts.items()
        if name in slices and count
    }


def test_counts_of_scored_prompts_leave_filled_ones_out() -> None:
    last = published_figures("first").models[-1]
    assert (last.n_scored, last.missing_policy) == (465, "zero_fill")
    assert set(last.parts["NoSearch"].components.values()) == {0}


@pytest.mark.parametrize("seed", SEEDS)
def test_prompts_count_what_is_published_in_every_slice(seed: int) -> None:
    figures = published_figures()
    prompts = make_prompts(figures, seed)
    assert len({one.sample_id for one in prompts}) == 751
    for name in SLICES:
        inside = [one for one in prompts if name == "all" or name in one.slices]
        parts = Counter(one.search_type for one in inside)
        assert parts == {one: counts[name] for one, counts in figures.parts.items()}
        tags = Counter(
            (kind, tag) for one in inside for kind, found in one.tags.items() for tag in found
        )
        wanted = {one: counts[name] for one, counts in figures.tags.items() if counts[name]}
        assert tags == wanted
    assert all(len(set(found)) == len(found) for one in prompts for found in one.tags.values())


def test_some_prompts_have_no_tag_and_some_are_in_two_slices() -> None:
    prompts = make_prompts(published_figures(), 1)
    assert sum(not one.tags for one in prompts) >= 2
    assert any(len(one.slices) > 1 for one in prompts)
    kinds = {type(one.row(position)["subset"]) for position, one in enumerate(prompts)}
    assert kinds == {str, list}


@pytest.mark.parametrize("name", FIGURES)
def test_results_count_what_is_published(name: str) -> None:
    figures, _, results = planned(name, 1)
    assert len(results) == 751 * len(figures.models)
    scored: Counter[tuple[str, str]] = Counter()
    present: Counter[tuple[str, str, str]] = Counter()
    for one in results:
        if one.scores is None:
            continue
        place = (one.source_id, one.prompt.search_type)
        scored[place] += 1
        for component, value in one.scores.components().items():
            present[(*place, component)] += value is not None
    for model in figures.models:
        for search_type, counts in model.parts.items():
            place = (model.source_id, search_type)
            assert scored[place] == counts.n_scored
            assert {one: present[(*place, one)] for one in COMPONENTS} == counts.components
    assert {one.status for one in results} == {SCORED, *MISSING_STATUSES}


def test_a_visual_reference_belongs_to_the_prompt_in_the_newest_figures() -> None:
    _, prompts, results = planned("newest", 1)
    held: dict[str, set[bool]] = {one.sample_id: set() for one in prompts}
    for one in results:
        if one.scores is not None:
            value = one.scores.references["visual_reference_evaluation"]
            held[one.prompt.sample_id].add(value is not None)
    assert all(len(one) == 1 for one in held.values())
    assert sum(one == {True} for one in held.values()) == 615


def test_further_models_change_no_other_model() -> None:
    figures = published_figures()
    prompts = make_prompts(figures, 1)
    alone = list(make_results(figures.first_models(1), prompts, 1))
    assert alone == list(make_results(figures, prompts, 1))[: len(alone)]


def test_one_seed_makes_the_same_bytes_anywhere(tmp_path: Path) -> None:
    write_release(tmp_path / "one", seed=1, models=1)
    assert digest(tmp_path / "one") == BYTES_OF_SEED_1


def test_another_seed_makes_other_bytes() -> None:
    _, prompts, results = planned("first", 1)
    _, other_prompts, other_results = planned("first", 2)
    assert [one.row(0) for one in prompts] != [one.row(0) for one in other_prompts]
    assert [one.scores for one in results] != [one.scores for one in other_results]


def test_landing_reads_what_was_planned(tmp_path: Path) -> None:
    release = write_release(tmp_path / "release", seed=1, models=1, figures="first")
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land_results(
        paths,
        prompts=release.prompts,
        results=release.results,
        models=release.models,
        options=LandOptions(),
    )
    assert not report.rejects
    assert not report.findings
    landed = {
        (row["sample_id"], row["source_id"]): row
        for row in read_landed(paths, "searchgen.prompt_scores")
    }
    assert len(landed) == len(release.planned) == 751
    for one in release.planned:
        row = landed[one.prompt.sample_id, one.source_id]
        assert row["status"] == one.status
        wanted = one.scores.components() if one.scores else dict.fromkeys(COMPONENTS)
        assert {name: row[name] for name in COMPONENTS} == wanted
    parts = {
        row["sample_id"]: row["search_type"] for row in read_landed(paths, "searchgen.prompts")
    }
    assert parts == {one.prompt.sample_id: one.prompt.search_type for one in release.planned}


def test_a_folder_with_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(SystemExit) as stopped:
        main(["--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_more_models_than_the_figures_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 to 13 models, not 14"):
        write_release(tmp_path / "one", seed=1, models=14, figures="first")
