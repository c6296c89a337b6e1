-- Grain: first_evaluation_id, second_evaluation_id, task, first_label, second_label. How often
-- two judges gave one pair of labels to the same thing. answerability: covered or uncovered, an
-- abstention being uncovered, for every probe that both judged. verification: the label of a
-- claim that neither failed on, where its id and text are the same on both sides.
with

pairs as (

    select * from {{ ref('int_xslides__evaluation_pairs_matched') }}

),

judgments as (

    select
        'answerability' as task,
        evaluation_key,
        probe_id as item_id,
        '' as item_text,
        case when covered then 'covered' else 'uncovered' end as label
    from {{ ref('stg_xslides__probe_scores') }}
    where judgment_status = 'judged'
    union all
    select
        'verification' as task,
        evaluation_key,
        claim_id as item_id,
        text as item_text,
        label
    from {{ ref('stg_xslides__claims') }}
    where label <> 'failed'

),

-- Each side by itself, and then brought together by grouping: joined in one go, the two sides
-- may meet on the probe before the pairs have thinned them out.
sided as (

    {% for side in ['first', 'second'] -%}
    select
        pairs.first_evaluation_id,
        pairs.second_evaluation_id,
        pairs.task,
        '{{ side }}' as side,
        judgments.item_id,
        judgments.item_text,
        judgments.label
    from pairs
    inner join judgments
        on
            pairs.{{ side }}_evaluation_key = judgments.evaluation_key
            and pairs.task = judgments.task
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

met as (

    select
        first_evaluation_id,
        second_evaluation_id,
        task,
        max(case when side = 'first' then label end) as first_label,
        max(case when side = 'second' then label end) as second_label
    from sided
    group by first_evaluation_id, second_evaluation_id, task, item_id, item_text

),

counted as (

    select
        first_evaluation_id,
        second_evaluation_id,
        task,
        first_label,
        second_label,
        count(*) as judgment_count
    from met
    where first_label is not null and second_label is not null
    group by all

)

select * from counted
