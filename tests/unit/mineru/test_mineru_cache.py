"""What is kept is whole, is that of its key, and a damaged entry is made anew."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.mineru.cache import Batch, MarkdownCache
from ingest.mineru.outcome import Parsed
from ingest.mineru.settings import Api, ParseOptions
from tests.support.mineru_bench import MineruBench
from tests.support.mineru_server import KEY, serving
from warehouse.errors import InputError

SHA = "a" * 64
PLAIN = ParseOptions(Api.HOSTED)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MineruBench]:
    with serving() as server:
        yield MineruBench(server, tmp_path, Api.HOSTED)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    cache = MarkdownCache(tmp_path / "new" / "folder")
    assert not cache
    cache.put(SHA, PLAIN, Parsed("# Text \u2603\n", "2.7"))
    assert MarkdownCache(cache.folder).get(SHA, PLAIN) == Parsed("# Text \u2603\n", "2.7")
    assert cache


@pytest.mark.parametrize(
    ("sha256", "options"),
    [
        ("b" * 64, PLAIN),
        (SHA, ParseOptions(Api.OWN)),
        (SHA, ParseOptions(Api.HOSTED, model="vlm")),
        (SHA, ParseOptions(Api.HOSTED, language="en")),
    ],
)
def test_another_file_api_model_or_language_is_another_entry(
    sha256: str, options: ParseOptions, tmp_path: Path
) -> None:
    cache = MarkdownCache(tmp_path)
    cache.put(SHA, PLAIN, Parsed("text"))
    assert cache.get(sha256, options) is None


def _alter(text: str) -> str:
    return text.replace("14 findings", "15 findings")


def _rehash_other_key(text: str) -> str:
    held = json.loads(text)
    held["entry"]["source_sha256"] = "c" * 64
    return json.dumps(held)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[: len(text) // 2],
        lambda _: "",
        lambda _: "[]",
        lambda _: "\x00",
        _alter,
        _rehash_other_key,
    ],
    ids=["torn", "blank", "list", "nul", "altered", "other key"],
)
def test_a_damaged_entry_is_made_anew(spoil: Callable[[str], str], bench: MineruBench) -> None:
    first = bench.read()
    (entry,) = (bench.folder / "cache").glob("*.json")
    entry.write_text(spoil(entry.read_text()))
    assert bench.read() == first
    assert bench.server.counts()["upload"] == 2
    assert bench.read() == first
    assert bench.server.counts()["upload"] == 2


def test_a_renamed_entry_is_not_that_of_its_new_name(tmp_path: Path) -> None:
    cache = MarkdownCache(tmp_path)
    cache.put(SHA, PLAIN, Parsed("mine"))
    (entry,) = tmp_path.glob("*.json")
    cache.put("b" * 64, PLAIN, Parsed("other"))
    (other,) = {*tmp_path.glob("*.json")} - {entry}
    other.replace(entry)
    assert cache.get(SHA, PLAIN) is None


def test_a_batch_is_that_of_its_address_and_goes_with_the_entry(tmp_path: Path) -> None:
    cache = MarkdownCache(tmp_path)
    batch = Batch("batch-1", "https://one", is_uploaded=True)
    cache.note_batch(SHA, PLAIN, batch)
    assert cache.batch(SHA, PLAIN, "https://one") == batch
    assert cache.batch(SHA, PLAIN, "https://two") is None
    cache.put(SHA, PLAIN, Parsed("text"))
    assert cache.batch(SHA, PLAIN, "https://one") is None


def test_neither_key_nor_signed_address_is_kept(bench: MineruBench) -> None:
    bench.read_until_uploaded()
    (batch,) = (bench.folder / "cache").glob("*.batch")
    assert KEY not in batch.read_text() and "/upload/" not in batch.read_text()
    bench.read()
    held = "".join(path.read_text() for path in (bench.folder / "cache").iterdir())
    assert KEY not in held and bench.server.url not in held


def test_a_key_that_a_server_echoes_into_a_text_is_struck_out(bench: MineruBench) -> None:
    bench.server.markdown = lambda _: f"the key is {KEY}"
    assert bench.read().visible_text == "the key is [key]"


def test_a_folder_that_cannot_be_written_stops_before_the_upload(bench: MineruBench) -> None:
    (bench.folder / "cache").write_text("a file where the folder should be")
    with pytest.raises(InputError) as error:
        bench.read()
    assert "XSLIDESBENCH_MINERU_CACHE_DIR" in error.value.render()
    assert bench.server.counts()["upload"] == 0


def test_nothing_temporary_stays(bench: MineruBench) -> None:
    bench.read()
    names = [path.name for path in (bench.folder / "cache").iterdir()]
    assert len(names) == 1 and names[0].endswith(".json")
    mode = (bench.folder / "cache" / names[0]).stat().st_mode
    assert stat.S_ISREG(mode)
