"""The run sheet: one row per deck that a run is expected to hold."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from filelock import FileLock, Timeout

from ingest.xslides.stage import incomplete
from ingest.xslides.tree import AGNOSTIC, CONDITIONED, CONDITIONS, ArtifactTree, DeckKey, check_name
from warehouse import storage
from warehouse.errors import InputError, LockedError
from warehouse.findings import Finding

COLUMNS = (
    "system_id",
    "condition",
    "audience",
    "case_label",
    "source_path",
    "prompt_path",
    "deck_path",
)
MAX_BYTES = 64 * 1024 * 1024
LOCK_SECONDS = 60.0


@dataclass(frozen=True)
class RunSheetRow:
    """One expected deck; paths are relative to the data root, empty where not stated."""

    key: DeckKey
    source_path: str = ""
    prompt_path: str = ""
    deck_path: str = ""


def read_run_sheet(tree: ArtifactTree, run: str) -> tuple[list[RunSheetRow], list[Finding]]:
    """Read a run's sheet; an absent sheet has no rows. Bad rows become findings."""
    path = tree.run_sheet(run)
    if not path.is_file():
        return [], []
    file = tree.relative(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        missing = [name for name in COLUMNS[:4] if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"columns missing: {', '.join(missing)}")
        lines = [(reader.line_num, row) for row in reader]
    except (OSError, ValueError, csv.Error) as error:
        return [], [incomplete("run_sheet_is_readable", run, str(error), file)]
    rows: dict[DeckKey, RunSheetRow] = {}
    findings = []
    for line, cells in lines:
        try:
            row = _row(tree, cells)
            if row.key in rows:
                raise InputError("the deck stands twice in the run sheet")
        except InputError as error:
            findings.append(Finding("run_sheet_row_is_valid", run, error.what, file, line))
        else:
            rows[row.key] = row
    return sorted(rows.values(), key=lambda one: one.key), findings


def write_run_sheet(tree: ArtifactTree, run: str, rows: Iterable[RunSheetRow]) -> None:
    """Write a run's sheet, sorted by key, atomically."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda one: one.key):
        key = row.key
        writer.writerow(
            (
                *(key.system_id, key.condition, key.audience, key.case_label),
                *(row.source_path, row.prompt_path, row.deck_path),
            )
        )
    storage.write_text(tree.run_sheet(run), buffer.getvalue())


@contextlib.contextmanager
def run_sheet_lock(tree: ArtifactTree, run: str) -> Iterator[None]:
    """Hold the run sheet while it is read and written back, so that no writer loses rows.

    Raises:
        LockedError: when another process keeps it for more than `LOCK_SECONDS`.
    """
    path = tree.run_sheet(run).with_name(".run_sheet.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise LockedError(
            f"the run sheet of `{run}` is being written by another process",
            fix="wait for it, then give the same command again",
        ) from None
    try:
        yield
    finally:
        lock.release()


def _row(tree: ArtifactTree, cells: dict[str, str | None]) -> RunSheetRow:
    values = {name: (cells.get(name) or "").strip() for name in COLUMNS}
    condition = values["condition"] or AGNOSTIC
    if condition not in CONDITIONS:
        raise InputError(f"condition `{condition}` is neither {AGNOSTIC} nor {CONDITIONED}")
    audience = values["audience"]
    if condition == AGNOSTIC:
        audience = AGNOSTIC
    elif audience in ("", AGNOSTIC):
        raise InputError("a conditioned deck needs an audience")
    key = DeckKey(
        check_name("system id", values["system_id"]),
        condition,
        check_name("audience", audience),
        check_name("case label", values["case_label"]),
    )
    paths = {name: values[name] for name in ("source_path", "prompt_path", "deck_path")}
    for name, text in paths.items():
        if text and tree.inside(text) is None:
            raise InputError(f"`{name}` leads out of the data root")
    return RunSheetRow(key, **paths)
