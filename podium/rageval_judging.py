"""The job of podium rageval judge: answers of a run, judged by rules or by a model, landed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from ingest.landing_units import LandReport
from ingest.rageval.judging.landing import JudgingRequest, Told, judge_run
from ingest.rageval.judging.ruled import RuleJudge
from podium import settings
from podium.endpoint_settings import read_price_table
from podium.judging import JudgeChoice, check_choice, chosen_endpoint, opened_session
from warehouse.paths import WarehousePaths

if TYPE_CHECKING:
    from ingest.endpoint.prices import PriceTable
    from ingest.endpoint.reply import Usage

BENCHMARK = "rageval"


@dataclass(frozen=True)
class _Prices:
    """What tokens cost today, by the user's table."""

    table: PriceTable

    def __call__(self, model: str, usage: Usage) -> Decimal | None:
        price = self.table.at(model, datetime.now(UTC).date())
        return None if price is None else price.cost(usage)


def judge_answers(
    paths: WarehousePaths,
    request: JudgingRequest,
    choice: JudgeChoice,
    told: Told | None = None,
) -> LandReport:
    """Judge the answers of a run and land judgments, and the calls that they took.

    Args:
        paths: the warehouse.
        request: what is judged.
        choice: who judges, and within which limits.
        told: hears how many are done, and of how many.

    Raises:
        InputError: when no answers are landed.
        UsageError: when an endpoint is asked for and none is configured.
        JudgeStoppedError: when a limit is reached; what was answered is kept.
    """
    check_choice(choice)
    configured = chosen_endpoint(choice)
    if configured is None:
        return judge_run(paths, request, RuleJudge(), told)
    from ingest.endpoint.calls import CallContext
    from ingest.endpoint.land_calls import land_calls
    from ingest.rageval.judging.asked import AskingJudge, once

    context = CallContext(BENCHMARK, request.dataset_id, request.run_id)
    prices = _Prices(read_price_table(settings.read_layers(), choice.prices))
    asked_once = once(configured)
    try:
        with opened_session(paths, choice, asked_once, context) as session:
            return judge_run(paths, request, AskingJudge(session, asked_once, prices), told)
    finally:
        land_calls(paths, context, settings.code_version())
