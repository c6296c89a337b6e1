-- Grain: evaluation_id, tau_step. Recovered utility per minute, slide and word. The time
-- cost is 0.25 minutes a slide and 130 words a minute. Time and word efficiency are NULL
-- for a deck whose words are unknown, or 0 on at least one slide (an image deck): its
-- text cost cannot be told. The literal columns follow the seed without that rule.
-- Source: pipeline, Stage 6; xslides reference 4.3.
with

coverages as (

    select
        evaluation_id,
        tau_step,
        available_utility,
        recovered_utility
    from {{ ref('int_xslides__coverages_computed') }}

),

evaluations as (

    select
        evaluation_id,
        slide_count,
        visible_word_count,
        case
            when deck_status = 'image_only' then coalesce(visible_word_count, 0)
            else visible_word_count
        end as literal_word_count
    from {{ ref('int_xslides__evaluations_assessed') }}

),

costed as (

    select
        coverages.evaluation_id,
        coverages.tau_step,
        case when coverages.available_utility > 0 then coverages.recovered_utility end
            as recovered_utility,
        evaluations.slide_count,
        evaluations.literal_word_count,
        case
            when evaluations.visible_word_count > 0 or evaluations.slide_count = 0
                then evaluations.visible_word_count
        end as word_count,
        {{ number('0.25') }} * evaluations.slide_count
        + evaluations.visible_word_count / {{ number('130') }} as time_cost_minutes,
        {{ number('0.25') }} * evaluations.slide_count
        + evaluations.literal_word_count / {{ number('130') }} as literal_time_cost_minutes
    from coverages
    inner join evaluations on coverages.evaluation_id = evaluations.evaluation_id

),

computed as (

    select
        evaluation_id,
        tau_step,
        time_cost_minutes,
        case
            when word_count is not null
                then {{ ratio('recovered_utility', 'time_cost_minutes') }}
        end as efficiency_time,
        -- greatest() passes over NULL, and an unknown number of slides is not one slide.
        case
            when slide_count is not null
                then {{ ratio('recovered_utility', 'greatest(slide_count, 1)') }}
        end as efficiency_slide,
        case
            when word_count is not null and time_cost_minutes > 0
                then {{ ratio('recovered_utility', 'greatest(word_count, 1)') }}
        end as efficiency_word,
        {{ ratio('recovered_utility', 'literal_time_cost_minutes') }}
            as efficiency_time_literal,
        case
            when literal_time_cost_minutes > 0
                then {{ ratio('recovered_utility', 'greatest(literal_word_count, 1)') }}
        end as efficiency_word_literal
    from costed

)

select * from computed
