"""Closed value sets of the two benchmarks of document question answering."""

from __future__ import annotations

LAYOUT_CLASSES = ("standard", "presentation")
ROUTING_METHODS = ("rule", "text_endpoint", "vision_endpoint", "override")
TITLE_METHODS = ("rule", "text_endpoint", "vision_endpoint", "override")
DESCRIPTION_METHODS = ("rule", "endpoint")
SLIDE_CLASSES = ("Blank", "Informative")
ARTIFACT_KINDS = ("table", "picture")
PICTURE_CLASSES = ("Logo", "Chart", "Picture", "Blank")
CHUNK_KINDS = ("text", "table", "picture", "page")
MODALITIES = ("text", "table", "picture")
VARIANTS = ("TCTE", "PCMHE", "TCMIE", "page_only", "text_only", "no_alignment")
RETRIEVAL_STAGES = ("dense", "bm25", "fused", "reranked")
RERANK_STATUSES = ("done", "repaired", "skipped", "failed")
ANSWER_STATUSES = ("answered", "refused", "missing", "invalid")
JUDGED_METRICS = ("fastrageval", "consistency", "consistency_mm", "ragchecker", "claims")
JUDGMENT_STATUSES = ("scored", "null", "missing", "invalid", "abstained")
STATEMENT_SIDES = ("reference", "response")
PREMISES = ("reference", "response", "passage", "source")
LABELS = ("Entailment", "Neutral", "Contradiction")
LABEL_SOURCES = ("judged", "padded", "human", "imported")

SETTINGS = ("end_to_end", "oracle")
GOLD_MODES = ("any", "all")
NUMERIC_DECISIONS = ("rule", "override")
NUMBER_SIDES = ("gold", "answer")
