"""What a set of requests will cost, before any of them is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ingest.endpoint.asker import Stores
from ingest.endpoint.request import Request, Target, request_key
from ingest.endpoint.settings import EndpointSettings
from ingest.endpoint.tokens import count_request


@dataclass(frozen=True)
class Estimate:
    """Requests of one role and model.

    Attributes:
        role: who asks.
        model: who answers.
        request_count: requests to send; equal ones count once.
        cached_count: requests that the cache answers.
        input_tokens: estimated tokens of the requests to send.
        max_output_tokens: most tokens that the replies may have, without retries.
        low_usd: cost of the input alone; None when the price is unknown.
        high_usd: cost when every output limit is used up; None when the price is unknown.
    """

    role: str
    model: str
    request_count: int
    cached_count: int
    input_tokens: int
    max_output_tokens: int
    low_usd: Decimal | None
    high_usd: Decimal | None


def estimate(
    requests: Iterable[Request], settings: EndpointSettings, stores: Stores, day: date
) -> list[Estimate]:
    """Return one estimate a role and model, in the order in which they first occur.

    Args:
        requests: what would be asked.
        settings: endpoints of their roles.
        stores: cache and prices; nothing is written.
        day: day of the prices.
    """
    counts: dict[tuple[str, str], list[int]] = {}
    seen: set[str] = set()
    for request in requests:
        role = settings.of(request.role)
        key = request_key(request, Target.of(role))
        if key in seen:
            continue
        seen.add(key)
        sums = counts.setdefault((request.role.value, role.model), [0, 0, 0, 0])
        if key in stores.cache:
            sums[1] += 1
            continue
        sums[0] += 1
        sums[2] += count_request(request).estimate
        sums[3] += request.sampling.max_output_tokens
    found = []
    for (role_name, model), (asked, cached, tokens, most) in counts.items():
        price = stores.prices.at(model, day)
        low = None if price is None else price.worst_cost(tokens, 0)
        high = None if price is None else price.worst_cost(tokens, most)
        found.append(Estimate(role_name, model, asked, cached, tokens, most, low, high))
    return found
