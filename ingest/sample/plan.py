"""Which decks the sample holds: who made what for whom, and which decks are odd on purpose."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ingest.sample.deckfile import AGNOSTIC

SYSTEMS = {"outliner": "pptx", "narrator": "pdf", "sampler": "pptx"}

# A system that stops short: sampler was run for named audiences on half of the cases only.
SAMPLER_CONDITIONED = frozenset(
    {
        "cold_batteries",
        "discharge_pharmacists",
        "erasure_archive",
        "kelp_recovery",
        "night_deliveries",
        "water_storage",
    }
)

# Agnostic decks by sampler that are not what they seem: (case label, what is odd).
TORN = "library_report"
PICTURES_ONLY = "heat_pumps"


@dataclass(frozen=True)
class DeckPlan:
    """One deck to make."""

    system: str
    condition: str
    audience: str | None
    case_label: str

    @property
    def target(self) -> str:
        """The audience id, or ``agnostic``."""
        return self.audience or AGNOSTIC

    @property
    def path(self) -> PurePosixPath:
        """Path below ``decks/``."""
        folder = PurePosixPath(self.system, self.condition)
        if self.audience is not None:
            folder /= self.audience
        return folder / f"{self.case_label}.{SYSTEMS[self.system]}"

    @property
    def is_torn(self) -> bool:
        """Whether the deck's archive is cut off."""
        return self._is_agnostic_sampler and self.case_label == TORN

    @property
    def is_picture_only(self) -> bool:
        """Whether the deck's slides are pictures without text."""
        return self._is_agnostic_sampler and self.case_label == PICTURES_ONLY

    @property
    def _is_agnostic_sampler(self) -> bool:
        return self.system == "sampler" and self.audience is None


def plan_decks(case_label: str, audiences: tuple[str, ...]) -> Iterator[DeckPlan]:
    """Yield the decks of one case: agnostic by every system, conditioned where a system did it.

    Args:
        case_label: Label of the case.
        audiences: The case's valid audiences.

    Yields:
        The plans, systems in a fixed order.
    """
    for system in SYSTEMS:
        yield DeckPlan(system, AGNOSTIC, None, case_label)
        if system == "sampler" and case_label not in SAMPLER_CONDITIONED:
            continue
        for audience in audiences:
            yield DeckPlan(system, "conditioned", audience, case_label)
