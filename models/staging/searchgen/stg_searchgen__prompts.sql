-- Grain: run_id, sample_id. One evaluation prompt of one release with its tags.
with

source as (

    select * from {{ source('searchgen', 'prompts') }}

),

selected as (

    select
        run_id,
        dataset_id,
        sample_id,
        prompt_index,
        release_row,
        bench_id,
        stratum,
        search_type,
        domains,
        failure_modes,
        subsets,
        slices,
        difficulty,
        language,
        generation_task_type,
        is_miniset,
        metadata,
        source_file,
        source_line
    from source

)

select * from selected
