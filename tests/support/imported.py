"""Metrics files as another tool writes them, with plain json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.trees import write_json

# The example that the benchmark's own description prints.
EXAMPLE: dict[str, Any] = {
    "audience": "specialists",
    "tau_a": 0.7,
    "included_probe_count": 42,
    "available_utility": 39.5,
    "recovered_utility": 24.0,
    "coverage": 0.6076,
    "efficiency_time": 3.2,
    "efficiency_slide": 2.0,
    "correctness": 0.9,
    "safe_efficiency_time": 2.88,
}


def metrics(audience: str = "specialists", **fields: Any) -> dict[str, Any]:
    """Return the example for an audience, with other values."""
    return {**EXAMPLE, "audience": audience, **fields}


def compact(
    root: Path, system: str, case: str, audience: str = "specialists", **fields: Any
) -> Path:
    """Write one file of the compact layout."""
    path = root / "metrics" / system / audience / f"{case}.json"
    write_json(path, metrics(audience, **fields))
    return path


def full(folder: Path, manifest: dict[str, Any] | None, **fields: Any) -> Path:
    """Write a full evaluate folder, as far as imported metrics need it."""
    path = folder / "metrics.json"
    audience = (manifest or {}).get("audience", "specialists")
    write_json(path, metrics(audience, **fields))
    if manifest is not None:
        write_json(folder / "run_manifest.json", manifest)
    return path


def manifest(system: str, case: str, audience: str = "specialists", **fields: Any) -> Any:
    """Return a run manifest that names an evaluation."""
    return {"system_id": system, "audience": audience, "case_label": case, **fields}
