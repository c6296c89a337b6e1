{# What is resampled. A unit may belong to a stratum (`stratum_number`, 1 and up; 0 means none);
   a group is resampled within strata when each of its strata has at least ten units, each
   stratum from a stream of draws of its own, and as a whole otherwise. #}

{% macro least_stratum_size() -%} 10 {%- endmacro %}

{# Draws are known by their number: stream * 2^15 + units. A group without strata draws from
   stream 0, so its number is its number of units. #}
{% macro universe_number(stream, unit_count) -%}
    ({{ stream }}) * 32768 + {{ unit_count }}
{%- endmacro %}

{# One row a group out of one row a group and stratum. `parts` has the key columns,
   stratum_number, unit_count and unit_values (a list in the order of units). The list of a
   group that is resampled as a whole is in unit_values; those of strata are in unit_parts.
   `sums` are further aggregates over the parts of a group. #}
{% macro strata_joined(parts, key_columns, sums=[]) -%}
    select
        {{ key_columns | join(',\n        ') }},
        {% for one in sums -%}
        {{ one }},
        {% endfor -%}
        cast(sum(unit_count) as bigint) as unit_count,
        case
            when not ({{ is_stratified() }})
                then {{ joined_lists('unit_values', 'stratum_number') }}
        end as unit_values,
        case
            when {{ is_stratified() }}
                then {{ listed_parts(
                    universe_number('stratum_number', 'unit_count'), 'unit_values',
                    'stratum_number'
                ) }}
        end as unit_parts
    from {{ parts }}
    group by {{ key_columns | join(', ') }}
{%- endmacro %}

{% macro is_stratified() -%}
    min(stratum_number) > 0 and min(unit_count) >= {{ least_stratum_size() }}
{%- endmacro %}

{# Numbers of all draws that the groups of a model need. #}
{% macro universes_of(listed) -%}
    select unit_count as universe_number
    from {{ listed }}
    where unit_values is not null
    union
    select {{ exploded_parts('unit_parts') }}.universe_number as universe_number
    from {{ listed }}
    where unit_parts is not null
{%- endmacro %}

{# The resampled sums of each group: key columns, replicate, replicate_sum. The sums of strata
   add up, since every stratum keeps its number of units in every replicate. #}
{% macro replicate_sums(listed, key_columns, has_strata=true) -%}
    select
        {% for column in key_columns -%}
        whole.{{ column }},
        {% endfor -%}
        draws.replicate,
        {{ dot_product('whole.unit_values', 'draws.draw_counts') }} as replicate_sum
    from {{ listed }} as whole
    inner join {{ ref('int_bootstrap_counts_drawn') }} as draws
        on {{ same_size('whole', 'draws', 'unit_count') }}
    where whole.unit_values is not null
    {%- if has_strata %}
    union all
    select
        {{ key_columns | join(',\n        ') }},
        replicate,
        sum(replicate_sum) as replicate_sum
    from (
        select
            {% for column in key_columns -%}
            parts.{{ column }},
            {% endfor -%}
            draws.replicate,
            {{ dot_product('parts.unit_values', 'draws.draw_counts') }} as replicate_sum
        from (
            select
                {{ key_columns | join(',\n                ') }},
                unit_part.universe_number as universe_number,
                unit_part.unit_values as unit_values
            from (
                select
                    {{ key_columns | join(',\n                    ') }},
                    {{ exploded_parts('unit_parts') }} as unit_part
                from {{ listed }}
                where unit_parts is not null
            ) as exploded
        ) as parts
        inner join {{ ref('int_bootstrap_counts_drawn') }} as draws
            on {{ same_size('parts', 'draws', 'universe_number') }}
    ) as summed
    group by {{ key_columns | join(', ') }}, replicate
    {%- endif %}
{%- endmacro %}
