"""Shows a passport to people: cell, judging, rows, probes, files, sums."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from podium import console
from warehouse import diff
from warehouse.passport import POLICIES, Passport, Sum
from warehouse.passport_probes import Evidence

_CELL = (
    "estimate",
    "micro_estimate",
    "standard_error",
    "interval_method",
    "percentile_low",
    "percentile_high",
    "expanded_low",
    "expanded_high",
    "n_total",
    "n_scored",
    "n_included",
    "n_undefined",
    "scored_share",
)
_ROWS = (
    "dataset_id",
    "case_id",
    "evaluation_status",
    "available_utility",
    "recovered_utility",
    "coverage",
    "included_probe_count",
    "covered_probe_count",
    "value",
    "counted",
)
_PROBES = (
    "probe_id",
    "domain",
    "utility_weight",
    "sample_tenths_sum",
    "sample_count",
    "is_included",
    "covered",
    "verdict",
    "judgment_status",
    "question",
)
_PLACES = ("weight", "judgment")
_BOARD_CELL = (
    "run_id",
    "slice",
    "view",
    "group_name",
    "policy",
    "source_id",
    "lane",
    "metric",
    "estimate",
    "missing_policy",
    "n_total",
    "n_scored",
    "n_included",
    "model_rank",
    "rank_published",
    "rank_change",
)
_PROMPTS = (
    "sample_id",
    "status",
    "value",
    "counted",
    "counted_because",
    "components",
    "source_file",
    "source_line",
)
SHOWN_PROMPTS = 40


def print_passport(state: str, passport: Passport, evidence: tuple[Evidence, ...]) -> None:
    """Print all of a passport."""
    cell = passport.cell
    console.say(f"state {state}")
    _title("cell")
    _fields({name: cell[name] for name in (*diff.KEY, *_CELL) if name in cell})
    _fields({"policy means": POLICIES.get(cell["policy"], "")})
    _title("metric")
    _fields(passport.metric)
    _title("judging")
    _fields(passport.judging or {"judged by": "imported, not judged here"})
    _title("rows that the cell counts")
    _table(_ROWS, passport.rows)
    for one in evidence:
        _print_evidence(one)
    _title("landed files")
    _table(("unit", "landing_table", "row_count", "file_sha256"), passport.landed_files)
    _title("sums")
    _print_sums([*passport.sums, *(part for one in evidence for part in one.sums)])


def print_board_passport(state: str, passport: Passport, policy_rule: str) -> None:
    """Print the passport of a cell of a searchgen board; `--json` lists all prompts."""
    console.say(f"state {state}")
    _title("cell")
    _fields({name: passport.cell[name] for name in _BOARD_CELL})
    _fields({"policy means": policy_rule})
    _title("metric")
    _fields(passport.metric)
    _title("judging")
    _fields(passport.judging)
    _title("prompts that the cell counts, 0 to 3")
    shown = [{**row, "components": _listed(row)} for row in passport.rows[:SHOWN_PROMPTS]]
    _table(_PROMPTS, shown)
    left = len(passport.rows) - len(shown)
    if left:
        console.say(f"and {left} more prompts; --json lists them all")
    _title("landed files")
    _table(("unit", "landing_table", "row_count", "file_sha256"), passport.landed_files)
    _title("sums")
    _print_sums(list(passport.sums))


def _listed(row: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in row["components"].items())


def _print_evidence(evidence: Evidence) -> None:
    _title(f"evaluation {evidence.row['evaluation_id']}, case {evidence.row['case_id']}")
    _fields(evidence.reading)
    _title("probes")
    probes = [{**one, **_places(one)} for one in evidence.probes]
    _table((*_PROBES, *_PLACES), probes)
    if evidence.claims:
        _title("claims")
        _table(("claim_id", "label", "label_weight", "slide", "text"), evidence.claims)
    _title("input files")
    _table(("file", "sha256", "bytes", "unit"), evidence.inputs)


def _places(probe: dict[str, Any]) -> dict[str, str]:
    return {
        name: f"{probe[f'{name}_file']}:{probe[f'{name}_line']}" if probe[f"{name}_file"] else "-"
        for name in _PLACES
    }


def _print_sums(sums: list[Sum]) -> None:
    columns = ("sum", "of", "made again", "published", "agrees")
    rows: list[tuple[Any, ...]] = [
        (one.name, one.subject, one.recomputed, one.published, "yes" if one.agrees else "NO")
        for one in sums
    ]
    console.print_rows(columns, rows)


def _title(text: str) -> None:
    console.output().print()
    console.output().print(Text(text, style="bold"))


def _fields(fields: dict[str, Any]) -> None:
    console.print_rows(("field", "value"), list(fields.items()))


def _table(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> None:
    shown = [tuple(row.get(name) for name in columns) for row in rows]
    console.print_rows(columns, shown)
