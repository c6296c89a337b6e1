"""Rules to break, one at a time: the text that is there, what it becomes, the tests to turn red."""

from __future__ import annotations

from dataclasses import dataclass

_NUMBERS = ("tests/golden", "tests/property/test_random_trees.py")
_BOOTSTRAP = ("tests/property/test_bootstrap.py",)
_GATE = ("tests/faults/test_landing_gate.py",)
_IMPORTED = ("tests/property/test_imported_metrics.py",)
_REPEATS = ("tests/golden/test_judge_repeatability.py",)
_PAIRS = ("tests/golden/test_judge_pairs.py",)
_EVOLUTION = ("tests/unit/warehouse/test_schema_evolution.py",)
_UTILITIES = "macros/scoring/utilities.sql"
_INTERMEDIATE = "models/intermediate/xslides/int_xslides__"
_CORE = "models/intermediate/core/int_"


@dataclass(frozen=True)
class Mutant:
    """One broken rule."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = _NUMBERS


MUTANTS = (
    Mutant(
        "threshold excludes equal weights",
        _UTILITIES,
        ">= {{ weights }}.sample_count *",
        "> {{ weights }}.sample_count *",
    ),
    Mutant(
        "samples are not divided by k",
        _UTILITIES,
        "{{ integer_quotient('720720', weights ~ '.sample_count') }}",
        "720720",
    ),
    Mutant(
        "stated weights lose their scale",
        _UTILITIES,
        "+ {{ stated }} / {{ number('1000000000000') }}",
        "+ {{ stated }} / {{ number('100000000000') }}",
    ),
    Mutant("stated weights lose their slack", _UTILITIES, "+ 1000 >=", "- 1000 >="),
    Mutant(
        "coverage divides by the count",
        f"{_INTERMEDIATE}coverages_computed.sql",
        "{{ ratio('recovered_utility', 'available_utility') }} as coverage,",
        "{{ ratio('recovered_utility', 'included_probe_count') }} as coverage,",
    ),
    Mutant(
        "unweighted coverage takes utilities",
        f"{_INTERMEDIATE}coverages_computed.sql",
        "{{ ratio('covered_probe_count', 'included_probe_count') }}",
        "{{ ratio('recovered_utility', 'available_utility') }}",
    ),
    Mutant(
        "upper bound forgets the unsettled",
        f"{_INTERMEDIATE}coverages_computed.sql",
        "{{ ratio('recoverable_utility', 'available_utility') }}",
        "{{ ratio('recovered_utility', 'available_utility') }}",
    ),
    Mutant(
        "abstentions are settled",
        f"{_INTERMEDIATE}utilities_recovered.sql",
        "and scores.verdict <> 'abstain' as is_settled_uncovered",
        "as is_settled_uncovered",
    ),
    Mutant(
        "filled judgments are settled",
        f"{_INTERMEDIATE}utilities_recovered.sql",
        "and scores.judgment_status = 'judged'\n        and scores.verdict",
        "and scores.verdict",
    ),
    Mutant(
        "a threshold needs one step more",
        f"{_INTERMEDIATE}utilities_cumulated.sql",
        "utilities.tau_step >= thresholds.tau_step\n    group by utilities.weight_set_id",
        "utilities.tau_step > thresholds.tau_step\n    group by utilities.weight_set_id",
    ),
    Mutant(
        "unsettled claims stay in the denominator",
        f"{_INTERMEDIATE}correctness_computed.sql",
        "'settled_claim_count * 1000'",
        "'claim_count * 1000'",
    ),
    Mutant(
        "slides cost twice",
        f"{_INTERMEDIATE}efficiencies_computed.sql",
        "{{ number('0.25') }} * evaluations.slide_count\n        + evaluations.visible_word_count",
        "{{ number('0.5') }} * evaluations.slide_count\n        + evaluations.visible_word_count",
    ),
    Mutant(
        "words are read faster",
        f"{_INTERMEDIATE}efficiencies_computed.sql",
        "evaluations.visible_word_count / {{ number('130') }}",
        "evaluations.visible_word_count / {{ number('150') }}",
    ),
    Mutant(
        "a deck without slides has no guard",
        f"{_INTERMEDIATE}efficiencies_computed.sql",
        "'greatest(slide_count, 1)'",
        "'slide_count'",
    ),
    Mutant(
        "image decks get a time",
        f"{_INTERMEDIATE}efficiencies_computed.sql",
        "when evaluations.visible_word_count > 0 or evaluations.slide_count = 0",
        "when evaluations.visible_word_count >= 0 or evaluations.slide_count = 0",
    ),
    Mutant(
        "undefined efficiency becomes zero",
        f"{_INTERMEDIATE}efficiencies_computed.sql",
        "case when coverages.available_utility > 0 then coverages.recovered_utility end",
        "coverages.recovered_utility",
    ),
    Mutant(
        "missing judgments go unnoticed",
        f"{_INTERMEDIATE}evaluations_assessed.sql",
        "when score_count < probe_count then",
        "when score_count < 0 then",
    ),
    Mutant(
        "missing weights go unnoticed",
        f"{_INTERMEDIATE}evaluations_assessed.sql",
        "when has_weight_gap then",
        "when false then",
    ),
    Mutant(
        "unrun evaluations are scored",
        f"{_INTERMEDIATE}evaluations_assessed.sql",
        "when score_count = 0 then 'not_run'",
        "when score_count < 0 then 'not_run'",
    ),
    Mutant(
        "failed decks are never zero",
        f"{_INTERMEDIATE}metric_values.sql",
        "and sliced.evaluation_status = 'deck_failed'",
        "and sliced.evaluation_status = 'never'",
    ),
    Mutant(
        "stated domains are ignored",
        f"{_INTERMEDIATE}probe_domains_assigned.sql",
        "coalesce(domains.domain, ranked.domain, 'unclassified')",
        "coalesce(ranked.domain, 'unclassified')",
    ),
    Mutant(
        "safe efficiency forgets correctness",
        "models/marts/xslides/fct_xslides__deck_audience_scores.sql",
        "efficiencies.efficiency_time * correctness.correctness",
        "efficiencies.efficiency_time",
    ),
    Mutant(
        "undefined counts as missing",
        f"{_CORE}metric_cells_estimated.sql",
        "count_if(is_scored and fixed_value is null)",
        "count_if(fixed_value is null)",
    ),
    Mutant(
        "the variance divides by n",
        f"{_CORE}metric_cells_estimated.sql",
        "* n_included * (n_included - 1)'",
        "* n_included * n_included'",
    ),
    Mutant(
        "a round of the resampler is skipped",
        f"{_CORE}bootstrap_counts_drawn.sql",
        "({{ fifth_power('state') }} + third_key)",
        "(state + third_key)",
        _BOOTSTRAP,
    ),
    Mutant(
        "the power is the fourth",
        "macros/statistics/resampling.sql",
        ") * ({{ value }}) % {{ prime() }}",
        ") % {{ prime() }}",
        _BOOTSTRAP,
    ),
    Mutant(
        "ranks are shifted",
        "warehouse/statistics.py",
        "half_alpha * (resamples + 1) + 0.5",
        "half_alpha * (resamples + 1) + 1.5",
        _BOOTSTRAP,
    ),
    Mutant(
        "units come in no order",
        "macros/engine/lists.sql",
        "list(cast({{ value }} as double) order by {{ order_by }})",
        "list(cast({{ value }} as double) order by cast({{ value }} as double))",
        _BOOTSTRAP,
    ),
    Mutant(
        "the first of two equal rows wins",
        "warehouse/landing.py",
        "if counts[key] == 1:",
        "if counts[key] >= 1:",
        _GATE,
    ),
    Mutant(
        "orphan judgments land",
        "ingest/xslides/land_scores.py",
        "if ordinal is None:\n        raise FieldError",
        "if ordinal is None:\n        ordinal = 1\n    if False:\n        raise FieldError",
        _GATE,
    ),
    Mutant(
        "manifests are believed",
        "ingest/xslides/land_manifests.py",
        "if not isinstance(value, str) or identity.normalize_label(value) not in allowed:",
        "if False:",
        _GATE,
    ),
    Mutant(
        "NaN is a number", "warehouse/jsonl.py", "    parse_constant=_refuse_constant,\n", "", _GATE
    ),
    Mutant(
        "the last of two equal keys wins",
        "warehouse/jsonl.py",
        "    object_pairs_hook=_unique_object,\n",
        "",
        _GATE,
    ),
    Mutant(
        "text is true",
        "ingest/land_fields.py",
        "if not isinstance(value, bool):\n        raise FieldError",
        "if False:\n        raise FieldError",
        _GATE,
    ),
    Mutant(
        "rejects pass the gate",
        "expectations/suites/landed_rows.py",
        "where benchmark = '{benchmark}'\n        order by source_file",
        "where benchmark = 'none'\n        order by source_file",
        _GATE,
    ),
    Mutant(
        "lost rows are landed",
        "ingest/xslides/land_losses.py",
        "if after < before:",
        "if after > before:",
        _GATE,
    ),
    Mutant(
        "efficiencies are reconciled absolutely",
        "models/marts/xslides/fct_xslides__metric_reconciliations.sql",
        "* abs(recomputed.recomputed_value)",
        "* 1",
        _IMPORTED,
    ),
    Mutant(
        "the first of two candidates is compared",
        "models/marts/xslides/fct_xslides__metric_reconciliations.sql",
        "case when count(scores.evaluation_id) = 1 then min(scores.evaluation_id) end",
        "min(scores.evaluation_id)",
        _IMPORTED,
    ),
    Mutant(
        "our own metrics come back",
        "ingest/xslides/land_imported_files.py",
        '.get("producer") == PRODUCER',
        '.get("producer") == "nobody"',
        ("tests/faults/test_imported_metrics.py",),
    ),
    Mutant(
        "repeats: shared judgments are ratings",
        f"{_INTERMEDIATE}judgments_repeated.sql",
        "coalesce(origins.judgment_origin, 'own') = 'own' as",
        "coalesce(origins.judgment_origin, 'own') <> '' as",
        _REPEATS,
    ),
    Mutant(
        "repeats: a disagreement of three weighs as much as one of two",
        "macros/statistics/agreement.sql",
        "'rating_count - 1'\n",
        "'1'\n",
        _REPEATS,
    ),
    Mutant(
        "repeats: samples of shared judgments count again",
        f"{_INTERMEDIATE}repeats_counted.sql",
        "(placed.is_own or placed.position_in_deck = 1)",
        "true",
        _REPEATS,
    ),
    Mutant(
        "judges: kappa forgets chance",
        "models/marts/core/rpt_judge_agreements.sql",
        "* agreeing_count - chance_units",
        "* agreeing_count",
        _PAIRS,
    ),
    Mutant(
        "judges: other decks are matched",
        f"{_INTERMEDIATE}evaluation_pairs_matched.sql",
        "and first_side.deck_sha256 = second_side.deck_sha256\n",
        "\n",
        _PAIRS,
    ),
    Mutant(
        "judges: a claim is known by its id alone",
        f"{_INTERMEDIATE}verdicts_paired.sql",
        "task, item_id, item_text\n",
        "task, item_id\n",
        ("tests/property/test_judge_pairs.py",),
    ),
    Mutant(
        "drift: runs are ordered by their names",
        f"{_CORE}judge_anchors_paired.sql",
        "order by started_at asc, anchor_run_id asc",
        "order by anchor_run_id asc",
        ("tests/property/test_judge_drift.py",),
    ),
    Mutant(
        "costs: a part passes for the whole",
        "models/marts/core/rpt_judge_costs.sql",
        "when summed.n_unpriced = 0\n",
        "when summed.n_unpriced >= 0\n",
        ("tests/property/test_judge_costs.py",),
    ),
    Mutant(
        "evolution: a column that is never NULL is filled",
        "warehouse/footers.py",
        "if not column.nullable:\n                yield",
        "if False:\n                yield",
        _EVOLUTION,
    ),
    Mutant(
        "evolution: types may widen",
        "warehouse/footers.py",
        "if (field.type, field.nullable) != (column.type, column.nullable):",
        "if field.nullable != column.nullable:",
        _EVOLUTION,
    ),
)
