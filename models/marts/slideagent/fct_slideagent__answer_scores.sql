-- Grain: run_id, dataset, question_id, system_id, setting. The grid of a run: every question
-- of a set for every system and setting that answers any of the set. A numeric question is
-- scored by num, any other by f1; what is missing has no score, and a policy says what it
-- counts for. Scores are 0 to 1.
with

questions as (

    select * from {{ ref('stg_slideagent__questions') }}

),

answers as (

    select * from {{ ref('stg_slideagent__answers') }}

),

compared as (

    select * from {{ ref('int_slideagent__answers_compared') }}

),

evidence as (

    select * from {{ ref('int_slideagent__evidence_compared') }}

),

systems as (

    select distinct
        run_id,
        dataset,
        system_id,
        setting
    from answers

),

grid as (

    select
        questions.*,
        systems.system_id,
        systems.setting,
        case
            when questions.page_count is null then 'unknown'
            when questions.page_count <= 1 then '1'
            when questions.page_count <= 20 then '2-20'
            when questions.page_count <= 50 then '21-50'
            else '51+'
        end as page_band
    from questions
    inner join systems
        on {{ same_values('questions', 'systems', ['run_id', 'dataset']) }}

),

joined as (

    select
        grid.run_id,
        grid.dataset_id,
        grid.dataset,
        grid.question_id,
        grid.system_id,
        grid.setting,
        grid.question_type,
        grid.page_count,
        grid.page_band,
        grid.gold_mode,
        grid.is_numeric,
        grid.numeric_method,
        grid.numeric_reason,
        grid.number_policy,
        case when compared.run_id is null then 'missing' else 'scored' end as answer_status,
        {% for name in ['num', 'num_any', 'num_qscale', 'num_rounded', 'num_tol1pct'] -%}
        case
            when compared.{{ name }} then {{ number('1') }}
            when not compared.{{ name }} then {{ number('0') }}
        end as {{ name }},
        {% endfor -%}
        compared.f1,
        case
            when compared.is_exact then {{ number('1') }}
            when not compared.is_exact then {{ number('0') }}
        end as em,
        evidence.evidence_f1,
        compared.is_percent_form_mismatch,
        compared.is_ambiguous
    from grid
    left join compared
        on
            {{ same_values(
                'grid', 'compared',
                ['run_id', 'dataset', 'question_id', 'system_id', 'setting']
            ) }}
    left join evidence
        on
            {{ same_values(
                'grid', 'evidence',
                ['run_id', 'dataset', 'question_id', 'system_id', 'setting']
            ) }}

),

scored as (

    select
        *,
        case when is_numeric then num else f1 end as score
    from joined

)

select * from scored
