"""Landing tables of the `xslides` benchmark (seed: Artifact Data Formats)."""

from __future__ import annotations

from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    TEXT,
    TEXT_LIST,
    Column,
    Contract,
    provenance,
    required,
)
from warehouse.contracts.xslides_runs import (
    CLAIMS,
    DECK_STATS,
    DECKS,
    EVALUATION_CONFIGS,
    EVALUATIONS,
    PROBE_SCORES,
)
from warehouse.contracts.xslides_values import (
    CASE,
    CONDITIONS,
    DATASET,
    DECK_STATUSES,
    JUDGE_KINDS,
    JUDGMENT_ORIGINS,
    JUDGMENT_STATUSES,
    REPEATS_MAX,
    REPEATS_MIN,
    VERDICTS,
)

__all__ = [
    "CASES",
    "CLAIMS",
    "CONDITIONS",
    "CONTRACTS",
    "DECKS",
    "DECK_STATS",
    "DECK_STATUSES",
    "EVALUATIONS",
    "EVALUATION_CONFIGS",
    "JUDGE_KINDS",
    "JUDGMENT_ORIGINS",
    "JUDGMENT_STATUSES",
    "PROBES",
    "PROBE_BANKS",
    "PROBE_SCORES",
    "REPEATS_MAX",
    "REPEATS_MIN",
    "VERDICTS",
    "WEIGHTS",
    "WEIGHT_SETS",
]

CASES = Contract(
    "xslides",
    "cases",
    "One source document of one dataset.",
    (
        DATASET,
        CASE,
        required("case_label", TEXT, "Folder name of the case in the artifact tree (NFC)."),
        Column("title", TEXT, "Title of the document."),
        required("scene", TEXT, "Presentation scene; an open set, `unstated` when not given."),
        Column("source_type", TEXT, "Format of the source file: pdf, html, md, txt."),
        Column("source_path", TEXT, "Path of the source as the metadata states it."),
        Column("source_sha256", TEXT, "SHA-256 of the source file; NULL when it is not there."),
        Column("valid_audiences", TEXT_LIST, "Audiences declared valid; NULL when undeclared."),
        Column("active_audiences", TEXT_LIST, "Audiences that the case is judged for."),
        Column("display_name", TEXT, "Name for tables and pages."),
        Column("category", TEXT, "Category of the topic; an open set."),
        Column("topic", TEXT, "Topic; an open set."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("dataset_id", "case_id"),
)

PROBE_BANKS = Contract(
    "xslides",
    "probe_banks",
    "One probe bank of one case; two banks of a case stand side by side.",
    (
        required("bank_id", TEXT, "Content hash of dataset, case and probe rows."),
        DATASET,
        CASE,
        required("case_label", TEXT, "Folder name of the case, without its variant."),
        required("probe_count", INTEGER, "Probes that landed in this bank."),
        Column("generator_id", TEXT, "Judge or model that generated the probes."),
        Column("source_parser", TEXT, "Fingerprint of the parser that read the source."),
        Column("is_source_truncated", BOOLEAN, "Whether max_chars cut the source text."),
        required("probes_sha256", TEXT, "SHA-256 of the bytes of probes_deduped.jsonl."),
        *provenance(),
    ),
    key=("bank_id",),
)

PROBES = Contract(
    "xslides",
    "probes",
    "One source-grounded question of one probe bank.",
    (
        required("bank_id", TEXT, "Probe bank that the probe belongs to."),
        required("probe_id", TEXT, "Id of the probe, unique only inside its bank."),
        required(
            "probe_ordinal", INTEGER, "1-based position among the probe ids of the bank, sorted."
        ),
        DATASET,
        CASE,
        required("question", TEXT, "Question that a deck should answer."),
        required("answer", TEXT, "Answer that the source supports."),
        Column("evidence", TEXT, "Evidence spans as JSON text: locator and text."),
        Column("level", INTEGER, "Depth of the question, 1 to 4."),
        Column("modality", TEXT, "Modality of the evidence; an open set."),
        Column("theme", TEXT, "Theme of the probe; an open set, no domain label."),
        Column("stated_domain", TEXT, "Domain that the probe's metadata states, if any."),
        required("theme_tokens", TEXT, "Normalised words of the theme, blank padded."),
        required("question_tokens", TEXT, "Normalised words of the question, blank padded."),
        required("answer_tokens", TEXT, "Normalised words of the answer, blank padded."),
        required("modality_tokens", TEXT, "Normalised words of the modality, blank padded."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("bank_id", "probe_id"),
)

WEIGHT_SETS = Contract(
    "xslides",
    "weight_sets",
    "One audience's weights over one probe bank.",
    (
        required("weight_set_id", TEXT, "Content hash of bank, audience, profile, judge, k, rows."),
        required("weight_set_key", INTEGER, "Integer key of the weight set."),
        required("bank_id", TEXT, "Probe bank that is weighted."),
        DATASET,
        CASE,
        required("audience", TEXT, "Audience that the weights speak for."),
        required("judge_id", TEXT, "Utility judge; `unstated` when the rows do not say."),
        required("judge_kind", TEXT, "Kind of the utility judge.", values=JUDGE_KINDS),
        Column("k", INTEGER, "Judgments per weight; NULL when unstated or mixed."),
        required("weight_scope", TEXT, "Judge and k in one text: weights that may be pooled."),
        required("weight_count", INTEGER, "Weight rows that landed."),
        required("weights_sha256", TEXT, "SHA-256 of the bytes of the weight file."),
        *provenance(),
    ),
    key=("weight_set_id",),
)

WEIGHTS = Contract(
    "xslides",
    "weights",
    "One probe's utility for one audience.",
    (
        required("weight_key", INTEGER, "Integer key: weight set in the high bits, ordinal low."),
        required("weight_set_id", TEXT, "Weight set that the row belongs to."),
        required("bank_id", TEXT, "Probe bank that is weighted."),
        required("probe_id", TEXT, "Probe that is weighted."),
        required("audience", TEXT, "Audience that the weight speaks for."),
        required("utility_weight", NUMBER, "Utility as stated, 0 to 1."),
        Column("sample_count", INTEGER, "k: number of samples behind the mean; NULL if none."),
        Column("sample_tenths_sum", INTEGER, "Sum of the snapped samples in tenths."),
        Column("sample_tenths_square_sum", INTEGER, "Sum of squares of the samples in tenths."),
        Column("reason", TEXT, "Rationale of the judge."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("weight_set_id", "probe_id"),
)

CONTRACTS = (
    CASES,
    PROBE_BANKS,
    PROBES,
    WEIGHT_SETS,
    WEIGHTS,
    EVALUATION_CONFIGS,
    EVALUATIONS,
    DECK_STATS,
    PROBE_SCORES,
    CLAIMS,
    DECKS,
)
