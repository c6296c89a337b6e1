"""What the stage tests share: a small source, small decks and judges that misbehave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pptx import Presentation
from pptx.util import Inches

from ingest.judge.exchange import (
    AnswerabilityJudgment,
    AnswerabilityRequest,
    ProbeDraft,
    ProbeRequest,
    Reply,
    ReplyStatus,
    Task,
    UtilityJudgment,
    Verdict,
    WeightRequest,
)
from ingest.judge.offline import OfflineJudge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks.importing import import_decks
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from ingest.xslides.weights import make_weights

SOURCE = """# A trial of quiet carts

## What was tested

A quiet cart is a cart with rubber wheels and a damped frame. We tested 24 carts in four streets
from March to August.

## Results

Unloading became 11 minutes shorter, because bays were free at night. Complaints fell from 31 to
12 a month. Noise stayed below 58 decibels in 96% of the nights.

## Limits

The trial did not cover winter. Streets narrower than 7 metres were not studied.

## Recommendation

The town should allow quiet carts for two years.
"""
SLIDES = [
    (
        "Quiet carts",
        ["Unloading became 11 minutes shorter", "Complaints fell from 31 to 12 a month"],
    ),
    ("Limits", ["The trial did not cover winter"]),
]
SETTINGS = Settings(clock=lambda: "2026-01-01T00:00:00+00:00", code_version="test")


def write_deck(path: Path, slides: list[tuple[str, list[str]]]) -> None:
    deck = Presentation()
    for title, lines in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(8), Inches(4))
        box.text_frame.text = "\n".join(lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))


def write_source(folder: Path, label: str = "carts") -> Path:
    path = folder / f"{label}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE, encoding="utf-8")
    return path


def prepared(tmp_path: Path, *, decks: bool = True) -> ArtifactTree:
    """Return a tree with one case, its bank and weights, and two decks of run `r1`."""
    tree = ArtifactTree(tmp_path / "data")
    write_source(tmp_path / "cases")
    audiences = read_audiences()
    assert prepare_sources(tree, tmp_path / "cases", audiences, SETTINGS).done == 1
    assert make_probes(tree, OfflineJudge(), SETTINGS).done == 1
    assert make_weights(tree, OfflineJudge(), audiences, SETTINGS).done == 3
    if decks:
        write_deck(tmp_path / "decks" / "ours" / "carts.pptx", SLIDES)
        write_deck(tmp_path / "decks" / "ours" / "conditioned" / "learners" / "carts.pptx", SLIDES)
        assert import_decks(tree, tmp_path / "decks", "r1").done == 2
    return tree


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@dataclass
class CountingJudge(OfflineJudge):
    """The offline judge, counting how often it is asked."""

    probes: int = 0
    weights: int = 0
    answers: int = 0

    def generate_probes(self, request: ProbeRequest) -> Reply[ProbeDraft]:
        self.probes += 1
        return super().generate_probes(request)

    def weigh_probes(self, request: WeightRequest) -> Reply[UtilityJudgment]:
        self.weights += 1
        return super().weigh_probes(request)

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        self.answers += 1
        return super().judge_answerability(request)


class SloppyJudge(OfflineJudge):
    """Leaves out the last probe of a batch, doubles another, adds one, and reverses."""

    def id_of(self, task: Task) -> str:
        return "sloppy-1"

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        items = super().judge_answerability(request).items
        invented = AnswerabilityJudgment("pb_9999", Verdict.COVERED, 1.0)
        flipped = replace(items[0], verdict=Verdict.COVERED, confidence=0.9)
        impossible = replace(items[0], confidence=7.0)
        doubled = (*reversed(items[:-1]), flipped) if len(items) > 1 else ()
        return Reply((invented, impossible, *doubled))


class BrokenJudge(OfflineJudge):
    """Refuses every answerability request."""

    def id_of(self, task: Task) -> str:
        return "broken-1"

    def judge_answerability(self, request: AnswerabilityRequest) -> Reply[AnswerabilityJudgment]:
        return Reply((), ReplyStatus.REFUSED, "refused")
