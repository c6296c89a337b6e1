"""Landing table of `xslides` for metrics that another tool computed (seed: Metrics JSON)."""

from __future__ import annotations

from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    TEXT,
    Column,
    Contract,
    provenance,
    required,
)

UNSTATED = "unstated"
IMPORTED_CONDITIONS = ("agnostic", "conditioned", UNSTATED)
# What summaries aggregate; all else in a metrics file is a count, a sum or a setting.
METRICS = (
    "coverage",
    "coverage_unweighted",
    "efficiency_time",
    "efficiency_slide",
    "efficiency_word",
    "correctness",
    "safe_efficiency_time",
)
# What stands behind the metrics: kept to be reconciled, never averaged.
QUANTITIES = ("included_probe_count", "available_utility", "recovered_utility")

IMPORTED_METRICS = Contract(
    "xslides",
    "imported_metrics",
    "One value of one metrics.json that another tool wrote.",
    (
        required("dataset_id", TEXT, "Artifact root that the row belongs to."),
        required("run_id", TEXT, "`<dataset_id>/<run>`, the run `unstated` when no name is there."),
        required("is_run_stated", BOOLEAN, "Whether path or manifest name the run."),
        required("system_id", TEXT, "System that made the deck, after the mapping."),
        required(
            "condition",
            TEXT,
            "agnostic, conditioned, or unstated when path, manifest and mapping are silent.",
            values=IMPORTED_CONDITIONS,
        ),
        required("audience", TEXT, "Audience that the deck was judged for."),
        required("case_id", TEXT, "Source document, from source_metadata.json or its label."),
        required("case_label", TEXT, "Name of the case in path or manifest, without its variant."),
        required("variant", TEXT, "Variant of the case, blank for the plain one."),
        required("tau_a_thousandths", INTEGER, "Threshold of the file, in thousandths."),
        required("metric", TEXT, "What the value is.", values=(*METRICS, *QUANTITIES)),
        required("is_metric", BOOLEAN, "Whether summaries aggregate it; else it is a quantity."),
        Column("value", NUMBER, "Value as stated; NULL where the file says null."),
        required("judge_kind", TEXT, "Always imported.", values=("imported",)),
        *provenance(),
    ),
    key=(
        "run_id",
        "system_id",
        "condition",
        "audience",
        "case_id",
        "variant",
        "tau_a_thousandths",
        "metric",
    ),
)

CONTRACTS = (IMPORTED_METRICS,)
