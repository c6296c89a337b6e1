"""Make the shipped searchgen sample: ``python -m ingest.sample.make_searchgen_sample [FOLDER]``.

The same generator as that of full synthetic releases, with small counts of its own, writes
``searchgen/``; a second run makes the same bytes. What is odd on purpose: README.md.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.sample.searchgen_figures import Counts, Figures, ModelFigures
from ingest.sample.searchgen_prompts import make_prompts
from ingest.sample.searchgen_release import registry, write_files
from ingest.sample.searchgen_results import Result, make_results
from warehouse.contracts.searchgen_values import COMPONENTS, EXCLUDE, SCORED, ZERO_FILL

SAMPLE = Path(__file__).parent / "searchgen"
RELEASE = "demo"
SEED = 7
TIED, COPIED = "drypoint", "charcoal"
"""The first says of every image what the second says: the two share every rank."""
_GENERATION, _EVALUATION, _INVALID = (
    "missing_generation",
    "missing_evaluation",
    "invalid_evaluation",
)
_PARTS = {
    "NoSearch": {"all": 10, "testmini": 4},
    "VisualSearch": {"all": 22, "testmini": 9},
    "TextualSearch": {"all": 16, "testmini": 7},
}
_TAGS = {
    ("domain", "ART"): {"all": 17, "testmini": 7},
    ("domain", "HIS"): {"all": 12, "testmini": 5},
    ("domain", "MED"): {"all": 6, "testmini": 0},
    ("domain", "SCI"): {"all": 14, "testmini": 6},
    ("domain", "TEC"): {"all": 11, "testmini": 4},
    ("failure_mode", "CCS"): {"all": 29, "testmini": 12},
    ("failure_mode", "EIK"): {"all": 18, "testmini": 8},
    ("failure_mode", "VUA"): {"all": 4, "testmini": 2},
}
# Components that do not always apply, in percent of the scored prompts of a part.
_PERCENT = {
    "text_rendering": {"NoSearch": 30, "VisualSearch": 60, "TextualSearch": 95},
    "physical_plausibility": {"NoSearch": 95, "VisualSearch": 80, "TextualSearch": 65},
    "visual_reference_evaluation": {"NoSearch": 90, "VisualSearch": 90, "TextualSearch": 65},
    "text_reference_evaluation": {"NoSearch": 40, "VisualSearch": 55, "TextualSearch": 95},
}


@dataclass(frozen=True)
class _SampleModel:
    """One model of the sample, and what became of its unscored prompts: part and status."""

    source_id: str
    model_type: str
    policy: str
    level: float
    unscored: tuple[tuple[str, str], ...] = ()

    def figures(self) -> ModelFigures:
        """Return its counts."""
        parts = {}
        for part, sizes in _PARTS.items():
            n_scored = sizes["all"] - sum(one == part for one, _ in self.unscored)
            parts[part] = Counts(n_scored, {one: _share(one, part, n_scored) for one in COMPONENTS})
        return ModelFigures(self.source_id, self.model_type, self.policy, self.level, parts)


_MODELS = (
    _SampleModel("aquarelle", "Commercial", ZERO_FILL, 2.2, (("VisualSearch", _INVALID),)),
    _SampleModel(
        "brushwork",
        "Commercial",
        ZERO_FILL,
        2.25,
        (
            ("VisualSearch", _GENERATION),
            ("VisualSearch", _GENERATION),
            ("VisualSearch", _EVALUATION),
            ("TextualSearch", _GENERATION),
        ),
    ),
    _SampleModel(COPIED, "Open", ZERO_FILL, 1.1),
    _SampleModel(TIED, "Open", ZERO_FILL, 1.1),
    _SampleModel(
        "etching",
        "Open",
        EXCLUDE,
        2.3,
        (("NoSearch", _EVALUATION), *(("VisualSearch", _GENERATION),) * 11),
    ),
)


def write_sample(folder: Path) -> None:
    """Write the sample into a folder; one that is there is made anew."""
    if folder.exists():
        shutil.rmtree(folder)
    models = tuple(one.figures() for one in _MODELS)
    referring = {part: _share(COMPONENTS[8], part, sizes["all"]) for part, sizes in _PARTS.items()}
    figures = Figures(_PARTS, _TAGS, referring, models)
    prompts = make_prompts(figures, SEED)
    results = tuple(_odd(make_results(figures, prompts, SEED)))
    rows = [prompt.row(position) for position, prompt in enumerate(prompts)]
    write_files(folder, rows, results, {"release": RELEASE, **registry(figures)}, SEED)


def _odd(results: Iterator[Result]) -> Iterator[Result]:
    """Yield the results with the statuses of the sample, and one model's again as another's."""
    unscored = {one.source_id: list(one.unscored) for one in _MODELS}
    copies = {}
    for result in results:
        place = (result.source_id, result.prompt.sample_id)
        if result.source_id == COPIED:
            copies[place[1]] = result
        if result.source_id == TIED:
            yield replace(copies[place[1]], source_id=TIED)
        elif result.status == SCORED:
            yield result
        else:
            # Parts come one after the other, in the order of the statuses.
            _, status = unscored[result.source_id].pop(0)
            yield replace(result, status=status)


def _share(component: str, part: str, count: int) -> int:
    """Return how many of `count` prompts of a part have the component."""
    percent = _PERCENT.get(component, {}).get(part, 100)
    return (count * percent + 50) // 100


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
