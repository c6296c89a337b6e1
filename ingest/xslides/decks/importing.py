"""Stage 4: bring decks that somebody exported into the normalised tree.

A folder is read by its layout (`deck_layouts`); each file is matched to a deck by mapping,
folders or evidence (`deck_matching`) and stored once (`deck_store`). What matches no case is
listed, never guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.xslides.decks.candidates import Candidate
from ingest.xslides.decks.files import preferred as preferred
from ingest.xslides.decks.layouts import (
    Layout,
    find_candidates,
    resolve_layout,
    with_mapped_files,
)
from ingest.xslides.decks.matching import Matcher
from ingest.xslides.decks.run_sheet import run_sheet_lock
from ingest.xslides.decks.store import DeckFile, Store, read_imports
from ingest.xslides.decks.twins import find_twins
from ingest.xslides.decks.workspaces import REQUEST_FILE
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, incomplete
from ingest.xslides.tree import AGNOSTIC, ArtifactTree, DeckKey, check_name
from ingest.xslides.user_files import list_files
from warehouse.errors import InputError
from warehouse.findings import Finding


@dataclass(frozen=True)
class ImportOptions:
    """How a folder of decks is read.

    Attributes:
        layout: how it is laid out.
        mapping: CSV that says which path is which deck; it goes before everything else.
        place: condition and audience of decks that nothing else says it of.
    """

    layout: Layout = Layout.TREE
    mapping: Path | None = None
    place: tuple[str, str] = (AGNOSTIC, AGNOSTIC)


def import_decks(
    tree: ArtifactTree,
    decks_dir: Path,
    run: str,
    system: str | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    options: ImportOptions | None = None,
) -> StageReport:
    """Copy the decks below `decks_dir` into `runs/<run>/decks` and extend the run sheet.

    Args:
        tree: the artifact tree; the sources that decks are matched to must be in it.
        decks_dir: what the user points at.
        run: name of the run.
        system: name of the system when neither folder nor layout names it.
        settings: `force` copies again and replaces decks of other origin.
        progress: told after each deck.
        options: how the folder is read.

    Raises:
        InputError: when `decks_dir` is no folder, `run` or `system` is no usable name, or the
            mapping cannot be read.
        UsageError: when the layout cannot be told.
    """
    run = check_name("run", run)
    options = options or ImportOptions()
    matcher = Matcher(tree, run, system, options.place, options.mapping)
    listed = list_files(decks_dir)
    layout = resolve_layout(options.layout, decks_dir, listed)
    candidates, notes = find_candidates(layout, decks_dir, listed)
    candidates = with_mapped_files(candidates, list(matcher.mapping.keys), decks_dir, listed)
    found, unmade, unmatched = _match(matcher, decks_dir, candidates)
    findings = [*matcher.mapping.findings, *matcher.mapping.unused(matcher.used), *unmatched]
    tally = Tally("decks", len(found) + len(unmade) + len(findings), progress)
    hidden = [name for name in listed.ignored if Path(name).name != REQUEST_FILE]
    tally.note(*(f"`{name}` was ignored (hidden or lock file)" for name in hidden), *notes)
    for name in listed.escaping:
        message = "the link leads out of the folder"
        tally.find(incomplete("deck_stays_inside", name, message, name))
    for finding in findings:
        tally.find(finding)
        tally.count("failed")
    store = Store(tree, run, settings is not None and settings.force, tally, decks_dir)
    with run_sheet_lock(tree, run):
        store.take(found, unmade)
    tally.find(*find_twins(tree, run, {deck.key.case_label for deck in found}))
    return tally.report()


def deck_origins(tree: ArtifactTree, run: str) -> dict[str, str]:
    """Return the name that the user gave for each imported deck path of a run."""
    records = read_imports(tree, run)
    return {path: str(record.get("given", path)) for path, record in records.items()}


def _match(
    matcher: Matcher, decks_dir: Path, candidates: Sequence[Candidate]
) -> tuple[list[DeckFile], list[tuple[DeckKey, Finding]], list[Finding]]:
    """Return decks with a file, decks that were not made, and what matches no case."""
    found: list[DeckFile] = []
    unmade: list[tuple[DeckKey, Finding]] = []
    unmatched: list[Finding] = []
    for one in candidates:
        subject = one.unit if one.path is None else one.path.relative_to(decks_dir).as_posix()
        given = str(decks_dir / one.unit if one.path is None else one.path)
        try:
            key = matcher.key_of(one, "" if one.path is None else subject)
        except InputError as error:
            message = f"{error.what}; {one.failure}" if one.failure else error.what
            unmatched.append(incomplete("deck_matches_a_case", subject, message, given))
            continue
        if one.path is None:
            finding = incomplete("deck_was_made", key.subject, one.failure, given)
            unmade.append((key, finding))
        else:
            found.append(DeckFile(key, one, one.path, given))
    return found, unmade, unmatched
