"""Stage 4: the run sheet of the decks that a system is to make, with their prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.decks.prompts import prompt_file, prompt_text, prompts_folder
from ingest.xslides.decks.run_sheet import (
    RunSheetRow,
    read_run_sheet,
    run_sheet_lock,
    write_run_sheet,
)
from ingest.xslides.source_metadata import SourceMetadata, selected_cases
from ingest.xslides.stage import Progress, StageReport, Tally, incomplete
from ingest.xslides.tree import AGNOSTIC, CONDITIONED, CONDITIONS, ArtifactTree, DeckKey, check_name
from warehouse import storage
from warehouse.errors import InputError
from warehouse.findings import Finding, Outcome


@dataclass(frozen=True)
class SheetRequest:
    """Which rows a run sheet should hold.

    Attributes:
        systems: ids of the systems that make the decks.
        conditions: `agnostic`, `conditioned` or both.
        select: `field:value` filters on the cases.
        suffixes: suffixes of sources that the systems take, e.g. `.pdf`; empty takes all.
    """

    systems: tuple[str, ...]
    conditions: tuple[str, ...] = CONDITIONS
    select: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()


def make_run_sheet(
    tree: ArtifactTree,
    run: str,
    request: SheetRequest,
    audiences: Sequence[AudienceProfile],
    progress: Progress | None = None,
) -> StageReport:
    """Make or extend the run sheet of a run and write the prompt of every row.

    A row that is there keeps its deck path and a prompt that is not one of ours; rows of other
    decks stay as they are. The same request again changes no byte.

    Args:
        tree: the artifact tree; its sources are the cases.
        run: name of the run.
        request: which rows.
        audiences: configured profiles; a case takes those that are valid for it.
        progress: told after each row.

    Raises:
        InputError: when a name is not usable, or the sheet that is there has bad rows, which
            writing it would lose.
        UsageError: when a selector is not known.
    """
    run = check_name("run", run)
    systems = [check_name("system id", name) for name in request.systems]
    cases, passed_over = _cases(tree, request)
    wanted = [
        (DeckKey(system, *place, case.case_label), case, profile)
        for system in systems
        for case in cases
        for place, profile in _places(case, request.conditions, audiences)
    ]
    tally = Tally("decks", len(wanted), progress)
    tally.note(*passed_over)
    if not wanted:
        tally.find(nothing_selected(run, "no case was found or selected"))
        return tally.report()
    with run_sheet_lock(tree, run):
        sheet = sheet_to_extend(tree, run)
        rows = {row.key: row for row in sheet}
        for key, case, profile in wanted:
            source = tree.source_file(key.case_label)
            if source is None:
                tally.find(incomplete("case_has_a_source", key.subject, "there is no source file"))
                tally.count("failed")
                continue
            text = prompt_text(case, profile)
            old, new = rows.get(key), _row(tree, run, key, text, rows.get(key))
            is_written = _write_prompt(tree, new, text)
            rows[key] = new
            tally.count("skipped" if old == new and not is_written else "done")
        if list(rows.values()) != sheet:
            write_run_sheet(tree, run, rows.values())
    return tally.report()


def sheet_to_extend(tree: ArtifactTree, run: str) -> list[RunSheetRow]:
    """Return the rows of a sheet that is about to be rewritten.

    Raises:
        InputError: when it has rows that cannot be read; rewriting would lose them.
    """
    rows, findings = read_run_sheet(tree, run)
    if findings:
        first = findings[0]
        raise InputError(
            f"the run sheet `{tree.relative(tree.run_sheet(run))}` has {len(findings)} bad rows",
            got=f"line {first.line}: {first.message}" if first.line else first.message,
            fix="mend or remove them; writing the sheet now would lose them",
        )
    return rows


def nothing_selected(run: str, message: str) -> Finding:
    """Return the finding that ends a command with 5."""
    return Finding("something_was_selected", run, message, outcome=Outcome.NOTHING_SELECTED)


def default_deck_path(tree: ArtifactTree, run: str, key: DeckKey) -> str:
    """Return where the deck of a row is stored when nothing else is stated."""
    return tree.relative(tree.deck_folder(run, key) / f"{key.case_label}.pptx")


def _cases(tree: ArtifactTree, request: SheetRequest) -> tuple[list[SourceMetadata], list[str]]:
    cases, notes = [], []
    for case in selected_cases(tree, request.select):
        source = tree.source_file(case.case_label)
        suffix = None if source is None else source.suffix.lower()
        if request.suffixes and suffix not in request.suffixes:
            what = "no source" if suffix is None else f"a `{suffix}` source"
            notes.append(
                f"case `{case.case_label}` was left out: it has {what}, and only "
                f"{', '.join(request.suffixes)} can be taken"
            )
            continue
        cases.append(case)
    return cases, notes


def _places(
    case: SourceMetadata, conditions: Sequence[str], audiences: Sequence[AudienceProfile]
) -> Iterator[tuple[tuple[str, str], AudienceProfile | None]]:
    if AGNOSTIC in conditions:
        yield (AGNOSTIC, AGNOSTIC), None
    if CONDITIONED in conditions:
        for profile in case.active(audiences):
            yield (CONDITIONED, profile.audience), profile


def _row(
    tree: ArtifactTree, run: str, key: DeckKey, text: str, old: RunSheetRow | None
) -> RunSheetRow:
    source = tree.source_file(key.case_label)
    ours = RunSheetRow(
        key,
        "" if source is None else tree.relative(source),
        tree.relative(prompt_file(tree, run, key, text)),
        default_deck_path(tree, run, key),
    )
    if old is None:
        return ours
    prefix = tree.relative(prompts_folder(tree, run)) + "/"
    is_foreign = bool(old.prompt_path) and not old.prompt_path.startswith(prefix)
    return replace(
        ours,
        source_path=old.source_path or ours.source_path,
        prompt_path=old.prompt_path if is_foreign else ours.prompt_path,
        deck_path=old.deck_path or ours.deck_path,
    )


def _write_prompt(tree: ArtifactTree, row: RunSheetRow, text: str) -> bool:
    """Write the prompt of a row unless it is there; return whether it was written."""
    path = tree.inside(row.prompt_path)
    if path is None:
        raise InputError(f"the prompt `{row.prompt_path}` would lie outside the data root")
    if path.is_file():
        return False
    storage.write_text(path, text)
    return True
