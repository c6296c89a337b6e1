"""`run_manifest.json`: which deck was judged, for whom, by whom and under which settings."""

from __future__ import annotations

from typing import Any

from ingest.judge.exchange import Task
from ingest.judge.interface import Judge
from ingest.xslides.correctness import claim_judge_record
from ingest.xslides.deck_text import DeckText
from ingest.xslides.probe_bank import ProbeBank
from ingest.xslides.stage import Settings
from ingest.xslides.tree import AGNOSTIC, ArtifactTree, EvaluationKey
from warehouse import storage


def manifest_of(
    tree: ArtifactTree,
    run: str,
    key: EvaluationKey,
    deck: DeckText,
    bank: ProbeBank,
    context_sha256: str,
    judge: Judge,
    settings: Settings,
    judge_input_mode: str,
) -> dict[str, Any]:
    """Return the manifest of one evaluation without its volatile fields.

    `deck_audience` is None for an agnostic deck; `weights_sha256` is None while the weights
    are missing. Hashes are those of the files' bytes.
    """
    entry = deck.entry
    weights = tree.weights_file(bank.case_folder, key.audience)
    deck_audience = None if entry.key.audience == AGNOSTIC else entry.key.audience
    return {
        "run": run,
        "system_id": key.system_id,
        "condition": key.condition,
        "deck_audience": deck_audience,
        "audience": key.audience,
        "case_id": entry.case.case_id,
        "case_label": entry.case.case_label,
        "case_folder": bank.case_folder,
        "tau_a": float(settings.tau_a),
        "deck_path": tree.relative(entry.path),
        "deck_sha256": deck.sha256,
        "probes_sha256": bank.sha256,
        "source_context_sha256": context_sha256,
        "weights_sha256": storage.sha256_file(weights) if weights.is_file() else None,
        "judge": {
            "id": judge.id_of(Task.ANSWERABILITY),
            "kind": judge.judge_kind,
            "model": judge.id_of(Task.ANSWERABILITY),
            "prompt_sha256": judge.prompt_sha256(Task.ANSWERABILITY),
        },
        "claim_judge": claim_judge_record(judge),
        "judge_input_mode": judge_input_mode,
        "settings": {
            "batch_size": settings.batch_size,
            "repeats": settings.repeats,
            "snippets_per_claim": settings.snippets_per_claim,
            "word_rule": deck.document.word_rule,
            "text_policy": deck.document.text_policy,
            "parser": deck.document.parser_fingerprint,
        },
    }
