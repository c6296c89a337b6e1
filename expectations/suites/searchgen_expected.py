"""Counts that a known release must have, reviewed as data in `seeds/expected/searchgen.csv`."""

from __future__ import annotations

import csv

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import groups_of
from warehouse.contracts.searchgen_values import ALL_GROUP, WHOLE_SLICE
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.paths import PROJECT_ROOT

EXPECTED_FILE = PROJECT_ROOT / "seeds" / "expected" / "searchgen.csv"

_RESULTS = """
    select run_id, source_file, profile, list_append(json_keys(slices), '{whole}') as slices
    from searchgen.runs
"""
_BOARDS = """
    select run_id, min(source_file) as source_file, cast(null as varchar) as profile,
        list(distinct slice) as slices
    from searchgen.published_aggregates
    group by run_id
"""
_PROMPT_COUNTS = f"""
    select run_id, slice, view, group_name, count(*) as prompt_count
    from ({groups_of("searchgen.prompts")})
    group by run_id, slice, view, group_name
"""
_BOARD_COUNTS = """
    select run_id, slice, view, group_name, max(n_total) as prompt_count
    from searchgen.published_aggregates
    group by run_id, slice, view, group_name
"""


def profiles() -> list[str]:
    """Return the names of all profiles."""
    return sorted({row["profile"] for row in _rows()})


def counts_of(profile: str) -> RowRule:
    """Return the rule that every landed release has the counts of a profile.

    Published boards are held to it too: they do not say what profile they have.

    Raises:
        UsageError: when no such profile is reviewed.
    """
    if profile not in profiles():
        raise UsageError(
            f"there is no profile `{profile}`",
            expected=", ".join(profiles()),
            fix=f"add its counts to {EXPECTED_FILE.relative_to(PROJECT_ROOT)}",
        )
    releases = f"""
        select 'prompts' as counted, run_id, source_file, slices, '{profile}' as profile
        from ({_RESULTS.format(whole=WHOLE_SLICE)})
        union all
        select 'boards', run_id, source_file, slices, '{profile}' from ({_BOARDS})
    """
    found = f"""
        select 'prompts' as counted, * from ({_PROMPT_COUNTS})
        union all select 'boards', * from ({_BOARD_COUNTS})
    """
    return _rule(f"counts_are_those_of_{profile}", releases, found)


def _rule(name: str, releases: str, found: str) -> RowRule:
    """Return the rule that groups of releases count what their profile says, and are no others.

    Args:
        name: the claim.
        releases: SQL of counted, run_id, source_file, slices, profile.
        found: SQL of counted, run_id, slice, view, group_name, prompt_count.
    """
    query = f"""
        with profiles (profile, slice, view, group_name, expected) as (values {_values()}),
        releases as ({releases}),
        found as ({found}),
        known_slices as (select distinct profile, slice from profiles),
        wanted as (
            select releases.counted, releases.run_id, profiles.*
            from releases
            inner join profiles
                on releases.profile = profiles.profile
                and list_contains(releases.slices, profiles.slice)
        ),
        seen as (
            select found.*
            from found
            inner join releases
                on found.counted = releases.counted and found.run_id = releases.run_id
            inner join known_slices
                on releases.profile = known_slices.profile and found.slice = known_slices.slice
        )
        select concat_ws('/', run_id, slice, view, group_name) as subject,
            concat(coalesce(seen.prompt_count, 0), ' prompts instead of ',
                coalesce(wanted.expected, 0)) as message,
            releases.source_file, null as source_line
        from wanted
        full outer join seen using (counted, run_id, slice, view, group_name)
        inner join releases using (counted, run_id)
        where coalesce(seen.prompt_count, 0) <> coalesce(wanted.expected, 0)
        order by 1
        """
    return RowRule(name, "searchgen__runs", query, Outcome.INCOMPLETE)


def _values() -> str:
    """Return the reviewed counts as SQL values."""
    return ", ".join(
        f"('{row['profile']}', '{row['slice']}', '{row['view']}', '{row['group_name']}', "
        f"{int(row['expected'])})"
        for row in _rows()
    )


def _rows() -> list[dict[str, str]]:
    """Return the reviewed counts; the stratum board repeats that of all prompts."""
    with EXPECTED_FILE.open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    alls = [{**row, "view": "stratum"} for row in rows if row["group_name"] == ALL_GROUP]
    return rows + alls


def _known() -> str:
    return ", ".join(f"'{name}'" for name in profiles())


EXPECTED = (
    RowRule(
        "profiles_are_known",
        "searchgen__runs",
        f"""
        select run_id as subject,
            concat('profile `', profile, '` is none of ', array_to_string([{_known()}], ', '))
                as message,
            source_file, null as source_line
        from {{relation}}
        where profile not in ({_known()})
        order by 1
        """,
    ),
    _rule(
        "counts_are_those_of_the_profile",
        f"select 'prompts' as counted, * from ({_RESULTS.format(whole=WHOLE_SLICE)})",
        f"select 'prompts' as counted, * from ({_PROMPT_COUNTS})",
    ),
)
