"""Closed value sets and columns that the `xslides` contracts share."""

from __future__ import annotations

from warehouse.contracts.base import TEXT, required

CONDITIONS = ("agnostic", "conditioned")
JUDGE_KINDS = ("llm", "heuristic", "human", "imported", "unstated")
DECK_STATUSES = (
    "ok",
    "ok_with_warnings",
    "empty",
    "image_only",
    "encrypted",
    "legacy_binary",
    "not_a_zip",
    "damaged",
    "missing",
    "too_large",
    "unsupported",
)
VERDICTS = ("covered", "uncovered", "abstain")
JUDGMENT_STATUSES = ("judged", "filled", "failed")
JUDGMENT_ORIGINS = ("own", "shared", "cached")
# Samples of one judgment; disagreement is counted in 720,720ths, which is exact up to 17.
REPEATS_MIN, REPEATS_MAX = 2, 17

DATASET = required("dataset_id", TEXT, "Artifact root that the row belongs to.")
CASE = required("case_id", TEXT, "Source document, from source_metadata.json or its label.")
