"""podium demo: the main job on the shipped sample."""

from __future__ import annotations

from ingest.searchgen import land as searchgen
from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings
from podium import console, settings
from podium.cli.shared import JsonOption, ThreadsOption, WarehouseOption, finish, handled
from podium.judging import OFFLINE, JudgeChoice
from podium.pdf_parsing import PYMUPDF
from podium.show import print_outcome
from podium.xslides_run import ACCEPTED_FILE, RunRequest, run_xslides
from warehouse.paths import PROJECT_ROOT, WarehousePaths

SAMPLE = PROJECT_ROOT / "ingest" / "sample" / "xslides"
SEARCHGEN_SAMPLE = PROJECT_ROOT / "ingest" / "sample" / "searchgen"


@handled
def demo(
    threads: ThreadsOption = 2, as_json: JsonOption = False, warehouse: WarehouseOption = None
) -> None:
    """Run the whole pipeline on the shipped samples: xslides with the offline judge, searchgen.

    A second run finds that nothing is to be done.
    """
    paths = settings.warehouse_paths(warehouse)
    request = RunRequest(
        inputs=SAMPLE / "cases",
        decks=SAMPLE / "decks",
        system=None,
        run="demo",
        dataset="sample",
        audiences=None,
        accepted=SAMPLE / ACCEPTED_FILE,
        stage_settings=Settings(code_version=settings.code_version()),
        land=LandOptions(),
        judge=JudgeChoice(OFFLINE),
        pdf_parser=PYMUPDF,
        threads=threads,
    )
    _land_searchgen(paths)
    with console.progress() as progress:
        outcome = run_xslides(paths, request, console.say, progress)
    print_outcome(paths, outcome, as_json)
    finish(outcome.verdict.exit_code)


def _land_searchgen(paths: WarehousePaths) -> None:
    """Land the sample release before the one build that serves both benchmarks."""
    report = searchgen.land_results(
        paths,
        prompts=SEARCHGEN_SAMPLE / "prompts.jsonl",
        results=SEARCHGEN_SAMPLE / "results",
        models=SEARCHGEN_SAMPLE / "models.yml",
        options=searchgen.LandOptions(code_version=settings.code_version()),
    )
    rows = report.row_counts
    console.say(
        f"searchgen: {rows['searchgen/prompts']} prompts and {rows['searchgen/models']} models "
        f"landed ({', '.join(report.landed_units) or 'nothing new'})"
    )
