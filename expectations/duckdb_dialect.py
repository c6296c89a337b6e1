"""A DuckDB dialect for SQLAlchemy that keeps results after the connection closes.

Great Expectations closes its connection before it fetches. That rolls back, and an open
DuckDB result is lost with it, so that every expectation ends in an error. Here all rows
are read as soon as a statement has run. The dialect goes when Great Expectations reads
DuckDB by itself or when duckdb-engine buffers: tests/unit/expectations/test_dialect.py
fails on the day when the plain dialect works.
"""

from __future__ import annotations

from typing import Any

from duckdb_engine import Dialect
from sqlalchemy.dialects import registry
from sqlalchemy.engine import cursor as engine_cursor
from sqlalchemy.engine.default import DefaultExecutionContext

SCHEME = "podium_duckdb"


class BufferedExecutionContext(DefaultExecutionContext):
    """Reads all rows after each statement and serves them from memory."""

    def post_exec(self) -> None:
        """Buffer the result of the statement that has just run."""
        super().post_exec()  # type: ignore[no-untyped-call]
        if self.cursor.description is not None:
            self.cursor_fetch_strategy = engine_cursor.FullyBufferedCursorFetchStrategy(
                self.cursor,
                alternate_description=self.cursor.description,
                initial_buffer=self.cursor.fetchall(),
            )


class BufferedDialect(Dialect):  # type: ignore[misc]
    """duckdb-engine's dialect with buffered results."""

    name = "duckdb"
    execution_ctx_cls = BufferedExecutionContext
    supports_statement_cache = False

    @classmethod
    def import_dbapi(cls) -> Any:
        """Return the DB-API module."""
        return Dialect.import_dbapi()


def register() -> None:
    """Make the dialect known to SQLAlchemy under its own scheme."""
    registry.register(SCHEME, __name__, BufferedDialect.__name__)
