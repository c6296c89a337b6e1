-- Grain: benchmark, task, both runs, both configurations, system_id, condition, audience,
-- variant. How far two judges, or two prompts of one, agree on the same decks: answerability on
-- whether a probe is covered, verification on the label of a claim. Judgments of two judges are
-- never pooled, only set against each other.
-- cohens_kappa = (n x agreeing - chance) / (n x n - chance) in integers until the division,
-- where chance sums the products of both judges' counts of each label.
with

cells as (

    select
        *,
        cast(compared_count as {{ exact_integer() }}) * compared_count - chance_units
            as room_units,
        cast(compared_count as {{ exact_integer() }}) * agreeing_count - chance_units
            as gain_units
    from {{ ref('int_xslides__judge_agreements_listed') }}

),

intervals as (

    select * from {{ ref('int_xslides__judge_agreements_bootstrapped') }}

),

-- Evaluations of each side, matched or not.
sides as (

    select
        run_id,
        evaluation_config_id,
        system_id,
        condition,
        audience,
        variant,
        count(*) as evaluation_count
    from {{ ref('int_xslides__evaluations_assessed') }}
    where score_count > 0 and evaluation_status <> 'deck_failed'
    group by all

),

metrics as (

    select
        benchmark,
        method_version
    from {{ ref('metrics') }}
    where benchmark = 'xslides' and metric = 'judge_kappa'

),

joined as (

    select
        metrics.benchmark,
        cells.task,
        cells.first_run_id,
        cells.second_run_id,
        cells.first_evaluation_config_id,
        cells.second_evaluation_config_id,
        cells.system_id,
        cells.condition,
        cells.audience,
        cells.variant,
        {% for side in ['first', 'second'] -%}
        {% for column in ['judge_id', 'judge_kind', 'prompt_sha256'] -%}
        cells.{{ side }}_{{ column }},
        {% endfor -%}
        {% endfor -%}
        metrics.method_version,
        case
            when cells.compared_count = 0 then 'nothing_in_common'
            when cells.room_units = 0 then 'no_variation'
            else 'measured'
        end as kappa_status,
        {{ ratio('cells.agreeing_count', 'cells.compared_count') }} as agreement_share,
        {{ ratio('cells.gain_units', 'cells.room_units') }} as cohens_kappa,
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        cells.unit_count,
        cells.compared_count as n_compared,
        cells.agreeing_count as n_agreeing,
        {% for side in ['first', 'second'] -%}
        case when cells.task = 'answerability' then cells.{{ side }}_covered_count end
            as n_{{ side }}_covered,
        cells.{{ side }}_abstained_count as n_{{ side }}_abstained,
        cells.{{ side }}_unjudged_count as n_{{ side }}_unjudged,
        cells.{{ side }}_judged_count - cells.compared_count as n_{{ side }}_unmatched,
        {{ side }}_sides.evaluation_count - cells.evaluation_count as n_dropped_{{ side }},
        {% endfor -%}
        cells.unit_count < 10 as is_small_sample
    from cells
    cross join metrics
    left join intervals on cells.cell_number = intervals.cell_number
    {% for side in ['first', 'second'] -%}
    inner join sides as {{ side }}_sides
        on
            cells.{{ side }}_run_id = {{ side }}_sides.run_id
            and cells.{{ side }}_evaluation_config_id = {{ side }}_sides.evaluation_config_id
            and cells.system_id = {{ side }}_sides.system_id
            and cells.condition = {{ side }}_sides.condition
            and cells.audience = {{ side }}_sides.audience
            and cells.variant = {{ side }}_sides.variant
    {% endfor %}

)

select * from joined
