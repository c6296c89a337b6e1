"""An expectation over the rows of a query that asks it once.

The one that Great Expectations ships runs every query twice, for rows and for their number.
Importing this module imports Great Expectations, which takes four seconds: only gates do.
"""

from __future__ import annotations

from typing import Any, ClassVar

import great_expectations.expectations as gxe

ROWS = "unexpected_rows_query.table"


class OffendingRows(gxe.UnexpectedRowsExpectation):  # type: ignore[misc]
    """Expects a query to return nothing; what it returns stands in the result."""

    metric_dependencies: ClassVar[tuple[str, ...]] = (ROWS,)

    def _validate(
        self,
        metrics: dict[str, Any],
        runtime_configuration: dict[str, Any] | None = None,
        execution_engine: Any = None,
    ) -> dict[str, Any]:
        del runtime_configuration, execution_engine
        rows = metrics[ROWS]
        return {"success": not rows, "result": {"details": {"unexpected_rows": rows}}}
