"""Which evaluations a run needs: deck rows times audiences times probe banks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.decks.importing import deck_origins, preferred
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.source_metadata import SourceMetadata, parse_metadata, selected_cases
from ingest.xslides.tree import (
    CONDITIONED,
    ArtifactTree,
    DeckKey,
    EvaluationKey,
    is_plain_file,
)
from warehouse.findings import Finding


@dataclass(frozen=True)
class DeckEntry:
    """One expected deck: `path` is where it lies or should lie, `given` names it for people."""

    key: DeckKey
    case: SourceMetadata
    path: Path
    given: str


@dataclass(frozen=True)
class PlannedDeck:
    """A deck with its evaluations, in groups that share one probe bank."""

    entry: DeckEntry
    evaluations: dict[str, tuple[EvaluationKey, ...]]

    @property
    def count(self) -> int:
        """Return how many evaluations the deck needs."""
        return sum(len(keys) for keys in self.evaluations.values())


def deck_entries(
    tree: ArtifactTree, run: str, select: Sequence[str]
) -> tuple[dict[str, list[DeckEntry]], list[Finding]]:
    """Return the expected decks of a run by case label; bad run sheet rows become findings.

    A deck whose case has no source counts too, unless sources are selected.
    """
    cases = {case.case_label: case for case in selected_cases(tree, select)}
    entries, findings = _entries(tree, run, cases, bool(select))
    found: dict[str, list[DeckEntry]] = {}
    for entry in entries:
        found.setdefault(entry.key.case_label, []).append(entry)
    return found, findings


def plan_decks(
    tree: ArtifactTree, entries: Sequence[DeckEntry], audiences: Sequence[AudienceProfile]
) -> list[PlannedDeck]:
    """Expand decks into evaluations, as far as the probe banks of their cases are there.

    A conditioned deck is judged for its own audience, an agnostic one for every active
    audience of its case; every probe bank of the case gives an evaluation of its own.
    """
    planned = []
    for entry in entries:
        label = entry.key.case_label
        folders = tree.bank_folders(label) or [label]
        evaluations = {
            folder: tuple(
                EvaluationKey(entry.key.system_id, entry.key.condition, audience, folder)
                for audience in _audiences(tree, entry, folder, audiences)
            )
            for folder in folders
        }
        planned.append(PlannedDeck(entry, evaluations))
    return planned


def _entries(
    tree: ArtifactTree, run: str, cases: dict[str, SourceMetadata], is_selective: bool
) -> tuple[list[DeckEntry], list[Finding]]:
    rows, findings = read_run_sheet(tree, run)
    origins = deck_origins(tree, run)
    stated = {row.key: row.deck_path for row in rows}
    entries = []
    for key in sorted({*stated, *tree.deck_keys(run)}):
        case = cases.get(key.case_label)
        if case is None:
            if is_selective:
                continue
            case = parse_metadata(key.case_label, {})
        path = _deck_path(tree, run, key, stated.get(key, ""))
        relative = tree.relative(path)
        entries.append(DeckEntry(key, case, path, origins.get(relative, relative)))
    return entries, findings


def _deck_path(tree: ArtifactTree, run: str, key: DeckKey, stated: str) -> Path:
    """Return the file that the run sheet prefers, else the preferred file of the deck folder."""
    named = tree.inside(stated) if stated else None
    if named is not None and named.is_file():
        return named
    folder = tree.deck_folder(run, key)
    files = [path for path in folder.iterdir() if is_plain_file(path)] if folder.is_dir() else []
    if files:
        return preferred(files)[0]
    return folder / f"{key.case_label}.pptx" if named is None else named


def _audiences(
    tree: ArtifactTree, entry: DeckEntry, folder: str, audiences: Sequence[AudienceProfile]
) -> list[str]:
    if entry.key.condition == CONDITIONED:
        return [entry.key.audience]
    active = [profile.audience for profile in entry.case.active(audiences)]
    weighed = sorted(path.stem for path in tree.weights_file(folder, "x").parent.glob("*.jsonl"))
    valid = entry.case.valid_audiences
    return active + [
        name for name in weighed if name not in active and (valid is None or name in valid)
    ]
