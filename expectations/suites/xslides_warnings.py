"""What a reader of `xslides` numbers should know and no gate fails for."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.xslides_fragments import (
    DECK_SUBJECT,
    SUBJECT,
)
from warehouse.findings import Outcome

WARNINGS = (
    RowRule(
        "inputs_have_not_changed_since_judging",
        "xslides__evaluations",
        f"""
        select {SUBJECT} as subject,
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
        select {DECK_SUBJECT} as subject,
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
        "every_deck_has_slides",
        "xslides__evaluations",
        f"""
        select {DECK_SUBJECT} as subject,
            'the deck has no visible slide; it costs as much as one slide' as message,
            any_value(stats.deck_path) as source_file, null as source_line
        from {{relation}} as ev
        inner join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where stats.slide_count = 0
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "no_deck_speaks_to_the_judge",
        "xslides__evaluations",
        f"""
        select {DECK_SUBJECT} as subject,
            concat(coalesce(max(stats.injection_suspected_count), 0),
                ' phrases that are seen and ',
                coalesce(max(stats.unseen_injection_suspected_count), 0),
                ' that are not speak to a judge; judges get the seen ones as fenced data')
                as message,
            any_value(stats.deck_path) as source_file, null as source_line
        from {{relation}} as ev
        inner join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
        where stats.injection_suspected_count > 0 or stats.unseen_injection_suspected_count > 0
        group by ev.run_id, 1
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "one_deck_has_one_set_of_claims",
        "xslides__evaluations",
        f"""
        with labelled as (
            select evaluation_key, label, count(*) as label_count
            from xslides.claims
            group by evaluation_key, label
        ),
        verdicts as (
            select evaluation_key,
                string_agg(label || ' ' || label_count, ', ' order by label) as verdict
            from labelled
            group by evaluation_key
        )
        select {DECK_SUBJECT} as subject,
            concat('its claims differ between audiences: ',
                min(coalesce(verdicts.verdict, 'none')), '; ',
                max(coalesce(verdicts.verdict, 'none'))) as message,
            min(ev.source_file) as source_file, null as source_line
        from {{relation}} as ev
        left join verdicts on ev.evaluation_key = verdicts.evaluation_key
        where ev.condition = 'agnostic'
            and ev.evaluation_key in (select evaluation_key from xslides.probe_scores)
        group by ev.run_id, ev.variant, ev.evaluation_config_id, ev.deck_sha256, 1
        having count(distinct coalesce(verdicts.verdict, 'none')) > 1
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
