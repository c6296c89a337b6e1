-- Grain: cell_number, for the cells of the statistics plan with at least two units. The
-- defined values of a cell in the order of their unit, never in row order, by stratum where
-- there are strata. A cell with several values of one unit is left out: it would need
-- resampling by cluster.
{% set key_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'system_id', 'condition',
    'audience', 'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind',
    'evaluation_config_id', 'weight_scope', 'variant',
] %}
with

plan as (

    {{ planned_cells('has_interval') }}

),

cells as (

    select *
    from {{ ref('int_metric_cells_estimated') }}
    where n_included between 2 and 20000 and unit_count = n_total

),

planned as (

    select cells.*
    from cells
    inner join plan
        on
            {{ is_planned('cells') }}

),

metric_values as (

    select * from {{ ref('int_metric_values_unioned') }}
    where fixed_value is not null

),

parts as (

    select
        planned.cell_number,
        metric_values.stratum_number,
        count(*) as unit_count,
        {{ ordered_list('metric_values.fixed_value', 'metric_values.unit_id') }}
            as unit_values
    from planned
    inner join metric_values
        on
            {{ same_values('planned', 'metric_values', key_columns) }}
    group by planned.cell_number, metric_values.stratum_number

),

listed as (

    {{ strata_joined('parts', ['cell_number']) }}

)

select * from listed
