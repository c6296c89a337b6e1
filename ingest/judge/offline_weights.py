"""Offline utility: how much a probe is worth to an audience, by three rules in turn.

The rules are independent views: what the probe is about (domain), how deep it goes
(level), what it carries (figures, money, causes, definitions). Every sample leans on one of
them, so that samples may differ, as those of several judges do.
"""

from __future__ import annotations

import functools
import re

from ingest.judge.exchange import (
    DOMAINS,
    AudienceProfile,
    Probe,
    UtilityJudgment,
)
from ingest.judge.lexical import analyze
from ingest.judge.offline_registry import read_registry

RULES = ("domain", "level", "salience")
UNCLASSIFIED = "unclassified"
# Share of the leading rule in a sample; the rest is what the probe is about.
LEAN = 0.75
# What counts most where a probe carries several things.
_CARRIES = (
    "recommendation", "limit", "cause", "comparison", "definition", "method", "instruction",
)  # fmt: skip
_MONEY = frozenset(("dollar", "euro", "pound", "yen", "cent"))
_MONEY_WORDS = re.compile(
    r"\b(costs?|budget|price|savings?|spend\w*|spent|invest\w*|revenue|funds?|funding|pay\w*|paid"
    r"|euros?|dollars?|pounds?|marks?|crowns?|florins?|deficit|profit|fees?|fines?)\b",
    re.IGNORECASE,
)


def weigh_probe(audience: AudienceProfile, probe: Probe, sample_index: int) -> UtilityJudgment:
    """Return one raw utility (0 to 1, two decimals) with the reason for it."""
    rule = RULES[sample_index % len(RULES)]
    domain = domain_of(probe)
    base = _utility(audience.expertise, "domain", domain)
    level = str(max(1, min(4, probe.level)))
    carried = _carried(probe)
    names = {"domain": domain, "level": level, "salience": carried}
    leading = _utility(audience.expertise, rule, names[rule])
    # Hundredths, so that equal inputs print and snap alike everywhere.
    hundredths = round(100 * LEAN * leading + 100 * (1 - LEAN) * base)
    reasons = {
        "domain": f"{domain} counts {leading:.2f} for {audience.title}",
        "level": f"level {level} counts {leading:.2f} for {audience.expertise} listeners",
        "salience": f"it carries {carried}, which counts {leading:.2f} for {audience.title}",
    }
    return UtilityJudgment(probe.probe_id, hundredths / 100, reasons[rule])


def domain_of(probe: Probe) -> str:
    """Return the probe's own domain, else the one that its theme or its words point to."""
    if probe.domain in DOMAINS:
        return str(probe.domain)
    for field, text in (("heading", probe.theme), ("sentence", f"{probe.question} {probe.answer}")):
        found = [
            (-float(row["salience"]), row["cue"], row["domain"])
            for row in read_registry("offline_cues")
            if row["field"] == field and _pattern(row["pattern"]).search(text)
        ]
        telling = [one for one in found if one[1] not in ("figure", "statement")]
        if telling:
            return min(telling)[2]
    return UNCLASSIFIED


def _carried(probe: Probe) -> str:
    """Return the telling thing that a probe carries, out of the names of the salience rule."""
    analysis = analyze(probe.answer)
    figures = [quantity for quantity in analysis.quantities if not quantity.is_soft]
    has_money = any(quantity.dimension in _MONEY for quantity in figures)
    if figures and (has_money or _MONEY_WORDS.search(probe.answer)):
        return "money"
    cues = {
        row["cue"]
        for row in read_registry("offline_cues")
        if row["field"] == "sentence" and _pattern(row["pattern"]).search(probe.answer)
    }
    for name in _CARRIES:
        if name in cues:
            return name
    return "figure" if figures else "plain"


def _utility(expertise: str, rule: str, name: str) -> float:
    table = _affinities()
    return table.get((expertise, rule, name), table[("intermediate", rule, _fallback(rule))])


def _fallback(rule: str) -> str:
    return {"domain": UNCLASSIFIED, "level": "2", "salience": "plain"}[rule]


@functools.cache
def _affinities() -> dict[tuple[str, str, str], float]:
    return {
        (row["expertise"], row["rule"], row["name"]): float(row["utility"])
        for row in read_registry("audience_affinities")
    }


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
