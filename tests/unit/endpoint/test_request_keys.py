"""The key of a request covers what changes an answer, and nothing else."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from ingest.endpoint.request import (
    ImagePart,
    Message,
    Prompt,
    Request,
    Sampling,
    Target,
    TextPart,
    request_key,
)
from ingest.endpoint.settings import ApiKey, OutputMode, Role, RoleSettings
from ingest.endpoint.subject import CallSubject
from tests.unit.endpoint.helpers import PROMPT, SCHEMA, request
from warehouse.errors import UsageError

TARGET = Target("http://host/v1", "model-a", OutputMode.AUTO)
PICTURE = ImagePart(b"png")
BASE = replace(
    request("a"), messages=(Message("user", (TextPart("look"), PICTURE)),), sampling=Sampling(64)
)
CHANGES: dict[str, list[Any]] = {
    "role": [Role.GENERATOR],
    "messages": [
        (Message("user", (PICTURE, TextPart("look"))),),
        (Message("user", (TextPart("look "), PICTURE)),),
        (Message("system", (TextPart("look"), PICTURE)),),
        (Message("user", (TextPart("look"), ImagePart(b"pnG"))),),
        (Message("user", (TextPart("look"), ImagePart(b"png", "image/jpeg"))),),
        (Message("user", (TextPart("look"), ImagePart(b"png", detail="low"))),),
        (*BASE.messages, Message.of("user", "")),
    ],
    "schema": [{**SCHEMA, "required": ["id"]}],
    "prompt": [
        Prompt("other", "1", "a" * 64),
        Prompt(PROMPT.prompt_id, "2", "a" * 64),
        Prompt(PROMPT.prompt_id, "1", "b" * 64),
    ],
    "sampling": [
        Sampling(65),
        Sampling(64, 0.0),
        Sampling(64, top_p=0.5),
        Sampling(64, seed=1),
    ],
    "sample_index": [1],
    "schema_version": [2],
    "schema_name": ["verdicts"],
}


def changed() -> list[Any]:
    return [(name, value) for name, values in CHANGES.items() for value in values]


@pytest.mark.parametrize(("name", "value"), changed())
def test_each_field_of_a_request_changes_its_key(name: str, value: Any) -> None:
    assert request_key(replace(BASE, **{name: value}), TARGET) != request_key(BASE, TARGET)


def test_no_field_is_left_out_of_this_test() -> None:
    assert set(CHANGES) | {"subject", "says_something"} == {
        one.name for one in fields(Request) if one.init
    }


def test_what_a_request_is_about_changes_neither_key_nor_record_nor_equality() -> None:
    told = replace(BASE, subject=CallSubject("case", "system", task="answerability"))
    held = replace(BASE, says_something=bool)
    for one in (told, held):
        assert request_key(one, TARGET) == request_key(BASE, TARGET)
        assert one.as_record() == BASE.as_record()
    assert told == held == BASE


@pytest.mark.parametrize(
    "target",
    [
        replace(TARGET, base_url="http://other/v1"),
        replace(TARGET, model="model-b"),
        replace(TARGET, output_mode=OutputMode.TEXT),
    ],
)
def test_each_part_of_the_target_changes_the_key(target: Target) -> None:
    assert request_key(BASE, target) != request_key(BASE, TARGET)


def test_key_time_limit_and_spelling_of_the_address_change_nothing() -> None:
    one = RoleSettings(Role.GENERATOR, "http://host/v1", "model-a", ApiKey("sk-1"))
    other = RoleSettings(
        Role.GENERATOR, "HTTP://HOST:80/v1/", "model-a", ApiKey("sk-2"), timeout_seconds=1
    )
    assert request_key(BASE, Target.of(one)) == request_key(BASE, Target.of(other))


def test_the_key_is_the_same_in_every_process_and_version() -> None:
    # A key that moves makes every kept reply worthless: raise KEY_VERSION knowingly.
    expected = "53ce57213cb1448531008940cdf3e7658a5b20e175e4311d9dbdf77783eba14a"
    assert request_key(BASE, TARGET) == expected


def test_the_order_of_keys_in_a_schema_changes_nothing() -> None:
    turned = dict(reversed(SCHEMA.items()))
    assert request_key(replace(BASE, schema=turned), TARGET) == request_key(BASE, TARGET)


def test_a_schema_that_is_changed_later_does_not_change_the_request() -> None:
    schema = {"type": "object"}
    made = replace(BASE, schema=schema)
    key = request_key(made, TARGET)
    schema["type"] = "array"
    assert request_key(made, TARGET) == key
    assert made.schema == {"type": "object"}


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": ()},
        {"sample_index": -1},
        {"schema_name": "two words"},
        {"prompt": ("x", "1", "short")},
        {"sampling": (0,)},
        {"messages": (("robot", ()),)},
        {"messages": (("user", ("\ud800",)),)},
    ],
)
def test_a_request_that_cannot_be_sent_cannot_be_made(changes: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        if "prompt" in changes:
            changes = {"prompt": Prompt(*changes["prompt"])}
        if "sampling" in changes:
            changes = {"sampling": Sampling(*changes["sampling"])}
        if changes.get("messages"):
            ((role, texts),) = changes["messages"]
            changes = {"messages": (Message(role, tuple(TextPart(one) for one in texts)),)}
        replace(BASE, **changes)
