"""Mart gate of `rageval`: figures of answers keep their ranges, identities and counts."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.rageval_retrieval_marts import RETRIEVAL_FIGURES
from expectations.suites.summaries import summaries_rules
from warehouse.findings import Outcome

_SCORES = "marts__fct_rageval__judgment_scores"
_NOWHERE = "null as source_file, null as source_line"
_JUDGMENT = (
    "concat_ws('/', run_id, system_id, question_id, judged_metric, evaluation_config_id, "
    "repeat_number)"
)
FIGURES = (
    "answer_precision",
    "answer_recall",
    "answer_f1",
    "contradiction_rate",
    "unsupported_rate",
    "consistency",
    "claim_recall",
    "context_precision",
    "context_utilization",
    "noise_sensitivity_in_relevant",
    "noise_sensitivity_in_irrelevant",
    "hallucination",
    "self_knowledge",
    "faithfulness",
)
_SLACK = "1e-12"
_UNJUDGED = "not exists (select 1 from staging.stg_rageval__judgments)"


def _identity(name: str, left: str, right: str, condition: str = "true") -> RowRule:
    """Return the rule that two sides of an identity are equal wherever both are defined."""
    return RowRule(
        name,
        _SCORES,
        f"""
        select {_JUDGMENT} as subject, concat({left}, ' is not ', {right}) as message, {_NOWHERE}
        from {{relation}}
        where abs({left} - ({right})) > {_SLACK} and {condition}
        order by 1
        """,
    )


_FIGURES = (
    RowRule(
        "every_judgment_is_published",
        _SCORES,
        """
        select concat_ws('/', run_id, system_id, question_id, metric) as subject,
            'this judgment is landed and no mart has it' as message, source_file, source_line
        from staging.stg_rageval__judgments
        where judgment_id not in (
            select judgment_id from {relation} where judgment_id is not null
        )
        order by 1
        """,
    ),
    RowRule(
        "every_answer_is_judged",
        _SCORES,
        f"""
        select {_JUDGMENT} as subject, 'nobody judged this answer' as message, {_NOWHERE}
        from {{relation}}
        where judgment_id is null
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "figures_are_shares",
        _SCORES,
        " union all ".join(
            f"select {_JUDGMENT} as subject, concat('{name} is ', {name}) as message, {_NOWHERE} "
            f"from {{relation}} where not {name} between 0 and 1"
            for name in FIGURES
        )
        + " order by 1, 2",
    ),
    _identity(
        "labels_of_a_response_sum_to_one",
        "answer_precision + contradiction_rate + unsupported_rate",
        "1",
    ),
    _identity(
        "responses_are_faithful_known_or_hallucinated",
        "faithfulness + hallucination + self_knowledge",
        "1",
    ),
    _identity(
        "wrong_claims_are_noise_or_hallucinated",
        "hallucination + noise_sensitivity_in_relevant + noise_sensitivity_in_irrelevant",
        "1 - answer_precision",
    ),
    RowRule(
        "figures_agree_with_ragcheckers",
        "marts__rpt_rageval__ragchecker_reconciliations",
        f"""
        select concat_ws('/', run_id, system_id, question_id, metric) as subject,
            concat('the file says ', published_value, ', the rows say ', recomputed_value)
                as message, {_NOWHERE}
        from {{relation}}
        where not coalesce(is_equal, false)
        order by 1
        """,
    ),
    RowRule(
        "means_keep_their_counts",
        "marts__rpt_rageval__answer_metrics",
        f"""
        select concat_ws('/', run_id, system_id, metric, policy, variant) as subject,
            concat('total ', n_total, ', scored ', n_scored, ', included ', n_included)
                as message, {_NOWHERE}
        from {{relation}}
        where n_scored > n_total or n_included > n_total
            or (policy = 'zero_fill' and n_included <> n_total)
            or not coalesce(macro_estimate, 0) between 0 and 1
            or not coalesce(pooled_estimate, 0) between 0 and 1
        order by 1
        """,
    ),
    RowRule(
        "coefficients_are_coefficients",
        "marts__rpt_rageval__metric_agreements",
        f"""
        select concat_ws('/', dataset_id, preference_set, aspect, rater_kind, rater) as subject,
            concat('pearson ', pearson, ' of ', pearson_low, ' to ', pearson_high,
                ', spearman ', spearman, ', kendall ', kendall) as message, {_NOWHERE}
        from {{relation}}
        where greatest(abs(pearson), abs(spearman), abs(kendall), abs(kappa)) > 1 + {_SLACK}
            or pearson_low > pearson_high
        order by 1
        """,
    ),
)

SUITE = Suite(
    "marts", "rageval", (*_FIGURES, *RETRIEVAL_FIGURES, *summaries_rules("rageval", _UNJUDGED))
)
