"""The dbt project as files: what its YAML says about models, columns and tests."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"
REGISTRIES = ROOT / "seeds" / "registries"


@cache
def documents() -> tuple[dict[str, Any], ...]:
    paths = sorted(MODELS.rglob("*.yml"))
    return tuple(yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths)


def models() -> dict[str, dict[str, Any]]:
    """Return what the YAML says of each model, by name."""
    return {model["name"]: model for one in documents() for model in one.get("models", [])}


def sources() -> dict[str, dict[str, Any]]:
    return {source["name"]: source for one in documents() for source in one.get("sources", [])}


def unit_tests() -> dict[str, dict[str, Any]]:
    return {test["name"]: test for one in documents() for test in one.get("unit_tests", [])}


def mart_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted((MODELS / "marts").rglob("*.sql"))}


def mart_keys() -> dict[str, tuple[str, ...]]:
    """Return the key columns that each mart declares."""
    marts = mart_files()
    return {
        name: tuple(model["config"]["meta"]["key"])
        for name, model in models().items()
        if name in marts
    }


def registry(name: str) -> list[dict[str, str]]:
    with (REGISTRIES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
