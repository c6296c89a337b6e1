"""The models of one release and what the release promises: the file models.yml.

Names change between releases while the source id stays, so everything is keyed on that. A
policy for a model that is not there would be lost silently, and is an error instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ingest.names import check_name
from ingest.searchgen.component_scores import PLAIN, RUBRICS
from ingest.searchgen.policies import Policy, policy_of
from ingest.searchgen.registry_fields import Section
from ingest.strict_yaml import read_yaml
from warehouse.contracts.searchgen_values import (
    MODEL_TYPES,
    PRIMARY_METRICS,
    WHOLE_SLICE,
    ZERO_FILL,
)
from warehouse.contracts.xslides_values import JUDGE_KINDS
from warehouse.errors import InputError

DATASET = "searchgen"
BENCHMARK_NAME = "SearchGen-Bench"
UNSTATED = "unstated"
MATCHES = ("any", "all")
DEFAULT_LANE = "none"
DEFAULT_MINIMUM_COVERAGE = 0.95
DEFAULT_WHOLE_SLICE = "full"
DEFAULT_POLICY = policy_of(ZERO_FILL)


@dataclass(frozen=True)
class Model:
    """One model of a release.

    Attributes:
        source_id: stable id, the one that everything is keyed on.
        model_id: public id of this release.
        generator: folder of its results below a lane.
        lane: lane that boards show.
        order: 1-based position in the model table.
        policy: what each missing status becomes.
        expected_scored_count: scored prompts that the release promises.
    """

    source_id: str
    model_id: str
    display_name: str
    model_type: str
    order: int
    lane: str
    generator: str
    policy: Policy
    aliases: tuple[str, ...] = ()
    expected_scored_count: int | None = None


@dataclass(frozen=True)
class Judge:
    """Who judged a release; `scoring_source` is the name of the evaluation files."""

    judge_id: str = UNSTATED
    kind: str = UNSTATED
    scoring_source: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SliceRule:
    """A named slice: prompts with any, or all, of some subset labels; no label: every prompt."""

    include_tags: tuple[str, ...]
    match: str = "all"
    expected_rows: int | None = None


@dataclass(frozen=True)
class Release:
    """What is known of a release beside its rows.

    Attributes:
        file: name of the file that says so.
        file_sha256: its SHA-256.
        release: name of the release; None leaves it to the command or the folder.
        default_policy: policy of every model that has no other.
        rubric: `plain` or `weighted` mean of a rubric's dimensions.
        evaluation_config_id: stated id of judge and extraction; None makes it of their content.
        extractor: stated extractor; None where this landing extracts.
    """

    file: str
    file_sha256: str
    release: str | None
    models: tuple[Model, ...]
    dataset: str | None = None
    benchmark_name: str = BENCHMARK_NAME
    primary_metric: str = PRIMARY_METRICS[0]
    published_lane: str = DEFAULT_LANE
    minimum_coverage: float = DEFAULT_MINIMUM_COVERAGE
    default_policy: Policy = DEFAULT_POLICY
    judge: Judge = Judge()
    rubric: str = PLAIN
    profile: str | None = None
    source_commit: str | None = None
    whole_slice_name: str = DEFAULT_WHOLE_SLICE
    subset_field: str = "subset"
    slices: Mapping[str, SliceRule] = field(default_factory=dict)
    prompts_file: str | None = None
    prompts_sha256: str | None = None
    evaluation_config_id: str | None = None
    extractor: str | None = None

    def find(self, name: str) -> Model | None:
        """Return the model with this source id, else the one with this model id."""
        for attribute in ("source_id", "model_id"):
            for one in self.models:
                if getattr(one, attribute) == name:
                    return one
        return None


def read_release(path: Path) -> Release:
    """Read models.yml (docs/searchgen-files.md, Models).

    Raises:
        InputError: when the file cannot be read, has an unknown key, lacks a required one, has a
            value of another type or out of its closed set, names two models alike, or has a
            policy for a model that is not there.
    """
    content, digest = read_yaml(path)
    top = Section(f"`{path.name}`", content)
    judge = top.section("judge")
    policies = top.section("missing_policy")
    default = policies.policy("default") or DEFAULT_POLICY
    lane = top.name("published_lane", DEFAULT_LANE)
    overrides = policies.section("exceptions")
    exceptions = {name: overrides.policy(name, default) or default for name in overrides.names()}
    models = [
        _model(one, position, lane, default)
        for position, one in enumerate(top.sections("models"), start=1)
    ]
    check_models(models, path.name)
    release = Release(
        file=path.name,
        file_sha256=digest,
        release=top.name("release"),
        models=apply_exceptions(models, exceptions, path.name),
        dataset=top.optional_name("dataset"),
        benchmark_name=top.text("benchmark_name", BENCHMARK_NAME),
        primary_metric=top.choice("primary_metric", PRIMARY_METRICS, PRIMARY_METRICS[0]),
        published_lane=lane,
        minimum_coverage=top.share("minimum_coverage", DEFAULT_MINIMUM_COVERAGE),
        default_policy=default,
        judge=Judge(
            judge.text("id", UNSTATED),
            judge.choice("kind", JUDGE_KINDS, UNSTATED),
            judge.optional_name("scoring_source"),
            judge.free("settings"),
        ),
        rubric=top.choice("rubric_adaptive", RUBRICS, PLAIN),
        profile=top.optional_text("profile"),
        source_commit=top.optional_text("source_commit"),
        whole_slice_name=top.name("whole_slice_name", DEFAULT_WHOLE_SLICE),
        subset_field=top.text("subset_field", "subset"),
        slices=_slices(top.section("slices")),
    )
    for part in (judge, policies, top):
        part.refuse_unknown()
    check_slice_names(release.slices, path.name)
    return release


def check_models(models: Iterable[Model], file: str) -> None:
    """Refuse a model table in which one name means two models.

    Raises:
        InputError: naming what is empty, repeated or ambiguous.
    """
    found = list(models)
    if not found:
        raise InputError(f"`{file}` names no model", expected="a list under `models`")
    places = [f"{one.lane}/{one.generator}" for one in found]
    names = [name for one in found for name in {one.source_id, one.model_id}]
    for what, values in (("lane and generator", places), ("source_id or model_id", names)):
        twice = sorted(name for name, count in Counter(values).items() if count > 1)
        if twice:
            raise InputError(f"two models of `{file}` share the {what} `{twice[0]}`")


def check_slice_names(slices: Mapping[str, SliceRule], file: str) -> None:
    """Refuse a slice under the name that all prompts have in every table.

    Raises:
        InputError: when a slice is called `all`.
    """
    if WHOLE_SLICE in slices:
        raise InputError(
            f"`{file}` has a slice `{WHOLE_SLICE}`", expected="that name is taken by all prompts"
        )


def _model(part: Section, position: int, lane: str, default: Policy) -> Model:
    source_id = part.name("source_id")
    model = Model(
        source_id=source_id,
        model_id=part.name("model_id"),
        display_name=part.text("display_name"),
        model_type=part.choice("type", MODEL_TYPES),
        order=part.count("order", position),
        lane=part.name("lane", lane),
        generator=part.name("generator", source_id),
        policy=part.policy("missing_policy", default) or default,
        aliases=part.texts("aliases"),
        expected_scored_count=part.optional_count("expected_scored_count"),
    )
    part.refuse_unknown()
    return model


def apply_exceptions(
    models: Iterable[Model], exceptions: Mapping[str, Policy], file: str
) -> tuple[Model, ...]:
    """Return models with policies that are stated by source id or model id.

    Raises:
        InputError: when one of them names no model, or a model that has a policy already.
    """
    found = tuple(models)
    by_name = {name: one for one in found for name in (one.model_id, one.source_id)}
    changed: dict[str, Model] = {}
    for name, policy in exceptions.items():
        model = by_name.get(name)
        if model is None:
            raise InputError(
                f"`{file}` has a missing policy for `{name}`, which names no model",
                expected=", ".join(sorted(by_name)),
                fix="name a source_id; model ids change between releases",
            )
        if model.source_id in changed:
            raise InputError(f"`{file}` has two missing policies for `{model.source_id}`")
        changed[model.source_id] = replace(model, policy=policy)
    return tuple(changed.get(one.source_id, one) for one in found)


def _slices(part: Section) -> dict[str, SliceRule]:
    slices = {}
    for name in part.names():
        one = part.section(name)
        slices[check_name("slice", name)] = SliceRule(
            one.texts("include_tags"),
            one.choice("match", MATCHES, "all"),
            one.optional_count("expected_rows"),
        )
        one.refuse_unknown()
    return slices
