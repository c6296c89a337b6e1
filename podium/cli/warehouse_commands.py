"""podium land, build, check: from artifacts to checked marts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expectations.suites import BENCHMARKS
from expectations.verdict import Verdict
from ingest.xslides.land import LandOptions
from podium import console, run, settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import (
    DatasetOption,
    JsonOption,
    ThreadsOption,
    WarehouseOption,
    finish,
    handled,
)
from warehouse import storage
from warehouse.errors import UsageError

JunitOption = Annotated[
    Path | None, typer.Option("--junit", help="Also write the verdict as JUnit XML.")
]

BenchmarkOption = Annotated[
    str | None, typer.Option("--benchmark", help="Only this one; else all that are landed.")
]


@handled
def land_xslides(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="Data root: an artifact tree, or metrics of another tool."
        ),
    ],
    dataset: DatasetOption = None,
    runs: Annotated[
        list[str] | None, typer.Option("--run", help="Land this run only; may be repeated.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take over units landed from another folder.")
    ] = False,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a unit although it lost rows.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Land an X+Slides artifact tree; units that did not change are left alone.

    Exit code 1 when a row or file was rejected, 4 when a unit lost rows and was not landed.

    Example: podium land xslides data/ --run pilot
    """
    paths = settings.warehouse_paths(warehouse)
    options = LandOptions(
        settings.dataset_id_of(path, dataset),
        tuple(runs or ()),
        replace,
        accept_removals,
        settings.code_version(),
    )
    report = run.land_xslides(paths, path, options)
    show_landing(report, as_json=as_json)


@handled
def build(
    select: Annotated[
        str | None, typer.Option("--select", help="dbt node selection; never promotes.")
    ] = None,
    tau: Annotated[
        str | None, typer.Option("--tau", help="Thresholds instead of the project's: 0.5,0.7")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Build everything, although little or nothing changed.")
    ] = False,
    threads: ThreadsOption = 2,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Build and test all marts, run the mart gate, promote a green build to `current`.

    Example: podium build --threads 4
    """
    outcome = run.build_and_promote(
        settings.warehouse_paths(warehouse),
        console.say,
        select=select,
        threads=threads,
        taus=_taus(tau),
        force=force,
        reuse_tables=not force,
    )
    release = outcome.state.release_id if outcome.state else None
    if as_json:
        console.print_json({"release_id": release, **outcome.verdict.as_record()})
    else:
        console.print_verdict(outcome.verdict)
        console.say(f"current: {release}" if release else "nothing was promoted")
    finish(outcome.verdict.exit_code)


@handled
def check_landing(
    benchmark: BenchmarkOption = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="Hold every dataset to known counts, e.g. `paper`."),
    ] = None,
    as_json: JsonOption = False,
    junit: JunitOption = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Check what is landed: counts, ranges, grids, identities.

    Exit codes: 0 pass, 1 failed, 2 broken, 4 incomplete, 5 nothing to check.
    """
    _known(benchmark)
    paths = settings.warehouse_paths(warehouse)
    report(run.check_landing(paths, benchmark, profile), as_json, junit)


@handled
def check_marts(
    benchmark: BenchmarkOption = None,
    as_json: JsonOption = False,
    junit: JunitOption = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Check the last build: ranges, identities, partitions, coverage of the grid."""
    _known(benchmark)
    report(run.check_marts(settings.warehouse_paths(warehouse), benchmark), as_json, junit)


def report(verdict: Verdict, as_json: bool, junit: Path | None) -> None:
    """Tell a verdict as text, as JSON or as JUnit XML, and end with its exit code."""
    if junit is not None:
        storage.write_text(junit, verdict.as_junit())
    if as_json:
        console.print_json(verdict.as_record())
    else:
        console.print_verdict(verdict)
    finish(verdict.exit_code)


def _known(benchmark: str | None) -> None:
    if benchmark is not None and benchmark not in BENCHMARKS:
        raise UsageError(f"benchmark `{benchmark}` has no gate", expected=", ".join(BENCHMARKS))


def _taus(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        values = sorted({round(float(part) * 1000) for part in text.split(",")})
    except ValueError:
        values = []
    if not values or not all(0 <= value <= 1000 for value in values):
        raise UsageError(f"`{text}` is no list of thresholds", expected="e.g. 0.5,0.7,0.9")
    return tuple(values)
