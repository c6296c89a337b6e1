"""Stages 2, 3 and 5 case by case, so that money is spent on whole cases.

A run that a budget stops has whole cases, in an order that was drawn before anything was known
of them, and cases that it did not begin: a sample. Stage by stage it would have probes of all
cases and results of none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ingest.judge.exchange import AudienceProfile
from ingest.judge.interface import Judge
from ingest.xslides.audiences import write_audiences
from ingest.xslides.case_evaluation import CaseEvaluator
from ingest.xslides.case_order import drawn, work_through
from ingest.xslides.evaluation_plan import DeckEntry, deck_entries, plan_decks
from ingest.xslides.probes import make_bank
from ingest.xslides.quick_files import put_json
from ingest.xslides.source_metadata import SourceMetadata, selected_cases
from ingest.xslides.source_text import SourceReader, read_document
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, stopped
from ingest.xslides.tree import ArtifactTree, check_name
from ingest.xslides.weights import expected, weigh_case

ORDER_FILE = "case_order.json"
WHOLE, BEGUN, NOT_BEGUN = "whole", "begun", "not_begun"


@dataclass(frozen=True)
class _Run:
    """What the cases of one run share; `states` tells how far each is."""

    tree: ArtifactTree
    run: str
    judge: Judge
    audiences: Sequence[AudienceProfile]
    settings: Settings
    reader: SourceReader
    source_reader: SourceReader
    cases: Mapping[str, SourceMetadata]
    entries: Mapping[str, Sequence[DeckEntry]]
    probes: Tally
    weights: Tally
    evaluations: Tally
    states: dict[str, str]

    def work(self, label: str) -> None:
        """Do all stages of one case; a case without a source has decks to evaluate alone."""
        self.states[label] = BEGUN
        case = self.cases.get(label)
        if case is not None:
            make_bank(self.tree, case, self.judge, self.settings, self.source_reader, self.probes)
            weigh_case(self.tree, case, self.judge, self.audiences, self.settings, self.weights)
        evaluator = CaseEvaluator(
            self.tree,
            self.judge,
            self.run,
            self.settings,
            self.audiences,
            self.evaluations,
            self.reader,
            self.source_reader,
        )
        evaluator.evaluate(self.entries.get(label, ()))
        self.states[label] = WHOLE


def run_cases(
    tree: ArtifactTree,
    judge: Judge,
    run: str,
    audiences: Sequence[AudienceProfile],
    settings: Settings,
    progress: Progress | None = None,
    reader: SourceReader = read_document,
    source_reader: SourceReader = read_document,
) -> list[StageReport]:
    """Make banks, weights and evaluations of the selected cases, case by case.

    `runs/<run>/case_order.json` says which cases are whole; those before the first that is not
    are a random sample of all, whatever stopped the run.

    Args:
        tree: the artifact tree; sources and decks must be in it.
        judge: who is asked.
        run: name of the run.
        audiences: the configured audiences; they are copied to `audiences.csv`.
        settings: all knobs.
        progress: told after each unit of each stage.
        reader: opens decks.
        source_reader: opens sources.

    Returns:
        The reports of probes, weights and evaluate; the last has a finding when the judge may
        not be asked any more.

    Raises:
        InputError: when the run's name is not usable.
        UsageError: for a selector that is not known.
    """
    run = check_name("run", run)
    write_audiences(tree.audiences_csv, audiences)
    cases = {case.case_label: case for case in selected_cases(tree, settings.select)}
    entries, findings = deck_entries(tree, run, settings.select)
    tallies = _tallies(tree, cases, entries, audiences, progress)
    tallies[2].find(*findings)
    order = drawn(sorted({*cases, *entries}), settings.order_seed, str)
    states = dict.fromkeys(order, NOT_BEGUN)
    shared = _Run(
        tree,
        run,
        judge,
        audiences,
        settings,
        reader,
        source_reader,
        cases,
        entries,
        *tallies,
        states=states,
    )
    try:
        reason = work_through(order, shared.work, judge)
    finally:
        if order:
            put_json(tree.run_folder(run) / ORDER_FILE, _order_record(settings.order_seed, states))
    if reason:
        whole = list(states.values()).count(WHOLE)
        told = f"{reason}; {whole} of {len(states)} cases are whole, see runs/{run}/{ORDER_FILE}"
        tallies[2].find(stopped(run, told))
    return [tally.report() for tally in tallies]


def _tallies(
    tree: ArtifactTree,
    cases: Mapping[str, SourceMetadata],
    entries: Mapping[str, Sequence[DeckEntry]],
    audiences: Sequence[AudienceProfile],
    progress: Progress | None,
) -> tuple[Tally, Tally, Tally]:
    """Return the counts of the three stages; totals are what is known before the banks are."""
    decks = [deck for one in entries.values() for deck in plan_decks(tree, one, audiences)]
    weights = sum(expected(tree, case, audiences) for case in cases.values())
    return (
        Tally("probes", len(cases), progress),
        Tally("weights", weights, progress),
        Tally("evaluate", sum(deck.count for deck in decks), progress),
    )


def _order_record(seed: int, states: Mapping[str, str]) -> dict[str, Any]:
    """Return the order of the cases, how far each is, and how many are a sample."""
    labels = list(states)
    sample = next((n for n, label in enumerate(labels) if states[label] != WHOLE), len(labels))
    return {
        "order_seed": seed,
        "sample_count": sample,
        "cases": [{"case_label": label, "state": states[label]} for label in labels],
    }
