"""The other way to do each job, written as its users would."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pptx
import pyarrow as pa
import pyarrow.parquet as pq
import pymupdf
from scipy import stats

RESAMPLES = 10_000


def opens(path: Path) -> bool:
    """Return whether python-pptx opens a file; what it cannot open cannot be compared."""
    try:
        pptx.Presentation(str(path))
    except Exception:  # whatever it raises, the file is no material for a comparison
        return False
    return True


def walk_pptx(path: Path) -> int:
    """Return the words that a recursive python-pptx walk finds."""
    deck = pptx.Presentation(str(path))
    return sum(len(text.split()) for slide in deck.slides for text in _texts(slide.shapes))


def _texts(shapes: Iterable[Any]) -> Iterable[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _texts(shape.shapes)
        if shape.has_text_frame:
            yield shape.text_frame.text
        if getattr(shape, "has_table", False) and shape.has_table:
            for row in shape.table.rows:
                for cell in row.cells:
                    if not cell.is_spanned:
                        yield cell.text_frame.text
        if getattr(shape, "has_chart", False) and shape.has_chart:
            for plot in shape.chart.plots:
                yield from (str(category) for category in plot.categories)
                yield from (str(series.name) for series in plot.series)


def words_of_pdf(path: Path) -> int:
    """Return the words that PyMuPDF finds, visible or not."""
    with pymupdf.open(path) as document:
        return sum(len(page.get_text("words")) for page in document)


def coverage_in_python(root: Path, tau: float = 0.7) -> dict[Path, float | None]:
    """Return the coverage of every evaluation of a tree, re-reading probes and weights."""
    coverages = {}
    for scores_file in sorted(root.glob("runs/*/evaluations/*/*/*/*/probe_scores.jsonl")):
        case, audience = scores_file.parts[-2], scores_file.parts[-3]
        bank = root / "probes" / case
        probes = {row["probe_id"] for row in _rows(bank / "probes_deduped.jsonl")}
        weights = {
            row["probe_id"]: row["utility_weight"]
            for row in _rows(bank / "weights" / f"{audience}.jsonl")
        }
        covered = {row["probe_id"]: row["covered"] for row in _rows(scores_file)}
        included = [one for one in probes if weights[one] >= tau]
        available = sum(weights[one] for one in included)
        recovered = sum(weights[one] for one in included if covered.get(one))
        coverages[scores_file] = recovered / available if available else None
    return coverages


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as landing does, without reading or checking anything."""
    pq.write_table(table, path, compression="zstd", use_dictionary=True)


def bootstrap_in_scipy(values: np.ndarray[Any, Any]) -> list[tuple[float, float]]:
    """Return the percentile interval of every row of a (cells, units) array."""
    found = []
    for row in values:
        interval = stats.bootstrap(
            (row,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=1
        ).confidence_interval
        found.append((float(interval.low), float(interval.high)))
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
