-- Grain: bank_id, probe_id. One probe with the domain it counts for and the rule that
-- decided that domain.
with

probes as (

    select
        bank_id,
        probe_id,
        probe_ordinal,
        dataset_id,
        case_id,
        question,
        answer,
        evidence,
        level,
        modality,
        theme
    from {{ ref('stg_xslides__probes') }}

),

domains as (

    select
        bank_id,
        probe_id,
        domain,
        domain_rule
    from {{ ref('int_xslides__probe_domains_assigned') }}

),

joined as (

    select
        probes.bank_id,
        probes.probe_id,
        probes.probe_ordinal,
        probes.dataset_id,
        probes.case_id,
        probes.question,
        probes.answer,
        probes.evidence,
        probes.level,
        probes.modality,
        probes.theme,
        domains.domain,
        domains.domain_rule
    from probes
    inner join domains
        on
            probes.bank_id = domains.bank_id
            and probes.probe_id = domains.probe_id

)

select * from joined
