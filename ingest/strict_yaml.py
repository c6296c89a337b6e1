"""YAML of strangers, read strictly: one plain document, no key twice, nothing shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from warehouse import storage
from warehouse.errors import InputError

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 32
_TEXT_TAG = "tag:yaml.org,2002:str"


def read_yaml(path: Path) -> tuple[dict[str, Any], str]:
    """Return the object that a YAML file holds, and the SHA-256 of the file.

    Raises:
        InputError: when the file cannot be read, is too large, no YAML, repeats a key, uses
            an alias or a merge key, has a key that is no text, or holds no object.
    """
    try:
        content = path.read_bytes()
        if len(content) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        value = _parse(content.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        got = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"`{path}` cannot be read as YAML", got=got[:500]) from None
    if not isinstance(value, dict):
        raise InputError(f"`{path}` holds no object", expected="keys and values")
    return value, storage.sha256_bytes(content)


def _parse(text: str) -> Any:
    # A few lines of aliases stand for more values than fit in memory, and a few thousand
    # brackets keep the loader busy for minutes.
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > MAX_DEPTH:
            problem = "aliases are refused" if depth <= MAX_DEPTH else f"deeper than {MAX_DEPTH}"
            raise ValueError(f"line {event.start_mark.line + 1}: {problem}")
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is not None:
        _check_keys(node)
    return yaml.safe_load(text)


def _check_keys(node: yaml.Node) -> None:
    """Refuse keys that the loader would take in silence: repeated ones, merges, no texts."""
    if isinstance(node, yaml.SequenceNode):
        for one in node.value:
            _check_keys(one)
    if not isinstance(node, yaml.MappingNode):
        return
    seen = set()
    for key, value in node.value:
        if key.tag != _TEXT_TAG:
            raise ValueError(f"line {key.start_mark.line + 1}: key {key.value!a:.60} is no text")
        if key.value in seen:
            raise ValueError(f"line {key.start_mark.line + 1}: key `{key.value}` stands twice")
        seen.add(key.value)
        _check_keys(value)
