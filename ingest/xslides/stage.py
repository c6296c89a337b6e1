"""What all stages share: their settings, their report and how they tell progress."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from warehouse import jsonl, storage
from warehouse.errors import UsageError
from warehouse.findings import Finding, Outcome

Progress = Callable[[str, int, int], None]
T = TypeVar("T")
AUTO, TEXT, IMAGE = "auto", "text", "image"
JUDGE_INPUTS = (AUTO, TEXT, IMAGE)
# The check of a run that ended before its work did.
STOPPED = "judge_was_not_stopped"
_AT_LEAST_ONE = (
    "probe_passes",
    "weight_samples",
    "batch_size",
    "repeats",
    "source_chars",
    "max_chunks",
)


def utc_now() -> str:
    """Return the time as ISO 8601 with seconds; it is written to volatile fields only."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Settings:
    """Every knob of the stages; the defaults are those of the benchmark.

    Attributes:
        select: `field:value` filters on source metadata (case, scene, category, topic).
        variant: name after `@` in the case folders that probes and weights go to.
        source_chars: extracted source characters kept after parsing.
        chunk_chars: characters of one chunk; 0 sends the whole source at once.
        chunk_overlap: characters that neighbouring chunks share.
        max_chunks: most generation requests per source, all passes counted.
        probe_passes: independent generation passes k per chunk.
        weight_samples: independent utility judgments k per probe and audience.
        batch_size: probes or claims in one judge request.
        repeats: answerability judgments per probe; those after the first measure repeatability.
        judge_input: text, image, or auto (pictures for a deck without visible text).
        order_seed: draws the order in which cases are worked on.
        snippets_per_claim: source passages that a claim is held against.
        tau_a: headline threshold on utility weights, recorded in the manifests.
        force: redo finished units.
        correctness_cache_dir: folder of claim judgments; None is inside the run folder.
        code_version: version that the manifests record.
        clock: gives the time for volatile fields.
    """

    select: tuple[str, ...] = ()
    variant: str | None = None
    source_chars: int = 1_000_000
    chunk_chars: int = 0
    chunk_overlap: int = 0
    max_chunks: int = 500
    probe_passes: int = 3
    weight_samples: int = 3
    batch_size: int = 12
    repeats: int = 1
    judge_input: str = "auto"
    order_seed: int = 0
    snippets_per_claim: int = 5
    tau_a: Decimal = Decimal("0.7")
    force: bool = False
    correctness_cache_dir: Path | None = None
    code_version: str = "unknown"
    clock: Callable[[], str] = field(default=utc_now, compare=False)

    def __post_init__(self) -> None:
        for name in _AT_LEAST_ONE:
            if getattr(self, name) < 1:
                raise UsageError(
                    f"setting `{name}` must be at least 1", got=str(getattr(self, name))
                )
        if self.judge_input not in JUDGE_INPUTS:
            raise UsageError(
                f"there is no judge input `{self.judge_input}`", expected=", ".join(JUDGE_INPUTS)
            )
        if not 0 <= self.tau_a <= 1:
            raise UsageError("setting `tau_a` must lie between 0 and 1", got=str(self.tau_a))


@dataclass(frozen=True)
class StageReport:
    """What one stage did.

    Attributes:
        stage: sources, probes, weights, decks or evaluate.
        done: units made in this run.
        skipped: units that were there already, with the same inputs and settings.
        failed: units that could not be made; each has a finding.
        findings: what is not as it should be.
        notes: what a person may want to know and no check minds.
    """

    stage: str
    done: int = 0
    skipped: int = 0
    failed: int = 0
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """Return the report as JSON-serialisable fields."""
        record = asdict(self)
        record["findings"] = [
            {**asdict(finding), "outcome": finding.outcome.value} for finding in self.findings
        ]
        return record


class Tally:
    """Counts one stage while it runs; `report()` freezes it. Callable from several threads."""

    def __init__(self, stage: str, total: int, progress: Progress | None) -> None:
        self._stage = stage
        self._total = total
        self._progress = progress
        self._counts = {"done": 0, "skipped": 0, "failed": 0}
        self._findings: list[Finding] = []
        self._notes: list[str] = []
        self._guard = threading.Lock()

    def count(self, how: str) -> None:
        """Count one unit as `done`, `skipped` or `failed` and tell the progress."""
        with self._guard:
            self._counts[how] += 1
            if self._progress is not None:
                self._progress(self._stage, sum(self._counts.values()), self._total)

    def find(self, *findings: Finding) -> None:
        """Keep findings."""
        with self._guard:
            self._findings.extend(findings)

    def note(self, *notes: str) -> None:
        """Keep notes."""
        with self._guard:
            self._notes.extend(notes)

    def report(self) -> StageReport:
        """Return the report; equal findings and notes are told once, sorted by what they are of.

        Sorted, because cases are worked on in a drawn order and several at once.
        """
        return StageReport(
            stage=self._stage,
            findings=tuple(sorted(_unique(self._findings), key=_finding_key)),
            notes=tuple(sorted(_unique(self._notes))),
            **self._counts,
        )


def incomplete(check: str, subject: str, message: str, file: str | None = None) -> Finding:
    """Return a finding about something that is missing, so that the command exits with 4."""
    return Finding(check, subject, message, file, outcome=Outcome.INCOMPLETE)


def fingerprint(value: Any) -> str:
    """Return the hash of what a unit was made of; equal hashes make it skippable."""
    return storage.sha256_bytes(jsonl.canonical(value).encode("utf-8"))


def read_status(path: Path) -> dict[str, Any]:
    """Return a status file, or an empty record when it is absent or torn."""
    try:
        return jsonl.read_json(path)
    except (OSError, jsonl.StrictJsonError):
        return {}


def batches(count: int, size: int) -> list[slice]:
    """Return slices that cut `count` items into runs of at most `size`."""
    return [slice(start, start + size) for start in range(0, count, size)]


def stopped(subject: str, reason: str) -> Finding:
    """Return the finding that the judge may not be asked any more."""
    return incomplete(STOPPED, subject, reason)


def _finding_key(finding: Finding) -> tuple[str, str, str, int, str]:
    where = (finding.file or "", finding.line or 0)
    return finding.subject, finding.check, *where, finding.message


def _unique(items: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(items))
