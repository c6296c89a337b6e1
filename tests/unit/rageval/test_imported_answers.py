"""Files of other tools: taken whole or set aside with a reason, never padded, cut or guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ingest.rageval.imports import ImportOptions
from ingest.rageval.land_imported import land_preferences, land_ragchecker, land_refchecker
from podium.cli.main import app
from tests.support.ragchecker_files import Result, landed, result, write
from warehouse import jsonl
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths

Spoil = Callable[[Result], Any]


def good() -> Result:
    return result("a", [("E", "EN"), ("N", "NN")], [("E", "EN")], 2)


def test_a_judged_file_lands_whole(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    file = write(tmp_path / "mine.json", [good(), result("b", [("E", "")], [], 0)])
    report = land_ragchecker(paths, file, ImportOptions(judge_id="m", judge_kind="llm"))
    assert report.rejects == []
    assert report.landed_units == ["mine/runs/imported/mine/ragchecker"]
    statuses = {row["question_id"]: row for row in landed(paths, "judgments")}
    assert statuses["a"]["judgment_status"] == "scored"
    counts = ("reference_count", "response_count", "passage_count")
    assert [statuses["a"][name] for name in counts] == [2, 1, 2]
    assert statuses["b"]["judgment_status"] == "abstained"
    texts = {
        (row["side"], row["statement_number"], row["statement"])
        for row in landed(paths, "statements")
    }
    assert ("reference", 2, "claim is 1") in texts
    assert ("response", 1, "response says 0") in texts
    verdicts = [row for row in landed(paths, "verdicts") if row["premise"] == "passage"]
    assert len(verdicts) == 6
    again = land_ragchecker(paths, file, ImportOptions(judge_id="m", judge_kind="llm"))
    assert (again.landed_units, again.unchanged_units) == ([], report.landed_units)


def test_both_spellings_of_groups_and_numbers_as_ids(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    first = {**good(), "query_id": 7, "metrics": {"precision": 1.0, "f1": 0.5}}
    totals = {"overall_metrics": {"precision": 100.0}, "generator": {"faithfulness": 100.0}}
    file = write(tmp_path / "mine.json", [first], metrics=totals)
    assert land_ragchecker(paths, file, ImportOptions()).rejects == []
    published = {
        (row["question_id"], row["metric"]): (row["metric_value"], row["unit"])
        for row in landed(paths, "published_metrics")
    }
    assert published == {
        ("7", "precision"): (1.0, "share"),
        ("7", "f1"): (0.5, "share"),
        ("", "precision"): (100.0, "percent"),
        ("", "faithfulness"): (100.0, "percent"),
    }


def test_an_input_file_has_answers_and_no_judgments(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    keep = ("query_id", "query", "gt_answer", "response", "retrieved_context")
    file = write(tmp_path / "mine.json", [{name: good()[name] for name in keep}])
    report = land_ragchecker(paths, file, ImportOptions())
    assert report.rejects == []
    assert (len(landed(paths, "answers")), landed(paths, "judgments")) == (1, [])


def change(**fields: Any) -> Spoil:
    return lambda one: one.update(fields)


# What is spoiled, the reason code, and whether the answer itself still lands.
SPOILED: dict[str, tuple[Spoil, str, bool]] = {
    "a label too few": (change(answer2response=[]), "label_count", True),
    "a label too many": (change(response2answer=["Neutral"] * 3), "label_count", True),
    "a passage without a label": (
        change(retrieved2response=[["Entailment"]]),
        "label_count",
        True,
    ),
    "a claim without labels": (change(retrieved2answer=[["Neutral"] * 2]), "label_count", True),
    "an unknown label": (change(answer2response=["entailment"]), "unknown_label", True),
    "a code for a label": (change(answer2response=[1]), "unknown_label", True),
    "labels left out": (lambda one: one.pop("answer2response"), "labels_missing", True),
    "a claim that is no text": (change(response_claims=[3]), "wrong_type", True),
    "a blank claim": (change(response_claims=[["", " ", ""]]), "blank_field", True),
    "no passages at all": (change(retrieved_context=None), "wrong_type", False),
    "a passage without text": (
        change(retrieved_context=[{"doc_id": "x"}, {"text": "y"}]),
        "missing_field",
        False,
    ),
    "no query": (change(query=None), "missing_field", False),
    "an id that is no text": (change(query_id=True), "wrong_type", False),
    "a figure that is no number": (change(metrics={"f1": "high"}), "wrong_type", False),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_result_is_told_and_the_rest_lands(tmp_path: Path, name: str) -> None:
    spoil, reason, is_answer_kept = SPOILED[name]
    spoiled = {**good(), "query_id": "spoiled"}
    spoil(spoiled)
    paths = WarehousePaths(tmp_path / "warehouse")
    file = write(tmp_path / "mine.json", [good(), spoiled])
    report = land_ragchecker(paths, file, ImportOptions())
    assert [one.reason for one in report.rejects] == [reason]
    judgments = {row["question_id"]: row["judgment_status"] for row in landed(paths, "judgments")}
    assert judgments.pop("a") == "scored"
    assert judgments == ({"spoiled": "invalid"} if is_answer_kept else {})
    owners = {row["judgment_id"] for row in landed(paths, "statements")}
    assert len(owners) == 1


def test_a_repeated_query_is_set_aside(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    file = write(tmp_path / "mine.json", [good(), good()])
    report = land_ragchecker(paths, file, ImportOptions())
    assert [one.reason for one in report.rejects] == ["duplicate_row"]
    assert len(landed(paths, "answers")) == 1


@pytest.mark.parametrize("content", ["[]", "{}", '{"results": []}', "torn"])
def test_a_file_without_results_is_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="mine"):
        land_ragchecker(WarehousePaths(tmp_path / "warehouse"), file, ImportOptions())


def test_lost_answers_are_refused_until_they_are_meant(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    file = write(tmp_path / "mine.json", [good(), {**good(), "query_id": "b"}])
    land_ragchecker(paths, file, ImportOptions())
    write(file, [good()])
    report = land_ragchecker(paths, file, ImportOptions())
    assert {one.check for one in report.findings} == {"landing_keeps_rows"}
    assert len(landed(paths, "answers")) == 2
    land_ragchecker(paths, file, ImportOptions(accept_removals=True))
    assert len(landed(paths, "answers")) == 1


CLAIMS = "setting,model,id,claim_no,subject,predicate,object,human_label\n"
RESPONSES = "setting,model,id,n_claims\n"


def labels(folder: Path, claims: str, responses: str) -> tuple[Path, Path]:
    (folder / "claims.csv").write_text(CLAIMS + claims, encoding="utf-8")
    (folder / "responses.csv").write_text(RESPONSES + responses, encoding="utf-8")
    return folder / "claims.csv", folder / "responses.csv"


def test_labels_that_do_not_fit_their_response_are_told(tmp_path: Path) -> None:
    claims, responses = labels(
        tmp_path,
        "s,m,1,0,a,b,c,Entailment\n"
        "s,m,2,0,a,b,c,Entailment\n"
        "s,m,3,0,a,b,c,Maybe\n"
        "s,m,9,0,a,b,c,Neutral\n",
        "s,m,1,1\ns,m,2,2\ns,m,3,1\ns,m,4,0\ns,m,5,some\ns,m,1,1\n",
    )
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land_refchecker(paths, claims, responses, ImportOptions())
    assert sorted((one.reason, one.source_line) for one in report.rejects) == [
        ("duplicate_row", 7),
        ("unknown_label", 4),
        ("unknown_response", 5),
        ("wrong_type", 6),
    ]
    statuses = {row["question_id"]: row["judgment_status"] for row in landed(paths, "judgments")}
    assert statuses == {"1": "scored", "2": "invalid", "3": "invalid", "4": "abstained"}


def test_preferences_are_read_by_their_columns(tmp_path: Path) -> None:
    file = tmp_path / "preferences.csv"
    file.write_text(
        "pair_no,model1,model2,m1_f1,m2_f1,ann_overall,ben_overall\n"
        "1,left,right,0.5,nan,1,\n"
        "2,left,right,0.5,1_0,0,1\n"
        "3,left,right,0.5,0.75,0,-2\n",
        encoding="utf-8",
    )
    paths = WarehousePaths(tmp_path / "warehouse")
    report = land_preferences(paths, file, ImportOptions())
    assert [(one.reason, one.subject) for one in report.rejects] == [("wrong_type", "2")]
    said = {
        (row["pair_id"], row["annotator"], row["aspect"]): row["preference"]
        for row in landed(paths, "preferences")
    }
    assert said == {
        ("1", "ann", "overall"): 1.0,
        ("3", "ann", "overall"): 0.0,
        ("3", "ben", "overall"): -2.0,
    }
    scores = {row["pair_id"]: row["second_score"] for row in landed(paths, "pair_scores")}
    assert scores == {"1": None, "3": 0.75}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("pair_no,model1,model2,m1_f1,a1_overall", "compares nothing"),
        ("pair_no,model1,model2,m1_f1,m2_f1", "compares nothing"),
        ("pair_no,model1,m1_f1,m2_f1,a1_overall", "other columns"),
        ("pair_no,model1,model2,model2,m1_f1,m2_f1,a1_overall", "other columns"),
    ],
)
def test_a_file_that_compares_nothing_is_an_error(
    tmp_path: Path, header: str, message: str
) -> None:
    file = tmp_path / "preferences.csv"
    file.write_text(f"{header}\n{','.join('1' * (header.count(',') + 1))}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        land_preferences(WarehousePaths(tmp_path / "warehouse"), file, ImportOptions())


def test_the_kind_of_a_judge_is_one_of_a_closed_list() -> None:
    with pytest.raises(UsageError, match="no kind of judge"):
        ImportOptions(judge_kind="model")


def command(tmp_path: Path, *words: str) -> Any:
    root = ("--warehouse", str(tmp_path / "warehouse"))
    return CliRunner().invoke(app, ["land", "rageval", *words, *root])


def test_the_command_lands_and_tells(tmp_path: Path) -> None:
    spoiled = {**good(), "query_id": "spoiled", "answer2response": ["Perhaps"]}
    file = write(tmp_path / "mine.json", [good(), spoiled])
    done = command(tmp_path, "--ragchecker", str(file), "--json")
    assert done.exit_code == 1
    shown = jsonl.parse(done.stdout)
    assert shown["row_counts"]["rageval/answers"] == 2
    assert "unknown_label" in done.stdout


@pytest.mark.parametrize(
    "words", [(), ("--ragchecker", "a", "--preferences", "b"), ("--refchecker", "a")]
)
def test_options_that_make_no_way_are_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = command(tmp_path, *words)
    assert done.exit_code == 2
    assert "make no way to land" in done.output
