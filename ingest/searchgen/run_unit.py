"""One release as a landing unit: what it is called, what it is made of, how it is committed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.landing_units import LandReport, UnitLander
from ingest.names import check_name
from ingest.searchgen.land_losses import lost_rows
from ingest.searchgen.model_registry import DATASET, Release
from ingest.searchgen.prompts import Prompts
from ingest.searchgen.release_rows import RunIdentity, model_row, run_row
from ingest.searchgen.results import Results
from warehouse import identity
from warehouse.contracts import searchgen as contracts
from warehouse.contracts.searchgen_values import SCORED
from warehouse.findings import Finding
from warehouse.landing import Chunk, RejectLog
from warehouse.manifests import InputFile
from warehouse.paths import WarehousePaths

BENCHMARK = "searchgen"
LANDER = 1
"""Raised when the same files give other rows."""


@dataclass(frozen=True)
class LandOptions:
    """How to land.

    Attributes:
        dataset_id: name of the data set; None takes that of models.yml, else `searchgen`.
        release: name of the release; None takes that of models.yml, else the folder's name.
        extractor: `module:function` that reads evaluations instead of ours.
        replace: take over units that were landed from another folder.
        accept_removals: land a unit although it lost rows.
        code_version: version that manifests record.
    """

    dataset_id: str | None = None
    release: str | None = None
    extractor: str | None = None
    replace: bool = False
    accept_removals: bool = False
    code_version: str = "unknown"


@dataclass(frozen=True)
class RunUnit:
    """Per-prompt data of one release on its way into the warehouse.

    Attributes:
        run: which release.
        release: what is stated about it.
        extractor: what read the components.
        source_root: folder that the data comes from.
        inputs: files that were read, beside the one that `release` came from.
        prompts: name and SHA-256 of the prompt metadata; None where nothing states them.
    """

    run: RunIdentity
    release: Release
    extractor: str
    source_root: Path
    inputs: list[InputFile]
    prompts: tuple[str | None, str | None]

    def land(
        self,
        paths: WarehousePaths,
        options: LandOptions,
        log: RejectLog,
        read: Prompts,
        results: Results,
    ) -> LandReport:
        """Land prompts, models and results in one commit."""
        report = LandReport(self.run.dataset_id)
        head = run_row(self.run, self.release, self.extractor, *self.prompts)
        models = [model_row(self.run, self.release, one) for one in self.release.models]

        def chunks(unit_log: RejectLog) -> Iterator[Chunk]:
            unit_log.rejects += log.rejects
            yield contracts.RUNS, [head], None
            yield contracts.PROMPTS, read.rows, None
            yield contracts.MODELS, models, None
            yield contracts.PROMPT_SCORES, results.rows, None

        statuses = [
            (row["sample_id"], row["source_id"], row["lane"], row["status"], row["status_reason"])
            for row in results.rows
        ]
        settings = {
            "lander": LANDER,
            "run": head,
            "models": models,
            # Which folders are empty is nothing that a hash of a file would tell.
            "statuses": identity.content_id("statuses", statuses),
        }
        lander = unit_lander(paths, self.source_root, report, options)
        lander.land(f"{self.run.dataset_id}/runs/{self.run.release}", self.inputs, chunks, settings)
        report.findings += [*read.findings, *results.findings, *self._nothing_scored(results)]
        return report

    def _nothing_scored(self, results: Results) -> list[Finding]:
        """Return a finding when evaluations are there and none of them gives a score."""
        read = [row for row in results.rows if row["evaluation_sha256"] is not None]
        if not read or any(row["status"] == SCORED for row in read):
            return []
        reason = min(str(row["status_reason"]) for row in read)
        return [
            Finding(
                "evaluations_give_scores",
                self.run.run_id,
                f"none of {len(read)} evaluations gives a score; {reason}",
            )
        ]


def run_identity(release: Release, options: LandOptions, folder: Path) -> RunIdentity:
    """Return which release is landed: options first, then what is stated, then the folder."""
    dataset = options.dataset_id or release.dataset or DATASET
    name = options.release or release.release or folder.resolve().name
    return RunIdentity(check_name("dataset", dataset), check_name("release", name))


def unit_lander(
    paths: WarehousePaths, source_root: Path, report: LandReport, options: LandOptions
) -> UnitLander:
    """Return what commits units of searchgen."""
    return UnitLander(
        paths,
        BENCHMARK,
        str(source_root.resolve()),
        report,
        lambda old, new: lost_rows(paths, old, new),
        options.replace,
        options.accept_removals,
        options.code_version,
    )
