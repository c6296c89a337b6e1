"""Reads the evaluations of an artifact tree for the exact reference, with plain json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.reference import Evaluation, read_judgment, read_weight


def read_tree(root: Path) -> list[Evaluation]:
    """Return every evaluation of a tree: the folders, and decks that nobody judged."""
    found = []
    for run in _folders(root / "runs"):
        ran = [
            _read_evaluation(root, run.name, folder)
            for folder in sorted(run.glob("evaluations/*/*/*/*"))
        ]
        found += [*ran, *_not_run(root, run, ran)]
    return found


def _read_evaluation(root: Path, run: str, folder: Path) -> Evaluation:
    system_id, condition, audience, case_folder = folder.parts[-4:]
    manifest = _json(folder / "run_manifest.json")
    stats = _json(folder / "deck_stats.json")
    rows = _jsonl(folder / "probe_scores.jsonl") or []
    judge_id = manifest.get("judge", {}).get("id", "unstated")
    one = _blank(root, run, system_id, condition, audience, case_folder, judge_id)
    one.judgments = {row["probe_id"]: read_judgment(row) for row in rows}
    one.labels = [row["label"] for row in _json(folder / "correctness.json").get("claims", [])]
    one.deck_status = stats.get("status", "ok") if stats else None
    one.slides, one.words = stats.get("slide_count"), stats.get("visible_word_count")
    return one


def _not_run(root: Path, run: Path, ran: list[Evaluation]) -> Iterator[Evaluation]:
    judges = {one.judge_id for one in ran}
    judge_id = judges.pop() if len(judges) == 1 else "unstated"
    there = {(one.system_id, one.condition, one.audience, one.case_id) for one in ran}
    for deck in sorted(run.glob("decks/*/agnostic/agnostic/*")):
        audiences = _json(root / "sources" / deck.name / "source_metadata.json")["valid_audiences"]
        for audience in audiences:
            if (deck.parts[-4], "agnostic", audience, deck.name) not in there:
                yield _blank(
                    root, run.name, deck.parts[-4], "agnostic", audience, deck.name, judge_id
                )


def _blank(
    root: Path,
    run: str,
    system_id: str,
    condition: str,
    audience: str,
    case_folder: str,
    judge_id: str,
) -> Evaluation:
    label, _, variant = case_folder.partition("@")
    bank = root / "probes" / case_folder
    if not bank.exists():
        bank = root / "probes" / label
    source = _json(root / "sources" / label / "source_metadata.json")
    inner = source.get("metadata") or {}
    probes = _jsonl(bank / "probes_deduped.jsonl") or []
    rows = _jsonl(bank / "weights" / f"{audience}.jsonl")
    return Evaluation(
        run=run,
        system_id=system_id,
        condition=condition,
        audience=audience,
        case_id=source.get("case_id", label),
        variant=variant,
        judge_id=judge_id,
        weight_scope=_scope(rows),
        slices={
            "all": "all",
            "scene": source.get("scene", "unstated"),
            "category": source.get("category", inner.get("category")),
            "topic": source.get("topic", inner.get("topic")),
        },
        domains={
            row["probe_id"]: (row.get("metadata") or {}).get("domain", "unclassified")
            for row in probes
        },
        weights=None if rows is None else {row["probe_id"]: read_weight(row) for row in rows},
        judgments={},
        labels=[],
        deck_status=None,
        slides=None,
        words=None,
    )


def _scope(rows: list[dict[str, Any]] | None) -> str:
    """Return judge and k of a weight file: only weights of one scope may be pooled."""
    if rows is None:
        return "none"
    judges = {(row.get("metadata") or {}).get("judge_id", "unstated") for row in rows}
    counts = {len((row.get("metadata") or {}).get("samples") or []) for row in rows}
    judge = "mixed" if len(judges) > 1 else next(iter(judges), "unstated")
    if len(counts) > 1:
        return f"{judge}, mixed"
    k = next(iter(counts), 0)
    return f"{judge}, k{k}" if k else f"{judge}, k unstated"


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir()) if parent.is_dir() else []


def _json(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _jsonl(path: Path) -> list[dict[str, Any]] | None:
    if not path.is_file():
        return None
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
