"""Which judge a command asks, opened and closed around the stages that ask it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.endpoint.settings import EndpointSettings
from ingest.judge.interface import Judge
from ingest.judge.offline import OfflineJudge
from podium import settings
from podium.endpoint_settings import read_endpoint, read_price_table
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

if TYPE_CHECKING:
    from ingest.endpoint.calls import CallContext
    from ingest.endpoint.session import Session

AUTO, OFFLINE, ENDPOINT, REPLAY = "auto", "offline", "endpoint", "replay"
NAMES = (AUTO, OFFLINE, ENDPOINT, REPLAY)


@dataclass(frozen=True)
class JudgeChoice:
    """Who judges and what it may cost.

    Attributes:
        name: auto (the endpoint when one is configured, else offline), offline, endpoint, or
            replay (replies that are kept, and nothing else).
        max_requests: HTTP requests that may be sent, retries counted; None: no limit.
        budget_usd: dollars that may be spent, by the user's prices; None: no limit.
        prices: the user's price table; None takes PODIUM_PRICES.
        is_batch: whether replies are fetched through the provider's batch API.
        used_requests: requests of `max_requests` that batches of this command used.
        used_usd: dollars of `budget_usd` that they used.
    """

    name: str = AUTO
    max_requests: int | None = None
    budget_usd: Decimal | None = None
    prices: Path | None = None
    is_batch: bool = False
    used_requests: int = 0
    used_usd: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise UsageError(f"there is no judge `{self.name}`", expected=", ".join(NAMES))
        if self.is_batch and self.name == REPLAY:
            raise UsageError(
                "`--batch` asks the endpoint, and a replay asks nobody",
                fix="leave one of --batch and --judge replay out",
            )


def chosen_endpoint(choice: JudgeChoice) -> EndpointSettings | None:
    """Return the endpoint that a choice comes to; None for the offline judge.

    Raises:
        UsageError: when an endpoint is asked for and none is configured, or a setting cannot be
            used.
    """
    configured = None if choice.name == OFFLINE else read_endpoint(settings.read_layers())
    if configured is None and choice.name in (ENDPOINT, REPLAY):
        raise UsageError(
            f"judge `{choice.name}` needs an endpoint, and none is configured",
            fix="set PODIUM_JUDGE_BASE_URL and PODIUM_JUDGE_MODEL, see docs/endpoints.md",
        )
    return configured


def check_choice(choice: JudgeChoice) -> None:
    """Check what can be checked before anything is done.

    Raises:
        UsageError: when an endpoint is asked for and none is configured, when a setting cannot
            be used, or when a budget in dollars has no prices.
        InputError: when the price table is none.
    """
    configured = chosen_endpoint(choice)
    if configured is None or choice.name == REPLAY:
        return
    prices = read_price_table(settings.read_layers(), choice.prices)
    if choice.budget_usd is not None:
        models = [one.model for one in configured.roles.values()]
        prices.require(models, datetime.now(UTC).date())


@contextmanager
def opened_judge(
    paths: WarehousePaths, choice: JudgeChoice, dataset_id: str, run_id: str | None = None
) -> Iterator[Judge]:
    """Yield the judge of a command of xslides.

    Args:
        paths: the warehouse, which keeps replies and records of calls.
        choice: who, and within which limits.
        dataset_id: dataset that the calls serve.
        run_id: run that they serve; None for stages before a run.

    Raises:
        UsageError: when an endpoint is asked for and none is configured, when a setting cannot
            be used, or when a budget in dollars has no prices.
    """
    configured = chosen_endpoint(choice)
    if configured is None:
        yield OfflineJudge()
        return
    # The client's packages take most of a second to import; offline commands do without.
    from ingest.endpoint.calls import CallContext
    from ingest.judge.endpoint_judge import EndpointJudge

    context = CallContext("xslides", dataset_id, run_id)
    with opened_session(paths, choice, configured, context) as session:
        yield EndpointJudge(session, configured)


@contextmanager
def opened_session(
    paths: WarehousePaths,
    choice: JudgeChoice,
    configured: EndpointSettings,
    context: CallContext,
) -> Iterator[Session]:
    """Yield who answers requests: the endpoint, or a replay of what it said.

    Args:
        paths: the warehouse, which keeps replies and records of calls.
        choice: within which limits; `replay` asks nobody.
        configured: the endpoints.
        context: what the calls serve.

    Raises:
        UsageError: when a budget in dollars has no prices.
    """
    from ingest.endpoint.asker import Stores
    from ingest.endpoint.budget import Limits
    from ingest.endpoint.cache import ReplyCache, cache_folder
    from ingest.endpoint.calls import CallLog, calls_folder
    from ingest.endpoint.session import EndpointSession, ReplaySession

    stores = Stores(
        ReplyCache(cache_folder(paths)),
        CallLog(calls_folder(paths, context), context),
        read_price_table(settings.read_layers(), choice.prices),
    )
    if choice.name == REPLAY:
        with ReplaySession(configured, stores) as replay:
            yield replay
        return
    limits = Limits(choice.max_requests, choice.budget_usd, choice.used_requests, choice.used_usd)
    with EndpointSession(configured, stores, limits) as session:
        yield session
