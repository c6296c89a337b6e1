"""Landing of an artifact tree: one unit for probes and weights, one unit for each run.

Each unit is one commit: its manifest is written last, so a reader sees all of an import
or none of it. A unit whose inputs did not change is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.land_fields import FileReader
from ingest.landing_units import LandReport as LandReport
from ingest.landing_units import UnitLander
from ingest.xslides.audiences import audience_sha256, read_audiences
from ingest.xslides.land_accepted import read_accepted
from ingest.xslides.land_banks import Banks, read_banks
from ingest.xslides.land_cases import CaseInfo, read_cases
from ingest.xslides.land_grid import active_audiences
from ingest.xslides.land_imported import read_imported
from ingest.xslides.land_imported_files import (
    ImportedFile,
    by_run,
    find_imported,
    input_paths,
    landed_runs,
    unit_of,
)
from ingest.xslides.land_losses import lost_rows
from ingest.xslides.land_runs import RunLander
from ingest.xslides.tree import ArtifactTree
from warehouse import identity, manifests
from warehouse.contracts import core
from warehouse.contracts import xslides as contracts
from warehouse.contracts.xslides_imported import IMPORTED_METRICS
from warehouse.errors import InputError, UsageError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.manifests import InputFile
from warehouse.paths import WarehousePaths

BENCHMARK = "xslides"
# Raised when the same files give other rows.
LANDER = {"lander": 1}
# What says nothing about the rows of a run: logs, caches, raw replies, and computed metrics,
# which are ours or land as imported ones in a unit of their own.
IGNORED_SUFFIXES = (".log", ".tmp")
IGNORED_NAMES = frozenset({"metrics.json", "raw", "correctness_cache", "deck_generation"})


@dataclass(frozen=True)
class LandOptions:
    """How to land.

    Attributes:
        dataset_id: name of the artifact root; None takes the folder's name.
        runs: runs to land; empty means all.
        replace: take over units that were landed from another folder.
        accept_removals: land a unit although it lost rows.
        code_version: version that manifests record.
    """

    dataset_id: str | None = None
    runs: tuple[str, ...] = ()
    replace: bool = False
    accept_removals: bool = False
    code_version: str = "unknown"


def land(paths: WarehousePaths, root: Path, options: LandOptions) -> LandReport:
    """Land an artifact tree.

    Args:
        paths: the warehouse.
        root: data root that holds `probes/` and `runs/`.
        options: see LandOptions.

    Returns:
        What was landed; a unit that lost rows is not landed and is a finding.

    Raises:
        InputError: when the folder is no artifact tree.
        UsageError: when a unit belongs to another folder and `replace` is off.
    """
    tree = ArtifactTree(root)
    imported = find_imported(tree) if root.is_dir() else []
    if not (imported or tree.bank_folders() or tree.runs() or tree.case_labels()):
        raise InputError(
            f"`{root}` is no artifact tree",
            expected="a folder that holds sources/, probes/, runs/ or metrics of another tool",
            fix="give the data root, or make one with: podium xslides run CASES --decks DECKS",
        )
    dataset_id = identity.normalize_label(options.dataset_id or root.resolve().name)
    groups = by_run(imported)
    _check_runs({*tree.runs(), *groups}, options)
    report = LandReport(dataset_id)
    units = UnitLander(
        paths,
        BENCHMARK,
        str(root.resolve()),
        report,
        lost_rows,
        options.replace,
        options.accept_removals,
        options.code_version,
    )
    session = _Session(units, tree, root, dataset_id)
    session.land_banks()
    for run in tree.runs():
        if not options.runs or run in options.runs:
            session.land_run(run)
    for run in sorted({*groups, *landed_runs(paths, dataset_id)}):
        if not options.runs or run in options.runs:
            session.land_imported(run, groups.get(run, []))
    return report


def _check_runs(known: set[str], options: LandOptions) -> None:
    unknown = sorted(set(options.runs) - known)
    if unknown:
        raise UsageError(
            f"run `{unknown[0]}` is not in this tree",
            expected=", ".join(sorted(known)) or "a folder below runs/",
        )


@dataclass
class _Session:
    units: UnitLander
    tree: ArtifactTree
    root: Path
    dataset_id: str
    context: tuple[dict[str, CaseInfo], Banks, set[str] | None] | None = None

    def land_banks(self) -> None:
        """Land cases, banks and weights."""
        unit = f"{self.dataset_id}/probes"
        inputs = _inputs(self.root, ("audiences.csv", "accepted_findings.csv", "sources", "probes"))
        self.units.land(unit, inputs, self._bank_chunks, LANDER)

    def land_run(self, run: str) -> None:
        """Land one run; probes and weights are inputs of it, since its keys hang on them."""
        unit = f"{self.dataset_id}/runs/{run}"
        inputs = _inputs(self.root, ("audiences.csv", "sources", "probes", f"runs/{run}"))

        def chunks(log: RejectLog) -> Iterator[Chunk]:
            cases, banks, configured = self._context()
            reader = FileReader(self.root, log)
            lander = RunLander(self.tree, reader, self.dataset_id, run, cases, banks, configured)
            yield from lander.chunks()
            self.units.report.findings += lander.findings

        self.units.land(unit, inputs, chunks, LANDER)

    def land_imported(self, run: str, files: list[ImportedFile]) -> None:
        """Land the metrics that another tool computed for one run."""
        inputs = [manifests.hash_file(one, self.root) for one in input_paths(self.tree, files)]

        def chunks(log: RejectLog) -> Iterator[Chunk]:
            cases, _, _ = self._context()
            reader = FileReader(self.root, log)
            rows = read_imported(reader, self.dataset_id, run, files, cases)
            yield IMPORTED_METRICS, rows, None

        self.units.land(unit_of(self.dataset_id, run), inputs, chunks, LANDER)

    def _bank_chunks(self, log: RejectLog) -> Iterator[Chunk]:
        reader = FileReader(self.root, log)
        _, rows, banks, _ = self._read_context(reader)
        yield contracts.CASES, rows, None
        for contract in (
            contracts.PROBE_BANKS,
            contracts.PROBES,
            contracts.WEIGHT_SETS,
            contracts.WEIGHTS,
        ):
            yield contract, banks.rows[contract.noun], None
        accepted = read_accepted(reader, BENCHMARK, self.dataset_id)
        yield core.ACCEPTED_FINDINGS, accepted, None

    def _context(self) -> tuple[dict[str, CaseInfo], Banks, set[str] | None]:
        if self.context is None:
            # Rejects of this reading belong to the unit of the banks, which reports them.
            aside = RejectLog(BENCHMARK, self.dataset_id, "context")
            self._read_context(FileReader(self.root, aside))
        assert self.context is not None
        return self.context

    def _read_context(
        self, reader: FileReader
    ) -> tuple[dict[str, CaseInfo], list[Row], Banks, set[str] | None]:
        cases, rows = read_cases(self.tree, reader, self.dataset_id)
        configured: set[str] | None = None
        profiles: dict[str, str] = {}
        if self.tree.audiences_csv.is_file():
            known = read_audiences(self.tree.audiences_csv)
            profiles = {one.audience: audience_sha256(one) for one in known}
            configured = set(profiles)
        banks = read_banks(self.tree, reader, self.dataset_id, cases, profiles)
        for row in rows:
            row["active_audiences"] = active_audiences(cases[row["case_label"]], banks, configured)
        self.context = (cases, banks, configured)
        return cases, rows, banks, configured


def _inputs(root: Path, names: Iterable[str]) -> list[InputFile]:
    found = []
    for name in names:
        path = root / name
        files = [path] if path.is_file() else sorted(path.rglob("*")) if path.is_dir() else []
        for one in files:
            parts = one.relative_to(root).parts
            hidden = any(part.startswith(".") or part in IGNORED_NAMES for part in parts)
            if one.is_file() and not hidden and one.suffix not in IGNORED_SUFFIXES:
                found.append(manifests.hash_file(one, root))
    return found
