"""The price table, and token counts without a tokenizer."""

from __future__ import annotations

import struct
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.endpoint.prices import Price, PriceTable, read_prices
from ingest.endpoint.reply import Usage
from ingest.endpoint.request import ImagePart, Message, TextPart
from ingest.endpoint.tokens import (
    bound_text,
    count_request,
    estimate_text,
    image_size,
    image_tokens,
)
from tests.unit.endpoint.helpers import MODEL, price, request
from warehouse.errors import InputError, UsageError

HEAD = (
    "model,input_usd_per_million,output_usd_per_million,cached_input_usd_per_million,valid_from\n"
)


def table(tmp_path: Path, rows: str, head: str = HEAD) -> PriceTable:
    path = tmp_path / "prices.csv"
    path.write_text(head + rows, encoding="utf-8")
    return read_prices(path)


def test_the_newest_price_that_is_valid_on_the_day_counts(tmp_path: Path) -> None:
    prices = table(tmp_path, "m,1,2,0.5,2026-01-01\nm,3,4,,2026-06-01\nn,9,9,9,2020-01-01\n")
    assert prices.at("m", date(2025, 12, 31)) is None
    assert prices.at("m", date(2026, 5, 31)) == prices.rows[0]
    newest = prices.at("m", date(2026, 6, 1))
    assert newest is not None
    assert (newest.input_usd, newest.cached_input_usd) == (Decimal(3), Decimal(3))
    assert prices.at("M", date(2026, 6, 1)) is None


def test_a_cost_is_exact_and_knows_cached_tokens() -> None:
    one = Price("m", Decimal("0.15"), Decimal("0.6"), Decimal("0.075"), date(2026, 1, 1))
    assert one.cost(Usage(1000, 400, 10)) == Decimal("0.000126")
    assert one.cost(Usage(1000, None, 10)) == Decimal("0.000156")
    assert one.cost(Usage(100, 4000, 0)) == Decimal("0.0000075")
    assert one.cost(Usage(None, None, 10)) is None
    assert one.cost(Usage(10, None, None)) is None


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        ("m,1,2,0.5\n", HEAD),
        ("m,1,2,0.5,tomorrow\n", HEAD),
        ("m,-1,2,0.5,2026-01-01\n", HEAD),
        ("m,NaN,2,0.5,2026-01-01\n", HEAD),
        ("m,one,2,0.5,2026-01-01\n", HEAD),
        (",1,2,0.5,2026-01-01\n", HEAD),
        ("m,1,2,0.5,2026-01-01,x\n", HEAD),
        ("m,1,2,0.5,2026-01-01\nm,2,2,2,2026-01-01\n", HEAD),
        ("m,1\n", "model,price\n"),
        ("", ""),
    ],
)
def test_a_table_with_a_mistake_is_refused(tmp_path: Path, rows: str, head: str) -> None:
    with pytest.raises(InputError):
        table(tmp_path, rows, head)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.csv"):
        read_prices(tmp_path / "none.csv")


def test_models_without_a_price_are_named() -> None:
    with pytest.raises(UsageError, match="`other`"):
        PriceTable((price(),)).require([MODEL, "other"], date(2026, 2, 1))


# Counts by the byte-pair vocabulary o200k.
KNOWN = {
    "The accuracy of the model rose on three data sets, and so did its cost.": 17,
    "Revenue grew by 12.5 % to 1,234,567 EUR in 2024.": 21,
    '{"probe_id": "pb_0001", "covered": true, "confidence": 0.85}': 23,
    "模型的准确率在三个数据集上均有提高\uff0c但成本也随之增加。": 19,
    "Die Genauigkeit stieg auf drei Datensätzen.": 11,
}


@pytest.mark.parametrize("text", KNOWN)
def test_an_estimate_lies_within_a_third_of_a_known_count(text: str) -> None:
    assert 0.67 * KNOWN[text] <= estimate_text(text) <= 1.4 * KNOWN[text]
    assert bound_text(text) >= KNOWN[text]


@given(st.text())
def test_no_text_has_more_tokens_than_its_bound(text: str) -> None:
    safe = text.encode("utf-8", "replace").decode()
    assert 0 <= estimate_text(safe) <= max(bound_text(safe), 1) + 1


def test_schema_roles_and_pictures_are_counted() -> None:
    bare = request("a")
    more = replace(bare, messages=(*bare.messages, Message.of("user", "one two three")))
    assert count_request(more).estimate == count_request(bare).estimate + 8 + 3
    seen = replace(bare, messages=(Message("user", (TextPart("x"), ImagePart(png(512, 512)))),))
    text = replace(bare, messages=(Message("user", (TextPart("x"),)),))
    assert count_request(seen).estimate == count_request(text).estimate + 255
    assert count_request(seen).bound >= count_request(text).bound + 255


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", width, height)


def jpeg(width: int, height: int) -> bytes:
    app = b"\xff\xe0\x00\x04ab"
    return b"\xff\xd8" + app + b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width)


@pytest.mark.parametrize(
    ("data", "size", "tokens"),
    [
        (png(512, 512), (512, 512), 255),
        (png(1024, 1024), (1024, 1024), 765),
        (png(2048, 4096), (2048, 4096), 1105),
        (png(1280, 720), (1280, 720), 1105),
        (jpeg(640, 480), (640, 480), 425),
        (b"GIF89a" + struct.pack("<HH", 10, 20) + b"\0", (10, 20), 255),
        (b"no picture", None, 1445),
        (png(0, 7), None, 1445),
        (b"\xff\xd8\xff", None, 1445),
    ],
)
def test_pictures_are_counted_in_tiles(
    data: bytes, size: tuple[int, int] | None, tokens: int
) -> None:
    assert image_size(data) == size
    assert image_tokens(ImagePart(data)) == tokens
    assert image_tokens(ImagePart(data, detail="low")) == 85
