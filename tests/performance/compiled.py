"""The project's own SQL, as dbt compiled it, run in DuckDB without dbt around it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse import relations
from warehouse.paths import WarehousePaths


@dataclass(frozen=True)
class Model:
    """One compiled model.

    Attributes:
        name: name of the model.
        relation: quoted name of what it makes: "database"."schema"."name".
        sql: its query.
        is_view: whether it is a view, which costs nothing to make.
        parents: models, seeds and sources that it reads.
    """

    name: str
    relation: str
    sql: str
    is_view: bool
    parents: tuple[str, ...]


class CompiledProject:
    """All models of one build, in an order in which they can run."""

    def __init__(self, paths: WarehousePaths) -> None:
        """Read what the last whole build of a warehouse left in its target folder."""
        self.paths = paths
        manifest = json.loads((paths.build / "target" / "manifest.json").read_text())
        self.seeds = [
            node["relation_name"]
            for node in manifest["nodes"].values()
            if node["resource_type"] == "seed"
        ]
        found = {
            node["name"]: _model(node, paths.build / "target")
            for node in manifest["nodes"].values()
            if node["resource_type"] == "model"
        }
        self.models = _ordered(found)

    def closure(self, *names: str) -> list[Model]:
        """Return models and all models that they read, in an order in which they can run."""
        wanted = set(names)
        for model in reversed(self.models):
            if model.name in wanted:
                wanted |= set(model.parents)
        return [one for one in self.models if one.name in wanted]

    def connect(self, threads: int = 2) -> duckdb.DuckDBPyConnection:
        """Return an empty database with the landing relations and seeds of the build."""
        connection = duckdb.connect()
        connection.execute(f"set threads = {threads}")
        name = self.paths.build_file.stem
        connection.execute(f"attach '{self.paths.build_file}' as built (read_only)")
        connection.execute(f"attach ':memory:' as \"{name}\"")
        connection.execute(f'use "{name}"')
        for (schema,) in connection.execute(
            "select distinct schema_name from duckdb_schemas() where database_name = 'built'"
            " and not internal"
        ).fetchall():
            connection.execute(f'create schema if not exists "{schema}"')
        relations.register(connection, relations.current_state(self.paths))
        for relation in self.seeds:
            inner = relation.split(".", 1)[1]
            connection.execute(f"create table {relation} as select * from built.{inner}")
        return connection


def run(connection: duckdb.DuckDBPyConnection, models: Iterable[Model]) -> None:
    """Make models, as dbt does."""
    for model in models:
        kind = "view" if model.is_view else "table"
        connection.execute(f"create or replace {kind} {model.relation} as {model.sql}")


def _model(node: dict[str, object], target: Path) -> Model:
    compiled = target / "compiled" / "podium" / str(node["original_file_path"])
    config, depends = node["config"], node["depends_on"]
    assert isinstance(config, dict)
    assert isinstance(depends, dict)
    return Model(
        str(node["name"]),
        str(node["relation_name"]),
        compiled.read_text(encoding="utf-8"),
        config["materialized"] == "view",
        tuple(one.rsplit(".", 1)[1] for one in depends["nodes"]),
    )


def _ordered(models: dict[str, Model]) -> list[Model]:
    ordered: list[Model] = []
    done: set[str] = set()

    def add(model: Model) -> None:
        if model.name in done:
            return
        done.add(model.name)
        for parent in model.parents:
            if parent in models:
                add(models[parent])
        ordered.append(model)

    for name in sorted(models):
        add(models[name])
    return ordered
