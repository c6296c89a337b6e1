"""Writes artifact trees in the seed's formats, with plain json, independent of the product."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

JUDGE = {"id": "judge-a", "kind": "llm", "model": "model-a", "prompt_sha256": "a" * 64}


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def write_jsonl(path: Path, rows: Iterable[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def probe(probe_id: str, case: str, **fields: Any) -> dict[str, Any]:
    return {
        "probe_id": probe_id,
        "source_case_id": case,
        "scene": "academic_research_talk",
        "question": f"What is said about {probe_id}?",
        "answer": f"Something about {probe_id}.",
        "evidence": [{"locator": "Section 1", "text": "Evidence text"}],
        "level": 2,
        "modality": "text",
        "theme": "method",
        "metadata": {},
        **fields,
    }


def weight(
    probe_id: str, audience: str, samples: list[float] | None = None, stated: float | None = None
) -> dict[str, Any]:
    mean = sum(samples) / len(samples) if samples else stated
    metadata = {"samples": samples, "judge_id": "utility-a", "judge_kind": "llm"} if samples else {}
    return {
        "probe_id": probe_id,
        "audience": audience,
        "utility_weight": stated if stated is not None else mean,
        "reason": "because",
        "metadata": metadata,
    }


def score(probe_id: str, covered: bool, **metadata: Any) -> dict[str, Any]:
    return {
        "probe_id": probe_id,
        "covered": covered,
        "answer": "answer" if covered else "",
        "cited_evidence": "Slide 1" if covered else "",
        "metadata": {"confidence": 0.9, **metadata},
    }


@dataclass(frozen=True)
class Tree:
    """One artifact tree on disk."""

    root: Path

    def case(
        self,
        label: str,
        probes: list[dict[str, Any]],
        weights: Mapping[str, list[dict[str, Any]]],
        *,
        metadata: Mapping[str, Any] | None = None,
        variant: str = "",
    ) -> None:
        folder = f"{label}@{variant}" if variant else label
        if not variant or metadata is not None:
            content = {
                "case_id": label,
                "title": f"Title of {label}",
                "source_type": "pdf",
                "scene": "academic_research_talk",
                "valid_audiences": sorted(weights),
                "metadata": {},
                **(metadata or {}),
            }
            write_json(self.root / "sources" / label / "source_metadata.json", content)
        base = self.root / "probes" / folder
        write_jsonl(base / "probes_deduped.jsonl", probes)
        for audience, rows in weights.items():
            write_jsonl(base / "weights" / f"{audience}.jsonl", rows)

    def evaluation_folder(
        self,
        case: str,
        audience: str,
        *,
        system: str = "system_a",
        run: str = "run",
        condition: str = "agnostic",
    ) -> Path:
        base = self.root / "runs" / run / "evaluations"
        return base / system / condition / audience / case

    def evaluation(
        self,
        case: str,
        audience: str,
        scores: list[dict[str, Any]],
        *,
        system: str = "system_a",
        run: str = "run",
        condition: str = "agnostic",
        claims: Iterable[str] = (),
        slide_count: int | None = 8,
        word_count: int | None = 700,
        judge: Mapping[str, Any] | None = JUDGE,
        deck_status: str | None = None,
        stated: Mapping[str, Any] | None = None,
    ) -> Path:
        folder = self.evaluation_folder(case, audience, system=system, run=run, condition=condition)
        stats: dict[str, Any] = {
            "deck_path": f"runs/{run}/decks/{system}/{condition}/{case}.pptx",
            "slide_count": slide_count,
            "visible_word_count": word_count,
            "extracted_text_path": "",
            "parser": "pptx",
            "warnings": [],
        }
        if deck_status is not None:
            stats["status"] = deck_status
        write_json(folder / "deck_stats.json", stats)
        write_jsonl(folder / "probe_scores.jsonl", scores)
        labels = list(claims)
        if labels:
            rows = [
                {"claim_id": f"c{index}", "text": "A claim.", "slide": 1, "label": label}
                for index, label in enumerate(labels)
            ]
            write_json(folder / "correctness.json", {"claims": rows})
        if judge is not None:
            label = case.partition("@")[0]
            manifest = {
                "run": run,
                "system_id": system,
                "condition": condition,
                "deck_audience": None if condition == "agnostic" else audience,
                "audience": audience,
                "case_id": label,
                "case_label": label,
                "tau_a": 0.7,
                "judge": dict(judge),
                "judge_input_mode": "text",
                "settings": {"batch_size": 12},
                "started_at": "2026-01-01T00:00:00Z",
                **(stated or {}),
            }
            write_json(folder / "run_manifest.json", manifest)
        return folder
