"""How much may be asked: a bar on requests and on dollars that is never passed.

Every HTTP request is admitted before it is sent, with the most that it can cost: all of its
input fresh, all of its output used. Afterwards the difference is given back. What does not
fit waits while others in flight may still give something back; when nothing is in flight any
more, the budget is spent. From then on nothing is admitted, so that small requests do not
slip in behind large ones and bias what was judged.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal

from warehouse.errors import UsageError

_NOTHING = Decimal(0)


@dataclass(frozen=True)
class Limits:
    """What a session may use; None is no limit.

    Attributes:
        max_requests: HTTP requests, retries counted; 0 asks nothing.
        budget_usd: US dollars; 0 asks nothing that has a price above 0.
        used_requests: requests that count and were sent before.
        used_usd: US dollars that count and were spent before.
    """

    max_requests: int | None = None
    budget_usd: Decimal | None = None
    used_requests: int = 0
    used_usd: Decimal = _NOTHING

    def __post_init__(self) -> None:
        if self.max_requests is not None and self.max_requests < 0:
            raise UsageError("`--max-requests` must be 0 or more", got=str(self.max_requests))
        budget = self.budget_usd
        if budget is not None and (not budget.is_finite() or budget < 0):
            raise UsageError("`--budget-usd` must be 0 or more", got=str(budget))


@dataclass
class Reservation:
    """The most that one admitted request may cost."""

    usd: Decimal
    is_open: bool = True


class Budget:
    """What was used of the limits. Made and used inside one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._changed = asyncio.Condition()
        self._in_flight = 0
        self._reserved = _NOTHING
        self.spent_usd = limits.used_usd
        self.request_count = limits.used_requests
        self.reason = ""

    @property
    def is_spent(self) -> bool:
        """Return whether nothing more is admitted."""
        return bool(self.reason)

    async def admit(self, worst_usd: Decimal | None) -> Reservation | None:
        """Return a reservation once the request fits; None when the budget is spent.

        Args:
            worst_usd: the most that it can cost; None when its price is unknown, which no
                budget in dollars admits.
        """
        usd = _NOTHING if worst_usd is None else worst_usd
        async with self._changed:
            while not self.is_spent:
                reservation = self.admit_now(worst_usd)
                if reservation is not None:
                    return reservation
                if not self._in_flight or not self._may_give_back(usd):
                    self.reason = self._problem(usd, is_priced=worst_usd is not None) or ""
                    self._changed.notify_all()
                    break
                await self._changed.wait()
        return None

    def admit_now(self, worst_usd: Decimal | None) -> Reservation | None:
        """Return a reservation if the request fits at this moment, None if not; see `admit`."""
        usd = _NOTHING if worst_usd is None else worst_usd
        if self._problem(usd, is_priced=worst_usd is not None) is not None:
            return None
        self._in_flight += 1
        self._reserved += usd
        self.request_count += 1
        return Reservation(usd)

    async def settle(self, reservation: Reservation, usd: Decimal | None) -> None:
        """Give a reservation back and count what the request cost.

        Args:
            reservation: of `admit`; settling it twice counts once.
            usd: what it cost; None counts all that was reserved, since it may be charged.
        """
        async with self._changed:
            self.settle_now(reservation, usd)
            self._changed.notify_all()

    def settle_now(self, reservation: Reservation, usd: Decimal | None) -> None:
        """Count what a request cost, where nobody waits for what it gives back; see `settle`."""
        if not reservation.is_open:
            return
        reservation.is_open = False
        self._in_flight -= 1
        self._reserved -= reservation.usd
        self.spent_usd += reservation.usd if usd is None else usd

    def _problem(self, usd: Decimal, *, is_priced: bool) -> str | None:
        most, budget = self._limits.max_requests, self._limits.budget_usd
        if most is not None and self.request_count >= most:
            return f"--max-requests {most} is used up"
        if budget is None:
            return None
        if not is_priced:
            return "a request has no known price, and --budget-usd is set"
        if self.spent_usd + self._reserved + usd > budget:
            return (
                f"--budget-usd {budget} is used up: {self.spent_usd:.6f} USD spent, "
                f"the next request may cost {usd:.6f} USD"
            )
        return None

    def _may_give_back(self, usd: Decimal) -> bool:
        """Return whether the request would fit if all in flight cost nothing."""
        most, budget = self._limits.max_requests, self._limits.budget_usd
        if most is not None and self.request_count >= most:
            return False
        return budget is not None and self.spent_usd + usd <= budget
