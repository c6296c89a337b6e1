"""`manifest.json` beside published files: what a release says of itself, in each known shape.

Versions do not tell shapes: 1.0.0 stood on exceptions as a list and as an object, on nine
components and on ten. So each part is read by what it is, and a part of no known kind is an
error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ingest.searchgen.model_registry import (
    DEFAULT_LANE,
    DEFAULT_MINIMUM_COVERAGE,
    DEFAULT_POLICY,
    DEFAULT_WHOLE_SLICE,
    MATCHES,
    UNSTATED,
    Judge,
    Model,
    Release,
    SliceRule,
    apply_exceptions,
    check_models,
)
from ingest.searchgen.policies import Policy, policy_of
from ingest.searchgen.registry_fields import Section
from warehouse import jsonl, storage
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    COMPONENTS_9,
    EXCLUDE,
    MISSING_POLICIES,
    MODEL_TYPES,
    PER_STATUS,
    PRIMARY_METRICS,
    WHOLE_SLICE,
    ZERO_FILL,
)
from warehouse.contracts.xslides_values import JUDGE_KINDS
from warehouse.errors import InputError

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class ReleaseManifest:
    """A manifest of a release.

    Attributes:
        content: the whole manifest.
        stated_default: policy of the release in one word, as stated.
        sha256: of the file.
        release: what it says about models, judge and policies, without the exceptions.
        exceptions: policies by model id, as stated.
        schema_version: as stated.
        prompt_count: as stated.
        partition: prompts by part, as stated.
        artifacts: names of the files of the release.
        generated_at: as stated; None when it is not.
        rounding_decimals: decimals of public scores.
    """

    content: dict[str, Any]
    stated_default: str
    sha256: str
    release: Release
    exceptions: Mapping[str, Policy]
    schema_version: str
    prompt_count: int
    partition: dict[str, Any]
    artifacts: tuple[str, ...]
    generated_at: str | None
    rounding_decimals: int

    def unmatched_exceptions(self) -> list[str]:
        """Return the exceptions that name no model: a renamed model has lost its policy."""
        return sorted(name for name in self.exceptions if self.release.find(name) is None)

    def full_release(self) -> Release:
        """Return the release with all policies.

        Raises:
            InputError: when an exception names no model.
        """
        models = apply_exceptions(self.release.models, self.exceptions, MANIFEST)
        return replace(self.release, models=models)


def read_manifest(path: Path) -> ReleaseManifest:
    """Read a manifest of the published shapes or of ours.

    Raises:
        InputError: when it cannot be read or has a part of no known shape.
    """
    try:
        content = jsonl.read_json(path)
    except (OSError, jsonl.StrictJsonError) as error:
        raise InputError(f"`{path}` cannot be read", got=str(error)) from None
    top = Section(f"`{path.name}`", content)
    schema_version = top.text("schema_version")
    scoring, dataset = top.section("scoring"), top.section("dataset")
    _check_components(scoring)
    stated = scoring.choice("missing_policy_default", MISSING_POLICIES)
    # Where statuses differ each model states its own; the default then decides nothing.
    default = DEFAULT_POLICY if stated == PER_STATUS else policy_of(stated)
    digest = storage.sha256_file(path)
    return ReleaseManifest(
        content=content,
        stated_default=stated,
        sha256=digest,
        release=_release(top, scoring, dataset, default, digest),
        exceptions=_exceptions(scoring, content, default),
        schema_version=schema_version,
        prompt_count=dataset.count("n_prompts"),
        partition=top.free("partition"),
        artifacts=top.texts("artifacts"),
        generated_at=top.optional_text("generated_at"),
        rounding_decimals=scoring.count("public_rounding_decimals"),
    )


def _release(
    top: Section, scoring: Section, dataset: Section, default: Policy, digest: str
) -> Release:
    judge, lanes = top.section("judge"), top.section("lanes")
    lane = lanes.name("published", DEFAULT_LANE)
    models = _models(top.section("models"), lane, default)
    whole = top.name("output_slice", DEFAULT_WHOLE_SLICE)
    return Release(
        file=MANIFEST,
        file_sha256=digest,
        release=top.optional_name("release"),
        models=models,
        dataset=top.optional_name("dataset_id"),
        benchmark_name=top.text("benchmark"),
        primary_metric=scoring.choice("primary_metric", PRIMARY_METRICS, PRIMARY_METRICS[0]),
        published_lane=lane,
        minimum_coverage=top.share("minimum_coverage", DEFAULT_MINIMUM_COVERAGE),
        default_policy=default,
        judge=Judge(
            judge.text("id", UNSTATED),
            judge.choice("kind", JUDGE_KINDS, UNSTATED),
            scoring.optional_text("source"),
            judge.free("settings"),
        ),
        source_commit=top.optional_text("source_commit"),
        whole_slice_name=whole,
        subset_field=top.section("evaluation_slices").text("subset_field", "subset"),
        slices=_slices(top.section("evaluation_slices").section("named"), whole),
        prompts_file=dataset.optional_text("filename"),
        prompts_sha256=dataset.optional_text("sha256"),
        evaluation_config_id=judge.optional_text("evaluation_config_id"),
        extractor=judge.optional_text("extractor"),
    )


def _models(part: Section, lane: str, default: Policy) -> tuple[Model, ...]:
    models = []
    for position, model_id in enumerate(part.names(), start=1):
        one = part.section(model_id)
        source_id = one.name("source_id")
        models.append(
            Model(
                source_id=source_id,
                model_id=model_id,
                display_name=one.text("display_name"),
                model_type=one.choice("type", MODEL_TYPES),
                order=one.count("order", position),
                lane=one.name("lane", lane),
                generator=source_id,
                policy=one.policy("missing_policies", default) or default,
                aliases=one.texts("aliases"),
            )
        )
    check_models(models, MANIFEST)
    return tuple(models)


def _slices(part: Section, whole: str) -> dict[str, SliceRule]:
    """Return the named slices; that of all prompts is no named one."""
    rules = {}
    for name in part.names():
        one = part.section(name)
        tags = one.texts("include_tags")
        if name not in (whole, WHOLE_SLICE):
            match = one.choice("match", MATCHES, "all")
            rules[name] = SliceRule(tags, match, one.optional_count("expected_rows"))
    return rules


def _exceptions(scoring: Section, content: dict[str, Any], default: Policy) -> dict[str, Policy]:
    """Return policies by model id: listed models have the other policy, objects name theirs."""
    stated = content.get("scoring", {}).get("missing_policy_exceptions")
    if stated is None:
        return {}
    if isinstance(stated, list):
        other = policy_of(EXCLUDE if default.word == ZERO_FILL else ZERO_FILL)
        return dict.fromkeys(scoring.texts("missing_policy_exceptions"), other)
    part = scoring.section("missing_policy_exceptions")
    return {name: part.policy(name, default) or default for name in part.names()}


def _check_components(scoring: Section) -> None:
    for name, known in (
        ("overall_9_components", COMPONENTS_9),
        ("overall_10_components", COMPONENTS),
    ):
        found = scoring.texts(name)
        if set(found) != set(known):
            raise InputError(
                f"`{name}` of `{MANIFEST}` are other components",
                expected=", ".join(known),
                got=", ".join(found) or "none",
            )
