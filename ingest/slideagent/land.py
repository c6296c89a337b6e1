"""Landing of slideagent: questions and answers of one run, and what was read out of both.

A run is one unit, `<dataset_id>/runs/<run>`, since a comparison hangs on both files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.land_fields import FileReader
from ingest.landing_units import LandReport, UnitLander
from ingest.names import check_name
from ingest.numbers.decisions import NumericDecision
from ingest.row_fields import provenance_of
from ingest.shrunken_tables import shrunken_tables
from ingest.slideagent import layouts
from ingest.slideagent.comparisons import Readings, comparison_rows, number_rows
from ingest.slideagent.mapping import Mapping
from ingest.slideagent.native import Stated
from ingest.slideagent.records import Answer, Question
from warehouse import manifests
from warehouse.contracts import slideagent as contracts
from warehouse.errors import InputError
from warehouse.landing import Chunk, Reject, RejectLog, Row, keep_unique
from warehouse.paths import WarehousePaths

BENCHMARK = "slideagent"
LANDER = 1
"""Raised when the same files give other rows."""


@dataclass(frozen=True)
class LandOptions:
    """How to land.

    Attributes:
        dataset_id: artifact root; None takes the name of the questions' folder.
        run: name of the run.
        layout: native, slidevqa or tatqa.
        stated: question set, system and setting of rows that do not say them.
        mapping: names of fields in the files.
        replace: take over a run that was landed from another folder.
        accept_removals: land a run although it lost rows.
        code_version: version that manifests record.
    """

    dataset_id: str | None = None
    run: str = "run"
    layout: str = layouts.NATIVE
    stated: Stated = field(default_factory=Stated)
    mapping: Mapping = field(default_factory=Mapping)
    replace: bool = False
    accept_removals: bool = False
    code_version: str = "unknown"


def land(
    paths: WarehousePaths, questions: Path, answers: Sequence[Path], options: LandOptions
) -> LandReport:
    """Land questions with the answers of one or several systems.

    Args:
        paths: the warehouse.
        questions: file of questions.
        answers: files of answers, in one folder with the questions or below it.
        options: see LandOptions.

    Returns:
        What was landed; a run that lost rows is not landed and is a finding.

    Raises:
        InputError: when a file cannot be read, or lies elsewhere.
        UsageError: when the run was landed from another folder and `replace` is off.
    """
    root = questions.resolve().parent
    files = [questions.resolve(), *(one.resolve() for one in answers)]
    outside = next((one for one in files if not one.is_relative_to(root)), None)
    if outside is not None:
        raise InputError(
            f"`{outside.name}` lies in another folder than the questions",
            expected=f"a file below {root}",
            fix="put questions and answers into one folder",
        )
    dataset_id = check_name("dataset", options.dataset_id or root.name)
    run = check_name("run", options.run)
    unit = f"{dataset_id}/runs/{run}"
    reader = FileReader(root, RejectLog(BENCHMARK, dataset_id, unit))
    read = _Run(dataset_id, run, reader, Readings())
    read.add_questions(files[0], options)
    for path in files[1:]:
        read.add_answers(path, options)
    report = LandReport(dataset_id)
    lander = UnitLander(
        paths,
        BENCHMARK,
        str(root),
        report,
        lambda old, new: shrunken_tables((contracts.QUESTIONS, contracts.ANSWERS), old, new),
        options.replace,
        options.accept_removals,
        options.code_version,
    )
    settings = {
        "lander": LANDER,
        "layout": options.layout,
        "stated": vars(options.stated),
        "mapping": options.mapping.as_record(),
        "number_policy": read.readings.policy.name,
    }
    inputs = [manifests.hash_file(one, root) for one in files]
    lander.land(unit, inputs, read.chunks, settings)
    return report


@dataclass
class _Run:
    """One run on its way into landing."""

    dataset_id: str
    run: str
    reader: FileReader
    readings: Readings
    questions: dict[tuple[str, str], Question] = field(default_factory=dict)
    decisions: dict[tuple[str, str], NumericDecision] = field(default_factory=dict)
    question_rows: list[Row] = field(default_factory=list)
    answers: list[tuple[Answer, str]] = field(default_factory=list)

    @property
    def ids(self) -> Row:
        """Return the columns that all rows share."""
        return {"run_id": f"{self.dataset_id}/{self.run}", "dataset_id": self.dataset_id}

    def add_questions(self, path: Path, options: LandOptions) -> None:
        """Read questions; all copies of a repeated one are set aside."""
        found = layouts.read_questions(
            path, options.layout, options.stated, options.mapping.questions, self.reader
        )
        file = self.reader.relative(path)
        by_key = {one.key: one for one in found}
        self.decisions = {key: self.readings.decision(one) for key, one in by_key.items()}
        rows = [self._question_row(one, file) for one in found]
        self.question_rows = keep_unique(
            contracts.QUESTIONS, rows, self.reader.log, subject="question_id"
        )
        kept = {(row["dataset"], row["question_id"]) for row in self.question_rows}
        self.questions = {key: one for key, one in by_key.items() if key in kept}

    def add_answers(self, path: Path, options: LandOptions) -> None:
        """Read answers; one to a question that is not landed is set aside."""
        file = self.reader.relative(path)
        found = layouts.read_answers(
            path, options.layout, options.stated, options.mapping.answers, self.reader
        )
        for one in found:
            if one.question_key in self.questions:
                self.answers.append((one, file))
                continue
            self.reader.log.add(
                Reject(
                    contracts.ANSWERS.table,
                    "unknown_question",
                    f"{one.dataset}/{one.question_id}/{one.system_id}"[:200],
                    "it answers a question that is not landed",
                    file,
                    one.line,
                    one.answer,
                )
            )

    def chunks(self, log: RejectLog) -> Iterator[Chunk]:
        """Yield all tables of the run."""
        answer_rows = [self._answer_row(one, file) for one, file in self.answers]
        unique = keep_unique(contracts.ANSWERS, answer_rows, self.reader.log, subject="question_id")
        names = contracts.ANSWERS.key
        kept = {tuple(row[name] for name in names) for row in unique}
        pairs = [
            (row, answer)
            for row, (answer, _) in zip(answer_rows, self.answers, strict=True)
            if tuple(row[name] for name in names) in kept
        ]
        log.rejects += self.reader.log.rejects
        yield contracts.QUESTIONS, self.question_rows, None
        yield contracts.ANSWERS, unique, None
        yield contracts.NUMBERS, [*self._gold_numbers(), *self._said_numbers(pairs)], None
        yield contracts.COMPARISONS, list(self._comparisons(pairs)), None

    def _comparisons(self, pairs: list[tuple[Row, Answer]]) -> Iterator[Row]:
        for row, answer in pairs:
            question = self.questions[answer.question_key]
            is_numeric = self.decisions[question.key].is_numeric
            for one in comparison_rows(question, answer, is_numeric, self.readings):
                yield {**_without(row, ("answer", "pages")), **one}

    def _gold_numbers(self) -> Iterator[Row]:
        for row in self.question_rows:
            question = self.questions[row["dataset"], row["question_id"]]
            for number, golds in enumerate(question.gold_answers, start=1):
                common = {"side": "gold", "system_id": "", "setting": "", "answer_number": number}
                for one in number_rows(golds, question, self.readings):
                    yield {**self._place(row), **common, **one}

    def _said_numbers(self, pairs: list[tuple[Row, Answer]]) -> Iterator[Row]:
        for row, answer in pairs:
            question = self.questions[answer.question_key]
            common = {
                "side": "answer",
                "system_id": answer.system_id,
                "setting": answer.setting,
                "answer_number": 1,
            }
            for one in number_rows(answer.answer, question, self.readings):
                yield {**self._place(row), **common, **one}

    def _place(self, row: Row) -> Row:
        names = ("run_id", "dataset_id", "dataset", "question_id", "source_file", "source_line")
        return {name: row[name] for name in names}

    def _question_row(self, one: Question, file: str) -> Row:
        decision = self.decisions[one.key]
        return {
            **self.ids,
            "dataset": one.dataset,
            "question_id": one.question_id,
            "question": one.question,
            "gold_answers": list(one.gold_answers),
            "gold_mode": one.gold_mode,
            "gold_pages": list(one.gold_pages),
            "question_type": one.question_type,
            "page_count": one.page_count,
            "is_numeric": decision.is_numeric,
            "numeric_method": decision.source,
            "numeric_reason": decision.reason,
            "number_policy": decision.policy,
            **provenance_of(file, one.line),
        }

    def _answer_row(self, one: Answer, file: str) -> Row:
        return {
            **self.ids,
            "dataset": one.dataset,
            "question_id": one.question_id,
            "system_id": one.system_id,
            "setting": one.setting,
            "answer": one.answer,
            "pages": list(one.pages),
            **provenance_of(file, one.line),
        }


def _without(row: Row, names: Sequence[str]) -> Row:
    return {name: value for name, value in row.items() if name not in names}
