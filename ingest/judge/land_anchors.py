"""Landing of anchor runs: one unit a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingest.judge.anchors import RUN_FILE, VERDICTS_FILE, AnchorRun, read_run
from warehouse import jsonl, landing, manifests
from warehouse.contracts.core import ANCHOR_JUDGMENTS
from warehouse.errors import InputError
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

LANDER_VERSION = 1
BENCHMARK = "xslides"
DATASET = "@anchors"
"""Dataset that calls and rows of anchor runs carry; no folder of a user is called so."""


def land_anchors(paths: WarehousePaths, folder: Path, code_version: str) -> int:
    """Land the verdicts of a finished run and return how many there are.

    Args:
        paths: the warehouse; the folder lies below its root.
        folder: folder of the run.
        code_version: version of the code that lands.

    Raises:
        InputError: when the run is not finished, or a row of it is torn or odd.
    """
    run = read_run(folder)
    path = folder / VERDICTS_FILE
    if not path.is_file():
        raise InputError(
            f"anchor run `{run.anchor_run_id}` is not finished", fix="podium judge anchors run"
        )
    rows = _rows(run, path, paths.root)
    inputs = tuple(
        sorted(manifests.hash_file(one, paths.root) for one in (folder / RUN_FILE, path))
    )
    versions = {"contract": ANCHOR_JUDGMENTS.version, "lander": LANDER_VERSION}
    manifests.write(
        paths,
        Manifest(
            benchmark=BENCHMARK,
            unit=f"{DATASET}/{run.anchor_run_id}",
            shard=manifests.WHOLE,
            dataset_id=DATASET,
            source_root=str(paths.root.resolve()),
            code_version=code_version,
            input_sha256=manifests.hash_inputs(list(inputs), versions),
            inputs=inputs,
            files=(landing.write_table(paths, ANCHOR_JUDGMENTS, rows),),
        ),
    )
    return len(rows)


def _rows(run: AnchorRun, path: Path, root: Path) -> list[dict[str, Any]]:
    content = jsonl.read_jsonl(path)
    if content.rejects:
        bad = content.rejects[0]
        raise InputError(f"`{path}` line {bad.line} cannot be read", got=bad.message)
    return [
        {
            **one.value,
            "anchor_run_id": run.anchor_run_id,
            "started_at": run.started_at,
            "set_name": run.set_name,
            "set_sha256": run.set_sha256,
            "judge_kind": run.judge_kind,
            "judge_id": run.judges[one.value["task"]]["id"],
            "prompt_sha256": run.judges[one.value["task"]]["prompt_sha256"],
            "source_file": path.relative_to(root).as_posix(),
            "source_line": one.line,
        }
        for one in content.rows
    ]
