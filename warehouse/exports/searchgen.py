"""Publishing one searchgen release out of a promoted state, as a folder of files.

`manifest.json`, `prompt_scores.jsonl` and the boards have the shape of the benchmark's own
releases; `leaderboard_policies.jsonl` (all policies side by side, unrounded) and
`inputs.jsonl` (every file that was landed) are beside them. Equal states give equal bytes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb

from warehouse import jsonl, passport_cells, storage
from warehouse.errors import InputError, UsageError
from warehouse.exports import folders, searchgen_boards, searchgen_manifest, searchgen_records
from warehouse.exports.searchgen_manifest import INPUTS, PRODUCER, Provenance
from warehouse.passport_cells import Row, has_mart, rows_of

MANIFEST = "manifest.json"
PROMPT_SCORES = "prompt_scores.jsonl"
POLICIES = "leaderboard_policies.jsonl"
BOARDS = (
    "leaderboard_overall.json",
    "leaderboard_by_stratum.json",
    "leaderboard_by_domain.json",
    "leaderboard_by_failure_mode.json",
    "leaderboard_by_slice.json",
)
FILES = (MANIFEST, PROMPT_SCORES, *BOARDS, POLICIES, INPUTS)
"""All files that a published folder may hold."""


@dataclass(frozen=True)
class Export:
    """What was written: the folder, bytes by file, whether anything changed in it."""

    folder: Path
    files: dict[str, int]
    is_changed: bool


@dataclass(frozen=True)
class Release:
    """All rows of one run in a state."""

    run: Row
    models: list[Row]
    scores: list[Row]
    tags: list[Row]
    boards: list[Row]


def run_ids(state: Path) -> tuple[str, ...]:
    """Return the runs of a state that have per-prompt results, sorted."""
    with passport_cells.opened(state) as connection:
        if not has_mart(connection, "dim_searchgen__runs"):
            return ()
        found = rows_of(
            connection, "select run_id from published.main.dim_searchgen__runs order by run_id"
        )
    return tuple(row["run_id"] for row in found)


def choose_run(known: tuple[str, ...], asked: str | None) -> str:
    """Return the run that is meant.

    Args:
        known: runs there are.
        asked: run that was named, or None for the only one.

    Raises:
        InputError: when there is none at all.
        UsageError: when the named one is not there, or several are and none is named.
    """
    if not known:
        raise InputError(
            "no per-prompt results of searchgen are landed",
            fix="podium land searchgen --prompts META --results DIR --models models.yml",
        )
    if asked is None and len(known) > 1:
        raise UsageError(
            f"{len(known)} runs of searchgen are landed",
            expected=", ".join(known),
            fix="add --run RUN_ID",
        )
    if asked is not None and asked not in known:
        raise UsageError(f"run `{asked}` is not landed", expected=", ".join(known))
    return asked or known[0]


def load(state: Path, run_id: str) -> Release:
    """Return all rows of one run out of the folder of a promoted state.

    Raises:
        InputError: when the state has no boards of that run, or two of its models share a
            public id.
    """
    with passport_cells.opened(state) as connection:
        return read(connection, run_id)


def place(out: Path, content: dict[str, bytes]) -> Export:
    """Make a folder hold exactly these files, all at once.

    Args:
        out: folder that is made or replaced.
        content: what `contents` returned.

    Raises:
        InputError: when `out` holds anything but an earlier export.
    """
    check_target(out)
    is_changed = folders.replace(out, content, owned=FILES)
    return Export(out, {name: len(one) for name, one in content.items()}, is_changed)


def check_target(out: Path) -> None:
    """Refuse a folder that holds anything but an earlier export.

    A release of the benchmark by another tool has the same file names, and is no less foreign.

    Raises:
        InputError: when it does.
    """
    folders.check_owned(out.absolute(), FILES)
    if not out.exists() or not any(out.iterdir()):
        return
    try:
        producer = jsonl.read_json(out / MANIFEST).get("producer")
    except (OSError, jsonl.StrictJsonError):
        producer = None
    if producer != PRODUCER:
        raise InputError(
            f"`{out}` holds a release that Podium did not write",
            expected=f'`"producer": "{PRODUCER}"` in its {MANIFEST}',
            fix="choose another folder, or clear this one",
        )


def read(connection: duckdb.DuckDBPyConnection, run_id: str) -> Release:
    """Return all rows of one run.

    Raises:
        InputError: when there are none, or two models share a public id.
    """
    tables = {
        name: rows_of(connection, f"select * from published.main.{mart} where run_id = ?", run_id)
        for name, mart in (
            ("run", "dim_searchgen__runs"),
            ("models", "dim_searchgen__models"),
            ("scores", "fct_searchgen__prompt_scores"),
            ("tags", "bridge_searchgen__prompt_tags"),
            ("boards", "rpt_searchgen__leaderboards"),
        )
    }
    if not tables["run"] or not tables["boards"]:
        raise InputError(f"run `{run_id}` has no boards", fix="podium build")
    models = sorted(tables["models"], key=lambda one: (one["model_order"], one["source_id"]))
    ids = [one["model_id"] for one in models]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise InputError(
            f"models of `{run_id}` share a public id: {', '.join(twice)}",
            expected="one model_id a model, the key of published files",
            fix="name them apart in models.yml and land the release again",
        )
    return Release(tables["run"][0], models, tables["scores"], tables["tags"], tables["boards"])


def contents(release: Release, known: Provenance) -> dict[str, bytes]:
    """Return the bytes of every file by its name, the manifest last."""
    whole_name = release.run["whole_slice_name"]
    prompts = searchgen_records.prompt_records(release.scores, release.tags)
    boards = searchgen_boards.board_files(release.boards, whole_name)
    policies = searchgen_boards.policy_records(release.boards, whole_name)
    files = {
        PROMPT_SCORES: jsonl.published_lines(prompts),
        **{name: jsonl.published_document(boards[name]) for name in BOARDS if name in boards},
        POLICIES: jsonl.published_lines(policies),
        INPUTS: jsonl.published_lines(asdict(one) for one in sorted(known.inputs)),
    }
    artifacts = {
        name: {"bytes": len(content), "sha256": storage.sha256_bytes(content)}
        for name, content in files.items()
    }
    manifest = searchgen_manifest.manifest(
        release.run, release.models, release.boards, prompts, artifacts, known
    )
    return {**files, MANIFEST: jsonl.published_document(manifest)}
