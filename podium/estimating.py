"""What stages would ask and what it would cost, found by running them where nobody is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.settings import EndpointSettings
from ingest.endpoint.tokens import count_request
from ingest.judge.endpoint_forms import ROLES
from ingest.judge.estimating_judge import EstimatingJudge, Planned
from ingest.judge.exchange import Task
from ingest.judge.interface import Judge
from ingest.judge.stand_ins import Fewest, Likely, Most, StandIn
from warehouse.paths import WarehousePaths

Stages = Callable[[Judge], object]


@dataclass(frozen=True)
class Volume:
    """Requests to send and their input: both counts, equal requests once."""

    request_count: int = 0
    input_tokens: int = 0


@dataclass(frozen=True)
class TaskEstimate:
    """What one task would ask.

    Attributes:
        task: probes, weights, answerability, claims or verification.
        role: whose endpoint answers.
        model: model that is asked.
        exact: requests whose inputs are all there; they are these and no others.
        fewest: requests behind replies that are missing, if these are as short as can be.
        likely: the same, if they are as the offline judge's.
        most: the same, if they are as long as can be.
        kept_count: requests that the cache answers.
        low_usd: cost of the input of exact and fewest; None when the price is unknown.
        high_usd: cost of exact and most with every output limit used up; None likewise.
    """

    task: str
    role: str
    model: str
    exact: Volume
    fewest: Volume
    likely: Volume
    most: Volume
    kept_count: int
    low_usd: Decimal | None
    high_usd: Decimal | None

    def as_record(self) -> dict[str, Any]:
        """Return the estimate as JSON-serialisable fields; dollars are decimal texts."""
        record = asdict(self)
        for name in ("low_usd", "high_usd"):
            if record[name] is not None:
                record[name] = str(record[name])
        return record


@dataclass(frozen=True)
class _Counted:
    """What is kept of a planned request; its texts would fill the memory."""

    task: Task
    is_exact: bool
    is_kept: bool
    input_tokens: int


class Estimator:
    """Runs stages against stand-ins and counts.

    Args:
        paths: the warehouse, whose cache is looked at.
        settings: endpoint of each role.
        prices: the user's price table.
        day: day of the prices.
    """

    def __init__(
        self, paths: WarehousePaths, settings: EndpointSettings, prices: PriceTable, day: date
    ) -> None:
        self._cache = ReplyCache(cache_folder(paths))
        self._settings = settings
        self._prices = prices
        self._day = day
        self._tokens: dict[str, int] = {}

    def each_exact(self, stages: Stages, use: Callable[[Planned], None]) -> None:
        """Hand over each request that is certain and not answered yet, in the stages' order."""
        seen: set[str] = set()

        def note(one: Planned) -> None:
            if one.is_exact and not one.is_kept and one.key not in seen:
                seen.add(one.key)
                use(one)

        stages(EstimatingJudge(self._settings, self._cache, Fewest(), note))

    def estimate(self, stages: Stages) -> list[TaskEstimate]:
        """Return one estimate a task, in the order of the tasks; tasks without requests too.

        Args:
            stages: runs all stages against a judge; called once for each stand-in, on a tree
                that it must leave as it found it.
        """
        stand_ins: Sequence[StandIn] = (Fewest(), Likely(), Most(self._settings))
        passes = [self._counted(stages, one) for one in stand_ins]
        return [self._of(task, passes) for task in Task]

    def _counted(self, stages: Stages, stand_in: StandIn) -> list[_Counted]:
        """Return each request once; one that two ways lead to is exact if either is."""
        counted: dict[str, _Counted] = {}

        def note(one: Planned) -> None:
            known = counted.get(one.key)
            if known is None or (one.is_exact and not known.is_exact):
                tokens = self._tokens.get(one.key)
                if tokens is None:
                    tokens = count_request(one.request).estimate
                    self._tokens[one.key] = tokens
                counted[one.key] = _Counted(one.task, one.is_exact, one.is_kept, tokens)

        stages(EstimatingJudge(self._settings, self._cache, stand_in, note))
        return list(counted.values())

    def _of(self, task: Task, passes: Sequence[Sequence[_Counted]]) -> TaskEstimate:
        mine = [[one for one in counted if one.task is task] for counted in passes]
        exact = _volume(one for one in mine[0] if one.is_exact)
        fewest, likely, most = (
            _volume(one for one in counted if not one.is_exact) for counted in mine
        )
        role = self._settings.of(ROLES[task])
        price = self._prices.at(role.model, self._day)
        low = high = None
        if price is not None:
            low = price.worst_cost(exact.input_tokens + fewest.input_tokens, 0)
            high = price.worst_cost(
                exact.input_tokens + most.input_tokens,
                (exact.request_count + most.request_count) * role.max_output_tokens,
            )
        return TaskEstimate(
            task=task.value,
            role=role.role.value,
            model=role.model,
            exact=exact,
            fewest=fewest,
            likely=likely,
            most=most,
            kept_count=sum(one.is_kept for one in mine[0]),
            low_usd=low,
            high_usd=high,
        )


def _volume(counted: Iterable[_Counted]) -> Volume:
    asked = [one for one in counted if not one.is_kept]
    return Volume(len(asked), sum(one.input_tokens for one in asked))
