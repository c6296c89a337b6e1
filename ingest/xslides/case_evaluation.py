"""The evaluations of one case: every deck, every bank, every audience.

A deck is read once, its answerability judged once per probe bank and its claims once; the
evaluations of all its audiences share these, because neither depends on the audience.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.endpoint.subject import CallSubject
from ingest.judge.exchange import AudienceProfile
from ingest.judge.interface import Judge
from ingest.xslides.answerability import Scores, judge_deck
from ingest.xslides.correctness import Correctness, score_correctness
from ingest.xslides.deck_input import DeckInput, Trouble, input_of, mode_of, trouble_of
from ingest.xslides.deck_text import DeckText, read_deck
from ingest.xslides.evaluation_files import (
    NOT_RUN,
    OK,
    OWN,
    SHARED,
    EvaluationResult,
    is_current,
    is_foreign,
    sibling_rows,
    write_evaluation,
)
from ingest.xslides.evaluation_manifest import manifest_of
from ingest.xslides.evaluation_plan import DeckEntry, PlannedDeck, plan_decks
from ingest.xslides.probe_bank import ProbeBank, read_bank
from ingest.xslides.snippets import SourceContext
from ingest.xslides.source_text import SourceReader, extract
from ingest.xslides.stage import Settings, Tally, incomplete
from ingest.xslides.tree import (
    AGNOSTIC,
    CONDITIONED,
    SOURCE_CONTEXT,
    ArtifactTree,
    DeckKey,
    EvaluationKey,
)
from ingest.xslides.weights import WeightUnit, weigh
from warehouse.findings import Finding


@dataclass
class CaseEvaluator:
    """What the decks of one case share. Of one thread.

    Attributes:
        tree: the artifact tree.
        judge: who judges.
        run: name of the run.
        settings: all knobs.
        audiences: the configured audiences.
        tally: counts evaluations and keeps findings.
        reader: opens decks.
        source_reader: opens sources whose context file is missing.
    """

    tree: ArtifactTree
    judge: Judge
    run: str
    settings: Settings
    audiences: Sequence[AudienceProfile]
    tally: Tally
    reader: SourceReader
    source_reader: SourceReader
    _banks: dict[str, ProbeBank | None] = field(default_factory=dict, init=False)
    _contexts: dict[str, SourceContext] = field(default_factory=dict, init=False)

    def evaluate(self, entries: Sequence[DeckEntry]) -> None:
        """Evaluate the decks of the case for all its banks and audiences.

        Raises:
            JudgeStoppedError: when the judge may not be asked any more; finished work stays.
        """
        for planned in plan_decks(self.tree, entries, self.audiences):
            self._evaluate_deck(planned)

    def _evaluate_deck(self, planned: PlannedDeck) -> None:
        entry = planned.entry
        deck = read_deck(entry, entry.path, self.reader)
        trouble = trouble_of(deck, self.judge, self.settings)
        if trouble is not None:
            self._tell(trouble, deck)
        for folder, keys in planned.evaluations.items():
            bank = self._bank(folder)
            if bank is None:
                for _ in keys:
                    self.tally.count("failed")
                continue
            self._make_weights(deck, bank, keys)
            self._evaluate_bank(deck, bank, keys, trouble)

    def _evaluate_bank(
        self,
        deck: DeckText,
        bank: ProbeBank,
        keys: Iterable[EvaluationKey],
        trouble: Trouble | None,
    ) -> None:
        shared: tuple[DeckInput, Scores, Correctness] | None = None
        context = self._context(bank, deck)
        mode = mode_of(deck, self.settings)
        for key in keys:
            folder = self.tree.evaluation_folder(self.run, key)
            manifest = manifest_of(
                self.tree,
                self.run,
                key,
                deck,
                bank,
                context.sha256,
                self.judge,
                self.settings,
                mode,
            )
            if not self.settings.force and self._is_there(folder, manifest, key, mode):
                self.tally.count("skipped")
                continue
            started = {
                **manifest,
                "code_version": self.settings.code_version,
                "started_at": self.settings.clock(),
                "judgments": OWN if key.condition == CONDITIONED else SHARED,
            }
            stats = deck.stats(self.tree.relative(deck.entry.path), None)
            result = EvaluationResult(OK, deck.status.value, "", started, stats)
            if trouble is None and shared is None:
                judged = self._judge_bank(deck, bank, context, manifest)
                if isinstance(judged, Trouble):
                    trouble = judged
                    self._tell(trouble, deck)
                else:
                    shared = judged
            if shared is None:
                assert trouble is not None
                write_evaluation(folder, _troubled(result, trouble))
                self.tally.count("failed")
                continue
            write_evaluation(folder, self._with_scores(result, deck, folder, *shared))
            self.tally.count("done")

    def _is_there(
        self, folder: Path, manifest: dict[str, object], key: EvaluationKey, mode: str
    ) -> bool:
        if is_current(folder, manifest):
            return True
        if is_foreign(folder, mode):
            note = f"`{key.subject}`: scores made elsewhere are used as given, unverified"
            self.tally.note(note)
            return True
        return False

    def _judge_bank(
        self, deck: DeckText, bank: ProbeBank, context: SourceContext, manifest: dict[str, object]
    ) -> tuple[DeckInput, Scores, Correctness] | Trouble:
        run_folder = self.tree.run_folder(self.run)
        given = input_of(deck, self.settings, run_folder / "rendered")
        if isinstance(given, Trouble):
            return given
        about = _subject(deck.entry.key)
        scores = None if self.settings.force else self._siblings_scores(deck, bank, manifest)
        if scores is None:
            scores = judge_deck(self.judge, given, context.text, bank.probes, self.settings, about)
        if scores.is_nothing:
            reasons = "; ".join(sorted(set(scores.messages)))
            message = f"none of {len(scores.rows)} probes was judged: {reasons}"
            return Trouble("judge_answers", NOT_RUN, message, may_pass=True)
        correctness = score_correctness(
            self.judge,
            given,
            (deck.sha256 or "", context.sha256),
            context.index,
            self.settings,
            self.settings.correctness_cache_dir or run_folder / "correctness_cache",
            about,
        )
        self._tell_losses(deck, scores, correctness)
        return given, scores, correctness

    def _tell_losses(self, deck: DeckText, scores: Scores, correctness: Correctness) -> None:
        subject, file = deck.entry.key.subject, deck.entry.given
        if scores.filled:
            message = f"{scores.filled} of {len(scores.rows)} probes got no judgment"
            self.tally.find(incomplete("probe_is_judged", subject, message, file))
        if scores.failed:
            message = f"{scores.failed} probes failed: {'; '.join(sorted(set(scores.messages)))}"
            self.tally.find(incomplete("judge_answers", subject, message, file))
        if scores.repeats_missing:
            message = f"{scores.repeats_missing} repeated judgments are missing"
            self.tally.find(incomplete("repeat_is_judged", subject, message, file))
        if correctness.message:
            self.tally.find(incomplete("claim_is_judged", subject, correctness.message, file))

    def _siblings_scores(
        self, deck: DeckText, bank: ProbeBank, manifest: dict[str, object]
    ) -> Scores | None:
        """Return scores that another audience's folder of the same deck already holds."""
        key = deck.entry.key
        parent = self.tree.run_folder(self.run) / "evaluations" / key.system_id / key.condition
        rows = sibling_rows(parent, bank.case_folder, manifest, len(bank.probes))
        return None if rows is None else Scores(rows)

    def _with_scores(
        self,
        result: EvaluationResult,
        deck: DeckText,
        folder: Path,
        given: DeckInput,
        scores: Scores,
        correctness: Correctness,
    ) -> EvaluationResult:
        text_name = f"{deck.entry.path.name}.txt"
        stats = {
            **result.stats,
            "extracted_text_path": self.tree.relative(folder / text_name),
            "images_sent": len(given.images),
            "renderer": given.renderer,
        }
        covered = sum(row["covered"] for row in scores.rows)
        log = (
            f"deck: {deck.status.value}, {len(deck.pages)} slides, judged by {given.mode}",
            f"probes: {len(scores.rows)} asked, {covered} covered, {scores.filled} filled, "
            f"{scores.failed} failed, {scores.ignored} judgments ignored",
            f"claims: {len(correctness.record['claims'])}",
        )
        return replace(
            result,
            stats=stats,
            text_name=text_name,
            text=deck.text,
            scores=scores.rows,
            correctness=correctness.record,
            is_complete=scores.is_whole and not correctness.failed,
            log=log,
        )

    def _tell(self, trouble: Trouble, deck: DeckText) -> None:
        subject = deck.entry.key.subject
        self.tally.find(incomplete(trouble.check, subject, trouble.message, deck.entry.given))

    def _make_weights(self, deck: DeckText, bank: ProbeBank, keys: Iterable[EvaluationKey]) -> None:
        profiles = {profile.audience: profile for profile in self.audiences}
        for key in keys:
            path = self.tree.weights_file(bank.case_folder, key.audience)
            profile = profiles.get(key.audience)
            if path.is_file():
                continue
            if profile is None:
                message = f"audience `{key.audience}` has no weights and is not configured"
                file = self.tree.relative(path)
                self.tally.find(Finding("audience_is_configured", key.subject, message, file))
                continue
            unit = WeightUnit(deck.entry.case, bank, profile)
            weigh(self.tree, unit, self.judge, self.settings, self.tally)

    def _bank(self, folder: str) -> ProbeBank | None:
        if folder not in self._banks:
            bank, findings = read_bank(self.tree, folder)
            self.tally.find(*findings)
            self._banks[folder] = bank
        return self._banks[folder]

    def _context(self, bank: ProbeBank, deck: DeckText) -> SourceContext:
        """Return the source text that probes were made from, else the source read now."""
        folder = bank.case_folder
        if folder not in self._contexts:
            path = self.tree.probe_folder(folder) / SOURCE_CONTEXT
            source = self.tree.source_file(deck.entry.key.case_label)
            text = ""
            if path.is_file():
                text = path.read_bytes().decode("utf-8", errors="replace")
            elif source is not None:
                text = extract(source, self.settings.source_chars, self.source_reader).text
            if not text:
                message = "the source text is missing; claims cannot be held against it"
                file = self.tree.relative(path)
                self.tally.find(incomplete("source_context_exists", folder, message, file))
            self._contexts[folder] = SourceContext(text)
        return self._contexts[folder]


def _troubled(result: EvaluationResult, trouble: Trouble) -> EvaluationResult:
    return replace(
        result,
        status=trouble.status,
        message=trouble.message,
        is_complete=not trouble.may_pass,
        log=(f"{trouble.status}: {trouble.message}",),
    )


def _subject(key: DeckKey) -> CallSubject:
    audience = None if key.audience == AGNOSTIC else key.audience
    return CallSubject(key.case_label, key.system_id, key.condition, audience)
