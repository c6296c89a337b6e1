{# Turns the list of landing relations into views, on either engine.

   The list names every file, so nothing is read that no manifest names. The first file is
   empty and of the present contract, so columns and types are its columns and types. Files
   are united by name only where an older one lacks columns, which are then NULL; that nothing
   else differs in them was checked when the list was made. A folder of the warehouse whose
   name holds an equals sign is a folder, no column. #}
{% macro register_landing() %}
    {%- if execute -%}
        {%- for relation in landing_relations() %}
            {{ landing_view(relation) }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{% macro landing_relations() %}
    {%- set listing = run_query(
        "select schema_name, relation_name, files, has_older_files from read_json('"
        ~ env_var('PODIUM_RELATIONS') | replace("'", "''")
        ~ "', format = 'newline_delimited', hive_partitioning = false, columns = "
        ~ "{schema_name: 'varchar', relation_name: 'varchar', files: 'varchar', "
        ~ "has_older_files: 'varchar'})"
    ) -%}
    {{ return(listing.rows) }}
{% endmacro %}

{% macro landing_view(relation) %}
    {{ return(adapter.dispatch('landing_view', 'podium')(relation)) }}
{% endmacro %}

{% macro duckdb__landing_view(relation) %}
    {%- set names = [] -%}
    {%- for name in fromjson(relation['files']) -%}
        {%- do names.append("'" ~ name | replace("'", "''") ~ "'") -%}
    {%- endfor -%}
    create schema if not exists "{{ relation['schema_name'] }}";
    create or replace view "{{ relation['schema_name'] }}"."{{ relation['relation_name'] }}" as
    select * from read_parquet(
        [{{ names | join(', ') }}],
        hive_partitioning = false,
        union_by_name = {{ relation['has_older_files'] }}
    );
{% endmacro %}
