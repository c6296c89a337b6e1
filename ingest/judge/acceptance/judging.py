"""Puts the acceptance kit to a judge, through the code by which the evaluate stage asks it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.judge.acceptance.deck_files import WRITERS
from ingest.judge.acceptance.items import COVERED, GENERATED, HAND_WRITTEN, Item
from ingest.judge.acceptance.planted import CLAIM_LABELS, PlantedDeck
from ingest.judge.exchange import (
    Claim,
    ClaimWithSnippets,
    DeckPage,
    Probe,
    ReplyStatus,
    VerificationRequest,
)
from ingest.judge.interface import Judge, ask_all
from ingest.xslides.answerability import FAILED, judge_deck
from ingest.xslides.deck_input import DeckInput
from ingest.xslides.deck_text import read_deck
from ingest.xslides.evaluation_plan import DeckEntry
from ingest.xslides.snippets import SourceContext
from ingest.xslides.source_metadata import SourceMetadata
from ingest.xslides.source_text import read_document
from ingest.xslides.stage import TEXT, Settings, batches
from ingest.xslides.tree import DeckKey
from warehouse.errors import InputError

ABSTAIN = "abstain"
SETTINGS = Settings()
SNIPPETS_PER_CLAIM = 5
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What a judge said to one item.

    Attributes:
        item_id: the item; for a generated one, deck file and probe.
        part: one of `items.PARTS`.
        kind: one of `items.KINDS`.
        expected: the right verdict or label.
        got: the judge's verdict or label; `failed` without a usable judgment.
    """

    item_id: str
    part: str
    kind: str
    expected: str
    got: str

    @property
    def is_correct(self) -> bool:
        """Return whether it is right; anything but covered counts as uncovered."""
        if self.kind == "claims":
            return self.got == self.expected
        return self.got != FAILED and (self.got == COVERED) == (self.expected == COVERED)

    @property
    def is_abstention(self) -> bool:
        """Return whether the judge declined to decide."""
        return self.got == ABSTAIN


def judge_items(
    judge: Judge,
    items: Sequence[Item],
    part: str = HAND_WRITTEN,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Return the outcome of every hand-written item, each asked about its own deck or snippets.

    Args:
        judge: who is held to the items.
        items: questions first or claims first; both may be missing.
        part: name that the outcomes carry.
        progress: told after each question.

    Raises:
        JudgeStoppedError: when the judge may not be asked any more.
    """
    outcomes = []
    questions = [item for item in items if item.probe is not None]
    for number, item in enumerate(questions, start=1):
        assert item.probe is not None
        verdict = _verdicts(judge, item.pages, item.source, (item.probe,))[0]
        outcomes.append(Outcome(item.item_id, part, item.kind, item.expected, verdict))
        if progress is not None:
            progress("items", number, len(questions))
    claims = [item for item in items if item.probe is None]
    labels = _labels(
        judge, [ClaimWithSnippets(Claim(one.item_id, one.claim, 1), one.snippets) for one in claims]
    )
    outcomes += [
        Outcome(item.item_id, part, item.kind, item.expected, label)
        for item, label in zip(claims, labels, strict=True)
    ]
    return outcomes


def judge_planted(
    judge: Judge, decks: Sequence[PlantedDeck], progress: Progress | None = None
) -> list[Outcome]:
    """Write every planted deck as PPTX and PDF, read it back, judge it, return the outcomes.

    Raises:
        InputError: when a deck cannot be read back with all of its slides.
        JudgeStoppedError: when the judge may not be asked any more.
    """
    outcomes: list[Outcome] = []
    files = [(deck, suffix) for deck in decks for suffix in WRITERS]
    with tempfile.TemporaryDirectory(prefix="podium-accept-") as folder:
        for number, (deck, suffix) in enumerate(files, start=1):
            path = Path(folder) / f"{deck.name}.{suffix}"
            WRITERS[suffix](deck, path)
            outcomes += _judge_file(judge, deck, path)
            if progress is not None:
                progress("decks", number, len(files))
    return outcomes


def _judge_file(judge: Judge, deck: PlantedDeck, path: Path) -> list[Outcome]:
    pages = _read_back(path)
    probes = tuple(slide.probe for slide in deck.slides)
    if len(pages) != len(deck.slides):
        raise InputError(
            f"`{path.name}` was not read back as it was written",
            expected=f"{len(deck.slides)} visible slides",
            got=f"{len(pages)}",
        )
    verdicts = _verdicts(judge, pages, deck.source, probes)
    outcomes = [
        Outcome(f"{path.name}/{slide.probe.probe_id}", GENERATED, slide.kind, slide.expected, got)
        for slide, got in zip(deck.slides, verdicts, strict=True)
    ]
    return outcomes + _judge_claims(judge, deck, path, pages)


def _judge_claims(
    judge: Judge, deck: PlantedDeck, path: Path, pages: Sequence[DeckPage]
) -> list[Outcome]:
    index = SourceContext(deck.source).index
    asked = [
        (slide, page)
        for slide, page in zip(deck.slides, pages, strict=True)
        if slide.claim and slide.claim in page.text.split("\n")
    ]
    labels = _labels(
        judge,
        [
            ClaimWithSnippets(
                Claim(slide.probe.probe_id, slide.claim, page.number),
                index.find(slide.claim, SNIPPETS_PER_CLAIM),
            )
            for slide, page in asked
        ],
    )
    return [
        Outcome(
            f"{path.name}/{slide.probe.probe_id}/claim",
            GENERATED,
            "claims",
            CLAIM_LABELS[slide.kind],
            label,
        )
        for (slide, _), label in zip(asked, labels, strict=True)
    ]


def _read_back(path: Path) -> tuple[DeckPage, ...]:
    case = SourceMetadata(path.stem, path.stem, path.stem, "unstated", None)
    key = DeckKey("acceptance", "agnostic", "agnostic", path.stem)
    return read_deck(DeckEntry(key, case, path, path.name), path, read_document).pages


def _verdicts(
    judge: Judge, pages: tuple[DeckPage, ...], source: str, probes: tuple[Probe, ...]
) -> list[str]:
    scores = judge_deck(judge, DeckInput(TEXT, pages), source, probes, SETTINGS)
    return [
        row["metadata"]["verdict"] if row["metadata"]["judgment_status"] == "judged" else FAILED
        for row in scores.rows
    ]


def _labels(judge: Judge, claims: Sequence[ClaimWithSnippets]) -> list[str]:
    requests = [
        VerificationRequest(tuple(claims[part]))
        for part in batches(len(claims), SETTINGS.batch_size)
    ]
    found: dict[str, str] = {}
    for reply in ask_all(judge.verify_claims, requests, judge):
        if reply.status is ReplyStatus.OK:
            for judgment in reply.items:
                found.setdefault(judgment.claim_id, judgment.label)
    return [found.get(one.claim.claim_id, FAILED) for one in claims]
