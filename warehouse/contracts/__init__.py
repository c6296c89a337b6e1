"""All landing tables by name."""

from __future__ import annotations

from warehouse.contracts import (
    core,
    rageval,
    rageval_judging,
    rageval_runs,
    searchgen,
    slideagent,
    xslides,
    xslides_imported,
)
from warehouse.contracts.base import Contract

ALL: dict[str, Contract] = {
    one.table: one
    for one in (
        *core.CONTRACTS,
        *xslides.CONTRACTS,
        *xslides_imported.CONTRACTS,
        *searchgen.CONTRACTS,
        *rageval.CONTRACTS,
        *rageval_runs.CONTRACTS,
        *rageval_judging.CONTRACTS,
        *slideagent.CONTRACTS,
    )
}
