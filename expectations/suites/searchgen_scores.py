"""Landing rules of `searchgen` about results: the grid, statuses, components, stated overalls."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import PAIR, each, told
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9, RAW_MAXIMUM, RAW_MINIMUM
from warehouse.findings import Outcome

_GENERICS = COMPONENTS[2:8]
_NAMED_PROMPTS = 5
_OVERALLS = {"overall_9": COMPONENTS_9, "overall_10": COMPONENTS}
_IS_OUTSIDE = f"not {{name}} between {RAW_MINIMUM} and {RAW_MAXIMUM} or isnan({{name}})"
# Files that print four decimals are known to half of the last one; others state doubles.
_TOLERANCE = "case when stated = round(stated, 4) then 5e-5 + 1e-12 else 1e-12 end"
_NO_RESULT = """
    select models.run_id, models.source_id
    from searchgen.models as models
    left join searchgen.prompt_scores as scores
        on models.run_id = scores.run_id
        and models.source_id = scores.source_id
        and models.lane = scores.lane
    group by models.run_id, models.source_id
    having count(scores.sample_id) filter (where scores.status <> 'missing_generation') = 0
"""
_SHOWN = """
    select models.run_id, models.source_id, models.source_file, models.lane,
        models.expected_scored_count, prompts.sample_id,
        coalesce(scores.status = 'scored', false) as is_scored
    from searchgen.models as models
    inner join searchgen.prompts as prompts on models.run_id = prompts.run_id
    left join searchgen.prompt_scores as scores
        on prompts.run_id = scores.run_id
        and prompts.sample_id = scores.sample_id
        and models.source_id = scores.source_id
        and models.lane = scores.lane
"""

GRIDS = (
    RowRule(
        "every_model_has_results_in_its_lane",
        "searchgen__models",
        f"""
        select concat_ws('/', models.run_id, models.source_id) as subject,
            concat('no prompt has a result of it in lane `', models.lane,
                '`; its lane or the name of its folder is wrong, or it never ran') as message,
            models.source_file, null as source_line
        from {{relation}} as models
        inner join ({_NO_RESULT}) as bare
            on models.run_id = bare.run_id and models.source_id = bare.source_id
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_prompt_has_a_record_of_every_model",
        "searchgen__prompts",
        f"""
        select concat_ws('/', prompts.run_id, prompts.sample_id, models.source_id, models.lane)
                as subject,
            'no record of this prompt and model; without results it needs a status' as message,
            prompts.source_file, prompts.source_line
        from {{relation}} as prompts
        inner join searchgen.models as models on prompts.run_id = models.run_id
        left join searchgen.prompt_scores as scores
            on prompts.run_id = scores.run_id
            and prompts.sample_id = scores.sample_id
            and models.source_id = scores.source_id
            and models.lane = scores.lane
        where scores.sample_id is null
            and (models.run_id, models.source_id) not in ({_NO_RESULT})
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "results_belong_to_prompts_and_models",
        "searchgen__prompt_scores",
        """
        select concat_ws('/', scores.run_id, scores.sample_id, scores.source_id, scores.lane)
                as subject,
            concat('the release has no such ',
                case when prompts.sample_id is null then 'prompt' else 'model' end) as message,
            scores.source_file, scores.source_line
        from {relation} as scores
        left join searchgen.prompts as prompts
            on scores.run_id = prompts.run_id and scores.sample_id = prompts.sample_id
        left join searchgen.models as models
            on scores.run_id = models.run_id and scores.source_id = models.source_id
        where prompts.sample_id is null or models.source_id is null
        order by 1
        """,
    ),
    RowRule(
        "prompts_and_models_have_one_record",
        "searchgen__prompt_scores",
        f"""
        select {PAIR} as subject, concat(count(*), ' records of one prompt, model and lane')
                as message,
            min(source_file) as source_file, max(source_line) as source_line
        from {{relation}}
        group by run_id, sample_id, source_id, lane
        having count(*) > 1
        order by 1
        """,
    ),
    RowRule(
        "scored_counts_are_those_promised",
        "searchgen__models",
        f"""
        with counted as (
            select run_id, source_id, source_file, expected_scored_count,
                count_if(is_scored) as scored_count,
                list(sample_id order by sample_id) filter (where not is_scored) as others
            from ({_SHOWN})
            where expected_scored_count is not null
            group by run_id, source_id, source_file, expected_scored_count
        )
        select concat_ws('/', run_id, source_id) as subject,
            concat(scored_count, ' prompts are scored, the release promises ',
                expected_scored_count,
                '; not scored: ' || array_to_string(others[1:{_NAMED_PROMPTS}], ', '),
                case when len(others) > {_NAMED_PROMPTS}
                    then concat(' and ', len(others) - {_NAMED_PROMPTS}, ' more') end) as message,
            source_file, null as source_line
        from counted
        where scored_count <> expected_scored_count
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    # A model without any result is told by `every_model_has_results_in_its_lane`.
    RowRule(
        "models_are_covered_enough",
        "searchgen__models",
        f"""
        select concat_ws('/', shown.run_id, shown.source_id) as subject,
            concat(count_if(is_scored), ' of ', count(*), ' prompts are scored, a share of ',
                round(count_if(is_scored) / count(*), 4), ' where ',
                any_value(runs.minimum_coverage), ' is the least') as message,
            any_value(shown.source_file) as source_file, null as source_line
        from ({_SHOWN}) as shown
        inner join searchgen.runs as runs on shown.run_id = runs.run_id
        left join ({_NO_RESULT}) as bare
            on shown.run_id = bare.run_id and shown.source_id = bare.source_id
        where bare.source_id is null
        group by shown.run_id, shown.source_id
        having count_if(is_scored) < any_value(runs.minimum_coverage) * count(*)
        order by 1
        """,
        Outcome.WARNED,
    ),
)


def _score_rule(
    name: str, message: str, condition: str, outcome: Outcome = Outcome.FAILED
) -> RowRule:
    return RowRule(
        name,
        "searchgen__prompt_scores",
        f"select {PAIR} as subject, {message} as message, source_file, source_line "
        f"from {{relation}} where {condition} order by 1",
        outcome,
    )


def _stated_rule(overall: str, components: tuple[str, ...]) -> RowRule:
    """Return the rule that a stated overall is the mean of the components beside it."""
    return RowRule(
        f"stated_{overall}_recomputes",
        "searchgen__prompt_scores",
        f"""
        select subject,
            concat('{overall} is stated as ', coalesce(cast(stated as varchar), 'null'),
                ', its components give ', coalesce(cast(computed as varchar), 'null')) as message,
            source_file, source_line
        from (
            select {PAIR} as subject, source_file, source_line,
                stated_{overall} as stated,
                list_avg([{", ".join(components)}]) as computed,
                bool_or(stated_{overall} is not null) over (partition by run_id) as is_stated
            from {{relation}}
            where status = 'scored'
        )
        where is_stated
            and (
                (stated is null) <> (computed is null)
                or abs(stated - computed) > {_TOLERANCE}
            )
        order by 1
        """,
    )


SCORES = (
    _score_rule(
        "components_lie_between_0_and_3",
        told(COMPONENTS, _IS_OUTSIDE, "concat('{name} is ', {name})"),
        each(COMPONENTS, f"({_IS_OUTSIDE})"),
    ),
    _score_rule(
        "only_scored_results_have_components",
        "concat('status ', status, ' with ', concat_ws(', ', "
        + each(COMPONENTS, "case when {name} is not null then '{name}' end", ", ")
        + ", case when stated_overall_9 is not null then 'overall_9' end"
        + ", case when stated_overall_10 is not null then 'overall_10' end))",
        "status <> 'scored' and coalesce("
        + ", ".join((*COMPONENTS, "stated_overall_9", "stated_overall_10"))
        + ") is not null",
    ),
    _score_rule(
        "statuses_say_what_there_is",
        "concat('status ', status, ', reason ', coalesce(status_reason, 'null'), "
        "case when evaluation_sha256 is null then '' else ', with an evaluation' end)",
        "(status = 'scored') <> (status_reason is null) "
        "or (starts_with(status, 'missing') and evaluation_sha256 is not null)",
    ),
    _score_rule(
        "scored_results_have_components",
        "case when text_reference_evaluation is null then 'scored, and no component applies' "
        "else 'scored, and only text_reference_evaluation applies; Overall-9 is undefined' end",
        f"status = 'scored' and coalesce({', '.join(COMPONENTS_9)}) is null",
        Outcome.WARNED,
    ),
    *(_stated_rule(overall, components) for overall, components in _OVERALLS.items()),
    RowRule(
        "single_scores_are_half_points",
        "searchgen__prompt_scores",
        # One finding a model: a judge of finer steps would give one a row.
        f"""
        select concat_ws('/', run_id, source_id, lane) as subject,
            concat(count(*), ' results have a score between half points, first ',
                min(sample_id), ' ', min_by(odd, sample_id)) as message,
            min_by(source_file, sample_id) as source_file,
            min_by(source_line, sample_id) as source_line
        from (
            select run_id, source_id, lane, sample_id, source_file, source_line,
                {told(_GENERICS, "{name} * 2 <> floor({name} * 2)", "concat('{name} ', {name})")}
                    as odd
            from {{relation}}
        )
        where odd <> ''
        group by run_id, source_id, lane
        order by 1
        """,
        Outcome.WARNED,
    ),
)
