"""The offline judge: rules instead of a model, no key and no network.

It makes the whole pipeline run on a user's own files at once. It never pretends to be a
model: `judge_kind` is `heuristic`, and its id and the hash of its rules and tables stand on
every row.
"""

from __future__ import annotations

import functools
import hashlib

from ingest.judge.exchange import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    Claim,
    ClaimJudgment,
    ClaimRequest,
    Evidence,
    ProbeDraft,
    ProbeRequest,
    Reply,
    Task,
    UtilityJudgment,
    VerificationRequest,
    WeightRequest,
)
from ingest.judge.offline_answerability import index_deck, judge_probe
from ingest.judge.offline_claims import claims_of, verify_claim
from ingest.judge.offline_probes import drafts_of
from ingest.judge.offline_registry import registries_sha256
from ingest.judge.offline_weights import RULES, weigh_probe

JUDGE_ID = "podium-offline-1"
# Raise with every change of a rule that changes an answer.
RULES_VERSION = "2"
_TABLES = {
    Task.PROBES: ("offline_cues", "offline_verbs", "offline_words", "offline_units"),
    Task.WEIGHTS: ("audience_affinities", "offline_cues", "offline_words", "offline_units"),
    Task.ANSWERABILITY: ("offline_concepts", "offline_words", "offline_units"),
    Task.CLAIMS: ("offline_concepts", "offline_words", "offline_units"),
    Task.VERIFICATION: ("offline_concepts", "offline_words", "offline_units"),
}


class OfflineJudge:
    """Judge by rules; implements `ingest.judge.interface.Judge`. Stateless and deterministic."""

    judge_kind = "heuristic"
    reads_images = False
    max_in_flight = 1
    crew = None

    def stop(self) -> None:
        """Do nothing: rules cost nothing and end by themselves."""

    def id_of(self, task: Task) -> str:
        """Return the id of the rules, one for all tasks."""
        return JUDGE_ID

    def prompt_sha256(self, task: Task) -> str:
        """Return the hash of the rules' version and of the tables behind one task."""
        return _rules_sha256(task)

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        """Turn telling sentences of a chunk into probes."""
        drafts = tuple(drafts_of(request))
        asked = {
            "judge_id": JUDGE_ID,
            "rules_version": RULES_VERSION,
            "case_id": request.case_id,
            "scene": request.scene,
            "chunk_index": request.chunk_index,
            "pass": request.pass_index,
            "text_sha256": hashlib.sha256(request.text.encode("utf-8")).hexdigest(),
        }
        return Reply(drafts, request=asked, response={"probes": [_record(one) for one in drafts]})

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        """Look up affinities; the sample index chooses the leading rule."""
        return Reply(
            tuple(
                weigh_probe(request.audience, probe, request.sample_index)
                for probe in request.probes
            ),
            request={"rule": RULES[request.sample_index % len(RULES)]},
        )

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Find the slide that speaks of each probe and hold it to the answer."""
        index = index_deck(request.pages)
        return Reply(tuple(judge_probe(index, probe) for probe in request.probes))

    def extract_claims(self, request: ClaimRequest) -> Reply[Claim]:
        """Take sentences and items of the deck that could be a claim."""
        return Reply(tuple(claims_of(request.pages)))

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Hold claims against their snippets."""
        return Reply(tuple(verify_claim(one) for one in request.claims))


def _record(draft: ProbeDraft) -> dict[str, object]:
    return {
        "question": draft.question,
        "answer": draft.answer,
        "evidence": [_evidence(one) for one in draft.evidence],
        "level": draft.level,
        "modality": draft.modality,
        "theme": draft.theme,
        "domain": draft.domain,
    }


def _evidence(one: Evidence) -> dict[str, str]:
    return {"locator": one.locator, "text": one.text}


@functools.cache
def _rules_sha256(task: Task) -> str:
    content = f"{JUDGE_ID}/{RULES_VERSION}/{task}/{registries_sha256(*_TABLES[task])}"
    return hashlib.sha256(content.encode("utf-8")).hexdigest()
