"""`--batch`: what stages will ask, fetched through the provider's batch API before they run.

A batch is a way to fill the cache. The stages are run on copies of their tree, and every
request that is certain and has no reply yet goes into a batch; its replies make further
requests certain. When a round finds nothing new, the stages run as always.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from ingest.endpoint import modes
from ingest.endpoint.asking import Asking
from ingest.endpoint.batch_asker import BatchAsker, Ended, Say
from ingest.endpoint.batch_errors import BatchError
from ingest.endpoint.batch_files import BatchFiles, FileLimits, Form
from ingest.endpoint.batch_store import BatchRecord, BatchStore, batches_folder
from ingest.endpoint.budget import Budget, Limits, Reservation
from ingest.endpoint.calls import CallContext
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.settings import EndpointSettings
from ingest.judge.endpoint_forms import check_of
from ingest.judge.estimating_judge import Planned
from podium import settings
from podium.endpoint_settings import read_price_table
from podium.estimating import Estimator, Stages
from podium.judging import OFFLINE, REPLAY, JudgeChoice, check_choice, chosen_endpoint
from warehouse.paths import WarehousePaths

NOBODY = "the offline judge does this: --batch sends nothing"


def fill_by_batches(
    paths: WarehousePaths,
    choice: JudgeChoice,
    stages: Stages,
    context: CallContext,
    say: Say,
    limits: FileLimits | None = None,
) -> JudgeChoice:
    """Have batches answer what stages will ask, and return the choice with what is left of it.

    Args:
        paths: the warehouse, which keeps batches, replies and records of calls.
        choice: who is asked; without `is_batch` nothing is sent.
        stages: run the stages against a judge, on a tree that they leave as it is.
        context: what the calls serve.
        say: told what happens, a line each.
        limits: how much one input file may hold.

    Raises:
        BatchError: when the provider refuses a batch.
        BatchPendingError: when batches take too long; the same command goes on.
        LockedError: when another process works on batches of this warehouse.
        UsageError: when a setting cannot be used, or a budget in dollars has no prices.
    """
    store = BatchStore(batches_folder(paths))
    if not choice.is_batch:
        _warn(store, choice, say)
        return choice
    check_choice(choice)
    configured = chosen_endpoint(choice)
    if configured is None:
        say(NOBODY)
        return choice
    prices = read_price_table(settings.read_layers(), choice.prices)
    with store.locked():
        try:
            filling = _Filling(paths, store, configured, prices, choice, say, limits)
            return filling.run(stages, context)
        except KeyboardInterrupt:
            _tell_open(store, say)
            raise


class _Filling:
    """The rounds of one command."""

    def __init__(
        self,
        paths: WarehousePaths,
        store: BatchStore,
        configured: EndpointSettings,
        prices: PriceTable,
        choice: JudgeChoice,
        say: Say,
        limits: FileLimits | None,
    ) -> None:
        self._limits = limits
        self._paths = paths
        self._store = store
        self._configured = configured
        self._prices = prices
        self._choice = choice
        self._say = say
        self._asker = BatchAsker(paths, store, configured, prices, say, check_of)
        self._budget = Budget(Limits(choice.max_requests, choice.budget_usd))
        self._reservations: dict[str, Reservation] = {}
        self._submitted: set[str] = set()
        self._next_forms: dict[str, Form] = {}
        self._day = datetime.now(UTC).date()
        self._is_full = False

    def run(self, stages: Stages, context: CallContext) -> JudgeChoice:
        """Go on with open batches, then send round after round until nothing new is certain."""
        self._end(self._asker.resume())
        while records := self._collected(stages, context):
            self._end(self._asker.complete(records, self._settle))
        if self._is_full:
            self._say("batches: the limits admit no further request")
        return replace(
            self._choice,
            used_requests=self._budget.request_count,
            used_usd=self._budget.spent_usd,
        )

    def _collected(self, stages: Stages, context: CallContext) -> list[BatchRecord]:
        """Return new batches of all that is certain and not answered, as far as limits admit."""
        files = BatchFiles(self._store, context, _now, self._limits)
        self._is_full = False
        estimator = Estimator(self._paths, self._configured, self._prices, self._day)
        try:
            estimator.each_exact(stages, lambda one: self._add(files, one))
        except BaseException:
            files.discard()
            raise
        return files.close()

    def _add(self, files: BatchFiles, planned: Planned) -> None:
        following = self._next_forms.get(planned.key)
        # Once one does not fit, smaller ones do not slip in behind it.
        if self._is_full or (planned.key in self._submitted and following is None):
            return
        role = self._configured.of(planned.request.role)
        first = Form(modes.first_dialect(role), planned.request.sampling.max_output_tokens)
        form = following or first
        price = self._prices.at(role.model, self._day)
        asking = Asking(planned.request, planned.key, role, form.dialect, form.limit, price)
        reservation = self._budget.admit_now(asking.worst_cost())
        if reservation is None:
            self._is_full = True
            return
        files.add(planned.request, planned.key, role, form)
        self._reservations[planned.key] = reservation
        self._submitted.add(planned.key)
        self._next_forms.pop(planned.key, None)

    def _end(self, ended: Ended) -> None:
        self._next_forms.update(ended.next_forms)
        if ended.troubles:
            raise BatchError(
                "a batch did not end as it should",
                got="; ".join(ended.troubles),
                fix="mend what the provider names and give the same command again, or ask "
                "without --batch; replies that came are kept",
            )

    def _settle(self, key: str, usd: Decimal | None) -> None:
        reservation = self._reservations.pop(key, None)
        if reservation is not None:
            self._budget.settle_now(reservation, usd)


def _warn(store: BatchStore, choice: JudgeChoice, say: Say) -> None:
    """Tell of open batches whose requests are about to be paid for again."""
    if choice.name in (OFFLINE, REPLAY) or not store.folder.is_dir():
        return
    if store.open_records() and chosen_endpoint(choice) is not None:
        _tell_open(store, say)


def _tell_open(store: BatchStore, say: Say) -> None:
    count = sum(one.request_count for one in store.open_records())
    if count:
        say(
            f"batches with {count} requests stay at the provider: with --batch the same command "
            "takes their replies, without it they are asked and paid for again"
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
