-- Grain: dataset_id, case_id. One source document with what slices the summaries.
with

cases as (

    select
        dataset_id,
        case_id,
        case_label,
        title,
        scene,
        source_type,
        source_sha256,
        display_name,
        category,
        topic
    from {{ ref('stg_xslides__cases') }}

),

banks as (

    select
        dataset_id,
        case_id,
        count(*) as bank_count,
        cast(sum(probe_count) as bigint) as probe_count
    from {{ ref('stg_xslides__probe_banks') }}
    group by dataset_id, case_id

),

joined as (

    select
        cases.dataset_id,
        cases.case_id,
        cases.case_label,
        cases.title,
        cases.scene,
        cases.source_type,
        cases.source_sha256,
        cases.display_name,
        cases.category,
        cases.topic,
        coalesce(banks.bank_count, 0) as bank_count,
        coalesce(banks.probe_count, 0) as probe_count
    from cases
    left join banks
        on
            cases.dataset_id = banks.dataset_id
            and cases.case_id = banks.case_id

)

select * from joined
