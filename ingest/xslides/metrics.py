"""Stage 6 back in the tree: writes each `metrics.json` from the marts.

The marts are the one place where metrics are computed; this stage only copies rows into
the files that the seed's tools expect. `producer` marks them as ours, so that landing
never takes our own numbers for imported ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingest.xslides.stage import Progress, StageReport, Tally
from ingest.xslides.tree import ArtifactTree, EvaluationKey, join_variant
from warehouse import jsonl, query
from warehouse.paths import WarehousePaths

PRODUCER = "podium"
METRICS_FILE = "metrics.json"
_COLUMNS = (
    "audience",
    "tau_a",
    "included_probe_count",
    "available_utility",
    "recovered_utility",
    "coverage",
    "efficiency_time",
    "efficiency_slide",
    "efficiency_word",
    "correctness",
    "safe_efficiency_time",
)
_SQL = f"""
select
    scores.run_id, scores.system_id, scores.condition, scores.variant, cases.case_label,
    scores.evaluation_id, scores.evaluation_status, scores.judge_id, scores.judge_kind,
    {", ".join(f"scores.{name}" for name in _COLUMNS)}
from fct_xslides__deck_audience_scores as scores
inner join dim_xslides__cases as cases
    on scores.dataset_id = cases.dataset_id and scores.case_id = cases.case_id
where scores.dataset_id = ? and scores.tau_a_thousandths = ?
order by scores.evaluation_id
"""


def write_metrics(
    paths: WarehousePaths,
    tree: ArtifactTree,
    dataset_id: str,
    *,
    tau_a_thousandths: int = 700,
    progress: Progress | None = None,
) -> StageReport:
    """Write the headline metrics of every evaluation folder of a tree from the current state.

    Args:
        paths: the warehouse whose current state is read.
        tree: the artifact tree.
        dataset_id: name under which the tree was landed.
        tau_a_thousandths: threshold of the metrics.
        progress: told after each file.

    Raises:
        InputError: when nothing is published.
    """
    rows = query.query(paths, _SQL, [dataset_id, tau_a_thousandths]).records()
    tally = Tally("metrics", len(rows), progress)
    for row in rows:
        folder = _folder(tree, row, dataset_id)
        tally.count(_write(folder / METRICS_FILE, row) if folder.is_dir() else "skipped")
    return tally.report()


def _folder(tree: ArtifactTree, row: dict[str, Any], dataset_id: str) -> Path:
    run = row["run_id"].removeprefix(f"{dataset_id}/")
    folder = join_variant(row["case_label"], row["variant"] or None)
    key = EvaluationKey(row["system_id"], row["condition"], row["audience"], folder)
    return tree.evaluation_folder(run, key)


def _write(path: Path, row: dict[str, Any]) -> str:
    content = {name: row[name] for name in _COLUMNS}
    content["efficiency_token"] = content.pop("efficiency_word")
    content.update(
        producer=PRODUCER,
        method_version=1,
        evaluation_id=row["evaluation_id"],
        evaluation_status=row["evaluation_status"],
        judge={"id": row["judge_id"], "kind": row["judge_kind"]},
    )
    text = jsonl.dumps(content, indent=2) + "\n"
    if path.is_file() and (not _is_ours(path) or path.read_text(encoding="utf-8") == text):
        return "skipped"
    jsonl.write_json(path, content)
    return "done"


def _is_ours(path: Path) -> bool:
    """Return whether a metrics file is ours; what another tool computed stays as it is."""
    try:
        return bool(jsonl.read_json(path).get("producer") == PRODUCER)
    except (OSError, jsonl.StrictJsonError):
        return False
