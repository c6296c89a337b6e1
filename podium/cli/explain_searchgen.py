"""podium explain for searchgen: the prompts behind one cell of a board, and their sum."""

from __future__ import annotations

from typing import Any

from podium import console
from podium.cli.explore import plain
from podium.cli.shared import finish
from podium.passport_view import print_board_passport
from warehouse import passport_cells, passport_searchgen, releases
from warehouse.errors import UsageError
from warehouse.exports.searchgen_manifest import POLICIES
from warehouse.findings import Outcome
from warehouse.passport import Passport
from warehouse.passport_searchgen import BENCHMARK, PUBLISHED, Question
from warehouse.paths import WarehousePaths

__all__ = [
    "BENCHMARK",
    "POLICY",
    "XSLIDES",
    "Question",
    "check_searchgen",
    "check_xslides",
    "explain",
]

XSLIDES = "xslides"
POLICY = PUBLISHED
_KEY = ("run_id", "slice", "view", "group_name", "policy", "source_id")


def explain(paths: WarehousePaths, question: Question, release: str | None, as_json: bool) -> None:
    """Show what one cell of a board is made of; exit code 1 when its sum gives another number.

    Args:
        paths: the warehouse.
        question: which cell.
        release: state or release; `current` when None.
        as_json: print everything as JSON instead of tables of its first prompts.
    """
    folder = releases.resolve(paths, release or "current")
    with passport_cells.opened(folder) as connection:
        found = passport_searchgen.read(connection, question)
    agrees = all(one.agrees for one in found.sums)
    if as_json:
        console.print_json({"state": folder.name, **_record(found), "sums_agree": agrees})
    else:
        print_board_passport(folder.name, found, POLICIES.get(str(found.cell["policy"]), ""))
        console.say("sums agree" if agrees else "sums DO NOT agree")
    finish(0 if agrees else Outcome.FAILED.exit_code)


def check_xslides(benchmark: str, audience: str | None, within: str) -> None:
    """Refuse a question about xslides that lacks its audience, and any other benchmark.

    Raises:
        UsageError: when it is one of these.
    """
    if benchmark != XSLIDES:
        raise UsageError(
            f"benchmark `{benchmark}` has no passports", expected=f"{XSLIDES}, {BENCHMARK}"
        )
    if audience is None:
        raise UsageError("a cell of xslides has an audience", fix="add --audience")
    if within != "all":
        raise UsageError("--within is of searchgen", fix=f"add --benchmark {BENCHMARK}")


def check_searchgen(**others: str | float | None) -> None:
    """Refuse options that boards of searchgen have no use for.

    Raises:
        UsageError: when one is given.
    """
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise UsageError(
            f"--{given[0].replace('_', '-')} is of {XSLIDES}",
            expected="--run, --slice-type, --slice, --within, --policy",
        )


def _record(found: Passport) -> dict[str, Any]:
    cell = plain(found.cell)
    policy = str(cell["policy"])
    return {
        "cell": cell,
        "key": {name: cell[name] for name in _KEY},
        "metric": plain(found.metric),
        "policy": {"name": policy, "rule": POLICIES.get(policy)},
        "judging": plain(found.judging),
        "rows": [plain(one) for one in found.rows],
        "landed_files": [plain(one) for one in found.landed_files],
        "sums": [one.as_record() for one in found.sums],
    }
