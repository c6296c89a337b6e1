"""Landing tables of `rageval`: what systems found, saw and answered."""

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
from warehouse.contracts.docqa_values import (
    ANSWER_STATUSES,
    RERANK_STATUSES,
    RETRIEVAL_STAGES,
    VARIANTS,
)
from warehouse.contracts.rageval import CHUNK, DATASET, QUESTION
from warehouse.contracts.xslides_values import JUDGE_KINDS

RUN = required("run_id", TEXT, "`<dataset_id>/<run>`: one batch of results.")
SYSTEM = required("system_id", TEXT, "System under test; for our own pipeline a configuration.")

RUNS = Contract(
    "rageval",
    "runs",
    "One system of one run: its declared configuration, and how much it was asked.",
    (
        RUN,
        DATASET,
        SYSTEM,
        Column("variant", TEXT, "Declared variant; NULL for imported systems.", values=VARIANTS),
        Column("embedder_id", TEXT, "What made vectors; NULL for BM25 alone."),
        required("is_surrogate", BOOLEAN, "Whether text stands in for images that it should see."),
        Column("generator_id", TEXT, "What answered, e.g. `extractive-1` or a model."),
        required("generator_kind", TEXT, "Kind of what answered.", values=JUDGE_KINDS),
        required("configuration", TEXT, "All settings as JSON text; today's date among them."),
        required("configuration_id", TEXT, "Hash of the settings."),
        required("question_count", INTEGER, "Questions that it was to answer."),
        *provenance(),
    ),
    key=("run_id", "system_id"),
)

REWRITES = Contract(
    "rageval",
    "rewrites",
    "What was searched for, for one question.",
    (
        RUN,
        DATASET,
        SYSTEM,
        QUESTION,
        required("query", TEXT, "What was searched for."),
        required("is_rewritten", BOOLEAN, "Whether it differs from the question."),
        required("rewrite_status", TEXT, "`unchanged`, `rewritten`, `skipped` or `invalid`."),
        required("rerank_status", TEXT, "How re-ranking ended.", values=RERANK_STATUSES),
        required("rerank_omitted_count", INTEGER, "Ids that the re-ranker left out; put behind."),
        required("rerank_repeated_count", INTEGER, "Ids that it gave again; taken once."),
        required("rerank_invented_count", INTEGER, "Ids that it made up; left out."),
        *provenance(),
    ),
    key=("run_id", "system_id", "question_id"),
)

HITS = Contract(
    "rageval",
    "hits",
    "One chunk at one rank of one stage of retrieval.",
    (
        RUN,
        DATASET,
        SYSTEM,
        QUESTION,
        required("stage", TEXT, "Stage of retrieval.", values=RETRIEVAL_STAGES),
        required("rank", INTEGER, "1-based rank; equal scores stand in the order of chunk ids."),
        CHUNK,
        Column("score", NUMBER, "Score of the stage; NULL for a re-ranker that gives none."),
        *provenance(),
    ),
    key=("run_id", "system_id", "question_id", "stage", "rank"),
)

CONTEXTS = Contract(
    "rageval",
    "contexts",
    "One passage that the generator saw, in its order; imported passages have no chunk.",
    (
        RUN,
        DATASET,
        SYSTEM,
        QUESTION,
        required("passage_number", INTEGER, "1-based position in the context."),
        Column("chunk_id", TEXT, "Chunk that the passage was assembled from."),
        Column("document_id", TEXT, "Document that it comes from."),
        Column("first_page", INTEGER, "First page that it stands on."),
        Column("last_page", INTEGER, "Last page that it stands on."),
        required("text", TEXT, "What the generator read, artifacts put back in their places."),
        required("image_count", INTEGER, "Images that went with it."),
        Column("token_count", INTEGER, "Tokens of the text; NULL for imported passages."),
        required("is_cut", BOOLEAN, "Whether the token budget cut it."),
        *provenance(),
    ),
    key=("run_id", "system_id", "question_id", "passage_number"),
)

ANSWERS = Contract(
    "rageval",
    "answers",
    "What a system answered to one question.",
    (
        RUN,
        DATASET,
        SYSTEM,
        QUESTION,
        required("answer_status", TEXT, "How answering ended.", values=ANSWER_STATUSES),
        Column("answer", TEXT, "The answer; NULL where there is none or the file leaves it out."),
        required("is_refusal", BOOLEAN, "Whether the system says that it cannot answer."),
        required("citations", TEXT_LIST, "Chunk ids that the answer cites, in its order."),
        required("cited_pages", TEXT_LIST, "`document#page` of the citations."),
        Column("invalid_reason", TEXT, "Why a reply was no answer."),
        *provenance(),
    ),
    key=("run_id", "system_id", "question_id"),
)

CONTRACTS = (RUNS, REWRITES, HITS, CONTEXTS, ANSWERS)
