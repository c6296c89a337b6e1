"""Stage 5: evaluate decks: which probes each deck answers and whether its claims hold.

Cases are worked on in a drawn order, all decks of a case together, so that a run that is
stopped has judged a sample of cases for every system alike.
"""

from __future__ import annotations

from ingest.judge.exchange import AudienceProfile
from ingest.judge.interface import Judge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.case_evaluation import CaseEvaluator
from ingest.xslides.case_order import drawn, work_through
from ingest.xslides.evaluation_plan import deck_entries, plan_decks
from ingest.xslides.source_text import SourceReader, read_document
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, stopped
from ingest.xslides.tree import ArtifactTree, check_name


def evaluate(
    tree: ArtifactTree,
    judge: Judge,
    run: str,
    settings: Settings,
    progress: Progress | None = None,
    reader: SourceReader = read_document,
    source_reader: SourceReader = read_document,
) -> StageReport:
    """Judge every deck of a run for its audiences; missing weights are made first.

    When the judge may not be asked any more, finished work stays and the report has a finding.

    Args:
        tree: the artifact tree; probe banks and decks must be in it.
        judge: who judges answerability and claims.
        run: name of the run.
        settings: batch size, repeats, tau_a for the manifests, selection, cache folder.
        progress: told after each evaluation.
        reader: opens decks.
        source_reader: opens sources whose context file is missing.

    Raises:
        InputError: when the run's name or the audiences file is not usable.
    """
    run = check_name("run", run)
    audiences = configured_audiences(tree)
    entries, findings = deck_entries(tree, run, settings.select)
    total = sum(deck.count for one in entries.values() for deck in plan_decks(tree, one, audiences))
    tally = Tally("evaluate", total, progress)
    tally.find(*findings)

    def work(label: str) -> None:
        evaluator = CaseEvaluator(
            tree, judge, run, settings, audiences, tally, reader, source_reader
        )
        evaluator.evaluate(entries[label])

    reason = work_through(drawn(list(entries), settings.order_seed, str), work, judge)
    if reason:
        tally.find(stopped(run, reason))
    return tally.report()


def configured_audiences(tree: ArtifactTree) -> tuple[AudienceProfile, ...]:
    """Return the audiences that the tree states, else those of the registry."""
    return read_audiences(tree.audiences_csv if tree.audiences_csv.is_file() else None)
