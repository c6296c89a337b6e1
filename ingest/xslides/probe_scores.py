"""Stage 5: evaluate decks: which probes each deck answers and whether its claims hold.

A deck is read once, its answerability judged once per probe bank and its claims once; the
evaluations of all its audiences share these, because neither depends on the audience.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ingest.documents.document import DocumentStatus
from ingest.judge.interface import AudienceProfile, Judge
from ingest.xslides.answerability import Scores, judge_deck
from ingest.xslides.audiences import read_audiences
from ingest.xslides.correctness import Correctness, score_correctness
from ingest.xslides.deck_text import DeckText, read_deck
from ingest.xslides.evaluation_files import (
    DECK_FAILED,
    NOT_RUN,
    OK,
    OWN,
    SHARED,
    EvaluationResult,
    is_current,
    is_foreign,
    reusable_scores,
    write_evaluation,
)
from ingest.xslides.evaluation_manifest import INPUT_MODE, manifest_of
from ingest.xslides.evaluation_plan import PlannedDeck, plan_run
from ingest.xslides.probe_bank import ProbeBank, read_bank
from ingest.xslides.snippets import SourceContext
from ingest.xslides.source_text import SourceReader, extract, read_document
from ingest.xslides.stage import Progress, Settings, StageReport, Tally, incomplete
from ingest.xslides.tree import (
    CONDITIONED,
    SOURCE_CONTEXT,
    ArtifactTree,
    EvaluationKey,
    check_name,
)
from ingest.xslides.weights import WeightUnit, weigh
from warehouse.findings import Finding


def evaluate(
    tree: ArtifactTree,
    judge: Judge,
    run: str,
    settings: Settings,
    progress: Progress | None = None,
    reader: SourceReader = read_document,
) -> StageReport:
    """Judge every deck of a run for its audiences; missing weights are made first.

    Args:
        tree: the artifact tree; probe banks and decks must be in it.
        judge: who judges answerability and claims.
        run: name of the run.
        settings: batch size, tau_a for the manifests, selection, cache folder.
        progress: told after each evaluation.
        reader: opens decks, and sources whose context file is missing.

    Raises:
        InputError: when the run's name or the audiences file is not usable.
        JudgeStoppedError: when the judge may not be asked any more; finished work stays.
    """
    run = check_name("run", run)
    stated = tree.audiences_csv if tree.audiences_csv.is_file() else None
    audiences = read_audiences(stated)
    planned, findings = plan_run(tree, run, audiences, settings.select)
    tally = Tally("evaluate", sum(deck.count for deck in planned), progress)
    tally.find(*findings)
    evaluator = _Evaluator(tree, judge, run, settings, audiences, reader, tally)
    for deck in planned:
        evaluator.evaluate_deck(deck)
    return tally.report()


class _Evaluator:
    """One run's evaluation: what all its decks share, and the sources read so far."""

    def __init__(
        self,
        tree: ArtifactTree,
        judge: Judge,
        run: str,
        settings: Settings,
        audiences: Sequence[AudienceProfile],
        reader: SourceReader,
        tally: Tally,
    ) -> None:
        self._tree = tree
        self._judge = judge
        self._run = run
        self._settings = settings
        self._profiles = {profile.audience: profile for profile in audiences}
        self._reader = reader
        self._tally = tally
        self._banks: dict[str, ProbeBank | None] = {}
        self._contexts: dict[str, SourceContext] = {}

    def evaluate_deck(self, planned: PlannedDeck) -> None:
        """Evaluate one deck for all its banks and audiences."""
        entry = planned.entry
        deck = read_deck(entry, entry.path, self._reader)
        trouble = self._trouble(deck)
        if trouble is not None:
            check, _, message = trouble
            self._tally.find(incomplete(check, entry.key.subject, message, entry.given))
        for folder, keys in planned.evaluations.items():
            bank = self._bank(folder)
            if bank is None:
                for _ in keys:
                    self._tally.count("failed")
                continue
            self._make_weights(deck, bank, keys)
            self._evaluate_bank(deck, bank, keys, trouble)

    def _evaluate_bank(
        self,
        deck: DeckText,
        bank: ProbeBank,
        keys: Iterable[EvaluationKey],
        trouble: tuple[str, str, str] | None,
    ) -> None:
        shared: tuple[Scores, Correctness] | None = None
        context = self._context(bank, deck)
        for key in keys:
            folder = self._tree.evaluation_folder(self._run, key)
            manifest = manifest_of(
                self._tree,
                self._run,
                key,
                deck,
                bank,
                context.sha256,
                self._judge,
                self._settings,
            )
            if not self._settings.force and self._is_there(folder, manifest, key):
                self._tally.count("skipped")
                continue
            started = {
                **manifest,
                "code_version": self._settings.code_version,
                "started_at": self._settings.clock(),
                "judgments": OWN if key.condition == CONDITIONED else SHARED,
            }
            stats = deck.stats(self._tree.relative(deck.entry.path), None)
            result = EvaluationResult(OK, deck.status.value, "", started, stats)
            if trouble is not None:
                _, status, message = trouble
                line = f"{status}: {message}"
                result = replace(result, status=status, message=message, log=(line,))
                write_evaluation(folder, result)
                self._tally.count("failed")
                continue
            if shared is None:
                shared = self._judge_bank(deck, bank, context, manifest)
            write_evaluation(folder, self._with_scores(result, deck, folder, *shared))
            self._tally.count("done")

    def _is_there(self, folder: Path, manifest: dict[str, object], key: EvaluationKey) -> bool:
        if is_current(folder, manifest):
            return True
        if is_foreign(folder, INPUT_MODE):
            note = f"`{key.subject}`: scores made elsewhere are used as given, unverified"
            self._tally.note(note)
            return True
        return False

    def _judge_bank(
        self, deck: DeckText, bank: ProbeBank, context: SourceContext, manifest: dict[str, object]
    ) -> tuple[Scores, Correctness]:
        scores = self._siblings_scores(deck, bank, manifest)
        subject = deck.entry.key.subject
        if scores is None:
            size = self._settings.batch_size
            scores = judge_deck(self._judge, deck.pages, context.text, bank.probes, size)
        if scores.filled:
            message = f"{scores.filled} of {len(scores.rows)} probes got no judgment"
            self._tally.find(incomplete("probe_is_judged", subject, message, deck.entry.given))
        if scores.failed:
            message = f"{scores.failed} probes failed: {'; '.join(sorted(set(scores.messages)))}"
            self._tally.find(incomplete("judge_answers", subject, message, deck.entry.given))
        correctness = score_correctness(
            self._judge,
            deck.pages,
            (deck.sha256 or "", context.sha256),
            context.index,
            self._settings,
            self._settings.correctness_cache_dir
            or self._tree.run_folder(self._run) / "correctness_cache",
        )
        if correctness.message:
            self._tally.find(
                incomplete("claim_is_judged", subject, correctness.message, deck.entry.given)
            )
        return scores, correctness

    def _siblings_scores(
        self, deck: DeckText, bank: ProbeBank, manifest: dict[str, object]
    ) -> Scores | None:
        """Return scores that another audience's folder of the same deck already holds."""
        if self._settings.force:
            return None
        key = deck.entry.key
        parent = self._tree.run_folder(self._run) / "evaluations" / key.system_id / key.condition
        for folder in sorted(parent.glob(f"*/{_literal(bank.case_folder)}")):
            rows = reusable_scores(folder, manifest)
            if rows is not None and len(rows) == len(bank.probes):
                return Scores(rows)
        return None

    def _with_scores(
        self,
        result: EvaluationResult,
        deck: DeckText,
        folder: Path,
        scores: Scores,
        correctness: Correctness,
    ) -> EvaluationResult:
        text_name = f"{deck.entry.path.name}.txt"
        text_path = self._tree.relative(folder / text_name)
        covered = sum(row["covered"] for row in scores.rows)
        log = (
            f"deck: {deck.status.value}, {len(deck.pages)} slides",
            f"probes: {len(scores.rows)} asked, {covered} covered, {scores.filled} filled, "
            f"{scores.failed} failed, {scores.ignored} judgments ignored",
            f"claims: {len(correctness.record['claims'])}",
        )
        return replace(
            result,
            stats={**result.stats, "extracted_text_path": text_path},
            text_name=text_name,
            text=deck.text,
            scores=scores.rows,
            correctness=correctness.record,
            is_complete=not scores.failed and not correctness.failed,
            log=log,
        )

    def _trouble(self, deck: DeckText) -> tuple[str, str, str] | None:
        """Return (check, evaluation status, message) for a deck that cannot be judged."""
        if not deck.status.is_readable:
            return "deck_is_readable", DECK_FAILED, f"the deck cannot be read: {deck.status.value}"
        if deck.status is DocumentStatus.IMAGE_ONLY and not self._judge.reads_images:
            message = "the deck has pictures but no visible text, and this judge reads text only"
            return "deck_has_visible_text", NOT_RUN, message
        return None

    def _make_weights(self, deck: DeckText, bank: ProbeBank, keys: Iterable[EvaluationKey]) -> None:
        for key in keys:
            path = self._tree.weights_file(bank.case_folder, key.audience)
            profile = self._profiles.get(key.audience)
            if path.is_file():
                continue
            if profile is None:
                message = f"audience `{key.audience}` has no weights and is not configured"
                file = self._tree.relative(path)
                self._tally.find(Finding("audience_is_configured", key.subject, message, file))
                continue
            unit = WeightUnit(deck.entry.case, bank, profile)
            weigh(self._tree, unit, self._judge, self._settings, self._tally)

    def _bank(self, folder: str) -> ProbeBank | None:
        if folder not in self._banks:
            bank, findings = read_bank(self._tree, folder)
            self._tally.find(*findings)
            self._banks[folder] = bank
        return self._banks[folder]

    def _context(self, bank: ProbeBank, deck: DeckText) -> SourceContext:
        """Return the source text that probes were made from, else the source read now."""
        folder = bank.case_folder
        if folder not in self._contexts:
            path = self._tree.probe_folder(folder) / SOURCE_CONTEXT
            source = self._tree.source_file(deck.entry.key.case_label)
            text = ""
            if path.is_file():
                text = path.read_bytes().decode("utf-8", errors="replace")
            elif source is not None:
                text = extract(source, self._settings.source_chars, self._reader).text
            if not text:
                message = "the source text is missing; claims cannot be held against it"
                file = self._tree.relative(path)
                self._tally.find(incomplete("source_context_exists", folder, message, file))
            self._contexts[folder] = SourceContext(text)
        return self._contexts[folder]


def _literal(name: str) -> str:
    """Return a name in which no character is a wildcard of `glob`."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)
