"""What a release says of itself as landing rows: `searchgen/runs` and `searchgen/models`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ingest.searchgen.model_registry import Model, Release, SliceRule
from warehouse import identity, jsonl
from warehouse.landing import Row


@dataclass(frozen=True)
class RunIdentity:
    """Which release: `<dataset_id>/<release>` is its run id."""

    dataset_id: str
    release: str

    @property
    def run_id(self) -> str:
        """Return the id of the run."""
        return f"{self.dataset_id}/{self.release}"


def run_row(
    run: RunIdentity,
    release: Release,
    extractor: str,
    prompts_file: str | None,
    prompts_sha256: str | None,
) -> Row:
    """Return the row of `searchgen/runs`.

    Args:
        run: which release.
        release: what is stated about it.
        extractor: what read the components.
        prompts_file: name of the prompt metadata file; None when nothing states it.
        prompts_sha256: its SHA-256.
    """
    judge = release.judge
    config_id = release.evaluation_config_id or identity.content_id(
        "config",
        judge.judge_id,
        judge.kind,
        judge.scoring_source,
        dict(judge.settings),
        extractor,
    )
    return {
        "run_id": run.run_id,
        "dataset_id": run.dataset_id,
        "release": run.release,
        "benchmark_name": release.benchmark_name,
        "primary_metric": release.primary_metric,
        "published_lane": release.published_lane,
        "minimum_coverage": release.minimum_coverage,
        "missing_policy_default": release.default_policy.word,
        "missing_policies": jsonl.canonical(_policies(release)),
        "evaluation_config_id": config_id,
        "judge_id": judge.judge_id,
        "judge_kind": judge.kind,
        "scoring_source": judge.scoring_source,
        "judge_settings": jsonl.canonical(dict(judge.settings)),
        "extractor": extractor,
        "prompts_file": prompts_file,
        "prompts_sha256": prompts_sha256,
        "source_commit": release.source_commit,
        "whole_slice_name": release.whole_slice_name,
        "subset_field": release.subset_field,
        "slices": jsonl.canonical(
            {name: _slice(one) for name, one in sorted(release.slices.items())}
        ),
        "profile": release.profile,
        "source_file": release.file,
        "source_line": None,
    }


def model_row(run: RunIdentity, release: Release, model: Model) -> Row:
    """Return one row of `searchgen/models`."""
    return {
        "run_id": run.run_id,
        "dataset_id": run.dataset_id,
        "source_id": model.source_id,
        "model_id": model.model_id,
        "display_name": model.display_name,
        "model_type": model.model_type,
        "model_order": model.order,
        "aliases": list(model.aliases),
        "lane": model.lane,
        **model.policy.columns(),
        "expected_scored_count": model.expected_scored_count,
        "source_file": release.file,
        "source_line": None,
    }


def _policies(release: Release) -> dict[str, Any]:
    default = release.default_policy
    exceptions = {
        one.source_id: one.policy.record for one in release.models if one.policy != default
    }
    return {"default": default.record, "exceptions": exceptions}


def _slice(rule: SliceRule) -> dict[str, Any]:
    return {
        "include_tags": list(rule.include_tags),
        "match": rule.match,
        "expected_rows": rule.expected_rows,
    }
