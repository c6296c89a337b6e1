{# Sums over probes of what agreement is made of, from columns rating_count (at least 2) and
   covered_count. A disagreement of m ratings weighs 1 / (m - 1), here in 720,720ths: exact for
   m up to 17. #}
{% macro agreement_sums() -%}
    count(*) as repeated_probe_count,
    count_if(covered_count in (0, rating_count)) as unanimous_probe_count,
    sum(rating_count) as rating_count,
    sum(covered_count) as covered_rating_count,
    sum({{ integer_quotient('rating_count * (rating_count - 1)', '2') }}) as rating_pair_count,
    sum(covered_count * (rating_count - covered_count)) as disagreeing_pair_count,
    sum({{ integer_quotient(
        '720720 * covered_count * (rating_count - covered_count)', 'rating_count - 1'
    ) }}) as disagreement_units
{%- endmacro %}
