"""Questions out of statements: one template per cue, words of the source inside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.judge.lexical_numbers import find_quantities
from ingest.judge.lexical_tokens import fold, tokenize
from ingest.judge.lexical_words import STOP_WORDS
from ingest.judge.offline_figures import cloze, figures_about, interrogative
from ingest.judge.offline_grammar import (
    COPULAS,
    DETERMINERS,
    PRONOUNS,
    Parse,
    is_imperative,
    is_pronoun,
    lower_first,
    parse,
)

_BREAK = re.compile(r"\s*(?:,(?!\d)|[;:(\u2014]).*$")
_CAUSE = re.compile(
    r",?\s+(because|due to|owing to|as a result of|thanks to|so that)\b.*$", re.IGNORECASE
)
_MEANS = re.compile(r"^(means?|meant|refers? to|stands? for)\b", re.IGNORECASE)
_WAY = re.compile(r"\s+(by|using|with|through|via)\s+\S+", re.IGNORECASE)
_OTHER_SIDE = re.compile(
    r"\b(?:than|compared with|compared to|versus|whereas|unlike|in contrast to)\s+([^,;:.()]+)",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(
    ("by", "at", "for", "within", "after", "in", "from", "to", "every", "over", "of", "with")
)
_HEDGE = re.compile(r"\s*\b(about|approximately|roughly|around|nearly|almost|some)$", re.IGNORECASE)
_BOUND = re.compile(
    r"\s*\b(an?|the|estimated|only|just|at least|at most|up to|(more|less|fewer) than|over|under)$",
    re.IGNORECASE,
)
MAX_TOPIC_WORDS = 9
# What a question about the subject itself puts first, by the helper of the statement.
_DO = {"do": "do", "are": "do", "have": "do", "did": "did", "was": "did", "were": "did",
       "had": "did"}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """Where a statement stands: its `topic` replaces pronouns; `names` keep their capital."""

    topic: str
    heading: str
    names: frozenset[str]


def question_for(cue: str, statement: str, setting: Setting) -> str:
    """Return a question that the statement answers.

    Args:
        cue: name of the cue, e.g. `figure` or `cause`.
        statement: one sentence or clause of the source.
        setting: topic, heading and words that are no names.
    """
    found = parse(statement)
    made = None
    if found is not None:
        found = _with_subject(found, setting)
        maker = _MAKERS.get(cue)
        made = maker(found, setting) if maker is not None else None
    if made is None and cue in ("figure", "comparison"):
        made = figures_about(found) or cloze(statement)
    return _finish(made or _plain(cue, statement, found, setting))


def _with_subject(found: Parse, setting: Setting) -> Parse:
    """Replace a pronoun by what it stands for, and make the first word small."""
    subject = lower_first(found.subject, setting.names)
    first = subject.split(" ", 1)[0].casefold()
    if subject.casefold() == "we":
        subject = "the authors"
    elif first in PRONOUNS and (len(subject.split()) == 1) and setting.topic:
        subject = setting.topic
    rest = found.rest.replace("our ", "their ") if found.subject.casefold() == "we" else found.rest
    return Parse(subject, found.verb, found.base, found.helper, rest, found.lead)


def _cause(found: Parse, setting: Setting) -> str | None:
    whole = f"{found.verb} {found.rest}"
    leads = re.match(r"^(leads?|led) to\b|^(results?|resulted) in\b|^(causes?|caused)\b", whole)
    if leads:
        return f"What does the source name as an effect of {found.subject}"
    main = re.sub(r",\s+(but|and|while)\b.*$", "", _CAUSE.sub("", found.rest))
    if not _CAUSE.search(found.rest) or not main.strip() or is_pronoun(found.subject):
        return None
    return f"Why {_inverted(found, main)}{_lead(found, setting)}"


def _definition(found: Parse, setting: Setting) -> str | None:
    if len(found.subject.split()) > 6 or is_pronoun(found.subject):
        return None
    if found.verb in COPULAS:
        return f"What {found.verb} {found.subject}"
    if _MEANS.match(f"{found.verb} {found.rest}"):
        return f"What does {found.subject} mean"
    return None


def _comparison(found: Parse, setting: Setting) -> str | None:
    change = re.search(r"\b(?:from|between)\b.*\d.*\b(?:to|and)\b.*\d", found.rest)
    if change and found.base and not is_pronoun(found.subject):
        start = found.rest[: change.start()].strip()
        return f"How far {found.helper} {found.subject} {found.base} {start}{_lead(found, setting)}"
    other = _OTHER_SIDE.search(f"{found.lead}, {found.rest}")
    if other is None or is_pronoun(found.subject) or found.subject == "the authors":
        return None
    words = other.group(1).split()[:MAX_TOPIC_WORDS]
    if words and words[0].casefold() in _PREPOSITIONS:
        words.pop(0)
    if not words:
        return None
    return (
        f"How {_DO.get(found.helper, 'does')} {_trim(found.subject)} compare with {' '.join(words)}"
    )


def _method(found: Parse, setting: Setting) -> str | None:
    way = _WAY.search(f" {found.rest}")
    if is_pronoun(found.subject):
        return None
    if way is not None and found.rest[: way.start()].strip():
        main = found.rest[: max(0, way.start() - 1)]
        if _BREAK.sub("", main) == main:
            return f"How {_inverted(found, main)}{_lead(found, setting)}"
    if found.base and found.rest:
        return f"What {found.helper} {found.subject} {found.base}{_lead(found, setting)}"
    return None


def _figure(found: Parse, setting: Setting) -> str | None:
    text = fold(found.rest)
    tokens = tokenize(text)
    hard = [quantity for quantity in find_quantities(tokens) if not quantity.is_soft]
    if not hard or is_pronoun(found.subject):
        return None
    one = hard[0]
    before = _HEDGE.sub("", text[: tokens[one.first].start].rstrip())
    asked, used = interrogative(one, text, tokens)
    after = _BREAK.sub("", text[used:])
    if re.search(r"[,;:(]|\bbetween\b|^(and|or)\b", before):
        return None
    if re.match(r"\s*(to|and|or|-)\s*\S*\d", after):
        return None
    # A second figure belongs to another question.
    after = re.sub(r"\s+(and|or|against|to|versus)\b[^.]*\d.*$", "", after)
    words = _BOUND.sub("", before).split()
    front = words.pop().casefold() if words and words[-1].casefold() in _PREPOSITIONS else ""
    if front in ("of", "from") or (front == "in" and asked != "what year"):
        return None
    start = " ".join(words)
    if not start and found.verb in COPULAS and not front:
        return f"What {found.verb} {found.subject}{_lead(found, setting)}"
    if found.verb in COPULAS and len(words) > 3:
        return None
    clause = _inverted(found, f"{start} {after}".strip())
    return f"{(front + ' ') if front else ''}{asked} {clause}{_lead(found, setting)}"


def _limit(found: Parse, setting: Setting) -> str | None:
    if is_pronoun(found.subject):
        return None
    return f"What limit or caveat does the source state about {_trim(found.subject)}"


def _recommendation(found: Parse, setting: Setting) -> str | None:
    if is_pronoun(found.subject):
        return None
    if found.verb in ("should", "must"):
        return f"What {found.verb} happen with {_trim(found.subject)} according to the source"
    return f"What does the source conclude or recommend about {_trim(found.subject)}"


def _finding(found: Parse, setting: Setting) -> str | None:
    if is_pronoun(found.subject):
        return None
    return f"What did the source find about {_trim(found.subject)}{_lead(found, setting)}"


_MAKERS = {
    "cause": _cause,
    "definition": _definition,
    "comparison": _comparison,
    "method": _method,
    "figure": _figure,
    "limit": _limit,
    "recommendation": _recommendation,
    "finding": _finding,
}


def _plain(cue: str, statement: str, found: Parse | None, setting: Setting) -> str:
    """Return the question that always works: what is stated about the topic."""
    if is_imperative(statement):
        return _instruction(statement)
    topic = setting.topic
    if found is not None and not is_pronoun(found.subject):
        topic = _trim(found.subject)
    elif found is None:
        topic = lower_first(_opening(statement), setting.names)
    verb = {"limit": "state as a limit of", "cause": "give as a reason for"}.get(cue, "state about")
    return f"What does the source {verb} {topic or setting.heading or 'its subject'}"


def _instruction(statement: str) -> str:
    words = _BREAK.sub("", statement.rstrip(" .!")).split()
    asked = "How does the source say to"
    first = words[0].casefold()
    if first in ("do", "never") and len(words) > 2:
        words = words[2:] if first == "do" else words[1:]
        asked = "What reason or rule does the source give not to"
    phrase = [words[0].casefold()]
    for word in words[1:7]:
        if len(phrase) > 1 and word.casefold() in DETERMINERS | STOP_WORDS:
            break
        phrase.append(word)
    while len(phrase) > 1 and phrase[-1].casefold() in DETERMINERS | STOP_WORDS:
        phrase.pop()
    return f"{asked} {' '.join(phrase)}"


def _opening(statement: str) -> str:
    """Return the first words of a statement without a verb: what it is about."""
    words: list[str] = []
    for word in _BREAK.sub("", statement.rstrip(" .!")).split()[:8]:
        if len(words) > 1 and word.casefold() in STOP_WORDS:
            break
        words.append(word)
    return " ".join(words)


def _inverted(found: Parse, rest: str) -> str:
    """Return a clause in the order of a question: helper, subject, verb, rest."""
    parts = [found.helper, found.subject, found.base, rest.strip(" ,")]
    return " ".join(part for part in parts if part)


def _lead(found: Parse, setting: Setting) -> str:
    lead = found.lead
    if not lead or len(lead.split()) > 7:
        return ""
    return " " + lower_first(lead, setting.names)


def _trim(subject: str) -> str:
    words = subject.split()
    return " ".join(words[:MAX_TOPIC_WORDS])


def _finish(question: str) -> str:
    text = " ".join(question.replace("*", "").split()).rstrip(" ?.,;:")
    return f"{text[:1].upper()}{text[1:]}?"
