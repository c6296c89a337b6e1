{# The resampler: counter -> permutation of GF(2^31 - 1) -> row. See warehouse/statistics.py #}

{% macro prime() -%} cast(2147483647 as bigint) {%- endmacro %}

{# One round, x -> (x + key)^5 mod p. Every product stays below 2^62. #}
{% macro fifth_power(value) -%}
    (
        (({{ value }}) * ({{ value }}) % {{ prime() }})
        * (({{ value }}) * ({{ value }}) % {{ prime() }})
        % {{ prime() }}
    ) * ({{ value }}) % {{ prime() }}
{%- endmacro %}
