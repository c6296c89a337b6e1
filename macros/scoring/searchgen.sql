{# What searchgen boards are made of. Decision: docs/decisions/0017-searchgen.md #}

{# The nine components of Overall-9, in the order of every table; the one place that lists them. #}
{% macro searchgen_displayed_components() -%}
    {{ return([
        'checklist', 'rubric_adaptive', 'prompt_faithfulness', 'image_quality',
        'text_rendering', 'ai_naturalness', 'composition_and_aesthetics',
        'physical_plausibility', 'visual_reference_evaluation',
    ]) }}
{%- endmacro %}

{# The ten components of Overall-10. #}
{% macro searchgen_components() -%}
    {{ return(searchgen_displayed_components() + ['text_reference_evaluation']) }}
{%- endmacro %}

{# The two overalls, and the components that each is the mean of. #}
{% macro searchgen_overalls() -%}
    {{ return(['overall_9', 'overall_10']) }}
{%- endmacro %}
{% macro searchgen_components_of(overall) -%}
    {{ return({
        'overall_9': searchgen_displayed_components(), 'overall_10': searchgen_components(),
    }[overall]) }}
{%- endmacro %}

{# Everything that a board gives a mean of. #}
{% macro searchgen_scores() -%}
    {{ return(searchgen_overalls() + searchgen_components()) }}
{%- endmacro %}

{# What stands for no score; a fourth status, `scored`, does. #}
{% macro searchgen_missing_statuses() -%}
    {{ return(['missing_generation', 'missing_evaluation', 'invalid_evaluation']) }}
{%- endmacro %}

{# A mean on the public scale, 0 to 100, unrounded: sum / count * 100 / 3 in that order of
   operations, which the last bits of published figures hang on. NULL over no values. #}
{% macro public_score(fixed_sum, value_count) -%}
    {{ from_fixed_point('coalesce(' ~ fixed_sum ~ ', 0)') }}
    / nullif({{ value_count }}, 0) * {{ number('100') }} / {{ number('3') }}
{%- endmacro %}
