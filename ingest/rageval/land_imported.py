"""Landing of what other tools made: answers, claims and labels, and what people say of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ingest.land_fields import FileReader
from ingest.landing_units import LandReport, UnitLander
from ingest.names import check_name
from ingest.rageval import judge_outputs, preferences, ragchecker, refchecker
from ingest.rageval.imports import ImportOptions, imported_run
from ingest.rageval.judging.exchange import CONSISTENCY
from ingest.shrunken_tables import shrunken_tables
from warehouse import manifests
from warehouse.contracts import rageval, rageval_judging, rageval_runs
from warehouse.errors import UsageError
from warehouse.landing import Chunk, RejectLog
from warehouse.paths import WarehousePaths

BENCHMARK = "rageval"
LANDER = 1
"""Raised when the same files give other rows."""


def land_ragchecker(paths: WarehousePaths, file: Path, options: ImportOptions) -> LandReport:
    """Land an input or output file of RAGChecker.

    Args:
        paths: the warehouse.
        file: the file; its stem names data set and system where no option does.
        options: see ImportOptions.

    Returns:
        What was landed; a unit that lost rows is not landed and is a finding.

    Raises:
        InputError: when the file holds no results.
        UsageError: when the unit was landed from another folder and `replace` is off.
    """
    run = imported_run(options, file)
    unit = f"{run.dataset_id}/runs/{run.run}/{run.system_id}/{ragchecker.METRIC}"
    reader = FileReader(file.parent, RejectLog(BENCHMARK, run.dataset_id, unit))
    found = ragchecker.read_results(file, run, unit, reader)

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield rageval_runs.RUNS, [run.run_row(len(found.answers))], None
        yield rageval.QUESTIONS, found.questions, None
        yield rageval_runs.ANSWERS, found.answers, None
        yield rageval_runs.CONTEXTS, found.contexts, None
        yield rageval_judging.JUDGMENTS, found.judgments, None
        yield rageval_judging.STATEMENTS, found.statements, None
        yield rageval_judging.VERDICTS, found.verdicts, None
        yield rageval_judging.PUBLISHED_METRICS, found.published, None

    report = LandReport(run.dataset_id)
    settings = {"lander": LANDER, "judge": [run.judge_id, run.judge_kind]}
    _lander(paths, file, report, options).land(
        unit, [manifests.hash_file(file, file.parent)], chunks, settings
    )
    return report


def land_refchecker(
    paths: WarehousePaths, claims: Path, responses: Path, options: ImportOptions
) -> LandReport:
    """Land claims of responses with labels that people gave them; see `land_ragchecker`.

    Args:
        paths: the warehouse.
        claims: one row a claim, CSV.
        responses: one row a response, CSV, in the same folder.
        options: see ImportOptions; runs, systems and judge are those of the files.

    Raises:
        InputError: when a file lacks columns.
        UsageError: when the files lie in two folders, or the unit came from another one.
    """
    if claims.resolve().parent != responses.resolve().parent:
        raise UsageError("claims and responses lie in two folders", expected="one folder")
    dataset_id = check_name("dataset", options.dataset_id or claims.stem)
    unit = f"{dataset_id}/labels"
    reader = FileReader(claims.parent, RejectLog(BENCHMARK, dataset_id, unit))
    found = refchecker.read_labels(claims, responses, dataset_id, reader)

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield rageval_runs.RUNS, found.runs, None
        yield rageval_runs.ANSWERS, found.answers, None
        yield rageval_judging.JUDGMENTS, found.judgments, None
        yield rageval_judging.STATEMENTS, found.statements, None
        yield rageval_judging.VERDICTS, found.verdicts, None

    report = LandReport(dataset_id)
    inputs = [manifests.hash_file(one, claims.parent) for one in (claims, responses)]
    _lander(paths, claims, report, options).land(unit, inputs, chunks, {"lander": LANDER})
    return report


def land_preferences(paths: WarehousePaths, file: Path, options: ImportOptions) -> LandReport:
    """Land what people prefer, and what metrics give both answers; see `land_ragchecker`.

    Raises:
        InputError: when the file compares nothing.
        UsageError: when the unit was landed from another folder and `replace` is off.
    """
    dataset_id = check_name("dataset", options.dataset_id or file.stem)
    preference_set = check_name("set", file.stem)
    unit = f"{dataset_id}/preferences/{preference_set}"
    reader = FileReader(file.parent, RejectLog(BENCHMARK, dataset_id, unit))
    found = preferences.read_preferences(file, dataset_id, preference_set, reader)

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield rageval_judging.PREFERENCES, found.preferences, None
        yield rageval_judging.PAIR_SCORES, found.scores, None

    report = LandReport(dataset_id)
    inputs = [manifests.hash_file(file, file.parent)]
    _lander(paths, file, report, options).land(unit, inputs, chunks, {"lander": LANDER})
    return report


def land_judge_outputs(paths: WarehousePaths, file: Path, options: ImportOptions) -> LandReport:
    """Land recorded outputs of a consistency prompt; see `land_ragchecker`.

    Args:
        paths: the warehouse.
        file: JSON Lines of `query_id` and `raw`, the text that the model wrote.
        options: see ImportOptions; run and system are those whose answers were judged.

    Raises:
        UsageError: when the unit was landed from another folder and `replace` is off.
    """
    run = imported_run(options, file)
    unit = f"{run.dataset_id}/runs/{run.run}/{run.system_id}/{CONSISTENCY}/outputs"
    reader = FileReader(file.parent, RejectLog(BENCHMARK, run.dataset_id, unit))
    found = judge_outputs.read_outputs(file, run, reader)

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield rageval_judging.JUDGMENTS, found.judgments, None
        yield rageval_judging.STATEMENTS, found.statements, None
        yield rageval_judging.VERDICTS, found.verdicts, None

    report = LandReport(run.dataset_id)
    inputs = [manifests.hash_file(file, file.parent)]
    settings = {"lander": LANDER, "judge": [run.judge_id, run.judge_kind]}
    _lander(paths, file, report, options).land(unit, inputs, chunks, settings)
    return report


def _lander(
    paths: WarehousePaths, file: Path, report: LandReport, options: ImportOptions
) -> UnitLander:
    """Return what commits an imported file."""
    tables = (*rageval.CONTRACTS, *rageval_runs.CONTRACTS, *rageval_judging.CONTRACTS)
    return UnitLander(
        paths,
        BENCHMARK,
        str(file.parent.resolve()),
        report,
        lambda old, new: shrunken_tables(tables, old, new),
        options.replace,
        options.accept_removals,
        options.code_version,
    )
