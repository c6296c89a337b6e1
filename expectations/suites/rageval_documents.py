"""Landing rules of `rageval` about documents: nothing is lost, every artifact has its place."""

from __future__ import annotations

from expectations.rules import RowRule
from warehouse.findings import Outcome

_DOCUMENT = "concat_ws('/', dataset_id, document_id)"
_PLACE = "source_file, source_line"
_READABLE = "('ok', 'ok_with_warnings', 'empty', 'image_only')"
# Literal markers of a document have a backslash before them.
_MARKS = r"""
    regexp_extract_all(
        regexp_replace(text, '\\+\[(TABLE|PICTURE) (START|END)\]', '', 'g'),
        '\[(TABLE|PICTURE) (START|END)\]'
    )
"""

DOCUMENTS = (
    RowRule(
        "documents_can_be_read",
        "rageval__documents",
        f"""
        select {_DOCUMENT} as subject,
            concat('it is ', document_status, ': ', array_to_string(warnings, '; ')) as message,
            {_PLACE}
        from {{relation}}
        where document_status not in {_READABLE}
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "every_word_reaches_a_chunk",
        "rageval__documents",
        f"""
        select {_DOCUMENT} as subject,
            concat(lost_word_count, ' of ', word_count, ' words are in no chunk') as message,
            {_PLACE}
        from {{relation}}
        where lost_word_count > 0
        order by 1
        """,
    ),
    RowRule(
        "documents_have_a_way",
        "rageval__documents",
        f"""
        select {_DOCUMENT} as subject, 'it was read and has no class, title or reason' as message,
            {_PLACE}
        from {{relation}}
        where document_status in {_READABLE} and (
            layout_class is null or routing_method is null or routing_reason is null
            or title is null
        )
        order by 1
        """,
    ),
    RowRule(
        "pages_agree_with_the_first",
        "rageval__documents",
        f"""
        select {_DOCUMENT} as subject,
            concat('it went as ', layout_class, ', and ', disagreeing_page_count, ' of ',
                page_count - deciding_page_count, ' later pages look otherwise') as message,
            {_PLACE}
        from {{relation}}
        where is_mixed
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "every_page_is_landed",
        "rageval__documents",
        f"""
        select {_DOCUMENT} as subject,
            concat(page_count, ' pages are stated, ', coalesce(landed.page_count_landed, 0),
                ' are there') as message,
            {_PLACE}
        from {{relation}} as documents
        left join (
            select dataset_id, document_id, count(*) as page_count_landed
            from rageval.pages
            group by dataset_id, document_id
        ) as landed using (dataset_id, document_id)
        where page_count <> coalesce(landed.page_count_landed, 0)
        order by 1
        """,
    ),
    RowRule(
        "places_lead_somewhere",
        "rageval__chunk_artifacts",
        f"""
        select concat_ws('/', dataset_id, document_id, chunk_id, position) as subject,
            concat('no such chunk or artifact: ', artifact_id) as message, {_PLACE}
        from {{relation}}
        where (dataset_id, document_id, artifact_id) not in (
                select (dataset_id, document_id, artifact_id) from rageval.artifacts
            )
            or (dataset_id, document_id, chunk_id) not in (
                select (dataset_id, document_id, chunk_id) from rageval.chunks
            )
        order by 1
        """,
    ),
    RowRule(
        "places_are_resolved_once",
        "rageval__chunk_artifacts",
        f"""
        select concat_ws('/', dataset_id, document_id, chunk_id, position) as subject,
            concat(artifact_id, ' is resolved ', resolved_count, ' times') as message, {_PLACE}
        from {{relation}}
        where resolved_count <> 1
        order by 1
        """,
    ),
    RowRule(
        "kept_artifacts_stand_once",
        "rageval__artifacts",
        f"""
        with places as (
            select places.dataset_id, places.document_id, places.artifact_id,
                count(*) as place_count
            from rageval.chunk_artifacts as places
            inner join rageval.chunks as chunks using (dataset_id, document_id, chunk_id)
            inner join rageval.documents as documents using (dataset_id, document_id)
            where chunks.kind = case documents.layout_class
                when 'presentation' then 'page' else 'text' end
            group by places.dataset_id, places.document_id, places.artifact_id
        )
        select concat_ws('/', dataset_id, document_id, artifact_id) as subject,
            concat('it stands in ', coalesce(place_count, 0), ' places') as message, {_PLACE}
        from {{relation}}
        left join places using (dataset_id, document_id, artifact_id)
        where not is_dropped and trim(coalesce(description, '')) <> ''
            and coalesce(place_count, 0) <> 1
        order by 1
        """,
    ),
    RowRule(
        "artifact_chunks_follow_their_place",
        "rageval__chunks",
        f"""
        select concat_ws('/', dataset_id, document_id, chunk_id) as subject,
            'its parent does not hold the place of its artifact' as message, {_PLACE}
        from {{relation}}
        where artifact_id is not null
            and (dataset_id, document_id, parent_chunk_id, artifact_id) not in (
                select (dataset_id, document_id, chunk_id, artifact_id)
                from rageval.chunk_artifacts
            )
        order by 1
        """,
    ),
    RowRule(
        "markers_are_balanced",
        "rageval__pages",
        f"""
        with marked as (
            select *, {_MARKS} as marks from {{relation}}
        )
        select concat_ws('/', dataset_id, document_id, page_number) as subject,
            concat('markers: ', array_to_string(marks, ' ')) as message, {_PLACE}
        from marked
        where len(marks) % 2 <> 0 or len(list_filter(range(1, len(marks), 2), lambda place:
            marks[place] not like '%START]'
            or marks[place + 1] <> replace(marks[place], 'START]', 'END]')
        )) > 0
        order by 1
        """,
    ),
)
