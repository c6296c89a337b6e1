-- Grain: run_id, dataset, question_id, system_id, setting, gold_number. One answer held
-- against one gold answer: normalised texts and tokens, numbers compared.
with

source as (

    select * from {{ source('slideagent', 'comparisons') }}

),

selected as (

    select
        run_id,
        dataset_id,
        dataset,
        question_id,
        system_id,
        setting,
        gold_number,
        gold_tokens,
        answer_tokens,
        is_exact,
        num,
        num_any,
        num_qscale,
        num_rounded,
        num_tol1pct,
        is_percent_form_mismatch,
        is_ambiguous,
        token_policy,
        number_policy,
        source_file,
        source_line
    from source

)

select * from selected
