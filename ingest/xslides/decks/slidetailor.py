"""Stage 4: prepare a folder that SlideTailor can work on, one configuration a row.

    configs/<condition>/<audience>/<case>.json        [{target, template, sample: {paper, ppt}}]
    preferences/<condition>/<audience>/<case>.json    presentation_guidelines of the row
    target_papers/<target>.pdf, mapping.csv           sources; target names are numbers that stay
    slide_templates/*.pptx
    slide_paper_pairs/{paper,ppt}/*.pdf               sample pairs, if there are any
    slidetailor_run_sheet.csv

Target names are numbers, because the tool's own collecting script reads digits only. The template
and the sample of a case are the same for all its rows, so that rows differ in preferences alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.decks.files import PDF, PPTX, deck_format
from ingest.xslides.decks.preferences import presentation_guidelines
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.decks.selection import shard_of
from ingest.xslides.decks.sheet import SheetRequest, make_run_sheet
from ingest.xslides.decks.slidetailor_sheet import (
    SlideTailorRow,
    read_sheet,
    write_changed,
    write_sheet,
)
from ingest.xslides.quick_files import copy
from ingest.xslides.source_metadata import selected_cases
from ingest.xslides.stage import Progress, StageReport, Tally, incomplete
from ingest.xslides.tree import CONDITIONS, ArtifactTree, DeckKey, check_name
from warehouse import jsonl, storage
from warehouse.errors import InputError

MAPPING_COLUMNS = ("target", "case_label", "source_sha256")


@dataclass(frozen=True)
class SlideTailorRequest:
    """What to prepare.

    Attributes:
        out: folder to make or extend.
        templates: folder of reference templates (PPTX).
        sample_pairs: folder with `paper/` and `ppt/` of equally named PDFs, or None.
        system: system id of the rows.
        conditions: `agnostic`, `conditioned` or both.
        select: `field:value` filters on the cases.
    """

    out: Path
    templates: Path
    sample_pairs: Path | None = None
    system: str = "slidetailor"
    conditions: tuple[str, ...] = CONDITIONS
    select: tuple[str, ...] = ()


def prepare_slidetailor(
    tree: ArtifactTree,
    run: str,
    request: SlideTailorRequest,
    audiences: Sequence[AudienceProfile],
    progress: Progress | None = None,
) -> StageReport:
    """Make the rows of a run sheet for SlideTailor, and the folder that it works on.

    Only cases with a PDF source are taken; the others are noted. The same request again changes
    no byte; rows of other requests stay.

    Raises:
        InputError: when there are no templates, or a sample folder without pairs.
    """
    templates = _files(request.templates, ".pptx", PPTX)
    if not templates:
        raise InputError(f"`{request.templates}` holds no template", expected="PPTX files")
    pairs = _pairs(request.sample_pairs)
    wanted = SheetRequest((request.system,), request.conditions, request.select, (".pdf",))
    sheet = make_run_sheet(tree, run, wanted, audiences)
    cases = {case.case_label for case in selected_cases(tree, request.select)}
    rows = [
        row.key
        for row in read_run_sheet(tree, run)[0]
        if row.key.system_id == check_name("system id", request.system)
        and row.key.case_label in cases
        and row.key.condition in request.conditions
    ]
    tally = Tally("decks", len(rows), progress)
    tally.find(*sheet.findings)
    tally.note(*sheet.notes)
    if sheet.notes:
        tally.note(f"{len(sheet.notes)} cases have no PDF source; SlideTailor takes PDF only")
    if not rows:
        return tally.report()
    out = request.out
    for path in templates:
        _copy(path, out / "slide_templates" / path.name)
    for name in pairs:
        assert request.sample_pairs is not None
        for kind in ("paper", "ppt"):
            inner = Path(kind) / f"{name}.pdf"
            _copy(request.sample_pairs / inner, out / "slide_paper_pairs" / inner)
    targets = _Targets(out)
    profiles = {profile.audience: profile for profile in audiences}
    made = {row.key: row for row in read_sheet(out)}
    for key in rows:
        source = tree.source_file(key.case_label)
        if source is None or deck_format(source) != PDF:
            message = "the source is no PDF by its bytes"
            tally.find(incomplete("source_is_a_pdf", key.subject, message))
            tally.count("failed")
            continue
        target = targets.of(key.case_label, source)
        template = templates[shard_of(key.case_label, len(templates))].name
        sample = pairs[shard_of(key.case_label, len(pairs))] if pairs else ""
        row = _row(key, target, template, sample)
        is_new = _write_row(out, row, profiles.get(key.audience))
        tally.count("skipped" if made.get(key) == row and not is_new else "done")
        made[key] = row
    targets.save()
    write_sheet(out, made.values())
    return tally.report()


def _row(key: DeckKey, target: str, template: str, sample: str) -> SlideTailorRow:
    place = f"{key.condition}/{key.audience}/{key.case_label}.json"
    return SlideTailorRow(key, target, template, sample, f"configs/{place}", f"preferences/{place}")


def _write_row(out: Path, row: SlideTailorRow, profile: AudienceProfile | None) -> bool:
    name = f"{row.sample}.pdf" if row.sample else ""
    config = {
        "target": f"{row.target}.pdf",
        "template": row.template,
        "sample": {"paper": name, "ppt": name},
    }
    files = {row.config: [config], row.preferences: presentation_guidelines(profile)}
    written = [
        write_changed(out / path, (jsonl.dumps(value, indent=2) + "\n").encode("utf-8"))
        for path, value in files.items()
    ]
    return any(written)


class _Targets:
    """Numbers of the target papers; a case keeps its number for good."""

    def __init__(self, out: Path) -> None:
        self._folder = out / "target_papers"
        self._file = self._folder / "mapping.csv"
        self._rows: dict[str, tuple[str, str]] = {}
        if self._file.is_file():
            reader = csv.DictReader(io.StringIO(self._file.read_text(encoding="utf-8-sig")))
            for row in reader:
                if tuple(row) != MAPPING_COLUMNS or not (row["target"] or "").isdecimal():
                    raise InputError(
                        f"`{self._file}` line {reader.line_num} is not one of ours",
                        expected=", ".join(MAPPING_COLUMNS),
                    )
                self._rows[row["case_label"]] = (row["target"], row["source_sha256"])

    def of(self, case_label: str, source: Path) -> str:
        """Return the target of a case, with its paper in place."""
        taken = [int(target) for target, _ in self._rows.values()]
        target = self._rows.get(case_label, (str(max(taken, default=0) + 1), ""))[0]
        self._rows[case_label] = (target, storage.sha256_file(source))
        _copy(source, self._folder / f"{target}.pdf")
        return target

    def save(self) -> None:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(MAPPING_COLUMNS)
        for label, (target, sha256) in sorted(self._rows.items(), key=lambda one: int(one[1][0])):
            writer.writerow((target, label, sha256))
        write_changed(self._file, buffer.getvalue().encode("utf-8"))


def _files(folder: Path, suffix: str, form: str) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"`{folder}` is not a folder")
    return [
        path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() == suffix
        and not path.name.startswith((".", "~$"))
        and deck_format(path) == form
    ]


def _pairs(folder: Path | None) -> list[str]:
    """Return the names that both `paper/` and `ppt/` hold a PDF of."""
    if folder is None:
        return []
    names = [
        {path.stem for path in _files(folder / kind, ".pdf", PDF) if path.suffix == ".pdf"}
        for kind in ("paper", "ppt")
    ]
    if not names[0] & names[1]:
        raise InputError(
            f"`{folder}` holds no sample pair", expected="paper/NAME.pdf beside ppt/NAME.pdf"
        )
    return sorted(names[0] & names[1])


def _copy(source: Path, target: Path) -> None:
    if not target.is_file() or storage.sha256_file(target) != storage.sha256_file(source):
        copy(source, target)
