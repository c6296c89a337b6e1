{# Rows whose key stands more than once. NULLs are values of a key here. #}
{% test key_is_unique(model, key_columns) %}
select
    {{ key_columns | join(', ') }},
    count(*) as row_count
from {{ model }}
group by {{ key_columns | join(', ') }}
having count(*) > 1
{% endtest %}
