"""Counts that a known dataset must have, reviewed as data in `seeds/expected/xslides.csv`."""

from __future__ import annotations

import csv

from expectations.rules import RowRule
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.paths import PROJECT_ROOT

EXPECTED_FILE = PROJECT_ROOT / "seeds" / "expected" / "xslides.csv"

# What can be counted, each as (dataset_id, found).
_COUNTS = {
    "cases": "select dataset_id, count(*) as found from xslides.cases group by dataset_id",
    "probes": "select dataset_id, count(*) as found from xslides.probes group by dataset_id",
    "audiences": "select dataset_id, count(distinct audience) as found from xslides.weight_sets "
    "group by dataset_id",
    "weight_sets": "select dataset_id, count(*) as found from xslides.weight_sets "
    "group by dataset_id",
    "weights": "select sets.dataset_id, count(*) as found from xslides.weights as weights "
    "inner join xslides.weight_sets as sets on weights.weight_set_id = sets.weight_set_id "
    "group by sets.dataset_id",
}


def profiles() -> list[str]:
    """Return the names of all profiles."""
    return sorted({row["profile"] for row in _rows()})


def counts_of(profile: str) -> RowRule:
    """Return the rule that every landed dataset has the counts of a profile.

    Raises:
        UsageError: when no such profile is reviewed.
    """
    rows = [row for row in _rows() if row["profile"] == profile]
    if not rows:
        raise UsageError(
            f"there is no profile `{profile}`",
            expected=", ".join(profiles()),
            fix=f"add its counts to {EXPECTED_FILE.relative_to(PROJECT_ROOT)}",
        )
    checks = " union all ".join(
        f"select datasets.dataset_id, '{row['count']}' as counted, {int(row['expected'])} as "
        f"expected, coalesce(counts.found, 0) as found from datasets "
        f"left join ({_COUNTS[row['count']]}) as counts "
        "on datasets.dataset_id = counts.dataset_id"
        for row in rows
    )
    query = f"""
        with datasets as (select distinct dataset_id from {{relation}})
        select concat(dataset_id, '/', counted) as subject,
            concat(found, ' instead of ', expected) as message,
            null as source_file, null as source_line
        from ({checks})
        where found <> expected
        order by 1
        """
    return RowRule(f"counts_are_those_of_{profile}", "xslides__cases", query, Outcome.INCOMPLETE)


def _rows() -> list[dict[str, str]]:
    with EXPECTED_FILE.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))
