"""Landing gate of `xslides`: counts, ranges, grids and rules across tables.

What cannot be parsed, typed or keyed never gets here; it is a reject, and the first rule
below fails for it. Who decides what: docs/decisions/0003-status-and-verdicts.md.
"""

from __future__ import annotations

from expectations.rules import CountRule, RowRule, Suite
from warehouse.findings import Outcome

_SUBJECT = (
    "concat_ws('/', ev.system_id, ev.condition, ev.audience, "
    "case when ev.variant = '' then ev.case_label else ev.case_label || '@' || ev.variant end)"
)
_DECK_SUBJECT = (
    "concat_ws('/', ev.system_id, ev.condition, coalesce(ev.deck_audience, 'agnostic'), "
    "ev.case_label)"
)
_FOLDER = "replace(ev.source_file, '/run_manifest.json', '')"
_UNREADABLE = (
    "('encrypted', 'legacy_binary', 'not_a_zip', 'damaged', 'missing', 'too_large', 'unsupported')"
)
_FAILED_DECKS = f"""
    select ev.evaluation_key
    from xslides.evaluations as ev
    left join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
    where ev.reported_status = 'deck_failed' or stats.deck_status in {_UNREADABLE}
"""

_UNJUDGED_IMAGES = """
    select evaluation_key
    from xslides.deck_stats
    where deck_status = 'image_only'
        and evaluation_key not in (select evaluation_key from xslides.probe_scores)
"""

_COUNTS = tuple(
    CountRule(f"{noun}_are_landed", f"xslides__{noun}")
    for noun in ("cases", "probes", "weights", "evaluations", "probe_scores")
)

_REJECTS = (
    RowRule(
        "nothing_is_rejected",
        "core__rejects",
        """
        select
            subject,
            concat(reason, ' (', landing_table, '): ', message) as message,
            source_file,
            source_line
        from {relation}
        where benchmark = 'xslides'
        order by source_file, source_line, subject
        """,
    ),
    RowRule(
        "landed_rows_match_manifests",
        "core__landed_files",
        """
        with counted as (
            select 'xslides/evaluations' as landing_table, count(*) as row_count
            from xslides.evaluations
            union all
            select 'xslides/probes', count(*) from xslides.probes
            union all
            select 'xslides/weights', count(*) from xslides.weights
            union all
            select 'xslides/probe_scores', count(*) from xslides.probe_scores
        ),
        promised as (
            select landing_table, sum(row_count) as row_count
            from (select distinct landing_table, landed_file, row_count from {relation})
            group by landing_table
        )
        select
            counted.landing_table as subject,
            concat(counted.row_count, ' rows are read, ', coalesce(promised.row_count, 0),
                ' are in the manifests') as message,
            null as source_file,
            null as source_line
        from counted
        left join promised on counted.landing_table = promised.landing_table
        where counted.row_count <> coalesce(promised.row_count, 0)
        order by 1
        """,
    ),
)

_RANGES = (
    RowRule(
        "utility_weights_lie_between_0_and_1",
        "xslides__weights",
        """
        select
            concat(audience, '/', probe_id) as subject,
            concat('utility_weight is ', utility_weight) as message,
            source_file,
            source_line
        from {relation}
        where not utility_weight between 0 and 1 or isnan(utility_weight)
        order by source_file, source_line
        """,
    ),
    RowRule(
        "weights_equal_the_mean_of_their_samples",
        "xslides__weights",
        """
        select
            concat(audience, '/', probe_id) as subject,
            concat('utility_weight is ', utility_weight, ', the mean of its ', sample_count,
                ' snapped samples is ', sample_tenths_sum / 10.0 / sample_count) as message,
            source_file,
            source_line
        from {relation}
        where abs(utility_weight - sample_tenths_sum / (10.0 * sample_count)) > 1e-9
        order by source_file, source_line
        """,
    ),
    RowRule(
        "probe_levels_lie_between_1_and_4",
        "xslides__probes",
        """
        select probe_id as subject, concat('level is ', level) as message,
            source_file, source_line
        from {relation}
        where not level between 1 and 4
        order by source_file, source_line
        """,
    ),
    RowRule(
        "confidences_lie_between_0_and_1",
        "xslides__probe_scores",
        """
        select probe_id as subject, concat('confidence is ', confidence) as message,
            source_file, source_line
        from {relation}
        where not confidence between 0 and 1
        order by source_file, source_line
        """,
    ),
    RowRule(
        "stated_correctness_lies_between_0_and_1",
        "xslides__evaluations",
        f"""
        select {_SUBJECT} as subject,
            concat('correctness is ', ev.stated_correctness) as message,
            concat({_FOLDER}, '/correctness.json') as source_file,
            null as source_line
        from {{relation}} as ev
        where not ev.stated_correctness between 0 and 1
        order by 1
        """,
    ),
    RowRule(
        "integer_keys_name_one_thing",
        "xslides__evaluations",
        """
        select * from (
            select min(evaluation_id) as subject,
                concat(count(*), ' evaluations share one key') as message,
                min(source_file) as source_file, null as source_line
            from {relation} group by evaluation_key having count(*) > 1
            union all
            select min(weight_set_id), concat(count(*), ' weight sets share one key'),
                min(source_file), null
            from xslides.weight_sets group by weight_set_key having count(*) > 1
        )
        order by subject
        """,
    ),
)

_GRIDS = (
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
        select {_SUBJECT} as subject,
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
        select {_DECK_SUBJECT} as subject,
            concat('the deck is ', coalesce(any_value(stats.deck_status), 'failed'),
                coalesce(': ' || any_value(ev.status_message), '')) as message,
            coalesce(any_value(stats.deck_path), any_value(ev.source_file)) as source_file,
            null as source_line
        from {{relation}} as ev
        left join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where ev.evaluation_key in ({_FAILED_DECKS})
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_deck_has_visible_text",
        "xslides__evaluations",
        f"""
        select {_DECK_SUBJECT} as subject,
            concat('the deck is pictures alone',
                coalesce(': ' || any_value(ev.status_message), '')) as message,
            any_value(stats.deck_path) as source_file,
            null as source_line
        from {{relation}} as ev
        inner join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where ev.evaluation_key in ({_UNJUDGED_IMAGES})
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_evaluation_ran",
        "xslides__evaluations",
        f"""
        select {_SUBJECT} as subject,
            case
                when not ev.is_found then 'the grid asks for it, no evaluation is there'
                else concat('no judgment landed', coalesce(': ' || ev.status_message, ''))
            end as message,
            case
                when ev.is_found then concat({_FOLDER}, '/probe_scores.jsonl')
                else ev.source_file
            end as source_file,
            null as source_line
        from {{relation}} as ev
        where ev.evaluation_key not in (select evaluation_key from xslides.probe_scores)
            and ev.evaluation_key not in ({_FAILED_DECKS})
            and ev.evaluation_key not in ({_UNJUDGED_IMAGES})
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_probe_has_a_judgment",
        "xslides__evaluations",
        f"""
        select {_SUBJECT} || '/' || probes.probe_id as subject,
            'the probe has no judgment; it counts as uncovered' as message,
            concat({_FOLDER}, '/probe_scores.jsonl') as source_file,
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
        select {_SUBJECT} as subject, 'no deck counts landed' as message,
            concat({_FOLDER}, '/deck_stats.json') as source_file, null as source_line
        from {{relation}} as ev
        where ev.is_found
            and ev.evaluation_key not in (select evaluation_key from xslides.deck_stats)
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
)

_WARNINGS = (
    RowRule(
        "inputs_have_not_changed_since_judging",
        "xslides__evaluations",
        f"""
        select {_SUBJECT} as subject,
            concat('changed since it was judged: ', ev.hash_mismatch) as message,
            ev.source_file, null as source_line
        from {{relation}} as ev
        where ev.hash_mismatch is not null
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "claim_labels_are_known",
        "xslides__claims",
        """
        select label as subject,
            concat(count(*), ' claims carry this label; they stay out of correctness')
                as message,
            min(source_file) as source_file, null as source_line
        from {relation}
        where label not in
            ('supported', 'unsupported', 'contradicted', 'unverifiable', 'failed')
        group by label
        order by label
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "one_deck_has_one_set_of_counts",
        "xslides__evaluations",
        f"""
        select {_DECK_SUBJECT} as subject,
            'its slides, words or correctness differ between audiences' as message,
            min(ev.source_file) as source_file, null as source_line
        from {{relation}} as ev
        inner join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        group by ev.run_id, ev.variant, ev.evaluation_config_id, 1
        having count(distinct stats.slide_count) > 1
            or count(distinct stats.visible_word_count) > 1
            or count(distinct ev.stated_correctness) > 1
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "stated_deck_counts_equal_ours",
        "xslides__decks",
        """
        select distinct decks.deck_path as subject,
            concat('stated ', stats.slide_count, ' slides and ', stats.visible_word_count,
                ' words, read ', decks.slide_count, ' and ', decks.visible_word_count)
                as message,
            stats.source_file, null as source_line
        from {relation} as decks
        inner join xslides.deck_stats as stats on decks.deck_path = stats.deck_path
        inner join xslides.evaluations as ev
            on stats.evaluation_key = ev.evaluation_key and decks.run_id = ev.run_id
        where decks.slide_count <> stats.slide_count
            or decks.visible_word_count <> stats.visible_word_count
        order by 1
        """,
        Outcome.WARNED,
    ),
)

SUITE = Suite("landing", "xslides", (*_COUNTS, *_REJECTS, *_RANGES, *_GRIDS, *_WARNINGS))
