"""Landing tables of `slideagent`: questions, answers, and what was read out of both."""

from __future__ import annotations

import pyarrow as pa

from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    TEXT,
    TEXT_LIST,
    Column,
    Contract,
    provenance,
    required,
)
from warehouse.contracts.docqa_values import (
    GOLD_MODES,
    NUMBER_SIDES,
    NUMERIC_DECISIONS,
    SETTINGS,
)

INTEGER_LIST = pa.list_(pa.int64())

RUN = required("run_id", TEXT, "`<dataset_id>/<run>`: one batch of results.")
DATASET = required("dataset_id", TEXT, "Artifact root that the rows belong to.")
SET = required("dataset", TEXT, "Question set: SlideVQA, TechSlides, ..., as stated.")
QUESTION = required("question_id", TEXT, "Question, unique in its set.")
SYSTEM = required("system_id", TEXT, "System under test.")
SETTING = required("setting", TEXT, "Whether gold pages were given.", values=SETTINGS)

QUESTIONS = Contract(
    "slideagent",
    "questions",
    "One question with its gold answers, and the one decision how it is scored.",
    (
        RUN,
        DATASET,
        SET,
        QUESTION,
        required("question", TEXT, "The question."),
        required("gold_answers", TEXT_LIST, "Gold answers as text."),
        required("gold_mode", TEXT, "Whether any or all of them are asked for.", values=GOLD_MODES),
        required("gold_pages", INTEGER_LIST, "1-based pages that hold the answer; may be empty."),
        Column("question_type", TEXT, "Kind of question, as stated."),
        Column("page_count", INTEGER, "Pages of the document; NULL when unknown."),
        required("is_numeric", BOOLEAN, "Whether it is scored by numbers."),
        required("numeric_method", TEXT, "What decided.", values=NUMERIC_DECISIONS),
        required("numeric_reason", TEXT, "Why, in a word or two."),
        required("number_policy", TEXT, "Name of the policy that numbers were read with."),
        *provenance(),
    ),
    key=("run_id", "dataset", "question_id"),
)

ANSWERS = Contract(
    "slideagent",
    "answers",
    "What one system answered to one question in one setting, as text.",
    (
        RUN,
        DATASET,
        SET,
        QUESTION,
        SYSTEM,
        SETTING,
        Column("answer", TEXT, "The answer; NULL when there is none, which is not zero."),
        required("pages", INTEGER_LIST, "1-based pages that the system named; may be empty."),
        *provenance(),
    ),
    key=("run_id", "dataset", "question_id", "system_id", "setting"),
)

NUMBERS = Contract(
    "slideagent",
    "numbers",
    "One number that was read out of a gold answer or an answer; or that there is none.",
    (
        RUN,
        DATASET,
        SET,
        QUESTION,
        required("side", TEXT, "Gold or answer.", values=NUMBER_SIDES),
        required("system_id", TEXT, "System; empty for gold."),
        required("setting", TEXT, "Setting; empty for gold."),
        required("answer_number", INTEGER, "1-based gold answer; 1 for a system's."),
        required("position", INTEGER, "1-based number in the answer; 0 for its status alone."),
        required("parse_status", TEXT, "number, ambiguous, none, missing or invalid."),
        required("answer_kind", TEXT, "What the whole answer is."),
        required("number_count", INTEGER, "Numbers of the answer."),
        Column("value", TEXT, "Canonical exact text; NULL at position 0."),
        Column("value_kind", TEXT, "Kind of the number."),
        Column("unit", TEXT, "Unit beside it."),
        Column("qualifier", TEXT, "approx, gt, ge, lt or le."),
        required("number_policy", TEXT, "Name of the policy."),
        *provenance(),
    ),
    key=(
        "run_id", "dataset", "question_id", "side", "system_id", "setting", "answer_number",
        "position",
    ),
)  # fmt: skip

COMPARISONS = Contract(
    "slideagent",
    "comparisons",
    "One answer held against one gold answer: normalised texts and tokens, numbers compared.",
    (
        RUN,
        DATASET,
        SET,
        QUESTION,
        SYSTEM,
        SETTING,
        required("gold_number", INTEGER, "1-based gold answer; 0 for all of them together."),
        required("gold_tokens", TEXT_LIST, "Tokens of the gold answer, stop words removed."),
        required("answer_tokens", TEXT_LIST, "Tokens of the answer, stop words removed."),
        required("is_exact", BOOLEAN, "Whether the normalised texts are equal."),
        Column("num", BOOLEAN, "Strictly the same numbers; NULL when not scored by numbers."),
        Column("num_any", BOOLEAN, "All gold numbers are among the answer's."),
        Column("num_qscale", BOOLEAN, "The same, scale of the question applied."),
        Column("num_rounded", BOOLEAN, "The same, rounded to the gold's last digit."),
        Column("num_tol1pct", BOOLEAN, "The same, within one per cent."),
        Column("is_percent_form_mismatch", BOOLEAN, "97 for 97 %, or 1 for 100 %."),
        Column("is_ambiguous", BOOLEAN, "The answer has several different numbers."),
        required("token_policy", TEXT, "Name of the tokeniser and stop list."),
        required("number_policy", TEXT, "Name of the policy that numbers were read with."),
        *provenance(),
    ),
    key=("run_id", "dataset", "question_id", "system_id", "setting", "gold_number"),
)

CONTRACTS = (QUESTIONS, ANSWERS, NUMBERS, COMPARISONS)
