"""The deck files ``content/<case_label>.decks.md``: what each system put on its slides.

A file holds one ``# system`` part per system, and in it slides and lines:

- ``## Title`` a slide; ``##`` alone a slide whose placeholders were left untouched;
- ``> text`` subtitle, ``- text`` a bullet or paragraph, ``| a | b |`` table rows;
- ``chart: title | series | name=value | ...``, ``group: text | text`` boxes in one group;
- ``notes: text`` speaker notes, ``off: text`` beyond the slide's edge, ``pale: text`` in the
  background's colour, ``!hidden`` on a slide of its own marks that slide hidden.

Marks in brackets say for whom a slide or line is meant: ``-[AS]`` is kept in the agnostic deck and
in the deck for specialists (A agnostic, S specialists, L learners, D decision_makers). Without
marks a line is in every deck. ``# sampler = outliner`` repeats the content of another system.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingest.sample.markup import split_row

AGNOSTIC = "agnostic"
_MARKS = {"A": AGNOSTIC, "S": "specialists", "L": "learners", "D": "decision_makers"}
_ITEM = re.compile(r"(##|-|>|notes:|off:|pale:|chart:|group:)(?:\s*\[([ASLD]+)\])?(?:\s+(.*))?$")


@dataclass(frozen=True)
class Chart:
    """A bar chart with one series."""

    title: str
    series: str
    points: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Slide:
    """What one slide of a deck shows, and what it carries unseen."""

    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    chart: Chart | None = None
    group: tuple[str, ...] = ()
    notes: str = ""
    off_slide: tuple[str, ...] = ()
    pale: tuple[str, ...] = ()
    is_hidden: bool = False


@dataclass
class _Draft:
    """A slide while its lines are read: ``(kind, who, text)`` in file order."""

    title: str
    who: frozenset[str]
    items: list[tuple[str, frozenset[str], str]] = field(default_factory=list)


@dataclass(frozen=True)
class DeckFile:
    """All slides of all systems for one case."""

    case_label: str
    drafts: Mapping[str, tuple[_Draft, ...]]

    def slides(self, system: str, target: str) -> tuple[Slide, ...]:
        """Return the slides that a system made for a target.

        Args:
            system: A system of the file.
            target: An audience id, or ``agnostic``.

        Returns:
            The slides in order; slides without a line for the target are left out.

        Raises:
            KeyError: The file has no such system.
        """
        kept = (_slide(draft, target) for draft in self.drafts[system] if target in draft.who)
        return tuple(slide for slide in kept if slide is not None)


def _who(marks: str | None) -> frozenset[str]:
    return frozenset(_MARKS[mark] for mark in (marks or "ASLD"))


def _chart(text: str) -> Chart:
    title, series, *points = [part.strip() for part in text.split("|")]
    pairs = [point.rpartition("=") for point in points]
    return Chart(title, series, tuple((name, float(value)) for name, _, value in pairs))


def _slide(draft: _Draft, target: str) -> Slide | None:
    kept = [(kind, text) for kind, who, text in draft.items if target in who]
    if draft.items and not kept:
        return None

    def of(kind: str) -> tuple[str, ...]:
        return tuple(text for name, text in kept if name == kind)

    charts, groups = of("chart:"), of("group:")
    return Slide(
        title=draft.title,
        subtitle=" ".join(of(">")),
        lines=of("-"),
        table=tuple(tuple(split_row(row)) for row in of("|")),
        chart=_chart(charts[0]) if charts else None,
        group=tuple(part.strip() for part in groups[0].split("|")) if groups else (),
        notes=" ".join(of("notes:")),
        off_slide=of("off:"),
        pale=of("pale:"),
        is_hidden=bool(of("!hidden")),
    )


def _add(line: str, drafts: list[_Draft]) -> None:
    if line.startswith("|"):
        drafts[-1].items.append(("|", _who(None), line))
        return
    if line == "!hidden":
        drafts[-1].items.append((line, _who(None), ""))
        return
    match = _ITEM.match(line)
    if match is None:
        raise ValueError(f"a slide or a line of one expected, got {line!r}")
    kind, marks, text = match.group(1), match.group(2), (match.group(3) or "").strip()
    if kind == "##":
        drafts.append(_Draft(text, _who(marks)))
    else:
        drafts[-1].items.append((kind, _who(marks), text))


def read_deck_file(path: Path) -> DeckFile:
    """Read a deck file.

    Args:
        path: ``content/<case_label>.decks.md``.

    Returns:
        The drafts of every system.

    Raises:
        ValueError: A line is none of the forms above.
    """
    drafts: dict[str, list[_Draft]] = {}
    current: list[_Draft] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = raw.strip()
        if line.startswith("# "):
            system, _, origin = (part.strip() for part in line[2:].partition("="))
            current = drafts.setdefault(system, list(drafts[origin]) if origin else [])
        elif line:
            try:
                _add(line, current)
            except (ValueError, IndexError) as error:
                raise ValueError(f"{path.name}, line {number}: {error}") from error
    label = path.name.removesuffix(".decks.md")
    return DeckFile(label, {system: tuple(slides) for system, slides in drafts.items()})
