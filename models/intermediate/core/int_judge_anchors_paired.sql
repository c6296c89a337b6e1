-- Grain: anchor_run_id, item_id, kind, where kind is also `all`. Each judgment of an anchor run
-- beside the one of the run before it, of the same judge of the same task on the same set. The
-- first run of a judge has none before it.
{% set judge_columns = ['set_sha256', 'task', 'judge_kind', 'judge_id'] %}
with

judgments as (

    select * from {{ ref('stg_core__anchor_judgments') }}

),

runs as (

    select distinct
        {{ judge_columns | join(',\n        ') }},
        anchor_run_id,
        started_at
    from judgments

),

ordered as (

    select
        *,
        lag(anchor_run_id) over (
            partition by {{ judge_columns | join(', ') }}
            order by started_at asc, anchor_run_id asc
        ) as previous_run_id,
        row_number() over (
            partition by {{ judge_columns | join(', ') }}
            order by started_at desc, anchor_run_id desc
        ) = 1 as is_latest
    from runs

),

paired as (

    select
        {% for column in judge_columns -%}
        judgments.{{ column }},
        {% endfor -%}
        judgments.set_name,
        judgments.anchor_run_id,
        ordered.previous_run_id,
        ordered.is_latest,
        judgments.started_at,
        judgments.asked_at,
        judgments.expected,
        judgments.source_file,
        judgments.source_line,
        judgments.item_id,
        judgments.kind,
        judgments.verdict,
        judgments.is_correct,
        judgments.prompt_sha256,
        judgments.model_served,
        previous.verdict as previous_verdict,
        previous.is_correct as was_correct,
        previous.prompt_sha256 as previous_prompt_sha256,
        previous.model_served as previous_model_served
    from judgments
    inner join ordered
        on
            judgments.anchor_run_id = ordered.anchor_run_id
            {% for column in judge_columns -%}
            and judgments.{{ column }} = ordered.{{ column }}
            {% endfor -%}
    left join judgments as previous
        on
            ordered.previous_run_id = previous.anchor_run_id
            and judgments.item_id = previous.item_id
            {% for column in judge_columns -%}
            and judgments.{{ column }} = previous.{{ column }}
            {% endfor %}

),

sliced as (

    select * from paired
    union all
    select
        {% for column in judge_columns -%}
        {{ column }},
        {% endfor -%}
        set_name,
        anchor_run_id,
        previous_run_id,
        is_latest,
        started_at,
        asked_at,
        expected,
        source_file,
        source_line,
        item_id,
        'all' as kind,
        verdict,
        is_correct,
        prompt_sha256,
        model_served,
        previous_verdict,
        was_correct,
        previous_prompt_sha256,
        previous_model_served
    from paired

)

select * from sliced
