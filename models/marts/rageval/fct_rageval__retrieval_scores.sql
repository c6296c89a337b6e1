-- Grain: run_id, system_id, question_id, stage. What one stage of retrieval found of the gold
-- pages of one question. A stage that found nothing for a question is there with zeros; where
-- no gold page is known, figures are NULL. Ranks count chunks, several of one page as several.
{% set key_columns = ['run_id', 'system_id', 'question_id', 'stage'] %}
with

rewrites as (

    select * from {{ ref('stg_rageval__rewrites') }}

),

runs as (

    select * from {{ ref('stg_rageval__runs') }}

),

questions as (

    select * from {{ ref('int_rageval__questions_settled') }}

),

hit_counts as (

    select
        run_id,
        system_id,
        question_id,
        stage,
        count(*) as hit_count
    from {{ ref('stg_rageval__hits') }}
    group by run_id, system_id, question_id, stage

),

stages as (

    select distinct
        run_id,
        system_id,
        stage
    from hit_counts

),

found as (

    select
        run_id,
        system_id,
        question_id,
        stage,
        min(first_rank) as first_gold_rank,
        cast(count_if(first_rank <= 1) as bigint) as found_at_1,
        cast(count_if(first_rank <= 5) as bigint) as found_at_5,
        cast(count_if(first_rank <= 20) as bigint) as found_at_20
    from {{ ref('int_rageval__gold_pages_found') }}
    group by run_id, system_id, question_id, stage

),

grid as (

    select
        rewrites.run_id,
        rewrites.dataset_id,
        rewrites.system_id,
        rewrites.question_id,
        stages.stage
    from rewrites
    inner join stages
        on rewrites.run_id = stages.run_id and rewrites.system_id = stages.system_id

),

joined as (

    select
        grid.run_id,
        grid.dataset_id,
        grid.system_id,
        grid.question_id,
        grid.stage,
        runs.variant as retrieval_variant,
        runs.embedder_id,
        runs.is_surrogate,
        runs.configuration_id,
        questions.modality,
        questions.question_type,
        questions.routed_class,
        questions.true_class,
        coalesce(questions.gold_page_count, 0) as gold_page_count,
        coalesce(hit_counts.hit_count, 0) as hit_count,
        found.first_gold_rank,
        {% for depth in [1, 5, 20] -%}
        {{ ratio('coalesce(found.found_at_' ~ depth ~ ', 0)', 'questions.gold_page_count') }}
            as recall_at_{{ depth }},
        {% endfor -%}
        {% for depth in [1, 5] -%}
        case
            when questions.gold_page_count = 0 then null
            when found.first_gold_rank <= {{ depth }} then {{ number('1') }}
            else {{ number('0') }}
        end as hit_at_{{ depth }},
        {% endfor -%}
        case
            when questions.gold_page_count = 0 then null
            when found.first_gold_rank is null then {{ number('0') }}
            else {{ ratio('1', 'found.first_gold_rank') }}
        end as reciprocal_rank
    from grid
    left join runs on grid.run_id = runs.run_id and grid.system_id = runs.system_id
    left join questions
        on grid.dataset_id = questions.dataset_id and grid.question_id = questions.question_id
    left join hit_counts
        on {{ same_values('grid', 'hit_counts', key_columns) }}
    left join found
        on {{ same_values('grid', 'found', key_columns) }}

)

select * from joined
