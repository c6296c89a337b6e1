"""An artifact tree of the paper's size, made by rule from one seed.

113 cases, 8,133 probes, 3 audiences, 6 systems in 2 conditions: 4,068 evaluations and
292,788 judgments. Each system has a strength and each probe a difficulty, so that systems
differ, cases correlate and intervals have something to say.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.support.trees import Tree, probe, score, weight

CASES, PROBES = 113, 8_133
AUDIENCES = ("specialists", "learners", "decision_makers")
SYSTEMS = tuple(f"system_{letter}" for letter in "abcdef")
CONDITIONS = ("agnostic", "conditioned")
DOMAINS = ("context", "method", "evidence", "implementation", "implications", "limitations")
SAMPLES = (
    [1.0, 1.0, 1.0],
    [1.0, 1.0, 0.6],
    [1.0, 0.6, 0.6],
    [0.6, 0.6, 0.6],
    [0.6, 0.3, 0.3],
    [0.3, 0.3, 0.0],
    [0.0, 0.0, 0.0],
)
CLAIMS = 25


def write_tree(root: Path, *, seed: int = 11) -> Path:
    """Write the tree below `root` and return `root`. Takes about 15 s."""
    draw = random.Random(seed)
    tree = Tree(root)
    strengths = {
        (system, condition): 0.35 + 0.05 * number + 0.04 * (condition == "conditioned")
        for number, system in enumerate(SYSTEMS)
        for condition in CONDITIONS
    }
    for number in range(CASES):
        case = f"case_{number:03d}"
        # 8,133 = 113 * 72 - 3: three cases have a probe less.
        ids = [f"pb_{index:04d}" for index in range(1, 73 if number >= 3 else 72)]
        probes = [
            probe(one, case, metadata={"domain": draw.choice(DOMAINS)}, level=draw.randrange(1, 4))
            for one in ids
        ]
        difficulties = {one: draw.random() for one in ids}
        tree.case(
            case,
            probes,
            {
                audience: [weight(one, audience, draw.choice(SAMPLES)) for one in ids]
                for audience in AUDIENCES
            },
        )
        for (system, condition), strength in strengths.items():
            deck: dict[str, Any] = {}
            for audience in AUDIENCES:
                # An agnostic deck is one deck, whoever it is judged for.
                if not deck or condition == "conditioned":
                    deck = _deck(draw)
                tree.evaluation(
                    case,
                    audience,
                    [
                        score(one, draw.random() < strength + 0.4 * (0.5 - difficulties[one]))
                        for one in ids
                    ],
                    system=system,
                    condition=condition,
                    **deck,
                )
    return root


def _deck(draw: random.Random) -> dict[str, Any]:
    labels = ("supported", "contradicted", "unsupported", "unverifiable")
    return {
        "claims": draw.choices(labels, (80, 5, 10, 5), k=CLAIMS),
        "slide_count": draw.randrange(6, 20),
        "word_count": draw.randrange(300, 1_500),
    }
