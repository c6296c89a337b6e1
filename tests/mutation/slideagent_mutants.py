"""Rules of short answers to break, one at a time."""

from __future__ import annotations

from tests.mutation.mutants import Mutant

_SCORES = ("tests/golden/test_answer_scores.py", "tests/property/test_answer_scores.py")
_FILES = ("tests/unit/slideagent",)
_INTERMEDIATE = "models/intermediate/slideagent/int_slideagent__"
_MART = "models/marts/slideagent/fct_slideagent__answer_scores.sql"
_REPORT = "models/marts/slideagent/rpt_slideagent__scores.sql"

SLIDEAGENT = (
    Mutant(
        "slideagent: words count once",
        f"{_INTERMEDIATE}answers_compared.sql",
        "least(gold_count, answer_count)",
        "least(gold_count, answer_count, 1)",
        _SCORES,
    ),
    Mutant(
        "slideagent: the worst gold answer counts",
        f"{_INTERMEDIATE}answers_compared.sql",
        "max(f1) as f1",
        "min(f1) as f1",
        _SCORES,
    ),
    Mutant(
        "slideagent: answers without words are right",
        f"{_INTERMEDIATE}answers_compared.sql",
        "when comparisons.is_exact then {{ number('1') }}",
        "when true then {{ number('1') }}",
        _SCORES,
    ),
    Mutant(
        "slideagent: a wrong number takes its F1",
        _MART,
        "case when is_numeric then num else f1 end as score",
        "case when is_numeric then greatest(num, f1) else f1 end as score",
        ("tests/golden/test_answer_scores.py", "tests/faults/test_slideagent_rules.py"),
    ),
    Mutant(
        "slideagent: missing answers leave the mean",
        f"{_INTERMEDIATE}metric_values.sql",
        "coalesce(metric_value, {{ number('0') }}) as metric_value,",
        "metric_value,",
        _SCORES,
    ),
    Mutant(
        "slideagent: the whole is the plain mean of both",
        _REPORT,
        "{{ from_fixed_point(metric ~ '_sum') }} / nullif({{ metric }}_count, 0) as {{ metric }},",
        "{{ from_fixed_point('f1_sum') }} / nullif(f1_count, 0) as {{ metric }},",
        _SCORES,
    ),
    Mutant(
        "slideagent: pages outside the gold cost nothing",
        f"{_INTERMEDIATE}evidence_compared.sql",
        "'gold_counts.gold_page_count + coalesce(said_counts.said_page_count, 0)'",
        "'gold_counts.gold_page_count + coalesce(said_counts.shared_page_count, 0)'",
        _SCORES,
    ),
    Mutant(
        "slideagent: an emptied side stays empty",
        "ingest/slideagent/tokens.py",
        "telling or tuple(words)",
        "telling",
        (*_SCORES, "tests/unit/slideagent/test_answer_words.py"),
    ),
    Mutant(
        "slideagent: pages count from zero",
        "ingest/slideagent/native.py",
        "not 1 <= int(one)",
        "not 0 <= int(one)",
        _FILES,
    ),
    Mutant(
        "slideagent: answers to unknown questions land",
        "ingest/slideagent/land.py",
        "if one.question_key in self.questions:",
        "if True:",
        _FILES,
    ),
    Mutant(
        "slideagent: the scale beside an answer is dropped",
        "ingest/slideagent/layouts.py",
        "return f\"{text}{_SCALES[scale or '']}\" if text.strip() else text",
        "return text",
        _FILES,
    ),
)
