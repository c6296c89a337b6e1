"""What runs in which order: land, gate, build, gate, promote; and the xslides job around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from expectations import gate
from expectations.suites import BENCHMARKS, with_profile
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


def landed_benchmarks(paths: WarehousePaths) -> tuple[str, ...]:
    """Return the benchmarks that have landed rows and a gate, sorted.

    In a warehouse without rows it is the first benchmark, whose gate says so.
    """
    landed = {
        one.benchmark for one in manifests.read_all(paths) if not one.unit.startswith("gates/")
    }
    return tuple(one for one in BENCHMARKS if one in landed) or (BENCHMARK,)


def check_landing(
    paths: WarehousePaths, benchmark: str | None = None, profile: str | None = None
) -> Verdict:
    """Run the landing gate of one benchmark, or of all that are landed; land its results.

    A profile concerns the benchmarks that know it.
    """
    chosen = (benchmark,) if benchmark else landed_benchmarks(paths)
    if profile is not None:
        chosen = with_profile(chosen, profile)
    verdicts = []
    for one in chosen:
        outcome = gate.check_landing(paths, one, profile)
        results.land_results(paths, outcome.rows, code_version=settings.code_version())
        verdicts.append(outcome.verdict)
    return _merged(verdicts, "landing gate")


def check_marts(paths: WarehousePaths, benchmark: str | None = None) -> Verdict:
    """Run the mart gate of one benchmark, or of all that are landed, on the last build.

    Raises:
        InputError: when nothing is built.
    """
    if not paths.build_file.exists():
        raise InputError("nothing is built yet", fix="podium build")
    chosen = (benchmark,) if benchmark else landed_benchmarks(paths)
    with build_lock(paths):
        return _merged([gate.check_marts(paths, one).verdict for one in chosen], "marts gate")


def _merged(verdicts: list[Verdict], title: str) -> Verdict:
    """Return one verdict; that of a single benchmark keeps its title."""
    if len(verdicts) == 1:
        return verdicts[0]
    checks = tuple(check for one in verdicts for check in one.checks)
    findings = tuple(finding for one in verdicts for finding in one.findings)
    return Verdict(title, checks, tuple(dict.fromkeys(findings)))


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
    reuse_tables: bool = True,
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
        reuse_tables: whether tables of the last build stay that no changed relation feeds.

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
            reuse_tables=reuse_tables,
        )
        counts = ", ".join(f"{count} {name}" for name, count in built.node_counts.items())
        say(f"build: {counts or 'every table stands'}")
        verdict = Verdict("build", tuple(built.node_counts), _build_findings(built))
        if not built.is_complete:
            return BuildOutcome(verdict, None, node_counts=built.node_counts)
        marts = [gate.check_marts(paths, one) for one in landed_benchmarks(paths)]
        for one in marts:
            results.add_to_build(paths, one.rows)
        state = states.promote(paths, built.landing_state_id)
        checked = _merged([one.verdict for one in marts], "marts gate")
        full = checked if landing_verdict is None else landing_verdict.merged(checked)
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
    if not built.node_counts and not built.is_complete:
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
