"""Store imported decks in a run: one a deck, each with where it came from."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.xslides.decks import files as deck_files
from ingest.xslides.decks.candidates import Candidate
from ingest.xslides.decks.run_sheet import RunSheetRow, read_run_sheet, write_run_sheet
from ingest.xslides.decks.sheet import default_deck_path
from ingest.xslides.quick_files import copy
from ingest.xslides.stage import Tally, incomplete, read_status
from ingest.xslides.tree import ArtifactTree, DeckKey, is_plain_file
from warehouse import jsonl, storage
from warehouse.errors import InputError
from warehouse.findings import Finding

IMPORTS_FILE = "deck_imports.json"
_ASKED = "is_asked_by_run_sheet"


@dataclass(frozen=True)
class DeckFile:
    """One deck to import: which it is, what was found, its file and that file's name as given."""

    key: DeckKey
    found: Candidate
    path: Path
    given: str

    @property
    def name(self) -> str:
        """Return the name that it is stored under: its own, with the suffix of what it is."""
        return unicodedata.normalize("NFC", deck_files.true_name(self.path))


def read_imports(tree: ArtifactTree, run: str) -> dict[str, dict[str, Any]]:
    """Return the records of a run's imports by deck path."""
    decks = read_status(tree.run_folder(run) / IMPORTS_FILE).get("decks")
    records = decks if isinstance(decks, dict) else {}
    return {path: record for path, record in records.items() if isinstance(record, dict)}


def asked_paths(
    sheet: Sequence[RunSheetRow], imports: Mapping[str, dict[str, Any]]
) -> dict[DeckKey, str]:
    """Return the deck paths that a run sheet asks for.

    A path that an earlier import wrote there asks for nothing, unless it kept to what was asked.
    """
    return {
        row.key: row.deck_path
        for row in sheet
        if row.deck_path not in imports or imports[row.deck_path].get(_ASKED)
    }


def choose_one_per_deck(
    decks: Sequence[DeckFile], asked: Mapping[DeckKey, str]
) -> tuple[list[DeckFile], list[Finding], list[str]]:
    """Return one file a deck, findings where several claim to be it, and what was left out.

    Args:
        decks: all files found.
        asked: name that the run sheet asks for; a PDF is preferred where it asks for one.
    """
    groups: dict[DeckKey, list[DeckFile]] = defaultdict(list)
    for deck in decks:
        groups[deck.key].append(deck)
    chosen: list[DeckFile] = []
    findings: list[Finding] = []
    notes: list[str] = []
    for key in sorted(groups):
        wants_pdf = asked.get(key, "").lower().endswith(".pdf")
        ranks = {deck.given: _rank(deck, wants_pdf) for deck in groups[key]}
        ordered = sorted(groups[key], key=lambda deck: (ranks[deck.given], deck.given))
        best = [deck for deck in ordered if ranks[deck.given] == ranks[ordered[0].given]]
        units = {deck.found.unit for deck in groups[key]}
        is_by_folders = ordered[0].found.folders is not None
        if len(best) > 1 or (len(units) > 1 and not is_by_folders):
            claims = best if len(best) > 1 else ordered
            listed = ", ".join(f"`{deck.given}`" for deck in claims)
            message = f"{len(claims)} files claim to be this deck: {listed}"
            findings.append(Finding("deck_is_unique", key.subject, message, claims[0].given))
            continue
        chosen.append(ordered[0])
        notes.extend(
            f"`{deck.given}` was left out: `{ordered[0].given}` is the deck" for deck in ordered[1:]
        )
    return chosen, findings, notes


class Store:
    """Copies decks into one run; the caller holds the lock of its run sheet while it does.

    Args:
        tree: the artifact tree.
        run: name of the run.
        force: replace decks of other origin, and count copies that change nothing as done.
        tally: told of each deck.
        folder: what is imported; a deck of its that is gone from there may be replaced.
    """

    def __init__(
        self,
        tree: ArtifactTree,
        run: str,
        force: bool,
        tally: Tally,
        folder: Path,
    ) -> None:
        self._folder = folder.resolve()
        self._tree = tree
        self._run = run
        self._force = force
        self._tally = tally
        self._left_out: frozenset[Path] = frozenset()
        self._asked: Mapping[DeckKey, str] = {}
        self._rows: dict[DeckKey, RunSheetRow] = {}
        self._records: dict[str, dict[str, Any]] = {}

    def take(self, found: Sequence[DeckFile], unmade: Sequence[tuple[DeckKey, Finding]]) -> None:
        """Store one file a deck, and expect those that were not made."""
        tree, run = self._tree, self._run
        sheet, bad_rows = read_run_sheet(tree, run)
        known = read_imports(tree, run)
        self._rows, self._records = {row.key: row for row in sheet}, dict(known)
        self._asked = asked_paths(sheet, known)
        chosen, collisions, notes = choose_one_per_deck(found, self._asked)
        passed_over = {deck.given for deck in found} - {deck.given for deck in chosen}
        self._left_out = frozenset(Path(given).resolve() for given in passed_over)
        self._tally.find(*bad_rows)
        self._tally.note(*notes)
        for finding in collisions:
            self._fail(finding)
        made = {deck.key for deck in found}
        for key, finding in unmade:
            if key in made:
                self._tally.note(f"`{finding.file}` was left out: another run made this deck")
            else:
                self._fail(finding)
                self._expect(key)
        for deck in chosen:
            self._add(deck)
        rows = list(self._rows.values())
        is_new = rows != sheet or not tree.run_sheet(run).is_file()
        # A sheet with rows that cannot be read is left as it is: writing it would lose them.
        if rows and is_new and not bad_rows:
            write_run_sheet(tree, run, rows)
        if self._records != known:
            record = {"producer": "podium", "decks": dict(sorted(self._records.items()))}
            jsonl.write_json(tree.run_folder(run) / IMPORTS_FILE, record)

    def _expect(self, key: DeckKey) -> None:
        """Add the row of a deck that was not made, so that it counts as missing."""
        if key not in self._rows:
            self._rows[key] = self._row(key, default_deck_path(self._tree, self._run, key))

    def _add(self, deck: DeckFile) -> None:
        """Copy one deck to its place and record it."""
        target = self._tree.deck_folder(self._run, deck.key) / deck.name
        deck_path = self._tree.relative(target)
        try:
            sha256 = storage.sha256_file(deck.path)
            self._make_room(deck, target, sha256)
            same = target.is_file() and storage.sha256_file(target) == sha256
            if not same:
                copy(deck.path, target)
        except InputError as error:
            self._fail(Finding("deck_is_unique", deck.key.subject, error.what, deck.given))
            return
        except OSError as error:
            message = f"the deck cannot be copied: {error.strerror or error}"
            self._fail(incomplete("deck_is_readable", deck.key.subject, message, deck.given))
            return
        if deck.name != unicodedata.normalize("NFC", deck.path.name):
            self._tally.note(f"`{deck.given}` is stored as `{deck.name}`: that is what it is")
        old = self._rows.get(deck.key)
        self._rows[deck.key] = self._row(deck.key, deck_path)
        self._records[deck_path] = self._record(deck, sha256)
        is_old = same and old == self._rows[deck.key] and not self._force
        self._tally.count("skipped" if is_old else "done")

    def _make_room(self, deck: DeckFile, target: Path, sha256: str) -> None:
        """Refuse, or with `force` remove, other files that are this deck now.

        Raises:
            InputError: when the run holds a deck of this key that came from elsewhere.
        """
        folder = target.parent
        if self._tree.inside(self._tree.relative(folder)) is None:
            raise InputError("its deck folder leads out of the data root")
        standing = (
            [one for one in folder.iterdir() if is_plain_file(one)] if folder.is_dir() else []
        )
        for one in standing:
            path = self._tree.relative(one)
            is_update = one == target and self._origin(path) == Path(deck.given).resolve()
            if is_update or (one == target and storage.sha256_file(one) == sha256):
                continue
            if not (self._force or self._is_superseded(path)):
                origin = self._origin(path) or "another source"
                raise InputError(
                    f"the run holds this deck already: `{path}`, from `{origin}`; "
                    "`--force` replaces it"
                )
            if one != target:
                one.unlink()
                self._records.pop(path, None)

    def _origin(self, path: str) -> Path | None:
        record = self._records.get(path)
        return None if record is None else Path(str(record.get("given"))).resolve()

    def _is_superseded(self, path: str) -> bool:
        origin = self._origin(path)
        if origin is None:
            return False
        is_gone = origin.is_relative_to(self._folder) and not origin.exists()
        return is_gone or origin in self._left_out

    def _row(self, key: DeckKey, deck_path: str) -> RunSheetRow:
        old, source = self._rows.get(key), self._tree.source_file(key.case_label)
        source_path = "" if source is None else self._tree.relative(source)
        return RunSheetRow(key, source_path, "" if old is None else old.prompt_path, deck_path)

    def _record(self, deck: DeckFile, sha256: str) -> dict[str, Any]:
        wants_pdf = self._asked.get(deck.key, "").lower().endswith(".pdf")
        return {
            "given": deck.given,
            "sha256": sha256,
            "layout": deck.found.layout,
            "format": deck_files.deck_format(deck.path),
            **({_ASKED: True} if wants_pdf else {}),
            **({"facts": dict(deck.found.facts)} if deck.found.facts else {}),
        }

    def _fail(self, finding: Finding) -> None:
        self._tally.find(finding)
        self._tally.count("failed")


def _rank(deck: DeckFile, wants_pdf: bool) -> int:
    suffix = Path(deck.name).suffix.lower()
    return -1 if wants_pdf and suffix == ".pdf" else deck_files.rank(suffix)
