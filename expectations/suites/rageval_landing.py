"""Landing gate of `rageval`: documents, runs, judged answers and preferences."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.landed_rows import manifests_rule, rejects_rule
from expectations.suites.rageval_documents import DOCUMENTS
from expectations.suites.rageval_judgments import JUDGMENTS
from expectations.suites.rageval_retrieval import RETRIEVAL
from warehouse.findings import Outcome

NOUNS = (
    "documents",
    "pages",
    "artifacts",
    "chunks",
    "chunk_artifacts",
    "vectors",
    "questions",
    "gold_pages",
    "runs",
    "rewrites",
    "hits",
    "contexts",
    "answers",
    "judgments",
    "statements",
    "verdicts",
    "published_metrics",
    "preferences",
    "pair_scores",
)
# One of these is what somebody landed; the others only go with them.
_HEADS = ("documents", "questions", "answers", "preferences")
_NOTHING = " and ".join(f"not exists (select 1 from rageval.{noun})" for noun in _HEADS)

_LANDED = (
    RowRule(
        "something_is_landed",
        "rageval__answers",
        f"""
        select 'rageval' as subject,
            'no documents, questions, answers or preferences are landed' as message,
            null as source_file, null as source_line
        where {_NOTHING}
        """,
        Outcome.NOTHING_SELECTED,
    ),
    rejects_rule("rageval"),
    manifests_rule("rageval", NOUNS),
)

SUITE = Suite("landing", "rageval", (*_LANDED, *DOCUMENTS, *RETRIEVAL, *JUDGMENTS))
