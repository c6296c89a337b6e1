"""The job of podium publish searchgen: land, gate, build, gate, export, recount, put in place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from expectations.searchgen import recount
from expectations.verdict import Verdict
from ingest.landing_units import LandReport
from podium import run, settings
from podium.run import Say
from warehouse import jsonl, manifests, releases, states
from warehouse.errors import InputError
from warehouse.exports import searchgen as exporter
from warehouse.exports.searchgen import Export, Release
from warehouse.exports.searchgen_manifest import Provenance, generated_at
from warehouse.paths import WarehousePaths

BENCHMARK = "searchgen"
RUNS = "/runs/"


@dataclass(frozen=True)
class Publication:
    """How publishing ended; `export` is None when the verdict did not allow it."""

    verdict: Verdict
    run_id: str | None = None
    export: Export | None = None

    @property
    def exit_code(self) -> int:
        """Return 0 for a published folder, else the code of the verdict that refused it."""
        return self.verdict.exit_code if self.export is None else 0


def publish(
    paths: WarehousePaths,
    out: Path,
    run_id: str | None,
    say: Say,
    *,
    land: Callable[[], LandReport] | None = None,
    allow_incomplete: bool = False,
    threads: int = 2,
) -> Publication:
    """Publish one landed release of searchgen as a folder of files.

    Args:
        paths: the warehouse.
        out: folder that is made or replaced.
        run_id: release to publish; None for the only one.
        say: told what happens.
        land: lands a release first, which is the one that is meant; None for what is landed.
        allow_incomplete: also publish what is incomplete; the manifest says so.
        threads: threads of a build.

    Raises:
        InputError: when nothing is landed, or `out` holds other files.
        UsageError: when several releases are landed and none is named.
        LockedError: when another process builds this warehouse.
    """
    exporter.check_target(out)
    time = generated_at(os.environ.get("SOURCE_DATE_EPOCH"))
    before = Verdict("landing")
    if land is not None:
        report = land()
        before = Verdict("landing", (), tuple(report.findings))
        landed = _run_of(report)
        if landed is None or not _is_publishable(before, allow_incomplete):
            return Publication(before, landed)
        run_id = exporter.choose_run((landed,), run_id)
    run_id = exporter.choose_run(landed_runs(paths), run_id)
    verdict, state = _checked_state(paths, say, threads)
    verdict = before.merged(verdict, "gates")
    if state is None or not _is_publishable(verdict, allow_incomplete):
        return Publication(verdict, run_id)
    release = exporter.load(state.folder, run_id)
    known = provenance_of(paths, state, release, verdict, time)
    content = exporter.contents(release, known)
    say("publish: the recount is running")
    verdict = verdict.merged(_recount(content), "publication")
    if not _is_publishable(verdict, allow_incomplete):
        return Publication(verdict, run_id)
    return Publication(verdict, run_id, exporter.place(out, content))


def landed_runs(paths: WarehousePaths) -> tuple[str, ...]:
    """Return the releases that have landed per-prompt results, sorted."""
    return tuple(
        sorted(
            one.unit.replace(RUNS, "/", 1)
            for one in manifests.read_all(paths)
            if one.benchmark == BENCHMARK and RUNS in one.unit
        )
    )


def _is_publishable(verdict: Verdict, allow_incomplete: bool) -> bool:
    return releases.is_publishable(verdict.as_record(), allow_incomplete=allow_incomplete)


def _run_of(report: LandReport) -> str | None:
    """Return the release of a landing; None where it lost results and stayed as it was."""
    units = [*report.landed_units, *report.unchanged_units]
    return units[0].replace(RUNS, "/", 1) if units else None


def _checked_state(
    paths: WarehousePaths, say: Say, threads: int
) -> tuple[Verdict, states.State | None]:
    """Return the verdict of both gates on what is landed, and the state built from it."""
    known = run.standing_outcome(paths, say, with_landing=True)
    if known is not None:
        return known.verdict, known.state
    say("landing gate: checking")
    landing = run.check_landing(paths)
    built = run.build_and_promote(paths, say, threads=threads, landing_verdict=landing)
    if built.state is None or built.is_unchanged:
        return landing.merged(built.verdict, "gates"), built.state
    return built.verdict, built.state


def provenance_of(
    paths: WarehousePaths,
    state: states.State,
    release: Release,
    verdict: Verdict,
    time: str | None,
) -> Provenance:
    """Return what a published folder says of its origin.

    Raises:
        InputError: when the release's unit is landed no more.
    """
    unit = f"{release.run['dataset_id']}/runs/{release.run['release']}"
    landed = manifests.read(paths, BENCHMARK, unit)
    if landed is None:
        raise InputError(
            f"unit `{unit}` of the state is landed no more", fix="land it again, then publish"
        )
    return Provenance(
        landed.inputs,
        state.release_id,
        settings.code_version(),
        jsonl.read_json(state.folder / states.STATE_FILE)["duckdb_version"],
        time,
        verdict.outcome.value,
    )


def _recount(content: dict[str, bytes]) -> Verdict:
    """Recount the files where no reader looks."""
    with tempfile.TemporaryDirectory(prefix="podium-") as folder:
        for name, one in content.items():
            (Path(folder) / name).write_bytes(one)
        return recount.check(Path(folder))
