"""Answers out of landing to a judge, and its judgments back into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ingest.landing_units import LandReport, UnitLander
from ingest.rageval.derived_units import derived_lander
from ingest.rageval.judging.exchange import (
    PREMISES,
    REFERENCE,
    RESPONSE,
    SOURCE,
    AnswerToJudge,
    Judged,
    unasked,
)
from ingest.rageval.landed_rows import rows_of
from ingest.row_fields import provenance_of
from warehouse import identity, jsonl
from warehouse.contracts import rageval_judging as contracts
from warehouse.contracts.rageval import QUESTIONS
from warehouse.contracts.rageval_runs import ANSWERS, CONTEXTS
from warehouse.errors import InputError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.paths import WarehousePaths

LANDER = 1
"""Raised when the same judgments give other rows."""
ORIGIN = "podium rageval judge"
"""What stands for a source file: these rows come out of no file."""
Told = Callable[[int, int], None]
Ended = tuple[int, AnswerToJudge, Judged]
"""1-based repeat, the answer, and how judging it ended."""


class AnswerJudge(Protocol):
    """Somebody who judges answers: rules, or a model."""

    @property
    def judge_id(self) -> str:
        """Return who judges."""

    @property
    def judge_kind(self) -> str:
        """Return heuristic or llm."""

    def prompt_sha256(self, metric: str) -> str:
        """Return the hash of prompt or rules."""

    def evaluation_config_id(self, metric: str) -> str:
        """Return the id of how answers are judged."""

    def judge(
        self, metric: str, answers: Sequence[AnswerToJudge], repeat: int
    ) -> Iterator[tuple[int, Judged]]:
        """Yield the position of each answer and how its judging ended."""


@dataclass(frozen=True)
class JudgingRequest:
    """What is to be judged, and how it lands.

    Attributes:
        dataset_id: data set.
        run: name of the run.
        metric: fastrageval or consistency.
        system_id: one system; None for all of the run.
        repeats: samples of each judgment, 1 and up.
        code_version: version that manifests record.
    """

    dataset_id: str
    run: str
    metric: str
    system_id: str | None = None
    repeats: int = 1
    code_version: str = "unknown"

    @property
    def run_id(self) -> str:
        """Return `<dataset_id>/<run>`."""
        return f"{self.dataset_id}/{self.run}"


def answers_of(paths: WarehousePaths, request: JudgingRequest) -> list[AnswerToJudge]:
    """Return the landed answers of a run, sorted by system and question.

    Raises:
        InputError: when none is landed.
    """
    equal = {"run_id": request.run_id}
    if request.system_id is not None:
        equal["system_id"] = request.system_id
    answers = rows_of(paths, ANSWERS, request.dataset_id, **equal)
    if not answers:
        raise InputError(
            f"no answers of `{request.run_id}` are landed",
            expected="a run of `rageval`, and a system of it where one is named",
            got=f"run `{request.run}`, system `{request.system_id or 'any'}`",
            fix="podium land rageval --ragchecker FILE --dataset NAME --run NAME",
        )
    questions: dict[str, Row] = {}
    for row in rows_of(paths, QUESTIONS, request.dataset_id):
        questions.setdefault(row["question_id"], row)
    passages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows_of(paths, CONTEXTS, request.dataset_id, **equal):
        passages[row["system_id"], row["question_id"]].append(row["text"])
    return [_answer(row, questions, passages) for row in answers]


def _answer(
    row: Row, questions: dict[str, Row], passages: dict[tuple[str, str], list[str]]
) -> AnswerToJudge:
    question = questions.get(row["question_id"])
    gold = question["gold_answers"] if question else []
    return AnswerToJudge(
        row["system_id"],
        row["question_id"],
        row["answer_status"],
        question["question"] if question else "",
        gold[0] if gold else None,
        row["answer"],
        tuple(passages[row["system_id"], row["question_id"]]),
    )


def judge_run(
    paths: WarehousePaths, request: JudgingRequest, judge: AnswerJudge, told: Told | None = None
) -> LandReport:
    """Judge the answers of a run and land what comes of it, one unit a metric and judge.

    Args:
        paths: the warehouse.
        request: what is judged.
        judge: who judges; every answer is at most one call of it a repeat.
        told: hears how many are done, and of how many.

    Raises:
        InputError: when no answers are landed.
        JudgeStoppedError: when nothing more may be asked; nothing is landed then, and what was
            answered is asked for no second time.
    """
    answers = answers_of(paths, request)
    ended: dict[str, list[Ended]] = defaultdict(list)
    total = len(answers) * request.repeats
    done = 0
    for repeat in range(1, request.repeats + 1):
        for answer, judged in _judged(request.metric, answers, judge, repeat):
            ended[answer.system_id].append((repeat, answer, judged))
            done += 1
            if told is not None:
                told(done, total)
    report = LandReport(request.dataset_id)
    lander = derived_lander(paths, report, request.code_version)
    for system_id, ends in sorted(ended.items()):
        _land(lander, request, judge, system_id, ends)
    return report


def _land(
    lander: UnitLander,
    request: JudgingRequest,
    judge: AnswerJudge,
    system_id: str,
    ended: list[Ended],
) -> None:
    """Land the judgments of one system by one judge for one metric as one unit."""
    config_id = judge.evaluation_config_id(request.metric)
    judgments = [_judgment_row(request, judge, config_id, *one) for one in ended]
    pairs = [(row, judged) for row, (*_, judged) in zip(judgments, ended, strict=True)]
    statements = [one for pair in pairs for one in _statement_rows(*pair)]
    verdicts = [one for pair in pairs for one in _verdict_rows(request.metric, *pair)]

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        yield contracts.JUDGMENTS, judgments, None
        yield contracts.STATEMENTS, statements, None
        yield contracts.VERDICTS, verdicts, None

    unit = f"{request.dataset_id}/runs/{request.run}/{system_id}/{request.metric}/{config_id}"
    content = identity.content_id(
        "judgments", *(_sorted(rows) for rows in (judgments, statements, verdicts))
    )
    lander.land(unit, (), chunks, {"lander": LANDER, "content": content})


def _judged(
    metric: str, answers: Sequence[AnswerToJudge], judge: AnswerJudge, repeat: int
) -> Iterator[tuple[AnswerToJudge, Judged]]:
    """Yield every answer with its end; only what can be judged is put to the judge."""
    asked = []
    for answer in answers:
        known = unasked(metric, answer)
        if known is None:
            asked.append(answer)
        else:
            yield answer, known
    for position, judged in judge.judge(metric, asked, repeat):
        yield asked[position], judged


def _judgment_row(
    request: JudgingRequest,
    judge: AnswerJudge,
    config_id: str,
    repeat: int,
    answer: AnswerToJudge,
    judged: Judged,
) -> Row:
    is_labelled = bool(judged.statements)
    sides = PREMISES[request.metric]
    usage = judged.usage
    return {
        "judgment_id": identity.content_id(
            "judgment",
            request.run_id,
            answer.system_id,
            answer.question_id,
            request.metric,
            config_id,
            repeat,
        ),
        "run_id": request.run_id,
        "dataset_id": request.dataset_id,
        "system_id": answer.system_id,
        "question_id": answer.question_id,
        "metric": request.metric,
        "repeat_number": repeat,
        "judgment_status": judged.status,
        "status_reason": judged.reason,
        "judge_id": judge.judge_id,
        "judge_kind": judge.judge_kind,
        "evaluation_config_id": config_id,
        "prompt_sha256": judge.prompt_sha256(request.metric),
        "reference_count": judged.count(REFERENCE) if is_labelled and REFERENCE in sides else None,
        "response_count": judged.count(RESPONSE) if is_labelled else None,
        "passage_count": len(answer.passages) if SOURCE in sides.values() else None,
        "call_count": usage.call_count,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": None if usage.cost_usd is None else float(usage.cost_usd),
        **provenance_of(ORIGIN),
    }


def _statement_rows(judgment: Row, judged: Judged) -> list[Row]:
    return [
        {
            "judgment_id": judgment["judgment_id"],
            "dataset_id": judgment["dataset_id"],
            "side": one.side,
            "statement_number": one.number,
            "statement": one.text,
            **provenance_of(ORIGIN),
        }
        for one in judged.statements
    ]


def _verdict_rows(metric: str, judgment: Row, judged: Judged) -> list[Row]:
    return [
        {
            "judgment_id": judgment["judgment_id"],
            "dataset_id": judgment["dataset_id"],
            "side": one.side,
            "statement_number": one.number,
            "premise": PREMISES[metric][one.side],
            "passage_number": 0,
            "label": one.label,
            "label_source": "judged",
            **provenance_of(ORIGIN),
        }
        for one in judged.statements
    ]


def _sorted(rows: list[Row]) -> list[str]:
    """Return rows as text, in an order that does not hang on which answer came first."""
    return sorted(jsonl.canonical(row) for row in rows)
