"""What a release costs between its files and its boards: land, build, export; no gate, no recount.

Usage: python -m tests.performance.searchgen_job PROMPTS RESULTS MODELS WAREHOUSE OUT
"""

from __future__ import annotations

import sys
from pathlib import Path

from expectations.verdict import Verdict
from ingest.searchgen.land import LandOptions, land_results
from podium import searchgen_publishing
from warehouse import build, states
from warehouse.exports import searchgen as exporter
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths


def main() -> int:
    """Run the three stages in one process, as a command would."""
    prompts, results, models, warehouse, out = (Path(one) for one in sys.argv[1:])
    paths = WarehousePaths(warehouse)
    land_results(paths, prompts=prompts, results=results, models=models, options=LandOptions())
    with build_lock(paths):
        built = build.run_build(paths, with_unit_tests=False, reuse_tables=True)
        if not built.is_complete:
            return 1
        state = states.promote(paths, built.landing_state_id)
    run_id = exporter.choose_run(searchgen_publishing.landed_runs(paths), None)
    release = exporter.load(state.folder, run_id)
    known = searchgen_publishing.provenance_of(paths, state, release, Verdict("none"), None)
    exporter.place(out, exporter.contents(release, known))
    return 0


if __name__ == "__main__":
    sys.exit(main())
