"""Offline probes: sentences that carry something, as question and answer with evidence.

Every pass looks for other cues, the later ones again over the best of all, so that passes
overlap as independent samples of a model do; the same text and pass give the same probes.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass

from ingest.judge.exchange import Evidence, ProbeDraft, ProbeRequest
from ingest.judge.lexical import Sentence, analyze, sentences, total_weight, weight_of
from ingest.judge.lexical_quantities import Quantity
from ingest.judge.lexical_words import STOP_WORDS
from ingest.judge.offline_grammar import PRONOUNS, lower_first, parse
from ingest.judge.offline_questions import Setting, question_for
from ingest.judge.offline_registry import read_registry
from ingest.judge.offline_tables import is_table_row, table_drafts

FEWEST, MOST = 10, 60
SHARE_PER_PASS = 0.45
_PASSES = (
    ("figure", "definition", "comparison"),
    ("cause", "limit", "method", "instruction", "recommendation", "implementation"),
)
_CLAUSE = re.compile(r";\s+|,\s+(?=(?:but|while|whereas|although|and|so that|because)\s)")
_BARE = re.compile(r"^(and|but|while|whereas)\s+")
_CAPITAL = re.compile(r"(?<=[^\W_][ ])[A-Z][\w'\u2019-]*")
_WORDS = re.compile(r"[^\W\d_]+")
MAX_ANSWER_WORDS = 45


@dataclass(frozen=True)
class _Cue:
    name: str
    pattern: re.Pattern[str]
    domain: str
    level: int
    salience: float


@dataclass(frozen=True)
class _Statement:
    """A sentence or clause with its strongest cue."""

    text: str
    sentence: Sentence
    cue: _Cue
    cues: tuple[str, ...]
    score: float
    position: int
    topic: str


def drafts_of(request: ProbeRequest) -> list[ProbeDraft]:
    """Return the probes of one pass over one chunk, in the order of the text."""
    found = _statements(request.text, request.title)
    budget = max(FEWEST, min(MOST, round(len(found) * SHARE_PER_PASS)))
    chosen = _choose(found, request.pass_index, budget)
    names = _names(request.text)
    drafts: list[ProbeDraft] = []
    asked: set[str] = set()
    for one in chosen:
        heading = one.sentence.heading
        setting = Setting(one.topic, heading or request.title, names)
        question = _distinct(question_for(one.cue.name, one.text, setting), one, asked)
        if question is not None:
            asked.add(question.casefold())
            drafts.append(_draft(one, question))
    if request.pass_index % 2 == 1:
        drafts.extend(table_drafts(request.text, budget // 3))
    return drafts


@functools.lru_cache(maxsize=8)
def _statements(text: str, title: str) -> tuple[_Statement, ...]:
    found: list[_Statement] = []
    topic = ""
    heading = ""
    names = _names(text)
    main = _main_topic(text) or title
    for sentence in sentences(text):
        # A line without an end is a cell or a caption, unless it is an item of a list.
        ended = sentence.is_item or sentence.text[-1:] in '.!\u3002\u201d)"'
        # One that starts small continues a sentence that a page break has cut.
        starts = not sentence.text[:1].islower()
        if is_table_row(sentence.text) or not (starts and ended):
            continue
        if sentence.heading != heading:
            heading, topic = sentence.heading, ""
        for clause in _clauses(sentence.text.replace("*", "")):
            cues = _cues_of(clause)
            if not cues or not _says_something(clause):
                continue
            about = topic or main
            score = _score(clause, cues)
            found.append(
                _Statement(clause, sentence, cues[0], tuple(c.name for c in cues), score,
                           len(found), about)
            )  # fmt: skip
        topic = _subject(sentence.text, names) or topic
    return tuple(found)


def _clauses(sentence: str) -> list[str]:
    """Cut a sentence into clauses that stand for themselves; others stay whole."""
    whole: list[str] = []
    start = 0
    for match in _CLAUSE.finditer(sentence):
        left, right = sentence[start : match.start()], sentence[match.end() :]
        if _stands(left) and _stands(_BARE.sub("", right)):
            whole.append(left)
            start = match.end()
    whole.append(sentence[start:])
    bare = [whole[0], *(_BARE.sub("", one) for one in whole[1:])]
    return [one[:1].upper() + one[1:].rstrip(" ,") for one in bare]


def _stands(clause: str) -> bool:
    """Return whether a clause has a subject of its own that is no pronoun, and a verb."""
    words = clause.split()
    if len(words) < 5 or words[0].casefold() in PRONOUNS | {"because", "so", "although", "while"}:
        return False
    return parse(clause) is not None


def _cues_of(clause: str) -> tuple[_Cue, ...]:
    found = [cue for cue in _cues("sentence") if cue.pattern.search(clause)]
    return tuple(sorted(found, key=lambda cue: (-cue.salience, cue.name)))


def _says_something(clause: str) -> bool:
    if clause.rstrip().endswith(("?", ":")) or len(clause.split()) > MAX_ANSWER_WORDS:
        return False
    analysis = analyze(clause)
    telling = total_weight(analysis.known)
    return telling + len(analysis.quantities) >= 3


def _score(clause: str, cues: tuple[_Cue, ...]) -> float:
    figures = _hard(analyze(clause).quantities)
    return cues[0].salience + 0.4 * (len(cues) - 1) + 0.3 * min(2, len(figures))


def _hard(quantities: tuple[Quantity, ...]) -> list[Quantity]:
    return [quantity for quantity in quantities if not quantity.is_soft]


def _choose(found: tuple[_Statement, ...], pass_index: int, budget: int) -> list[_Statement]:
    """Return the statements of one pass: by its own cues, or the best of all."""
    turn = (pass_index - 1) % (len(_PASSES) + 1)
    pool = list(found)
    if turn < len(_PASSES):
        pool = [one for one in found if one.cue.name in _PASSES[turn]]
    lap = (pass_index - 1) // (len(_PASSES) + 1)
    ranked = sorted(pool, key=lambda one: (-one.score, one.position))
    # A later lap starts further down, so that more passes see more of the source.
    start = min(lap * budget // 2, max(0, len(ranked) - budget))
    return sorted(ranked[start : start + budget], key=lambda one: one.position)


def _distinct(question: str, one: _Statement, asked: set[str]) -> str | None:
    """Return the question, told apart from an equal one by what only this statement says."""
    if question.casefold() not in asked:
        return question
    names = [
        name for name in _telling_words(one.text) if name.casefold() not in question.casefold()
    ]
    for name in names[:3]:
        longer = f"{question[:-1]}, regarding {name}?"
        if longer.casefold() not in asked:
            return longer
    return None


def _telling_words(text: str) -> list[str]:
    known = analyze(text).known
    words = [word for word in _WORDS.findall(text) if len(word) > 4 and word.islower()]
    telling = [
        word for word in words if any(weight_of(n) == 1 for n in analyze(word).known & known)
    ]
    return sorted(dict.fromkeys(telling), key=lambda word: (-len(word), word))


def _draft(one: _Statement, question: str) -> ProbeDraft:
    domain, level = _domain(one)
    return ProbeDraft(
        question=question,
        answer=one.text if one.text.endswith((".", "!")) else one.text + ".",
        evidence=(Evidence(one.sentence.heading, one.sentence.text),),
        level=level,
        modality="text",
        theme=one.sentence.heading or one.cue.name,
        domain=domain,
    )


def _domain(one: _Statement) -> tuple[str, int]:
    """Return domain and level: a limit wins, then the heading, then the cue."""
    if one.cue.name in ("limit", "recommendation"):
        return one.cue.domain, one.cue.level
    for cue in _cues("heading"):
        if cue.pattern.search(one.sentence.heading):
            return cue.domain, max(one.cue.level, min(cue.level, 3))
    return one.cue.domain, one.cue.level


def _subject(sentence: str, names: frozenset[str]) -> str:
    found = parse(sentence)
    if found is None or found.subject.split()[0].casefold() in PRONOUNS:
        return ""
    return lower_first(found.subject, names) if len(found.subject.split()) < 8 else ""


@functools.lru_cache(maxsize=8)
def _names(text: str) -> frozenset[str]:
    """Return the words that keep their capital inside a sentence."""
    found = frozenset(_CAPITAL.findall(text))
    return frozenset(word for word in found if word.casefold() not in STOP_WORDS)


@functools.lru_cache(maxsize=8)
def _main_topic(text: str) -> str:
    """Return the subject that most sentences share, if at least two do."""
    names = _names(text)
    counts = Counter(_subject(one.text, names) for one in sentences(text))
    counts.pop("", None)
    best = max(counts, key=lambda subject: (counts[subject], subject), default="")
    return best if counts[best] > 1 else ""


@functools.cache
def _cues(field: str) -> tuple[_Cue, ...]:
    return tuple(
        _Cue(
            row["cue"],
            re.compile(row["pattern"], re.IGNORECASE),
            row["domain"],
            int(row["level"]),
            float(row["salience"]),
        )
        for row in read_registry("offline_cues")
        if row["field"] == field
    )
