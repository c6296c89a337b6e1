"""A tree to compare systems on: unbalanced, with a tie, and an order that turns with tau."""

from __future__ import annotations

import random
from pathlib import Path

from tests.support.trees import Tree, probe, score, weight

DATASET = "comparisons"
SYSTEMS = ("alpha", "beta", "gamma", "delta")
CASES = 14
PROBES = 12
# Chance to cover a probe, for heavy probes and for light ones.
SKILL = {"alpha": (0.8, 0.3), "beta": (0.7, 0.9), "gamma": (0.45, 0.5), "delta": (0.45, 0.5)}
SAMPLES = ([1.0, 1.0, 1.0], [1.0, 0.6, 0.6], [0.6, 0.6, 0.3], [0.3, 0.3, 0.3])


def plant(root: Path) -> Path:
    """Write the tree; gamma and delta are judged alike, beta lacks two cases."""
    draw = random.Random(23)
    tree = Tree(root / DATASET)
    for number in range(CASES):
        case = f"case_{number:03d}"
        ids = [f"pb_{index:04d}" for index in range(1, PROBES + 1)]
        samples = [SAMPLES[draw.randrange(4)] for _ in ids]
        rows = [weight(one, "experts", drawn) for one, drawn in zip(ids, samples, strict=True)]
        tree.case(case, [probe(one, case) for one in ids], {"experts": rows})
        for condition in ("agnostic", "conditioned"):
            judged: dict[str, list[dict[str, object]]] = {}
            for system in SYSTEMS:
                heavy, light = SKILL[system]
                judged[system] = [
                    score(one, draw.random() < (heavy if sum(drawn) > 2 else light))
                    for one, drawn in zip(ids, samples, strict=True)
                ]
            judged["delta"] = judged["gamma"]
            for system in SYSTEMS:
                if system == "beta" and number in (3, 7):
                    continue
                if condition == "conditioned" and number % 2:
                    continue
                claims = ["supported"] * draw.randrange(1, 5) + ["contradicted"] * draw.randrange(3)
                tree.evaluation(
                    case,
                    "experts",
                    judged[system],
                    system=system,
                    condition=condition,
                    claims=claims,
                    slide_count=draw.randrange(4, 12),
                    word_count=draw.randrange(100, 900),
                )
    return tree.root
