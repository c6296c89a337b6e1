"""Rules of judged answers to break, one at a time."""

from __future__ import annotations

from tests.mutation.mutants import Mutant

_ANSWERS = ("tests/golden/test_ragchecker_figures.py", "tests/property/test_judged_answers.py")
_JUDGING = ("tests/integration/test_answer_judging.py", "tests/unit/rageval")
_INTERMEDIATE = "models/intermediate/rageval/int_rageval__"
_SCORES = "models/marts/rageval/fct_rageval__judgment_scores.sql"

RAGEVAL = (
    Mutant(
        "rageval: any passage is relevant",
        f"{_INTERMEDIATE}statements_supported.sql",
        "bool_or(is_entailed) as is_relevant",
        "true as is_relevant",
        _ANSWERS,
    ),
    Mutant(
        "rageval: noise counts twice",
        f"{_INTERMEDIATE}statements_supported.sql",
        "and not coalesce(supports.is_from_relevant, false) as is_from_irrelevant",
        "as is_from_irrelevant",
        _ANSWERS,
    ),
    Mutant(
        "rageval: right statements are hallucinated too",
        f"{_INTERMEDIATE}statements_counted.sql",
        "side = 'response' and label <> 'Entailment' and not is_supported",
        "side = 'response' and not is_supported",
        _ANSWERS,
    ),
    Mutant(
        "rageval: utilization divides by the reference",
        _SCORES,
        "{{ ratio('utilized_count', 'retrieved_count') }}",
        "{{ ratio('utilized_count', 'reference_count') }}",
        _ANSWERS,
    ),
    Mutant(
        "rageval: F1 is the mean of both",
        _SCORES,
        "'2 * entailed_count * recalled_count',",
        "'entailed_count * reference_count + recalled_count * response_count',",
        _ANSWERS,
    ),
    Mutant(
        "rageval: no passages count as zero",
        _SCORES,
        "judgments.metric = 'ragchecker' and judgments.passage_count > 0 as has_passages",
        "judgments.metric = 'ragchecker' as has_passages",
        _ANSWERS,
    ),
    Mutant(
        "rageval: what is undefined is left out of the zero-filled mean",
        f"{_INTERMEDIATE}answer_values.sql",
        "coalesce(metric_value, {{ number('0') }}) as metric_value,",
        "metric_value,",
        _ANSWERS,
    ),
    Mutant(
        "rageval: an undefined difference is zero",
        f"{_INTERMEDIATE}preferences_paired.sql",
        "coalesce(differences.difference, medians.median_difference) as difference",
        "coalesce(differences.difference, 0) as difference",
        _ANSWERS,
    ),
    Mutant(
        "rageval: tied ranks are not shared",
        f"{_INTERMEDIATE}preferences_ranked.sql",
        "{{ group_columns }}, {{ side }}\n        ) - 1",
        "{{ group_columns }}, {{ side }}\n        ) - 2",
        _ANSWERS,
    ),
    Mutant(
        "rageval: ties count in Kendall's denominator",
        "models/marts/rageval/rpt_rageval__metric_agreements.sql",
        "ordered.row_pair_count - ordered.rating_tie_count",
        "ordered.row_pair_count",
        _ANSWERS,
    ),
    Mutant(
        "rageval: rows and not pairs are resampled",
        f"{_INTERMEDIATE}preference_pairs_listed.sql",
        "group by {{ group_columns | join(', ') }}, pair_id",
        "group by {{ group_columns | join(', ') }}, pair_id, annotator",
        _ANSWERS,
    ),
    Mutant(
        "rageval: a label too few is filled in",
        "ingest/rageval/ragchecker.py",
        "if not isinstance(labels, list) or len(labels) != count:",
        "if not isinstance(labels, list):",
        _JUDGING,
    ),
    Mutant(
        "rageval: verdicts are paired as text",
        "ingest/rageval/judging/numbered.py",
        'enumerate(sorted(found["verdicts"]), start=1)',
        'enumerate(sorted(found["verdicts"], key=str), start=1)',
        _JUDGING,
    ),
    Mutant(
        "rageval: the codes of Neutral and Contradiction are exchanged",
        "ingest/rageval/judging/numbered.py",
        '"0": "Contradiction", "-1": "Neutral"',
        '"-1": "Contradiction", "0": "Neutral"',
        _JUDGING,
    ),
    Mutant(
        "rageval: an unusable reply is asked for again",
        "ingest/rageval/judging/asked.py",
        "invalid_retries=0, truncation_retries=0",
        "invalid_retries=1, truncation_retries=1",
        _JUDGING,
    ),
    Mutant(
        "rageval: a missing answer is put to the judge",
        "ingest/rageval/judging/exchange.py",
        "if answer.response is None or not answer.response.strip():",
        "if answer.response is None and not answer.answer_status:",
        _JUDGING,
    ),
)
