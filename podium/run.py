"""What runs in which order: land, gate, build, gate, promote; and the xslides job around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from expectations import gate
from expectations.verdict import Verdict
from ingest.endpoint.calls import CallContext
from ingest.endpoint.land_calls import land_calls
from ingest.xslides import land as xslides_land
from ingest.xslides.land import LandOptions, LandReport
from podium import settings
from warehouse import build, manifests, results, standing, states
from warehouse.errors import InputError
from warehouse.findings import Finding, Outcome
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths
from warehouse.standing import Standing

Say = Callable[[str], None]
BENCHMARK = "xslides"


@dataclass
class BuildOutcome:
    """How building and promoting ended; `state` is None when nothing was promoted."""

    verdict: Verdict
    state: states.State | None = None
    is_unchanged: bool = False
    node_counts: dict[str, int] = field(default_factory=dict)


def land_xslides(paths: WarehousePaths, root: Path, options: LandOptions) -> LandReport:
    """Land an artifact tree of xslides, and what was asked of judges for its dataset."""
    report = xslides_land.land(paths, root, options)
    land_calls(paths, CallContext(BENCHMARK, report.dataset_id), settings.code_version())
    return report


def check_landing(
    paths: WarehousePaths, benchmark: str = BENCHMARK, profile: str | None = None
) -> Verdict:
    """Run the landing gate and land its results."""
    outcome = gate.check_landing(paths, benchmark, profile)
    results.land_results(paths, outcome.rows, code_version=settings.code_version())
    return outcome.verdict


def check_marts(paths: WarehousePaths, benchmark: str = BENCHMARK) -> Verdict:
    """Run the mart gate on the last build.

    Raises:
        InputError: when nothing is built.
    """
    if not paths.build_file.exists():
        raise InputError("nothing is built yet", fix="podium build")
    with build_lock(paths):
        return gate.check_marts(paths, benchmark).verdict


def standing_outcome(
    paths: WarehousePaths,
    say: Say,
    taus: tuple[int, ...] | None = None,
    *,
    with_landing: bool = False,
) -> BuildOutcome | None:
    """Return the standing outcome when rows and rules are those of `current`, else None.

    Args:
        paths: the warehouse.
        say: told when nothing is to be done.
        taus: thresholds instead of the project's.
        with_landing: the outcome must hold the landing gate's verdict too.
    """
    known = standing.read(paths)
    if known is None or known.project_sha256 != build.project_sha256(taus):
        return None
    if with_landing and not known.has_landing_verdict:
        return None
    if known.landing_state_id != manifests.state_id(manifests.read_all(paths)):
        return None
    say("build: nothing to do, `current` stands on the same rows and rules")
    return BuildOutcome(verdict_of(known), states.current(paths), is_unchanged=True)


def build_and_promote(
    paths: WarehousePaths,
    say: Say,
    *,
    select: str | None = None,
    threads: int = 2,
    taus: tuple[int, ...] | None = None,
    landing_verdict: Verdict | None = None,
    force: bool = False,
) -> BuildOutcome:
    """Build the marts, check them, and promote a complete green build.

    Args:
        paths: the warehouse.
        say: told what happens.
        select: dbt node selection; a partial build is never promoted.
        threads: threads of dbt and DuckDB.
        taus: thresholds in rising thousandths instead of the project's.
        landing_verdict: verdict of the landing gate, to stand beside the build.
        force: build although nothing changed.

    Raises:
        LockedError: when another process builds this warehouse.
    """
    with build_lock(paths):
        project = build.project_sha256(taus)
        before = standing.read(paths)
        if not force and select is None:
            known = standing_outcome(paths, say, taus)
            if known is not None:
                return known
        say("build: dbt is running")
        built = build.run_build(
            paths,
            select=select,
            threads=threads,
            taus=taus,
            with_unit_tests=before is None or before.project_sha256 != project,
        )
        counts = ", ".join(f"{count} {name}" for name, count in built.node_counts.items())
        say(f"build: {counts or 'no nodes'}")
        verdict = Verdict("build", tuple(built.node_counts), _build_findings(built))
        if not built.is_complete:
            return BuildOutcome(verdict, None, node_counts=built.node_counts)
        marts = gate.check_marts(paths, BENCHMARK)
        results.add_to_build(paths, marts.rows)
        state = states.promote(paths, built.landing_state_id)
        full = marts.verdict if landing_verdict is None else landing_verdict.merged(marts.verdict)
        verdict = Verdict("gates", full.checks, full.findings)
        standing.write(
            paths,
            Standing(
                state.release_id,
                built.landing_state_id,
                project,
                verdict.as_record(),
                landing_verdict is not None,
            ),
        )
        return BuildOutcome(verdict, state, node_counts=built.node_counts)


def _build_findings(built: build.BuildResult) -> tuple[Finding, ...]:
    if not built.node_counts:
        return (
            Finding(
                "nodes_are_selected",
                "dbt",
                "the selection names no node",
                outcome=Outcome.NOTHING_SELECTED,
            ),
        )
    return built.findings


def verdict_of(known: Standing) -> Verdict:
    """Return the verdict that stands, as an object again."""
    record = known.verdict
    findings = tuple(
        Finding(
            one["check"],
            one["subject"],
            one["message"],
            one["file"],
            one["line"],
            Outcome(one["outcome"]),
        )
        for one in record["findings"]
    )
    return Verdict(record["title"], tuple(record["checks"]), findings)
