"""Settings of a command: flag, then environment, then `.env`, then `podium.toml`, then default."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from warehouse.errors import InputError
from warehouse.paths import WarehousePaths, default_root

TOML_FILE = "podium.toml"
ENV_FILE = ".env"


@dataclass(frozen=True)
class Layers:
    """Where settings come from below the flags; earlier layers win."""

    environment: dict[str, str]
    dotenv: dict[str, str]
    toml: dict[str, Any]

    def text(self, variable: str, toml_key: str) -> str | None:
        """Return a setting by its variable, else by its key in podium.toml, else None."""
        for layer in (self.environment, self.dotenv):
            if layer.get(variable):
                return layer[variable]
        value = self.toml.get(toml_key)
        return str(value) if value is not None else None


def read_layers(folder: Path | None = None) -> Layers:
    """Return the layers as they stand in a folder (the working folder by default)."""
    folder = folder or Path.cwd()
    return Layers(dict(os.environ), _read_dotenv(folder / ENV_FILE), read_toml(folder))


def read_toml(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's podium.toml; nothing when it has none.

    Raises:
        InputError: when the file is no TOML.
    """
    path = folder / TOML_FILE
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"`{path}` cannot be read", got=str(error)) from None


def warehouse_paths(flag: Path | None) -> WarehousePaths:
    """Return the warehouse that a command works on.

    Args:
        flag: what `--warehouse` said.
    """
    stated = read_layers().text("PODIUM_WAREHOUSE", "warehouse") if flag is None else str(flag)
    root = Path(stated).expanduser() if stated else default_root()
    return WarehousePaths(root.absolute())


def dataset_id_of(root: Path, flag: str | None) -> str:
    """Return the dataset id of an artifact root: flag, else its podium.toml, else its name."""
    stated = flag or read_toml(root).get("dataset") if root.is_dir() else flag
    return str(stated) if stated else root.resolve().name


def code_version() -> str:
    """Return the version of the installed package."""
    try:
        return metadata.version("podium-bench")
    except metadata.PackageNotFoundError:
        return "unknown"


def _read_dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    values = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        name, found, value = line.strip().removeprefix("export ").partition("=")
        if found and name and not name.startswith("#"):
            values[name.strip()] = value.strip().strip("'\"")
    return values
