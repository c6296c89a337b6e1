"""Judging which probes of a bank one deck answers: exactly one row per probe, in bank order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ingest.endpoint.subject import CallSubject
from ingest.judge.exchange import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    Probe,
    Reply,
    ReplyStatus,
    Verdict,
)
from ingest.judge.interface import Judge, ask_until_whole
from ingest.xslides.deck_input import DeckInput
from ingest.xslides.stage import Settings, batches

JUDGED, FILLED, FAILED = "judged", "filled", "failed"


@dataclass(frozen=True)
class Scores:
    """Rows of `probe_scores.jsonl` and what was wrong with the replies behind them.

    Attributes:
        rows: one per probe, in bank order.
        filled: probes that good replies left out, also when asked for again.
        failed: probes whose request had no usable reply.
        ignored: judgments for probes not asked, doubled, or with an impossible confidence.
        messages: reasons of failed requests.
        repeats_missing: repeated judgments without a usable one; the rows stand without them.
    """

    rows: tuple[dict[str, Any], ...]
    filled: int = 0
    failed: int = 0
    ignored: int = 0
    messages: tuple[str, ...] = ()
    repeats_missing: int = 0

    @property
    def is_nothing(self) -> bool:
        """Return whether no probe of a bank got a judgment: rows of guesses are no evaluation."""
        missing = (row["metadata"].get("judgment_status") in (FILLED, FAILED) for row in self.rows)
        return bool(self.rows) and all(missing)

    @property
    def is_whole(self) -> bool:
        """Return whether every judgment that was asked for is there."""
        return not (self.filled or self.failed or self.repeats_missing)


@dataclass
class _Sample:
    """One judgment of every probe, or what there is in place of it."""

    judgments: dict[str, AnswerabilityJudgment] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    ignored: int = 0
    messages: list[str] = field(default_factory=list)


def judge_deck(
    judge: Judge,
    deck: DeckInput,
    source_context: str,
    probes: Sequence[Probe],
    settings: Settings,
    subject: CallSubject | None = None,
) -> Scores:
    """Ask the judge about all probes in batches and return one row per probe.

    What a good reply leaves out is asked for again by itself; a judgment that is missing then is
    filled as uncovered with confidence 0. Judgments that were not asked for, doubled ones after
    the first, and those with a confidence outside 0 to 1 are ignored and counted. The verdict is
    that of the first sample; with `settings.repeats` above 1 the row keeps those of all samples
    in `metadata.repeats`, in order, null for a missing one.
    """
    requests = [
        AnswerabilityRequest(
            deck.pages, source_context, tuple(probes[part]), sample, deck.images, subject
        )
        for sample in range(settings.repeats)
        for part in batches(len(probes), settings.batch_size)
    ]
    samples = [_Sample() for _ in range(settings.repeats)]
    for request, reply in ask_until_whole(judge.judge_answerability, requests, judge, _rest):
        _collect(request, reply, samples[request.sample_index])
    first, *others = samples
    missing = list(first.missing.values())
    return Scores(
        tuple(_row(probe, samples) for probe in probes),
        missing.count(FILLED),
        missing.count(FAILED),
        sum(sample.ignored for sample in samples),
        tuple(first.messages),
        sum(len(sample.missing) for sample in others),
    )


def _collect(
    request: AnswerabilityRequest, reply: Reply[AnswerabilityJudgment], sample: _Sample
) -> None:
    judgments, surplus = _usable(request, reply)
    missing = FILLED if reply.status is ReplyStatus.OK else FAILED
    if missing == FAILED:
        sample.messages.append(reply.message or reply.status.value)
    sample.ignored += surplus
    sample.judgments.update(judgments)
    for probe in request.probes:
        if probe.probe_id in judgments:
            sample.missing.pop(probe.probe_id, None)
        else:
            sample.missing.setdefault(probe.probe_id, missing)


def _rest(
    request: AnswerabilityRequest, reply: Reply[AnswerabilityJudgment]
) -> AnswerabilityRequest | None:
    """Return the request for the probes that a reply left out; see `ask_until_whole`."""
    known, _ = _usable(request, reply)
    left = tuple(probe for probe in request.probes if probe.probe_id not in known)
    return replace(request, probes=left) if known and left else None


def _usable(
    request: AnswerabilityRequest, reply: Reply[AnswerabilityJudgment]
) -> tuple[dict[str, AnswerabilityJudgment], int]:
    if reply.status is not ReplyStatus.OK:
        return {}, 0
    asked = {probe.probe_id for probe in request.probes}
    judgments: dict[str, AnswerabilityJudgment] = {}
    ignored = 0
    for judgment in reply.items:
        is_new = judgment.probe_id in asked and judgment.probe_id not in judgments
        if judgment.is_possible and is_new:
            judgments[judgment.probe_id] = judgment
        else:
            ignored += 1
    return judgments, ignored


def _row(probe: Probe, samples: Sequence[_Sample]) -> dict[str, Any]:
    first = samples[0]
    judgment = first.judgments.get(probe.probe_id)
    verdict = Verdict.UNCOVERED if judgment is None else judgment.verdict
    metadata: dict[str, Any] = {
        "verdict": verdict.value,
        "confidence": 0.0 if judgment is None else judgment.confidence,
        "judgment_status": JUDGED if judgment is not None else first.missing[probe.probe_id],
    }
    if len(samples) > 1:
        repeats = (sample.judgments.get(probe.probe_id) for sample in samples)
        metadata["repeats"] = [
            None if one is None else {"verdict": one.verdict.value, "confidence": one.confidence}
            for one in repeats
        ]
    return {
        "probe_id": probe.probe_id,
        "covered": verdict is Verdict.COVERED,
        "answer": "" if judgment is None else judgment.answer,
        "cited_evidence": "" if judgment is None else judgment.cited_evidence,
        "metadata": metadata,
    }
