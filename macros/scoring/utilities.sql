{# Utilities are summed as integers, so that no sum depends on the order of rows.

   A weight with k samples is S tenths over k: with 720,720 = lcm(1..16) it is an integer
   number of 1/7,207,200 for every k up to 16. A weight without samples, or with a k that
   does not divide 720,720, is rounded to 10^-12. Decision: docs/decisions/0005-tau-boundary.md #}

{% macro has_exact_samples(weights) -%}
    ({{ weights }}.sample_count is not null and 720720 % {{ weights }}.sample_count = 0)
{%- endmacro %}

{% macro sampled_units(weights) -%}
    case
        when {{ has_exact_samples(weights) }}
            then {{ weights }}.sample_tenths_sum
                * {{ integer_quotient('720720', weights ~ '.sample_count') }}
        else 0
    end
{%- endmacro %}

{% macro stated_units(weights) -%}
    case
        when {{ has_exact_samples(weights) }} then 0
        when {{ weights }}.sample_count is not null
            then cast(
                round(
                    {{ number('100000000000') }} * {{ weights }}.sample_tenths_sum
                    / {{ weights }}.sample_count
                ) as bigint
            )
        else cast(round({{ weights }}.utility_weight * {{ number('1000000000000') }}) as bigint)
    end
{%- endmacro %}

{# Utility as a double from the two integer sums. #}
{% macro utility(sampled, stated) -%}
    (
        {{ sampled }} / {{ number('7207200') }}
        + {{ stated }} / {{ number('1000000000000') }}
    )
{%- endmacro %}

{# w >= tau_a, exactly: in integers from samples, else with 1e-9 of slack on w. #}
{% macro meets_threshold(weights, thousandths) -%}
    case
        when {{ weights }}.sample_count is not null
            then 100 * {{ weights }}.sample_tenths_sum
                >= {{ weights }}.sample_count * {{ thousandths }}
        else cast(round({{ weights }}.utility_weight * {{ number('1000000000000') }}) as bigint)
            + 1000 >= {{ thousandths }} * cast(1000000000 as bigint)
    end
{%- endmacro %}
