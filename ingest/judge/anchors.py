"""Anchors: a frozen set of items, judged anew now and then, to see whether a judge drifts.

The hash of the file of items names the set. Each anchor run has a folder of its own, with a
reply cache of its own: nothing is answered from an earlier run, and a run that was killed goes
on without asking anything twice.

    anchor_runs/<anchor_run_id>/anchor_run.json   who judges which set, written first
                                /replies/         reply cache
                                /verdicts.jsonl   one row an item, written last
"""

from __future__ import annotations

import csv
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ingest.judge.acceptance.items import COVERED, UNCOVERED, Item, read_items
from ingest.judge.acceptance.judging import Outcome, Progress, judge_items
from ingest.judge.exchange import (
    CLAIM_LABELS,
    AnswerabilityJudgment,
    AnswerabilityRequest,
    ClaimJudgment,
    Reply,
    ReplyStatus,
    Task,
    VerificationRequest,
)
from ingest.judge.interface import Judge, JudgeStoppedError
from warehouse import jsonl, storage
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths

HEADER = (
    "id", "kind", "source", "question", "answer", "deck", "expected_verdict", "claim", "snippets",
    "expected_label",
)  # fmt: skip
MAX_BYTES = 16 * 1024 * 1024
RUN_FILE, VERDICTS_FILE, REPLIES = "anchor_run.json", "verdicts.jsonl", "replies"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_EXPECTED = {True: (COVERED, UNCOVERED), False: CLAIM_LABELS[:-1]}
Served = Callable[[str], str | None]
TASKS = (Task.ANSWERABILITY, Task.VERIFICATION)
"""What anchors ask: questions to decks, and claims to hold against passages."""


@dataclass(frozen=True)
class Identity:
    """Who judges: the kind, and id and prompt hash by task."""

    judge_kind: str
    judges: dict[str, dict[str, str]]

    @classmethod
    def of(
        cls, judge_kind: str, id_of: Callable[[Task], str], prompt_sha256: Callable[[Task], str]
    ) -> Identity:
        """Return the identity of whoever answers to these ids and hashes."""
        judges = {
            task.value: {"id": id_of(task), "prompt_sha256": prompt_sha256(task)} for task in TASKS
        }
        return cls(judge_kind, judges)


@dataclass(frozen=True)
class AnchorSet:
    """Items that a judge is held to again and again; `sha256` is that of their file."""

    name: str
    sha256: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class AnchorRun:
    """Who judges which set, as written before anything is asked.

    Attributes:
        anchor_run_id: name of the run's folder.
        set_name: name of the file of items.
        set_sha256: hash of the file of items.
        started_at: time in UTC, which orders the runs of a judge.
        judge_kind: kind of the judge.
        judges: id and prompt hash of the judge by task.
    """

    anchor_run_id: str
    set_name: str
    set_sha256: str
    started_at: str
    judge_kind: str
    judges: dict[str, dict[str, str]]

    def is_of(self, who: Identity, anchors: AnchorSet) -> bool:
        """Return whether the run is one of this judge and set."""
        same_judge = Identity(self.judge_kind, self.judges) == who
        return same_judge and self.set_sha256 == anchors.sha256


def read_anchor_set(path: Path) -> AnchorSet:
    """Return the items of a file in the format of the acceptance kit.

    Raises:
        InputError: when it cannot be read, is too large, lacks a column, states an unknown kind
            or truth, or names an item twice.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(
                f"`{path.name}` is too large", expected=f"{MAX_BYTES} bytes", got=f"{size}"
            )
        with path.open(encoding="utf-8", newline="") as handle:
            header = tuple(next(csv.reader(handle), ()))
        if header != HEADER:
            raise InputError(
                f"`{path.name}` has other columns", expected=",".join(HEADER), got=",".join(header)
            )
        items = read_items(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"anchors `{path.name}` cannot be read", got=str(error)) from None
    _check(path, items)
    return AnchorSet(path.stem, storage.sha256_file(path), items)


def open_run(paths: WarehousePaths, who: Identity, anchors: AnchorSet, name: str | None) -> Path:
    """Return the folder of the run to go on with, or of a new one.

    Args:
        paths: the warehouse, which holds the runs.
        who: who is asked.
        anchors: what is asked.
        name: id of the run; None goes on with the newest unfinished one of this judge and set,
            else starts one that is named by the time.

    Raises:
        UsageError: when the name cannot be a folder, or its run is finished or another judge's.
    """
    folder = paths.root / "anchor_runs"
    if name is None:
        for path in sorted(folder.glob(f"*/{RUN_FILE}"), reverse=True):
            is_finished = (path.parent / VERDICTS_FILE).exists()
            if not is_finished and read_run(path.parent).is_of(who, anchors):
                return path.parent
        name = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    if not _NAME.fullmatch(name):
        raise UsageError(f"`{name}` cannot name a run", expected="letters, digits, `.`, `_`, `-`")
    target = folder / name
    if (target / RUN_FILE).exists():
        _check_same(read_run(target), target, who, anchors)
        return target
    started_at = datetime.now(UTC).isoformat(timespec="microseconds")
    run = AnchorRun(name, anchors.name, anchors.sha256, started_at, who.judge_kind, who.judges)
    jsonl.write_json(target / RUN_FILE, asdict(run))
    return target


def read_run(folder: Path) -> AnchorRun:
    """Return what a run's folder says of it.

    Raises:
        InputError: when its file cannot be read.
    """
    try:
        return AnchorRun(**jsonl.read_json(folder / RUN_FILE))
    except (OSError, TypeError, jsonl.StrictJsonError) as error:
        raise InputError(
            f"anchor run `{folder.name}` cannot be read",
            got=str(error),
            fix=f"remove the folder `{folder}`",
        ) from None


def judge_anchors(
    judge: Judge, anchors: AnchorSet, folder: Path, served: Served, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Ask a judge about every item, write the verdicts of the run, and return them.

    Args:
        judge: who is asked; its replies are kept in the folder of the run, if anywhere.
        anchors: what is asked.
        folder: folder of the run.
        served: gives the model that answered a request key; None where nobody knows.
        progress: told after each question.

    Raises:
        JudgeStoppedError: when the judge may not be asked any more, or an item got no answer at
            all, which says nothing of the judge; the run is unfinished then.
    """
    run = read_run(folder)
    recorder = _Recorder(judge)
    outcomes = judge_items(cast(Judge, recorder), anchors.items, anchors.name, progress)
    if recorder.unanswered:
        raise JudgeStoppedError(
            f"{len(recorder.unanswered)} of {len(outcomes)} anchors got no answer",
            got=recorder.message,
            fix="give the same command again; what was answered is kept",
        )
    rows = [_row(run, one, recorder, served) for one in outcomes]
    jsonl.write_jsonl(folder / VERDICTS_FILE, rows)
    return rows


def _row(run: AnchorRun, one: Outcome, recorder: _Recorder, served: Served) -> dict[str, Any]:
    task = Task.VERIFICATION if one.kind == "claims" else Task.ANSWERABILITY
    request_key, asked_at = recorder.asked.get(one.item_id, (None, run.started_at))
    return {
        "item_id": one.item_id,
        "kind": one.kind,
        "task": task.value,
        "expected": one.expected,
        "verdict": one.got,
        "is_correct": one.is_correct,
        "model_served": None if request_key is None else served(request_key),
        "asked_at": asked_at,
    }


class _Recorder:
    """Stands before a judge and notes which request gave the judgment of an item, and when."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._guard = threading.Lock()
        self.asked: dict[str, tuple[str | None, str]] = {}
        self.unanswered: set[str] = set()
        self.message = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        """Ask, and note the probes of the request."""
        reply = self._judge.judge_answerability(request)
        self._note([one.probe_id for one in request.probes], reply)
        return reply

    def verify_claims(self, request: VerificationRequest) -> Reply[ClaimJudgment]:
        """Ask, and note the claims of the request."""
        reply = self._judge.verify_claims(request)
        self._note([one.claim.claim_id for one in request.claims], reply)
        return reply

    def _note(self, ids: Sequence[str], reply: Reply[Any]) -> None:
        key = reply.request.get("request_key")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._guard:
            self.asked.update(dict.fromkeys(ids, (key, now)))
            if reply.status is ReplyStatus.FAILED:
                self.unanswered.update(ids)
                self.message = reply.message


def _check(path: Path, items: Sequence[Item]) -> None:
    seen: set[str] = set()
    for item in items:
        allowed = _EXPECTED[item.probe is not None]
        if item.expected not in allowed:
            raise InputError(
                f"`{path.name}`: truth of `{item.item_id}`",
                expected=", ".join(allowed),
                got=item.expected,
            )
        if not item.item_id.strip() or item.item_id in seen:
            raise InputError(f"`{path.name}`: id `{item.item_id}` is blank or stands twice")
        seen.add(item.item_id)
    if not items:
        raise InputError(f"`{path.name}` holds no item")


def _check_same(run: AnchorRun, folder: Path, who: Identity, anchors: AnchorSet) -> None:
    if not run.is_of(who, anchors):
        raise UsageError(
            f"anchor run `{folder.name}` is of another judge or set", fix="choose another --name"
        )
    if (folder / VERDICTS_FILE).exists():
        raise UsageError(
            f"anchor run `{folder.name}` is finished", fix="choose another --name, or leave it out"
        )
