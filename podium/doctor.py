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

from podium import settings
from podium.settings import Layers
from warehouse import manifests, states
from warehouse.errors import PodiumError
from warehouse.paths import WarehousePaths

OK, WARN, FAIL = "ok", "warn", "fail"
PACKAGES = ("duckdb", "dbt-core", "dbt-duckdb", "pymupdf", "great-expectations", "pyarrow")
LEAST_FREE_BYTES = 512 * 1024**2
COMFORTABLE_FREE_BYTES = 5 * 1024**3
_BASE_URLS = ("PODIUM_JUDGE_BASE_URL", "OPENAI_BASE_URL")
_KEYS = ("PODIUM_JUDGE_API_KEY", "OPENAI_API_KEY")
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
    """Tell host and whether a key is set; neither the key nor other parts of the address."""
    url = next((text for name in _BASE_URLS if (text := layers.text(name, name.lower()))), None)
    has_key = any(layers.text(name, name.lower()) for name in _KEYS)
    key = "key set" if has_key else "no key"
    if url is None and not has_key:
        fix = "set OPENAI_BASE_URL and OPENAI_API_KEY; the offline judge needs neither"
        return Check("endpoint", WARN, "not configured", fix)
    host = "default address" if url is None else _host(url)
    if host is None:
        return Check("endpoint", WARN, "address is no URL", "e.g. https://host/v1")
    return Check("endpoint", OK, f"{host}, {key}")


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
