"""Landing of searchgen: results of a release, its public records, or its published boards.

Per-prompt data of a release is one unit, `<dataset>/runs/<release>`, wherever it comes from;
published boards are another, `<dataset>/published/<release>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ingest.land_fields import FileReader
from ingest.landing_units import LandReport as LandReport
from ingest.searchgen.extractors import load_extractor, own_extractor
from ingest.searchgen.model_registry import Release, read_release
from ingest.searchgen.prompt_score_files import PromptScoreFile
from ingest.searchgen.prompts import read_prompts, rules_of
from ingest.searchgen.published import read_boards, release_row
from ingest.searchgen.release_manifest import MANIFEST, read_manifest
from ingest.searchgen.results import ResultsTree
from ingest.searchgen.run_unit import BENCHMARK as BENCHMARK
from ingest.searchgen.run_unit import LANDER, RunUnit, run_identity, unit_lander
from ingest.searchgen.run_unit import LandOptions as LandOptions
from warehouse import manifests
from warehouse.contracts import searchgen as contracts
from warehouse.errors import InputError
from warehouse.findings import Finding
from warehouse.landing import Chunk, RejectLog
from warehouse.paths import WarehousePaths

STATED = "as the file states"
"""Extractor of records that were extracted before."""


def land_results(
    paths: WarehousePaths, *, prompts: Path, results: Path, models: Path, options: LandOptions
) -> LandReport:
    """Land a release from its prompt metadata and the evaluation files of its models.

    Args:
        paths: the warehouse.
        prompts: prompt metadata, JSON Lines.
        results: tree of evaluation files.
        models: models.yml of the release.
        options: see LandOptions.

    Returns:
        What was landed; a unit that lost rows is not landed and is a finding.

    Raises:
        InputError: when a file cannot be used at all, or the tree holds no result.
        UsageError: when the release was landed from another folder and `replace` is off.
    """
    release = read_release(models)
    source = release.judge.scoring_source
    if source is None:
        raise InputError(
            f"`{models.name}` does not say which files hold evaluations",
            expected="their name under judge, scoring_source",
        )
    if not results.is_dir():
        raise InputError(f"`{results}` is no folder", expected="the root of the results")
    _check_file(prompts, "prompt metadata")
    extractor = (
        own_extractor(release.rubric)
        if options.extractor is None
        else load_extractor(options.extractor)
    )
    run = run_identity(release, options, results)
    reader = FileReader(prompts.parent, RejectLog(BENCHMARK, run.dataset_id, run.run_id))
    rules = rules_of(run.run_id, run.dataset_id, release, wants_release_row=True)
    read = read_prompts(reader, prompts, rules)
    tree = ResultsTree(results, source, release.models, extractor.extract)
    found = tree.read(read.rows, read.rubric_weights)
    first = manifests.hash_file(prompts, prompts.parent)
    inputs = [first, manifests.hash_file(models, models.parent), *found.inputs]
    about = (first.file, first.sha256)
    unit = RunUnit(run, release, extractor.name, results, inputs, about)
    return unit.land(paths, options, reader.log, read, found)


def land_prompt_scores(
    paths: WarehousePaths, *, file: Path, models: Path | None = None, options: LandOptions
) -> LandReport:
    """Land a release from its public records.

    Args:
        paths: the warehouse.
        file: public records, JSON Lines (seed section 4).
        models: models.yml of the release; None takes the manifest beside the file.
        options: see LandOptions; an extractor is of no use here.

    Returns:
        What was landed; a unit that lost rows is not landed and is a finding.

    Raises:
        InputError: when nothing says which models there are, or a file cannot be used at all.
        UsageError: when the release was landed from another folder and `replace` is off.
    """
    _check_file(file, "public records")
    release = _stated_release(file, models)
    run = run_identity(release, options, file.parent)
    reader = FileReader(file.parent, RejectLog(BENCHMARK, run.dataset_id, run.run_id))
    rules = rules_of(run.run_id, run.dataset_id, release, wants_release_row=False)
    read = PromptScoreFile(reader, file, release, rules).read()
    beside = models if models is not None else file.parent / MANIFEST
    inputs = [manifests.hash_file(one, one.parent) for one in (file, beside)]
    about = (release.prompts_file, release.prompts_sha256)
    unit = RunUnit(run, release, release.extractor or STATED, file.parent, inputs, about)
    return unit.land(paths, options, reader.log, read.prompts, read.results)


def land_published(paths: WarehousePaths, *, folder: Path, options: LandOptions) -> LandReport:
    """Land a published release of aggregates, to be held against ours.

    Args:
        paths: the warehouse.
        folder: holds manifest.json and the boards.
        options: see LandOptions; without a name the release is called like the folder.

    Returns:
        What was landed; a unit that lost rows is not landed and is a finding.

    Raises:
        InputError: when a file is absent or has a shape that is not known.
        UsageError: when the release was landed from another folder and `replace` is off.
    """
    manifest = read_manifest(folder / MANIFEST)
    run = run_identity(manifest.release, options, folder)
    report = LandReport(run.dataset_id)
    reader = FileReader(folder, RejectLog(BENCHMARK, run.dataset_id, run.run_id))
    boards = read_boards(reader, folder, manifest, run)
    head = release_row(run, manifest, boards.fingerprint)

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield contracts.PUBLISHED_RELEASES, [head], None
        yield contracts.PUBLISHED_AGGREGATES, boards.rows, None

    inputs = [manifests.hash_file(one, folder) for one in (folder / MANIFEST, *boards.files)]
    lander = unit_lander(paths, folder, report, options)
    settings = {"lander": LANDER, "run": run.run_id}
    lander.land(f"{run.dataset_id}/published/{run.release}", inputs, chunks, settings)
    report.findings += [
        Finding(
            "missing_policies_name_models",
            f"{run.run_id}/{name}",
            "the manifest has a missing policy for this id, which names no model",
            MANIFEST,
        )
        for name in manifest.unmatched_exceptions()
    ]
    return report


def _check_file(path: Path, what: str) -> None:
    if not path.is_file():
        raise InputError(f"`{path}` is no file", expected=f"{what}, one JSON object a line")


def _stated_release(file: Path, models: Path | None) -> Release:
    """Return what is stated about public records: models.yml, else the manifest beside them."""
    if models is not None:
        return read_release(models)
    if not (file.parent / MANIFEST).is_file():
        raise InputError(
            f"nothing says which models `{file}` is about",
            expected=f"models.yml of the release, or {MANIFEST} beside the file",
            fix="give models.yml with --models",
        )
    return read_manifest(file.parent / MANIFEST).full_release()
