"""Artifact trees of the golden cases: small worlds whose numbers are known by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

from tests.support import comparison_trees, judge_pair_trees, repeated_trees
from tests.support.trees import JUDGE, Tree, probe, score, weight

AUDIENCE = "specialists"
AUDIENCES = ("decision_makers", "learners", "specialists")
RUBRIC = (0.0, 0.3, 0.6, 1.0)
TIE_SIZES = (4, 5, 6, 7, 10)
MULTISET_SIZES = (2, 3, 4, 5)
TAUS = (300, 500, 600, 700, 900, 1000)
OTHER_JUDGE = {"id": "judge-b", "kind": "heuristic", "model": "rules", "prompt_sha256": "b" * 64}


def seed_row(root: Path) -> Path:
    """42 included probes, V 39.5, R 24.0, 12 slides, 585 words, correctness 0.9.

    17 weights of 1 and 25 of 0.9; 15 and 10 of them are covered. Ten probes below the
    threshold are covered too, and must not count.
    """
    tree = Tree(root / "seed_row")
    samples = [[1.0] * 4] * 17 + [[1.0, 0.6, 1.0, 1.0]] * 25 + [[0.6, 0.6, 0.6, 0.6]] * 10
    names = [f"pb_{number:04d}" for number in range(1, len(samples) + 1)]
    covered = [True] * 15 + [False] * 2 + [True] * 10 + [False] * 15 + [True] * 10
    tree.case(
        "case_000",
        [probe(name, "case_000") for name in names],
        {AUDIENCE: [weight(*pair) for pair in zip(names, [AUDIENCE] * 52, samples, strict=True)]},
    )
    tree.evaluation(
        "case_000",
        AUDIENCE,
        [score(*pair) for pair in zip(names, covered, strict=True)],
        claims=["supported"] * 18 + ["unsupported", "contradicted"] + ["unverifiable"] * 3,
        slide_count=12,
        word_count=585,
    )
    return tree.root


def weight_multisets(root: Path) -> Path:
    """One bank per k with every multiset of k samples as a weight, all covered."""
    tree = Tree(root / "weight_multisets")
    for k in MULTISET_SIZES:
        samples = [list(one) for one in combinations_with_replacement(RUBRIC, k)]
        _plant_weights(tree, f"k{k:02d}", [(one, None) for one in samples])
    return tree.root


def tau_ties(root: Path) -> Path:
    """Weights that equal a threshold exactly, for every float mean an order can give.

    Beside each bank with samples stands one with the float mean alone.
    """
    tree = Tree(root / "tau_ties")
    for k in TIE_SIZES:
        ties = [one for tau in TAUS for one in tied_orders(k, tau)]
        _plant_weights(tree, f"sampled_k{k:02d}", [(order, mean) for order, mean in ties])
        means = sorted({mean for _, mean in ties})
        _plant_weights(tree, f"stated_k{k:02d}", [(None, mean) for mean in means])
    near = [tau / 1000 + shift for tau in TAUS[:-1] for shift in (-5e-10, -2e-9, 1e-6)]
    _plant_weights(tree, "near", [(None, mean) for mean in near])
    return tree.root


@cache
def tied_orders(k: int, tau: int) -> tuple[tuple[list[float], float], ...]:
    """Return one order of samples for every (multiset, float mean) that ties with tau.

    All orders of all multisets of k samples with the exact mean tau are walked, summed
    from left to right as Python and JSON pipelines do; orders that give the same float
    from the same samples are one.
    """
    found = []
    for samples in combinations_with_replacement(RUBRIC, k):
        tenths = sum(round(10 * one) for one in samples)
        if 100 * tenths == k * tau:
            counts = tuple(samples.count(level) for level in RUBRIC)
            means = {total / k: order for total, order in _reachable(counts).items()}
            found += [(list(order), mean) for mean, order in sorted(means.items())]
    return tuple(found)


@cache
def _reachable(counts: tuple[int, ...]) -> dict[float, tuple[float, ...]]:
    """Return every float sum that some order of the samples gives, with such an order."""
    if not any(counts):
        return {0.0: ()}
    found = {}
    for index, count in enumerate(counts):
        if count:
            rest = (*counts[:index], count - 1, *counts[index + 1 :])
            for total, order in _reachable(rest).items():
                found[total + RUBRIC[index]] = (*order, RUBRIC[index])
    return found


def _plant_weights(
    tree: Tree, case: str, weights: list[tuple[list[float] | None, float | None]]
) -> None:
    names = [f"pb_{number:05d}" for number in range(1, len(weights) + 1)]
    rows = [
        weight(name, AUDIENCE, samples, stated)
        for name, (samples, stated) in zip(names, weights, strict=True)
    ]
    tree.case(case, [probe(name, case) for name in names], {AUDIENCE: rows})
    tree.evaluation(case, AUDIENCE, [score(name, True) for name in names], claims=["supported"])


def edges(root: Path) -> Path:
    """A case whose V is 0 at 0.7, and one with all of its utility in two domains."""
    tree = Tree(root / "edges")
    names = ("pb_0001", "pb_0002", "pb_0003")
    scores = [score(name, True) for name in names]
    low = [weight(name, AUDIENCE, [0.6, 0.6, 0.6]) for name in names]
    tree.case(
        "nothing_included", [probe(name, "nothing_included") for name in names], {AUDIENCE: low}
    )
    domains = ("method", "evidence", "limitations")
    stated = [
        probe(name, "few_domains", metadata={"domain": domain})
        for name, domain in zip(names, domains, strict=True)
    ]
    levels = ([1.0, 1.0, 0.6], [1.0, 1.0, 1.0], [0.0, 0.3, 0.0])
    high = [weight(name, AUDIENCE, level) for name, level in zip(names, levels, strict=True)]
    tree.case("few_domains", stated, {AUDIENCE: high})
    for case in ("nothing_included", "few_domains"):
        tree.evaluation(case, AUDIENCE, scores, claims=["supported", "unsupported"])
    return tree.root


def agnostic_deck(root: Path) -> Path:
    """One agnostic deck judged for three audiences that weigh its probes differently."""
    tree = Tree(root / "agnostic_deck")
    names = ("pb_0001", "pb_0002", "pb_0003", "pb_0004")
    levels = {
        "decision_makers": ([1.0, 1.0], [0.0, 0.0], [1.0, 0.6], [1.0, 1.0]),
        "learners": ([1.0, 1.0], [1.0, 1.0], [0.3, 0.3], [0.3, 0.6]),
        "specialists": ([0.3, 0.0], [0.6, 0.6], [1.0, 1.0], [1.0, 0.6]),
    }
    weights = {
        audience: [weight(name, audience, one) for name, one in zip(names, rows, strict=True)]
        for audience, rows in levels.items()
    }
    tree.case("case_000", [probe(name, "case_000") for name in names], weights)
    for audience in levels:
        scores = [score(name, index < 2) for index, name in enumerate(names)]
        tree.evaluation("case_000", audience, scores, claims=["supported", "contradicted"])
    return tree.root


def statuses(root: Path) -> Path:
    """Every evaluation status once, one case each, asked for by a run sheet."""
    tree = Tree(root / "statuses")
    names = ("pb_0001", "pb_0002")
    cases = ("broken", "complete", "gap_in_scores", "gap_in_weights", "never_run")
    for case in cases:
        kept = names[:1] if case == "gap_in_weights" else names
        rows = [weight(name, AUDIENCE, [1.0, 1.0]) for name in kept]
        tree.case(case, [probe(name, case) for name in names], {AUDIENCE: rows})
        if case != "never_run":
            judged = names[:1] if case == "gap_in_scores" else names
            scores = [score(name, True) for name in judged]
            status = "damaged" if case == "broken" else None
            tree.evaluation(case, AUDIENCE, scores, claims=["supported"], deck_status=status)
    lines = [f"system_a,agnostic,agnostic,{case}\n" for case in cases]
    sheet = tree.root / "runs" / "run" / "run_sheet.csv"
    sheet.write_text("system_id,condition,audience,case_label\n" + "".join(lines))
    return tree.root


UNIT_SYSTEMS = {
    "units_001": 1,
    "units_002": 2,
    "units_003": 3,
    "units_009": 9,
    "units_012": 12,
    "units_024": 24,
    "units_113": 113,
    "constant": 12,
}


def units(root: Path) -> Path:
    """Systems judged on 1 to 113 cases; V is 0 in one case out of seven."""
    tree = Tree(root / "units")
    dice = random.Random(7)
    names = ("pb_0001", "pb_0002", "pb_0003", "pb_0004")
    for number in range(113):
        case = f"case_{number:03d}"
        varied = dice.choices(([1.0, 1.0], [1.0, 0.6], [0.6, 0.6]), k=3)
        levels = [[0.3, 0.6]] * 4 if number % 7 == 3 else [*varied, [1.0, 1.0]]
        rows = [weight(name, AUDIENCE, level) for name, level in zip(names, levels, strict=True)]
        tree.case(case, [probe(name, case) for name in names], {AUDIENCE: rows})
        for system, count in UNIT_SYSTEMS.items():
            if number < count:
                is_constant = system == "constant"
                scores = [score(name, is_constant or dice.random() < 0.6) for name in names]
                claims = dice.choices(("supported", "contradicted"), k=5)
                tree.evaluation(case, AUDIENCE, scores, system=system, claims=claims)
    return tree.root


def two_roots(root: Path) -> Iterator[Path]:
    """Two data roots with a run of the same name.

    Each has 2 cases x 2 probe banks x 2 weight sets x 2 answer judges, as variants.
    """
    for position, dataset_id in enumerate(("root_one", "root_two")):
        tree = Tree(root / dataset_id)
        for number, case in enumerate(("case_000", "case_001")):
            for bank, size in (("short", 3), ("long", 5)):
                for k in (2, 3):
                    for judge in (JUDGE, OTHER_JUDGE):
                        _plant_variant(tree, case, bank, size, k, judge, position + 2 * number)
        yield tree.root


def _plant_variant(
    tree: Tree, case: str, bank: str, size: int, k: int, judge: dict[str, str], shift: int
) -> None:
    variant = f"{bank}-k{k}-{judge['id']}"
    names = [f"pb_{index:04d}" for index in range(1, size + 1)]
    probes = [probe(name, case, question=f"What does {bank} ask?") for name in names]
    rows = [weight(name, AUDIENCE, [1.0] * (k - 1) + [0.6]) for name in names]
    tree.case(case, probes, {AUDIENCE: rows}, variant=variant, metadata={})
    is_other = judge["id"] == OTHER_JUDGE["id"]
    scores = [score(name, (index + shift + is_other) % 2 == 0) for index, name in enumerate(names)]
    tree.evaluation(f"{case}@{variant}", AUDIENCE, scores, judge=judge, claims=["supported"])


def mixed_judges(root: Path) -> Path:
    """One run with plain case folders, yet two answer judges and two weight judgments."""
    tree = Tree(root / "mixed_judges")
    plans = (("case_000", JUDGE, 2), ("case_001", OTHER_JUDGE, 2), ("case_002", JUDGE, 3))
    for case, judge, k in plans:
        rows = [weight("pb_0001", AUDIENCE, [1.0] * k)]
        tree.case(case, [probe("pb_0001", case)], {AUDIENCE: rows})
        tree.evaluation(case, AUDIENCE, [score("pb_0001", k == 2)], judge=judge)
    return tree.root


# (slides, words) of the decks of `no_slides`, by system.
SLIDELESS = {"bare": (0, 0), "worded": (0, 130), "one_slide": (1, 130)}


def no_slides(root: Path) -> Path:
    """Decks without a visible slide, beside one with one; all recover a utility of 1."""
    tree = Tree(root / "no_slides")
    rows = [weight("pb_0001", AUDIENCE, [1.0, 1.0])]
    tree.case("case_000", [probe("pb_0001", "case_000")], {AUDIENCE: rows})
    for system, (slides, words) in SLIDELESS.items():
        scores = [score("pb_0001", True)]
        tree.evaluation(
            "case_000",
            AUDIENCE,
            scores,
            system=system,
            claims=["supported"],
            slide_count=slides,
            word_count=words,
        )
    return tree.root


def plant_all(root: Path) -> list[Path]:
    """Write every golden tree below `root`."""
    makers = (
        seed_row,
        weight_multisets,
        tau_ties,
        edges,
        agnostic_deck,
        statuses,
        units,
        no_slides,
    )
    others = (comparison_trees, judge_pair_trees, repeated_trees)
    more = (mixed_judges(root), *(one.plant(root) for one in others))
    return [*(make(root) for make in makers), *more, *two_roots(root)]
