"""docs/searchgen-files.md names what is read: keys, statuses, reasons, findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.searchgen import component_scores, extractors, result_files
from tests.support.project import ROOT
from warehouse.contracts.searchgen_values import FILLINGS, MISSING_STATUSES, STATUSES

GUIDE = (ROOT / "docs" / "searchgen-files.md").read_text(encoding="utf-8")
SOURCES = ROOT / "ingest" / "searchgen"
GETTERS = r"\.(?:(?:optional_)?(?:text|name|count)|choice|share|texts|free|policy|sections?)"


def keys_read(file: str) -> set[str]:
    """Return the keys that a module asks a configuration for."""
    return set(re.findall(GETTERS + r'\(\s*"(\w+)"', (SOURCES / file).read_text(encoding="utf-8")))


def test_every_key_of_models_yml_is_described() -> None:
    keys = keys_read("model_registry.py")
    assert len(keys) > 25
    described = set(re.findall(r"\w+", GUIDE.split("## Prompts")[0]))
    assert keys - described == set()


@pytest.mark.parametrize("module", [component_scores, extractors])
def test_every_reason_of_an_invalid_evaluation_is_described(module: object) -> None:
    source = Path(str(vars(module)["__file__"])).read_text(encoding="utf-8")
    reasons = set(re.findall(r'InvalidEvaluationError\(\s*"(\w+)"', source))
    assert reasons
    assert [one for one in sorted(reasons) if f"`{one}`" not in GUIDE] == []


def test_statuses_policies_and_reasons_of_missing_results_are_described() -> None:
    source = Path(result_files.__file__).read_text(encoding="utf-8")
    reasons = re.findall(r'missing\(\w+, "(\w+)"\)', source)
    for word in (*STATUSES, *MISSING_STATUSES, *FILLINGS, *reasons, "no_folder"):
        assert f"`{word}`" in GUIDE, word


def test_every_finding_of_landing_is_described() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCES.glob("*.py")))
    checks = set(re.findall(r'CHECK = "(\w+)"', text)) | set(
        re.findall(r'Finding\(\s*"(\w+)"', text)
    )
    assert checks - {"landing_keeps_rows"}
    described = GUIDE + (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert [one for one in sorted(checks) if f"`{one}`" not in described] == []
