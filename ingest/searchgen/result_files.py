"""One evaluation file or the lack of one: a status, a reason, and the bytes that were hashed.

Each file is opened once, without following a link, and what is hashed is what is parsed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ingest.searchgen.component_scores import Components, InvalidEvaluationError
from ingest.searchgen.extractors import Extract
from warehouse import jsonl
from warehouse.contracts.searchgen_values import COMPONENTS, MISSING_STATUSES, SCORED
from warehouse.jsonl import StrictJsonError

MISSING_GENERATION, MISSING_EVALUATION, INVALID_EVALUATION = MISSING_STATUSES
MAX_BYTES = 8 * 1024 * 1024
NO_COMPONENTS: Components = dict.fromkeys(COMPONENTS)
_UTF8_BOM = b"\xef\xbb\xbf"
# Waiting for the writer of a pipe that somebody put in place of a file would never end.
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MESSAGE_LIMIT = 300


@dataclass(frozen=True)
class Outcome:
    """What became of one pair of prompt and model; `sha256` and `bytes` are of the file."""

    status: str
    reason: str | None
    components: Components
    sha256: str | None = None
    bytes: int = 0


def missing(status: str, reason: str) -> Outcome:
    """Return the outcome of a pair that has no evaluation."""
    return Outcome(status, reason, NO_COMPONENTS)


def invalid(reason: str, message: str, sha256: str | None = None, size: int = 0) -> Outcome:
    """Return the outcome of an evaluation that cannot be used."""
    text = f"{reason}: {message}".encode("ascii", "backslashreplace").decode()
    shown = "".join(one if one.isprintable() else " " for one in text)
    return Outcome(INVALID_EVALUATION, shown[:_MESSAGE_LIMIT], NO_COMPONENTS, sha256, size)


def read_result(folder: str, name: str, extract: Extract, weights: Mapping[str, Any]) -> Outcome:
    """Return the outcome of one folder of results.

    Args:
        folder: folder of one generation.
        name: name of the evaluation file.
        extract: makes components of a parsed evaluation.
        weights: weights of the prompt's rubric.
    """
    try:
        content = _read(f"{folder}/{name}")
    except FileNotFoundError:
        return _without_evaluation(folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return invalid("symbolic_link", "the evaluation is a link, and links are not followed")
        return invalid("unreadable_file", error.strerror or type(error).__name__)
    except ValueError as error:
        return invalid("unreadable_file", str(error))
    digest = hashlib.sha256(content).hexdigest()
    try:
        evaluation = jsonl.parse(content.removeprefix(_UTF8_BOM))
        if not isinstance(evaluation, dict):
            raise StrictJsonError("not_an_object", "the file does not hold a JSON object")
        components = extract(evaluation, weights)
    except (StrictJsonError, InvalidEvaluationError) as error:
        return invalid(error.reason, str(error), digest, len(content))
    return Outcome(SCORED, None, components, digest, len(content))


def _read(path: str) -> bytes:
    handle = os.open(path, _FLAGS)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise ValueError("it is no regular file")
        if info.st_size > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        # One byte more than was promised tells a file that grows.
        content = os.read(handle, info.st_size + 1)
        if len(content) != info.st_size:
            raise ValueError("it changed while it was read")
        return content
    finally:
        os.close(handle)


def _without_evaluation(folder: str) -> Outcome:
    """Tell an empty folder from one that holds something else than an evaluation."""
    try:
        with os.scandir(folder) as entries:
            holds_files = any(not one.name.startswith(".") for one in entries)
    except OSError as error:
        return invalid("unreadable_file", error.strerror or type(error).__name__)
    if holds_files:
        return missing(MISSING_EVALUATION, "no_evaluation_file")
    return missing(MISSING_GENERATION, "empty_folder")
