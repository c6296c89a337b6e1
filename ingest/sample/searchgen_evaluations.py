"""One invented judgment as an evaluation file, in the many spellings that evaluators use.

All spellings of one judgment mean the same ten components; which one a file has is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ingest.sample.searchgen_draws import pick
from ingest.sample.searchgen_results import Scores
from warehouse import jsonl

_ABSENT = object()
_NOT_APPLICABLE = ({"score": None}, {"score": "N/A"}, {"score": "NA"}, {"score": ""}, _ABSENT)
_SPELLINGS: tuple[Callable[[float], Any], ...] = (
    lambda score: {"score": score},
    lambda score: {"score": score, "reason": "as asked"},
    lambda score: {"score": f"{score:g}/3"},
    lambda score: {"score": f" {score:g} of 3"},
    lambda score: {"score": int(score) if score == int(score) else score},
    lambda score: score,
)


def evaluation_text(scores: Scores, draw: Random) -> str:
    """Return the JSON text of an evaluation file that says `scores`."""
    is_board_named = draw.random() < 0.2
    content: dict[str, Any] = {
        "checklist": _checklist(scores, draw),
        "rubric_adaptive" if is_board_named else "adaptive_rubric": _rubric(scores, draw),
    }
    for name, score in scores.generics.items():
        spelled = pick(draw, _NOT_APPLICABLE) if score is None else pick(draw, _SPELLINGS)(score)
        if spelled is not _ABSENT:
            content[name] = spelled
    for name, score in scores.references.items():
        shown = name if is_board_named else name.removesuffix("_evaluation")
        # Judges are told to write the score 0 beside a reference that does not apply.
        content[shown] = {"applicable": score is not None, "score": score or 0}
    return jsonl.dumps(content) + "\n"


def broken_evaluation_text(draw: Random) -> str:
    """Return the text of an evaluation file that cannot be used, for one of five reasons."""
    return pick(
        draw,
        (
            "",
            '{"checklist": {"checklist:0": {"score": 2',
            '{"success": false, "error": "the judge gave no answer"}\n',
            '{"checklist": {"checklist:0": {"score": ""}}, "image_quality": {"score": 2}}\n',
            '{"checklist": [2, 2.5], "image_quality": {"score": 3.5}}\n',
        ),
    )


def _checklist(scores: Scores, draw: Random) -> Any:
    spell = pick(draw, _SPELLINGS)
    if draw.random() < 0.3:
        return [spell(score) for score in scores.checklist]
    return {f"checklist:{place}": spell(score) for place, score in enumerate(scores.checklist)}


def _rubric(scores: Scores, draw: Random) -> Any:
    if draw.random() < 0.3:
        key = pick(draw, ("name", "id"))
        return [
            {key: name, "score": score, "weight": weight} for name, score, weight in scores.rubric
        ]
    if draw.random() < 0.2:
        return {name: score for name, score, _ in scores.rubric}
    return {name: {"score": score, "weight": weight} for name, score, weight in scores.rubric}
