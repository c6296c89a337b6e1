"""Judging which probes of a bank one deck answers: exactly one row per probe, in bank order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest.judge.interface import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    DeckPage,
    Judge,
    Probe,
    Reply,
    ReplyStatus,
    Verdict,
    ask_all,
)
from ingest.xslides.stage import batches

JUDGED, FILLED, FAILED = "judged", "filled", "failed"


@dataclass(frozen=True)
class Scores:
    """Rows of `probe_scores.jsonl` and what was wrong with the replies behind them.

    Attributes:
        rows: one per probe, in bank order.
        filled: probes that an otherwise good reply left out.
        failed: probes whose request had no usable reply.
        ignored: judgments for probes not asked, doubled, or with an impossible confidence.
        messages: reasons of failed requests.
    """

    rows: tuple[dict[str, Any], ...]
    filled: int = 0
    failed: int = 0
    ignored: int = 0
    messages: tuple[str, ...] = ()


def judge_deck(
    judge: Judge,
    pages: tuple[DeckPage, ...],
    source_context: str,
    probes: Sequence[Probe],
    batch_size: int,
) -> Scores:
    """Ask the judge about all probes in batches and return one row per probe.

    A missing judgment is filled as uncovered with confidence 0; judgments that were not
    asked for, doubled ones after the first, and those with a confidence outside 0 to 1 are
    ignored and counted.
    """
    requests = [
        AnswerabilityRequest(pages, source_context, tuple(probes[part]))
        for part in batches(len(probes), batch_size)
    ]
    replies = ask_all(judge.judge_answerability, requests, judge.max_in_flight)
    rows: list[dict[str, Any]] = []
    counts = {FILLED: 0, FAILED: 0}
    ignored = 0
    messages = []
    for request, reply in zip(requests, replies, strict=True):
        judgments, surplus = _usable(request, reply)
        ignored += surplus
        missing = FILLED if reply.status is ReplyStatus.OK else FAILED
        if missing == FAILED:
            messages.append(reply.message or reply.status.value)
        for probe in request.probes:
            judgment = judgments.get(probe.probe_id)
            counts[missing] += judgment is None
            rows.append(_row(probe, judgment, missing))
    return Scores(tuple(rows), counts[FILLED], counts[FAILED], ignored, tuple(messages))


def _usable(
    request: AnswerabilityRequest, reply: Reply[AnswerabilityJudgment]
) -> tuple[dict[str, AnswerabilityJudgment], int]:
    if reply.status is not ReplyStatus.OK:
        return {}, 0
    asked = {probe.probe_id for probe in request.probes}
    judgments: dict[str, AnswerabilityJudgment] = {}
    ignored = 0
    for judgment in reply.items:
        possible = math.isfinite(judgment.confidence) and 0 <= judgment.confidence <= 1
        if possible and judgment.probe_id in asked and judgment.probe_id not in judgments:
            judgments[judgment.probe_id] = judgment
        else:
            ignored += 1
    return judgments, ignored


def _row(probe: Probe, judgment: AnswerabilityJudgment | None, missing: str) -> dict[str, Any]:
    verdict = Verdict.UNCOVERED if judgment is None else judgment.verdict
    return {
        "probe_id": probe.probe_id,
        "covered": verdict is Verdict.COVERED,
        "answer": "" if judgment is None else judgment.answer,
        "cited_evidence": "" if judgment is None else judgment.cited_evidence,
        "metadata": {
            "verdict": verdict.value,
            "confidence": 0.0 if judgment is None else judgment.confidence,
            "judgment_status": JUDGED if judgment is not None else missing,
        },
    }
