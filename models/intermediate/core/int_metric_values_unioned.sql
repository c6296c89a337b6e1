-- Grain: evaluation_id, tau_a_thousandths, metric, slice_type, slice, policy. Values of all
-- benchmarks in one shape; unit_id is what is resampled (the case), within the stratum of
-- stratum_number where that is not 0. Values become fixed-point integers of 10^-9 here, so that
-- every sum below is exact; parts of a ratio of 10^-12, since the cost of a deck of one word is
-- only 0.008 minutes.
{% set case_id = "concat(dataset_id, '/', case_id)" %}
{% set stratum_number = "case stratum_name when 'NoSearch' then 1 "
    ~ "when 'TextualSearch' then 2 when 'VisualSearch' then 3 end" %}
with

unioned as (

    {% for benchmark, model, unit_id, stratum in [
        ('xslides', 'int_xslides__metric_values', case_id, '0'),
        ('xslides', 'int_xslides__imported_metric_values', case_id, '0'),
        ('searchgen', 'int_searchgen__metric_values', 'unit_id', stratum_number),
        ('rageval', 'int_rageval__answer_values', 'unit_id', '0'),
        ('rageval', 'int_rageval__retrieval_values', 'unit_id', '0'),
        ('slideagent', 'int_slideagent__metric_values', 'unit_id', 'stratum_number'),
    ] %}
    select
        '{{ benchmark }}' as benchmark,
        run_id,
        metric,
        slice_type,
        slice,
        system_id,
        condition,
        audience,
        tau_a,
        tau_a_thousandths,
        policy,
        judge_id,
        judge_kind,
        evaluation_config_id,
        weight_scope,
        variant,
        {{ unit_id }} as unit_id,
        {{ stratum }} as stratum_number,
        is_scored,
        cast(round(metric_value * {{ number('1000000000') }}) as bigint) as fixed_value,
        cast(round(numerator * {{ number('1000000000000') }}) as bigint) as fixed_numerator,
        cast(round(denominator * {{ number('1000000000000') }}) as bigint) as fixed_denominator
    from {{ ref(model) }}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

)

select * from unioned
