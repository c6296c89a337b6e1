"""What is written twice says the same: contracts, dbt YAML, registries, import direction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mutation.mutate import ALL as MUTANTS
from tests.support.imports import PACKAGES, find_circle, import_graph, module_files
from tests.support.project import (
    MODELS,
    ROOT,
    mart_files,
    mart_keys,
    models,
    registry,
    sources,
    unit_tests,
)
from warehouse.contracts import ALL
from warehouse.contracts.base import Contract
from warehouse.statistics import write_tables

ALLOWED = {
    "warehouse": {"warehouse"},
    "ingest": {"ingest", "warehouse"},
    "expectations": {"expectations", "warehouse"},
    "podium": {"podium", "ingest", "expectations", "warehouse"},
}
# Relations of the landing schemas that are no landing table.
COMPUTED = {"core": {"landing_state"}}
MAX_PYTHON_LINES = 300
MAX_MODEL_LINES = 120
DOC_BLOCK = re.compile(r"{%-?\s*docs\s+(\w+)\s*-?%}(.*?){%-?\s*enddocs\s*-?%}", re.DOTALL)
DOC_CALL = re.compile(r"{{\s*doc\('(\w+)'\)\s*}}")


def model_paths() -> list[Path]:
    return sorted(MODELS.rglob("*.sql"))


def doc_blocks() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(MODELS.rglob("*.md")):
        for name, text in DOC_BLOCK.findall(path.read_text(encoding="utf-8")):
            assert name not in found, f"doc block `{name}` stands twice"
            found[name] = text.strip()
    return found


def test_sources_are_the_contracts() -> None:
    declared = {
        (name, table["name"])
        for name, source in sources().items()
        for table in source["tables"]
        if name != "statistics" and table["name"] not in COMPUTED.get(name, ())
    }
    assert declared == {(one.benchmark, one.noun) for one in ALL.values()}


def test_sources_say_what_the_contracts_say() -> None:
    for name, source in sources().items():
        assert source.get("schema", name) == name
        for table in source["tables"]:
            contract = ALL.get(f"{name}/{table['name']}")
            if contract is not None:
                assert table["description"] == contract.doc


def test_statistics_sources_are_the_tables_python_writes(tmp_path: Path) -> None:
    declared = {table["name"] for table in sources()["statistics"]["tables"]}
    assert declared == set(write_tables(tmp_path))


@pytest.mark.parametrize("contract", ALL.values(), ids=ALL)
def test_contract_is_sound(contract: Contract) -> None:
    names = contract.names
    assert len(set(names)) == len(names)
    assert set(contract.key) <= set(names)
    for column in contract.columns:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", column.name)
        assert column.doc.endswith(".")


def test_staging_selects_columns_of_its_contract() -> None:
    for path in sorted((MODELS / "staging").rglob("stg_*.sql")):
        text = path.read_text(encoding="utf-8")
        name, noun = re.findall(r"source\('(\w+)', '(\w+)'\)", text)[0]
        assert path.stem == f"stg_{name}__{noun}"
        selected = text.split("selected as (")[1].split("from source")[0]
        columns = re.findall(r"^ {8}(\w+),?$", selected, re.MULTILINE)
        assert columns, path
        assert set(columns) <= set(ALL[f"{name}/{noun}"].names), path


def test_every_mart_is_described_with_a_key() -> None:
    described = models()
    keys = mart_keys()
    for name in mart_files():
        model = described[name]
        columns = [column["name"] for column in model["columns"]]
        assert model["description"].strip()
        assert len(set(columns)) == len(columns)
        assert set(keys[name]) <= set(columns)
        tests = [
            test["key_is_unique"]["arguments"]
            for test in model["data_tests"]
            if "key_is_unique" in test
        ]
        assert [tuple(one["key_columns"]) for one in tests] == [keys[name]]


def test_every_mart_column_is_documented() -> None:
    blocks = doc_blocks()
    for name in mart_files():
        for column in models()[name]["columns"]:
            called = DOC_CALL.findall(column["description"])
            assert called == [column["name"]], (name, column)
            assert blocks.get(column["name"]), (name, column["name"])
            assert column["data_type"]


def test_no_mart_column_has_a_type_that_parquet_would_lose() -> None:
    # DuckDB writes HUGEINT to Parquet as DOUBLE, and a count would lose its type there.
    for name in mart_files():
        for column in models()[name]["columns"]:
            assert column["data_type"] in {"varchar", "bigint", "integer", "double", "boolean"}, (
                name,
                column["name"],
            )


def test_no_doc_block_is_left_over() -> None:
    used = {column["name"] for name in mart_files() for column in models()[name]["columns"]}
    assert set(doc_blocks()) == used


@pytest.mark.parametrize("metric", registry("metrics"), ids=lambda row: str(row["metric"]))
def test_metric_registry_is_true(metric: dict[str, str]) -> None:
    columns = {column["name"] for column in models()[metric["model"]]["columns"]}
    assert metric["column_name"] in columns
    assert metric["model"] in mart_files()
    assert metric["computed_in"] in {path.stem for path in model_paths()}
    assert metric["unit_test"] in unit_tests()
    assert (ROOT / metric["golden_case"]).is_file()
    assert metric["column_name"] in (ROOT / metric["golden_case"]).read_text(encoding="utf-8")
    decisions = ROOT / "docs" / "decisions"
    if decisions.is_dir():
        assert (decisions / f"{metric['decision']}.md").is_file(), metric["decision"]


def test_unit_tests_stand_beside_models_that_exist() -> None:
    names = {path.stem: path for path in model_paths()}
    for name, test in unit_tests().items():
        assert test["model"] in names, name
        assert test["description"].strip()
        assert test["expect"]["rows"], name


def test_statistics_plan_names_registered_metrics() -> None:
    known = {(row["benchmark"], row["metric"]) for row in registry("metrics")}
    planned = {(row["benchmark"], row["metric"]) for row in registry("statistics_plan")}
    assert planned <= known


def test_every_model_says_its_grain() -> None:
    for path in model_paths():
        text = path.read_text(encoding="utf-8")
        assert "-- Grain:" in text, path


def test_imports_go_one_way() -> None:
    graph = import_graph(ROOT)
    wrong = sorted(
        (module, other)
        for module, imported in graph.items()
        for other in imported
        if other.split(".")[0] not in ALLOWED[module.split(".")[0]]
    )
    assert not wrong
    assert {module.split(".")[0] for module in graph} == set(PACKAGES)


def test_imports_have_no_circle() -> None:
    assert find_circle(import_graph(ROOT)) == []


def test_a_circle_would_be_found() -> None:
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_python_files_are_short() -> None:
    long = {
        name: count
        for name, path in module_files(ROOT).items()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MAX_PYTHON_LINES
    }
    assert not long


def test_models_are_short() -> None:
    long = {}
    for path in model_paths():
        lines = path.read_text(encoding="utf-8").splitlines()
        code = [one for one in lines if one.strip() and not one.lstrip().startswith("--")]
        if len(code) > MAX_MODEL_LINES:
            long[path.name] = len(code)
    assert not long


def test_every_mutant_breaks_a_text_that_is_there() -> None:
    gone = [
        one.name for one in MUTANTS if one.old not in (ROOT / one.file).read_text(encoding="utf-8")
    ]
    assert not gone
    assert all((ROOT / test).exists() for one in MUTANTS for test in one.tests)
