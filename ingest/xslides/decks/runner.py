"""Stage 4: run the command of each system over the rows of a run sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any

from ingest.xslides.decks.commands import PLACEHOLDERS, Adapter, secret_values
from ingest.xslides.decks.rows import DeckTask, Workshop, make_deck
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.decks.selection import RowFilter
from ingest.xslides.decks.sheet import nothing_selected
from ingest.xslides.decks.status import RowRecord, RowStatus, write_batch
from ingest.xslides.decks.twins import find_twins
from ingest.xslides.stage import Progress, StageReport, Tally, incomplete
from ingest.xslides.tree import ArtifactTree, check_name
from warehouse.errors import UsageError

MAX_JOBS = 256


@dataclass(frozen=True)
class RunnerOptions:
    """How decks are made.

    Attributes:
        rows: which rows are taken.
        jobs: commands at a time, 1 to `MAX_JOBS`.
        device: value of `{device}`, e.g. `cuda:0`; None when there is none.
        shop: environment, secrets, force, clock.
    """

    shop: Workshop
    rows: RowFilter = field(default_factory=RowFilter)
    jobs: int = 1
    device: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.jobs <= MAX_JOBS:
            raise UsageError(
                "the number of jobs is out of range",
                expected=f"1 to {MAX_JOBS}",
                got=str(self.jobs),
            )


def run_decks(
    tree: ArtifactTree,
    run: str,
    adapters: Mapping[str, Adapter],
    options: RunnerOptions,
    progress: Progress | None = None,
) -> StageReport:
    """Make the decks of a run sheet that are not complete. See `make_deck`.

    Args:
        tree: the artifact tree.
        run: name of the run; its sheet says what is to be made.
        adapters: command of each system; rows of other systems are not touched.
        options: which rows, and how.
        progress: told after each row.

    Raises:
        UsageError: when a command cannot be used.
        KeyboardInterrupt: when the runner is stopped; commands are ended and recorded first.
    """
    check_name("run", run)
    rows, findings = read_run_sheet(tree, run)
    tasks = [DeckTask(row) for row in rows if row.key.system_id in adapters]
    report = run_tasks(tree, run, tasks, adapters, options, progress)
    return replace(report, findings=tuple(dict.fromkeys((*findings, *report.findings))))


def run_tasks(
    tree: ArtifactTree,
    run: str,
    tasks: Sequence[DeckTask],
    adapters: Mapping[str, Adapter],
    options: RunnerOptions,
    progress: Progress | None = None,
) -> StageReport:
    """Make the decks of the tasks that the filter takes; as `run_decks`."""
    if options.device is not None:
        device = {"device": options.device}
        tasks = [replace(task, values={**task.values, **device}) for task in tasks]
    chosen = [task for task in tasks if options.rows.takes(task.row.key)]
    tally = Tally("decks", len(chosen), progress)
    if not chosen:
        tally.find(nothing_selected(run, "no row of the run sheet was selected"))
        return tally.report()
    shop = _checked(chosen, adapters, options)
    started_at = shop.clock()
    records: list[RowRecord] = []
    try:
        with ThreadPoolExecutor(options.jobs, thread_name_prefix="deck") as pool:
            _make_all(pool, shop, chosen, adapters, records, tally)
    finally:
        about: dict[str, Any] = {
            "started_at": started_at,
            "ended_at": shop.clock(),
            "filter": _shown(options.rows),
            "is_forced": shop.force,
        }
        tally.note(f"batch summary: {tree.relative(write_batch(tree, run, records, about))}")
    tally.find(*find_twins(tree, run, {task.row.key.case_label for task in chosen}))
    return tally.report()


def _make_all(
    pool: ThreadPoolExecutor,
    shop: Workshop,
    tasks: Sequence[DeckTask],
    adapters: Mapping[str, Adapter],
    records: list[RowRecord],
    tally: Tally,
) -> None:
    futures: list[Future[RowRecord]] = []
    try:
        for task in tasks:
            adapter = adapters[task.row.key.system_id]
            futures.append(pool.submit(make_deck, shop, task, adapter))
        for future in as_completed(futures):
            record = future.result()
            records.append(record)
            _tell(record, tally)
    except BaseException:
        # Ends the commands that run; rows that have not started see it and stay undone.
        shop.stop.set()
        known = {record.key for record in records}
        finished = [future.result() for future in futures if future.exception() is None]
        records.extend(record for record in finished if record.key not in known)
        raise


def _tell(record: RowRecord, tally: Tally) -> None:
    if record.status is RowStatus.DONE:
        if record.message:
            tally.note(f"`{record.deck_path}`: {record.message}")
        tally.count("done")
    elif record.status is RowStatus.SKIPPED:
        if record.message:
            tally.note(f"`{record.key.subject}` was skipped: {record.message}")
        tally.count("skipped")
    else:
        message = f"{record.status}: {record.message}"
        last = record.stderr_tail.strip().rpartition("\n")[2][:200]
        message += f"; its last words: {last}" if last else ""
        tally.find(incomplete("deck_was_made", record.key.subject, message))
        tally.count("failed")


def _checked(
    tasks: Sequence[DeckTask], adapters: Mapping[str, Adapter], options: RunnerOptions
) -> Workshop:
    """Refuse commands that cannot work before the first one runs; return the shop to use."""
    shop = options.shop
    systems = sorted({task.row.key.system_id for task in tasks})
    secrets = secret_values({**shop.env})
    for system in systems:
        secrets += secret_values(adapters[system].env)
    known = {*PLACEHOLDERS} - ({"device"} if options.device is None else set())
    for system in systems:
        adapter = adapters[system]
        extra = {name for task in tasks for name in task.values if task.row.key.system_id == system}
        path = adapter.env.get("PATH", shop.env.get("PATH"))
        adapter.check(known | extra, secrets, path)
    unique = sorted({*secrets, *shop.secrets}, key=lambda value: (-len(value), value))
    return replace(shop, secrets=tuple(unique))


def _shown(rows: RowFilter) -> dict[str, Any]:
    return {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in vars(rows).items()
    }
