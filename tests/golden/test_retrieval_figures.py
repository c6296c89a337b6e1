"""Figures of retrieval over a library whose hits are known, and the answers out of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.golden_retrieval import SYSTEMS
from tests.support.worlds import World

SCORES = (
    "select * from marts.fct_rageval__retrieval_scores "
    "where system_id = ? and question_id = ? and stage = ?"
)
FIGURES = (
    "recall_at_1",
    "recall_at_5",
    "recall_at_20",
    "hit_at_1",
    "hit_at_5",
    "reciprocal_rank",
)


@pytest.mark.parametrize(
    ("system", "question", "figures"),
    [
        ("TCTE-bm25", "lantern", (1, 1, 1, 1, 1, 1)),
        # Two gold pages: the first hit is one of them, the second the other.
        ("TCTE-bm25", "oil", (0.5, 1, 1, 1, 1, 1)),
        ("TCTE-bm25", "anchor", (1, 1, 1, 1, 1, 1)),
        # Its words stand in the table alone, which this variant does not index; the heading
        # says `prices`, and so does the text under it.
        ("text_only-bm25", "anchor", (1, 1, 1, 1, 1, 1)),
        ("page_only-bm25", "anchor", (1, 1, 1, 1, 1, 1)),
        ("TCTE-bm25", "zebra", (0, 0, 0, 0, 0, 0)),
        ("TCTE-bm25", "loose", (None,) * 6),
    ],
)
def test_a_question_by_hand(
    library_world: World, system: str, question: str, figures: tuple[float | None, ...]
) -> None:
    for stage in ("bm25", "fused"):
        row = library_world.one(SCORES, system, question, stage)
        assert tuple(row[name] for name in FIGURES) == figures, stage
    assert library_world.one(SCORES, system, question, "fused")["retrieval_variant"] in system


def test_the_means_of_a_system(library_world: World) -> None:
    rows = library_world.rows(
        "select metric, estimate, n_included from marts.rpt_metric_summaries "
        "where benchmark = 'rageval' and system_id = 'TCTE-bm25' and condition = 'bm25' "
        "and slice_type = 'all' and metric like 'retrieval_%'"
    )
    found = {row["metric"]: (row["estimate"], row["n_included"]) for row in rows}
    assert found["retrieval_recall_at_5"][1] == 5
    # lantern 1, oil 1, anchor 1, quay 1 of the three alike slides, zebra 0.
    assert found["retrieval_recall_at_5"][0] == pytest.approx(4 / 5)


def test_slices_are_by_modality_and_class(library_world: World) -> None:
    rows = library_world.rows(
        "select slice_type, slice, n_included from marts.rpt_metric_summaries "
        "where benchmark = 'rageval' and system_id = 'TCTE-bm25' and condition = 'fused' "
        "and metric = 'retrieval_mrr' order by all"
    )
    assert {(row["slice_type"], row["slice"]): row["n_included"] for row in rows} == {
        ("all", "all"): 5,
        ("modality", "picture"): 1,
        ("modality", "table"): 1,
        ("modality", "text"): 2,
        ("routed_class", "presentation"): 1,
        ("routed_class", "standard"): 4,
        ("true_class", "presentation"): 1,
        ("true_class", "standard"): 2,
    }


def answer(world: World, system: str, question: str) -> dict[str, Any]:
    return world.one(
        "select * from staging.stg_rageval__answers where system_id = ? and question_id = ?",
        system,
        question,
    )


def test_answers_are_sentences_and_cells_with_their_page(library_world: World) -> None:
    row = answer(library_world, "TCTE-bm25", "lantern")
    assert row["answer"] == "A lantern lasts four nights."
    assert row["cited_pages"] == ["lanterns.md#1"]
    assert answer(library_world, "TCTE-bm25", "anchor")["answer"] == "55 crowns"
    row = answer(library_world, "TCTE-bm25", "zebra")
    assert (row["answer_status"], row["answer"], row["citations"]) == ("refused", None, [])


def test_artifacts_go_back_to_their_places_where_the_variant_aligns(library_world: World) -> None:
    def texts(system: str) -> list[str]:
        rows = library_world.rows(
            "select text from staging.stg_rageval__contexts where system_id = ? "
            "and question_id = 'anchor' and document_id = 'prices.md' order by passage_number",
            system,
        )
        return [row["text"] for row in rows]

    (aligned,) = texts("TCTE-bm25")
    assert aligned.index("What things cost") < aligned.index("| Anchor | 40 crowns | 55 crowns |")
    apart = texts("no_alignment-bm25")
    assert len(apart) == 2
    assert sum("Anchor" in text for text in apart) == 1
    assert not any("Anchor" in text for text in texts("text_only-bm25"))
    (whole,) = texts("page_only-bm25")
    assert "| Anchor | 40 crowns | 55 crowns |" in whole


def test_classes_are_counted_beside_what_people_say(library_world: World) -> None:
    rows = library_world.rows(
        "select true_class, layout_class, document_count "
        "from marts.rpt_rageval__layout_classes order by all"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("presentation", "presentation", 1),
        ("standard", "standard", 1),
        ("unlabelled", "standard", 2),
    ]


def test_every_system_is_there(library_world: World) -> None:
    rows = library_world.rows("select distinct system_id from marts.fct_rageval__retrieval_scores")
    assert {row["system_id"] for row in rows} == set(SYSTEMS)
