"""Our own layout of questions and answers: one row each, every field by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError
from ingest.slideagent.records import ANY, Answer, Question
from warehouse import jsonl
from warehouse.contracts.docqa_values import GOLD_MODES, SETTINGS
from warehouse.landing import Row

_MOST_PAGES = 1_000_000


@dataclass(frozen=True)
class Stated:
    """What an option states for all rows that do not say it themselves; None: nothing."""

    dataset: str | None = None
    system_id: str | None = None
    setting: str | None = None


def question_of(row: Row, line: int | None, stated: Stated) -> Question:
    """Return a question.

    Raises:
        FieldError: when a field is missing or of another type.
    """
    return Question(
        dataset=fields.label({"dataset": stated.dataset, **_given(row)}, "dataset"),
        question_id=_id(row, "question_id"),
        question=fields.text(row, "question"),
        gold_answers=texts(row.get("gold_answers"), "gold_answers"),
        gold_mode=fields.choice(
            fields.optional_text(row, "gold_mode") or ANY, GOLD_MODES, "gold_mode"
        ),
        gold_pages=pages(row.get("gold_pages"), "gold_pages"),
        question_type=fields.optional_text(row, "question_type"),
        page_count=_count(row, "page_count"),
        is_numeric=_flag(row, "is_numeric"),
        line=line,
    )


def answer_of(row: Row, line: int | None, stated: Stated) -> Answer:
    """Return an answer; a number is taken as it would be written.

    Raises:
        FieldError: when a field is missing or of another type.
    """
    named = {
        "dataset": stated.dataset,
        "system_id": stated.system_id,
        "setting": stated.setting,
        **_given(row),
    }
    answer = row.get("answer")
    return Answer(
        dataset=fields.label(named, "dataset"),
        question_id=_id(row, "question_id"),
        system_id=fields.label(named, "system_id"),
        setting=fields.choice(fields.text(named, "setting"), SETTINGS, "setting"),
        answer=None if answer is None else text_of(answer, "answer"),
        pages=pages(row.get("pages"), "pages"),
        line=line,
    )


def text_of(value: Any, name: str) -> str:
    """Return text, or a number as JSON writes it.

    Raises:
        FieldError: when it is neither.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return jsonl.dumps(value)
    raise FieldError("wrong_type", f"field `{name}` is no text but {fields.kind(value)}")


def texts(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts; a single one is a list of one, a JSON list in CSV is one too."""
    if value is None:
        return ()
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = jsonl.parse(value)
        except jsonl.StrictJsonError:
            return (value,)
    members = value if isinstance(value, list) else [value]
    return tuple(text_of(one, name) for one in members)


def pages(value: Any, name: str) -> tuple[int, ...]:
    """Return 1-based pages, in the order given; `3;7` is how CSV writes them.

    Raises:
        FieldError: when one is no page from 1 on.
    """
    if value is None:
        return ()
    members: Sequence[Any]
    if isinstance(value, str):
        stripped = value.strip().removeprefix("[").removesuffix("]")
        members = [one.strip() for one in stripped.replace(",", ";").split(";") if one.strip()]
    else:
        members = value if isinstance(value, list) else [value]
    found = []
    for one in members:
        is_number = isinstance(one, int) and not isinstance(one, bool)
        is_digits = isinstance(one, str) and one.isascii() and one.isdigit()
        if not (is_number or is_digits) or not 1 <= int(one) <= _MOST_PAGES:
            raise FieldError("wrong_page", f"field `{name}` has a page `{one}`; pages count from 1")
        found.append(int(one))
    return tuple(found)


def _given(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def _id(row: Row, name: str) -> str:
    """Return an id; numbers serve as ids in many files."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.label(row, name)


def _count(row: Row, name: str) -> int | None:
    value = row.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    count = fields.optional_integer({name: value}, name)
    if count is not None and count < 1:
        raise FieldError("out_of_range", f"field `{name}` is {count}")
    return count


def _flag(row: Row, name: str) -> bool | None:
    value = row.get(name)
    words = {"true": True, "false": False}
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    return None if value is None else fields.boolean(row, name)
