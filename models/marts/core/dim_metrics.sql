-- Grain: benchmark, metric. The metric registry as a table: what each number means, where
-- it is computed, which test and which golden case hold it.
with

metrics as (

    select
        benchmark,
        metric,
        display_name,
        unit,
        cast(range_low as double) as range_low,
        cast(range_high as double) as range_high,
        direction,
        grain,
        model,
        column_name,
        computed_in,
        source,
        decision,
        cast(method_version as integer) as method_version
    from {{ ref('metrics') }}

)

select * from metrics
