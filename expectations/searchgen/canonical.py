"""Compares Overall-10 of a published folder with the owner's own recomputation.

The owner's output is JSON in one of three forms, models under their public id, source id or
display name, scores on the public scale of 0 to 100:

- `{"gpt_image": 74.8, ...}`: the board of all prompts;
- `{"All": {"gpt_image": 74.8}, "NoSearch": {...}}`: groups by name;
- `[{"model": "gpt_image", "overall_10": 74.8, "group": "NoSearch"}, ...]`: rows; a row without
  a group is of all prompts.

A group is sought among strata, then domains, then failure modes of the whole slice. A value
with more decimals than the boards have is compared to 1e-9, any other as a rounded one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from expectations.searchgen.aggregates import ALL, Group, Mean, Recount
from expectations.searchgen.folder import Folder, Model
from expectations.searchgen.prompts import is_number
from warehouse import jsonl
from warehouse.errors import InputError
from warehouse.findings import Finding, Outcome

CANONICAL = "overall_10_matches_the_canonical_output"
METRIC = "overall_10"
UNROUNDED_TOLERANCE = Fraction(1, 10**9)
MAX_BYTES = 64 * 1024 * 1024
_VIEWS = ("stratum", "domain", "failure_mode")

Values = dict[tuple[str, str], float | None]


def check(folder: Folder, recount: Recount, file: Path) -> Iterator[Finding]:
    """Yield where Overall-10 differs, what has no counterpart, and that nothing was compared.

    Raises:
        InputError: when the file cannot be read or has none of the three forms.
    """
    values = read(file)
    models = _by_any_name(folder.rules.models)
    groups = _whole_groups(folder, recount)
    compared = 0
    for (group_name, model_name), value in sorted(values.items()):
        subject = f"{group_name}/{model_name}"
        group, model = groups.get(group_name), models.get(model_name)
        if group is None or model is None:
            what = "group" if group is None else "model"
            message = f"the folder has no such {what}"
            yield Finding(CANONICAL, subject, message, file.name)
            continue
        compared += 1
        mean = recount.cell(group, model, "published").means[METRIC]
        if not _is_equal(value, mean, folder.rules.decimals):
            message = f"the canonical output says {value}, the prompts give {mean.public}"
            yield Finding(CANONICAL, subject, message, file.name)
    named = {models[name].source_id for _, name in values if name in models}
    for model in folder.rules.models:
        if model.source_id not in named:
            message = "the canonical output does not name it"
            yield Finding(CANONICAL, model.model_id, message, file.name)
    if not compared:
        message = "nothing could be compared"
        yield Finding(CANONICAL, file.name, message, outcome=Outcome.NOTHING_SELECTED)


def read(file: Path) -> Values:
    """Return the values of a canonical output by (group, model).

    Raises:
        InputError: when it cannot be read or has none of the three forms.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise InputError(f"`{file}` is too large", expected=f"at most {MAX_BYTES} bytes")
        content = jsonl.parse(file.read_bytes())
        return dict(_values(content))
    except (OSError, jsonl.StrictJsonError, ValueError) as error:
        raise InputError(
            f"`{file}` is no canonical output",
            expected="{model: value}, {group: {model: value}} or a list of rows with "
            "model and overall_10",
            got=str(error)[:200],
        ) from error


def _values(content: Any) -> Iterator[tuple[tuple[str, str], float | None]]:
    if isinstance(content, list):
        for row in content:
            if not isinstance(row, dict) or METRIC not in row:
                raise ValueError(f"a row without {METRIC}")
            names = [row[one] for one in ("model", "model_id", "source_id") if one in row]
            if not names:
                raise ValueError("a row without model")
            yield (str(row.get("group", ALL)), str(names[0])), _number(row[METRIC])
    elif isinstance(content, dict):
        for key, value in content.items():
            if isinstance(value, dict):
                for model, number in value.items():
                    yield (key, model), _number(number)
            else:
                yield (ALL, key), _number(value)
    else:
        raise ValueError("neither an object nor a list")


def _number(value: Any) -> float | None:
    if value is not None and not is_number(value):
        raise ValueError(f"`{str(value)[:40]}` is no number")
    return None if value is None else float(value)


def _by_any_name(models: tuple[Model, ...]) -> dict[str, Model]:
    """Return the models by every name; of two that claim one, the stronger id wins."""
    found = {model.display_name: model for model in models}
    found |= {model.source_id: model for model in models}
    return found | {model.model_id: model for model in models}


def _whole_groups(folder: Folder, recount: Recount) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for view in reversed(_VIEWS):
        for group in recount.groups:
            if (group.slice, group.view) == (folder.rules.whole_slice, view):
                found[group.name] = group
    return found


def _is_equal(value: float | None, mean: Mean, decimals: int) -> bool:
    if value is None or not mean.count:
        return value is None and not mean.count
    if value == round(value, decimals):
        return value == mean.rounded(decimals)
    return abs(Fraction(value) - mean.exact) <= UNROUNDED_TOLERANCE
