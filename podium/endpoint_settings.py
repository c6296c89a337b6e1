"""Which endpoint each role asks, out of the layers of settings.

For every field the most specific variable wins, then the layer: `PODIUM_CLAIM_JUDGE_MODEL`
before `PODIUM_JUDGE_MODEL`, each from the environment, `.env`, then `podium.toml`. Keys are
never read from `podium.toml`, and a key only goes to the address that it was given with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ingest.endpoint.prices import PriceTable, read_prices
from ingest.endpoint.settings import (
    DEFAULT_BASE_URL,
    ApiKey,
    EndpointSettings,
    OutputMode,
    Role,
    RoleSettings,
    checked_base_url,
)
from podium.settings import TOML_FILE, Layers
from warehouse.errors import UsageError

COMMON = "PODIUM_JUDGE"
OPENAI = "OPENAI"
# Generation and utilities are sampled several times over, verdicts are not.
_TEMPERATURES = {
    Role.GENERATOR: 0.7,
    Role.UTILITY_JUDGE: 0.7,
    Role.ANSWERABILITY_JUDGE: 0.0,
    Role.CLAIM_JUDGE: 0.0,
}
_UNSET = ("none", "default")
_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
T = TypeVar("T")


def read_endpoint(layers: Layers) -> EndpointSettings | None:
    """Return the endpoint settings; None when neither an address nor a model is set.

    Args:
        layers: settings as a command sees them.

    Raises:
        UsageError: when a value cannot be used, or `podium.toml` holds a key.
    """
    _refuse_keys_in_toml(layers)
    if _model(layers, Role.CLAIM_JUDGE) is None and not any(
        _model(layers, role) or _text(layers, f"{_prefix(role)}_BASE_URL") for role in Role
    ):
        return None
    settings = EndpointSettings(roles={role: _role(layers, role) for role in Role})
    changes = {
        "concurrency": _number(layers, f"{COMMON}_CONCURRENCY", int),
        "requests_per_minute": _number(layers, f"{COMMON}_REQUESTS_PER_MINUTE", float),
        "max_attempts": _number(layers, f"{COMMON}_MAX_ATTEMPTS", int),
        "backoff_base_seconds": _number(layers, f"{COMMON}_BACKOFF_SECONDS", float),
        "total_seconds": _number(layers, f"{COMMON}_TOTAL_SECONDS", float),
        "batch_poll_seconds": _number(layers, f"{COMMON}_BATCH_POLL_SECONDS", float),
        "batch_total_seconds": _number(layers, f"{COMMON}_BATCH_TOTAL_SECONDS", float),
    }
    stated = {name: value for name, value in changes.items() if value is not None}
    return replace(settings, **stated)  # type: ignore[arg-type]


def read_price_table(layers: Layers, flag: Path | None = None) -> PriceTable:
    """Return the price table that a flag or `PODIUM_PRICES` names; without one an empty table.

    Raises:
        InputError: when the file is no price table.
    """
    stated = str(flag) if flag is not None else _text(layers, "PODIUM_PRICES")
    return read_prices(Path(stated).expanduser()) if stated else PriceTable()


def _role(layers: Layers, role: Role) -> RoleSettings:
    base_url, api_key = _address(layers, role)
    mode = _first(layers, role, "OUTPUT_MODE") or OutputMode.AUTO.value
    if mode not in set(OutputMode):
        raise UsageError(
            f"output mode of role `{role}` is not known",
            expected=", ".join(OutputMode),
            got=mode,
            fix=f"set {_prefix(role)}_OUTPUT_MODE",
        )
    temperature: float | None = _TEMPERATURES[role]
    stated = _first(layers, role, "TEMPERATURE")
    if stated is not None:
        is_unset = stated.lower() in _UNSET
        temperature = None if is_unset else _parsed(f"{COMMON}_TEMPERATURE", stated, float)
    tokens = _first(layers, role, "MAX_OUTPUT_TOKENS")
    timeout = _first(layers, role, "TIMEOUT_SECONDS")
    settings = RoleSettings(
        role,
        base_url,
        _model(layers, role) or "",
        api_key,
        temperature,
        output_mode=OutputMode(mode),
    )
    if tokens is not None:
        limit = _parsed(f"{COMMON}_MAX_OUTPUT_TOKENS", tokens, int)
        settings = replace(settings, max_output_tokens=limit)
    if timeout is not None:
        seconds = _parsed(f"{COMMON}_TIMEOUT_SECONDS", timeout, float)
        settings = replace(settings, timeout_seconds=seconds)
    return replace(settings, reads_images=_answer(layers, role, "READS_IMAGES", default=True))


def _address(layers: Layers, role: Role) -> tuple[str, ApiKey | None]:
    """Return the address of a role and the key that was given for the same address.

    A key that stands beside another address is not sent: a local server must never get the
    key of a paid one.
    """
    prefixes = (_prefix(role), COMMON, OPENAI)
    addresses = []
    below = DEFAULT_BASE_URL
    for prefix in reversed(prefixes):
        below = checked_base_url(_text(layers, f"{prefix}_BASE_URL") or below)
        addresses.append(below)
    for prefix, address in zip(prefixes, reversed(addresses), strict=True):
        key = _secret(layers, f"{prefix}_API_KEY")
        if key is not None and address == addresses[-1]:
            return address, key
    return addresses[-1], None


def _model(layers: Layers, role: Role) -> str | None:
    return _first(layers, role, "MODEL")


def _first(layers: Layers, role: Role, field: str) -> str | None:
    return _text(layers, f"{_prefix(role)}_{field}") or _text(layers, f"{COMMON}_{field}")


def _answer(layers: Layers, role: Role, field: str, *, default: bool) -> bool:
    stated = (_first(layers, role, field) or ("yes" if default else "no")).lower()
    if stated not in _ANSWERS:
        raise UsageError(
            f"`{field.lower()}` of role `{role}` is neither yes nor no",
            got=stated,
            fix=f"set {_prefix(role)}_{field}",
        )
    return _ANSWERS[stated]


def _prefix(role: Role) -> str:
    return f"PODIUM_{role.name}"


def _text(layers: Layers, variable: str) -> str | None:
    text = layers.text(variable, variable.lower().removeprefix("podium_"))
    return text.strip() or None if text is not None else None


def _secret(layers: Layers, variable: str) -> ApiKey | None:
    for layer in (layers.environment, layers.dotenv):
        if layer.get(variable, "").strip():
            return ApiKey(layer[variable], variable)
    return None


def _number(layers: Layers, variable: str, kind: Callable[[str], T]) -> T | None:
    text = _text(layers, variable)
    return None if text is None else _parsed(variable, text, kind)


def _parsed(variable: str, text: str, kind: Callable[[str], T]) -> T:
    try:
        return kind(text)
    except ValueError:
        raise UsageError(f"`{variable}` is no number", got=text, fix=f"set {variable}") from None


def _refuse_keys_in_toml(layers: Layers) -> None:
    held = sorted(name for name in layers.toml if name.lower().endswith("api_key"))
    if held:
        raise UsageError(
            f"`{TOML_FILE}` holds a key",
            expected="keys in the environment or in .env only",
            got=f"the setting `{held[0]}`",
            fix=f"take it out of {TOML_FILE}, change the key, and set {COMMON}_API_KEY",
        )
