"""The expected grid of a run: run sheet and decks, times the audiences they count for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.land_banks import Banks
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.tree import AGNOSTIC, CONDITIONS, ArtifactTree, split_variant
from warehouse import identity
from warehouse.findings import Finding


@dataclass(frozen=True, order=True)
class ExpectedEvaluation:
    """One evaluation that should be there; `source_file` is what asks for it."""

    system_id: str
    condition: str
    audience: str
    case_label: str
    variant: str
    source_file: str


def expected_evaluations(
    tree: ArtifactTree,
    run: str,
    cases: dict[str, CaseInfo],
    banks: Banks,
    configured: set[str] | None,
) -> tuple[list[ExpectedEvaluation], list[Finding]]:
    """Return the grid of a run and what is wrong with its run sheet.

    An agnostic deck counts for every active audience of its case, a conditioned one for its
    own. Active means declared valid and configured; where nothing is declared, configured;
    where nothing is configured either, every audience with a weight file.
    """
    rows, findings = read_run_sheet(tree, run)
    asked = {
        (row.key.system_id, row.key.condition, row.key.audience, row.key.case_label): "run_sheet"
        for row in rows
    }
    for deck in tree.deck_keys(run):
        key = (deck.system_id, deck.condition, deck.audience, deck.case_label)
        asked.setdefault(key, tree.relative(tree.deck_folder(run, deck)))
    sheet = tree.relative(tree.run_sheet(run))
    grid = set()
    for (system_id, condition, audience, case_folder), origin in asked.items():
        label, variant = split_variant(identity.normalize_label(case_folder))
        if condition not in CONDITIONS or label not in cases:
            continue
        audiences: Iterable[str] = (
            active_audiences(cases[label], banks, configured)
            if condition == AGNOSTIC
            else [identity.normalize_label(audience)]
        )
        for one in audiences:
            grid.add(
                ExpectedEvaluation(
                    identity.normalize_label(system_id),
                    condition,
                    one,
                    label,
                    variant or "",
                    sheet if origin == "run_sheet" else origin,
                )
            )
    return sorted(grid), findings


def active_audiences(case: CaseInfo, banks: Banks, configured: set[str] | None) -> list[str]:
    """Return the audiences that a case is judged for, sorted."""
    weighted = banks.audiences(case.case_label)
    if case.valid_audiences is None:
        return sorted(configured if configured else weighted)
    declared = set(case.valid_audiences)
    return sorted(declared & configured if configured else declared)
