"""Anchor runs: a judge opened with replies of its own run, asked, and its verdicts landed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ingest.endpoint.calls import CallContext
from ingest.endpoint.land_calls import land_calls
from ingest.endpoint.settings import EndpointSettings
from ingest.judge.acceptance.judging import Progress
from ingest.judge.anchors import (
    REPLIES,
    AnchorSet,
    Identity,
    Served,
    judge_anchors,
    open_run,
)
from ingest.judge.endpoint_forms import ROLES
from ingest.judge.exchange import Task
from ingest.judge.interface import Judge
from ingest.judge.land_anchors import BENCHMARK, DATASET, land_anchors
from ingest.judge.offline import OfflineJudge
from ingest.judge.prompts import template_of
from podium import settings
from podium.endpoint_settings import read_price_table
from podium.judging import REPLAY, JudgeChoice, chosen_endpoint
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths


@dataclass(frozen=True)
class AnchorOutcome:
    """How an anchor run ended: its folder, items, and how many were judged right."""

    folder: Path
    n_items: int
    n_correct: int

    @property
    def anchor_run_id(self) -> str:
        """Return the id of the run."""
        return self.folder.name


def run_anchors(
    paths: WarehousePaths,
    choice: JudgeChoice,
    anchors: AnchorSet,
    name: str | None = None,
    progress: Progress | None = None,
) -> AnchorOutcome:
    """Judge a set of anchors anew, or go on with the run that was stopped, and land it.

    Args:
        paths: the warehouse, which holds the run and its replies.
        choice: who, and within which limits; a replay could not be fresh.
        anchors: what is asked.
        name: id of the run; None goes on with an unfinished one, else starts a new one.
        progress: told after each question.

    Raises:
        UsageError: when a replay is asked for, no endpoint is configured, or the name is taken.
        JudgeStoppedError: when a limit is reached; the same command goes on later.
    """
    if choice.name == REPLAY:
        raise UsageError("anchors ask anew; a replay cannot", fix="--judge endpoint")
    configured = chosen_endpoint(choice)
    if configured is None:
        offline = OfflineJudge()
        who = Identity.of(offline.judge_kind, offline.id_of, offline.prompt_sha256)
        folder = open_run(paths, who, anchors, name)
        rows = judge_anchors(offline, anchors, folder, _nobody, progress)
    else:
        folder = open_run(paths, _identity(configured), anchors, name)
        with _opened(paths, choice, configured, folder) as (judge, served):
            rows = judge_anchors(judge, anchors, folder, served, progress)
    land_anchors(paths, folder, settings.code_version())
    land_calls(paths, CallContext(BENCHMARK, DATASET), settings.code_version())
    return AnchorOutcome(folder, len(rows), sum(row["is_correct"] for row in rows))


def _identity(configured: EndpointSettings) -> Identity:
    def id_of(task: Task) -> str:
        return configured.of(ROLES[task]).model

    return Identity.of("llm", id_of, lambda task: template_of(task).prompt.sha256)


def _nobody(_: str) -> None:
    return None


@contextmanager
def _opened(
    paths: WarehousePaths, choice: JudgeChoice, configured: EndpointSettings, folder: Path
) -> Iterator[tuple[Judge, Served]]:
    """Yield the judge of one anchor run, and who served a request of it."""
    # The client's packages take most of a second to import; offline commands do without.
    from ingest.endpoint.asker import Stores
    from ingest.endpoint.budget import Limits
    from ingest.endpoint.cache import ReplyCache
    from ingest.endpoint.calls import CallLog, calls_folder
    from ingest.endpoint.session import EndpointSession
    from ingest.judge.endpoint_judge import EndpointJudge

    context = CallContext(BENCHMARK, DATASET, f"{DATASET}/{folder.name}")
    cache = ReplyCache(folder / REPLIES)
    prices = read_price_table(settings.read_layers(), choice.prices)
    stores = Stores(cache, CallLog(calls_folder(paths, context), context), prices)

    def served(request_key: str) -> str | None:
        entry = cache.entry(request_key)
        return None if entry is None else entry["model_served"]

    limits = Limits(choice.max_requests, choice.budget_usd)
    with EndpointSession(configured, stores, limits) as session:
        yield EndpointJudge(session, configured), served
