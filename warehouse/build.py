"""dbt in this process: one start, one parse, one build into the warehouse's build file."""

from __future__ import annotations

import contextlib
import gc
import io
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warehouse import jsonl, relations, reuse, storage
from warehouse.errors import BuildError
from warehouse.findings import Finding, Outcome
from warehouse.paths import PROJECT_ROOT, WarehousePaths

_FAILED = {"fail", "error", "runtime error"}


@dataclass(frozen=True)
class BuildResult:
    """How a build ended.

    Attributes:
        landing_state_id: state of the landing zone that was built.
        node_counts: nodes by dbt status (`success`, `pass`, `skipped`, ...).
        findings: one per failed node, with dbt's message.
        is_complete: whether the whole project was built and every node was green.
    """

    landing_state_id: str
    node_counts: dict[str, int]
    findings: tuple[Finding, ...]
    is_complete: bool


def run_build(
    paths: WarehousePaths,
    *,
    select: str | None = None,
    exclude: str | None = None,
    threads: int = 2,
    taus: tuple[int, ...] | None = None,
    with_unit_tests: bool = True,
    reuse_tables: bool = False,
) -> BuildResult:
    """Build models, seeds, unit and data tests from the current landing state.

    A whole build starts from an empty file, so nothing of an earlier or killed build can
    stand in its result. With `reuse_tables` it starts from the file of the last whole green
    build of the same rules, and makes again what the changed relations feed. The caller
    holds the build lock.

    Args:
        paths: the warehouse.
        select: dbt node selection; None builds everything.
        exclude: dbt node exclusion.
        threads: threads of dbt and of DuckDB; never changes a result.
        taus: thresholds in rising thousandths instead of the project's.
        with_unit_tests: False leaves out the unit tests, which hold rules and not rows, when
            these very rules have passed them before.
        reuse_tables: whether tables that no changed relation feeds may stay.

    Raises:
        BuildError: when dbt could not run at all.
    """
    paths.build.mkdir(parents=True, exist_ok=True)
    state = relations.current_state(paths)
    relations.write_relations(paths, state)
    is_whole = select is None and exclude is None
    now = reuse.built_from(project_sha256(taus), state)
    may_reuse = is_whole and reuse_tables and not with_unit_tests
    changed = reuse.changed_sources(reuse.read(paths) if may_reuse else None, now)
    reuse.forget(paths)
    if is_whole and changed is None:
        for leftover in paths.build.glob(paths.build_file.name + "*"):
            leftover.unlink()
    arguments = ["build", "--quiet"]
    arguments += ["--select", select] if select else []
    arguments += ["--select", *(f"source:{name}+" for name in changed)] if changed else []
    arguments += ["--exclude", exclude] if exclude else []
    if not with_unit_tests:
        arguments += ["--exclude-resource-type", "unit_test"]
    if taus:
        arguments += ["--vars", f"{{tau_a_thousandths: {list(taus)}}}"]
    # Where no relation changed, the file holds what a build would make.
    nodes = [] if changed == () else list(_invoke(paths, arguments, threads).result or [])
    counts = Counter(str(one.status) for one in nodes)
    findings = sorted(_node_finding(one) for one in nodes if str(one.status) in _FAILED)
    is_green = (bool(nodes) or changed == ()) and not findings and not counts["skipped"]
    if is_whole and is_green:
        reuse.write(paths, now)
    return BuildResult(
        state.state_id,
        {name: count for name, count in sorted(counts.items()) if count},
        tuple(findings),
        is_whole and is_green,
    )


def project_sha256(taus: tuple[int, ...] | None = None) -> str:
    """Return the hash of all that turns a landing state into marts: SQL, seeds, settings."""
    files = [PROJECT_ROOT / "dbt_project.yml"]
    for folder in ("models", "macros", "seeds", "expectations/dbt"):
        files += [one for one in (PROJECT_ROOT / folder).rglob("*") if one.is_file()]
    parts = [
        [one.relative_to(PROJECT_ROOT).as_posix(), storage.sha256_file(one)]
        for one in sorted(files)
        if not one.name.startswith(".")
    ]
    return storage.sha256_bytes(jsonl.canonical([parts, list(taus or ())]).encode())


def _invoke(paths: WarehousePaths, arguments: list[str], threads: int) -> Any:
    # Importing dbt costs two seconds, which commands that do not build should not pay.
    from dbt.cli.main import dbtRunner

    settings = {
        "PODIUM_BUILD_FILE": str(paths.build_file),
        "PODIUM_RELATIONS": str(paths.relations_file),
        "PODIUM_THREADS": str(threads),
        "DBT_TARGET_PATH": str(paths.build / "target"),
        "DBT_LOG_PATH": str(paths.build / "logs"),
        "DO_NOT_TRACK": "1",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    common = [
        "--project-dir",
        str(PROJECT_ROOT),
        "--profiles-dir",
        str(PROJECT_ROOT / "warehouse" / "profiles"),
        "--no-version-check",
        # The debug log of a build costs a fifth of its time.
        "--log-level-file",
        "info",
        "--no-write-json" if "--select" in arguments else "--write-json",
    ]
    with _environment(settings), _working_folder(paths.build), _captured() as output:
        try:
            outcome = dbtRunner().invoke([*arguments, *common])
        finally:
            _release_build_file()
    storage.write_text(paths.build / "dbt.log", output.getvalue())
    if outcome.exception is not None:
        raise BuildError(
            "dbt could not run",
            got=str(outcome.exception),
            fix=f"read {paths.build / 'logs' / 'dbt.log'}",
        ) from outcome.exception
    return outcome


def _release_build_file() -> None:
    """Close dbt's handle, which it keeps after a run and which would keep others out."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager
    from dbt.adapters.factory import cleanup_connections

    cleanup_connections()
    environment = DuckDBConnectionManager._ENV
    if environment is not None:
        environment.close()
    DuckDBConnectionManager.close_all_connections()
    # Cursors of finished threads sit in reference cycles and hold the file until collected.
    gc.collect()


def _node_finding(result: Any) -> Finding:
    node = result.node
    kind = str(node.resource_type).rpartition(".")[2].lower()
    return Finding(
        check=f"dbt_{kind}",
        subject=str(node.name),
        message=" ".join(str(result.message or "failed").split())[:2000],
        file=str(node.original_file_path),
        outcome=Outcome.FAILED,
    )


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _working_folder(folder: Path) -> Iterator[None]:
    # dbt writes a user id file into the working folder whatever it is told.
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _captured() -> Iterator[io.StringIO]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        yield output
