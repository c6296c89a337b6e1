"""models.yml: what it may say, and that nothing in it is lost in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ingest.searchgen.model_registry import Release, read_release
from tests.support.searchgen_releases import model
from warehouse.errors import InputError

MODELS = [model("gpt", model_id="gpt_image"), model("xai", model_id="grok", type="Commercial")]


def read(folder: Path, **content: Any) -> Release:
    return read_text(folder, yaml.safe_dump({"release": "r", "models": MODELS, **content}))


def read_text(folder: Path, text: str) -> Release:
    path = folder / "models.yml"
    path.write_text(text, encoding="utf-8")
    return read_release(path)


def refusal(folder: Path, **content: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, **content)
    return str(caught.value)


def policies(release: Release) -> dict[str, Any]:
    return {one.source_id: one.policy.record for one in release.models}


def test_defaults_are_those_of_the_benchmark(tmp_path: Path) -> None:
    release = read(tmp_path)
    assert (release.primary_metric, release.published_lane) == ("overall_9", "none")
    assert (release.minimum_coverage, release.rubric) == (0.95, "plain")
    assert (release.judge.judge_id, release.judge.kind) == ("unstated", "unstated")
    assert [(one.source_id, one.order, one.lane, one.generator) for one in release.models] == [
        ("gpt", 1, "none", "gpt"),
        ("xai", 2, "none", "xai"),
    ]
    assert policies(release) == {"gpt": "zero_fill", "xai": "zero_fill"}


def test_everything_can_be_stated(tmp_path: Path) -> None:
    stated = model("gpt", lane="search", generator="g-2", order=7, aliases=["GPT"])
    release = read(
        tmp_path,
        dataset="d",
        primary_metric="overall_10",
        minimum_coverage=0.5,
        judge={"id": "j", "kind": "llm", "scoring_source": "e.json", "settings": {"pp": True}},
        rubric_adaptive="weighted",
        profile="searchgen_751",
        whole_slice_name="full_751",
        slices={"mini": {"include_tags": ["testmini"], "match": "any", "expected_rows": 200}},
        models=[{**stated, "expected_scored_count": 5}],
    )
    one = release.models[0]
    assert (one.lane, one.generator, one.order, one.aliases) == ("search", "g-2", 7, ("GPT",))
    assert one.expected_scored_count == 5
    assert release.judge.settings == {"pp": True}
    assert release.slices["mini"].expected_rows == 200


def test_policies_differ_by_status_and_by_model(tmp_path: Path) -> None:
    by_status = {
        "missing_generation": "zero_fill",
        "missing_evaluation": "exclude",
        "invalid_evaluation": "exclude",
    }
    release = read(
        tmp_path,
        missing_policy={"default": by_status, "exceptions": {"grok": "exclude"}},
    )
    assert policies(release) == {"gpt": by_status, "xai": "exclude"}
    assert [one.policy.word for one in release.models] == ["per_status", "exclude"]
    own = [model("gpt", missing_policy={"missing_generation": "exclude"}), MODELS[1]]
    mixed = policies(read(tmp_path, models=own))
    assert mixed["gpt"] == {
        **dict.fromkeys(by_status, "zero_fill"),
        "missing_generation": "exclude",
    }


def test_a_policy_for_a_model_that_is_not_there_fails(tmp_path: Path) -> None:
    text = refusal(tmp_path, missing_policy={"exceptions": {"xai_image": "exclude"}})
    assert "`xai_image`, which names no model" in text
    assert "gpt" in text
    twice = refusal(tmp_path, missing_policy={"exceptions": {"xai": "exclude", "grok": "exclude"}})
    assert "two missing policies for `xai`" in twice


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"benchmark": "x"}, ("unknown key `benchmark`", "benchmark_name")),
        ({"judge": {"name": "x"}}, ("unknown key `name`", "scoring_source")),
        ({"models": [model("a", lanes="x")]}, ("unknown key `lanes`", "lane")),
        ({"missing_policy": {"defaults": "exclude"}}, ("unknown key `defaults`", "exceptions")),
        ({"slices": {"m": {"tags": []}}}, ("unknown key `tags`", "include_tags")),
        ({"models": []}, ("names no model",)),
        ({"models": {"a": 1}}, ("a list of objects",)),
        ({"models": [{"source_id": "a"}]}, ("lacks `model_id`",)),
        ({"models": [model("a", type="open")]}, ("Open or Commercial", "'open'")),
        ({"models": [model("a", order=-1)]}, ("an integer, 0 or more",)),
        ({"models": [model("a"), model("a")]}, ("share the lane and generator",)),
        ({"models": [model("a"), model("b", model_id="a")]}, ("share the source_id or model_id",)),
        ({"models": [model("a/b")]}, ("cannot be a source_id",)),
        ({"models": [model("a", generator="..")]}, ("cannot be a generator",)),
        ({"release": 1.0}, ("a text (quote it",)),
        ({"release": None}, ("`release`", "a text")),
        ({"release": "../up"}, ("cannot be a release",)),
        ({"primary_metric": "Overall-9"}, ("overall_9 or overall_10",)),
        ({"minimum_coverage": 95}, ("a number from 0 to 1",)),
        ({"minimum_coverage": True}, ("a number from 0 to 1",)),
        ({"missing_policy": {"default": "drop"}}, ("zero_fill or exclude",)),
        ({"missing_policy": {"default": {"missing_generation": "exclude"}}}, ("all of missing",)),
        ({"missing_policy": {"exceptions": {"gpt": {"scored": "exclude"}}}}, ("nothing else",)),
        ({"judge": {"settings": {"a": float("nan")}}}, ("`settings`",)),
        ({"slices": {"all": {"include_tags": ["x"]}}}, ("taken by all prompts",)),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(
    content: dict[str, Any], words: tuple[str, ...], tmp_path: Path
) -> None:
    text = refusal(tmp_path, **content)
    assert all(word in text for word in words), text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("release: a\nrelease: b\n", "line 2: key `release` stands twice"),
        ("judge: {id: a, id: b}\n", "key `id` stands twice"),
        ("a: &x [1]\nb: *x\n", "line 2: aliases are refused"),
        ("a: {<<: {b: 1}}\n", "is no text"),
        ("1: a\n", "is no text"),
        ("- a\n", "holds no object"),
        ("a: [\n", "cannot be read as YAML"),
        ("a: !!python/object/apply:os.getcwd []\n", "cannot be read as YAML"),
        ("a: " + "[" * 50_000, "deeper than 32"),
        ("release: a\n---\nrelease: b\n", "cannot be read as YAML"),
        ("", "holds no object"),
        ("a: \ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "YAML"),
    ],
)
def test_yaml_that_hides_something_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, text)
    assert words in str(caught.value)


def test_a_release_is_found_by_both_ids(tmp_path: Path) -> None:
    release = read(tmp_path)
    assert [getattr(release.find(name), "source_id", None) for name in ("gpt", "grok", "x")] == [
        "gpt",
        "xai",
        None,
    ]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.yml"):
        read_release(tmp_path / "none.yml")
