"""What stands: which inputs `current` was built from and how its gates ended.

A scheduled job that finds the same inputs repeats the standing verdict and builds nothing.
The record is written after the promotion; a kill between the two costs one more build.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from warehouse import jsonl, states
from warehouse.paths import WarehousePaths

_FILE = "standing.json"


@dataclass(frozen=True)
class Standing:
    """Inputs and verdict of the current state.

    Attributes:
        release_id: the state that `current` names.
        landing_state_id: landing state that it was built from.
        project_sha256: SQL project and settings that built it.
        verdict: record of the gates' verdict on it.
        has_landing_verdict: whether the landing gate's findings are in the verdict.
    """

    release_id: str
    landing_state_id: str
    project_sha256: str
    verdict: dict[str, Any]
    has_landing_verdict: bool


def write(paths: WarehousePaths, standing: Standing) -> None:
    """Record what the current state was built from."""
    jsonl.write_json(paths.published / _FILE, asdict(standing))


def read(paths: WarehousePaths) -> Standing | None:
    """Return the record if it speaks of the state that is current now, else None."""
    try:
        standing = Standing(**jsonl.read_json(paths.published / _FILE))
    except (OSError, TypeError, jsonl.StrictJsonError):
        return None
    state = states.current(paths)
    return standing if state is not None and state.release_id == standing.release_id else None
