"""Trees with metrics of another tool in them, and what was written, value by value."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from tests.support import golden_trees
from tests.support.imported import compact, full, manifest
from tests.support.reference import TAUS, Evaluation
from tests.support.reference_files import read_tree
from tests.support.reference_summaries import METRICS
from tests.support.trees import Tree, probe, score, weight, write_json

QUANTITIES = ("included_probe_count", "available_utility", "recovered_utility")
AUDIENCE = "specialists"


class File(NamedTuple):
    """Identity of one metrics file; `tau` is in thousandths."""

    run_id: str
    system_id: str
    condition: str
    audience: str
    case_id: str
    variant: str
    tau: int


@dataclass
class Planted:
    """What was written, by file and name, and the evaluation that each file speaks of."""

    values: dict[File, dict[str, float | None]] = field(default_factory=dict)
    evaluations: dict[File, Evaluation] = field(default_factory=dict)


def judge_elsewhere(root: Path, dice: random.Random, planted: Planted) -> None:
    """Put a foreign metrics.json into each evaluation folder: right, rounded or off."""
    for one in read_tree(root):
        folder = f"{one.case_id}@{one.variant}" if one.variant else one.case_id
        base = root / "runs" / one.run / "evaluations" / one.system_id / one.condition
        target = base / one.audience / folder
        if not target.is_dir() or dice.random() < 0.1:
            continue
        tau = dice.choice((*TAUS, 650))
        exact = one.metrics(tau)
        values = {
            name: _distort(dice, name, exact[name])
            for name in (*METRICS, *QUANTITIES)
            if name == "coverage" or dice.random() < 0.9
        }
        write_json(target / "metrics.json", {"tau_a": tau / 1000, **values})
        run_id = f"{root.name}/{one.run}"
        place = (one.system_id, one.condition, one.audience, one.case_id, one.variant)
        planted.values[File(run_id, *place, tau)] = values
        planted.evaluations[File(run_id, *place, tau)] = one


def _distort(dice: random.Random, name: str, value: Fraction | None) -> float | None:
    kind = dice.choice(("exact", "rounded", "near", "off", "other"))
    if kind == "other":
        return None if value is not None else 0.5 * (name not in QUANTITIES)
    if value is None:
        return None
    if name == "included_probe_count":
        return int(value) + (kind == "off")
    stated, sign = float(value), dice.choice((-1, 1))
    scale = stated if "efficiency" in name else 1.0
    return {
        "exact": stated,
        "rounded": round(stated, 4),
        "near": stated + sign * 0.00004 * scale,
        "off": stated + sign * 0.0003 * max(1.0, stated),
    }[kind]


def seed_row(root: Path) -> Path:
    tree = golden_trees.seed_row(root)
    compact(tree, "system_a", "case_000")
    base = tree / "runs/run/evaluations/system_a/agnostic/specialists/case_000"
    full(base, None, coverage=0.62)
    return tree


def foreign(root: Path, planted: Planted) -> Path:
    """A compact tree alone: 12 cases, two systems, one of them named by a mapping."""
    dice = random.Random(11)
    tree = root / "foreign"
    for system, mapped, condition in (("acme-cond", "acme", "conditioned"), ("b", "b", "unstated")):
        for number in range(12):
            tau = 500 if number == 0 else 700
            values: dict[str, float | None] = {
                name: round(dice.random() * 3, 4) for name in METRICS[2:5]
            }
            values["coverage"] = None if number == 5 else round(dice.random(), 4)
            values["available_utility"] = 4.0 + number
            values["recovered_utility"] = round(dice.random() * 4, 4)
            case = f"case_{number:03d}"
            path = tree / "metrics" / system / AUDIENCE / f"{case}.json"
            write_json(path, {"tau_a": tau / 1000, **values})
            place = (mapped, condition, AUDIENCE, case, "")
            planted.values[File("foreign/unstated", *place, tau)] = values
    header = "system_id,mapped_system_id,condition"
    (tree / "system_mapping.csv").write_text(f"{header}\nacme-cond,acme,conditioned\n")
    return tree


def conditions(root: Path) -> Path:
    """A deck of each condition: a file that names none could speak of either."""
    tree = Tree(root / "conditions")
    rows = {AUDIENCE: [weight("pb_0001", AUDIENCE, [1.0])]}
    tree.case("case_000", [probe("pb_0001", "case_000")], rows)
    for condition in ("agnostic", "conditioned"):
        scores = [score("pb_0001", condition == "agnostic")]
        tree.evaluation("case_000", AUDIENCE, scores, condition=condition)
    compact(tree.root, "system_a", "case_000")
    stated = manifest("system_a", "case_000", condition="conditioned", run="run")
    full(tree.root / "elsewhere", stated, coverage=0.0)
    return tree.root
