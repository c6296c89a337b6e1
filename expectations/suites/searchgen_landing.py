"""Landing gate of `searchgen`: releases of results, public records and published boards.

Results or published boards alone are enough to be checked; each release is held to what it
says of itself. Which check of the design stands where: docs/searchgen-checks.md.
"""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.landed_rows import manifests_rule, rejects_rule
from expectations.suites.searchgen_expected import EXPECTED
from expectations.suites.searchgen_identities import IDENTITIES
from expectations.suites.searchgen_prompts import MODELS, PROMPTS
from expectations.suites.searchgen_published import PUBLISHED
from expectations.suites.searchgen_scores import GRIDS, SCORES
from warehouse.findings import Outcome

_NOUNS = (
    "runs",
    "prompts",
    "models",
    "prompt_scores",
    "published_releases",
    "published_aggregates",
)


def _parts_rule(name: str, head: str, nouns: tuple[str, ...]) -> RowRule:
    """Return the rule that each row of a head table has rows in other tables."""
    queries = " union all ".join(
        f"select heads.run_id as subject, 'it has no {noun.replace('_', ' ')}' as message, "
        "heads.source_file, null as source_line from {relation} as heads "
        f"where heads.run_id not in (select run_id from searchgen.{noun})"
        for noun in nouns
    )
    query = f"select * from ({queries}) order by subject, message"
    return RowRule(name, f"searchgen__{head}", query, Outcome.INCOMPLETE)


_LANDED = (
    RowRule(
        "a_release_is_landed",
        "searchgen__runs",
        """
        select 'searchgen' as subject,
            'no results and no published boards of any release are landed' as message,
            null as source_file, null as source_line
        from (select count(*) as row_count from searchgen.prompt_scores) as results
        cross join (select count(*) as row_count from searchgen.published_aggregates) as boards
        where results.row_count = 0 and boards.row_count = 0
        """,
        Outcome.NOTHING_SELECTED,
    ),
    _parts_rule("every_release_is_whole", "runs", ("prompts", "models", "prompt_scores")),
    _parts_rule("every_published_release_has_boards", "published_releases", _NOUNS[-1:]),
    rejects_rule("searchgen"),
    manifests_rule("searchgen", _NOUNS),
)

SUITE = Suite(
    "landing",
    "searchgen",
    (*_LANDED, *EXPECTED, *PROMPTS, *MODELS, *GRIDS, *SCORES, *PUBLISHED, *IDENTITIES),
)
