"""podium diff, explain: which numbers moved, and what a number is made of."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from podium import console, settings
from podium.cli import explain_searchgen
from podium.cli.explore import ReleaseOption, plain
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from podium.passport_view import print_passport
from warehouse import diff as differ
from warehouse import manifests, passport, passport_cells, passport_probes, releases
from warehouse.diff import Diff
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.passport import Passport
from warehouse.passport_cells import Question
from warehouse.passport_probes import Evidence
from warehouse.paths import WarehousePaths

SHOWN_CHANGES = 40
TAU = 0.7


@handled
def diff(
    old: Annotated[str, typer.Argument(metavar="A", help="State or release; `current`, `latest`.")],
    new: Annotated[str, typer.Argument(metavar="B", help="State or release to compare with A.")],
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0, help="Largest difference that counts as none.")
    ] = 0.0,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="Exit 1 when any number moved.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Show which numbers moved between two states or releases.

    Example: podium diff latest current --tolerance 1e-9
    """
    found = differ.compare(settings.warehouse_paths(warehouse), old, new, tolerance)
    if as_json:
        console.print_json(found.as_record())
    else:
        _print_diff(found)
    finish(Outcome.FAILED.exit_code if fail_on_change and found.has_changes else 0)


@handled
def explain(
    metric: Annotated[str, typer.Option("--metric", help="Metric, e.g. coverage.")],
    system: Annotated[str, typer.Option("--system", help="System under test.")],
    benchmark: Annotated[
        str, typer.Option("--benchmark", help="xslides or searchgen.")
    ] = explain_searchgen.XSLIDES,
    audience: Annotated[
        str | None, typer.Option("--audience", help="Audience judged for (xslides).")
    ] = None,
    condition: Annotated[str | None, typer.Option("--condition", help="agnostic, ...")] = None,
    run: Annotated[str | None, typer.Option("--run", help="<dataset>/<run>")] = None,
    case: Annotated[str | None, typer.Option("--case", help="Show the probes of it.")] = None,
    slice_type: Annotated[str, typer.Option("--slice-type", help="all, domain, ...")] = "all",
    slice_name: Annotated[str, typer.Option("--slice", help="Slice of that type.")] = "all",
    within: Annotated[
        str, typer.Option("--within", help="Named slice of prompts (searchgen).")
    ] = "all",
    tau: Annotated[
        float | None, typer.Option("--tau", min=0, max=1, help="Threshold (xslides); 0.7.")
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", help="About failed decks, missing results.")
    ] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="Judge id.")] = None,
    variant: Annotated[str | None, typer.Option("--variant", help="Variant of banks.")] = None,
    weight_scope: Annotated[str | None, typer.Option("--weight-scope", help="Weights.")] = None,
    config: Annotated[str | None, typer.Option("--config", help="Configuration id.")] = None,
    release: ReleaseOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Show what a published number is made of.

    The cell, the cases that it counts, judge, policy and files; with --case every
    probe. For searchgen the prompts behind a cell, with what each counts for and why.
    What is shown is added up again; exit code 1 when that gives another number.

    Example: podium explain --metric coverage --system narrator --audience learners
    --condition agnostic --case case_000

    Example: podium explain --benchmark searchgen --metric overall_9 --system gpt_image
    --slice-type domain --slice ART
    """
    if benchmark == explain_searchgen.BENCHMARK:
        explain_searchgen.check_searchgen(
            audience=audience,
            condition=condition,
            case=case,
            tau=tau,
            judge=judge,
            variant=variant,
            weight_scope=weight_scope,
            config=config,
        )
        asked = explain_searchgen.Question(
            metric, system, run, slice_type, slice_name, within, policy or explain_searchgen.POLICY
        )
        explain_searchgen.explain(settings.warehouse_paths(warehouse), asked, release, as_json)
        return
    explain_searchgen.check_xslides(benchmark, audience, within)
    question = Question(
        metric,
        system,
        audience or "",
        condition,
        run,
        slice_type,
        slice_name,
        round((TAU if tau is None else tau) * 1000),
        policy or "exclude_failed",
        judge,
        variant,
        weight_scope,
        config,
    )
    paths = settings.warehouse_paths(warehouse)
    folder = releases.resolve(paths, release or "current")
    if case is not None:
        _check_landing_state(paths, folder.name, release)
    with passport_cells.opened(folder) as connection:
        found = passport.read(connection, question)
        evidence = passport_probes.read(connection, paths, found, case) if case else ()
    sums = [*found.sums, *(one for part in evidence for one in part.sums)]
    agrees = all(one.agrees for one in sums)
    if as_json:
        console.print_json({"state": folder.name, **_record(found, evidence), "sums_agree": agrees})
    else:
        print_passport(folder.name, found, evidence)
        console.say("sums agree" if agrees else "sums DO NOT agree")
    finish(0 if agrees else Outcome.FAILED.exit_code)


def _check_landing_state(paths: WarehousePaths, name: str, release: str | None) -> None:
    """Refuse to explain a release by rows that it was not made of.

    Raises:
        UsageError: when a release is asked for by name and other rows are landed now.
    """
    present = manifests.state_id(manifests.read_all(paths))
    if name.endswith(f"-{present[-8:]}"):
        return
    if release not in (None, "current"):
        raise UsageError(
            f"the rows behind `{name}` are not those that are landed now",
            expected=f"a landing state that ends in {name.rpartition('-')[2]}",
            got=present,
            fix="--release current, or leave --case out",
        )
    console.say("note: rows were landed since `current` was built; podium build takes them up")


def _print_diff(found: Diff) -> None:
    console.say(f"A  {found.old_name}")
    console.say(f"B  {found.new_name}")
    if not found.has_changes:
        console.say("no number moved")
        return
    console.print_rows(
        ("metric", "slice_type", "slice", "changed", "added", "removed", "largest difference"),
        [tuple(vars(group).values()) for group in found.groups()],
    )
    shown = ("metric", "slice", "system_id", "condition", "audience", "tau_a_thousandths", "policy")
    rows: list[tuple[Any, ...]] = [
        (*(one.key[name] for name in shown), one.old, one.new, one.difference)
        for one in found.changed[:SHOWN_CHANGES]
    ]
    if rows:
        console.print_rows((*shown, "old", "new", "difference"), rows)
    left = len(found.changed) - len(rows)
    if left:
        console.say(f"and {left} more; --json lists them all")


def _record(found: Passport, evidence: tuple[Evidence, ...]) -> dict[str, Any]:
    cell = plain(found.cell)
    return {
        "cell": cell,
        "key": {name: cell[name] for name in differ.KEY},
        "metric": plain(found.metric),
        "policy": {
            "name": cell["policy"],
            "rule": passport.POLICIES.get(str(cell["policy"])),
        },
        "judging": plain(found.judging),
        "rows": [plain(one) for one in found.rows],
        "landed_files": [plain(one) for one in found.landed_files],
        "evidence": [
            {
                "row": plain(one.row),
                "reading": plain(one.reading),
                "probes": [plain(probe) for probe in one.probes],
                "claims": [plain(claim) for claim in one.claims],
                "inputs": list(one.inputs),
                "sums": [part.as_record() for part in one.sums],
            }
            for one in evidence
        ],
        "sums": [one.as_record() for one in found.sums],
    }
