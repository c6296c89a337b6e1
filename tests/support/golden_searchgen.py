"""Releases of searchgen whose figures somebody else has printed."""

from __future__ import annotations

from pathlib import Path

from tests.support.random_searchgen import Model, Prompt, Release, Result, plant
from warehouse.contracts.searchgen_values import COMPONENTS, EXCLUDE, MISSING_STATUSES, ZERO_FILL

EXCLUDING = dict.fromkeys(MISSING_STATUSES, EXCLUDE)
FILLING = dict.fromkeys(MISSING_STATUSES, ZERO_FILL)
GAP = Result("missing_generation")


def scored(*values: float | None) -> Result:
    """Return a scored result; values in the order of the components, the rest are None."""
    return Result(
        "scored", {**dict.fromkeys(COMPONENTS), **dict(zip(COMPONENTS, values, strict=False))}
    )


def plant_all(root: Path) -> list[Path]:
    return [plant(root, one) for one in (seed_record(), one_of_three(), nothing_scored())]


def seed_record() -> Release:
    """The record that the benchmark's design prints: nine values, no text reference."""
    prompt = Prompt("eval_base40_001", "VisualSearch", ("CUL", "ART"), ("TK-R", "EIK"))
    values = (2.1, 2.0, 2.2, 2.4, 2.1, 2.0, 2.5, 2.3, 1.9, None)
    return Release(
        "seed_record",
        (prompt,),
        (Model("gpt_image", "GPT", FILLING),),
        {(prompt.sample_id, "gpt_image"): scored(*values)},
    )


def one_of_three() -> Release:
    """A published domain of three prompts of which one is scored, with seven components."""
    prompts = tuple(Prompt(f"game_{number}", "VisualSearch", ("GAM",)) for number in range(3))
    values = (1.5, 1.2, 1.5, 1.5, None, 1.5, 0.0, None, 1.0, 0.0)
    results = {(one.sample_id, "xai_image"): GAP for one in prompts}
    results[prompts[1].sample_id, "xai_image"] = scored(*values)
    return Release("one_of_three", prompts, (Model("xai_image", "Grok", EXCLUDING),), results)


def nothing_scored() -> Release:
    """Two models that have no result at all: one is filled with zeros, one excluded."""
    prompts = tuple(Prompt(f"plain_{number}", "NoSearch") for number in range(4))
    models = (Model("filled", "Filled", FILLING), Model("excluded", "Excluded", EXCLUDING))
    results = {(one.sample_id, model.source_id): GAP for one in prompts for model in models}
    return Release("nothing_scored", prompts, models, results)
