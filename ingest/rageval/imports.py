"""What is imported into `rageval`: which run it makes, and the rows that all imports share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.names import check_name
from ingest.row_fields import provenance_of
from warehouse import identity, jsonl
from warehouse.contracts.xslides_values import JUDGE_KINDS
from warehouse.errors import UsageError
from warehouse.landing import Row

UNSTATED = "unstated"


@dataclass(frozen=True)
class ImportOptions:
    """How to land what another tool made.

    Attributes:
        dataset_id: name of the data set; None takes the stem of the file.
        run: name of the run.
        system_id: system that answered; None takes the stem of the file.
        judge_id: who judged; `unstated` when nothing says it.
        judge_kind: kind of the judge.
        replace: take over units that were landed from another folder.
        accept_removals: land a unit although it lost rows.
        code_version: version that manifests record.
    """

    dataset_id: str | None = None
    run: str = "imported"
    system_id: str | None = None
    judge_id: str = UNSTATED
    judge_kind: str = UNSTATED
    replace: bool = False
    accept_removals: bool = False
    code_version: str = "unknown"

    def __post_init__(self) -> None:
        if self.judge_kind not in JUDGE_KINDS:
            raise UsageError(
                f"`{self.judge_kind}` is no kind of judge", expected=", ".join(JUDGE_KINDS)
            )


@dataclass(frozen=True)
class ImportedRun:
    """One system of one imported run, and who judged its answers.

    Attributes:
        dataset_id: data set.
        run: name of the run.
        system_id: system that answered.
        judge_id: who judged.
        judge_kind: kind of the judge.
        source_file: file that it came from.
    """

    dataset_id: str
    run: str
    system_id: str
    judge_id: str
    judge_kind: str
    source_file: str

    @property
    def run_id(self) -> str:
        """Return `<dataset_id>/<run>`."""
        return f"{self.dataset_id}/{self.run}"

    @property
    def key(self) -> Row:
        """Return the columns that all rows about answers share."""
        return {
            "run_id": self.run_id,
            "dataset_id": self.dataset_id,
            "system_id": self.system_id,
        }

    def evaluation_config_id(self, metric: str) -> str:
        """Return the id of how answers were judged: nothing but the judge is known."""
        return identity.content_id("config", "imported", metric, self.judge_id, self.judge_kind)

    def run_row(self, question_count: int) -> Row:
        """Return the row of `rageval/runs`."""
        settings = {"source": "imported"}
        return {
            **self.key,
            "variant": None,
            "embedder_id": None,
            "is_surrogate": False,
            "generator_id": None,
            "generator_kind": UNSTATED,
            "configuration": jsonl.canonical(settings),
            "configuration_id": identity.content_id("configuration", settings),
            "question_count": question_count,
            **provenance_of(self.source_file),
        }

    def answer_row(self, question_id: str, answer: str | None, line: int | None = None) -> Row:
        """Return a row of `rageval/answers`; a blank answer is a missing one."""
        is_there = answer is not None and bool(answer.strip())
        return {
            **self.key,
            "question_id": question_id,
            "answer_status": "answered" if is_there else "missing",
            "answer": answer if is_there else None,
            "is_refusal": False,
            "citations": [],
            "cited_pages": [],
            "invalid_reason": None,
            **provenance_of(self.source_file, line),
        }

    def judgment_row(self, question_id: str, metric: str, **found: Any) -> Row:
        """Return a row of `rageval/judgments`.

        Args:
            question_id: question that was answered.
            metric: what was judged for.
            found: judgment_status, status_reason, the counts, source_line where they are known.
        """
        config_id = self.evaluation_config_id(metric)
        row: Row = {
            "judgment_id": identity.content_id(
                "judgment", self.run_id, self.system_id, question_id, metric, config_id, 1
            ),
            **self.key,
            "question_id": question_id,
            "metric": metric,
            "repeat_number": 1,
            "judgment_status": "scored",
            "status_reason": None,
            "judge_id": self.judge_id,
            "judge_kind": self.judge_kind,
            "evaluation_config_id": config_id,
            "prompt_sha256": None,
            "reference_count": None,
            "response_count": None,
            "passage_count": None,
            "call_count": 0,
            "input_tokens": None,
            "output_tokens": None,
            "cost_usd": None,
            **provenance_of(self.source_file),
        }
        return row | found


def imported_run(options: ImportOptions, file: Path) -> ImportedRun:
    """Return which run a file makes: options first, then its name."""
    return ImportedRun(
        check_name("dataset", options.dataset_id or file.stem),
        check_name("run", options.run),
        check_name("system", options.system_id or file.stem),
        options.judge_id,
        options.judge_kind,
        file.name,
    )
