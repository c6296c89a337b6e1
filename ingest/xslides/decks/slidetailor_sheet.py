"""`slidetailor_run_sheet.csv`: which configuration and preferences make which deck."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ingest.xslides.decks.rows import DeckTask
from ingest.xslides.decks.run_sheet import MAX_BYTES, read_run_sheet
from ingest.xslides.tree import ArtifactTree, DeckKey
from warehouse import storage
from warehouse.errors import InputError

SHEET_FILE = "slidetailor_run_sheet.csv"
TEMPLATE_MODE = "source_template_generation"
FINISHED_DECK = "**/final.pptx"
COLUMNS = (
    "system_id",
    "condition",
    "audience",
    "case_label",
    "template_mode",
    "target",
    "template",
    "sample",
    "config_path",
    "preferences_path",
)


@dataclass(frozen=True)
class SlideTailorRow:
    """One deck to make; `config` and `preferences` are relative to the prepared folder."""

    key: DeckKey
    target: str
    template: str
    sample: str
    config: str
    preferences: str


def write_sheet(out: Path, rows: Iterable[SlideTailorRow]) -> bool:
    """Write the sheet, sorted by key; return whether it changed."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda one: one.key):
        key = row.key
        writer.writerow(
            (
                *(key.system_id, key.condition, key.audience, key.case_label),
                *(TEMPLATE_MODE, row.target, row.template, row.sample),
                *(row.config, row.preferences),
            )
        )
    return write_changed(out / SHEET_FILE, buffer.getvalue().encode("utf-8"))


def read_sheet(out: Path) -> list[SlideTailorRow]:
    """Read the sheet of a prepared folder; an absent one has no rows.

    Raises:
        InputError: when it cannot be read, or a row is not one that `write_sheet` writes.
    """
    path = out / SHEET_FILE
    if not path.is_file():
        return []
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ValueError("its columns are others")
        return [_row(out, cells, reader.line_num) for cells in reader]
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(
            f"`{path}` cannot be read",
            expected=", ".join(COLUMNS),
            got=str(error),
            fix="prepare the folder again",
        ) from None


def read_tasks(tree: ArtifactTree, run: str, out: Path) -> list[DeckTask]:
    """Return the rows of a prepared folder as decks to make for a run.

    Raises:
        InputError: when the folder is not prepared, or for another run.
    """
    rows = read_sheet(out)
    if not rows:
        raise InputError(
            f"`{out}` holds no {SHEET_FILE} with rows",
            fix="podium xslides decks prepare-slidetailor TREE --out DIR --templates DIR",
        )
    known = {row.key: row for row in read_run_sheet(tree, run)[0]}
    unknown = [row.key.subject for row in rows if row.key not in known]
    if unknown:
        raise InputError(
            f"the run sheet of `{run}` lacks {len(unknown)} rows of `{out}`",
            got=unknown[0],
            fix=f"prepare the folder with --run {run}",
        )
    base = out.resolve()
    tasks = []
    for row in rows:
        paths = {
            "config": base / row.config,
            "preferences": base / row.preferences,
            "template": base / "slide_templates" / row.template,
        }
        values = {name: str(path) for name, path in paths.items()}
        values |= {"dataset_dir": str(base), "target": row.target}
        tasks.append(DeckTask(known[row.key], values, paths))
    return tasks


def write_changed(path: Path, content: bytes) -> bool:
    """Write a file unless it has this content; return whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    storage.write_bytes(path, content)
    return True


def _row(out: Path, cells: dict[str, str | None], line: int) -> SlideTailorRow:
    values = {name: cells.get(name) or "" for name in COLUMNS}
    if values["template_mode"] != TEMPLATE_MODE:
        raise ValueError(f"line {line}: the template mode is not {TEMPLATE_MODE}")
    root = out.resolve()
    for text in (
        values["config_path"],
        values["preferences_path"],
        f"slide_templates/{values['template']}",
    ):
        if "\0" in text or not (root / text).resolve().is_relative_to(root):
            raise ValueError(f"line {line}: a path leads out of the folder")
    key = DeckKey(*(values[name] for name in COLUMNS[:4]))
    return SlideTailorRow(key, *(values[name] for name in COLUMNS[5:]))
