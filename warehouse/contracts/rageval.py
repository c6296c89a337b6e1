"""Landing tables of `rageval`: documents, what is in them, and what is looked for in them."""

from __future__ import annotations

import pyarrow as pa

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
    ARTIFACT_KINDS,
    CHUNK_KINDS,
    DESCRIPTION_METHODS,
    LAYOUT_CLASSES,
    MODALITIES,
    PICTURE_CLASSES,
    ROUTING_METHODS,
    SLIDE_CLASSES,
    TITLE_METHODS,
)

DATASET = required("dataset_id", TEXT, "Data set that the documents belong to.")
DOCUMENT = required("document_id", TEXT, "Path of the file below the root that was ingested.")
ARTIFACT = required("artifact_id", TEXT, "Table or picture, by what it holds and where it stands.")
CHUNK = required("chunk_id", TEXT, "Chunk, by its document, kind, place and text.")
QUESTION = required("question_id", TEXT, "Question, as its author named it.")

DOCUMENTS = Contract(
    "rageval",
    "documents",
    "One document: how it was read, what it was called, which way it went and why.",
    (
        DATASET,
        DOCUMENT,
        required("document_sha256", TEXT, "SHA-256 of the file."),
        required("document_status", TEXT, "How reading ended, out of the readers' closed list."),
        Column("format", TEXT, "What the bytes are; NULL when it is none we know."),
        required("page_count", INTEGER, "Pages or slides; 0 when it could not be read."),
        Column("title", TEXT, "Title of at most 12 words with the suffix of the file."),
        Column("title_method", TEXT, "What made the title.", values=TITLE_METHODS),
        Column("layout_class", TEXT, "Way that the document went.", values=LAYOUT_CLASSES),
        Column("routing_method", TEXT, "What decided.", values=ROUTING_METHODS),
        Column("routing_reason", TEXT, "Why, in one sentence."),
        Column("routing_evidence", TEXT, "What the decision was made of, as JSON text."),
        Column("rule_class", TEXT, "What the offline rule says.", values=LAYOUT_CLASSES),
        Column("true_class", TEXT, "What people say, where they do.", values=LAYOUT_CLASSES),
        required("deciding_page_count", INTEGER, "Pages that the decision looked at."),
        required("disagreeing_page_count", INTEGER, "Later pages that the rule puts elsewhere."),
        required("is_mixed", BOOLEAN, "Whether most of the later pages disagree."),
        required("word_count", INTEGER, "Visible words."),
        required("furniture_word_count", INTEGER, "Words of page headers, footers, page numbers."),
        required("lost_word_count", INTEGER, "Words that are neither furniture nor in a chunk."),
        required("warnings", TEXT_LIST, "What could not be read or looks wrong."),
        required("parser", TEXT, "Reader, its version, text policy and word rule."),
        required("layout_parser", TEXT, "What found tables, pictures and order, with version."),
        *provenance(),
    ),
    key=("dataset_id", "document_id"),
)

PAGES = Contract(
    "rageval",
    "pages",
    "One page or slide: its size, its words, what it says in reading order.",
    (
        DATASET,
        DOCUMENT,
        required("page_number", INTEGER, "1-based position in the file."),
        Column("width", NUMBER, "Width in points; NULL where the format has no pages."),
        Column("height", NUMBER, "Height in points."),
        required("word_count", INTEGER, "Visible words."),
        required("furniture_word_count", INTEGER, "Words left out as furniture."),
        required("furniture", TEXT, "The words that were left out, a line each."),
        Column("rule_class", TEXT, "What the rule says of this page.", values=LAYOUT_CLASSES),
        Column("slide_class", TEXT, "Blank or Informative; slides only.", values=SLIDE_CLASSES),
        required("text", TEXT, "Reading order; placeholders, or markers on a slide."),
        required("description_method", TEXT, "What made the text.", values=DESCRIPTION_METHODS),
        Column("image_sha256", TEXT, "SHA-256 of the page image where one was made."),
        *provenance(),
    ),
    key=("dataset_id", "document_id", "page_number"),
)

ARTIFACTS = Contract(
    "rageval",
    "artifacts",
    "One table or picture of a page: where it stands, what it holds, whether it was kept.",
    (
        DATASET,
        DOCUMENT,
        ARTIFACT,
        required("artifact_number", INTEGER, "1-based position in the document."),
        required("page_number", INTEGER, "Page that it stands on."),
        required("kind", TEXT, "Table or picture.", values=ARTIFACT_KINDS),
        Column("placeholder", TEXT, "What stands for it in its text; NULL on slides."),
        *(Column(name, NUMBER, f"{name} of its box in points.") for name in ("x0", "y0")),
        *(Column(name, NUMBER, f"{name} of its box in points.") for name in ("x1", "y1")),
        Column("markdown", TEXT, "The table as Markdown; NULL for pictures."),
        Column("picture_class", TEXT, "Class of a picture.", values=PICTURE_CLASSES),
        Column("class_reason", TEXT, "Why it has this class."),
        Column("description", TEXT, "What is indexed for it; NULL for what was dropped."),
        Column("description_method", TEXT, "What made it.", values=DESCRIPTION_METHODS),
        Column("image_sha256", TEXT, "SHA-256 of its image, where it has one."),
        required("is_dropped", BOOLEAN, "Whether retrieval leaves it out."),
        Column("dropped_reason", TEXT, "Why: `logo`, `blank`, or what failed."),
        *provenance(),
    ),
    key=("dataset_id", "document_id", "artifact_id"),
)

CHUNKS = Contract(
    "rageval",
    "chunks",
    "One unit that can be found: a piece of text, a table, a picture, or a whole page.",
    (
        DATASET,
        DOCUMENT,
        CHUNK,
        required("chunk_number", INTEGER, "1-based position among those of its kind."),
        required("kind", TEXT, "What it is.", values=CHUNK_KINDS),
        required("first_page", INTEGER, "First page that it stands on."),
        required("last_page", INTEGER, "Last page that it stands on."),
        Column("parent_chunk_id", TEXT, "Text or page chunk that holds an artifact's place."),
        Column("artifact_id", TEXT, "Artifact that it describes; NULL for text and pages."),
        Column("heading", TEXT, "Heading that it stands under."),
        required("text", TEXT, "What is indexed: without placeholders and markers."),
        required("source_text", TEXT, "What is assembled from: with placeholders and markers."),
        required("word_count", INTEGER, "Words of `text`."),
        *provenance(),
    ),
    key=("dataset_id", "document_id", "chunk_id"),
)

CHUNK_ARTIFACTS = Contract(
    "rageval",
    "chunk_artifacts",
    "One placeholder or marker pair in a chunk, and the artifact that it was resolved to.",
    (
        DATASET,
        DOCUMENT,
        CHUNK,
        required("position", INTEGER, "1-based position among the artifacts of the chunk."),
        ARTIFACT,
        required("resolved_count", INTEGER, "How often the place was resolved; 1 is right."),
        *provenance(),
    ),
    key=("dataset_id", "document_id", "chunk_id", "position"),
)

VECTORS = Contract(
    "rageval",
    "vectors",
    "What one embedder makes of one text of a chunk.",
    (
        DATASET,
        required("embedder_id", TEXT, "Embedder with version."),
        CHUNK,
        required("text_sha256", TEXT, "SHA-256 of the text that was embedded."),
        required("dimension", INTEGER, "Numbers of the vector."),
        required("vector", pa.list_(pa.float32()), "Unit vector."),
        *provenance(),
    ),
    key=("dataset_id", "embedder_id", "chunk_id"),
)

QUESTIONS = Contract(
    "rageval",
    "questions",
    "One question with its gold answer, as one file states it.",
    (
        DATASET,
        QUESTION,
        required("question_set", TEXT, "What the question came with: one landing unit."),
        required("question", TEXT, "The question."),
        Column("background", TEXT, "Background knowledge that rewriting may use."),
        required("history", TEXT_LIST, "Earlier turns of the talk, oldest first."),
        required("gold_answers", TEXT_LIST, "Answers that are right; empty when unknown."),
        Column("modality", TEXT, "Where the answer stands.", values=MODALITIES),
        Column("question_type", TEXT, "Kind of question, as its author says."),
        *provenance(),
    ),
    key=("dataset_id", "question_id", "question_set"),
)

GOLD_PAGES = Contract(
    "rageval",
    "gold_pages",
    "One page that holds the answer to a question.",
    (
        DATASET,
        QUESTION,
        DOCUMENT,
        required("page_number", INTEGER, "1-based page or slide."),
        *provenance(),
    ),
    key=("dataset_id", "question_id", "document_id", "page_number"),
)

CONTRACTS = (DOCUMENTS, PAGES, ARTIFACTS, CHUNKS, CHUNK_ARTIFACTS, VECTORS, QUESTIONS, GOLD_PAGES)
