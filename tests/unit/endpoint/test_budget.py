"""The budget alone: what is admitted, what waits, what is stopped for good."""

from __future__ import annotations

import asyncio
import random
from decimal import Decimal

import pytest

from ingest.endpoint.budget import Budget, Limits
from warehouse.errors import UsageError


def usd(text: str) -> Decimal:
    return Decimal(text)


def test_a_request_that_just_fits_is_admitted_and_one_more_is_not() -> None:
    async def job() -> None:
        budget = Budget(Limits(budget_usd=usd("0.3")))
        for _ in range(3):
            reservation = await budget.admit(usd("0.1"))
            assert reservation is not None
            await budget.settle(reservation, usd("0.1"))
        assert await budget.admit(usd("0.000001")) is None
        assert budget.spent_usd == usd("0.3")
        assert "--budget-usd 0.3" in budget.reason

    asyncio.run(job())


def test_what_does_not_fit_waits_for_those_in_flight() -> None:
    async def job() -> None:
        budget = Budget(Limits(budget_usd=usd("1")))
        first = await budget.admit(usd("0.9"))
        assert first is not None
        waiting = asyncio.ensure_future(budget.admit(usd("0.9")))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        await budget.settle(first, usd("0.05"))
        assert await waiting is not None
        assert not budget.is_spent

    asyncio.run(job())


def test_what_would_never_fit_is_not_waited_for() -> None:
    async def job() -> None:
        budget = Budget(Limits(budget_usd=usd("1")))
        first = await budget.admit(usd("0.5"))
        assert first is not None
        assert await budget.admit(usd("1.1")) is None
        # Spent is spent: a small request does not slip in where a large one did not.
        assert await budget.admit(usd("0.01")) is None

    asyncio.run(job())


def test_what_may_have_been_charged_counts_in_full() -> None:
    async def job() -> None:
        budget = Budget(Limits(budget_usd=usd("1")))
        first = await budget.admit(usd("0.6"))
        assert first is not None
        await budget.settle(first, None)
        await budget.settle(first, None)
        assert budget.spent_usd == usd("0.6")
        assert await budget.admit(usd("0.6")) is None

    asyncio.run(job())


def test_a_request_without_a_price_is_not_admitted_under_a_budget() -> None:
    async def job() -> None:
        assert await Budget(Limits(budget_usd=usd("1"))).admit(None) is None
        assert await Budget(Limits(max_requests=1)).admit(None) is not None

    asyncio.run(job())


@pytest.mark.parametrize("seed", range(20))
def test_no_order_of_events_passes_the_limits(seed: int) -> None:
    draw = random.Random(seed)
    limit, most = usd(str(draw.uniform(0.5, 3))), draw.randint(5, 60)
    budget = Budget(Limits(most, limit))
    charged: list[Decimal] = []

    async def ask() -> None:
        worst = usd(str(round(draw.uniform(0.001, 0.4), 6)))
        reservation = await budget.admit(worst)
        if reservation is None:
            return
        cost = worst * usd(str(round(draw.uniform(0, 1), 3)))
        charged.append(cost)
        assert sum(charged) <= limit
        await asyncio.sleep(draw.uniform(0, 0.002))
        await budget.settle(reservation, cost)

    async def job() -> None:
        await asyncio.gather(*(ask() for _ in range(100)))

    asyncio.run(job())
    assert budget.request_count == len(charged) <= most
    assert budget.spent_usd == sum(charged) <= limit
    assert budget.is_spent


@pytest.mark.parametrize("limits", [{"max_requests": -1}, {"budget_usd": usd("-0.1")}])
def test_limits_below_zero_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Limits(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["NaN", "Infinity"])
def test_a_budget_is_a_number(text: str) -> None:
    with pytest.raises(UsageError):
        Limits(budget_usd=usd(text))
