-- Grain: pair_number, which stands for set_sha256, task, judge_kind, judge_id, anchor_run_id,
-- kind. An anchor run against the one before it: counts, what chance alone would agree on, and
-- the change of each item, right or wrong, in the order of items: what is resampled.
{% set cell_columns = [
    'set_sha256', 'task', 'judge_kind', 'judge_id', 'anchor_run_id', 'kind',
] %}
with

paired as (

    select
        *,
        dense_rank() over (order by {{ cell_columns | join(', ') }}) as pair_number
    from {{ ref('int_judge_anchors_paired') }}

),

summed as (

    select
        pair_number,
        {{ cell_columns | join(',\n        ') }},
        set_name,
        previous_run_id,
        is_latest,
        started_at,
        count(*) as item_count,
        cast(count_if(is_correct) as bigint) as correct_count,
        cast(count_if(verdict = 'failed') as bigint) as failed_count,
        count(previous_verdict) as unit_count,
        cast(count_if(was_correct) as bigint) as previous_correct_count,
        cast(count_if(verdict = previous_verdict) as bigint) as agreeing_count,
        count(distinct model_served) as model_count,
        min(model_served) as model_served,
        min(previous_model_served) as previous_model_served,
        (
            min(model_served) is distinct from min(previous_model_served)
            or max(model_served) is distinct from max(previous_model_served)
        ) as is_model_changed,
        coalesce(min(prompt_sha256) <> min(previous_prompt_sha256), false)
            as is_prompt_changed
    from paired
    group by all

),

listed as (

    select
        pair_number,
        {{ ordered_list(
            '(cast(is_correct as integer) - cast(was_correct as integer)) * 1000000000',
            'item_id'
        ) }} as unit_values
    from paired
    where previous_verdict is not null
    group by pair_number

),

{% for column in ['verdict', 'previous_verdict'] -%}
{{ column }}_counts as (

    select
        pair_number,
        {{ column }} as label,
        count(*) as label_count
    from paired
    where previous_verdict is not null
    group by pair_number, {{ column }}

),

{% endfor -%}
chances as (

    select
        verdict_counts.pair_number,
        cast(sum(verdict_counts.label_count * previous_verdict_counts.label_count) as bigint)
            as chance_units
    from verdict_counts
    inner join previous_verdict_counts
        on
            verdict_counts.pair_number = previous_verdict_counts.pair_number
            and verdict_counts.label = previous_verdict_counts.label
    group by verdict_counts.pair_number

),

joined as (

    select
        summed.*,
        listed.unit_values,
        coalesce(chances.chance_units, 0) as chance_units
    from summed
    left join listed on summed.pair_number = listed.pair_number
    left join chances on summed.pair_number = chances.pair_number

)

select * from joined
