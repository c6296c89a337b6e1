"""Questions and answers as they are read, whatever layout they come in."""

from __future__ import annotations

from dataclasses import dataclass

ANY, ALL = "any", "all"
END_TO_END, ORACLE = "end_to_end", "oracle"


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        dataset: question set, e.g. SlideVQA.
        question_id: unique in its set.
        question: its text.
        gold_answers: right answers as text.
        gold_mode: whether `any` of them is asked for, or `all`.
        gold_pages: 1-based pages that hold the answer.
        question_type: as stated; None when it is not.
        page_count: pages of the document; None when unknown.
        is_numeric: stated by the data; None lets the rule decide.
        line: 1-based line in its file; None for whole-file rows.
    """

    dataset: str
    question_id: str
    question: str
    gold_answers: tuple[str, ...]
    gold_mode: str = ANY
    gold_pages: tuple[int, ...] = ()
    question_type: str | None = None
    page_count: int | None = None
    is_numeric: bool | None = None
    line: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Return what answers are joined by."""
        return self.dataset, self.question_id


@dataclass(frozen=True)
class Answer:
    """What one system answered to one question in one setting.

    Attributes:
        dataset, question_id: the question.
        system_id: who answered.
        setting: `end_to_end`, or `oracle` where the gold pages were given.
        answer: its text; None when there is none.
        pages: 1-based pages that the system named.
        line: 1-based line in its file; None for whole-file rows.
    """

    dataset: str
    question_id: str
    system_id: str
    setting: str
    answer: str | None
    pages: tuple[int, ...] = ()
    line: int | None = None

    @property
    def question_key(self) -> tuple[str, str]:
        """Return the key of its question."""
        return self.dataset, self.question_id
