-- Grain: tau_step. The configured thresholds, numbered from the lowest: a weight that
-- meets threshold number s meets all lower ones, so one number says which it meets.
with

thresholds as (

    {% for thousandths in var('tau_a_thousandths') %}
    select
        {{ loop.index }} as tau_step,
        {{ thousandths }} as tau_a_thousandths,
        cast({{ thousandths }} as double) / {{ number('1000') }} as tau_a,
        {{ 'true' if thousandths == var('headline_tau_a_thousandths') else 'false' }}
            as is_headline
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

)

select * from thresholds
