"""Exact metrics of one evaluation, in fractions.

Written from the specification and independent of the product: it shares no code with
landing or with the models, only the formats on disk (`reference_files.py` reads them).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

TAUS = (300, 500, 600, 700, 900, 1000)
DOMAINS = (
    "context",
    "method",
    "evidence",
    "limitations",
    "implementation",
    "implications",
    "unclassified",
)
RUBRIC_TENTHS = (0, 3, 6, 10)
UNREADABLE = (
    "encrypted",
    "legacy_binary",
    "not_a_zip",
    "damaged",
    "missing",
    "too_large",
    "unsupported",
)
Number = Fraction | None


def exact(value: float) -> Fraction:
    """Return the decimal that a JSON number prints as."""
    return Fraction(Decimal(repr(value)))


def snapped_tenths(raw: float) -> int:
    """Return the nearest rubric level in tenths; a tie goes down."""
    value = exact(raw) * 10
    return min(RUBRIC_TENTHS, key=lambda level: (abs(level - value), level))


@dataclass(frozen=True)
class Weight:
    """One weight: exact from samples, else as stated to 12 places."""

    value: Fraction
    has_samples: bool

    def meets(self, thousandths: int) -> bool:
        slack = Fraction(0) if self.has_samples else Fraction(1, 10**9)
        return self.value + slack >= Fraction(thousandths, 1000)


def read_weight(row: dict[str, Any]) -> Weight:
    samples = (row.get("metadata") or {}).get("samples")
    if samples:
        tenths = [snapped_tenths(sample) for sample in samples]
        return Weight(Fraction(sum(tenths), 10 * len(tenths)), True)
    return Weight(round(exact(row["utility_weight"]), 12), False)


@dataclass(frozen=True)
class Judgment:
    """One judgment; a filled or failed one never counts as covered."""

    covered: bool
    status: str
    verdict: str
    repeats: tuple[bool, ...] | None = None

    @property
    def is_covered(self) -> bool:
        return self.covered and self.status == "judged"

    @property
    def is_settled_uncovered(self) -> bool:
        return not self.covered and self.status == "judged" and self.verdict != "abstain"


def read_judgment(row: dict[str, Any]) -> Judgment:
    metadata = row.get("metadata") or {}
    confidence = row.get("confidence", metadata.get("confidence"))
    guess = "filled" if confidence == 0 and not row["covered"] else "judged"
    verdict = metadata.get("verdict", "covered" if row["covered"] else "uncovered")
    samples = metadata.get("repeats")
    repeats = None
    if samples is not None:
        repeats = tuple(one["verdict"] == "covered" for one in samples if one is not None)
    return Judgment(row["covered"], metadata.get("judgment_status", guess), verdict, repeats)


@dataclass
class Utilities:
    """Sums over the included probes of one threshold, of one domain or of all."""

    included: int = 0
    covered: int = 0
    available: Fraction = Fraction(0)
    recovered: Fraction = Fraction(0)
    recoverable: Fraction = Fraction(0)

    def add(self, weight: Weight, judgment: Judgment | None) -> None:
        is_covered = judgment is not None and judgment.is_covered
        is_lost = judgment is not None and judgment.is_settled_uncovered
        self.included += 1
        self.covered += is_covered
        self.available += weight.value
        self.recovered += weight.value if is_covered else 0
        self.recoverable += 0 if is_lost else weight.value


@dataclass
class Evaluation:
    """One evaluation of a tree with all that its metrics hang on."""

    run: str
    system_id: str
    condition: str
    audience: str
    case_id: str
    variant: str
    judge_id: str
    weight_scope: str
    slices: dict[str, str | None]
    domains: dict[str, str]
    weights: dict[str, Weight] | None
    judgments: dict[str, Judgment]
    labels: list[str]
    deck_status: str | None
    slides: int | None
    words: int | None
    utilities: dict[tuple[int, str], Utilities] = field(default_factory=dict)

    @property
    def status(self) -> str:
        if self.deck_status in UNREADABLE:
            return "deck_failed"
        if not self.judgments:
            return "not_run"
        if not self.has_all_weights:
            return "incomplete_weights"
        return "ok" if len(self.judgments) == len(self.domains) else "incomplete_scores"

    @property
    def is_scored(self) -> bool:
        return self.status in ("ok", "incomplete_scores")

    @property
    def has_all_weights(self) -> bool:
        return self.weights is not None and set(self.weights) == set(self.domains)

    def sums(self, tau: int, domain: str = "all") -> Utilities:
        """Return the sums over the included probes, computed once."""
        if (tau, domain) not in self.utilities:
            found = Utilities()
            for probe_id, one in (self.weights or {}).items():
                if domain in ("all", self.domains[probe_id]) and one.meets(tau):
                    found.add(one, self.judgments.get(probe_id))
            self.utilities[tau, domain] = found
        return self.utilities[tau, domain]

    def metrics(self, tau: int) -> dict[str, Number]:
        """Return every metric of the headline fact at one threshold; None is NULL."""
        sums = self.sums(tau)
        available = sums.available if self.has_all_weights else None
        names: dict[str, Number] = {
            "included_probe_count": Fraction(sums.included) if self.has_all_weights else None,
            "available_utility": available,
        }
        measured = {
            "covered_probe_count": Fraction(sums.covered),
            "recovered_utility": sums.recovered,
            "coverage": _ratio(sums.recovered, sums.available),
            "coverage_unweighted": _ratio(Fraction(sums.covered), Fraction(sums.included)),
            "coverage_low": _ratio(sums.recovered, sums.available),
            "coverage_high": _ratio(sums.recoverable, sums.available),
            **_efficiencies(self, sums),
            **_correctness(self.labels),
        }
        measured["safe_efficiency_time"] = _product(
            measured["efficiency_time"], measured["correctness"]
        )
        return names | {name: value if self.is_scored else None for name, value in measured.items()}


def _ratio(numerator: Number, denominator: Number) -> Number:
    return numerator / denominator if numerator is not None and denominator else None


def _product(left: Number, right: Number) -> Number:
    return None if left is None or right is None else left * right


def _efficiencies(one: Evaluation, sums: Utilities) -> dict[str, Number]:
    recovered = sums.recovered if sums.available else None
    cost = _cost(one.slides, one.words)
    is_image_deck = one.words == 0 and bool(one.slides)
    usable = None if is_image_deck else cost
    literal_words = 0 if one.words is None and one.deck_status == "image_only" else one.words
    literal_cost = _cost(one.slides, literal_words)
    return {
        "time_cost_minutes": cost,
        "efficiency_time": _ratio(recovered, usable),
        "efficiency_slide": None
        if one.slides is None
        else _ratio(recovered, Fraction(max(one.slides, 1))),
        "efficiency_word": _ratio(recovered, Fraction(max(one.words or 0, 1))) if usable else None,
        "efficiency_time_literal": _ratio(recovered, literal_cost),
        "efficiency_word_literal": _ratio(recovered, Fraction(max(literal_words or 0, 1)))
        if literal_cost
        else None,
    }


def _cost(slides: int | None, words: int | None) -> Number:
    if slides is None or words is None:
        return None
    return Fraction(slides, 4) + Fraction(words, 130)


def _correctness(labels: list[str]) -> dict[str, Number]:
    settled = [one for one in labels if one in ("supported", "unsupported", "contradicted")]
    right, unsettled = labels.count("supported"), len(labels) - len(settled)
    count = Fraction(len(labels)) if labels else None
    return {
        "claim_count": count,
        "correctness": _ratio(Fraction(right), Fraction(len(settled))),
        "correctness_low": _ratio(Fraction(right), count),
        "correctness_high": _ratio(Fraction(right + unsettled), count),
    }
