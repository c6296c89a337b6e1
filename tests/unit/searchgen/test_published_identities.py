"""What holds published boards against each other sees every kind of number that does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import published_boards as boards
from tests.corpus import searchgen_identities as identities
from tests.corpus.check_searchgen import main

Row = dict[str, Any]
Files = dict[str, Any]
STRATA = {"All": 3, "NoSearch": 1, "SearchIntensive": 2, "VisualSearch": 1, "TextualSearch": 1}
# Three half points over 40 prompts are 1.25 on the public scale: a tie, and 1.2 by the rule.
TIE_PROMPTS, TIE, AWAY = 40, 1.2, 1.3


def row(count: int, model: str = "one", score: float = 50.0, **components: float) -> Row:
    counts = {**dict.fromkeys(boards.NINE, count), boards.TENTH: 0}
    values = {**dict.fromkeys(boards.NINE, score), **components, boards.TENTH: None}
    overall = round(sum(values[name] or 0 for name in boards.NINE) / 9, 1)
    return {
        "model_id": model,
        "display_name": model.title(),
        "type": "Open",
        "missing_policy": "exclude",
        "n_total": count,
        "n_scored": count,
        "n_included": count,
        "coverage": 1.0,
        "overall_9": overall,
        "overall_10": overall,
        "components": values,
        "component_counts": counts,
    }


def files() -> Files:
    """Return a release of three prompts in which everything fits."""
    strata = {name: [row(n), row(n, "two", 40.0)] for name, n in STRATA.items()}
    domains = {"ART": [row(3), row(3, "two", 40.0)], "HIS": [row(TIE_PROMPTS, image_quality=TIE)]}
    models = {
        one: {"source_id": one, "display_name": one.title(), "type": "Open", "aliases": []}
        for one in ("one", "two")
    }
    return {
        "manifest.json": {
            "dataset": {"n_prompts": 3},
            "models": models,
            "scoring": {"primary_metric": "overall_9"},
        },
        boards.FILES["overall"]: json.loads(json.dumps(strata["All"])),
        boards.FILES["stratum"]: strata,
        boards.FILES["domain"]: domains,
        boards.FILES["failure_mode"]: {"CCS": [row(1), row(1, "two", 40.0)]},
    }


def failures(content: Files, folder: Path, identity: Callable[..., identities.Check]) -> list[str]:
    for name, value in content.items():
        (folder / name).write_text(json.dumps(value))
    return identity(boards.read_release(folder)).failures


def stratum(content: Files, name: str) -> Row:
    found: Row = content[boards.FILES["stratum"]][name][0]
    return found


def overall(content: Files) -> Row:
    found: Row = content[boards.FILES["overall"]][0]
    return found


def swap(content: Files) -> None:
    content[boards.FILES["overall"]].reverse()


def dearer_tenth(content: Files) -> None:
    content[boards.FILES["overall"]][1]["overall_10"] = 60.0


def fewer_domains(content: Files) -> None:
    content[boards.FILES["domain"]].pop("HIS")


SPOILS: dict[Callable[..., identities.Check], Callable[[Files], object]] = {
    identities.whole_boards_repeat: lambda one: overall(one).update(overall_9=50.1),
    identities.counts_add_up: lambda one: stratum(one, "VisualSearch").update(n_scored=0),
    identities.coverage_and_policy: lambda one: overall(one).update(n_scored=2),
    identities.components_are_weighted_means: lambda one: stratum(one, "All")["components"].update(
        checklist=50.2
    ),
    identities.overalls_are_weighted_means: lambda one: stratum(one, "All").update(overall_10=50.2),
    identities.full_counts_make_the_mean: lambda one: overall(one).update(overall_9=50.2),
    identities.no_tenth_no_difference: lambda one: overall(one).update(overall_10=49.9),
    identities.one_prompt_is_its_components: lambda one: stratum(one, "NoSearch").update(
        overall_9=49.8
    ),
    identities.ties_are_rounded_half_even: lambda one: one[boards.FILES["domain"]]["HIS"][0][
        "components"
    ].update(image_quality=AWAY),
    identities.both_overalls_order_alike: dearer_tenth,
    identities.domains_overlap: fewer_domains,
    identities.rows_stand_in_order: swap,
}


@pytest.mark.parametrize("identity", identities.IDENTITIES, ids=lambda one: one.__name__)
def test_a_release_that_fits_has_no_failure(
    identity: Callable[..., identities.Check], tmp_path: Path
) -> None:
    assert failures(files(), tmp_path, identity) == []


@pytest.mark.parametrize("identity", identities.IDENTITIES, ids=lambda one: one.__name__)
def test_what_does_not_fit_is_seen(
    identity: Callable[..., identities.Check], tmp_path: Path
) -> None:
    content = files()
    SPOILS[identity](content)
    assert failures(content, tmp_path, identity)


def test_a_tie_is_held_against_python_and_against_the_project(tmp_path: Path) -> None:
    for name, value in files().items():
        (tmp_path / name).write_text(json.dumps(value))
    check = identities.ties_are_rounded_half_even(boards.read_release(tmp_path))
    assert check.compared == 2


def test_a_folder_without_a_release_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 1
    assert "0 releases" in capsys.readouterr().out
    assert main([str(tmp_path / "absent")]) == 2
