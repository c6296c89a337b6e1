"""Landing gate of `xslides`: counts, ranges, grids and rules across tables.

What cannot be parsed, typed or keyed never gets here; it is a reject, and the first rule
below fails for it. Who decides what: docs/decisions/0003-status-and-verdicts.md.
"""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.landed_rows import manifests_rule, rejects_rule
from expectations.suites.xslides_fragments import (
    FOLDER,
    SUBJECT,
)
from expectations.suites.xslides_grids import GRIDS
from expectations.suites.xslides_imported import IMPORTED_RANGES, landed_rule
from expectations.suites.xslides_warnings import WARNINGS

_COUNTS = tuple(
    landed_rule(noun) for noun in ("cases", "probes", "weights", "evaluations", "probe_scores")
)

_REJECTS = (
    rejects_rule("xslides"),
    manifests_rule(
        "xslides", ("evaluations", "probes", "weights", "probe_scores", "imported_metrics")
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
        select {SUBJECT} as subject,
            concat('correctness is ', ev.stated_correctness) as message,
            concat({FOLDER}, '/correctness.json') as source_file,
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

SUITE = Suite(
    "landing",
    "xslides",
    (*_COUNTS, *_REJECTS, *_RANGES, *IMPORTED_RANGES, *GRIDS, *WARNINGS),
)
