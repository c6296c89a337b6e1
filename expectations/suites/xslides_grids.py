"""Grid rules of `xslides`: what should be there and is not."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.xslides_fragments import (
    DECK_SUBJECT,
    FAILED_DECKS,
    FOLDER,
    SUBJECT,
    UNJUDGED_IMAGES,
)
from warehouse.findings import Outcome

GRIDS = (
    RowRule(
        "every_active_audience_has_weights",
        "xslides__cases",
        """
        select concat(banks.case_label, '/', wanted.audience) as subject,
            'no weights landed for this audience' as message,
            regexp_replace(banks.source_file, '[^/]*$', '')
                || 'weights/' || wanted.audience || '.jsonl' as source_file,
            null as source_line
        from (
            select dataset_id, case_id, unnest(active_audiences) as audience from {relation}
        ) as wanted
        inner join xslides.probe_banks as banks
            on wanted.dataset_id = banks.dataset_id and wanted.case_id = banks.case_id
        left join xslides.weight_sets as sets
            on banks.bank_id = sets.bank_id and wanted.audience = sets.audience
        where sets.bank_id is null
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_probe_has_a_weight",
        "xslides__weight_sets",
        """
        select concat_ws('/', sets.case_id, sets.audience, probes.probe_id) as subject,
            'the probe has no weight row' as message,
            sets.source_file, null as source_line
        from {relation} as sets
        inner join xslides.probes as probes on sets.bank_id = probes.bank_id
        left join xslides.weights as weights
            on sets.weight_set_id = weights.weight_set_id
            and probes.probe_id = weights.probe_id
        where weights.probe_id is null
        order by sets.source_file, probes.probe_id
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_evaluation_has_weights",
        "xslides__evaluations",
        f"""
        select {SUBJECT} as subject,
            'no weights of its audience are landed, so it has no metrics' as message,
            ev.source_file, null as source_line
        from {{relation}} as ev
        where ev.weight_set_id is null
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_deck_is_readable",
        "xslides__evaluations",
        f"""
        select {DECK_SUBJECT} as subject,
            concat('the deck is ', coalesce(any_value(stats.deck_status), 'failed'),
                coalesce(': ' || any_value(ev.status_message), '')) as message,
            coalesce(any_value(stats.deck_path), any_value(ev.source_file)) as source_file,
            null as source_line
        from {{relation}} as ev
        left join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where ev.evaluation_key in ({FAILED_DECKS})
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_deck_has_visible_text",
        "xslides__evaluations",
        f"""
        select {DECK_SUBJECT} as subject,
            concat('the deck is pictures alone',
                coalesce(': ' || any_value(ev.status_message), '')) as message,
            any_value(stats.deck_path) as source_file,
            null as source_line
        from {{relation}} as ev
        inner join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where ev.evaluation_key in ({UNJUDGED_IMAGES})
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_evaluation_ran",
        "xslides__evaluations",
        f"""
        select {SUBJECT} as subject,
            case
                when not ev.is_found then 'the grid asks for it, no evaluation is there'
                else concat('no judgment landed', coalesce(': ' || ev.status_message, ''))
            end as message,
            case
                when ev.is_found then concat({FOLDER}, '/probe_scores.jsonl')
                else ev.source_file
            end as source_file,
            null as source_line
        from {{relation}} as ev
        where ev.evaluation_key not in (select evaluation_key from xslides.probe_scores)
            and ev.evaluation_key not in ({FAILED_DECKS})
            and ev.evaluation_key not in ({UNJUDGED_IMAGES})
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_probe_has_a_judgment",
        "xslides__evaluations",
        f"""
        select {SUBJECT} || '/' || probes.probe_id as subject,
            'the probe has no judgment; it counts as uncovered' as message,
            concat({FOLDER}, '/probe_scores.jsonl') as source_file,
            null as source_line
        from {{relation}} as ev
        inner join xslides.probes as probes on ev.bank_id = probes.bank_id
        left join xslides.probe_scores as scores
            on ev.evaluation_key = scores.evaluation_key
            and probes.probe_id = scores.probe_id
        where scores.probe_id is null
            and ev.evaluation_key in (select evaluation_key from xslides.probe_scores)
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_evaluation_has_deck_counts",
        "xslides__evaluations",
        f"""
        select {SUBJECT} as subject, 'no deck counts landed' as message,
            concat({FOLDER}, '/deck_stats.json') as source_file, null as source_line
        from {{relation}} as ev
        where ev.is_found
            and ev.evaluation_key not in (select evaluation_key from xslides.deck_stats)
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
)
