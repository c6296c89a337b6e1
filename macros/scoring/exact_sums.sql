{# Means of doubles that do not hang on the order of rows, and the one rounding. #}

{# A score as an integer of 2^-100: exact for 0 and every double of at least 2^-48, and a sum
   of integers does not depend on the order of rows. Sums up to 10^8 fit. #}
{% macro fixed_point(value) -%}
    cast({{ value }} * {{ number('1267650600228229401496703205376') }} as {{ exact_integer() }})
{%- endmacro %}

{# The double that lies nearest to a sum of such integers. #}
{% macro from_fixed_point(fixed_sum) -%}
    cast({{ fixed_sum }} as double) / {{ number('1267650600228229401496703205376') }}
{%- endmacro %}

{# The one rounding: half to even on the double, once, from the unrounded figure. #}
{% macro rounded_once(value, decimals) -%}
    round_even({{ value }}, {{ decimals }})
{%- endmacro %}
