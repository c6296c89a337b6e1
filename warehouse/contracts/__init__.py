"""All landing tables by name."""

from __future__ import annotations

from warehouse.contracts import core, searchgen, xslides, xslides_imported
from warehouse.contracts.base import Contract

ALL: dict[str, Contract] = {
    one.table: one
    for one in (
        *core.CONTRACTS,
        *xslides.CONTRACTS,
        *xslides_imported.CONTRACTS,
        *searchgen.CONTRACTS,
    )
}
