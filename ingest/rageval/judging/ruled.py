"""Rules as judge of answers: a sentence is a statement, and words and figures label it.

A stand-in that lets everything run without a model. It never passes for one: `judge_kind` is
heuristic. A sentence that says two things is one statement here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ingest.judge.exchange import Claim, ClaimWithSnippets, Evidence, Task
from ingest.judge.lexical import split_sentences
from ingest.judge.offline import OfflineJudge
from ingest.judge.offline_claims import verify_claim
from ingest.rageval.judging.exchange import (
    PREMISES,
    REFERENCE,
    RESPONSE,
    SOURCE,
    AnswerToJudge,
    Judged,
    Statement,
    Usage,
    settled,
)
from warehouse import identity

_LABELS = {"supported": "Entailment", "contradicted": "Contradiction"}
# Raise with every change of a rule here that changes a label.
RULES_VERSION = 1


class RuleJudge:
    """Judges answers by the rules of the offline judge; stateless and deterministic."""

    judge_kind = "heuristic"

    def __init__(self) -> None:
        self._rules = OfflineJudge()
        self.judge_id = self._rules.id_of(Task.VERIFICATION)

    def prompt_sha256(self, metric: str) -> str:
        """Return the hash of the rules and their tables."""
        return self._rules.prompt_sha256(Task.VERIFICATION)

    def evaluation_config_id(self, metric: str) -> str:
        """Return the id of how answers are judged: the rules and their version."""
        return identity.content_id(
            "config", metric, self.judge_id, self.prompt_sha256(metric), RULES_VERSION
        )

    def judge(
        self, metric: str, answers: Sequence[AnswerToJudge], repeat: int
    ) -> Iterator[tuple[int, Judged]]:
        """Yield the position of each answer and its judgment."""
        for position, answer in enumerate(answers):
            texts = {
                REFERENCE: (answer.reference or "",),
                RESPONSE: (answer.response or "",),
                SOURCE: answer.passages,
            }
            statements = tuple(
                one
                for side, premise in PREMISES[metric].items()
                for one in labelled(side, texts[side], texts[premise])
            )
            yield position, settled(metric, statements, Usage())


def labelled(side: str, texts: Sequence[str], premises: Sequence[str]) -> list[Statement]:
    """Return the sentences of a side, once each, with their labels against some premises."""
    snippets = tuple(Evidence("", one) for text in premises for one in _sentences(text))
    found: list[Statement] = []
    seen: set[str] = set()
    for sentence in (one for text in texts for one in _sentences(text)):
        key = " ".join(sentence.split()).casefold()
        if key in seen:
            continue
        seen.add(key)
        claim = Claim(f"statement_{len(found) + 1}", sentence, None)
        label = verify_claim(ClaimWithSnippets(claim, snippets)).label
        name = _LABELS.get(label, "Neutral")
        found.append(Statement(side, len(found) + 1, sentence, name))
    return found


def _sentences(text: str) -> list[str]:
    """Return sentences by line; a short answer without a verb is one too, never a heading."""
    lines = (line.strip() for line in text.splitlines())
    return [one for line in lines for one in split_sentences(line) if one.strip()]
