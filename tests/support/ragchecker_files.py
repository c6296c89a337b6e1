"""Files of RAGChecker, drawn at random or by hand, and its figures in exact rationals.

The figures are written down a second time here, from the definitions alone: they share nothing
with the models but the names.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

from ingest.rageval.imports import ImportOptions
from ingest.rageval.land_imported import (
    land_judge_outputs,
    land_preferences,
    land_ragchecker,
    land_refchecker,
)
from tests.support.worlds import World
from warehouse import build, jsonl, manifests
from warehouse.paths import WarehousePaths

E, N, C = "Entailment", "Neutral", "Contradiction"
Result = dict[str, Any]


def result(
    query_id: str,
    reference: Sequence[tuple[str, str]],
    response: Sequence[tuple[str, str]],
    passage_count: int,
) -> Result:
    """Return a judged result; a claim is its label and one letter (E, N, C) a passage."""
    letters = {"E": E, "N": N, "C": C}
    return {
        "query_id": query_id,
        "query": f"What of {query_id}?",
        "gt_answer": "A reference.",
        "response": "A response.",
        "retrieved_context": [
            {"doc_id": f"doc_{number}", "text": f"Passage {number}."}
            for number in range(passage_count)
        ],
        "gt_answer_claims": [["claim", "is", str(number)] for number in range(len(reference))],
        "response_claims": [f"response says {number}" for number in range(len(response))],
        "response2answer": [letters[own] for own, _ in reference],
        "answer2response": [letters[own] for own, _ in response],
        "retrieved2answer": [[letters[one] for one in passages] for _, passages in reference],
        "retrieved2response": [[letters[one] for one in passages] for _, passages in response],
    }


def draw_results(seed: int, count: int = 24) -> list[Result]:
    """Return random results; empty sides and no passages come often."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        passages = draw.choice((0, 1, 2, 3, 5))
        sides = [
            [
                (draw.choice("ENC"), "".join(draw.choices("ENC", (2, 5, 1), k=passages)))
                for _ in range(draw.choice((0, 1, 2, 3, 7)))
            ]
            for _ in range(2)
        ]
        found.append(result(f"q{number:02}", sides[0], sides[1], passages))
    draw.shuffle(found)
    return found


def figures(one: Mapping[str, Any]) -> dict[str, Fraction | None]:
    """Return the eleven figures of a result; None where a denominator is empty."""
    own = [label == E for label in one["answer2response"]]
    used = [label == E for label in one["response2answer"]]
    from_passages = [[label == E for label in row] for row in one["retrieved2response"]]
    to_reference = [[label == E for label in row] for row in one["retrieved2answer"]]
    passages = range(len(one["retrieved_context"]))
    relevant = [any(row[place] for row in to_reference) for place in passages]
    recalled = [any(row) for row in to_reference]
    faithful = [any(row) for row in from_passages]
    from_relevant = [any(row[place] and relevant[place] for place in passages)
                     for row in from_passages]  # fmt: skip
    precision, recall = share(own), share(used)
    f1 = None
    if precision is not None and recall is not None:
        both = precision + recall
        f1 = 2 * precision * recall / both if precision and recall else Fraction(0)
    claims = list(zip(own, faithful, from_relevant, strict=True))
    found = {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "claim_recall": share(recalled),
        "context_precision": share(relevant) if to_reference else None,
        "context_utilization": share([u for u, r in zip(used, recalled, strict=True) if r]),
        "noise_sensitivity_in_relevant": share([not ok and rel for ok, _, rel in claims]),
        "noise_sensitivity_in_irrelevant": share(
            [not ok and any_one and not rel for ok, any_one, rel in claims]
        ),
        "hallucination": share([not ok and not any_one for ok, any_one, _ in claims]),
        "self_knowledge": share([ok and not any_one for ok, any_one, _ in claims]),
        "faithfulness": share(faithful),
    }
    if not one["retrieved_context"]:
        for name in list(found)[6:]:
            found[name] = None
    return found


def share(flags: Sequence[bool]) -> Fraction | None:
    """Return the share of true flags; None of none."""
    return Fraction(sum(flags), len(flags)) if flags else None


def write(path: Path, results: Sequence[Result], **further: Any) -> Path:
    """Write a file of RAGChecker."""
    jsonl.write_json(path, {"results": list(results), **further})
    return path


def landed(paths: WarehousePaths, table: str) -> list[dict[str, Any]]:
    """Return all landed rows of a table that manifests name."""
    files = [one for unit in manifests.read_all(paths) for one in unit.files]
    return [
        row
        for one in files
        if one.table == f"rageval/{table}"
        for row in pq.read_table(paths.landing / one.file).to_pylist()
    ]


def build_answers(root: Path, files: Mapping[str, Sequence[Path]]) -> World:
    """Land files by kind into one warehouse and build it whole.

    Args:
        root: folder of the warehouse.
        files: `ragchecker` and `preferences` one a dataset, `refchecker` claims and responses,
            `outputs` of a judge of the answers of the data set that has their name.
    """
    paths = WarehousePaths(root / "warehouse")
    for file in files.get("ragchecker", ()):
        options = ImportOptions(system_id="one", judge_id="judge", judge_kind="llm")
        assert not land_ragchecker(paths, file, options).rejects
    for file in files.get("preferences", ()):
        assert not land_preferences(paths, file, ImportOptions()).rejects
    if "refchecker" in files:
        claims, responses = files["refchecker"]
        assert not land_refchecker(paths, claims, responses, ImportOptions()).rejects
    for file in files.get("outputs", ()):
        options = ImportOptions(dataset_id=file.stem, system_id="one", judge_kind="llm")
        assert not land_judge_outputs(paths, file, options).rejects
    built = build.run_build(paths, with_unit_tests=False)
    assert built.is_complete, [(one.subject, one.message) for one in built.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, {}, built, connection)
