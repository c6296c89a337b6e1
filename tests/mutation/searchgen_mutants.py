"""Rules of searchgen to break, one at a time."""

from __future__ import annotations

from tests.mutation.mutants import Mutant

_BOARDS = ("tests/golden/test_searchgen_figures.py", "tests/property/test_searchgen_boards.py")
_MACROS = "macros/scoring/searchgen.sql"
_EXACT = "macros/scoring/exact_sums.sql"
_INTERMEDIATE = "models/intermediate/searchgen/int_searchgen__"

SEARCHGEN = (
    Mutant(
        "searchgen: scores are averaged as floats",
        _EXACT,
        "cast({{ value }} * {{ number('1267650600228229401496703205376') }}"
        " as {{ exact_integer() }})",
        "({{ value }} * {{ number('1267650600228229401496703205376') }})",
        _BOARDS,
    ),
    Mutant(
        "searchgen: the public scale is another order of operations",
        _MACROS,
        "/ nullif({{ value_count }}, 0) * {{ number('100') }} / {{ number('3') }}",
        "/ nullif({{ value_count }}, 0) / {{ number('3') }} * {{ number('100') }}",
        _BOARDS,
    ),
    Mutant(
        "searchgen: halves are rounded up",
        _EXACT,
        "round_even({{ value }}",
        "round({{ value }}",
        _BOARDS,
    ),
    Mutant(
        "searchgen: inapplicable components count as zero",
        f"{_INTERMEDIATE}overalls_computed.sql",
        "case when {{ component }} is null then 0 else 1 end",
        "1",
        _BOARDS,
    ),
    Mutant(
        "searchgen: one policy for every missing status",
        f"{_INTERMEDIATE}results_completed.sql",
        "when '{{ status }}' then models.{{ status }}_policy",
        "when '{{ status }}' then models.missing_generation_policy",
        _BOARDS,
    ),
    Mutant(
        "searchgen: other lanes count",
        f"{_INTERMEDIATE}results_completed.sql",
        "            and models.lane = scores.lane\n",
        "",
        _BOARDS,
    ),
    Mutant(
        "searchgen: a prompt is common when one model has it",
        f"{_INTERMEDIATE}results_completed.sql",
        "bool_and(is_scored)",
        "bool_or(is_scored)",
        _BOARDS,
    ),
    Mutant(
        "searchgen: NoSearch counts its prompts twice",
        f"{_INTERMEDIATE}prompts_grouped.sql",
        "    union\n    {% endfor %}",
        "    union all\n    {% endfor %}",
        _BOARDS,
    ),
    Mutant(
        "searchgen: zeros where no component applies",
        f"{_INTERMEDIATE}groups_summed.sql",
        "results.is_filled and results.has_{{ component }}",
        "results.is_filled",
        _BOARDS,
    ),
    Mutant(
        "searchgen: zero-filling leaves components out",
        f"{_INTERMEDIATE}cells_estimated.sql",
        "{{ score }}_{{ common }}count + {{ filled }} as {{ score }}_count,",
        "{{ score }}_{{ common }}count as {{ score }}_count,",
        _BOARDS,
    ),
    Mutant(
        "searchgen: ties do not share a rank",
        f"{_INTERMEDIATE}cells_ranked.sql",
        "then rank() over",
        "then row_number() over",
        _BOARDS,
    ),
    Mutant(
        "searchgen: published rows go by unrounded figures",
        f"{_INTERMEDIATE}cells_ranked.sql",
        "{{ rounded_once('primary_value', 1) }} desc",
        "primary_value desc",
        _BOARDS,
    ),
)
