"""Rows and raw records of one probe bank, as they stand on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ingest.judge.exchange import ProbeDraft, ProbeRequest, Reply
from ingest.xslides import deduplication
from ingest.xslides.chunks import Chunk
from ingest.xslides.quick_files import put_json
from ingest.xslides.source_text import page_of


@dataclass(frozen=True)
class PlacedDraft:
    """A draft and where it came from; all numbers are 1-based."""

    chunk_index: int
    pass_index: int
    position: int
    draft: ProbeDraft


@dataclass(frozen=True)
class Origin:
    """What all probes of one bank share."""

    case_id: str
    scene: str
    context: str
    chunk_count: int
    judge_id: str
    judge_kind: str


def write_raw(
    raw: Path,
    chunks: Sequence[Chunk],
    asked: Sequence[ProbeRequest],
    replies: Sequence[Reply[ProbeDraft]],
) -> None:
    """Write request and response of every pass; raw files of an earlier bank go."""
    written = set()
    for request, reply in zip(asked, replies, strict=True):
        chunk = chunks[request.chunk_index - 1]
        path = raw / f"chunk_{request.chunk_index:02d}" / f"pass_{request.pass_index:02d}.json"
        record = {
            "chunk_index": request.chunk_index,
            "chunk_count": request.chunk_count,
            "chunk_start": chunk.start,
            "chunk_end": chunk.end,
            "pass": request.pass_index,
            "status": reply.status.value,
            "message": reply.message,
            "request": dict(reply.request),
            "response": reply.response,
        }
        put_json(path, record)
        written.add(path)
    # Raw files of an earlier generation would contradict the bank beside them.
    for stale in sorted(set(raw.glob("chunk_*/pass_*.json")) - written):
        stale.unlink()


def probe_row(origin: Origin, number: int, one: PlacedDraft) -> dict[str, Any]:
    """Return one row of `probes_deduped.jsonl`; `number` is the place in the bank, from 1."""
    draft = one.draft
    metadata: dict[str, Any] = {
        "source_chunk_index": one.chunk_index,
        "source_chunk_count": origin.chunk_count,
        "generation_pass": one.pass_index,
        "generation_position": one.position,
        "judge_id": origin.judge_id,
        "judge_kind": origin.judge_kind,
    }
    if draft.domain is not None:
        metadata["domain"] = draft.domain
    return {
        "probe_id": f"pb_{number:04d}",
        "source_case_id": origin.case_id,
        "scene": origin.scene,
        "question": draft.question,
        "answer": draft.answer,
        "evidence": [
            {"locator": one.locator or _locator(origin, one.text), "text": one.text}
            for one in draft.evidence
        ],
        "level": draft.level,
        "modality": draft.modality,
        "theme": draft.theme,
        "metadata": metadata,
    }


def _locator(origin: Origin, passage: str) -> str:
    page = page_of(origin.context, passage)
    return "" if page is None else f"Page {page}"


def pair_rows(
    label: str, kept: Sequence[PlacedDraft], outcome: deduplication.Deduplication
) -> list[dict[str, Any]]:
    """Return the audit rows of all duplicate pairs; a dropped draft has no probe id."""
    ids = {position: f"pb_{n:04d}" for n, position in enumerate(outcome.kept, start=1)}
    rows = []
    for pair in outcome.pairs:
        record = asdict(pair)
        for side in ("first", "second"):
            position = record.pop(side)
            one = kept[position]
            record[side] = {
                "chunk": one.chunk_index,
                "pass": one.pass_index,
                "position": one.position,
                "probe_id": ids.get(position),
                "question": one.draft.question,
                "answer": one.draft.answer,
            }
        record["case_label"] = label
        record["second_dropped_for_first"] = outcome.dropped.get(pair.second) == pair.first
        rows.append(record)
    return rows
