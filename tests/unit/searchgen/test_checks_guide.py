"""docs/searchgen-checks.md: every rule of the gates with its outcome, every test it names."""

from __future__ import annotations

import re

import pytest

from expectations.rules import RowRule
from expectations.suites import SUITES
from tests.support.project import ROOT
from warehouse.findings import Outcome

GUIDE = (ROOT / "docs" / "searchgen-checks.md").read_text(encoding="utf-8")
RULES = [
    rule
    for (_, benchmark), suite in SUITES.items()
    if benchmark == "searchgen"
    for rule in suite.rules
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_every_rule_is_described_with_its_outcome(rule: RowRule) -> None:
    assert f"`{rule.name}`" in GUIDE
    if rule.outcome is not Outcome.FAILED:
        word = rule.outcome.value.replace("_", " ")
        lines = [part for part in GUIDE.split("\n\n") if f"`{rule.name}`" in part]
        assert any(word in one for one in lines), word


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(?:tests/)?((?:\w+/)*test_\w+\.py)`", GUIDE))
    assert named
    for name in named:
        path = name if "/" in name else f"faults/{name}"
        assert (ROOT / "tests" / path).is_file(), name
