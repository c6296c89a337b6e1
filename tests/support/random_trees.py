"""Random artifact trees: each seed is one dataset with its own mix of everything odd."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.trees import JUDGE, Tree, probe, score, weight

AUDIENCES = ("specialists", "learners", "decision_makers")
DOMAINS = ("context", "method", "evidence", "limitations", "implementation", "implications")
RUBRIC = (0.0, 0.3, 0.6, 1.0)
LABELS = ("supported", "supported", "unsupported", "contradicted", "unverifiable", "failed", "odd")
OTHER_JUDGE = {"id": "judge-b", "kind": "heuristic", "model": "rules", "prompt_sha256": "b" * 64}
BROKEN = ("damaged", "encrypted", "missing")


@dataclass
class _Maker:
    tree: Tree
    dice: random.Random
    probes: dict[str, list[str]] = field(default_factory=dict)
    k: Any = None
    # Dice of its own, and None for a tree that asked for everything once.
    repeats: random.Random | None = None

    def __post_init__(self) -> None:
        self.k = self._any_k()

    def _any_k(self) -> Any:
        return self.dice.choice((*range(1, 11), None, "mixed"))

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def case(self, label: str, audiences: list[str], variant: str = "") -> None:
        """Plant one bank with weights; k is mostly that of the tree, so that cases pool."""
        count = self.dice.choice((0, *range(1, 9), 3, 5, 8))
        names = [f"pb_{number:04d}" for number in range(1, count + 1)]
        rows = [self._probe(name, label) for name in names]
        k = self._any_k() if self.chance(0.25) else self.k
        weights = {}
        for audience in audiences:
            made = [self._weight(name, audience, k) for name in names]
            if made and self.chance(0.1):
                made.pop(self.dice.randrange(len(made)))
            weights[audience] = made
        metadata: dict[str, Any] = {"scene": self.dice.choice(("talk", "lecture"))}
        if self.chance(0.3):
            metadata["metadata"] = {"category": "fields", "topic": self.dice.choice("xy")}
        if variant:
            self.tree.case(label, rows, weights, variant=variant)
        else:
            self.tree.case(label, rows, weights, metadata=metadata)
        folder = f"{label}@{variant}" if variant else label
        if self.chance(0.05):
            base = self.tree.root / "probes" / folder / "weights"
            (base / f"{audiences[0]}.jsonl").unlink()
        self.probes[folder] = names

    def _probe(self, name: str, case: str) -> dict[str, Any]:
        metadata: dict[str, Any] = {}
        if self.chance(0.8):
            metadata["domain"] = self.dice.choice(DOMAINS)
        # Words that no keyword rule knows: without a stated domain it is unclassified.
        words = {"question": f"Zzq {name}?", "answer": f"Zzw {name}.", "theme": "zzt"}
        return probe(name, case, metadata=metadata, modality="zzm", **words)

    def _weight(self, name: str, audience: str, k: Any) -> dict[str, Any]:
        size = self.dice.choice((1, 2, 3, None)) if k == "mixed" else k
        if size is None:
            stated = self.dice.choice(
                (*RUBRIC, 0.7, 0.5, 0.9, 0.6999999999, 0.699, round(self.dice.random(), 4))
            )
            return weight(name, audience, stated=stated)
        if self.chance(0.7):
            samples = [self.dice.choice(RUBRIC) for _ in range(size)]
        else:
            samples = [
                self.dice.choice((0.15, 0.45, 0.8, round(self.dice.random(), 3)))
                for _ in range(size)
            ]
        return weight(name, audience, samples)

    def _scores(self, names: list[str]) -> list[dict[str, Any]]:
        share = self.dice.choice((0.0, 0.4, 0.7, 1.0))
        rows = []
        for name in names:
            kind = self.dice.random()
            if kind < 0.06:
                rows.append(score(name, False, judgment_status="filled", confidence=0))
            elif kind < 0.1:
                rows.append(score(name, False, confidence=0))
            elif kind < 0.15:
                rows.append(score(name, False, judgment_status="failed"))
            elif kind < 0.2:
                rows.append(score(name, False, verdict="abstain"))
            else:
                rows.append(score(name, self.chance(share)))
        if rows and self.chance(0.1):
            rows.pop(self.dice.randrange(len(rows)))
        self.dice.shuffle(rows)
        for row in rows if self.repeats is not None else []:
            self._repeat(row, self.repeats)
        return rows

    def _repeat(self, row: dict[str, Any], dice: random.Random) -> None:
        """Give a judgment the samples that it is the first of."""
        metadata = row["metadata"]
        verdict = metadata.get("verdict", "covered" if row["covered"] else "uncovered")
        is_judged = "judgment_status" not in metadata and metadata["confidence"] > 0
        if dice.random() < 0.2:
            return
        samples = [
            None
            if dice.random() < 0.1
            else {"verdict": dice.choice((verdict, verdict, "abstain", "covered")), "confidence": 1}
            for _ in range(dice.choice((1, 1, 2, 4, 16)))
        ]
        own = {"verdict": verdict, "confidence": 0.9} if is_judged else None
        metadata["repeats"] = [own, *samples]

    def evaluation(
        self, folder: str, audience: str, system: str, condition: str, judge: Any
    ) -> None:
        """Plant one evaluation; words, slides, claims and whole files may be missing."""
        claims = [self.dice.choice(LABELS) for _ in range(self.dice.choice((0, 1, 3, 10)))]
        path = self.tree.evaluation(
            folder,
            audience,
            self._scores(self.probes.get(folder, [])),
            system=system,
            condition=condition,
            claims=claims,
            slide_count=self.dice.choice((None, 0, 1, 8, 12)),
            word_count=self.dice.choice((None, 0, 1, 300, 585)),
            judge=judge,
            deck_status=self.dice.choice((None, None, None, "image_only", *BROKEN))
            if self.chance(0.4)
            else None,
        )
        if self.chance(0.04):
            (path / "deck_stats.json").unlink()
        if self.chance(0.05):
            (path / "probe_scores.jsonl").unlink()


def plant(root: Path, seed: int) -> Path:
    """Write the tree of one seed below `root`; return its folder, which names the dataset."""
    dice = random.Random(seed)
    repeats = random.Random(f"repeats {seed}") if seed % 3 == 0 else None
    maker = _Maker(Tree(root / f"random_{seed:03d}"), dice, repeats=repeats)
    audiences = sorted(dice.sample(AUDIENCES, dice.choice((1, 1, 2, 3))))
    labels = [f"case_{number:03d}" for number in range(dice.choice((1, 1, 2, 3)))]
    for label in labels:
        maker.case(label, audiences)
    folders = list(labels)
    if maker.chance(0.2):
        maker.case(labels[0], audiences, variant="v2")
        folders.append(f"{labels[0]}@v2")
    judge = dice.choice((JUDGE, JUDGE, OTHER_JUDGE, None))
    condition = dice.choice(("agnostic", "agnostic", "conditioned"))
    system = dice.choice(("system_a", "system_b"))
    for folder in folders:
        for audience in audiences:
            maker.evaluation(folder, audience, system, condition, judge)
    if maker.chance(0.2):
        # A deck that nobody judged is part of the expected grid.
        deck = maker.tree.root / "runs/run/decks/system_z/agnostic/agnostic" / labels[0]
        deck.mkdir(parents=True)
        (deck / "deck.pptx").write_bytes(b"not a deck")
    return maker.tree.root
