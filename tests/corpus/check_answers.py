"""Hold judged answers of public benchmarks against figures that others printed.

    python -m tests.corpus.check_answers DIR

DIR holds `ragchecker/` (checking_outputs.json, meta_eval_labels.csv), `refchecker/`
(claims_human.csv, responses.csv) and `cases/expected_metrics.json`. Exits with 1 on any difference.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from ingest.rageval.imports import ImportOptions
from ingest.rageval.land_imported import land_preferences, land_ragchecker, land_refchecker
from warehouse import build, jsonl
from warehouse.paths import WarehousePaths

CLOSE = 1e-12
ASPECTS = {"correctness": "precision", "completeness": "recall", "overall": "f1"}
# One cell of the labels, as others counted it: macro and pooled, in percent.
LABEL_CELL = "refchecker/zero_context", "llama2_70b_chat"
LABEL_FIGURES = {
    "claims_contradiction_rate": (13.01, 11.37),
    "claims_entailment_rate": (22.20, 21.26),
}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write("usage: python -m tests.corpus.check_answers DIR\n")
        return 2
    folder = Path(arguments[0])
    expected = jsonl.read_json(folder / "cases" / "expected_metrics.json")
    failures = compared = 0
    with tempfile.TemporaryDirectory(prefix="podium-answers-") as scratch:
        connection = build_all(folder, WarehousePaths(Path(scratch)))
        for name, ours, theirs, within in figures(connection, expected):
            compared += 1
            if ours is None or abs(ours - theirs) > within:
                failures += 1
                sys.stdout.write(f"  {name}: {ours}, expected {theirs}\n")
    sys.stdout.write(f"{compared} figures of judged answers, {failures} failures\n")
    return 1 if failures or not compared else 0


def build_all(folder: Path, paths: WarehousePaths) -> duckdb.DuckDBPyConnection:
    """Land everything and build it whole.

    Raises:
        RuntimeError: when a row is rejected or the build fails.
    """
    ragchecker, refchecker = folder / "ragchecker", folder / "refchecker"
    named = ImportOptions(dataset_id="ragchecker", judge_kind="llm")
    reports = [
        land_ragchecker(paths, ragchecker / "checking_outputs.json", named),
        land_preferences(paths, ragchecker / "meta_eval_labels.csv", ImportOptions()),
        land_refchecker(
            paths,
            refchecker / "claims_human.csv",
            refchecker / "responses.csv",
            ImportOptions(dataset_id="refchecker"),
        ),
    ]
    built = build.run_build(paths, with_unit_tests=False)
    if any(one.rejects for one in reports) or not built.is_complete:
        raise RuntimeError("something was rejected, or the build failed")
    return duckdb.connect(str(paths.build_file), read_only=True)


def figures(
    connection: duckdb.DuckDBPyConnection, expected: dict[str, Any]
) -> Iterator[tuple[str, float | None, float, float]]:
    """Yield name, our figure, theirs, and how far apart they may be."""
    own = {"precision": "answer_precision", "recall": "answer_recall", "f1": "answer_f1"}
    for query, metrics in expected["per_query"].items():
        for metric, value in metrics.items():
            where = "dataset_id = 'ragchecker' and question_id = ?"
            table = "marts.fct_rageval__judgment_scores"
            found = one(connection, own.get(metric, metric), table, where, query)
            yield f"query {query} {metric}", found, value, CLOSE
    mean = "run_id = 'ragchecker/imported' and metric = ? and policy = 'zero_fill'"
    for metric, value in expected["aggregate_percent_1dp"].items():
        exact = sum(values[metric] for values in expected["per_query"].values()) / 2
        found = one(connection, "macro_estimate", ANSWERS, mean, f"ragchecker_{metric}")
        yield f"mean {metric}", found, exact, CLOSE
        yield f"printed {metric}", None if found is None else round(found * 100, 1), value, CLOSE
    for aspect, metric in ASPECTS.items():
        for name, value in expected["meta_eval_percent"][aspect].items():
            found = one(connection, name, AGREEMENTS, AGREEMENT, aspect, "metric", metric)
            yield f"{aspect} {name}", percent(found), value, CLOSE
        for name, value in expected["meta_eval_percent"]["human_human"][aspect].items():
            found = one(connection, name, AGREEMENTS, AGREEMENT, aspect, "annotator", "a1")
            yield f"{aspect} {name} of annotators", percent(found), value, CLOSE
    cell = "run_id = ? and system_id = ? and metric = ? and policy = 'zero_fill'"
    for metric, (macro, pooled) in LABEL_FIGURES.items():
        for column, value in (("macro_estimate", macro), ("pooled_estimate", pooled)):
            found = one(connection, column, ANSWERS, cell, *LABEL_CELL, metric)
            yield f"{metric} {column}", percent(found), value, CLOSE


ANSWERS = "marts.rpt_rageval__answer_metrics"
AGREEMENTS = "marts.rpt_rageval__metric_agreements"
AGREEMENT = "aspect = ? and rater_kind = ? and rater = ?"


def one(
    connection: duckdb.DuckDBPyConnection, column: str, table: str, where: str, *values: str
) -> float | None:
    """Return one figure of one row; None where the row is absent or not alone."""
    rows = connection.execute(f"select {column} from {table} where {where}", values).fetchall()
    return rows[0][0] if len(rows) == 1 else None


def percent(value: float | None) -> float | None:
    """Return a share in percent with two decimals, as it is printed."""
    return None if value is None else round(value * 100, 2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
