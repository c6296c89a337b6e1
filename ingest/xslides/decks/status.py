"""What is known about the making of each deck: one status file a row, one summary a batch.

Under `runs/<run>/deck_generation/`:

    status/<system>/<condition>/<audience>/<case>.json
    batches/<start>-<random>.json
    work/<row>/...

A row has a file of its own, so that runners of different shards never write the same one.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from ingest.xslides.quick_files import put_json
from ingest.xslides.stage import fingerprint, read_status
from ingest.xslides.tree import ArtifactTree, DeckKey
from warehouse import jsonl

FOLDER = "deck_generation"


class RowStatus(StrEnum):
    """How the making of one deck ended. `placing` is left by a kill in the very last step."""

    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    NO_OUTPUT = "no_output"
    NOT_A_DECK = "not_a_deck"
    INTERRUPTED = "interrupted"
    PLACING = "placing"


@dataclass(frozen=True)
class RowRecord:
    """The status of one row.

    Attributes:
        key: which deck.
        status: how it ended.
        message: one sentence for people; empty when there is nothing to say.
        exit_code: of the command; None when none ran to its end.
        seconds: wall time of the command.
        deck_path: the deck, relative to the data root; empty when there is none.
        deck_sha256: hash of the deck that this runner put there last, now or before; empty when
            it never put one there, so that any other deck is known to be foreign.
        inputs: hashes of source, prompt and command that the status is about.
        stdout_tail, stderr_tail: the end of what the command said, without secrets.
        staged: the finished deck on its way, while the status is `placing`.
        started_at, ended_at: volatile.
    """

    key: DeckKey
    status: RowStatus
    message: str = ""
    exit_code: int | None = None
    seconds: float | None = None
    deck_path: str = ""
    deck_sha256: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    stdout_tail: str = ""
    stderr_tail: str = ""
    staged: str = ""
    started_at: str = ""
    ended_at: str = ""

    def as_record(self) -> dict[str, Any]:
        """Return the record as JSON-serialisable fields."""
        fields = asdict(replace(self, inputs=()))
        key = fields.pop("key")
        return {"producer": "podium", **key, **fields, "inputs": dict(self.inputs)}


def read_record(tree: ArtifactTree, run: str, key: DeckKey) -> RowRecord | None:
    """Return the record of a row, or None when there is none that can be read."""
    stated = read_status(status_file(tree, run, key))
    try:
        inputs = stated["inputs"]
        return RowRecord(
            key,
            RowStatus(stated["status"]),
            message=str(stated["message"]),
            exit_code=stated["exit_code"],
            seconds=stated["seconds"],
            deck_path=str(stated["deck_path"]),
            deck_sha256=str(stated["deck_sha256"]),
            inputs=tuple((str(name), str(value)) for name, value in inputs.items()),
            staged=str(stated["staged"]),
            started_at=str(stated["started_at"]),
            ended_at=str(stated["ended_at"]),
        )
    except (KeyError, ValueError, AttributeError):
        return None


def write_record(tree: ArtifactTree, run: str, record: RowRecord) -> None:
    """Write the record of a row durably, in one step."""
    jsonl.write_json(status_file(tree, run, record.key), record.as_record())


def status_file(tree: ArtifactTree, run: str, key: DeckKey) -> Path:
    """Return the status file of a row."""
    parts = (key.system_id, key.condition, key.audience, f"{key.case_label}.json")
    return generation_folder(tree, run).joinpath("status", *parts)


def work_folder(tree: ArtifactTree, run: str, key: DeckKey) -> Path:
    """Return the folder that holds the attempts of a row; short, whatever its names are."""
    return generation_folder(tree, run) / "work" / fingerprint(asdict(key))[:16]


def generation_folder(tree: ArtifactTree, run: str) -> Path:
    """Return the folder of everything about the making of a run's decks."""
    return tree.run_folder(run) / FOLDER


def write_batch(
    tree: ArtifactTree, run: str, records: Sequence[RowRecord], about: dict[str, Any]
) -> Path:
    """Write the summary of one batch to a file of its own; return the file."""
    rows = [
        {
            **asdict(record.key),
            "status": record.status.value,
            "message": record.message,
            "exit_code": record.exit_code,
            "seconds": record.seconds,
            "deck_sha256": record.deck_sha256,
        }
        for record in sorted(records, key=lambda one: one.key)
    ]
    counts = Counter(record.status.value for record in records)
    stamp = "".join(one for one in str(about["started_at"])[:19] if one.isalnum())
    folder = generation_folder(tree, run) / "batches"
    path = folder / f"{stamp}-{secrets.token_hex(4)}.json"
    summary = {
        "producer": "podium",
        "run": run,
        **about,
        "counts": {status.value: counts[status.value] for status in RowStatus},
        "rows": rows,
    }
    put_json(path, summary)
    return path
