"""Rules that every landing gate has: what was set aside, and what manifests promise."""

from __future__ import annotations

from collections.abc import Iterable

from expectations.rules import RowRule


def rejects_rule(benchmark: str) -> RowRule:
    """Return the rule that nothing of a benchmark is rejected."""
    return RowRule(
        "nothing_is_rejected",
        "core__rejects",
        f"""
        select
            subject,
            concat(reason, ' (', landing_table, '): ', message) as message,
            source_file,
            source_line
        from {{relation}}
        where benchmark = '{benchmark}'
        order by source_file, source_line, subject
        """,
    )


def manifests_rule(benchmark: str, nouns: Iterable[str]) -> RowRule:
    """Return the rule that tables of a benchmark hold the rows that manifests promise."""
    counts = " union all ".join(
        f"select '{benchmark}/{noun}' as landing_table, count(*) as row_count "
        f"from {benchmark}.{noun}"
        for noun in nouns
    )
    return RowRule(
        "landed_rows_match_manifests",
        "core__landed_files",
        f"""
        with counted as ({counts}),
        promised as (
            select landing_table, sum(row_count) as row_count
            from (select distinct landing_table, landed_file, row_count from {{relation}})
            group by landing_table
        )
        select
            counted.landing_table as subject,
            concat(counted.row_count, ' rows are read, ', coalesce(promised.row_count, 0),
                ' are in the manifests') as message,
            null as source_file,
            null as source_line
        from counted
        left join promised on counted.landing_table = promised.landing_table
        where counted.row_count <> coalesce(promised.row_count, 0)
        order by 1
        """,
    )
