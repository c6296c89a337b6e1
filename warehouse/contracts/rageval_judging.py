"""Landing tables of `rageval`: statements, verdicts, and what people say of answers."""

from __future__ import annotations

from warehouse.contracts.base import (
    INTEGER,
    NUMBER,
    TEXT,
    Column,
    Contract,
    provenance,
    required,
)
from warehouse.contracts.docqa_values import (
    JUDGED_METRICS,
    JUDGMENT_STATUSES,
    LABEL_SOURCES,
    LABELS,
    PREMISES,
    STATEMENT_SIDES,
)
from warehouse.contracts.rageval import DATASET, QUESTION
from warehouse.contracts.rageval_runs import RUN, SYSTEM
from warehouse.contracts.xslides_values import JUDGE_KINDS

JUDGMENT = required("judgment_id", TEXT, "One answer judged once by one judge for one metric.")
SIDE = required("side", TEXT, "Whose statement it is.", values=STATEMENT_SIDES)

JUDGMENTS = Contract(
    "rageval",
    "judgments",
    "One answer judged once by one judge for one metric.",
    (
        JUDGMENT,
        RUN,
        DATASET,
        SYSTEM,
        QUESTION,
        required("metric", TEXT, "What was judged for.", values=JUDGED_METRICS),
        required("repeat_number", INTEGER, "1-based; the same question may be put again."),
        required("judgment_status", TEXT, "How judging ended.", values=JUDGMENT_STATUSES),
        Column("status_reason", TEXT, "Why there is nothing to score."),
        required("judge_id", TEXT, "Who judged."),
        required("judge_kind", TEXT, "Kind of the judge.", values=JUDGE_KINDS),
        required("evaluation_config_id", TEXT, "Hash of judge, prompts and settings."),
        Column("prompt_sha256", TEXT, "SHA-256 of the prompts; NULL for imported judgments."),
        Column("reference_count", INTEGER, "Statements of the reference; NULL if not judged."),
        Column("response_count", INTEGER, "Statements of the response; NULL if not judged."),
        Column("passage_count", INTEGER, "Passages that statements were held against."),
        required("call_count", INTEGER, "Requests that it took; 0 for rules and imports."),
        Column("input_tokens", INTEGER, "Tokens sent, over all requests."),
        Column("output_tokens", INTEGER, "Tokens received, over all requests."),
        Column("cost_usd", NUMBER, "Price of the requests; NULL without a price list."),
        *provenance(),
    ),
    key=("judgment_id",),
)

STATEMENTS = Contract(
    "rageval",
    "statements",
    "One statement of one side of one judgment.",
    (
        JUDGMENT,
        DATASET,
        SIDE,
        required("statement_number", INTEGER, "1-based position on its side."),
        required("statement", TEXT, "The statement; a triple's parts are joined by blanks."),
        *provenance(),
    ),
    key=("judgment_id", "side", "statement_number"),
)

VERDICTS = Contract(
    "rageval",
    "verdicts",
    "What a judge says of one statement held against one premise.",
    (
        JUDGMENT,
        DATASET,
        SIDE,
        required("statement_number", INTEGER, "Statement that was held against the premise."),
        required("premise", TEXT, "What it was held against.", values=PREMISES),
        required("passage_number", INTEGER, "1-based passage; 0 where the premise is no passage."),
        required("label", TEXT, "What the judge says.", values=LABELS),
        required("label_source", TEXT, "Where the label comes from.", values=LABEL_SOURCES),
        *provenance(),
    ),
    key=("judgment_id", "side", "statement_number", "premise", "passage_number"),
)

PUBLISHED_METRICS = Contract(
    "rageval",
    "published_metrics",
    "One metric that another tool computed of one answer, or of all answers of a system.",
    (
        RUN,
        DATASET,
        SYSTEM,
        required("question_id", TEXT, "Question; empty for the figure of all answers."),
        required("metric", TEXT, "Metric, as the file names it."),
        required("metric_value", NUMBER, "Figure, as the file has it."),
        required("unit", TEXT, "`share` or `percent`.", values=("share", "percent")),
        *provenance(),
    ),
    key=("run_id", "system_id", "question_id", "metric"),
)

PREFERENCES = Contract(
    "rageval",
    "preferences",
    "What one person says of two answers to one question, in one aspect.",
    (
        DATASET,
        required("preference_set", TEXT, "Set of preferences, as it was imported."),
        required("pair_id", TEXT, "Two answers to one question."),
        required("annotator", TEXT, "Who says it."),
        required("aspect", TEXT, "`correctness`, `completeness`, `overall`, as stated."),
        required("preference", NUMBER, "Positive where the second answer is better, as stated."),
        *provenance(),
    ),
    key=("dataset_id", "preference_set", "pair_id", "annotator", "aspect"),
)

PAIR_SCORES = Contract(
    "rageval",
    "pair_scores",
    "What a metric gives both answers of a pair.",
    (
        DATASET,
        required("preference_set", TEXT, "Set of preferences, as it was imported."),
        required("pair_id", TEXT, "Two answers to one question."),
        required("metric", TEXT, "Metric, as stated."),
        required("first_system_id", TEXT, "System of the first answer."),
        required("second_system_id", TEXT, "System of the second answer."),
        Column("first_score", NUMBER, "Metric of the first answer; NULL when undefined."),
        Column("second_score", NUMBER, "Metric of the second answer; NULL when undefined."),
        *provenance(),
    ),
    key=("dataset_id", "preference_set", "pair_id", "metric"),
)

CONTRACTS = (JUDGMENTS, STATEMENTS, VERDICTS, PUBLISHED_METRICS, PREFERENCES, PAIR_SCORES)
