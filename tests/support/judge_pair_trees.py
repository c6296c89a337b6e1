"""A tree whose decks were judged in four runs: by two judges, two prompts, and one judge twice."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.trees import JUDGE, Tree, probe, score, weight, write_json

DATASET = "judge_pairs"
AUDIENCES = ("learners", "specialists")
CASES = tuple(f"case_{number:03d}" for number in range(12))
PROBES = tuple(f"pb_{number:04d}" for number in range(1, 9))
SAMPLES = ([1.0, 1.0], [1.0, 0.6], [0.6, 0.6], [0.3, 0.3])
LABELS = ("supported", "unsupported", "contradicted", "unverifiable", "failed", "odd")
CLAIM_JUDGE = {"id": "claims-a", "kind": "llm", "model": "model-a", "prompt_sha256": "d" * 64}
# Judge of answers and judge of claims of each run; `again` is `first` once more.
RUNS = {
    "again": (JUDGE, CLAIM_JUDGE),
    "first": (JUDGE, CLAIM_JUDGE),
    "other": ({**JUDGE, "id": "judge-b"}, {**CLAIM_JUDGE, "id": "claims-b"}),
    "prompt": ({**JUDGE, "prompt_sha256": "e" * 64}, CLAIM_JUDGE),
}
OTHER_DECK, NO_HASH, NOT_JUDGED = CASES[9], CASES[10], CASES[11]
YES, NO = True, False
# By hand, for `first` and `other`, two cases of five probes: 4 both, 1 each alone, 4 neither.
HAND = {
    "first": ([YES, YES, YES, NO, NO], [YES, YES, NO, NO, NO]),
    "other": ([YES, YES, NO, NO, NO], [YES, YES, YES, NO, NO]),
}
HAND_CLAIMS = {
    "first": ("supported", "supported", "contradicted", "unverifiable"),
    "other": ("supported", "contradicted", "contradicted", "unverifiable"),
}


def plant(root: Path) -> Path:
    """Write the tree: random systems `one` and `two`, and three systems made by hand."""
    draw = random.Random(67)
    tree = Tree(root / DATASET)
    for case in CASES:
        weights = {
            audience: [weight(name, audience, SAMPLES[draw.randrange(4)]) for name in PROBES]
            for audience in AUDIENCES
        }
        tree.case(case, [probe(name, case) for name in PROBES], weights)
    for run in RUNS:
        for case in CASES:
            _random(tree, run, case, draw)
        for number, case in enumerate(CASES[:2]):
            if run in HAND:
                _by_hand(tree, run, case, HAND[run][number])
    return tree.root


def _random(tree: Tree, run: str, case: str, draw: random.Random) -> None:
    for system, condition in (("one", "agnostic"), ("two", "agnostic"), ("two", "conditioned")):
        for audience in AUDIENCES:
            if run == "other" and case == NOT_JUDGED:
                continue
            deck = f"{system} {condition} {case} {audience if condition == 'conditioned' else ''}"
            deck += " anew" if run == "other" and case == OTHER_DECK else ""
            claims = [(f"c{n}", f"Claim {n}.", draw.choice(LABELS)) for n in range(6)]
            if draw.random() < 0.3:
                claims[0] = (claims[0][0], "Another claim.", claims[0][2])
            if draw.random() < 0.3:
                claims.pop()
            _evaluate(
                tree, run, case, system, condition, audience, _scores(draw), claims,
                None if case == NO_HASH else deck,
            )  # fmt: skip


def _scores(draw: random.Random) -> list[dict[str, Any]]:
    rows = []
    for name in PROBES:
        kind = draw.random()
        if kind < 0.1:
            rows.append(score(name, False, judgment_status="filled", confidence=0))
        elif kind < 0.15:
            rows.append(score(name, False, judgment_status="failed", confidence=0))
        elif kind < 0.25:
            rows.append(score(name, False, verdict="abstain"))
        else:
            rows.append(score(name, draw.random() < 0.6))
    if draw.random() < 0.2:
        rows.pop()
    return rows


def _by_hand(tree: Tree, run: str, case: str, covered: Sequence[bool]) -> None:
    names = PROBES[: len(covered)]
    said = [score(name, one) for name, one in zip(names, covered, strict=True)]
    sure = [score(name, True) for name in names]
    filled = [score(name, False, judgment_status="filled", confidence=0) for name in names]
    labels = enumerate(HAND_CLAIMS[run])
    claims = [(f"c{n}", f"Claim {n}.", label) for n, label in labels]
    claims.append(("c9", f"A claim that only {run} found.", "supported"))
    for system, scores in (
        ("hand", said),
        ("sure", sure),
        ("apart", filled if run == "other" else said),
    ):
        texts = claims if system == "hand" else []
        _evaluate(
            tree, run, case, system, "agnostic", "learners", scores, texts, f"{system} {case}"
        )


def _evaluate(
    tree: Tree,
    run: str,
    case: str,
    system: str,
    condition: str,
    audience: str,
    scores: list[dict[str, Any]],
    claims: list[tuple[str, str, str]],
    deck: str | None,
) -> None:
    judge, claim_judge = RUNS[run]
    stated: dict[str, Any] = {"claim_judge": claim_judge}
    if deck is not None:
        stated["deck_sha256"] = hashlib.sha256(deck.encode()).hexdigest()
    folder = tree.evaluation(
        case,
        audience,
        scores,
        system=system,
        run=run,
        condition=condition,
        judge=judge,
        stated=stated,
    )
    if claims:
        rows = [
            {"claim_id": name, "text": text, "slide": 1, "label": label}
            for name, text, label in claims
        ]
        write_json(folder / "correctness.json", {"claims": rows})
