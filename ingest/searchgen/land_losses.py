"""Rows of searchgen that must not go unseen: scored pairs by name, other rows by their count."""

from __future__ import annotations

import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.shrunken_tables import CHECK, FIX, shrunken_tables
from warehouse.contracts.searchgen import MODELS, PROMPT_SCORES, PROMPTS, PUBLISHED_AGGREGATES
from warehouse.contracts.searchgen_values import SCORED
from warehouse.findings import Finding, Outcome
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

NAMED_PAIRS = 20
_PAIR = ("sample_id", "source_id", "lane")

Pair = tuple[str, str, str]


def lost_rows(paths: WarehousePaths, old: Manifest | None, new: Manifest) -> list[Finding]:
    """Return a finding for each scored pair that is no more, and for each table that shrank.

    Args:
        paths: the warehouse that holds the files of both.
        old: the unit that stands; None when nothing does.
        new: the unit that would take its place.
    """
    if old is None:
        return []
    lost = sorted(_scored(paths, old) - _scored(paths, new))
    findings = [
        Finding(
            CHECK,
            "/".join((new.unit, *pair)),
            f"this prompt of this model is scored in what is landed and is not now; {FIX}",
            outcome=Outcome.INCOMPLETE,
        )
        for pair in lost[:NAMED_PAIRS]
    ]
    if len(lost) > NAMED_PAIRS:
        message = f"{len(lost) - NAMED_PAIRS} further scored pairs are lost; {FIX}"
        findings.append(Finding(CHECK, new.unit, message, outcome=Outcome.INCOMPLETE))
    tables = (PROMPTS, MODELS, PROMPT_SCORES, PUBLISHED_AGGREGATES)
    return [*findings, *shrunken_tables(tables, old, new)]


def _scored(paths: WarehousePaths, manifest: Manifest) -> set[Pair]:
    pairs: set[Pair] = set()
    for one in manifest.files:
        if one.table == PROMPT_SCORES.table:
            table = pq.read_table(paths.landing / one.file, columns=[*_PAIR, "status"])
            scored = table.filter(pc.equal(table["status"], SCORED))
            pairs.update(zip(*(scored[name].to_pylist() for name in _PAIR), strict=True))
    return pairs
