-- Grain: run_id, source_id. One image model of one release: names, type, lane, and what each
-- missing status becomes. Public ids and names change between releases, source_id does not.
with

models as (

    select
        run_id,
        dataset_id,
        source_id,
        model_id,
        display_name,
        model_type,
        model_order,
        cast(to_json(aliases) as varchar) as aliases,
        lane,
        missing_policy,
        {% for status in searchgen_missing_statuses() -%}
        {{ status }}_policy,
        {% endfor -%}
        expected_scored_count
    from {{ ref('stg_searchgen__models') }}

)

select * from models
