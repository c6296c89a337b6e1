-- Grain: bank_id, probe_id. One information domain a probe and the rule that decided it:
-- the domain that the probe states, else the best scoring keyword rules of
-- seeds/registries/domain_keywords.csv, else `unclassified`. Equal scores go to the lower
-- precedence number. Source: pipeline, Stage 7.
with

probes as (

    select
        bank_id,
        probe_id,
        lower(trim(stated_domain)) as stated_domain,
        theme_tokens,
        question_tokens,
        answer_tokens,
        modality_tokens
    from {{ ref('stg_xslides__probes') }}

),

domains as (

    select domain from {{ ref('domains') }}

),

keywords as (

    select
        field,
        pattern,
        domain,
        weight,
        precedence
    from {{ ref('domain_keywords') }}

),

probe_fields as (

    select
        bank_id,
        probe_id,
        'theme' as field,
        theme_tokens as tokens
    from probes
    union all
    select
        bank_id,
        probe_id,
        'question' as field,
        question_tokens as tokens
    from probes
    union all
    select
        bank_id,
        probe_id,
        'answer' as field,
        answer_tokens as tokens
    from probes
    union all
    select
        bank_id,
        probe_id,
        'modality' as field,
        modality_tokens as tokens
    from probes

),

matches as (

    select
        probe_fields.bank_id,
        probe_fields.probe_id,
        keywords.domain,
        sum(keywords.weight) as score,
        min(keywords.precedence) as precedence,
        min(concat(keywords.field, ':', keywords.pattern)) as first_rule
    from probe_fields
    inner join keywords
        on
            probe_fields.field = keywords.field
            and {{ holds_phrase('probe_fields.tokens', 'keywords.pattern') }}
    group by probe_fields.bank_id, probe_fields.probe_id, keywords.domain

),

ranked as (

    select
        bank_id,
        probe_id,
        domain,
        first_rule,
        row_number() over (
            partition by bank_id, probe_id
            order by score desc, precedence asc, domain asc
        ) as choice
    from matches

),

assigned as (

    select
        probes.bank_id,
        probes.probe_id,
        coalesce(domains.domain, ranked.domain, 'unclassified') as domain,
        case
            when domains.domain is not null then 'stated'
            when ranked.domain is not null then concat('keyword:', ranked.first_rule)
            else 'none'
        end as domain_rule
    from probes
    left join domains on probes.stated_domain = domains.domain
    left join ranked
        on
            probes.bank_id = ranked.bank_id
            and probes.probe_id = ranked.probe_id
            and ranked.choice = 1

)

select * from assigned
