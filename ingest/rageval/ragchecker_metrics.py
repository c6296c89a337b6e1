"""Figures that a file of RAGChecker states itself; they are reconciled, never published as ours."""

from __future__ import annotations

from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError
from ingest.rageval.imports import ImportedRun
from ingest.row_fields import provenance_of
from warehouse.landing import Row

METRICS = (
    "precision",
    "recall",
    "f1",
    "claim_recall",
    "context_precision",
    "context_utilization",
    "noise_sensitivity_in_relevant",
    "noise_sensitivity_in_irrelevant",
    "hallucination",
    "self_knowledge",
    "faithfulness",
)
_GROUPS = ("overall", "retriever", "generator")
_SUFFIX = "_metrics"


def published_rows(metrics: Any, question_id: str, unit: str, run: ImportedRun) -> list[Row]:
    """Return rows of `rageval/published_metrics`: what the tool itself computed.

    Args:
        metrics: an object of figures, or of groups of figures by either spelling; or None.
        question_id: question; empty for the figures of all answers.
        unit: `share` or `percent`.
        run: which system of which run.

    Raises:
        FieldError: when it is no object, or a figure is no number.
    """
    if metrics is None:
        return []
    if not isinstance(metrics, dict):
        raise FieldError("wrong_type", "`metrics` is no object")
    flat: dict[str, Any] = {}
    for name, value in metrics.items():
        if name.removesuffix(_SUFFIX) in _GROUPS and isinstance(value, dict):
            flat |= value
        else:
            flat[name] = value
    return [
        {
            **run.key,
            "question_id": question_id,
            "metric": name,
            "metric_value": fields.number(flat, name),
            "unit": unit,
            **provenance_of(run.source_file),
        }
        for name in METRICS
        if name in flat
    ]
