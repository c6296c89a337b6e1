-- Grain: group_number, sample_id. Prompts of every group of every slice; one group is a run, a
-- slice, a view and a name. Domains and failure modes overlap. `All` is made of prompts, never
-- of tags, so that a prompt with two tags is in it once and one without tags is in it too.
with

prompts as (

    select
        run_id,
        sample_id,
        stratum,
        search_type
    from {{ ref('stg_searchgen__prompts') }}

),

tags as (

    select * from {{ ref('bridge_searchgen__prompt_tags') }}

),

-- Distinct, since NoSearch is a stratum and a search type.
viewed as (

    {% for view, group_name in [
        ('overall', "'All'"), ('stratum', "'All'"), ('stratum', 'stratum'),
        ('stratum', 'search_type'),
    ] %}
    select
        run_id,
        sample_id,
        '{{ view }}' as view,
        {{ group_name }} as group_name
    from prompts
    union
    {% endfor %}
    select
        run_id,
        sample_id,
        tag_type as view,
        tag as group_name
    from tags
    where tag_type in ('domain', 'failure_mode')

),

slices as (

    select
        run_id,
        sample_id,
        'all' as slice
    from prompts
    union
    select
        run_id,
        sample_id,
        tag as slice
    from tags
    where tag_type = 'slice'

),

grouped as (

    select
        dense_rank() over (
            order by viewed.run_id, slices.slice, viewed.view, viewed.group_name
        ) as group_number,
        viewed.run_id,
        slices.slice,
        viewed.view,
        viewed.group_name,
        viewed.sample_id
    from viewed
    inner join slices
        on
            viewed.run_id = slices.run_id
            and viewed.sample_id = slices.sample_id

)

select * from grouped
