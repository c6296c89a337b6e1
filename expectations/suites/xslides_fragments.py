"""SQL fragments that the landing rules of `xslides` share."""

from __future__ import annotations

SUBJECT = (
    "concat_ws('/', ev.system_id, ev.condition, ev.audience, "
    "case when ev.variant = '' then ev.case_label else ev.case_label || '@' || ev.variant end)"
)
DECK_SUBJECT = (
    "concat_ws('/', ev.system_id, ev.condition, coalesce(ev.deck_audience, 'agnostic'), "
    "ev.case_label)"
)
FOLDER = "replace(ev.source_file, '/run_manifest.json', '')"
UNREADABLE = (
    "('encrypted', 'legacy_binary', 'not_a_zip', 'damaged', 'missing', 'too_large', 'unsupported')"
)
FAILED_DECKS = f"""
    select ev.evaluation_key
    from xslides.evaluations as ev
    left join xslides.deck_stats as stats on ev.evaluation_key = stats.evaluation_key
    where ev.reported_status = 'deck_failed' or stats.deck_status in {UNREADABLE}
"""

UNJUDGED_IMAGES = """
    select evaluation_key
    from xslides.deck_stats
    where deck_status = 'image_only'
        and evaluation_key not in (select evaluation_key from xslides.probe_scores)
"""
