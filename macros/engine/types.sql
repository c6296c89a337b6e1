{# Types and literals that the engines spell differently. #}

{# A double literal: decimals are doubles in one engine and decimals in the other. #}
{% macro number(literal) -%}
    cast({{ literal }} as double)
{%- endmacro %}

{# An integer type wide enough for sums of squares of fixed-point values. #}
{% macro exact_integer() -%}
    {{ adapter.dispatch('exact_integer', 'podium')() }}
{%- endmacro %}

{% macro duckdb__exact_integer() -%} hugeint {%- endmacro %}
{% macro spark__exact_integer() -%} decimal(38, 0) {%- endmacro %}

{# Whether blank-padded tokens hold a blank-padded phrase. #}
{% macro holds_phrase(tokens, phrase) -%}
    contains({{ tokens }}, concat(' ', {{ phrase }}, ' '))
{%- endmacro %}

{# Quotient as double, NULL where the denominator is 0 or NULL. #}
{% macro ratio(numerator, denominator) -%}
    cast({{ numerator }} as double) / nullif(cast({{ denominator }} as double), 0)
{%- endmacro %}
