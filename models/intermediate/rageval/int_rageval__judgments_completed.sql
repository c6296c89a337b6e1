-- Grain: run_id, system_id, question_id, metric, evaluation_config_id, repeat_number. The grid
-- of a run: every question that any system of it answers, for every system, metric and judge
-- that the run was judged by. What nobody judged is a row with status `missing`.
with

answers as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        answer_status
    from {{ ref('stg_rageval__answers') }}

),

judgments as (

    select * from {{ ref('stg_rageval__judgments') }}

),

-- A judge that judged one system of a run owes a judgment of every answer of that system.
judges as (

    select distinct
        run_id,
        dataset_id,
        system_id,
        metric,
        judge_id,
        judge_kind,
        evaluation_config_id,
        repeat_number
    from judgments

),

questions as (

    select distinct
        run_id,
        question_id
    from answers

),

grid as (

    select
        judges.*,
        questions.question_id
    from judges
    inner join questions on judges.run_id = questions.run_id

),

completed as (

    select
        grid.*,
        judgments.judgment_id,
        answers.answer_status,
        judgments.prompt_sha256,
        judgments.status_reason,
        judgments.passage_count,
        judgments.call_count,
        judgments.input_tokens,
        judgments.output_tokens,
        judgments.cost_usd,
        coalesce(judgments.judgment_status, 'missing') as judgment_status
    from grid
    left join judgments
        on
            grid.run_id = judgments.run_id
            and grid.system_id = judgments.system_id
            and grid.question_id = judgments.question_id
            and grid.metric = judgments.metric
            and grid.evaluation_config_id = judgments.evaluation_config_id
            and grid.repeat_number = judgments.repeat_number
    left join answers
        on
            grid.run_id = answers.run_id
            and grid.system_id = answers.system_id
            and grid.question_id = answers.question_id

)

select * from completed
