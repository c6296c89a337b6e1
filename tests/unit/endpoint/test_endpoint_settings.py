"""Endpoints out of the layers of settings: precedence, and where a key may go."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ingest.endpoint.settings import (
    ApiKey,
    EndpointSettings,
    OutputMode,
    Role,
    RoleSettings,
    checked_base_url,
)
from podium.endpoint_settings import read_endpoint, read_price_table
from podium.settings import Layers
from warehouse.errors import UsageError

KEY = "sk-unit-test-9c1f"
BASE = {"PODIUM_JUDGE_MODEL": "judge-1"}


def read(
    environment: dict[str, str] | None = None,
    dotenv: dict[str, str] | None = None,
    toml: dict[str, Any] | None = None,
) -> EndpointSettings:
    settings = read_endpoint(Layers({**BASE, **(environment or {})}, dotenv or {}, toml or {}))
    assert settings is not None
    return settings


def key_of(settings: EndpointSettings, role: Role = Role.CLAIM_JUDGE) -> str | None:
    key = settings.of(role).api_key
    return None if key is None else key.reveal()


def test_without_a_model_there_is_no_endpoint() -> None:
    assert read_endpoint(Layers({"OPENAI_API_KEY": KEY}, {}, {})) is None


def test_the_defaults_are_those_of_the_paid_endpoint() -> None:
    settings = read({"OPENAI_API_KEY": KEY})
    claim = settings.of(Role.CLAIM_JUDGE)
    assert claim.base_url == "https://api.openai.com/v1"
    assert (claim.model, claim.temperature, key_of(settings)) == ("judge-1", 0.0, KEY)
    assert settings.of(Role.GENERATOR).temperature == 0.7
    assert settings.concurrency == 8


def test_a_role_goes_before_the_judge_and_the_environment_before_the_files() -> None:
    settings = read(
        {"PODIUM_GENERATOR_MODEL": "writer", "PODIUM_JUDGE_TEMPERATURE": "none"},
        {"PODIUM_JUDGE_MODEL": "ignored", "PODIUM_CLAIM_JUDGE_OUTPUT_MODE": "text"},
        {"judge_max_output_tokens": 99, "claim_judge_max_output_tokens": 77},
    )
    assert settings.of(Role.GENERATOR).model == "writer"
    assert settings.of(Role.UTILITY_JUDGE).model == "judge-1"
    claim = settings.of(Role.CLAIM_JUDGE)
    assert (claim.output_mode, claim.max_output_tokens) == (OutputMode.TEXT, 77)
    assert claim.temperature is None
    assert settings.of(Role.GENERATOR).max_output_tokens == 99


def test_shared_numbers_are_read() -> None:
    settings = read({"PODIUM_JUDGE_CONCURRENCY": "32", "PODIUM_JUDGE_REQUESTS_PER_MINUTE": "90.5"})
    assert (settings.concurrency, settings.requests_per_minute) == (32, 90.5)


@pytest.mark.parametrize(
    ("environment", "key"),
    [
        ({"OPENAI_API_KEY": KEY}, KEY),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://h/v1"}, KEY),
        ({"OPENAI_API_KEY": KEY, "PODIUM_JUDGE_BASE_URL": "http://h/v1"}, None),
        ({"OPENAI_API_KEY": KEY, "PODIUM_JUDGE_BASE_URL": "https://API.openai.com/v1/"}, KEY),
        ({"PODIUM_JUDGE_API_KEY": KEY, "PODIUM_JUDGE_BASE_URL": "http://h/v1"}, KEY),
        ({"PODIUM_JUDGE_API_KEY": KEY, "PODIUM_CLAIM_JUDGE_BASE_URL": "http://h/v1"}, None),
        (
            {
                "PODIUM_JUDGE_API_KEY": "sk-other",
                "PODIUM_CLAIM_JUDGE_BASE_URL": "http://h/v1",
                "PODIUM_CLAIM_JUDGE_API_KEY": KEY,
            },
            KEY,
        ),
        ({"OPENAI_API_KEY": "sk-other", "PODIUM_JUDGE_API_KEY": KEY}, KEY),
        ({}, None),
    ],
)
def test_a_key_goes_to_the_address_that_it_was_given_with(
    environment: dict[str, str], key: str | None
) -> None:
    assert key_of(read(environment)) == key


def test_a_key_in_the_toml_file_is_refused_without_being_shown() -> None:
    with pytest.raises(UsageError) as caught:
        read(toml={"judge_api_key": KEY})
    assert KEY not in str(caught.value)
    assert key_of(read(dotenv={"OPENAI_API_KEY": KEY})) == KEY


@pytest.mark.parametrize("value", [f"{KEY}\n{KEY}", f"{KEY}\u00e9", f"{KEY}\x00"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_unseen(value: str) -> None:
    with pytest.raises(UsageError) as caught:
        ApiKey(value, "OPENAI_API_KEY")
    assert KEY not in str(caught.value)
    assert "OPENAI_API_KEY" in str(caught.value)


def test_a_key_shows_itself_nowhere() -> None:
    settings = read({"OPENAI_API_KEY": f" {KEY}\n"})
    key = settings.of(Role.CLAIM_JUDGE).api_key
    assert key is not None
    for shown in (repr(settings), str(settings), f"{key}", f"{key!r}", str(vars(settings))):
        assert KEY not in shown
    for copying in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError):
            copying(key)


@pytest.mark.parametrize(
    "url",
    [
        "host/v1",
        "ftp://host/v1",
        "http://",
        f"http://me:{KEY}@host/v1",
        f"http://host/v1?key={KEY}",
        "http://host/v1#x",
        "http://[::1/v1",
        "http://host:99999/v1",
    ],
)
def test_an_address_that_is_none_or_holds_a_secret_is_refused_unseen(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked_base_url(url)
    assert KEY not in str(caught.value)


def test_an_address_has_one_form() -> None:
    for url in ("HTTPS://Host:443/v1/", "https://host/v1"):
        assert checked_base_url(url) == "https://host/v1"
    assert checked_base_url("http://[::1]:8000/v1") == "http://[::1]:8000/v1"


@pytest.mark.parametrize(
    "environment",
    [
        {"PODIUM_JUDGE_TEMPERATURE": "warm"},
        {"PODIUM_JUDGE_TEMPERATURE": "2.1"},
        {"PODIUM_JUDGE_TEMPERATURE": "nan"},
        {"PODIUM_JUDGE_OUTPUT_MODE": "xml"},
        {"PODIUM_JUDGE_MAX_OUTPUT_TOKENS": "0"},
        {"PODIUM_JUDGE_TIMEOUT_SECONDS": "inf"},
        {"PODIUM_JUDGE_CONCURRENCY": "0"},
        {"PODIUM_JUDGE_REQUESTS_PER_MINUTE": "0"},
        {"PODIUM_JUDGE_MAX_ATTEMPTS": "0"},
    ],
)
def test_values_out_of_range_are_refused(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        read(environment)


def test_a_role_without_a_model_is_named() -> None:
    with pytest.raises(UsageError, match="generator"):
        read_endpoint(Layers({"PODIUM_CLAIM_JUDGE_MODEL": "m"}, {}, {}))
    with pytest.raises(UsageError, match="claim_judge"):
        EndpointSettings({Role.GENERATOR: RoleSettings(Role.GENERATOR, "http://h", "m")}).of(
            Role.CLAIM_JUDGE
        )
    assert ApiKey(" k ").reveal() == "k"


def test_the_price_table_is_named_by_flag_or_variable(tmp_path: Path) -> None:
    head = (
        "model,input_usd_per_million,output_usd_per_million,"
        "cached_input_usd_per_million,valid_from\n"
    )
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"{head}{name},1,1,1,2026-01-01\n", encoding="utf-8")
    layers = Layers({"PODIUM_PRICES": str(tmp_path / "one")}, {}, {})
    assert read_price_table(layers).rows[0].model == "one"
    assert read_price_table(layers, tmp_path / "two").rows[0].model == "two"
    assert read_price_table(Layers({}, {}, {})).rows == ()


def test_no_offline_command_imports_the_client() -> None:
    code = (
        "import sys; import podium.xslides_run, podium.endpoint_settings; "
        "import ingest.endpoint.session, ingest.endpoint.neutralise; "
        "print([name for name in ('openai', 'httpx2', 'jsonschema.validators', 'anyio') "
        "if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert done.stdout == "[]\n"
