"""A release whose prompts have strata of ten and more: what the bootstrap resamples apart."""

from __future__ import annotations

import random

from tests.support.golden_searchgen import EXCLUDING, FILLING, GAP, scored
from tests.support.random_searchgen import Model, Prompt, Release
from warehouse.contracts.searchgen_values import COMPONENTS, SEARCH_TYPES

SIZES = {"NoSearch": 11, "TextualSearch": 11, "VisualSearch": 14}
"""Two strata of one size: they must not be drawn alike."""
# The second model lacks two prompts of one stratum, which leaves it nine of them.
MISSING = {"gaps": ("VisualSearch", 1), "thin": ("TextualSearch", 2), "filled": ("NoSearch", 3)}
MODELS = ("whole", *MISSING)


def stratified() -> Release:
    """Four models: complete, short of one prompt, short of a stratum, filled with zeros."""
    draw = random.Random(7)
    prompts = tuple(
        Prompt(f"{search_type.lower()}_{number:02}", search_type, ("ART",))
        for search_type in SEARCH_TYPES
        for number in range(SIZES[search_type])
    )
    results = {}
    for name in MODELS:
        stratum, count = MISSING.get(name, ("", 0))
        gaps = [one for one in prompts if one.search_type == stratum][:count]
        for prompt in prompts:
            values = [draw.randint(0, 6) / 2 for _ in COMPONENTS]
            results[prompt.sample_id, name] = GAP if prompt in gaps else scored(*values)
    models = [
        Model(name, name.title(), dict(FILLING if name == "filled" else EXCLUDING))
        for name in MODELS
    ]
    return Release("strata", prompts, tuple(models), results)
