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


{# Cells meet the draws of their size, known by a number of a column of theirs. DuckDB's hash
   join would copy the lists of one side for every match; a condition that it cannot hash makes
   it a nested loop, which copies nothing and halves the time of the dot products. #}
{% macro same_size(cells, draws, column='unit_count') -%}
    {{ adapter.dispatch('same_size', 'podium')(cells, draws, column) }}
{%- endmacro %}
{% macro duckdb__same_size(cells, draws, column) -%}
    {{ cells }}.{{ column }} - {{ draws }}.universe_number = 0
{%- endmacro %}
{% macro default__same_size(cells, draws, column) -%}
    {{ cells }}.{{ column }} = {{ draws }}.universe_number
{%- endmacro %}

{# Draws to counts: one row a universe and replicate, with a list over the units of how often
   each was drawn. `drawn` has one row a draw, `grid` one a unit; both have universe_number,
   unit_count, replicate and unit_index. Units never drawn count 0. #}
{% macro draw_counts_listed(drawn, grid) -%}
    {{ adapter.dispatch('draw_counts_listed', 'podium')(drawn, grid) }}
{%- endmacro %}

{# A histogram over fixed bins costs a quarter of the join with the grid, but its bins must be
   constants: hence a few sizes of it. What is larger goes by the grid, which can leave memory:
   the bins of 10,000 replicates take half a gigabyte at 2,048 units. #}
{% macro duckdb__draw_counts_listed(drawn, grid) -%}
    {% set limits = [0, 32, 128, 512, 2048] -%}
    {% for limit in limits[1:] -%}
    select
        universe_number,
        unit_count,
        replicate,
        cast(map_values(histogram)[:unit_count] as double[]) as draw_counts
    from (
        select
            universe_number,
            unit_count,
            replicate,
            histogram_exact(unit_index, range({{ limit }})) as histogram
        from {{ drawn }}
        where unit_count > {{ limits[loop.index0] }} and unit_count <= {{ limit }}
        group by universe_number, unit_count, replicate
    )
    union all
    {% endfor -%}
    {{ podium.default__draw_counts_listed(drawn, grid, limits[-1]) }}
{%- endmacro %}

{% macro default__draw_counts_listed(drawn, grid, above=0) -%}
    {%- set universe = 'universe_number, unit_count, replicate' %}
    select
        {{ universe }},
        {{ ordered_list('draw_count', 'unit_index') }} as draw_counts
    from (
        select
            {{ universe }},
            unit_index,
            sum(hit) as draw_count
        from (
            select {{ universe }}, unit_index, 1 as hit from {{ drawn }}
            union all
            select {{ universe }}, unit_index, 0 as hit from {{ grid }}
        ) as tallied
        where unit_count > {{ above }}
        group by {{ universe }}, unit_index
    ) as counted
    group by {{ universe }}
{%- endmacro %}
