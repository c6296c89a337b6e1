{# List functions that the engines spell differently. #}

{# Values in the order of a key, as a list of doubles. #}
{% macro ordered_list(value, order_by) -%}
    {{ adapter.dispatch('ordered_list', 'podium')(value, order_by) }}
{%- endmacro %}
{% macro duckdb__ordered_list(value, order_by) -%}
    list(cast({{ value }} as double) order by {{ order_by }})
{%- endmacro %}

{# Lists of a group put one behind the other, in the order of a key. #}
{% macro joined_lists(list_value, order_by) -%}
    {{ adapter.dispatch('joined_lists', 'podium')(list_value, order_by) }}
{%- endmacro %}
{% macro duckdb__joined_lists(list_value, order_by) -%}
    flatten(list({{ list_value }} order by {{ order_by }}))
{%- endmacro %}

{# Lists of a group kept apart, each beside the number of its draws, in the order of a key. #}
{% macro listed_parts(number_value, list_value, order_by) -%}
    {{ adapter.dispatch('listed_parts', 'podium')(number_value, list_value, order_by) }}
{%- endmacro %}
{% macro duckdb__listed_parts(number_value, list_value, order_by) -%}
    list(
        struct_pack(universe_number := {{ number_value }}, unit_values := {{ list_value }})
        order by {{ order_by }}
    )
{%- endmacro %}

{# The parts of such a list, one row each beside the other columns of its row. #}
{% macro exploded_parts(list_value) -%}
    {{ adapter.dispatch('exploded_parts', 'podium')(list_value) }}
{%- endmacro %}
{% macro duckdb__exploded_parts(list_value) -%}
    unnest({{ list_value }})
{%- endmacro %}

{# Sum of products of two lists of integer-valued doubles; exact below 2^53. #}
{% macro dot_product(left_list, right_list) -%}
    {{ adapter.dispatch('dot_product', 'podium')(left_list, right_list) }}
{%- endmacro %}
{% macro duckdb__dot_product(left_list, right_list) -%}
    list_dot_product({{ left_list }}, {{ right_list }})
{%- endmacro %}

{# All values of a group, rising. #}
{% macro sorted_list(value) -%}
    {{ adapter.dispatch('sorted_list', 'podium')(value) }}
{%- endmacro %}
{% macro duckdb__sorted_list(value) -%}
    list_sort(list({{ value }}))
{%- endmacro %}

{# The `count` lowest values of a group, rising, and the highest, falling: the ends of an
   interval need no more, and to sort the rest costs five times as much. #}
{% macro lowest_values(value, count) -%}
    {{ adapter.dispatch('lowest_values', 'podium')(value, count) }}
{%- endmacro %}
{% macro duckdb__lowest_values(value, count) -%}
    min({{ value }}, {{ count }})
{%- endmacro %}
{% macro highest_values(value, count) -%}
    {{ adapter.dispatch('highest_values', 'podium')(value, count) }}
{%- endmacro %}
{% macro duckdb__highest_values(value, count) -%}
    max({{ value }}, {{ count }})
{%- endmacro %}

{# The 1-based n-th element. #}
{% macro element(list_value, position) -%}
    {{ adapter.dispatch('element', 'podium')(list_value, position) }}
{%- endmacro %}
{% macro duckdb__element(list_value, position) -%}
    list_extract({{ list_value }}, {{ position }})
{%- endmacro %}

{# How many elements of a list are not NULL, and how many equal a value. #}
{% macro known_count(list_value) -%}
    {{ adapter.dispatch('known_count', 'podium')(list_value) }}
{%- endmacro %}
{% macro duckdb__known_count(list_value) -%}
    len(list_filter({{ list_value }}, lambda one: one is not null))
{%- endmacro %}
{% macro equal_count(list_value, value) -%}
    {{ adapter.dispatch('equal_count', 'podium')(list_value, value) }}
{%- endmacro %}
{% macro duckdb__equal_count(list_value, value) -%}
    len(list_filter({{ list_value }}, lambda one: one = {{ value }}))
{%- endmacro %}

{# Rows 0 .. count - 1 in a column `id`. #}
{% macro row_range(count) -%}
    {{ adapter.dispatch('row_range', 'podium')(count) }}
{%- endmacro %}
{% macro duckdb__row_range(count) -%}
    (select range as id from range({{ count }}))
{%- endmacro %}

{# 0 .. count - 1, one row each beside the other columns of its row. #}
{% macro exploded_range(count) -%}
    {{ adapter.dispatch('exploded_range', 'podium')(count) }}
{%- endmacro %}
{% macro duckdb__exploded_range(count) -%}
    unnest(range({{ count }}))
{%- endmacro %}

{# Integer quotient, towards zero. #}
{% macro integer_quotient(numerator, denominator) -%}
    {{ adapter.dispatch('integer_quotient', 'podium')(numerator, denominator) }}
{%- endmacro %}
{% macro duckdb__integer_quotient(numerator, denominator) -%}
    ({{ numerator }}) // ({{ denominator }})
{%- endmacro %}
{% macro spark__integer_quotient(numerator, denominator) -%}
    ({{ numerator }}) div ({{ denominator }})
{%- endmacro %}

{# After the name of a CTE: its rows are not kept between its readers. #}
{% macro not_kept() -%}
    {{ adapter.dispatch('not_kept', 'podium')() }}
{%- endmacro %}
{% macro duckdb__not_kept() -%}
    not materialized
{%- endmacro %}
{% macro default__not_kept() -%}
{%- endmacro %}
