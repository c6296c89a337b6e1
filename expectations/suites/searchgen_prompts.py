"""Landing rules of `searchgen` about prompts, their tags and slices, and about models."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import each
from warehouse.contracts.searchgen_values import EXCLUDE, MISSING_STATUSES, PER_STATUS, ZERO_FILL
from warehouse.findings import Outcome

_IDS = ("sample_id", "release_row", "bench_id")
_TAGS = ("domains", "failure_modes", "subsets", "slices")
_POLICIES = tuple(f"{status}_policy" for status in MISSING_STATUSES)

PROMPTS = (
    RowRule(
        "prompt_ids_are_unique",
        "searchgen__prompts",
        f"""
        select concat_ws('/', run_id, id_name, id) as subject,
            concat(count(*), ' prompts share this ', id_name, ', among them ',
                min(sample_id), ' and ', max(sample_id)) as message,
            min(source_file) as source_file, max(source_line) as source_line
        from (
            {
            each(
                _IDS,
                "select run_id, '{name}' as id_name, {name} as id, sample_id, source_file, "
                "source_line from {{relation}}",
                " union all ",
            )
        }
        )
        where id is not null
        group by run_id, id_name, id
        having count(*) > 1
        order by 1
        """,
    ),
    RowRule(
        "parts_of_prompts_are_consistent",
        "searchgen__prompts",
        """
        select concat_ws('/', run_id, sample_id) as subject,
            concat('stratum ', stratum, ' with search type ', search_type,
                '; NoSearch goes with NoSearch and nothing else') as message,
            source_file, source_line
        from {relation}
        where (stratum = 'NoSearch') <> (search_type = 'NoSearch')
        order by 1
        """,
    ),
    RowRule(
        "tags_stand_once_in_a_prompt",
        "searchgen__prompts",
        f"""
        select concat_ws('/', run_id, sample_id, field) as subject,
            concat('`', tag, '` stands ', count(*), ' times') as message,
            min(source_file) as source_file, min(source_line) as source_line
        from (
            {
            each(
                _TAGS,
                "select run_id, sample_id, '{name}' as field, unnest({name}) as tag, "
                "source_file, source_line from {{relation}}",
                " union all ",
            )
        }
        )
        group by run_id, sample_id, field, tag
        having count(*) > 1
        order by 1, tag
        """,
    ),
    RowRule(
        "slices_have_their_rows",
        "searchgen__runs",
        """
        with wanted as (
            select runs.run_id, rules.key as slice, runs.source_file,
                cast(rules.value ->> 'expected_rows' as bigint) as expected
            from {relation} as runs, json_each(runs.slices) as rules
        ),
        found as (
            select run_id, slice, count(*) as row_count
            from (select run_id, unnest(list_distinct(slices)) as slice from searchgen.prompts)
            group by run_id, slice
        )
        select concat_ws('/', wanted.run_id, wanted.slice) as subject,
            concat(coalesce(found.row_count, 0), ' prompts instead of ',
                coalesce(cast(wanted.expected as varchar), 'at least one')) as message,
            wanted.source_file, null as source_line
        from wanted
        left join found on wanted.run_id = found.run_id and wanted.slice = found.slice
        where coalesce(found.row_count, 0) <> coalesce(wanted.expected, found.row_count, -1)
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "slices_of_prompts_are_declared",
        "searchgen__prompts",
        """
        select concat_ws('/', prompts.run_id, prompts.sample_id) as subject,
            concat('slice `', prompts.slice, '` is none of its release') as message,
            prompts.source_file, prompts.source_line
        from (
            select run_id, sample_id, source_file, source_line, unnest(slices) as slice
            from {relation}
        ) as prompts
        inner join searchgen.runs as runs on prompts.run_id = runs.run_id
        where not list_contains(json_keys(runs.slices), prompts.slice)
        order by 1, prompts.slice
        """,
    ),
)

MODELS = (
    RowRule(
        "model_names_are_unique",
        "searchgen__models",
        f"""
        select concat_ws('/', run_id, field, name) as subject,
            concat(count(*), ' models share this ', field, ', ', min(source_id), ' and ',
                max(source_id)) as message,
            min(source_file) as source_file, null as source_line
        from (
            {
            each(
                ("model_id", "display_name"),
                "select run_id, source_id, source_file, '{name}' as field, {name} as name "
                "from {{relation}}",
                " union all ",
            )
        }
        )
        group by run_id, field, name
        having count(*) > 1
        order by 1
        """,
    ),
    RowRule(
        "policies_of_models_fit_their_statuses",
        "searchgen__models",
        f"""
        select concat_ws('/', run_id, source_id) as subject,
            concat('policy ', missing_policy, ' with ', concat_ws(', ', {", ".join(_POLICIES)}))
                as message,
            source_file, null as source_line
        from {{relation}}
        where missing_policy <> case
            when {each(_POLICIES, "{name} = '" + ZERO_FILL + "'", " and ")} then '{ZERO_FILL}'
            when {each(_POLICIES, "{name} = '" + EXCLUDE + "'", " and ")} then '{EXCLUDE}'
            else '{PER_STATUS}'
        end
        order by 1
        """,
    ),
    RowRule(
        "missing_policies_name_models",
        "searchgen__runs",
        # Landing tells the same of a manifest in the same words; equal findings are told once.
        """
        select concat_ws('/', run_id, name) as subject, message, source_file, null as source_line
        from (
            select run_id, source_file,
                unnest(json_keys(missing_policies, '$.exceptions')) as name,
                'it has a missing policy of its own and is no model of this release' as message
            from {relation}
        ) as named
        where (run_id, name) not in (select run_id, source_id from searchgen.models)
        union all
        select concat_ws('/', run_id, name), message, source_file, null
        from (
            select run_id, source_file, unnest(json_keys(missing_policy_exceptions)) as name,
                'the manifest has a missing policy for this id, which names no model' as message
            from searchgen.published_releases
        ) as named
        where not exists (
            select 1 from searchgen.published_aggregates as boards
            where boards.run_id = named.run_id
                and named.name in (boards.model_id, boards.source_id)
        )
        order by 1
        """,
    ),
    RowRule(
        "models_without_exception_have_the_policy_of_the_release",
        "searchgen__models",
        """
        select concat_ws('/', models.run_id, models.source_id) as subject,
            concat('policy ', models.missing_policy, ', that of the release is ',
                runs.missing_policy_default, ' and no exception names it') as message,
            models.source_file, null as source_line
        from {relation} as models
        inner join searchgen.runs as runs on models.run_id = runs.run_id
        where models.missing_policy <> runs.missing_policy_default
            and not coalesce(list_contains(
                json_keys(runs.missing_policies, '$.exceptions'), models.source_id), false)
        order by 1
        """,
    ),
)
