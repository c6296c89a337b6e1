-- Grain: task, first_evaluation_id, second_evaluation_id. What each side of a comparison
-- judged, abstained from and failed on, whatever the other one did.
with

pairs as (

    select * from {{ ref('int_xslides__evaluation_pairs_matched') }}

),

answers as (

    select
        evaluation_id,
        score_count - n_filled - n_failed as judged_count,
        n_abstained as abstained_count,
        n_filled + n_failed + n_missing as unjudged_count,
        'answerability' as task
    from {{ ref('int_xslides__evaluations_assessed') }}

),

claims as (

    select
        evaluation_id,
        count_if(label <> 'failed') as judged_count,
        cast(null as bigint) as abstained_count,
        count_if(label = 'failed') as unjudged_count,
        'verification' as task
    from {{ ref('stg_xslides__claims') }}
    group by evaluation_id

),

sides as (

    select * from answers
    union all
    select * from claims

),

counted as (

    select
        pairs.first_evaluation_id,
        pairs.second_evaluation_id,
        pairs.task,
        {% for side in ['first', 'second'] -%}
        coalesce({{ side }}_side.judged_count, 0) as {{ side }}_judged_count,
        {{ side }}_side.abstained_count as {{ side }}_abstained_count,
        coalesce({{ side }}_side.unjudged_count, 0) as {{ side }}_unjudged_count
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from pairs
    {% for side in ['first', 'second'] -%}
    left join sides as {{ side }}_side
        on
            pairs.{{ side }}_evaluation_id = {{ side }}_side.evaluation_id
            and pairs.task = {{ side }}_side.task
    {% endfor %}

)

select * from counted
