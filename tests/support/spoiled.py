"""One unspoiled artifact tree, small and complete, that fault tests spoil in one place."""

from __future__ import annotations

from pathlib import Path

from tests.support.trees import Tree, probe, score, weight

CASES = ("case_000", "case_001", "case_002")
AUDIENCES = ("specialists", "learners")
SYSTEMS = ("system_a", "system_b")
SAMPLES = ([1.0, 1.0, 0.6], [1.0, 0.6, 0.6], [0.3, 0.3, 0.0], [0.6, 0.6, 1.0])
DOMAINS = ("method", "evidence", "limitations")


def plant(root: Path) -> Tree:
    """Write the tree: 3 cases, 6 probes each, 2 audiences, 2 systems, agnostic decks."""
    tree = Tree(root)
    for case in CASES:
        probes = [
            probe(f"pb_{number:04d}", case, metadata={"domain": DOMAINS[number % 3]})
            for number in range(1, 7)
        ]
        ids = [one["probe_id"] for one in probes]
        tree.case(
            case,
            probes,
            {
                audience: [
                    weight(probe_id, audience, SAMPLES[(index + offset) % 4])
                    for index, probe_id in enumerate(ids)
                ]
                for offset, audience in enumerate(AUDIENCES)
            },
        )
        for offset, system in enumerate(SYSTEMS):
            for audience in AUDIENCES:
                scores = [
                    score(probe_id, (index + offset + int(case[-1])) % 3 > 0)
                    for index, probe_id in enumerate(ids)
                ]
                claims = ["supported"] * (3 + offset) + ["contradicted", "unsupported"]
                tree.evaluation(case, audience, scores, system=system, claims=claims)
    return tree


SCORES = "runs/run/evaluations/system_a/agnostic/learners/case_001/probe_scores.jsonl"
WEIGHTS = "probes/case_001/weights/learners.jsonl"
MANIFEST = "runs/run/evaluations/system_a/agnostic/learners/case_001/run_manifest.json"
PROBES = "probes/case_001/probes_deduped.jsonl"
