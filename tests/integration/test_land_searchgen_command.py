"""`podium land searchgen` on the command line: three ways in, text, JSON, exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ingest.searchgen.land import LandOptions
from podium.cli.land_searchgen import Inputs, land_inputs
from tests.integration.test_demo import podium
from tests.support.searchgen_published import write
from tests.support.searchgen_releases import evaluation, model, prompt, write_release
from tests.support.trees import write_jsonl
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

RESULTS = ("--prompts", "r/prompts.jsonl", "--results", "r/results", "--models", "r/models.yml")
EXTRACTOR = """
from ingest.searchgen.component_scores import extract
def halved(evaluation):
    return {name: score and score / 2 for name, score in extract(evaluation, "plain").items()}
"""


def plant(folder: Path) -> None:
    scores = {(one, "gpt"): evaluation(2.0) for one in ("a", "b")}
    write_release(folder / "r", [prompt("a"), prompt("b")], [model("gpt")], scores)


def land(folder: Path, *options: str) -> tuple[int, dict[str, object], str]:
    """Return exit code, JSON result and messages."""
    done = podium("land", "searchgen", *options, "--warehouse", "wh", "--json", cwd=folder)
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


def test_results_land_and_a_loss_has_exit_4_until_it_is_accepted(tmp_path: Path) -> None:
    plant(tmp_path)
    code, report, said = land(tmp_path, *RESULTS)
    assert code == 0, said
    assert report["landed_units"] == ["searchgen/runs/test"]
    shutil.rmtree(tmp_path / "r/results/rows/b")
    code, report, _ = land(tmp_path, *RESULTS)
    assert code == 4
    assert "searchgen/runs/test/b/gpt/none" in json.dumps(report)
    code, report, _ = land(tmp_path, *RESULTS, "--accept-removals")
    assert (code, report["landed_units"]) == (0, ["searchgen/runs/test"])


def test_a_reject_is_named_with_exit_1(tmp_path: Path) -> None:
    plant(tmp_path)
    with (tmp_path / "r/prompts.jsonl").open("a") as handle:
        handle.write('{"sample_id": "c", "dom')
    done = podium("land", "searchgen", *RESULTS, "--warehouse", "wh", cwd=tmp_path)
    assert done.returncode == 1
    assert "prompts.jsonl:3: c: torn_line" in done.stderr
    assert "searchgen/prompt_scores" in done.stdout


def test_records_and_boards_are_the_two_other_ways(tmp_path: Path) -> None:
    plant(tmp_path)
    lines = [{**prompt(one), "models": {"gpt": {"status": "missing_generation"}}} for one in "ab"]
    write_jsonl(tmp_path / "scores.jsonl", lines)
    options = ("--prompt-scores", "scores.jsonl", "--models", "r/models.yml")
    code, report, said = land(tmp_path, *options, "--release", "second", "--dataset", "d")
    assert (code, report["landed_units"]) == (0, ["d/runs/second"]), said
    write(tmp_path / "first")
    code, report, said = land(tmp_path, "--published", "first")
    assert (code, report["landed_units"]) == (0, ["searchgen/published/first"]), said


def test_the_users_extractor_is_found_in_the_working_folder(tmp_path: Path) -> None:
    plant(tmp_path)
    (tmp_path / "my_extractor.py").write_text(EXTRACTOR, encoding="utf-8")
    code, report, said = land(tmp_path, *RESULTS, "--extractor", "my_extractor:halved")
    assert code == 0, said
    assert report["row_counts"]["searchgen/prompt_scores"] == 2  # type: ignore[index]


def test_options_that_make_no_way_in_have_exit_2(tmp_path: Path) -> None:
    code, _, said = land(tmp_path, "--published", "first", "--models", "r/models.yml")
    assert code == 2
    assert "--prompts FILE --results DIR --models FILE" in said
    assert "got:      --models, --published" in said


@pytest.mark.parametrize(
    ("given", "extractor"),
    [
        ("", None),
        ("prompts results", None),
        ("results models", None),
        ("models", None),
        ("prompts results models published", None),
        ("prompts results models prompt_scores", None),
        ("prompt_scores published", None),
        ("published models", None),
        ("published", "a:b"),
        ("prompt_scores", "a:b"),
    ],
)
def test_options_that_make_no_way_in_are_refused_before_anything_is_read(
    given: str, extractor: str | None, tmp_path: Path
) -> None:
    names = ("prompts", "results", "models", "prompt_scores", "published")
    inputs = Inputs(**{one: Path(one) if one in given.split() else None for one in names})
    with pytest.raises(UsageError, match="make no way to land"):
        land_inputs(WarehousePaths(tmp_path), inputs, LandOptions(extractor=extractor))
