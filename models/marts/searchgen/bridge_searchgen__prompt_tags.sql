-- Grain: run_id, sample_id, tag_type, tag. Tags of prompts, each once however often it is
-- stated: domains, failure modes, and the named slices that hold the prompt.
with

prompts as (

    select * from {{ ref('stg_searchgen__prompts') }}

),

exploded as (

    {% for tag_type, column in [
        ('domain', 'domains'), ('failure_mode', 'failure_modes'), ('slice', 'slices'),
    ] %}
    select
        run_id,
        sample_id,
        '{{ tag_type }}' as tag_type,
        {{ exploded_parts(column) }} as tag
    from prompts
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

unique_tags as (

    select distinct * from exploded

)

select * from unique_tags
