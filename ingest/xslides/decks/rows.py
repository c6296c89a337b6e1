"""One row of a run sheet: decide whether its deck is wanted, make it, store it, say how it went."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from filelock import FileLock, Timeout

from ingest.xslides.decks import files as deck_files
from ingest.xslides.decks.commands import Adapter
from ingest.xslides.decks.process import Ended, Ending, run_command
from ingest.xslides.decks.run_sheet import RunSheetRow
from ingest.xslides.decks.status import (
    RowRecord,
    RowStatus,
    read_record,
    work_folder,
    write_record,
)
from ingest.xslides.stage import utc_now
from ingest.xslides.tree import ArtifactTree, is_plain_file
from warehouse import storage
from warehouse.errors import InputError

FOREIGN = "the deck was there already and was not made by this runner"
_BY_ENDING = {Ending.TIMED_OUT: RowStatus.TIMED_OUT, Ending.INTERRUPTED: RowStatus.INTERRUPTED}


@dataclass(frozen=True)
class DeckTask:
    """A row with what its command may be given beyond the usual.

    Attributes:
        row: the row of the run sheet.
        values: further placeholders.
        files: further files that the deck is made of, hashed under these names.
    """

    row: RunSheetRow
    values: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Workshop:
    """What all rows of one batch share.

    Attributes:
        tree, run: where the rows belong.
        env: environment of the commands; an adapter's own variables are put over it.
        secrets: values that reach no file.
        force: make decks that are complete or foreign again.
        stop: set when the runner is to end.
        clock: gives the time for volatile fields.
    """

    tree: ArtifactTree
    run: str
    env: Mapping[str, str]
    secrets: tuple[str, ...] = ()
    force: bool = False
    stop: threading.Event = field(default_factory=threading.Event, compare=False)
    clock: Callable[[], str] = field(default=utc_now, compare=False)


def make_deck(shop: Workshop, task: DeckTask, adapter: Adapter) -> RowRecord:
    """Make the deck of one row unless it is complete; return how that ended.

    A deck is complete when this runner made it from the same source, prompt and command, or when
    somebody else put it there. The outcome is written before this returns; a row that is skipped
    keeps the record that it has.
    """
    row = task.row
    if shop.stop.is_set():
        return RowRecord(row.key, RowStatus.INTERRUPTED, "the runner was stopped before this row")
    old = read_record(shop.tree, shop.run, row.key)
    fresh = RowRecord(
        row.key,
        RowStatus.FAILED,
        deck_sha256="" if old is None else old.deck_sha256,
        started_at=shop.clock(),
    )
    work = work_folder(shop.tree, shop.run, row.key)
    try:
        _check_inside(shop.tree, work)
        work.mkdir(parents=True, exist_ok=True)
        with FileLock(work.with_suffix(".lock"), timeout=0):
            record = _RowMaker(shop, task, adapter, work).make(fresh)
    except Timeout:
        return replace(fresh, status=RowStatus.SKIPPED, message="another runner has this row")
    except (InputError, OSError, ValueError) as error:
        message = error.render() if isinstance(error, InputError) else str(error)
        record = replace(fresh, message=message.replace("\n", ";"), ended_at=shop.clock())
        write_record(shop.tree, shop.run, record)
    return record


class _RowMaker:
    """The steps of one row, with its lock held."""

    def __init__(self, shop: Workshop, task: DeckTask, adapter: Adapter, work: Path) -> None:
        self._shop = shop
        self._task = task
        self._row = task.row
        self._adapter = adapter
        self._work = work

    def make(self, fresh: RowRecord) -> RowRecord:
        tree, run = self._shop.tree, self._shop.run
        source, prompt = self._source(), self._prompt()
        target = deck_files.target_of(tree, run, self._row)
        fresh = replace(fresh, inputs=self._inputs(source, prompt))
        # Read with the lock held: another runner may have ended this row a moment ago.
        old = self._finish_placing(read_record(tree, run, self._row.key))
        if old is not None:
            fresh = replace(fresh, deck_sha256=old.deck_sha256)
        if not self._shop.force:
            complete = self._complete(old, fresh)
            if complete is not None:
                return complete
        self._clear()
        attempt = Path(tempfile.mkdtemp(prefix="attempt-", dir=self._work))
        output = attempt / "output" / target.name
        output.parent.mkdir()
        ended = self._run(attempt, output, source, prompt)
        record = replace(
            fresh,
            exit_code=ended.exit_code if ended.ending is Ending.EXITED else None,
            seconds=round(ended.seconds, 3),
            stdout_tail=ended.stdout_tail,
            stderr_tail=ended.stderr_tail,
            ended_at=self._shop.clock(),
        )
        record = self._judge(record, ended, attempt, output, target)
        if record.status is RowStatus.PLACING:
            record = self._place(record)
        write_record(tree, run, record)
        if record.status is RowStatus.DONE:
            self._clear()
        return record

    def _source(self) -> Path:
        tree, row = self._shop.tree, self._row
        stated = tree.inside(row.source_path) if row.source_path else None
        source = stated or tree.source_file(row.key.case_label)
        if source is None or not is_plain_file(source):
            raise InputError(f"the source `{row.source_path or row.key.case_label}` is not there")
        return source

    def _prompt(self) -> Path | None:
        tree, row = self._shop.tree, self._row
        prompt = tree.inside(row.prompt_path) if row.prompt_path else None
        if row.prompt_path and (prompt is None or not prompt.is_file()):
            raise InputError(f"the prompt `{row.prompt_path}` is not there")
        return prompt

    def _inputs(self, source: Path, prompt: Path | None) -> tuple[tuple[str, str], ...]:
        files = {"source": source, **self._task.files}
        if prompt is not None:
            files["prompt"] = prompt
        hashes = {f"{name}_sha256": storage.sha256_file(path) for name, path in files.items()}
        return tuple(sorted({**hashes, "command_sha256": self._adapter.sha256}.items()))

    def _finish_placing(self, old: RowRecord | None) -> RowRecord | None:
        """Finish what a kill left between judging a deck and recording it."""
        if old is None or old.status is not RowStatus.PLACING:
            return old
        tree = self._shop.tree
        target, staged = tree.inside(old.deck_path), tree.inside(old.staged)
        if target is None or staged is None or not staged.is_relative_to(self._work):
            return replace(old, status=RowStatus.FAILED)
        if deck_files.has_hash(target, old.deck_sha256):
            done = replace(old, status=RowStatus.DONE, staged="")
        elif deck_files.has_hash(staged, old.deck_sha256):
            done = self._place(old)
        else:
            return replace(old, status=RowStatus.FAILED)
        write_record(tree, self._shop.run, done)
        self._clear()
        return done

    def _complete(self, old: RowRecord | None, fresh: RowRecord) -> RowRecord | None:
        tree, run = self._shop.tree, self._shop.run
        deck = deck_files.standing_deck(tree, run, self._row)
        if deck is None:
            return None
        sha256 = storage.sha256_file(deck)
        skipped = replace(
            fresh, status=RowStatus.SKIPPED, deck_path=tree.relative(deck), deck_sha256=sha256
        )
        if fresh.deck_sha256 != sha256:
            # Its hash is not kept: a deck that we did not make is never ours to replace.
            foreign = replace(skipped, message=FOREIGN, deck_sha256="", started_at="", ended_at="")
            if old is None or (old.status is not RowStatus.DONE and old != foreign):
                write_record(tree, run, foreign)
            return replace(foreign, deck_sha256=sha256)
        is_same = old is not None and old.status is RowStatus.DONE and old.inputs == fresh.inputs
        return skipped if is_same and deck_files.deck_format(deck) else None

    def _run(self, attempt: Path, output: Path, source: Path, prompt: Path | None) -> Ended:
        key = self._row.key
        values = {
            "source": str(source.resolve()),
            "output": str(output.resolve()),
            "work_dir": str(attempt.resolve()),
            "system_id": key.system_id,
            "condition": key.condition,
            "audience": key.audience,
            "case_label": key.case_label,
            "run": self._shop.run,
            **self._task.values,
        }
        if prompt is not None:
            values["prompt"] = str(prompt.resolve())
            if self._adapter.uses("prompt_text"):
                values["prompt_text"] = prompt.read_text(encoding="utf-8")
        folder = self._adapter.folder or Path.cwd()
        return run_command(
            self._adapter.filled(values),
            env={**self._shop.env, **self._adapter.env},
            folder=attempt if self._adapter.is_run_in_work_dir else folder,
            timeout=self._adapter.timeout,
            stop=self._shop.stop,
            secrets=self._shop.secrets,
        )

    def _judge(
        self, record: RowRecord, ended: Ended, attempt: Path, output: Path, target: Path
    ) -> RowRecord:
        """Return the record as FAILED and the like, or as PLACING with the deck staged."""
        if ended.ending is not Ending.EXITED:
            message = f"ended after {ended.seconds:.1f} s"
            return replace(record, status=_BY_ENDING[ended.ending], message=message)
        if ended.exit_code:
            message = f"the command ended with {ended.exit_code}"
            return replace(record, status=RowStatus.FAILED, message=message)
        found = self._found(attempt, output)
        if isinstance(found, str):
            return replace(record, status=RowStatus.NO_OUTPUT, message=found)
        staged = attempt / "staged"
        inside = found.resolve().is_relative_to(attempt.resolve())
        copied = deck_files.stage_copy(found, staged) if inside else None
        if copied is None:
            what = "is neither PPTX nor PDF" if inside and not found.is_symlink() else "is a link"
            message = f"`{found.name}` {what}"
            return replace(record, status=RowStatus.NOT_A_DECK, message=message)
        form, sha256 = copied
        stored = target.with_name(deck_files.named_as(target.name, form))
        note = "" if stored == target else f"it is a {form.upper()} and is stored as one"
        tree = self._shop.tree
        return replace(
            record,
            status=RowStatus.PLACING,
            message=note,
            deck_path=tree.relative(stored),
            deck_sha256=sha256,
            staged=tree.relative(staged),
        )

    def _found(self, attempt: Path, output: Path) -> Path | str:
        pattern = self._adapter.deck
        if pattern is None:
            is_there = output.is_symlink() or output.exists()
            return output if is_there else "the command made no file at its output path"
        matches = sorted(path for path in attempt.glob(pattern) if not path.is_dir())
        if len(matches) == 1:
            return matches[0]
        return f"{len(matches) or 'no'} files match `{pattern}`"

    def _place(self, record: RowRecord) -> RowRecord:
        """Move the staged deck to its place; what stood there as the deck of this row goes."""
        tree, run = self._shop.tree, self._shop.run
        target = tree.root / record.deck_path
        before = deck_files.standing_deck(tree, run, self._row)
        write_record(tree, run, record)
        deck_files.place(tree.root / record.staged, target)
        if before is not None and before != target:
            before.unlink(missing_ok=True)
        return replace(record, status=RowStatus.DONE, staged="")

    def _clear(self) -> None:
        """Remove the attempts of this row, also those that a kill left."""
        for folder in self._work.glob("attempt-*"):
            if not folder.is_symlink():
                # What stays costs space and nothing else: an attempt is never looked at again.
                with suppress(OSError):
                    shutil.rmtree(folder)


def _check_inside(tree: ArtifactTree, path: Path) -> None:
    if tree.inside(tree.relative(path)) is None:
        raise InputError(f"`{tree.relative(path)}` leads out of the data root")
