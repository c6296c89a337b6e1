"""Invented prompts of a searchgen release whose parts, tags and slices have given counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ingest.sample.searchgen_draws import chosen, pick, shuffled, stream
from ingest.sample.searchgen_figures import Figures, SliceCounts
from warehouse.contracts.searchgen_values import SEARCH_TYPES, STRATA, WHOLE_SLICE

DIFFICULTIES = ("easy", "medium", "hard")
LANGUAGES = ("en", "en", "en", "de", "zh")
TASK_TYPES = ("text_to_image", "poster", "infographic")
MINISET = "testmini"
UNTAGGED = 2
"""Prompts in no slice that get no tag at all; they are in the boards of all prompts only."""
# The benchmark tells parts by the subset label and by these words in the id.
_ID_WORDS = {
    "NoSearch": ("nosearch",),
    "VisualSearch": ("visual",),
    "TextualSearch": ("texthard", "text_rendering"),
}
_SUBJECTS = ("a lighthouse", "two cyclists", "a market stall", "an old tram", "a paper crane")
_PLACES = ("on a pier", "under a glass roof", "in morning fog", "beside a canal", "at a fair")
_STYLES = ("as a woodcut", "as a photograph", "in gouache", "as a stage model", "as a mosaic")


@dataclass
class Prompt:
    """One invented prompt; `slices` leaves out that of all prompts."""

    sample_id: str
    search_type: str
    fields: dict[str, Any]
    slices: list[str] = field(default_factory=list)
    tags: dict[str, list[str]] = field(default_factory=dict)

    @property
    def release_row(self) -> str:
        """Folder of its results below the results root."""
        return f"evalset_rows/{self.sample_id}"

    def row(self, position: int) -> dict[str, Any]:
        """Return its line of prompts.jsonl; one subset label is a text, several are a list."""
        labels = [STRATA[self.search_type != "NoSearch"], *self.slices]
        return {
            "sample_id": self.sample_id,
            "bench_id": f"bench-{position + 1:04d}",
            "release_row": self.release_row,
            "subset": labels if len(labels) > 1 else labels[0],
            "domains": self.tags.get("domain", []),
            "failure_modes": self.tags.get("failure_mode", []),
            "is_miniset": MINISET in self.slices,
            **self.fields,
        }


def make_prompts(figures: Figures, seed: int) -> list[Prompt]:
    """Return the prompts of a release in file order.

    Every count of `figures.parts` and `figures.tags` is met exactly, in every slice.

    Raises:
        ValueError: when the counts of a tag cannot be met with the drawn slices.
    """
    draw = stream(seed, "prompts")
    prompts: list[Prompt] = []
    for search_type in SEARCH_TYPES:
        counts = figures.parts[search_type]
        part = [_prompt(draw, search_type, number) for number in range(1, counts[WHOLE_SLICE] + 1)]
        for name, count in counts.items():
            if name != WHOLE_SLICE:
                for prompt in chosen(draw, part, count):
                    prompt.slices.append(name)
        prompts += part
    bare = chosen(draw, (one for one in prompts if not one.slices), UNTAGGED)
    open_to_tags = [one for one in prompts if one not in bare]
    for (kind, tag), counts in figures.tags.items():
        for prompt in _tagged(draw, open_to_tags, counts, tag):
            prompt.tags.setdefault(kind, []).append(tag)
    for prompt in prompts:
        prompt.tags = {kind: shuffled(draw, tags) for kind, tags in prompt.tags.items()}
    return shuffled(draw, prompts)


def _prompt(draw: Random, search_type: str, number: int) -> Prompt:
    text = f"{pick(draw, _SUBJECTS)} {pick(draw, _PLACES)} {pick(draw, _STYLES)}"
    fields = {
        "difficulty": pick(draw, DIFFICULTIES),
        "language": pick(draw, LANGUAGES),
        "generation_task_type": pick(draw, TASK_TYPES),
        "prompt": f"Draw {text}, variant {number}.",
    }
    return Prompt(f"{pick(draw, _ID_WORDS[search_type])}_{number:04d}", search_type, fields)


def _tagged(draw: Random, prompts: list[Prompt], counts: SliceCounts, tag: str) -> list[Prompt]:
    """Return prompts for one tag: as many as it counts in all, and in every slice.

    Slices overlap, so prompts of several slices are drawn first, each as likely as any
    prompt; those of one slice then fill what its count still lacks, the others the rest.
    """
    total = counts[WHOLE_SLICE]
    lacks = {name: count for name, count in counts.items() if name != WHOLE_SLICE}
    share = total / len(prompts)
    found = []
    for prompt in shuffled(draw, (one for one in prompts if len(one.slices) > 1)):
        if draw.random() < share and all(lacks[name] > 0 for name in prompt.slices):
            found.append(prompt)
            for name in prompt.slices:
                lacks[name] -= 1
    cells: Mapping[str, int] = {**lacks, "": total - len(found) - sum(lacks.values())}
    for name, count in cells.items():
        cell = [one for one in prompts if one.slices == ([name] if name else [])]
        if not 0 <= count <= len(cell):
            raise ValueError(f"tag {tag}: {count} of {len(cell)} prompts in slice `{name}`")
        found += chosen(draw, cell, count)
    return found
