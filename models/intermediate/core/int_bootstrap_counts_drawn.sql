-- Grain: universe_number, replicate. How often each of n units is drawn in each replicate, as
-- a list over the units. Drawn once per n and stream, and shared by all cells of that size, so
-- pairing costs nothing; a universe of stream 0 has the number n. Draws are a function of
-- their universe alone, so those of an earlier build stay. Method: warehouse/statistics.py,
-- decision 0009.
{{ config(materialized='incremental') }}
with

universes as (

    {% for model in [
        'int_metric_units_listed', 'int_metric_pairs_listed', 'int_metric_rank_units_listed',
    ] -%}
    {{ universes_of(ref(model)) }}
    union
    {% endfor -%}
    {% for model in [
        'int_xslides__agreements_listed', 'int_xslides__judge_agreements_listed',
        'int_xslides__judge_differences_listed', 'int_judge_drifts_listed',
        'int_rageval__preference_pairs_listed', 'int_slideagent__settings_listed',
    ] -%}
    select unit_count as universe_number from {{ ref(model) }}
    where unit_count between 2 and 20000
    {% if not loop.last %}union{% endif %}
    {% endfor %}

),

round_keys as (

    select
        stream,
        max(case when round_number = 1 then round_key end) as first_key,
        max(case when round_number = 2 then round_key end) as second_key,
        max(case when round_number = 3 then round_key end) as third_key
    from {{ source('statistics', 'bootstrap_round_keys') }}
    where seed = {{ var('bootstrap_seed') }}
    group by stream

),

cells as (

    select
        universes.universe_number,
        universes.universe_number % 32768 as unit_count,
        round_keys.first_key,
        round_keys.second_key,
        round_keys.third_key
    from universes
    inner join round_keys
        on {{ integer_quotient('universes.universe_number', '32768') }} = round_keys.stream
    {% if is_incremental() -%}
    where universes.universe_number not in (select this.universe_number from {{ this }} as this)
    {%- endif %}

),

replicates as (

    select id as replicate
    from {{ row_range(var('bootstrap_resamples')) }} as replicate_range

),

-- One replicate after the other: counting them is then three times as fast. What is read once
-- for each range of sizes is cheaper to work out again than to keep, here and below.
units as {{ not_kept() }} (

    select
        cells.universe_number,
        cells.unit_count,
        cells.first_key,
        cells.second_key,
        cells.third_key,
        replicates.replicate,
        {{ exploded_range('cells.unit_count') }} as unit_index
    from cells
    cross join replicates

),

counters as {{ not_kept() }} (

    select
        universe_number,
        unit_count,
        replicate,
        unit_index,
        replicate * unit_count + unit_index as counter,
        first_key,
        second_key,
        third_key
    from units

),

first_round as (

    select
        universe_number,
        unit_count,
        replicate,
        (counter + first_key) % {{ prime() }} as state,
        second_key,
        third_key
    from counters

),

second_round as (

    select
        universe_number,
        unit_count,
        replicate,
        ({{ fifth_power('state') }} + second_key) % {{ prime() }} as state,
        third_key
    from first_round

),

third_round as (

    select
        universe_number,
        unit_count,
        replicate,
        ({{ fifth_power('state') }} + third_key) % {{ prime() }} as state
    from second_round

),

drawn as {{ not_kept() }} (

    select
        universe_number,
        unit_count,
        replicate,
        {{ integer_quotient(
            '(' ~ fifth_power('state') ~ ') * unit_count', prime()
        ) }} as unit_index
    from third_round

),

listed as (

    {{ draw_counts_listed('drawn', 'counters') }}

)

select * from listed
