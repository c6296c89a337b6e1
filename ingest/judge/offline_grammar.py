"""A small grammar: subject, verb and rest of a sentence, enough to turn it into a question."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from ingest.judge.offline_registry import read_registry, words_of

AUXILIARIES = words_of("auxiliary")
COPULAS = frozenset(("is", "are", "was", "were"))
DETERMINERS = words_of("no_verb_after")
PRONOUNS = words_of("pronoun")
_LEADING = words_of("lead")
_ADVERBS = words_of("adverb")
_NUMBERS = words_of("small_number") | words_of("tens")
_CONNECTIVE = re.compile(
    r"^(however|therefore|moreover|furthermore|thus|also|finally|similarly|instead|overall"
    r"|for example|for instance|in addition|as a result|in contrast|and|but|so|yet"
    r"|in practice|in short|in total)\b,?\s+",
    re.IGNORECASE,
)
# A subject with one of these is more than a subject.
_NO_SUBJECT = re.compile(r"[,;:(]|\b(if|when|that|which|who|because|where)\b", re.IGNORECASE)
_WORD = re.compile(r"\S+")
MAX_SUBJECT_WORDS = 12


@dataclass(frozen=True)
class Parse:
    """One sentence in parts.

    Attributes:
        subject: words before the verb.
        verb: the finite verb as written.
        base: its base form; empty for an auxiliary.
        helper: what a question puts first: the auxiliary, or do, does, did.
        rest: words after the verb, without the final stop.
        lead: an adverbial that stood before the subject, e.g. `In 2021`.
    """

    subject: str
    verb: str
    base: str
    helper: str
    rest: str
    lead: str


def parse(sentence: str) -> Parse | None:
    """Return the parts of a sentence, or None when no finite verb is found."""
    text = _CONNECTIVE.sub("", sentence.strip()).rstrip(" .!")
    lead, text = _split_lead(text)
    words = [match.group() for match in _WORD.finditer(text)]
    for place in range(1, min(len(words), MAX_SUBJECT_WORDS + 1)):
        found = _verb_at(words, place)
        if found is None:
            continue
        base, helper = found
        subject = " ".join(words[:place])
        if _NO_SUBJECT.search(subject) or words[0].casefold() in _LEADING:
            return None
        return Parse(subject, words[place], base, helper, " ".join(words[place + 1 :]), lead)
    return None


def is_imperative(sentence: str) -> bool:
    """Return whether a sentence starts with a verb in its base form."""
    first = sentence.split(" ", 1)[0].strip(",").casefold()
    words = sentence.split()
    is_verb = first in _bases() or first in ("do", "never", "always")
    return is_verb and len(words) > 2 and _starts_object(words)


def lower_first(text: str, names: frozenset[str]) -> str:
    """Return a text with its first letter small, unless that word is a name."""
    first, space, rest = text.partition(" ")
    is_name = first in names or first[1:] != first[1:].lower() or first == "I"
    return text if is_name else first.lower() + space + rest


def _starts_object(words: list[str]) -> bool:
    """Return whether the second word starts an object: then the first word is the verb."""
    second = words[1].casefold()
    return (
        second in DETERMINERS or second[:1].isdigit() or second in ("up", "in", "sideways", "not")
    )


def _split_lead(text: str) -> tuple[str, str]:
    first = text.split(" ", 1)[0].casefold()
    if first not in _LEADING:
        return "", text
    lead, comma, rest = text.partition(", ")
    if not comma or len(lead.split()) > 9 or len(rest.split()) < 3:
        return "", text
    if rest.split()[0].casefold() in ("which", "who", "where", "whose"):
        rest = rest.partition(", ")[2]
    return lead, rest


def _verb_at(words: list[str], place: int) -> tuple[str, str] | None:
    """Return (base, helper) when the word at `place` is the finite verb."""
    word = words[place].casefold()
    before = _word_before(words, place)
    if word in AUXILIARIES:
        return ("", "can" if word == "cannot" else word)
    found = _forms().get(word)
    # A capital inside a sentence makes a name: `Windrow Calls holds`.
    if found is None or words[place][:1].isupper() or before in DETERMINERS or before.endswith(","):
        return None
    base, form = found
    is_noun = before.endswith("s") and not before.endswith(("ss", "us", "is"))
    plural = is_noun or before in PRONOUNS
    if form == "third":
        return None if before.endswith("s") and not before.endswith("ss") else (base, "does")
    if form == "base":
        return (base, "do") if plural else None
    return None if _is_participle(words, place) else (base, "did")


def _word_before(words: list[str], place: int) -> str:
    """Return the last word before `place` that is no adverb."""
    for word in reversed(words[:place]):
        if word.casefold() not in _ADVERBS:
            return word.casefold()
    return words[place - 1].casefold()


def _is_participle(words: list[str], place: int) -> bool:
    """Return whether a past form describes the subject: `the samples collected in May were`."""
    before = words[place - 1].casefold()
    if before in _NUMBERS or before[:1].isdigit():
        return True
    following = [word.casefold() for word in words[place + 1 : place + 8]]
    if not following or following[0] not in ("by", "in", "from", "at", "on", "with", "for", "as"):
        return False
    return any(word in AUXILIARIES for word in following[1:])


@functools.cache
def _forms() -> dict[str, tuple[str, str]]:
    forms: dict[str, tuple[str, str]] = {}
    for form in ("past", "third", "base"):
        for row in read_registry("offline_verbs"):
            forms.setdefault(row[form], (row["base"], form))
    return forms


@functools.cache
def _bases() -> frozenset[str]:
    return frozenset(row["base"] for row in read_registry("offline_verbs"))


def is_pronoun(subject: str) -> bool:
    """Return whether a subject names nothing by itself, or is too long to be named."""
    words = subject.casefold().split()
    return not words or words[0] in PRONOUNS or len(words) > MAX_SUBJECT_WORDS
