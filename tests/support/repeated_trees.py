"""A tree of agnostic decks that were judged once per audience, in every way it can happen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.trees import JUDGE, Tree, probe, score, weight

DATASET = "repeats"
AUDIENCES = ("decision_makers", "learners", "specialists")
CASES = ("case_000", "case_001")
PROBES = ("pb_0001", "pb_0002", "pb_0003", "pb_0004")
RULES = {"id": "rules-1", "kind": "heuristic", "model": "rules", "prompt_sha256": "c" * 64}
UNCLEAR = "pb_0002"


def plant(root: Path) -> Path:
    """Write the tree; each system is one way of judging 2 decks of 4 probes for 3 audiences."""
    tree = Tree(root / DATASET)
    for case in CASES:
        weights = {
            audience: [weight(name, audience, [1.0, 1.0]) for name in PROBES]
            for audience in AUDIENCES
        }
        tree.case(case, [probe(name, case) for name in PROBES], weights)
        for audience in AUDIENCES:
            _plant(tree, case, audience)
    return tree.root


def _plant(tree: Tree, case: str, audience: str) -> None:
    # One judgment of one probe of one deck turns.
    flipped = case == CASES[0] and audience == "learners"
    sha256 = {"deck_sha256": (audience[0] * 64)}
    judged = _scores(flipped)
    _evaluate(tree, case, audience, "flipped", judged)
    _evaluate(tree, case, audience, "foreign", judged, judge=None)
    _evaluate(tree, case, audience, "steady", _scores(False), stated={"judgments": "own"})
    _evaluate(tree, case, audience, "sure", [score(name, True) for name in PROBES])
    _evaluate(tree, case, audience, "ruled", judged, judge=RULES)
    _evaluate(tree, case, audience, "shared", judged, stated={"judgments": "shared"})
    _evaluate(tree, case, audience, "replayed", judged, stated={"judgments": "cached"})
    _evaluate(tree, case, audience, "three_files", judged, stated=sha256)
    _evaluate(tree, case, audience, "filled", _scores(flipped, fill=audience == "learners"))
    # One deck for all audiences, asked for three times; the last sample of one probe turns.
    sampled = [_sampled(row, case) for row in _scores(False)]
    _evaluate(tree, case, audience, "sampled", sampled, stated={"judgments": "shared"})


def _scores(flipped: bool, fill: bool = False) -> list[dict[str, Any]]:
    rows = []
    for name in PROBES:
        if fill and name == UNCLEAR:
            rows.append(score(name, False, judgment_status="filled", confidence=0))
        else:
            is_covered = name in PROBES[:2] and not (flipped and name == UNCLEAR)
            rows.append(score(name, is_covered))
    return rows


def _sampled(row: dict[str, Any], case: str) -> dict[str, Any]:
    verdicts = ["covered" if row["covered"] else "uncovered"] * 3
    if case == CASES[0] and row["probe_id"] == UNCLEAR:
        verdicts[2] = "abstain"
    repeats = [{"verdict": one, "confidence": 0.9} for one in verdicts]
    return {**row, "metadata": {**row["metadata"], "repeats": repeats}}


def _evaluate(
    tree: Tree,
    case: str,
    audience: str,
    system: str,
    scores: list[dict[str, Any]],
    *,
    judge: Mapping[str, Any] | None = JUDGE,
    stated: Mapping[str, Any] | None = None,
) -> None:
    tree.evaluation(
        case, audience, scores, system=system, judge=judge, stated=stated, claims=["supported"]
    )
