"""Files of questions and answers: every format and layout, and what is set aside with a reason."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ingest.slideagent.land import LandOptions, land
from ingest.slideagent.mapping import read_mapping
from ingest.slideagent.native import Stated
from podium.cli.main import app
from tests.support.golden_scores import plant
from warehouse import jsonl, relations
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths

Row = dict[str, Any]
QUESTION: Row = {
    "dataset": "decks", "question_id": "q1", "question": "How many?",
    "gold_answers": ["12", "a dozen"], "gold_mode": "any", "gold_pages": [2, 5],
    "question_type": "count", "page_count": 20,
    "is_numeric": True,
}  # fmt: skip
ANSWER: Row = {
    "dataset": "decks", "question_id": "q1", "system_id": "one", "setting": "oracle",
    "answer": "12", "pages": [2],
}  # fmt: skip


def landed(paths: WarehousePaths, table: str) -> list[Row]:
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        return (
            connection.sql(f"select * from slideagent.{table} order by all")
            .to_arrow_table()
            .to_pylist()
        )


def write(path: Path, row: Row) -> Path:
    """Write one row in the format that the suffix names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        flat = {
            name: ";".join(map(str, value)) if name.endswith("pages") else value
            for name, value in row.items()
        }
        flat = {k: jsonl.dumps(v) if isinstance(v, list) else v for k, v in flat.items()}
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(flat))
            writer.writeheader()
            writer.writerow(flat)
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([row]), path)
    elif path.suffix == ".json":
        path.write_text(jsonl.dumps([row]), encoding="utf-8")
    else:
        jsonl.write_jsonl(path, [row])
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".json", ".csv", ".parquet"])
def test_every_format_lands_the_same_rows(tmp_path: Path, suffix: str) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    questions = write(tmp_path / "mine" / f"questions{suffix}", QUESTION)
    answers = write(tmp_path / "mine" / f"answers{suffix}", ANSWER)
    report = land(paths, questions, [answers], LandOptions())
    assert report.rejects == []
    (question,) = landed(paths, "questions")
    assert {name: question[name] for name in QUESTION} == QUESTION
    assert (question["numeric_method"], question["run_id"]) == ("override", "mine/run")
    (answer,) = landed(paths, "answers")
    assert {name: answer[name] for name in ANSWER} == ANSWER
    again = land(paths, questions, [answers], LandOptions())
    assert (again.landed_units, again.unchanged_units) == ([], ["mine/runs/run"])


def test_what_is_read_out_of_both_sides_is_landed(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    files = plant(tmp_path, "mine", [QUESTION], [{**ANSWER, "answer": "about 12.5%"}])
    land(paths, files[0], [files[1]], LandOptions())
    found = {
        (row["side"], row["answer_number"]): (row["value"], row["value_kind"], row["qualifier"])
        for row in landed(paths, "numbers")
    }
    assert found == {
        ("gold", 1): ("12", "plain", None),
        ("gold", 2): ("12", "plain", None),
        ("answer", 1): ("0.125", "percent", "approx"),
    }
    assert [row["gold_number"] for row in landed(paths, "comparisons")] == [1, 2]


def test_a_mapping_names_the_fields_of_others(tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.yml"
    mapping.write_text(
        "questions: {question_id: uid, gold_answers: truth}\n"
        "answers: {question_id: uid, answer: said}\n",
        encoding="utf-8",
    )
    question = {"uid": 7, "question": "How many?", "truth": 12.5}
    answer = {"uid": 7, "said": "12.50"}
    files = plant(tmp_path, "mine", [question], [answer])
    paths = WarehousePaths(tmp_path / "warehouse")
    options = LandOptions(
        stated=Stated("decks", "one", "end_to_end"), mapping=read_mapping(mapping)
    )
    assert land(paths, files[0], [files[1]], options).rejects == []
    (question,) = landed(paths, "questions")
    assert (question["question_id"], question["gold_answers"]) == ("7", ["12.5"])
    (row,) = landed(paths, "comparisons")
    assert row["num"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question: {question_id: uid}", "has a part `question`"),
        ("questions: {id: uid}", "maps `id` of questions"),
        ("questions: {question_id: [uid]}", "maps `question_id`"),
    ],
)
def test_a_mapping_of_unknown_names_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    mapping = tmp_path / "mapping.yml"
    mapping.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_mapping(mapping)


def test_a_mapped_field_that_no_row_has_is_an_error(tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.yml"
    mapping.write_text("questions: {question_id: uid}", encoding="utf-8")
    files = plant(tmp_path, "mine", [QUESTION], [ANSWER])
    options = LandOptions(mapping=read_mapping(mapping))
    with pytest.raises(InputError, match="has no field `uid`"):
        land(WarehousePaths(tmp_path / "warehouse"), files[0], [files[1]], options)


def test_slidevqas_annotations_are_read(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    annotation = {
        "qa_id": 31, "deck_name": "d", "question": "How many?", "answer": "12",
        "evidence_pages": [3, 4], "reasoning_type": "Multi-Hop", "answer_type": "Single-Span",
        "arithmetic_expression": "None",
    }  # fmt: skip
    answer = {"question_id": 31, "system_id": "one", "setting": "oracle", "answer": "12"}
    files = plant(tmp_path, "mine", [annotation], [{**answer, "dataset": "SlideVQA"}])
    land(paths, files[0], [files[1]], LandOptions(layout="slidevqa"))
    (row,) = landed(paths, "questions")
    names = ("dataset", "question_id", "gold_pages", "question_type", "page_count")
    assert [row[name] for name in names] == ["SlideVQA", "31", [3, 4], "Multi-Hop", 20]
    assert len(landed(paths, "answers")) == 1


def test_tatqas_own_files_are_read(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    questions = [
        {"uid": "a", "question": "What?", "answer": ["$5"], "scale": "million",
         "answer_type": "span"},
        {"uid": "b", "question": "Which?", "answer": ["2018", "2019"], "scale": "",
         "answer_type": "multi-span"},
        {"uid": "c", "question": "Share?", "answer": 5.3, "scale": "percent",
         "answer_type": "arithmetic"},
        {"uid": "d", "question": "Share?", "answer": 5.3, "scale": "dozen",
         "answer_type": "arithmetic"},
    ]  # fmt: skip
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "gold.json").write_text(jsonl.dumps([{"questions": questions}]), encoding="utf-8")
    said = {"a": [["5"], "million"], "b": [["2019", "2018"], ""], "c": [0.053, ""], "d": ["5", ""],
            "e": "5"}  # fmt: skip
    (folder / "said.json").write_text(jsonl.dumps(said), encoding="utf-8")
    options = LandOptions(layout="tatqa", stated=Stated(None, "tagop", "oracle"))
    report = land(paths, folder / "gold.json", [folder / "said.json"], options)
    assert sorted((one.reason, one.subject) for one in report.rejects) == [
        ("unknown_question", "TAT-QA/d/tagop"),
        ("unknown_value", "d"),
        ("wrong_type", "e"),
    ]
    golds = {row["question_id"]: row["gold_answers"] for row in landed(paths, "questions")}
    assert golds == {"a": ["$5 million"], "b": ["2018", "2019"], "c": ["5.3%"]}
    assert {row["question_id"]: row["num"] for row in landed(paths, "comparisons")} == {
        "a": True,
        "b": True,
        "c": True,
    }


SPOILED_QUESTIONS = {
    "no id": ({"question_id": None}, "missing_field"),
    "an id that is no text": ({"question_id": True}, "wrong_type"),
    "no question": ({"question": " "}, "blank_field"),
    "a gold answer that is an object": ({"gold_answers": [{}]}, "wrong_type"),
    "an unknown mode": ({"gold_mode": "most"}, "unknown_value"),
    "a page zero": ({"gold_pages": [0]}, "wrong_page"),
    "a page that is no number": ({"gold_pages": ["two"]}, "wrong_page"),
    "no pages": ({"page_count": 0}, "out_of_range"),
    "half a page": ({"page_count": 2.5}, "wrong_type"),
    "perhaps numeric": ({"is_numeric": "perhaps"}, "wrong_type"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED_QUESTIONS)
def test_a_spoiled_question_is_told_and_its_answers_with_it(tmp_path: Path, name: str) -> None:
    changes, reason = SPOILED_QUESTIONS[name]
    files = plant(
        tmp_path,
        "mine",
        [{**QUESTION, "question_id": "kept"}, {**QUESTION, **changes}],
        [{**ANSWER, "question_id": "kept"}, ANSWER],
    )
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land(paths, files[0], [files[1]], LandOptions())
    assert [(one.reason, one.source_line) for one in report.rejects] == [
        (reason, 2),
        ("unknown_question", 2),
    ]
    assert [row["question_id"] for row in landed(paths, "questions")] == ["kept"]
    assert [row["question_id"] for row in landed(paths, "answers")] == ["kept"]


SPOILED_ANSWERS = {
    "no system": ({"system_id": None}, "missing_field"),
    "a setting of its own": ({"setting": "gold"}, "unknown_value"),
    "an answer that is a list": ({"answer": ["12"]}, "wrong_type"),
    "a negative page": ({"pages": [-1]}, "wrong_page"),
}


@pytest.mark.parametrize("name", SPOILED_ANSWERS)
def test_a_spoiled_answer_is_told(tmp_path: Path, name: str) -> None:
    changes, reason = SPOILED_ANSWERS[name]
    files = plant(tmp_path, "mine", [QUESTION], [{**ANSWER, **changes}])
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land(paths, files[0], [files[1]], LandOptions())
    assert [one.reason for one in report.rejects] == [reason]
    assert landed(paths, "comparisons") == []


def test_repeated_rows_are_set_aside(tmp_path: Path) -> None:
    files = plant(tmp_path, "mine", [QUESTION], [ANSWER, {**ANSWER, "answer": "13"}])
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land(paths, files[0], [files[1]], LandOptions())
    assert {one.reason for one in report.rejects} == {"duplicate_row"}
    assert landed(paths, "comparisons") == []


def test_a_missing_answer_is_landed_and_compared_with_nothing(tmp_path: Path) -> None:
    files = plant(tmp_path, "mine", [QUESTION], [{**ANSWER, "answer": None}])
    paths = WarehousePaths(tmp_path / "warehouse")
    assert land(paths, files[0], [files[1]], LandOptions()).rejects == []
    assert len(landed(paths, "answers")) == 1
    assert landed(paths, "comparisons") == []
    said = [row for row in landed(paths, "numbers") if row["side"] == "answer"]
    assert [(row["parse_status"], row["value"]) for row in said] == [("missing", None)]


def test_lost_answers_are_refused_until_they_are_meant(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    other = {**ANSWER, "system_id": "two"}
    files = plant(tmp_path, "mine", [QUESTION], [ANSWER, other])
    land(paths, files[0], [files[1]], LandOptions())
    plant(tmp_path, "mine", [QUESTION], [ANSWER])
    report = land(paths, files[0], [files[1]], LandOptions())
    assert {one.check for one in report.findings} == {"landing_keeps_rows"}
    assert len(landed(paths, "answers")) == 2
    land(paths, files[0], [files[1]], LandOptions(accept_removals=True))
    assert len(landed(paths, "answers")) == 1


def test_files_of_two_folders_are_refused(tmp_path: Path) -> None:
    first, _ = plant(tmp_path, "mine", [QUESTION], [ANSWER])
    _, second = plant(tmp_path, "yours", [QUESTION], [ANSWER])
    with pytest.raises(InputError, match="another folder"):
        land(WarehousePaths(tmp_path / "warehouse"), first, [second], LandOptions())


@pytest.mark.parametrize(
    ("name", "error"),
    [("q.txt", UsageError), ("absent.csv", InputError), ("q.parquet", InputError)],
)
def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, name: str, error: type[Exception]
) -> None:
    path = tmp_path / name
    if not name.startswith("absent"):
        path.write_text("no rows", encoding="utf-8")
    with pytest.raises(error, match=name):
        land(WarehousePaths(tmp_path / "warehouse"), path, [path], LandOptions())


def command(tmp_path: Path, *words: str) -> Any:
    root = ("--warehouse", str(tmp_path / "warehouse"))
    return CliRunner().invoke(app, ["land", "slideagent", *words, *root])


def test_the_command_lands_and_tells(tmp_path: Path) -> None:
    files = plant(tmp_path, "mine", [QUESTION], [ANSWER, {**ANSWER, "question_id": "other"}])
    done = command(tmp_path, "--questions", str(files[0]), "--answers", str(files[1]), "--json")
    assert done.exit_code == 1
    shown = jsonl.parse(done.stdout)
    assert shown["row_counts"]["slideagent/answers"] == 1
    assert "unknown_question" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [(("--layout", "own"), "no layout `own`"), (("--setting", "gold"), "no setting `gold`")],
)
def test_options_that_mean_nothing_are_refused(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    files = plant(tmp_path, "mine", [QUESTION], [ANSWER])
    done = command(tmp_path, "--questions", str(files[0]), "--answers", str(files[1]), *words)
    assert done.exit_code == 2
    assert message in done.output
