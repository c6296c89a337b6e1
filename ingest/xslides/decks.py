"""Stage 4: bring decks that somebody exported into the normalised tree.

Accepted below the given folder: `<system>[/<condition>[/<audience>]]/<case>.<suffix>` and the
same with a folder per case, `.../<case>/<any name>.<suffix>`. With `system` the first level
is left out. What matches no case is listed, never guessed.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.xslides.audiences import read_audiences
from ingest.xslides.quick_files import copy
from ingest.xslides.run_sheet import RunSheetRow, read_run_sheet, write_run_sheet
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, incomplete, read_status
from ingest.xslides.tree import (
    AGNOSTIC,
    CONDITIONED,
    CONDITIONS,
    ArtifactTree,
    DeckKey,
    check_name,
    split_variant,
)
from ingest.xslides.user_files import list_files
from warehouse import jsonl, storage
from warehouse.errors import InputError
from warehouse.findings import Finding

IMPORTS_FILE = "deck_imports.json"
# The first one found is the deck; a PDF beside a PPTX is its export.
PREFERENCE = (".pptx", ".ppsx", ".pptm", ".ppsm", ".potx", ".potm", ".pdf")


@dataclass(frozen=True)
class DeckFile:
    """One file that the user gave, with the deck that it is and its name as given."""

    key: DeckKey
    path: Path
    given: str


def import_decks(
    tree: ArtifactTree,
    decks_dir: Path,
    run: str,
    system: str | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> StageReport:
    """Copy the decks below `decks_dir` into `runs/<run>/decks` and extend the run sheet.

    Args:
        tree: the artifact tree; the sources that decks are matched to must be in it.
        decks_dir: what the user points at.
        run: name of the run.
        system: name of the system when the folder has no level for it.
        settings: `force` copies again.
        progress: told after each deck.

    Raises:
        InputError: when `decks_dir` is no folder, or `run` or `system` is no usable name.
    """
    run = check_name("run", run)
    system = None if system is None else check_name("system id", system)
    listed = list_files(decks_dir)
    found, unmatched = _match(tree, decks_dir, listed.files, system)
    chosen, collisions, notes = _one_per_deck(found)
    tally = Tally("decks", len(chosen) + len(unmatched) + len(collisions), progress)
    tally.note(*(f"`{name}` was ignored (hidden or lock file)" for name in listed.ignored), *notes)
    for name in listed.escaping:
        tally.find(incomplete("deck_stays_inside", name, "the link leads out of the folder", name))
    for finding in (*unmatched, *collisions):
        tally.find(finding)
        tally.count("failed")
    force = settings is not None and settings.force
    _copy_all(tree, run, chosen, force, tally)
    return tally.report()


def deck_origins(tree: ArtifactTree, run: str) -> dict[str, str]:
    """Return the name that the user gave for each imported deck path of a run."""
    decks = read_status(tree.run_folder(run) / IMPORTS_FILE).get("decks")
    records: Mapping[str, Any] = decks if isinstance(decks, dict) else {}
    return {
        path: str(record.get("given", path))
        for path, record in records.items()
        if isinstance(record, dict)
    }


def preferred(files: Iterable[Path]) -> list[Path]:
    """Return files in the order in which they are taken for the deck."""
    return sorted(files, key=lambda path: (_rank(path), path.name))


def _rank(path: Path) -> int:
    suffix = path.suffix.lower()
    return PREFERENCE.index(suffix) if suffix in PREFERENCE else len(PREFERENCE)


def _match(
    tree: ArtifactTree, decks_dir: Path, files: Sequence[Path], system: str | None
) -> tuple[list[DeckFile], list[Finding]]:
    labels = _Labels(tree.case_labels() or [split_variant(n)[0] for n in tree.bank_folders()])
    stated = tree.audiences_csv if tree.audiences_csv.is_file() else None
    audiences = {profile.audience for profile in read_audiences(stated)}
    found, unmatched = [], []
    for path in files:
        given = str(path)
        folders = path.relative_to(decks_dir).parts[:-1]
        try:
            key = _key(folders, path.stem, system, labels, audiences)
        except InputError as error:
            subject = path.relative_to(decks_dir).as_posix()
            unmatched.append(incomplete("deck_matches_a_case", subject, error.what, given))
        else:
            found.append(DeckFile(key, path, given))
    return found, unmatched


def _key(
    folders: Sequence[str], stem: str, system: str | None, labels: _Labels, audiences: set[str]
) -> DeckKey:
    rest = list(folders)
    if system is None:
        if not rest:
            raise InputError("no folder names the system; name it with `--system`")
        system = check_name("system id", rest.pop(0))
    condition = AGNOSTIC
    if rest and rest[0] in CONDITIONS:
        condition = rest.pop(0)
    audience = AGNOSTIC
    if condition == CONDITIONED:
        if not rest or rest[0] not in audiences:
            known = ", ".join(sorted(audiences))
            raise InputError(f"a conditioned deck needs the folder of an audience out of {known}")
        audience = rest.pop(0)
    elif rest and rest[0] == AGNOSTIC:
        rest.pop(0)
    if len(rest) > 1:
        raise InputError(f"`{'/'.join(rest)}` is deeper than system/condition/audience/case")
    return DeckKey(system, condition, audience, labels.find(rest[0] if rest else stem))


class _Labels:
    """Case labels that names are matched to: exactly in NFC, then without regard to case."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._exact = {unicodedata.normalize("NFC", label): label for label in labels}
        self._folded: dict[str, list[str]] = defaultdict(list)
        for name, label in sorted(self._exact.items()):
            self._folded[name.casefold()].append(label)

    def find(self, text: str) -> str:
        name = unicodedata.normalize("NFC", text)
        if name in self._exact:
            return self._exact[name]
        alike = self._folded.get(name.casefold(), [])
        if len(alike) == 1:
            return alike[0]
        if alike:
            raise InputError(f"`{name}` matches several cases: {', '.join(alike)}")
        raise InputError(f"`{name}` matches no case")


def _one_per_deck(
    found: Sequence[DeckFile],
) -> tuple[list[DeckFile], list[Finding], list[str]]:
    groups: dict[DeckKey, list[DeckFile]] = defaultdict(list)
    for deck in found:
        groups[deck.key].append(deck)
    chosen: list[DeckFile] = []
    findings: list[Finding] = []
    notes: list[str] = []
    for key in sorted(groups):
        ordered = sorted(groups[key], key=lambda deck: (_rank(deck.path), deck.given))
        best = [deck for deck in ordered if _rank(deck.path) == _rank(ordered[0].path)]
        if len(best) > 1:
            names = ", ".join(f"`{deck.given}`" for deck in best)
            message = f"{len(best)} files claim to be this deck: {names}"
            findings.append(Finding("deck_is_unique", key.subject, message, best[0].given))
            continue
        chosen.append(ordered[0])
        notes.extend(
            f"`{deck.given}` was left out: `{ordered[0].given}` is the deck" for deck in ordered[1:]
        )
    return chosen, findings, notes


def _copy_all(
    tree: ArtifactTree, run: str, chosen: Sequence[DeckFile], force: bool, tally: Tally
) -> None:
    sheet, findings = read_run_sheet(tree, run)
    tally.find(*findings)
    rows = {row.key: row for row in sheet}
    known = read_status(tree.run_folder(run) / IMPORTS_FILE).get("decks")
    records: dict[str, Any] = dict(known) if isinstance(known, dict) else {}
    for deck in chosen:
        target = tree.deck_folder(run, deck.key) / unicodedata.normalize("NFC", deck.path.name)
        deck_path = tree.relative(target)
        try:
            sha256 = storage.sha256_file(deck.path)
            same = target.is_file() and storage.sha256_file(target) == sha256
            if not same:
                copy(deck.path, target)
        except OSError as error:
            message = f"the deck cannot be copied: {error.strerror or error}"
            tally.find(incomplete("deck_is_readable", deck.key.subject, message, deck.given))
            tally.count("failed")
            continue
        old = rows.get(deck.key)
        source = tree.source_file(deck.key.case_label)
        source_path = "" if source is None else tree.relative(source)
        rows[deck.key] = RunSheetRow(
            deck.key, source_path, "" if old is None else old.prompt_path, deck_path
        )
        records[deck_path] = {"given": deck.given, "sha256": sha256}
        tally.count("skipped" if same and old == rows[deck.key] and not force else "done")
    if chosen and (list(rows.values()) != sheet or not tree.run_sheet(run).is_file()):
        write_run_sheet(tree, run, rows.values())
    if records != known and chosen:
        record = {"producer": "podium", "decks": dict(sorted(records.items()))}
        jsonl.write_json(tree.run_folder(run) / IMPORTS_FILE, record)
