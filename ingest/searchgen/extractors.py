"""What reads components out of evaluations: ours, or a function of the user's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from ingest.searchgen import component_scores
from ingest.searchgen.component_scores import Components, InvalidEvaluationError
from warehouse import storage
from warehouse.contracts.searchgen_values import COMPONENTS, RAW_MAXIMUM, RAW_MINIMUM
from warehouse.errors import UsageError

Extract = Callable[[dict[str, Any], Mapping[str, Any]], Components]
"""Components of an evaluation; the second argument holds weights of the prompt's rubric."""


@dataclass(frozen=True)
class Extractor:
    """A function that reads evaluations, and its name as rows carry it."""

    name: str
    extract: Extract


def own_extractor(rubric: str) -> Extractor:
    """Return the project's extractor for a plain or weighted rubric."""

    def extract(evaluation: dict[str, Any], weights: Mapping[str, Any]) -> Components:
        return component_scores.extract(evaluation, rubric, weights)

    version = component_scores.VERSION
    return Extractor(f"podium component_scores {version}, rubric {rubric}", extract)


def load_extractor(reference: str) -> Extractor:
    """Return the user's extractor; its module is imported, so its code runs.

    Args:
        reference: `module:function`; the module may lie in the working folder. The function
            takes one parsed evaluation and returns a number or None for each component; what
            it raises makes that evaluation invalid.

    Raises:
        UsageError: when there is no such function, or no file that could be hashed.
    """
    module_name, _, function_name = reference.partition(":")
    if not module_name or not function_name:
        raise UsageError(f"`{reference}` is no extractor", expected="module:function")
    module = _import(module_name)
    function = getattr(module, function_name, None)
    if not callable(function):
        raise UsageError(
            f"`{module_name}` has no function `{function_name}`", expected="module:function"
        )
    file = getattr(module, "__file__", None)
    if file is None:
        raise UsageError(f"`{module_name}` has no file", expected="a module whose code is a file")
    digest = storage.sha256_file(Path(file))

    def extract(evaluation: dict[str, Any], _: Mapping[str, Any]) -> Components:
        try:
            found = function(evaluation)
        except Exception as error:
            # Foreign code may raise anything; its evaluation is invalid and says why.
            message = f"{type(error).__name__}: {error}"
            raise InvalidEvaluationError("extractor_failed", ascii(message)[1:200]) from None
        return _checked(found)

    return Extractor(f"{reference} sha256 {digest}", extract)


def _import(name: str) -> ModuleType:
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise UsageError(
            f"module `{name}` cannot be imported",
            expected="a module in the working folder, or one that is installed",
            got=f"{type(error).__name__}: {error}",
        ) from None
    finally:
        sys.path.remove(folder)


def _checked(found: Any) -> Components:
    if not isinstance(found, Mapping) or set(found) != set(COMPONENTS):
        raise InvalidEvaluationError(
            "extractor_failed", f"it returned no value for each of {', '.join(COMPONENTS)}"
        )
    components: Components = {}
    for name in COMPONENTS:
        value = found[name]
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidEvaluationError("no_number", f"{name} is {ascii(value)[:60]}")
            if not RAW_MINIMUM <= value <= RAW_MAXIMUM:
                raise InvalidEvaluationError("out_of_range", f"{name} is {value:g}, not 0 to 3")
        components[name] = None if value is None else float(value)
    if all(value is None for value in components.values()):
        raise InvalidEvaluationError("no_scores", "the extractor returned no score")
    return components
