"""Files of one evaluation: the manifest that names it, what may be reused, what is written.

`status.json` is written first as `not_run` and last with the hashes of the other files, so
that an evaluation torn by a kill is seen and made again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.xslides.quick_files import put, put_json
from ingest.xslides.stage import read_status
from warehouse import jsonl, storage

MANIFEST = "run_manifest.json"
STATUS = "status.json"
STATS = "deck_stats.json"
SCORES = "probe_scores.jsonl"
CORRECTNESS = "correctness.json"
LOG = "run.log"
OK, DECK_FAILED, NOT_RUN = "ok", "deck_failed", "not_run"
# Whether a judge was asked for this evaluation alone or once for all audiences of the deck.
OWN, SHARED = "own", "shared"
# Fields of a manifest that say when, by what code and in which request, not what was judged.
VOLATILE = ("started_at", "code_version", "judgments")
# Fields that may differ between two evaluations that share one deck's answers.
_PER_AUDIENCE = ("audience", "weights_sha256", "tau_a")


@dataclass(frozen=True)
class EvaluationResult:
    """What one evaluation ends with; `scores` and `correctness` are None where not judged."""

    status: str
    deck_status: str
    message: str
    manifest: dict[str, Any]
    stats: dict[str, Any]
    text_name: str | None = None
    text: str = ""
    scores: tuple[dict[str, Any], ...] | None = None
    correctness: dict[str, Any] | None = None
    is_complete: bool = True
    log: tuple[str, ...] = ()


def is_current(folder: Path, manifest: dict[str, Any]) -> bool:
    """Return whether a folder holds the whole evaluation that `manifest` describes."""
    status = read_status(folder / STATUS)
    outputs = status.get("outputs")
    if status.get("is_complete") is not True or not isinstance(outputs, dict):
        return False
    if not _same(read_status(folder / MANIFEST), manifest, ()):
        return False
    return all(_has(folder / name, sha256) for name, sha256 in outputs.items())


def is_foreign(folder: Path, judge_input_mode: str) -> bool:
    """Return whether somebody else judged here, in the same input mode.

    A tree without hashes can only be trusted on the input mode; its scores are used as
    they stand, and count as unverified.
    """
    manifest = read_status(folder / MANIFEST)
    if "outputs" in read_status(folder / STATUS) or "deck_sha256" in manifest:
        return False
    mode = manifest.get("judge_input_mode", judge_input_mode)
    return (folder / SCORES).is_file() and mode == judge_input_mode


def sibling_rows(
    parent: Path, case_folder: str, manifest: dict[str, Any], count: int
) -> tuple[dict[str, Any], ...] | None:
    """Return the scores of a sibling that judged the same deck the same way, None without one.

    Args:
        parent: folder whose children are audiences, each with a folder a case.
        case_folder: the case.
        manifest: of the evaluation that the scores are for.
        count: rows that a whole set has.
    """
    if not parent.is_dir():
        return None
    for audience in sorted(parent.iterdir()):
        rows = _reusable_rows(audience / case_folder, manifest)
        if rows is not None and len(rows) == count:
            return rows
    return None


def _reusable_rows(folder: Path, manifest: dict[str, Any]) -> tuple[dict[str, Any], ...] | None:
    status = read_status(folder / STATUS)
    outputs = status.get("outputs")
    if status.get("is_complete") is not True or not isinstance(outputs, dict):
        return None
    if not _same(read_status(folder / MANIFEST), manifest, _PER_AUDIENCE):
        return None
    if not _has(folder / SCORES, outputs.get(SCORES)):
        return None
    return tuple(row.value for row in jsonl.read_jsonl(folder / SCORES).rows)


def write_evaluation(folder: Path, result: EvaluationResult) -> None:
    """Write all files of one evaluation; files of an earlier outcome are removed."""
    interrupted = {
        "status": NOT_RUN,
        "deck_status": result.deck_status,
        "message": "the evaluation was interrupted",
    }
    folder.mkdir(parents=True, exist_ok=True)
    put_json(folder / STATUS, interrupted)
    contents = _contents(result)
    keep = {*contents, STATUS, "metrics.json"}
    for stale in sorted(folder.iterdir()):
        if stale.name not in keep and (stale.name in (SCORES, CORRECTNESS) or _is_text(stale)):
            stale.unlink()
    outputs = {}
    for name, content in contents.items():
        payload = content.encode("utf-8")
        put(folder / name, payload)
        if name not in (MANIFEST, LOG):
            outputs[name] = storage.sha256_bytes(payload)
    status = {
        "status": result.status,
        "deck_status": result.deck_status,
        "message": result.message,
        "is_complete": result.is_complete,
        "outputs": outputs,
    }
    put_json(folder / STATUS, status)


def _contents(result: EvaluationResult) -> dict[str, str]:
    contents = {
        STATS: jsonl.dumps(result.stats, indent=2) + "\n",
        MANIFEST: jsonl.dumps(result.manifest, indent=2) + "\n",
    }
    if result.text_name is not None:
        contents[result.text_name] = result.text
    if result.scores is not None:
        contents[SCORES] = "".join(jsonl.dumps(row) + "\n" for row in result.scores)
    if result.correctness is not None:
        contents[CORRECTNESS] = jsonl.dumps(result.correctness, indent=2) + "\n"
    contents[LOG] = "".join(f"{line}\n" for line in result.log)
    return contents


def _is_text(path: Path) -> bool:
    return path.suffix == ".txt" and path.is_file()


def _same(stored: dict[str, Any], wanted: dict[str, Any], ignored: tuple[str, ...]) -> bool:
    left_out = {*VOLATILE, *ignored}
    return {k: v for k, v in stored.items() if k not in left_out} == {
        k: v for k, v in wanted.items() if k not in left_out
    }


def _has(path: Path, sha256: Any) -> bool:
    try:
        return bool(storage.sha256_file(path) == sha256)
    except OSError:
        return False
