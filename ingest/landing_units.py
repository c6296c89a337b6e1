"""Landing units: what is imported together becomes visible together, or stays as it was.

Every benchmark lands through here. A unit's manifest is written last, so a reader sees all
of an import or none of it. A unit whose inputs did not change is left alone, one that comes
from another folder needs `replace`, and one that lost rows needs `accept_removals`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from warehouse import landing, manifests
from warehouse.contracts import ALL
from warehouse.errors import UsageError
from warehouse.findings import Finding
from warehouse.landing import Chunk, Reject, RejectLog
from warehouse.manifests import InputFile, LandedFile, Manifest
from warehouse.paths import WarehousePaths

Losses = Callable[[Manifest | None, Manifest], list[Finding]]
"""Says what a unit that stands holds and the new one lacks; nothing stands: None."""


@dataclass
class LandReport:
    """What was landed: units done and left alone, rows by table, what is wrong.

    `rejects` holds those of the units landed now; `row_counts` counts those of all units.
    """

    dataset_id: str
    landed_units: list[str] = field(default_factory=list)
    unchanged_units: list[str] = field(default_factory=list)
    row_counts: dict[str, int] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class UnitLander:
    """Lands units of one dataset of one benchmark.

    Attributes:
        paths: the warehouse.
        benchmark: slug of the benchmark.
        source_root: folder that the units come from, absolute.
        report: what was landed is added to it.
        losses: guards rows that must not go unseen.
        replace: take over units that were landed from another folder.
        accept_removals: land a unit although it lost rows.
        code_version: version that manifests record.
    """

    paths: WarehousePaths
    benchmark: str
    source_root: str
    report: LandReport
    losses: Losses
    replace: bool = False
    accept_removals: bool = False
    code_version: str = "unknown"

    def land(
        self,
        unit: str,
        inputs: Iterable[InputFile],
        chunks: Callable[[RejectLog], Iterator[Chunk]],
        settings: dict[str, Any],
    ) -> bool:
        """Land one unit unless it stands already.

        Args:
            unit: its name, which begins with the dataset id.
            inputs: all files that its rows hang on.
            chunks: makes the rows; what cannot be landed goes into the log that it gets.
            settings: whatever else the rows hang on, as JSON.

        Returns:
            Whether rows were made; False for a unit that is left alone.

        Raises:
            UsageError: when the unit belongs to another folder and `replace` is off.
        """
        files = tuple(sorted(inputs))
        old = self._standing(unit)
        versions = {table: ALL[table].version for table in sorted(ALL)}
        digest = manifests.hash_inputs(list(files), {"contracts": versions, **settings})
        if old is not None and self._is_same(old, digest):
            self.report.unchanged_units.append(unit)
            _add_counts(self.report.row_counts, old.row_counts)
            return False
        log = RejectLog(self.benchmark, self.report.dataset_id, unit)
        landed = _write_chunks(self.paths, chunks(log))
        landed.append(landing.write_rejects(self.paths, log))
        new = Manifest(
            benchmark=self.benchmark,
            unit=unit,
            shard=manifests.WHOLE,
            dataset_id=self.report.dataset_id,
            source_root=self.source_root,
            code_version=self.code_version,
            input_sha256=digest,
            inputs=files,
            files=tuple(sorted(landed)),
        )
        lost = self.losses(old, new)
        if lost and not self.accept_removals:
            self.report.findings += lost
            return True
        manifests.write(self.paths, new)
        self.report.landed_units.append(unit)
        self.report.rejects += log.rejects
        _add_counts(self.report.row_counts, new.row_counts)
        return True

    def _standing(self, unit: str) -> Manifest | None:
        old = manifests.read(self.paths, self.benchmark, unit)
        if old is not None and old.source_root != self.source_root and not self.replace:
            raise UsageError(
                f"unit `{unit}` was landed from another folder",
                expected=old.source_root,
                got=self.source_root,
                fix="give this one another name with --dataset, or take over with --replace",
            )
        return old

    def _is_same(self, old: Manifest, digest: str) -> bool:
        stands = (old.input_sha256, old.source_root) == (digest, self.source_root)
        return stands and all((self.paths.landing / one.file).is_file() for one in old.files)


def _write_chunks(paths: WarehousePaths, chunks: Iterator[Chunk]) -> list[LandedFile]:
    files: dict[str, LandedFile] = {}
    for contract, rows, parsed in chunks:
        landed = landing.write_table(paths, contract, rows, parsed)
        if landed.rows or not any(one.table == contract.table for one in files.values()):
            files[landed.file] = landed
    return list(files.values())


def _add_counts(total: dict[str, int], counts: dict[str, int]) -> None:
    for table, count in counts.items():
        total[table] = total.get(table, 0) + count
