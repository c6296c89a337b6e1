-- Grain: judgment_id, side, statement_number. One statement with its label against the other
-- side, and which passages entail it. A passage is relevant when it entails any statement of
-- the reference; Neutral and Contradiction count alike here.
with

statements as (

    select
        judgment_id,
        side,
        statement_number
    from {{ ref('stg_rageval__statements') }}

),

verdicts as (

    select
        *,
        label = 'Entailment' as is_entailed
    from {{ ref('stg_rageval__verdicts') }}

),

passages as (

    select
        judgment_id,
        passage_number,
        bool_or(is_entailed) as is_relevant
    from verdicts
    where premise = 'passage' and side = 'reference'
    group by judgment_id, passage_number

),

supports as (

    select
        verdicts.judgment_id,
        verdicts.side,
        verdicts.statement_number,
        bool_or(verdicts.is_entailed) as is_supported,
        bool_or(verdicts.is_entailed and coalesce(passages.is_relevant, false))
            as is_from_relevant,
        bool_or(verdicts.is_entailed and not coalesce(passages.is_relevant, false))
            as is_from_irrelevant
    from verdicts
    left join passages
        on
            verdicts.judgment_id = passages.judgment_id
            and verdicts.passage_number = passages.passage_number
    where verdicts.premise = 'passage'
    group by verdicts.judgment_id, verdicts.side, verdicts.statement_number

),

labelled as (

    select
        judgment_id,
        side,
        statement_number,
        label
    from verdicts
    where premise <> 'passage'

),

joined as (

    select
        statements.judgment_id,
        statements.side,
        statements.statement_number,
        labelled.label,
        coalesce(supports.is_supported, false) as is_supported,
        coalesce(supports.is_from_relevant, false) as is_from_relevant,
        coalesce(supports.is_from_irrelevant, false)
        and not coalesce(supports.is_from_relevant, false) as is_from_irrelevant
    from statements
    left join labelled
        on
            statements.judgment_id = labelled.judgment_id
            and statements.side = labelled.side
            and statements.statement_number = labelled.statement_number
    left join supports
        on
            statements.judgment_id = supports.judgment_id
            and statements.side = supports.side
            and statements.statement_number = supports.statement_number

)

select * from joined
