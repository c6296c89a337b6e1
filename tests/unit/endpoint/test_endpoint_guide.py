"""The guide to endpoints names every variable that is read, with its default."""

from __future__ import annotations

import re

import pytest

from ingest.endpoint.settings import EndpointSettings, Role, RoleSettings
from podium.endpoint_settings import read_endpoint
from podium.settings import Layers
from tests.support.project import ROOT

GUIDE = (ROOT / "docs" / "endpoints.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(PODIUM_\w+)` \| (.*?) \|", GUIDE, re.MULTILINE))
VALUES = {
    "PODIUM_JUDGE_MODEL": "m",
    "PODIUM_JUDGE_BASE_URL": "http://h/v1",
    "PODIUM_JUDGE_API_KEY": "sk-some-long-key",
    "PODIUM_JUDGE_TEMPERATURE": "0.3",
    "PODIUM_JUDGE_MAX_OUTPUT_TOKENS": "17",
    "PODIUM_JUDGE_TIMEOUT_SECONDS": "18",
    "PODIUM_JUDGE_OUTPUT_MODE": "text",
    "PODIUM_JUDGE_CONCURRENCY": "19",
    "PODIUM_JUDGE_REQUESTS_PER_MINUTE": "20",
    "PODIUM_JUDGE_MAX_ATTEMPTS": "21",
    "PODIUM_JUDGE_BACKOFF_SECONDS": "22",
    "PODIUM_JUDGE_TOTAL_SECONDS": "23",
    "PODIUM_JUDGE_BATCH_POLL_SECONDS": "24",
    "PODIUM_JUDGE_BATCH_TOTAL_SECONDS": "25",
}


class Recorder(dict[str, str]):
    """An environment that notes which variables were looked up."""

    def __init__(self) -> None:
        super().__init__({"PODIUM_JUDGE_MODEL": "m"})
        self.asked: set[str] = set()

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
        self.asked.add(name)
        return super().get(name, default)


def test_every_variable_that_is_read_is_in_the_guide_and_no_other() -> None:
    environment = Recorder()
    read_endpoint(Layers(environment, {}, {}))
    common = {name for name in environment.asked if name.startswith("PODIUM_JUDGE_")}
    assert common | {"PODIUM_PRICES"} == set(ROWS)


@pytest.mark.parametrize("variable", VALUES)
def test_each_variable_changes_the_settings(variable: str) -> None:
    base = {"PODIUM_JUDGE_MODEL": "other"}
    before = read_endpoint(Layers(base, {}, {}))
    after = read_endpoint(Layers({**base, variable: VALUES[variable]}, {}, {}))
    assert before != after


def test_defaults_are_those_of_the_code() -> None:
    role = RoleSettings(Role.CLAIM_JUDGE, "http://h", "m")
    shared = EndpointSettings()
    assert ROWS["PODIUM_JUDGE_MAX_OUTPUT_TOKENS"] == str(role.max_output_tokens)
    assert ROWS["PODIUM_JUDGE_TIMEOUT_SECONDS"] == f"{role.timeout_seconds:g}"
    assert ROWS["PODIUM_JUDGE_CONCURRENCY"] == str(shared.concurrency)
    assert ROWS["PODIUM_JUDGE_MAX_ATTEMPTS"] == str(shared.max_attempts)
    assert ROWS["PODIUM_JUDGE_BACKOFF_SECONDS"] == f"{shared.backoff_base_seconds:g}"
    assert ROWS["PODIUM_JUDGE_TOTAL_SECONDS"] == f"{shared.total_seconds:g}"
    assert ROWS["PODIUM_JUDGE_BATCH_POLL_SECONDS"] == f"{shared.batch_poll_seconds:g}"
    assert ROWS["PODIUM_JUDGE_BATCH_TOTAL_SECONDS"] == f"{shared.batch_total_seconds:g}"
