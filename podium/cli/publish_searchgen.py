"""podium publish searchgen: one landed release as a folder of files that recounts to itself."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.searchgen.land import LandOptions
from podium import console, searchgen_publishing, settings
from podium.cli.land_searchgen import Inputs, land_inputs
from podium.cli.shared import JsonOption, ThreadsOption, WarehouseOption, finish, handled
from podium.searchgen_publishing import Publication
from warehouse import releases


@handled
def publish(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder that is made or replaced.")
    ],
    run_id: Annotated[
        str | None, typer.Option("--run", help="<dataset>/<release>; needed if several stand.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Land first: prompt metadata, JSONL.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option("--results", help="Land first: folder of evaluation files.")
    ] = None,
    models: Annotated[
        Path | None, typer.Option("--models", help="Land first: models.yml of the release.")
    ] = None,
    prompt_scores: Annotated[
        Path | None,
        typer.Option("--prompt-scores", help="Land first: a published prompt_scores.jsonl."),
    ] = None,
    extractor: Annotated[
        str | None,
        typer.Option(
            "--extractor",
            metavar="MODULE:FUNCTION",
            help="Reads evaluations instead of ours; this runs the code of that module.",
        ),
    ] = None,
    allow_incomplete: Annotated[
        bool, typer.Option("--allow-incomplete", help="Publish on exit 4; the manifest says so.")
    ] = False,
    threads: ThreadsOption = 2,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Publish a release of searchgen: manifest, prompt scores, boards, all policies.

    Lands what is given, checks it, builds, checks again, writes the files, and recounts them
    from their prompts before they take their place. Equal results give equal bytes; the time
    in the manifest is that of SOURCE_DATE_EPOCH, or none. The exit code is that of the verdict
    where a gate is not green.

    Example: podium publish searchgen --out public/data --prompts META.jsonl --results DIR
    --models models.yml
    """
    paths = settings.warehouse_paths(warehouse)
    inputs = Inputs(prompts, results, models, prompt_scores, published=None)
    is_given = extractor is not None or any(vars(inputs).values())
    options = LandOptions(extractor=extractor, code_version=settings.code_version())
    done = searchgen_publishing.publish(
        paths,
        out,
        run_id,
        console.say,
        land=partial(land_inputs, paths, inputs, options) if is_given else None,
        allow_incomplete=allow_incomplete,
        threads=threads,
    )
    if as_json:
        console.print_json(_record(done))
    else:
        _tell(done)
    finish(done.exit_code)


def _tell(done: Publication) -> None:
    if done.verdict.findings:
        console.print_verdict(done.verdict)
    if done.export is None:
        console.say("not published: files need a verdict with exit code 0")
        if releases.is_publishable(done.verdict.as_record(), allow_incomplete=True):
            console.say("  fix:      mend the findings, or add --allow-incomplete")
        return
    console.print_rows(("file", "bytes"), list(done.export.files.items()))
    if done.export.is_changed:
        console.say(f"published {done.run_id}")
    else:
        console.say(f"publish: nothing to do, {done.run_id} stands there already")
    if done.verdict.exit_code:
        console.say("incomplete: the manifest says so")
    console.say(f"folder    {done.export.folder}")
    console.say(f"next      podium check searchgen {done.export.folder}")


def _record(done: Publication) -> dict[str, Any]:
    export = done.export
    files = None
    if export is not None:
        files = {
            "folder": str(export.folder),
            "files": export.files,
            "is_changed": export.is_changed,
        }
    return {"run_id": done.run_id, "export": files, "verdict": done.verdict.as_record()}
