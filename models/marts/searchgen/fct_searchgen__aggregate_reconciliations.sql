-- Grain: run_id, artifact, slice, view, group_name, model_id, metric. Each figure of a
-- published board against the one that the prompts of the same release give under the
-- published policy, rounded once. A component that a release does not publish has no row.
{% set counts = ['n_total', 'n_scored', 'n_included'] %}
with

published as (

    select * from {{ ref('stg_searchgen__published_aggregates') }}

),

boards as (

    select * from {{ ref('rpt_searchgen__leaderboards') }}
    where policy = 'published'

),

paired as (

    select
        published.*,
        boards.source_id as board_source_id,
        {% for count in counts -%}
        boards.{{ count }} as board_{{ count }},
        {% endfor -%}
        {{ rounded_once('boards.scored_share', 4) }} as board_coverage,
        {% for score in searchgen_scores() -%}
        {{ rounded_once('boards.' ~ score, 1) }} as board_{{ score }},
        boards.{{ score }}_count as board_{{ score }}_count{{ ',' if not loop.last }}
        {% endfor %}
    from published
    left join boards
        on
            published.run_id = boards.run_id
            and published.slice = boards.slice
            and published.view = boards.view
            and published.group_name = boards.group_name
            and published.model_id = boards.model_id

),

listed as (

    {% set metrics = [] -%}
    {% for name in counts + ['coverage', 'overall_9', 'overall_10'] -%}
    {% do metrics.append([name, none]) -%}
    {% endfor -%}
    {% for component in searchgen_components() -%}
    {% do metrics.append([component, component ~ '_count']) -%}
    {% do metrics.append([component ~ '_count', component ~ '_count']) -%}
    {% endfor -%}
    {% for metric, presence in metrics %}
    select
        run_id,
        dataset_id,
        artifact,
        slice,
        view,
        group_name,
        model_id,
        coalesce(source_id, board_source_id) as source_id,
        display_name,
        '{{ metric }}' as metric,
        cast({{ metric }} as double) as published_value,
        cast(board_{{ metric }} as double) as recomputed_value,
        board_source_id is not null as is_recomputed,
        source_file
    from paired
    {% if presence %}where {{ presence }} is not null{% endif %}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

judged as (

    select
        run_id,
        dataset_id,
        artifact,
        slice,
        view,
        group_name,
        model_id,
        source_id,
        display_name,
        metric,
        published_value,
        recomputed_value,
        published_value - recomputed_value as difference,
        case
            when not is_recomputed then 'not_recomputed'
            when published_value is null and recomputed_value is null then 'equal'
            when published_value is null or recomputed_value is null then 'null_mismatch'
            when published_value = recomputed_value then 'equal'
            else 'differs'
        end as reconciliation_status,
        source_file
    from listed

)

select * from judged
