"""Which parser reads PDF sources, out of which settings, and what is told of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ingest.endpoint.settings import ApiKey
from ingest.mineru.cache import MarkdownCache
from ingest.mineru.outcome import Parsed
from ingest.mineru.settings import Api, MineruSettings, ParseOptions, may_be_fetched
from ingest.xslides.stage import StageReport
from podium import doctor, pdf_parsing
from podium.pdf_parsing import chosen_parser, parser_name, read_mineru
from podium.settings import Layers
from tests.support.mineru_bench import write_pdf
from tests.support.project import ROOT
from warehouse import storage
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

KEY = "key-of-mineru-1234567890"
GUIDE = (ROOT / "docs" / "runbooks" / "setup.md").read_text(encoding="utf-8")


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WarehousePaths:
    monkeypatch.chdir(tmp_path)
    return WarehousePaths(tmp_path / "warehouse")


def layers(environment: dict[str, str], toml: dict[str, Any] | None = None) -> Layers:
    return Layers(environment, {}, toml or {})


def test_nothing_configured_is_pymupdf_with_one_notice(paths: WarehousePaths) -> None:
    parser = chosen_parser(paths)
    pdf = write_pdf(paths.root / "a.pdf", "A line of text")
    assert parser.told(StageReport("sources")).notes == ()
    assert "A line of text" in parser.read(pdf).visible_text
    (note,) = parser.told(StageReport("sources")).notes
    assert "PyMuPDF" in note and "MINERU_API_KEY" in note and "MINERU_API_URL" in note
    assert parser.told(StageReport("probes")).notes == ()


def test_pymupdf_that_was_asked_for_has_no_notice(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINERU_API_KEY", KEY)
    monkeypatch.setenv("XSLIDESBENCH_PDF_PARSER", "pymupdf")
    parser = chosen_parser(paths)
    parser.read(write_pdf(paths.root / "a.pdf", "text"))
    assert (parser.name, parser.told(StageReport("sources")).notes) == ("pymupdf", ())


def test_the_flag_goes_before_the_variable(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XSLIDESBENCH_PDF_PARSER", "mineru")
    assert chosen_parser(paths, "pymupdf").name == "pymupdf"


def test_mineru_demanded_and_not_configured_names_the_variables(paths: WarehousePaths) -> None:
    with pytest.raises(UsageError) as error:
        chosen_parser(paths, "mineru")
    for word in ("MINERU_API_KEY", "MINERU_API_URL", "XSLIDESBENCH_PDF_PARSER"):
        assert word in error.value.render()


@pytest.mark.parametrize("api", Api)
def test_what_is_kept_is_read_without_any_setting(api: Api, paths: WarehousePaths) -> None:
    known = write_pdf(paths.root / "a.pdf", "known")
    cache = MarkdownCache(paths.root / "mineru_cache")
    cache.put(storage.sha256_file(known), ParseOptions(api), Parsed("# Kept"))
    parser = chosen_parser(paths, "mineru")
    assert parser.read(known).visible_text == "# Kept"
    other = parser.read(write_pdf(paths.root / "b.pdf", "not known"))
    assert other.pages == () and "not_kept" in other.failure


def test_a_parser_that_is_none_is_refused(paths: WarehousePaths) -> None:
    with pytest.raises(UsageError, match="docling"):
        chosen_parser(paths, "docling")


def test_a_key_alone_asks_the_hosted_api() -> None:
    found = read_mineru(layers({"MINERU_API_KEY": KEY, "MINERU_BASE_URL": ""}))
    assert found is not None
    assert (found.options.api, found.base_url) == (Api.HOSTED, "https://mineru.net")
    assert KEY not in repr(found)


def test_with_both_the_own_server_is_asked_and_gets_no_key() -> None:
    both = {"MINERU_API_KEY": KEY, "MINERU_API_URL": "http://gpu.lan:8000/"}
    found = read_mineru(layers(both))
    assert found is not None
    assert (found.options.api, found.api_key) == (Api.OWN, None)
    assert found.base_url == "http://gpu.lan:8000"


def test_a_base_url_without_a_key_configures_nothing() -> None:
    assert read_mineru(layers({"MINERU_BASE_URL": "https://mirror.example"})) is None
    assert read_mineru(layers({})) is None


@pytest.mark.parametrize(
    ("variable", "value", "base_url"),
    [
        ("MINERU_BASE_URL", "https://mirror.example/api/v4/", "https://mirror.example"),
        ("MINERU_BASE_URL", "http://127.0.0.1:81", "http://127.0.0.1:81"),
        ("MINERU_API_URL", "http://gpu.lan/x/file_parse", "http://gpu.lan/x"),
    ],
)
def test_addresses_may_name_their_path(variable: str, value: str, base_url: str) -> None:
    found = read_mineru(layers({"MINERU_API_KEY": KEY, variable: value}))
    assert found is not None and found.base_url == base_url


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MINERU_BASE_URL", "http://mirror.example"),
        ("MINERU_BASE_URL", "mirror"),
        ("MINERU_API_URL", f"http://user:{KEY}@gpu.lan"),
        ("MINERU_API_KEY", "two\nlines"),
        ("PODIUM_MINERU_MODEL", "../x"),
        ("PODIUM_MINERU_LANGUAGE", "en us"),
        ("PODIUM_MINERU_TOTAL_SECONDS", "soon"),
        ("PODIUM_MINERU_TOTAL_SECONDS", "0"),
        ("PODIUM_MINERU_CONCURRENCY", "0"),
        ("PODIUM_MINERU_CONCURRENCY", "two"),
    ],
)
def test_a_value_that_cannot_be_used_names_its_variable(variable: str, value: str) -> None:
    environment = {"MINERU_API_KEY": KEY, variable: value}
    with pytest.raises(UsageError) as error:
        read_mineru(layers(environment))
    assert variable in error.value.render() and KEY not in error.value.render()


def test_settings_come_from_toml_but_never_the_key() -> None:
    toml = {"mineru_api_url": "http://gpu.lan", "mineru_model": "vlm-auto-engine"}
    found = read_mineru(layers({}, toml))
    assert found is not None and found.options.model == "vlm-auto-engine"
    assert parser_name(layers({}, {"pdf_parser": "pymupdf"})) == "pymupdf"
    with pytest.raises(UsageError) as error:
        read_mineru(layers({}, {"mineru_api_key": KEY}))
    assert KEY not in error.value.render()


def test_the_hosted_api_needs_a_key_and_an_own_server_takes_none() -> None:
    with pytest.raises(UsageError):
        MineruSettings(ParseOptions(Api.HOSTED), "https://mineru.net")
    with pytest.raises(UsageError):
        MineruSettings(ParseOptions(Api.OWN), "http://gpu.lan", ApiKey(KEY))


@pytest.mark.parametrize(
    ("url", "base_url", "may_be"),
    [
        ("https://cdn.example/x.zip?sig=1", "https://mineru.net", True),
        ("http://cdn.example/x.zip", "https://mineru.net", False),
        ("http://127.0.0.1:9/x", "http://127.0.0.1:8", True),
        ("http://127.0.0.1:9/x", "https://mineru.net", False),
        ("http://mineru.net/x", "https://mineru.net", False),
        ("https://[::1]/x", "https://mineru.net", False),
        ("https://127.1/x", "https://mineru.net", False),
        ("https://metadata/x", "https://mineru.net", False),
        ("https://cdn.example:x/", "https://mineru.net", False),
        ("https://cdn.example/\n", "https://mineru.net", False),
    ],
)
def test_which_addresses_of_a_reply_are_followed(url: str, base_url: str, may_be: bool) -> None:
    assert may_be_fetched(url, base_url) is may_be


@pytest.mark.parametrize(
    ("environment", "status", "found"),
    [
        ({}, "ok", "pymupdf, MinerU is not set"),
        ({"XSLIDESBENCH_PDF_PARSER": "pymupdf", "MINERU_API_KEY": KEY}, "ok", "pymupdf"),
        ({"MINERU_API_KEY": KEY}, "ok", "mineru, hosted: mineru.net, key set"),
        ({"MINERU_API_URL": "http://gpu.lan:8000/p"}, "ok", "mineru, own: gpu.lan:8000"),
        ({"XSLIDESBENCH_PDF_PARSER": "mineru"}, "warn", "mineru, from what is kept alone"),
        ({"XSLIDESBENCH_PDF_PARSER": "x"}, "warn", "there is no PDF parser `x`"),
        ({"MINERU_API_URL": "gpu"}, "warn", "the address in `MINERU_API_URL` cannot be used"),
    ],
)
def test_the_doctor_tells_the_parser(
    environment: dict[str, str], status: str, found: str, tmp_path: Path
) -> None:
    checks = doctor.examine(WarehousePaths(tmp_path), layers(environment))
    (check,) = [one for one in checks if one.name == "pdf parser"]
    assert (check.status, check.found) == (status, found)
    assert bool(check.fix) is (status != "ok")
    assert KEY not in repr(checks)


def test_the_guide_names_every_variable_and_the_defaults() -> None:
    rows = dict(re.findall(r"^\| `(\w*MINERU\w*|\w*PDF_PARSER)` \| (.*?) \|", GUIDE, re.MULTILINE))
    names = {
        value
        for name, value in vars(pdf_parsing).items()
        if name.isupper() and isinstance(value, str) and re.search("MINERU_|_PDF_", value)
    }
    assert set(rows) == names
    plain = MineruSettings(ParseOptions(Api.OWN), "http://h")
    assert rows["PODIUM_MINERU_MODEL"] == f"`{plain.options.model}`"
    assert rows["PODIUM_MINERU_LANGUAGE"] == f"`{plain.options.language}`"
    assert rows["PODIUM_MINERU_TOTAL_SECONDS"] == f"{plain.total_seconds:g}"
    assert rows["MINERU_BASE_URL"] == f"`{pdf_parsing.HOSTED_BASE_URL}`"
