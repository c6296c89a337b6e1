"""Units that stages make of what is landed already: vectors, hits, answers, judgments."""

from __future__ import annotations

from ingest.landing_units import LandReport, UnitLander
from ingest.rageval.landed_rows import BENCHMARK
from warehouse.paths import WarehousePaths


def derived_lander(paths: WarehousePaths, report: LandReport, code_version: str) -> UnitLander:
    """Return what commits rows that follow the rows landed now, so that nothing is lost with them.

    Args:
        paths: the warehouse, which is also where such rows come from.
        report: what was landed is added to it.
        code_version: version that manifests record.
    """
    return UnitLander(
        paths,
        BENCHMARK,
        str(paths.root.resolve()),
        report,
        lambda old, new: [],
        code_version=code_version,
    )
