"""Landing rules of `searchgen` about published boards: shape, ranges, policies, order."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import COUNTS, each, told
from warehouse.contracts.searchgen_values import ALL_GROUP, COMPONENTS, PRIMARY_METRICS, WHOLE_SLICE
from warehouse.findings import Outcome

RELATION = "searchgen__published_aggregates"
GROUP = "concat_ws('/', run_id, artifact, slice, view, group_name)"
ROW = "concat_ws('/', run_id, artifact, slice, view, group_name, model_id)"
_SCORES = (*PRIMARY_METRICS, *COMPONENTS)
_IS_OFF_SCALE = (
    "not {name} between 0 and 100 or isnan({name}) or abs({name} * 10 - round({name} * 10)) > 1e-9"
)


def row_rule(name: str, message: str, condition: str, outcome: Outcome = Outcome.FAILED) -> RowRule:
    """Return a rule about single rows of published boards."""
    return RowRule(
        name,
        RELATION,
        f"select {ROW} as subject, {message} as message, source_file, source_line "
        f"from {{relation}} where {condition} order by 1",
        outcome,
    )


PUBLISHED = (
    row_rule(
        "published_scores_have_one_decimal_from_0_to_100",
        told(_SCORES, _IS_OFF_SCALE, "concat('{name} is ', {name})"),
        each(_SCORES, f"({_IS_OFF_SCALE})"),
    ),
    row_rule(
        "published_counts_hold_their_order",
        "concat(n_total, ' prompts, ', n_scored, ' scored, ', n_included, ' included, ', "
        f"greatest({', '.join(COUNTS)}), ' with a component')",
        "n_total < 1 or n_scored > n_total or n_included > n_total "
        f"or greatest({', '.join(COUNTS)}) > n_included",
    ),
    row_rule(
        "published_scores_are_null_where_nothing_counts",
        told(
            COMPONENTS,
            "({name}_count = 0) <> ({name} is null)",
            "concat('{name} is ', coalesce(cast({name} as varchar), 'null'), ' of ', {name}_count)",
        )
        + " || case when n_included = 0 and coalesce(overall_9, overall_10) is not null "
        "then concat(' overalls are ', overall_9, ' and ', overall_10, ' of 0') else '' end",
        f"{each(COMPONENTS, '({name}_count = 0) <> ({name} is null)')} "
        "or (n_included = 0 and coalesce(overall_9, overall_10) is not null)",
    ),
    row_rule(
        "published_models_are_those_of_the_manifest",
        "'the manifest has no model of this id'",
        "source_id is null",
    ),
    RowRule(
        "every_group_lists_every_model_once",
        RELATION,
        f"""
        with models as (select distinct run_id, model_id from {{relation}}),
        groups as (
            select distinct run_id, artifact, slice, view, group_name, source_file
            from {{relation}}
        )
        select {ROW} as subject,
            concat(count(found.n_total), ' rows of this model in its group, one expected')
                as message,
            any_value(groups.source_file) as source_file, null as source_line
        from groups
        inner join models using (run_id)
        left join {{relation}} as found using (run_id, artifact, slice, view, group_name, model_id)
        group by run_id, artifact, slice, view, group_name, model_id
        having count(found.n_total) <> 1
        order by 1
        """,
    ),
    RowRule(
        "every_group_has_one_size",
        RELATION,
        f"""
        select {GROUP} as subject,
            concat('n_total is ', min(n_total), ' and ', max(n_total), ', one number expected')
                as message,
            any_value(source_file) as source_file, null as source_line
        from {{relation}}
        group by run_id, artifact, slice, view, group_name
        having min(n_total) <> max(n_total)
        order by 1
        """,
    ),
    RowRule(
        "published_totals_are_those_of_the_manifest",
        "searchgen__published_releases",
        f"""
        with stated as (
            select run_id, '{ALL_GROUP}' as group_name, prompt_count as expected from {{relation}}
            union all
            select releases.run_id, parts.key, cast(parts.value as bigint)
            from {{relation}} as releases, json_each(releases.partition) as parts
            where json_type(parts.value) = 'UBIGINT'
        ),
        found as (
            select run_id, group_name, max(n_total) as n_total
            from searchgen.published_aggregates
            where view = 'stratum' and slice = '{WHOLE_SLICE}'
            group by run_id, group_name
        )
        select concat_ws('/', stated.run_id, stated.group_name) as subject,
            concat(coalesce(found.n_total, 0), ' prompts on the boards, the manifest says ',
                stated.expected) as message,
            'manifest.json' as source_file, null as source_line
        from stated
        left join found on stated.run_id = found.run_id and stated.group_name = found.group_name
        where coalesce(found.n_total, 0) <> stated.expected
        order by 1
        """,
    ),
    RowRule(
        "published_rows_have_the_policy_of_the_manifest",
        RELATION,
        f"""
        with exceptions as (
            select releases.run_id, one.key as name, case
                when json_type(one.value) = 'VARCHAR' then one.value ->> '$' else 'per_status'
            end as policy
            from searchgen.published_releases as releases,
                json_each(releases.missing_policy_exceptions) as one
        ),
        stated as (
            select boards.*, coalesce(exceptions.policy, releases.missing_policy_default) as policy
            from {{relation}} as boards
            inner join searchgen.published_releases as releases
                on boards.run_id = releases.run_id
            left join exceptions
                on boards.run_id = exceptions.run_id
                and exceptions.name in (boards.model_id, boards.source_id)
        )
        select {ROW} as subject,
            concat('missing_policy is ', missing_policy, ', the manifest says ', policy)
                as message,
            source_file, source_line
        from stated
        where missing_policy <> policy and policy <> 'per_status'
        order by 1
        """,
    ),
    RowRule(
        "published_rows_stand_in_order",
        RELATION,
        f"""
        with ordered as (
            select boards.*, row_number() over (
                partition by boards.run_id, artifact, slice, view, group_name
                order by
                    case releases.primary_metric
                        when 'overall_9' then overall_9 else overall_10
                    end desc nulls last,
                    display_name, model_id
            ) as expected
            from {{relation}} as boards
            inner join searchgen.published_releases as releases
                on boards.run_id = releases.run_id
        )
        select {GROUP} as subject,
            concat(count(*), ' rows stand elsewhere than by rounded score and then by name, ',
                'first `', min_by(model_id, row_position), '`') as message,
            any_value(source_file) as source_file, null as source_line
        from ordered
        where row_position <> expected
        group by run_id, artifact, slice, view, group_name
        order by 1
        """,
        Outcome.WARNED,
    ),
)
