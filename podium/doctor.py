"""What this machine has and lacks for the job: one line a check, with what to do about it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from ingest.endpoint.settings import RoleSettings
from podium import settings
from podium.endpoint_settings import read_endpoint
from podium.pdf_parsing import MINERU, PYMUPDF, parser_name, read_mineru
from podium.settings import Layers
from warehouse import manifests, states
from warehouse.errors import PodiumError, UsageError
from warehouse.paths import WarehousePaths

OK, WARN, FAIL = "ok", "warn", "fail"
PACKAGES = ("duckdb", "dbt-core", "dbt-duckdb", "pymupdf", "great-expectations", "pyarrow")
LEAST_FREE_BYTES = 512 * 1024**2
COMFORTABLE_FREE_BYTES = 5 * 1024**3
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OFFICES = ("soffice", "libreoffice")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what.
        status: ok, warn (some command will miss it) or fail (nothing will work).
        found: what is there; never a key.
        fix: what to do, blank when nothing.
    """

    name: str
    status: str
    found: str
    fix: str = ""


def examine(paths: WarehousePaths, layers: Layers) -> list[Check]:
    """Return all checks of a machine and a warehouse, in a fixed order.

    Args:
        paths: the warehouse; nothing is made in it.
        layers: settings as a command sees them.
    """
    return [
        *_versions(),
        _writable(paths),
        _disk(paths),
        _lock(paths),
        _current(paths),
        _endpoint(layers),
        _pdf_parser(layers),
        _browser(),
        _program("java", _java(), "install a Java runtime 17 or newer, for Spark only"),
        _program("libreoffice", _which(_OFFICES), "install LibreOffice, to draw decks only"),
    ]


def _versions() -> Iterator[Check]:
    version = platform.python_version_tuple()
    is_new = (int(version[0]), int(version[1])) >= (3, 11)
    fix = "" if is_new else "use Python 3.11 or newer"
    yield Check("python", OK if is_new else FAIL, platform.python_version(), fix)
    yield Check("podium", OK, settings.code_version())
    asked = _requirements()
    for name in PACKAGES:
        bounds = asked.get(name, "")
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Check(name, FAIL, "not installed", "make demo installs the pins")
            continue
        fits = _fits(found, bounds)
        fix = "" if fits else f"needs {bounds}: make demo installs the pins"
        yield Check(name, OK if fits else FAIL, found, fix)


def _requirements() -> dict[str, str]:
    """Return the version bounds of the main dependencies, by package."""
    try:
        lines = metadata.requires("podium-bench") or []
    except metadata.PackageNotFoundError:
        lines = []
    found = (re.fullmatch(r"([A-Za-z0-9._-]+)\s*([<>=!~0-9.,]*)", line) for line in lines)
    return {one[1].lower().replace("_", "-"): one[2] for one in found if one}


def _fits(version: str, bounds: str) -> bool:
    """Return whether a version keeps bounds such as `>=1.11,<1.12`."""
    number = _number(version)
    for bound in filter(None, bounds.split(",")):
        if bound.startswith(">=") and number < _number(bound[2:]):
            return False
        if bound.startswith("<") and number >= _number(bound[1:]):
            return False
    return True


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _writable(paths: WarehousePaths) -> Check:
    folder = _nearest(paths.root)
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Check("warehouse", OK, str(paths.root))
    except OSError as error:
        fix = "give --warehouse DIR or set PODIUM_WAREHOUSE"
        return Check("warehouse", FAIL, f"{paths.root}: {error.strerror}", fix)


def _disk(paths: WarehousePaths) -> Check:
    free = shutil.disk_usage(_nearest(paths.root)).free
    found = f"{free / 1024**3:.1f} GiB free"
    if free < LEAST_FREE_BYTES:
        return Check("disk", FAIL, found, "free some space: podium vacuum tells what can go")
    if free < COMFORTABLE_FREE_BYTES:
        return Check("disk", WARN, found, "large builds spill to disk; podium vacuum frees some")
    return Check("disk", OK, found)


def _lock(paths: WarehousePaths) -> Check:
    if not paths.lock_file.exists():
        return Check("lock", OK, "free")
    lock = FileLock(paths.lock_file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        holder = paths.lock_file.with_suffix(".holder")
        name = holder.read_text(encoding="utf-8").strip() if holder.exists() else "unknown"
        return Check("lock", WARN, f"held by {name}", "builds have to wait for it")
    except OSError as error:
        return Check("lock", WARN, str(error.strerror), "builds cannot take the lock")
    lock.release()
    return Check("lock", OK, "free")


def _current(paths: WarehousePaths) -> Check:
    try:
        state = states.current(paths)
        present = manifests.state_id(manifests.read_all(paths))
    except (PodiumError, ValueError, KeyError, OSError) as error:
        found = str(error).splitlines()[0]
        return Check("current", FAIL, found, "podium build --force")
    if state is None:
        return Check("current", WARN, "nothing is built yet", "podium demo, or podium build")
    if not state.folder.name.endswith(f"-{present[-8:]}"):
        found = f"{state.release_id}, older than what is landed"
        return Check("current", WARN, found, "podium build")
    return Check("current", OK, f"{state.release_id}, built from what is landed")


def _endpoint(layers: Layers) -> Check:
    """Tell who judges: host, model and whether a key is set, by role where they differ."""
    try:
        configured = read_endpoint(layers)
    except UsageError as error:
        return Check("endpoint", WARN, error.what, error.fix or "see docs/endpoints.md")
    if configured is None:
        fix = "set PODIUM_JUDGE_BASE_URL and PODIUM_JUDGE_MODEL; without them rules judge, offline"
        return Check("endpoint", WARN, "not configured", fix)
    told = {role: _told(one) for role, one in configured.roles.items()}
    if len(set(told.values())) == 1:
        return Check("endpoint", OK, next(iter(told.values())))
    return Check("endpoint", OK, "; ".join(f"{role}: {text}" for role, text in told.items()))


def _told(role: RoleSettings) -> str:
    key = "no key" if role.api_key is None else "key set"
    return f"{_host(role.base_url) or 'unknown host'}, {role.model}, {key}"


def _pdf_parser(layers: Layers) -> Check:
    """Tell which parser would read PDF sources; neither a key nor a path of an address."""
    try:
        name = parser_name(layers)
        configured = None if name == PYMUPDF else read_mineru(layers)
    except UsageError as error:
        return Check("pdf parser", WARN, error.what, error.fix or "see docs/runbooks/setup.md")
    if configured is not None:
        host = _host(configured.base_url) or "unknown host"
        key = ", key set" if configured.api_key is not None else ""
        return Check("pdf parser", OK, f"mineru, {configured.options.api.value}: {host}{key}")
    if name == MINERU:
        fix = "set MINERU_API_KEY or MINERU_API_URL"
        return Check("pdf parser", WARN, "mineru, from what is kept alone", fix)
    return Check("pdf parser", OK, "pymupdf" if name == PYMUPDF else "pymupdf, MinerU is not set")


def _host(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    return f"{parts.hostname}{port}" if parts.scheme and parts.hostname else None


def _browser() -> Check:
    found = _which(_BROWSERS) or _downloaded_browser()
    return _program("browser", found, "playwright install chromium, to test pages only")


def _downloaded_browser() -> str | None:
    stated = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folder = Path(stated) if stated else Path.home() / ".cache" / "ms-playwright"
    found = sorted(folder.glob("chromium*")) if folder.is_dir() else []
    return str(found[-1]) if found else None


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    own = Path(home) / "bin" / "java" if home else None
    return str(own) if own is not None and own.is_file() else shutil.which("java")


def _which(names: tuple[str, ...]) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _program(name: str, path: str | None, fix: str) -> Check:
    return Check(name, OK, path) if path else Check(name, WARN, "not found", fix)


def _nearest(folder: Path) -> Path:
    """Return the folder itself, or the nearest one above it that is there."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())
