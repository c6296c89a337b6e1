"""`--estimate` of the commands of X+Slides: the stages, run on a copy of their tree."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from ingest.judge.interface import Judge
from ingest.xslides.tree import ArtifactTree
from podium import settings
from podium.endpoint_settings import read_price_table
from podium.estimating import Estimator, Stages, TaskEstimate
from podium.judging import JudgeChoice, chosen_endpoint
from podium.pdf_parsing import chosen_parser
from podium.stage_copies import stages_on_copies
from podium.xslides_run import RunRequest, run_stages, tree_root
from warehouse.paths import WarehousePaths


def whole_run(paths: WarehousePaths, request: RunRequest) -> Stages:
    """Return all stages of `podium xslides run` on copies; see `stages_on_copies`."""
    root = tree_root(paths, request.inputs, settings.dataset_id_of(request.inputs, request.dataset))
    is_tree = root == request.inputs

    def work(copy: ArtifactTree, judge: Judge) -> None:
        inputs = copy.root if is_tree else request.inputs
        parser = chosen_parser(paths, request.pdf_parser, may_ask=False)
        run_stages(
            copy, replace(request, inputs=inputs), judge, lambda _: None, lambda *_: None, parser
        )

    return stages_on_copies(paths, root, request.run, work)


def estimate(
    paths: WarehousePaths, choice: JudgeChoice, stages: Stages
) -> list[TaskEstimate] | None:
    """Return what stages would ask; None when the offline judge would do them.

    Nothing is asked, and nothing of the tree or the cache is changed.
    """
    configured = chosen_endpoint(choice)
    if configured is None:
        return None
    prices = read_price_table(settings.read_layers(), choice.prices)
    return Estimator(paths, configured, prices, datetime.now(UTC).date()).estimate(stages)
