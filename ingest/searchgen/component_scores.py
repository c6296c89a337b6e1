"""From one evaluation to ten components: the only place where an evaluation is read.

Rules (reference implementation of the benchmark, evaluator of 2026-07):

- `checklist` is the plain mean of its items; one empty item makes the evaluation invalid.
- `rubric_adaptive` is the mean of the rubric's dimensions, plain or weighted. A dimension
  with the name of a generic component is that component, never part of the mean; where both
  stand, the component that stands by itself counts.
- Each of the six generics is one score; absent, empty, `N/A` and `NA` are not applicable.
- A reference counts when `applicable` is true, and nothing else than the boolean; judges are
  told to write the score 0 beside a reference that does not apply.
- A number in a text is its leading number ("2.5/3" is 2.5); a boolean is none; every number
  lies in 0 to 3 or the evaluation is invalid.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    RAW_MAXIMUM,
    RAW_MINIMUM,
)

PLAIN, WEIGHTED = "plain", "weighted"
RUBRICS = (PLAIN, WEIGHTED)
VERSION = 1
"""Raised when an evaluation gives other components than before."""
GENERICS = COMPONENTS[2:8]
REFERENCES = COMPONENTS[8:]

# Names of the evaluator's files, beside those of boards.
_CHECKLIST = ("checklist", "checklist_scores")
_RUBRIC = ("adaptive_rubric", "rubric_adaptive", "rubric_scores")
_REFERENCES = {name: (name.removesuffix("_evaluation"), name) for name in REFERENCES}
_NOT_APPLICABLE = frozenset({"", "N/A", "NA"})
_LEADING_NUMBER = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)", re.ASCII)
# What the reward code of the benchmark puts in place of a weight that is not positive.
_FALLBACK_WEIGHT = 0.2
_MAX_WEIGHT = 1e6
_SHOWN = 60

Components = dict[str, float | None]
"""Ten components by name, 0 to 3; None is not applicable."""


class InvalidEvaluationError(ValueError):
    """An evaluation without usable scores; `reason` is a stable code."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


@dataclass(frozen=True)
class _Item:
    """One item of a checklist or a rubric: how it is called, its raw score and weight."""

    name: str
    score: Any
    weight: Any = None


def extract(
    evaluation: Mapping[str, Any], rubric: str, weights: Mapping[str, Any] | None = None
) -> Components:
    """Return the ten components of one evaluation.

    Args:
        evaluation: one parsed evaluation file (docs/searchgen-files.md, Evaluations).
        rubric: `plain` or `weighted`, how the rubric's dimensions are averaged.
        weights: weight by dimension of the prompt's rubric, where the evaluation states none.

    Returns:
        All ten names; None where a component does not apply.

    Raises:
        InvalidEvaluationError: with reason `evaluation_failed`, `wrong_shape`,
            `empty_checklist_score`, `no_number`, `boolean_score`, `out_of_range`,
            `wrong_weight` or `no_scores`.
    """
    body = _body(evaluation)
    dimensions = _dimensions(body)
    components: Components = dict.fromkeys(COMPONENTS)
    components["checklist"] = _checklist(body)
    components["rubric_adaptive"] = _rubric(dimensions, rubric, weights or {})
    swallowed = {one.name: one.score for one in dimensions if one.name in GENERICS}
    for name in GENERICS:
        hidden = _optional(swallowed.get(name), "rubric dimension", name)
        own = _optional(_score_of(body[name], name), "component", name) if name in body else hidden
        components[name] = own
    for name, spellings in _REFERENCES.items():
        components[name] = _reference(body, name, spellings)
    if all(value is None for value in components.values()):
        raise InvalidEvaluationError("no_scores", f"no score among {_shown(sorted(body)[:12])}")
    return components


def _body(evaluation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what holds the scores: the evaluation, or the `parsed` part of an evaluator's."""
    if "success" in evaluation and evaluation["success"] is not True:
        message = f"the evaluator says so: {_shown(evaluation.get('error'))}"
        raise InvalidEvaluationError("evaluation_failed", message)
    parsed, scores = evaluation.get("parsed"), evaluation.get("scores")
    if parsed is not None:
        if not isinstance(parsed, dict):
            raise InvalidEvaluationError("wrong_shape", f"`parsed` is {_shown(parsed)}")
        return parsed
    if isinstance(scores, dict) and not any(one in evaluation for one in _CHECKLIST + _RUBRIC):
        return _unflattened(scores)
    return evaluation


def _unflattened(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return labelled scores (`checklist:0`, `rubric:mood`) as an evaluation.

    A reference stands among them only where it applies.
    """
    parts: dict[str, dict[str, Any]] = {"checklist": {}, "rubric": {}}
    body: dict[str, Any] = {"checklist": parts["checklist"], "rubric_adaptive": parts["rubric"]}
    for label, score in scores.items():
        part, colon, name = label.partition(":")
        if colon and part in parts:
            parts[part][name] = score
        elif label in REFERENCES:
            body[label] = {"applicable": True, "score": score}
    return body


def _dimensions(body: Mapping[str, Any]) -> list[_Item]:
    dimensions = list(_items(body, _RUBRIC, "rubric"))
    twice = [name for name, count in Counter(one.name for one in dimensions).items() if count > 1]
    if twice:
        message = f"rubric dimension {_shown(twice[0])} stands twice"
        raise InvalidEvaluationError("wrong_shape", message)
    return dimensions


def _checklist(body: Mapping[str, Any]) -> float | None:
    values = []
    for item in _items(body, _CHECKLIST, "checklist"):
        if item.score is None or (isinstance(item.score, str) and not item.score.strip()):
            message = f"checklist item {_shown(item.name)} has no score"
            raise InvalidEvaluationError("empty_checklist_score", message)
        values.append(_number(item.score, "checklist item", item.name))
    return math.fsum(values) / len(values) if values else None


def _rubric(dimensions: list[_Item], rubric: str, stated: Mapping[str, Any]) -> float | None:
    values, weights = [], []
    for item in dimensions:
        if item.name in GENERICS:
            continue
        value = _optional(item.score, "rubric dimension", item.name)
        if value is not None:
            values.append(value)
            weights.append(_weight(item, stated) if rubric == WEIGHTED else 1.0)
    if not values:
        return None
    weighted = (value * weight for value, weight in zip(values, weights, strict=True))
    # A quotient of two rounded sums can leave the range of its values by one bit.
    return max(min(values), min(math.fsum(weighted) / math.fsum(weights), max(values)))


def _weight(item: _Item, stated: Mapping[str, Any]) -> float:
    raw = item.weight if item.weight is not None else stated.get(item.name)
    if raw is None:
        return 1.0
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not raw <= _MAX_WEIGHT:
        message = f"rubric dimension {_shown(item.name)} weighs {_shown(raw)}"
        raise InvalidEvaluationError("wrong_weight", message)
    return float(raw) if raw > 0 else _FALLBACK_WEIGHT


def _reference(body: Mapping[str, Any], name: str, spellings: tuple[str, ...]) -> float | None:
    spelling = _only(body, spellings, name)
    found = body.get(spelling) if spelling else None
    if not isinstance(found, dict) or found.get("applicable") is not True:
        return None
    score = found.get("score")
    if score is None or (isinstance(score, str) and not score.strip()):
        return None
    return _number(score, "component", name)


def _items(body: Mapping[str, Any], spellings: tuple[str, ...], what: str) -> Iterator[_Item]:
    """Yield the items of a checklist or rubric, which is an object by name or a list."""
    spelling = _only(body, spellings, what)
    content = body.get(spelling) if spelling else None
    if content is None:
        return
    if isinstance(content, dict):
        for name, value in content.items():
            yield _item(name, value)
    elif isinstance(content, list):
        for position, value in enumerate(content):
            named = isinstance(value, dict) and (value.get("name") or value.get("id"))
            yield _item(str(named or f"{what}:{position}"), value)
    else:
        raise InvalidEvaluationError("wrong_shape", f"`{spelling}` is {_shown(content)}")


def _item(name: str, value: Any) -> _Item:
    if isinstance(value, dict):
        return _Item(name, value.get("score"), value.get("weight"))
    return _Item(name, value)


def _only(body: Mapping[str, Any], spellings: tuple[str, ...], what: str) -> str | None:
    """Return the spelling that stands; two of them say one thing twice."""
    found = [one for one in spellings if one in body]
    if len(found) > 1:
        raise InvalidEvaluationError("wrong_shape", f"{what} stands twice: {', '.join(found)}")
    return found[0] if found else None


def _score_of(value: Any, name: str) -> Any:
    if isinstance(value, list):
        raise InvalidEvaluationError("wrong_shape", f"`{name}` is a list")
    return value.get("score") if isinstance(value, dict) else value


def _optional(raw: Any, kind: str, name: str) -> float | None:
    """Return a score, or None for what judges write when a dimension does not apply."""
    if raw is None or (isinstance(raw, str) and raw.strip().upper() in _NOT_APPLICABLE):
        return None
    return _number(raw, kind, name)


def _number(raw: Any, kind: str, name: str) -> float:
    found: Any = raw
    if isinstance(raw, str):
        match = _LEADING_NUMBER.match(raw)
        found = float(match.group(1)) if match else None
    if isinstance(found, bool):
        raise InvalidEvaluationError("boolean_score", f"{kind} {_shown(name)} is a boolean")
    if not isinstance(found, int | float):
        raise InvalidEvaluationError("no_number", f"{kind} {_shown(name)} is {_shown(raw)}")
    # Not a number fails this comparison too.
    if not RAW_MINIMUM <= found <= RAW_MAXIMUM:
        message = f"{kind} {_shown(name)} is {found:g}, not 0 to 3"
        raise InvalidEvaluationError("out_of_range", message)
    return found + 0.0  # minus zero is zero, and an integer a double


def _shown(value: Any) -> str:
    """Return foreign text for a message: cut, and without what would move a cursor."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
