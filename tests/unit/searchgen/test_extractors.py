"""The user's extractor: imported by name, held to the rules of ours, named on every run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ingest.searchgen.component_scores import InvalidEvaluationError
from ingest.searchgen.extractors import load_extractor
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.errors import UsageError

HEAD = f"NAMES = {COMPONENTS!r}\n"


def write(folder: Path, name: str, body: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a module with a function `read` and make its folder the working one."""
    path = folder / f"{name}.py"
    path.write_text(f"{HEAD}def read(evaluation):\n    {body}\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    return f"{name}:read"


def test_its_numbers_are_taken_and_its_code_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "return {**dict.fromkeys(NAMES), 'checklist': evaluation['own']}"
    reference = write(tmp_path, "extractor_good", body, monkeypatch)
    extractor = load_extractor(reference)
    found = extractor.extract({"own": 2}, {})
    assert found == {**dict.fromkeys(COMPONENTS), "checklist": 2.0}
    assert isinstance(found["checklist"], float)
    digest = hashlib.sha256((tmp_path / "extractor_good.py").read_bytes()).hexdigest()
    assert extractor.name == f"extractor_good:read sha256 {digest}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return {'checklist': 1}", "extractor_failed"),
        ("return dict.fromkeys([*NAMES, 'eleventh'], 1)", "extractor_failed"),
        ("return None", "extractor_failed"),
        ("raise KeyError('\\x1b[31m' * 500)", "extractor_failed"),
        ("return dict.fromkeys(NAMES, 3.5)", "out_of_range"),
        ("return dict.fromkeys(NAMES, float('nan'))", "out_of_range"),
        ("return dict.fromkeys(NAMES, True)", "no_number"),
        ("return dict.fromkeys(NAMES, '2')", "no_number"),
        ("return dict.fromkeys(NAMES)", "no_scores"),
    ],
)
def test_what_ours_may_not_say_neither_may_theirs(
    body: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"extractor_{abs(hash(body))}"
    extractor = load_extractor(write(tmp_path, name, body, monkeypatch))
    with pytest.raises(InvalidEvaluationError) as caught:
        extractor.extract({}, {})
    assert caught.value.reason == reason
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("json", "is no extractor"),
        (":read", "is no extractor"),
        ("no_module_of_this_name:read", "cannot be imported"),
        ("json:read", "has no function `read`"),
        ("json:__name__", "has no function"),
        ("sys:exit", "has no file"),
    ],
)
def test_a_reference_to_nothing_is_a_usage_error(reference: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        load_extractor(reference)
