"""The benchmark's artifact formats as a table, written from its specification alone.

A type is `str`, `int`, `number`, `bool`, `object`, a list of one (`[str]`), a record (`{...}`), or
one of these with `?` when it may be null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Type = Any

_EVALUATION = r"runs/[^/]+/evaluations/[^/]+/(?:agnostic|conditioned)/[^/]+/[^/]+/"
_SHA256 = re.compile("[0-9a-f]{64}")
EVIDENCE = {"locator": "str", "text": "str"}
CLAIM = {
    "claim_id": "str",
    "text": "str",
    "slide": "int?",
    "label": "str",
    "snippets": [EVIDENCE],
    "confidence": "number",
}
# Place, form, and stable fields of every file of the benchmark.
FORMATS: dict[str, tuple[str, str, dict[str, Type]]] = {
    "source": (r"sources/[^/]+/source\.(?:pdf|html|md|txt)", "bytes", {}),
    "source_metadata.json": (
        r"sources/[^/]+/source_metadata\.json",
        "json",
        {
            "case_id": "str",
            "title": "str",
            "source_path": "str",
            "source_type": "str",
            "scene": "str",
            "valid_audiences": ["str"],
            "metadata": "object",
        },
    ),
    "source_context.txt": (r"probes/[^/]+/source_context\.txt", "text", {}),
    "raw": (r"probes/[^/]+/raw/chunk_\d{2,}/[^/]+\.json", "json", {}),
    "probes_deduped.jsonl": (
        r"probes/[^/]+/probes_deduped\.jsonl",
        "jsonl",
        {
            "probe_id": "str",
            "source_case_id": "str",
            "scene": "str",
            "question": "str",
            "answer": "str",
            "evidence": [EVIDENCE],
            "level": "int",
            "modality": "str",
            "theme": "str",
            "metadata": "object",
        },
    ),
    "probe_generation_status.json": (
        r"probes/[^/]+/probe_generation_status\.json",
        "json",
        {},
    ),
    "weights.jsonl": (
        r"probes/[^/]+/weights/[^/]+\.jsonl",
        "jsonl",
        {
            "probe_id": "str",
            "audience": "str",
            "utility_weight": "number",
            "reason": "str",
            "metadata": "object",
        },
    ),
    "deck": (
        r"runs/[^/]+/decks/[^/]+/(?:agnostic/agnostic|conditioned/[^/]+)/[^/]+/[^/]+\.(?:pptx|pdf)",
        "bytes",
        {},
    ),
    "run_sheet.csv": (r"runs/[^/]+/run_sheet\.csv", "text", {}),
    "correctness_cache": (r"runs/[^/]+/correctness_cache/[^/]+\.json", "json", {}),
    "deck_stats.json": (
        _EVALUATION + r"deck_stats\.json",
        "json",
        {
            "deck_path": "str",
            "slide_count": "int?",
            "visible_word_count": "int?",
            "extracted_text_path": "str?",
            "parser": "str",
            "warnings": ["str"],
        },
    ),
    "deck text": (_EVALUATION + r"[^/]+\.txt", "text", {}),
    "probe_scores.jsonl": (
        _EVALUATION + r"probe_scores\.jsonl",
        "jsonl",
        {
            "probe_id": "str",
            "covered": "bool",
            "answer": "str",
            "cited_evidence": "str",
            "metadata": "object",
        },
    ),
    "correctness.json": (
        _EVALUATION + r"correctness\.json",
        "json",
        {"correctness": "number?", "claims": [CLAIM], "settings": "object"},
    ),
    "metrics.json": (
        _EVALUATION + r"metrics\.json",
        "json",
        {
            "audience": "str",
            "tau_a": "number",
            "included_probe_count": "int",
            "available_utility": "number",
            "recovered_utility": "number",
            "coverage": "number?",
            "efficiency_time": "number?",
            "efficiency_slide": "number?",
            "correctness": "number?",
            "safe_efficiency_time": "number?",
        },
    ),
    "run_manifest.json": (
        _EVALUATION + r"run_manifest\.json",
        "json",
        {
            "run": "str",
            "system_id": "str",
            "condition": "str",
            "deck_audience": "str?",
            "audience": "str",
            "case_id": "str",
            "case_label": "str",
            "tau_a": "number",
            "deck_path": "str",
            "deck_sha256": "sha256",
            "probes_sha256": "sha256",
            "weights_sha256": "sha256?",
            "judge": {"id": "str", "kind": "str", "model": "str", "prompt_sha256": "sha256"},
            "judge_input_mode": "str",
            "code_version": "str",
            "started_at": "str",
        },
    ),
    "status.json": (_EVALUATION + r"status\.json", "json", {"status": "str"}),
    "run.log": (_EVALUATION + r"run\.log", "text", {}),
}


def format_of(place: str) -> str | None:
    """Return the name of the format of a file by its place in the tree, None for no such one."""
    return next(
        (name for name, (pattern, _, _) in FORMATS.items() if re.fullmatch(pattern, place)), None
    )


def files_of(root: Path) -> Iterator[tuple[str, str | None, Path]]:
    """Yield place, format and path of every file of a tree."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            place = path.relative_to(root).as_posix()
            yield place, format_of(place), path


def records_of(name: str, path: Path) -> list[dict[str, Any]]:
    """Return the records of a file by plain json; a file of text has none."""
    form = FORMATS[name][1]
    if form == "bytes":
        return []
    text = path.read_bytes().decode("utf-8")
    if form == "text":
        return []
    if form == "json":
        return [json.loads(text)]
    assert text.endswith("\n"), f"{path} ends in the middle of a line"
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def faults_of(root: Path) -> list[str]:
    """Return what breaks the formats in a tree; files of no format are not looked at."""
    faults = []
    for place, name, path in files_of(root):
        if name is None:
            continue
        for record in records_of(name, path):
            faults += [f"{place}: {fault}" for fault in _faults(record, FORMATS[name][2], "")]
    return faults


def extra_fields(root: Path) -> set[tuple[str, str]]:
    """Return (format, field) of all fields beyond the stable ones, `metadata.` ones included."""
    found = set()
    for _, name, path in files_of(root):
        if name is None or not FORMATS[name][2]:
            continue
        for record in records_of(name, path):
            found |= {(name, field) for field in set(record) - set(FORMATS[name][2])}
            metadata = record.get("metadata")
            found |= {(name, f"metadata.{one}") for one in metadata or ()}
    return found


def _faults(value: Any, wanted: Type, where: str) -> Iterator[str]:
    if isinstance(wanted, dict):
        if not isinstance(value, dict):
            yield f"`{where}` is no record"
            return
        for name, one in wanted.items():
            if name not in value:
                yield f"`{where}{name}` is missing"
            else:
                yield from _faults(value[name], one, f"{where}{name}.")
    elif isinstance(wanted, list):
        if not isinstance(value, list):
            yield f"`{where}` is no list"
            return
        for one in value:
            yield from _faults(one, wanted[0], where)
    elif not _is(value, wanted):
        yield f"`{where}` is {value!r}, not {wanted}"


def _is(value: Any, wanted: str) -> bool:
    if wanted.endswith("?"):
        return value is None or _is(value, wanted.removesuffix("?"))
    is_bool = isinstance(value, bool)
    return {
        "str": isinstance(value, str),
        "sha256": isinstance(value, str) and bool(_SHA256.fullmatch(value)),
        "bool": is_bool,
        "int": isinstance(value, int) and not is_bool,
        "number": isinstance(value, int | float) and not is_bool,
        "object": isinstance(value, dict),
    }[wanted]
