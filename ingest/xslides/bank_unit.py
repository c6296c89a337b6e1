"""What one probe bank is made from, and the status file that says how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.endpoint.neutralise import injection_suspected_count
from ingest.judge.exchange import Task
from ingest.judge.interface import Judge
from ingest.xslides import deduplication
from ingest.xslides.chunks import count_chunks
from ingest.xslides.source_metadata import SourceMetadata
from ingest.xslides.source_text import SourceText
from ingest.xslides.stage import Settings, fingerprint
from ingest.xslides.tree import PROBES_FILE, SOURCE_CONTEXT
from warehouse import storage


@dataclass(frozen=True)
class BankUnit:
    """What one bank is made from.

    Attributes:
        case: whose bank.
        folder: where it goes.
        file: the source, relative to the tree.
        source: its text.
        chunk_count: requests of one pass.
        fingerprint: hash of all that changes the bank.
    """

    case: SourceMetadata
    folder: Path
    file: str
    source: SourceText
    chunk_count: int
    fingerprint: str


def unit_of(
    case: SourceMetadata,
    folder: Path,
    file: str,
    source: SourceText,
    judge: Judge,
    settings: Settings,
) -> BankUnit:
    """Return the unit of one case; its fingerprint covers all that changes the bank."""
    made_of = {
        "case": [case.case_id, case.case_label, case.scene],
        "source": [source.sha256, source.parser, storage.sha256_bytes(source.text.encode())],
        "settings": _chunk_settings(settings),
        "judge": _judge_record(judge),
        "deduplication": deduplication.METHOD_VERSION,
    }
    count = count_chunks(len(source.text), settings.chunk_chars, settings.chunk_overlap)
    return BankUnit(case, folder, file, source, count, fingerprint(made_of))


def is_complete(unit: BankUnit, status: dict[str, Any]) -> bool:
    """Return whether the whole bank of this very unit is there."""
    bank = unit.folder / PROBES_FILE
    return (
        status.get("state") == "complete"
        and status.get("fingerprint") == unit.fingerprint
        and bank.is_file()
        and (unit.folder / SOURCE_CONTEXT).is_file()
        and storage.sha256_file(bank) == status.get("probes_sha256")
    )


def status_start(unit: BankUnit, judge: Judge, settings: Settings) -> dict[str, Any]:
    """Return the status file of a bank in the making."""
    return {
        "producer": "podium",
        "state": "running",
        "fingerprint": unit.fingerprint,
        "case_id": unit.case.case_id,
        "case_label": unit.case.case_label,
        "scene": unit.case.scene,
        "source_path": unit.file,
        "source_sha256": unit.source.sha256,
        "source_context_sha256": storage.sha256_bytes(unit.source.text.encode("utf-8")),
        "source_characters": unit.source.characters,
        "context_characters": len(unit.source.text),
        "truncated": unit.source.truncated,
        "injection_suspected": injection_suspected_count([unit.source.text]),
        "parser": unit.source.parser,
        "chunk_count": unit.chunk_count,
        "settings": _chunk_settings(settings),
        "judge": _judge_record(judge),
        "model_id": judge.id_of(Task.PROBES),
        "deduplication": {
            "method": deduplication.METHOD_VERSION,
            "answer_threshold": deduplication.ANSWER_THRESHOLD,
            "question_threshold": deduplication.QUESTION_THRESHOLD,
            "evidence_threshold": deduplication.EVIDENCE_THRESHOLD,
        },
    }


def _chunk_settings(settings: Settings) -> dict[str, int]:
    names = ("source_chars", "chunk_chars", "chunk_overlap", "probe_passes")
    return {name: getattr(settings, name) for name in names}


def _judge_record(judge: Judge) -> dict[str, str]:
    return {
        "id": judge.id_of(Task.PROBES),
        "kind": judge.judge_kind,
        "model": judge.id_of(Task.PROBES),
        "prompt_sha256": judge.prompt_sha256(Task.PROBES),
    }
