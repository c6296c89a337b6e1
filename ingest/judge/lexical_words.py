"""Words for matching: light stems, stop words, synonyms and opposites."""

from __future__ import annotations

import functools

from ingest.judge.offline_registry import read_registry, words_of

STOP_WORDS = words_of("stop")
# Words that carry so little that a text may lack them and still say the same.
WEAK_WORDS = words_of("weak")
_IRREGULAR = {
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "grew": "grow",
    "grown": "grow", "held": "hold", "made": "make", "took": "take", "taken": "take",
    "gave": "give", "given": "give", "found": "find", "shown": "show", "kept": "keep",
    "left": "leave", "built": "build", "sent": "send", "spent": "spend", "lost": "lose",
    "led": "lead", "met": "meet", "ran": "run", "began": "begin", "begun": "begin",
    "chose": "choose", "chosen": "choose", "drew": "draw", "drawn": "draw", "drove": "drive",
    "driven": "drive", "wrote": "write", "written": "write", "saw": "see", "seen": "see",
    "went": "go", "gone": "go", "came": "come", "became": "become", "bought": "buy",
    "sold": "sell", "paid": "pay", "felt": "feel", "said": "say", "told": "tell",
    "thought": "think", "taught": "teach", "caught": "catch", "brought": "bring",
    "broke": "break", "broken": "break", "bore": "bear", "meant": "mean", "stood": "stand",
    "understood": "understand", "won": "win", "fed": "feed", "slept": "sleep", "froze": "freeze",
    "frozen": "freeze", "threw": "throw", "thrown": "throw", "knew": "know", "known": "know",
    "wore": "wear", "worn": "wear", "dealt": "deal", "sank": "sink", "sunk": "sink",
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot",
    "mice": "mouse", "criteria": "criterion", "analyses": "analysis", "hypotheses": "hypothesis",
    "data": "data", "series": "series", "species": "species", "lower": "low", "lowest": "low",
    "higher": "high", "highest": "high", "faster": "fast", "fastest": "fast", "larger": "large",
    "bigger": "big", "biggest": "big", "largest": "large", "smaller": "small",
    "smallest": "small", "longer": "long", "longest": "long", "shorter": "short",
    "shortest": "short", "cheaper": "cheap",
    "cheapest": "cheap", "slower": "slow", "slowest": "slow", "earlier": "early",
    "earliest": "early", "later": "late", "latest": "late", "colder": "cold", "coldest": "cold",
    "warmer": "warm", "warmest": "warm", "stronger": "strong", "strongest": "strong",
    "weaker": "weak", "weakest": "weak", "fewer": "few", "safer": "safe", "heavier": "heavy",
    "easier": "easy", "harder": "hard", "better": "good", "best": "good", "worse": "bad",
    "worst": "bad", "died": "die", "dies": "die", "lies": "lie", "dying": "die", "dead": "die",
    "growth": "grow", "loss": "lose", "losses": "lose", "failure": "fail", "failures": "fail",
    "width": "wide", "depth": "deep", "depths": "deep", "height": "high", "length": "long",
    "strength": "strong", "weight": "weigh", "weights": "weigh", "sale": "sell", "sales": "sell",
    "choice": "choose", "choices": "choose", "analysed": "analysis", "analyzed": "analysis",
    "analyse": "analysis", "analyze": "analysis", "speed": "speed", "need": "need",
    "difference": "different", "differences": "different", "needed": "need",
    "used": "use", "uses": "use", "using": "use",
}  # fmt: skip
# Prefixes that deny, and the least length of the stem behind them.
_DENYING = {"un": 4, "non": 4, "in": 6, "im": 6, "dis": 6}
# (suffix, replacement, least length of what stays); the first that fits is applied.
_RULES = (
    ("ications", "ify", 3), ("ication", "ify", 3), ("izations", "iz", 3), ("isations", "iz", 3),
    ("ization", "iz", 3), ("isation", "iz", 3), ("uctions", "uc", 3), ("uction", "uc", 3),
    ("ations", "", 4), ("ation", "", 4), ("ators", "", 4), ("ator", "", 4), ("ating", "", 4),
    ("ated", "", 4), ("ates", "", 4), ("ate", "", 4), ("fulness", "", 4), ("ousness", "", 4),
    ("iveness", "", 4), ("ivities", "", 4), ("ivity", "", 4), ("ively", "", 4), ("ives", "", 5),
    ("ive", "", 5), ("ically", "ic", 3), ("ability", "abl", 3),
    ("ibility", "ibl", 3), ("ities", "", 4), ("ity", "", 4), ("ments", "", 4), ("ment", "", 4),
    ("nesses", "", 4), ("ness", "", 4), ("izing", "iz", 3), ("ising", "iz", 3), ("ized", "iz", 3),
    ("ised", "iz", 4), ("izes", "iz", 3), ("ises", "iz", 4), ("ize", "iz", 3), ("ise", "iz", 4),
    ("sions", "s", 3), ("sion", "s", 3), ("tions", "t", 3), ("tion", "t", 3), ("ances", "", 4),
    ("ance", "", 4), ("ences", "", 4), ("ence", "", 4), ("ying", "y", 2), ("ings", "", 3),
    ("ing", "", 3), ("ied", "y", 2), ("ies", "y", 2), ("edly", "", 3), ("ed", "", 3),
    ("sses", "ss", 2), ("shes", "sh", 2), ("ches", "ch", 2), ("xes", "x", 2), ("zes", "z", 3),
    ("ly", "", 4), ("'s", "", 1), ("ers", "", 4), ("er", "", 4), ("als", "", 5), ("al", "", 5),
    ("ss", "ss", 1), ("us", "us", 2), ("is", "is", 2), ("s", "", 2),
)  # fmt: skip


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the light stem of one case-folded word; short words stay as they are."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii():
        return word
    word, suffix = _strip(word)
    if suffix in ("ed", "ing", "ings", "s") and word.endswith("er") and len(word) >= 6:
        # `recovered` must meet `recover`, whose own ending goes too.
        word = word[:-2]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 5 and word.endswith(("is", "our")):
        # British and American spellings meet: fertilis(er), colour.
        word = word[:-1] + "z" if word.endswith("is") else word[:-2] + "r"
    if len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def _strip(word: str) -> tuple[str, str]:
    """Apply the first rule that fits; return the word and the suffix that went."""
    for suffix, replacement, least in _RULES:
        if word.endswith(suffix) and len(word) - len(suffix) >= least:
            return word[: len(word) - len(suffix)] + replacement, suffix
    return word, ""


@functools.lru_cache(maxsize=200_000)
def concept(word: str) -> str:
    """Return what a word is compared by: its synonym group, else its stem."""
    stemmed = stem(word)
    return _synonyms().get(stemmed, stemmed)


def opposite(name: str) -> frozenset[str]:
    """Return the concepts that contradict a concept."""
    return _opposites().get(name, frozenset())


def turned_by_prefix(name: str) -> frozenset[str]:
    """Return what a concept becomes with a denying prefix, or without its own: `locked`.

    Short stems are left alone, since `in` and `dis` begin words that deny nothing (`install`).
    """
    found = {f"{prefix}{name}" for prefix, least in _DENYING.items() if len(name) >= least}
    for prefix, least in _DENYING.items():
        rest = name.removeprefix(prefix)
        if rest != name and len(rest) >= least:
            found.add(rest)
    return frozenset(found)


@functools.cache
def weak_concepts() -> frozenset[str]:
    """Return the concepts of `WEAK_WORDS`."""
    return frozenset(concept(word) for word in WEAK_WORDS)


@functools.cache
def _synonyms() -> dict[str, str]:
    groups: dict[str, str] = {}
    for row in read_registry("offline_concepts"):
        for word in row["words"].split():
            groups.setdefault(stem(word), row["concept"])
    return groups


@functools.cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in read_registry("offline_concepts"):
        for other in row["opposites"].split():
            found.setdefault(row["concept"], set()).add(other)
            found.setdefault(other, set()).add(row["concept"])
    return {name: frozenset(others) for name, others in found.items()}
