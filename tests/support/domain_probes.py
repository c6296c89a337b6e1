"""Hand-labelled probes against the domain that the SQL model assigns.

Print all figures: python -m tests.support.domain_probes
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.xslides.land import LandOptions, land
from tests.support.trees import Tree, probe, weight
from warehouse.build import run_build
from warehouse.paths import WarehousePaths

PROBES_FILE = Path(__file__).resolve().parent.parent / "integration" / "probe_domains.csv"
MODEL = "int_xslides__probe_domains_assigned"
DOMAINS = ("context", "method", "evidence", "limitations", "implementation", "implications")
UNCLASSIFIED = "unclassified"
HALVES = ("rules", "held", "confirmation")


@dataclass(frozen=True)
class LabelledProbe:
    theme: str
    question: str
    answer: str
    modality: str
    level: str
    domain: str
    half: str


@dataclass(frozen=True)
class Assigned:
    """One probe with the domain that the model gave it, and the rule that decided."""

    probe: LabelledProbe
    domain: str
    rule: str


def read_probes() -> list[LabelledProbe]:
    with PROBES_FILE.open(encoding="utf-8", newline="") as handle:
        return [LabelledProbe(**row) for row in csv.DictReader(handle)]


def assign(root: Path, probes: Sequence[LabelledProbe]) -> list[Assigned]:
    """Land the probes without a stated domain and build the model above them."""
    tree = Tree(root / "data")
    rows = [
        probe(
            f"pb_{number:04d}",
            "case_000",
            question=one.question,
            answer=one.answer,
            theme=one.theme,
            modality=one.modality,
            level=int(one.level),
        )
        for number, one in enumerate(probes)
    ]
    weights = [weight(row["probe_id"], "specialists", [1.0, 1.0]) for row in rows]
    tree.case("case_000", rows, {"specialists": weights})
    paths = WarehousePaths(root / "warehouse")
    land(paths, tree.root, LandOptions())
    result = run_build(paths, select=f"+{MODEL}", with_unit_tests=False)
    assert not result.findings, result.findings
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        query = f"select domain, domain_rule from intermediate.{MODEL} order by probe_id"
        found = connection.execute(query).fetchall()
    return [Assigned(one, *row) for one, row in zip(probes, found, strict=True)]


def f1_by_domain(assigned: Sequence[Assigned]) -> dict[str, float]:
    """Return the F1 of each domain; an unclassified probe is a miss of its own domain."""
    scores = {}
    for domain in DOMAINS:
        both = sum(one.domain == domain == one.probe.domain for one in assigned)
        either = sum((one.domain == domain) + (one.probe.domain == domain) for one in assigned)
        scores[domain] = 2 * both / either if either else 0.0
    return scores


def macro_f1(assigned: Sequence[Assigned]) -> float:
    return sum(f1_by_domain(assigned).values()) / len(DOMAINS)


def of_half(assigned: Sequence[Assigned], half: str) -> list[Assigned]:
    return [one for one in assigned if one.probe.half == half]


def markdown(assigned: Sequence[Assigned]) -> str:
    """Return the confusion table: a row per labelled domain, a column per assigned one."""
    counts = Counter((one.probe.domain, one.domain) for one in assigned)
    columns = (*DOMAINS, UNCLASSIFIED)
    scores = f1_by_domain(assigned)
    lines = [
        "| labelled | " + " | ".join(columns) + " | F1 |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for domain in DOMAINS:
        cells = [str(counts[domain, other] or "") for other in columns]
        lines.append(f"| {domain} | " + " | ".join(cells) + f" | {scores[domain]:.2f} |")
    right = sum(one.domain == one.probe.domain for one in assigned)
    summary = f"macro-F1 {macro_f1(assigned):.3f}, {right} of {len(assigned)} right"
    return "\n".join([*lines, "", summary])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        assigned = assign(Path(folder), read_probes())
    for half in HALVES:
        sys.stdout.write(f"## {half}\n\n{markdown(of_half(assigned, half))}\n\n")


if __name__ == "__main__":
    main()
