"""Which module of the project imports which, read from the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("podium", "ingest", "warehouse", "expectations")


def module_files(root: Path) -> dict[str, Path]:
    """Return the file of every module of the project's packages, by dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def import_graph(root: Path) -> dict[str, set[str]]:
    """Return the project modules that each module imports, anywhere in its code."""
    files = module_files(root)
    return {
        module: {name for name in _imported(path, module, set(files)) if name not in ("", module)}
        for module, path in files.items()
    }


def find_circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle, or nothing."""
    done: set[str] = set()
    for start in sorted(graph):
        circle = _walk(graph, start, [], done)
        if circle:
            return circle
    return []


def _walk(graph: dict[str, set[str]], name: str, path: list[str], done: set[str]) -> list[str]:
    if name in path:
        return [*path[path.index(name) :], name]
    if name in done:
        return []
    for other in sorted(graph[name]):
        circle = _walk(graph, other, [*path, name], done)
        if circle:
            return circle
    done.add(name)
    return []


def _imported(path: Path, module: str, known: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (_nearest(alias.name, known) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, path, module)
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if whole in known else _nearest(base, known)


def _base(node: ast.ImportFrom, path: Path, module: str) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    up = node.level - (path.name == "__init__.py")
    kept = parts[: len(parts) - up]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _nearest(name: str, known: set[str]) -> str:
    """Return the name when it is a module of the project, else nothing."""
    return name if name in known else ""
