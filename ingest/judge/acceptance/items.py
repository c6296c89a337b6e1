"""Items of the acceptance kit: what is asked, of which text, and what is right.

`items.csv` was written by hand before any judge saw it and never tunes one; so was
`confirmation.csv`, after the rules of the offline judge had last changed. A test holds the
hash of both.

Slides of an item are parted by ` || `, lines by ` | `; the first line of a slide is its title.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

from ingest.judge.exchange import DeckPage, Evidence, Probe
from warehouse.errors import InputError

FOLDER = Path(__file__).resolve().parent
ITEMS_FILE = FOLDER / "items.csv"
CONFIRMATION_FILE = FOLDER / "confirmation.csv"
FACTS_FILE = FOLDER / "facts.csv"

HAND_WRITTEN, CONFIRMATION, GENERATED = "hand_written", "confirmation", "generated"
PARTS = (HAND_WRITTEN, CONFIRMATION, GENERATED)
COVERED, UNCOVERED = "covered", "uncovered"
KINDS = (
    "verbatim", "near_verbatim", "planted_gap", "swapped_number", "negation", "paraphrase",
    "injection", "hidden_text", "claims",
)  # fmt: skip
_SLIDE, _LINE = " || ", " | "


@dataclass(frozen=True)
class Item:
    """One hand-written item: either a question to a deck or a claim with its snippets.

    Attributes:
        item_id: e.g. `vb_001`.
        kind: one of `KINDS`.
        pages: the deck; empty for a claim.
        probe: what is asked of the deck; its id is the item's; None for a claim.
        claim: the claim; empty for a question.
        snippets: passages of the source that the claim is held against.
        expected: covered or uncovered; the label for a claim.
    """

    item_id: str
    kind: str
    pages: tuple[DeckPage, ...]
    probe: Probe | None
    claim: str
    snippets: tuple[Evidence, ...]
    expected: str

    @property
    def source(self) -> str:
        """Return the source passage behind the item."""
        passages = self.probe.evidence if self.probe is not None else self.snippets
        return "\n".join(one.text for one in passages)


@functools.cache
def read_items(path: Path = ITEMS_FILE) -> tuple[Item, ...]:
    """Return the hand-written items in file order.

    Raises:
        InputError: when the file cannot be read or states an unknown kind.
    """
    return tuple(_item(row, path) for row in read_rows(path))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file of the kit.

    Raises:
        InputError: when the file is not there or a row has another width than its header.
    """
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
    except OSError as error:
        raise InputError(
            f"`{path.name}` cannot be read", got=str(error), fix="install podium again"
        ) from None
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise InputError(f"`{path.name}` line {number} has not as many cells as its header")
    return rows


def _item(row: dict[str, str], path: Path) -> Item:
    kind = row["kind"]
    if kind not in KINDS:
        raise InputError(f"`{path.name}`: kind of `{row['id']}`", expected=str(KINDS), got=kind)
    if kind == "claims":
        snippets = tuple(Evidence("", text) for text in row["snippets"].split(_LINE))
        return Item(row["id"], kind, (), None, row["claim"], snippets, row["expected_label"])
    probe = Probe(row["id"], row["question"], row["answer"], (Evidence("", row["source"]),))
    return Item(row["id"], kind, _pages(row["deck"]), probe, "", (), row["expected_verdict"])


def _pages(deck: str) -> tuple[DeckPage, ...]:
    pages = []
    for number, slide in enumerate(deck.split(_SLIDE), start=1):
        lines = slide.split(_LINE)
        pages.append(DeckPage(number, "\n".join(lines), lines[0]))
    return tuple(pages)
