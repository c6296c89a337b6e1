"""What a whole build costs beside its SQL."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from tests.performance.compiled import CompiledProject, run
from tests.performance.measure import Comparison
from warehouse.paths import PROJECT_ROOT, WarehousePaths


def comparison(paths: WarehousePaths, project: CompiledProject, what: str) -> Comparison:
    """Return the comparison of a whole warm build with its SQL alone plus one start of dbt."""
    return Comparison(
        f"whole warm `podium build` of {what}, gates and promotion included",
        "the same models as plain SQL, one after the other, plus one start of dbt",
        lambda: build(paths),
        lambda: _sql_and_start(paths, project),
        at_most=2,
        rounds=1,
    )


def build(paths: WarehousePaths) -> None:
    """Run the command as a user would, though nothing changed."""
    command = Path(sys.executable).with_name("podium")
    done = subprocess.run(
        [command, "build", "--force", "--warehouse", paths.root], capture_output=True, text=True
    )
    # Exit 4 says that it was built and something is marked; the made tree has no decks.
    if done.returncode not in (0, 4):
        raise RuntimeError(done.stdout + done.stderr)


def _sql_and_start(paths: WarehousePaths, project: CompiledProject) -> None:
    with contextlib.closing(project.connect()) as connection:
        run(connection, project.models)
    parse(paths)


def parse(paths: WarehousePaths) -> None:
    """Start dbt once in a fresh process and let it read the project."""
    command = "from dbt.cli.main import dbtRunner; dbtRunner().invoke(['parse', '--quiet'])"
    settings = {
        "PODIUM_BUILD_FILE": str(paths.build_file),
        "PODIUM_RELATIONS": str(paths.relations_file),
        "PODIUM_THREADS": "2",
        "DBT_PROJECT_DIR": str(PROJECT_ROOT),
        "DBT_PROFILES_DIR": str(PROJECT_ROOT / "warehouse" / "profiles"),
        "DBT_TARGET_PATH": str(paths.build / "target"),
        "DBT_LOG_PATH": str(paths.build / "logs"),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    subprocess.run(
        [sys.executable, "-c", command],
        check=True,
        cwd=paths.build,
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
    )
