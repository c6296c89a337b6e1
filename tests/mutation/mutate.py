"""Breaks each rule of `mutants.py` in a copy of the project and runs the tests that guard it.

Usage: python -m tests.mutation.mutate [WORD]   (only mutants whose name holds WORD)

Exit code 1 when a broken rule leaves all its tests green.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutation.mutants import MUTANTS, Mutant
from tests.mutation.rageval_mutants import RAGEVAL
from tests.mutation.searchgen_mutants import SEARCHGEN
from tests.mutation.slideagent_mutants import SLIDEAGENT

ALL = (*MUTANTS, *SEARCHGEN, *RAGEVAL, *SLIDEAGENT)
PROJECT = Path(__file__).resolve().parents[2]
PARTS = (
    "podium",
    "ingest",
    "warehouse",
    "expectations",
    "models",
    "macros",
    "seeds",
    "tests",
    "docs",
    "dbt_project.yml",
    "pyproject.toml",
    "Makefile",
    "README.md",
)
IGNORED = shutil.ignore_patterns("__pycache__", "landing", "published", "build", "trees")


def main() -> int:
    """Run all mutants, or those that the first argument names; return the exit code."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [one for one in ALL if word in one.name]
    survivors = []
    with tempfile.TemporaryDirectory(prefix="podium-mutants-") as folder:
        copy = Path(folder) / "project"
        for part in PARTS:
            source = PROJECT / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=IGNORED)
            else:
                copy.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy / part)
        for mutant in chosen:
            started = time.monotonic()
            is_killed = kills(copy, mutant)
            if not is_killed:
                survivors.append(mutant.name)
            outcome = "killed" if is_killed else "SURVIVED"
            sys.stdout.write(f"{outcome:<9} {time.monotonic() - started:5.0f} s  {mutant.name}\n")
            sys.stdout.flush()
    killed = len(chosen) - len(survivors)
    sys.stdout.write(f"{killed} of {len(chosen)} mutants killed\n")
    return 1 if survivors or not chosen else 0


def kills(copy: Path, mutant: Mutant) -> bool:
    """Return whether the tests of a mutant turn red on it; the copy is whole again after."""
    path = copy / mutant.file
    original = path.read_text(encoding="utf-8")
    if original.count(mutant.old) < 1:
        raise SystemExit(f"mutant `{mutant.name}`: its text is not in {mutant.file}")
    path.write_text(original.replace(mutant.old, mutant.new, 1), encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutant.tests],
            cwd=copy,
            capture_output=True,
            check=False,
        )
    finally:
        path.write_text(original, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise SystemExit(f"mutant `{mutant.name}`: the tests could not run\n{done.stdout.decode()}")
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main())
