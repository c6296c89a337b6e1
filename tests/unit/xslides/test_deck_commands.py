from __future__ import annotations

import hashlib
import unicodedata
from pathlib import Path

import pytest

from ingest.xslides.decks.commands import (
    PLACEHOLDERS,
    Adapter,
    parse_command,
    read_adapters,
    secret_values,
)
from ingest.xslides.decks.selection import RowFilter, names, shard_of
from ingest.xslides.tree import DeckKey
from warehouse.errors import InputError, PodiumError, UsageError


@pytest.mark.parametrize(
    "value", ["a b", "'", '"', "$(touch x)", "`x`", "; rm -rf x", "{output}", "a\nb", "*", "Ω"]
)
def test_a_value_is_one_argument_and_never_looked_at_again(value: str) -> None:
    adapter = parse_command("make '{case_label}' --label={case_label} 'two words' {output}")
    filled = adapter.filled({"case_label": value, "output": "/o"})
    assert filled == ["make", value, f"--label={value}", "two words", "/o"]


def test_a_value_that_would_be_an_option_is_refused() -> None:
    with pytest.raises(InputError, match="dash"):
        parse_command("make {case_label}").filled({"case_label": "-rf"})
    assert parse_command("make --case={case_label}").filled({"case_label": "-rf"})


def test_a_value_that_the_row_lacks_is_told() -> None:
    with pytest.raises(InputError, match="prompt"):
        parse_command("make {prompt}").filled({"prompt": ""})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("make 'open", "split"),
        ("sh {no_such}", "placeholder"),
        ("sh --key sk-abcdef123", "key"),
        ("no-such-program-here {output}", "cannot be run"),
    ],
)
def test_commands_that_can_only_fail_are_refused_before_any_row(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        parse_command(text).check(PLACEHOLDERS, ("sk-abcdef123",), None)
    assert "sk-abcdef123" not in str(caught.value)


def test_braces_that_name_nothing_are_plain_text() -> None:
    adapter = parse_command("""sh '{"pages": 10}' {output}""")
    adapter.check(PLACEHOLDERS, (), None)
    assert adapter.filled({"output": "/o"})[1] == '{"pages": 10}'


def test_a_file_of_adapters(tmp_path: Path) -> None:
    path = tmp_path / "adapters.toml"
    path.write_text(
        "[systems.one]\ncommand = ['make', '{output}']\ntimeout = 5\ndeck = 'runs/*/final.pptx'\n"
        "cwd = 'work'\n[systems.one.env]\nMODEL = 'm'\n[systems.\"two b\"]\ncommand = ['x']\n"
    )
    adapters = read_adapters(path)
    assert list(adapters) == ["one", "two b"]
    expected = Adapter(("make", "{output}"), {"MODEL": "m"}, 5.0, "runs/*/final.pptx", True)
    assert adapters["one"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "systems = 3",
        "[systems]",
        "[systems.a]\ncommand = 'make'",
        "[systems.a]\ncommand = []",
        "[systems.a]\ncommand = ['x']\nshell = true",
        "[systems.a]\ncommand = ['x']\ntimeout = 0",
        "[systems.a]\ncommand = ['x']\ntimeout = true",
        "[systems.a]\ncommand = ['x']\ndeck = '../x.pptx'",
        "[systems.a]\ncommand = ['x']\ncwd = '/no/such/folder'",
        "[systems.a]\ncommand = ['x']\ncwd = 3",
        "[systems.'../a']\ncommand = ['x']",
        "[systems.a]\ncommand = ['x']\nenv = { A = 1 }",
        "not toml",
    ],
)
def test_files_of_adapters_that_cannot_be_used_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "adapters.toml"
    path.write_text(text)
    with pytest.raises(PodiumError):
        read_adapters(path)


def test_what_decides_a_deck_is_hashed_and_its_limits_are_not() -> None:
    one = Adapter(("make", "{output}"))
    assert one.sha256 == Adapter(("make", "{output}"), {"A": "b"}, 9.0).sha256
    assert one.sha256 != Adapter(("make", "{output} ")).sha256
    assert one.sha256 != Adapter(("make", "{output}"), deck="x").sha256


def test_secrets_are_found_by_name() -> None:
    env = {"API_KEY": "abcdefgh", "HF_TOKEN": "xyzxyz1", "KEY_2": "longest of all"}
    plain = {"MODEL": "gpt-thing", "KEY": "short", "KEY_FILE": "/a/path", "XAUTHORITY": "/b/path"}
    assert secret_values(env | plain) == ("longest of all", "abcdefgh", "xyzxyz1")


@pytest.mark.parametrize("label", ["case_000", "Grüße", unicodedata.normalize("NFD", "Grüße")])
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_shards_are_the_whole_digest_modulo_the_count(label: str, count: int) -> None:
    composed = unicodedata.normalize("NFC", label).encode()
    expected = int.from_bytes(hashlib.md5(composed).digest(), "big") % count
    assert shard_of(label, count) == expected
    takers = [
        n
        for n in range(count)
        if RowFilter(num_shards=count, shard_index=n).takes(
            DeckKey("s", "agnostic", "agnostic", label)
        )
    ]
    assert takers == [expected]


def test_filters_hold_together_and_compare_in_nfc() -> None:
    key = DeckKey("s", "conditioned", "learners", unicodedata.normalize("NFC", "Grüße"))
    wanted = names([unicodedata.normalize("NFD", "Grüße")])
    assert RowFilter(conditions=names(["conditioned"]), cases=wanted).takes(key)
    assert not RowFilter(audiences=names(["specialists"]), cases=wanted).takes(key)
    for bad in ({"num_shards": 0}, {"num_shards": 2, "shard_index": 2}, {"shard_index": -1}):
        with pytest.raises(UsageError):
            RowFilter(**bad)
    with pytest.raises(UsageError):
        RowFilter(conditions=names(["sometimes"]))
