"""A published searchgen folder as it is read for the recount: its manifest and its prompts.

The second implementation begins here: nothing of the exporter or of the SQL is used, and
component lists, scale and policies are those that the manifest states. What cannot be read is
a finding and never a guess.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warehouse import jsonl
from warehouse.errors import InputError
from warehouse.findings import Finding

MANIFEST = "manifest.json"
PROMPT_SCORES = "prompt_scores.jsonl"
SCORED = "scored"

FILES_READ = "files_can_be_read"
HASHES = "artifact_hashes_hold"
LISTED = "artifacts_are_those_of_the_manifest"

Row = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """One model of the manifest; `fills` holds the statuses that count as zeros."""

    source_id: str
    model_id: str
    display_name: str
    type: str
    policy_name: str
    fills: frozenset[str]


@dataclass(frozen=True)
class Rules:
    """What the manifest states about the numbers."""

    nine: tuple[str, ...]
    ten: tuple[str, ...]
    low: float
    high: float
    decimals: int
    coverage_decimals: int
    primary: str
    statuses: tuple[str, ...]
    minimum_coverage: float
    whole_slice: str
    models: tuple[Model, ...]


@dataclass(frozen=True)
class Prompt:
    """One line of prompt_scores.jsonl; `records` are its models by source_id."""

    line: int
    content: Row
    records: dict[str, Row]

    @property
    def sample_id(self) -> str:
        """Return the id of the prompt."""
        return str(self.content.get("sample_id"))

    def tags(self, name: str) -> list[Any]:
        """Return a list of tags, empty when the line has none."""
        found = self.content.get(name)
        return found if isinstance(found, list) else []


@dataclass(frozen=True)
class Folder:
    """A published folder that could be read.

    Attributes:
        manifest: as it stands.
        prompts: lines of prompt_scores.jsonl that are objects, in file order.
        boards: content of the other JSON files by name.
        findings: what could not be read, and hashes that do not hold.
    """

    path: Path
    manifest: Row
    rules: Rules
    prompts: tuple[Prompt, ...]
    boards: dict[str, Any]
    findings: tuple[Finding, ...] = field(default_factory=tuple)


def read(path: Path) -> Folder:
    """Read a published folder.

    Raises:
        InputError: when it has no manifest that states how the numbers are made.
    """
    try:
        manifest = jsonl.read_json(path / MANIFEST)
        rules = _rules(manifest)
    except (OSError, jsonl.StrictJsonError) as error:
        raise InputError(
            f"`{path}` holds no published release of searchgen",
            expected=f"a folder with {MANIFEST} and {PROMPT_SCORES}",
            got=str(error),
            fix="podium publish searchgen --out DIR",
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"`{path / MANIFEST}` does not state how its numbers are made",
            expected="scoring, models and statuses as podium publish searchgen writes them",
            got=f"{type(error).__name__}: {str(error)[:200]}",
            fix="podium publish searchgen --out DIR",
        ) from error
    findings = list(_check_files(path, manifest))
    prompts, found = _prompts(path)
    boards, unread = _boards(path, manifest)
    return Folder(path, manifest, rules, prompts, boards, (*findings, *found, *unread))


def _rules(manifest: Row) -> Rules:
    scoring = manifest["scoring"]
    low, high = (float(one) for one in scoring["scale_raw"])
    models = []
    for model_id, one in sorted(manifest["models"].items()):
        policies = one["missing_policies"]
        fills = frozenset(status for status, rule in policies.items() if rule == "zero_fill")
        names = (str(one["display_name"]), str(one["type"]), str(one["missing_policy"]))
        models.append(Model(str(one["source_id"]), model_id, *names, fills))
    if not models or not scoring["overall_9_components"]:
        raise ValueError("no models or no components")
    return Rules(
        tuple(scoring["overall_9_components"]),
        tuple(scoring["overall_10_components"]),
        low,
        high,
        int(scoring["public_rounding_decimals"]),
        int(scoring["public_coverage_decimals"]),
        str(scoring["primary_metric"]),
        tuple(manifest["statuses"]),
        float(manifest["minimum_coverage"]),
        str(manifest["output_slice"]),
        tuple(models),
    )


def _check_files(path: Path, manifest: Row) -> Iterator[Finding]:
    """Hold every file against its hash, and the folder against the list."""
    stated = manifest.get("artifact_files")
    stated = stated if isinstance(stated, dict) else {}
    there = {one.name for one in path.iterdir()}
    for name in sorted(there - set(stated) - {MANIFEST}):
        yield Finding(LISTED, name, "the manifest does not list it", name)
    for name in sorted({PROMPT_SCORES} - set(stated)):
        yield Finding(LISTED, name, "the manifest does not list it", MANIFEST)
    for name in sorted(stated):
        # A name comes from a file, and must not lead out of the folder.
        if name not in there or (path / name).is_symlink() or not (path / name).is_file():
            yield Finding(LISTED, name, "the manifest lists it and it is not there", MANIFEST)
            continue
        expected = stated[name] if isinstance(stated[name], dict) else {}
        with (path / name).open("rb") as handle:
            digest = hashlib.file_digest(handle, "sha256").hexdigest()
        if digest != expected.get("sha256"):
            message = f"its SHA-256 is {digest}, the manifest says {expected.get('sha256')}"
            yield Finding(HASHES, name, message, name)
        elif (path / name).stat().st_size != expected.get("bytes"):
            yield Finding(HASHES, name, "its size is not that of the manifest", name)


def _prompts(path: Path) -> tuple[tuple[Prompt, ...], list[Finding]]:
    try:
        content = jsonl.read_jsonl(path / PROMPT_SCORES)
    except OSError as error:
        return (), [Finding(FILES_READ, PROMPT_SCORES, str(error), PROMPT_SCORES)]
    findings = [
        Finding(FILES_READ, one.reason, one.message, PROMPT_SCORES, one.line)
        for one in content.rejects
    ]
    prompts = []
    for row in content.rows:
        models = row.value.get("models")
        records = models if isinstance(models, dict) else {}
        whole = {key: one for key, one in records.items() if isinstance(one, dict)}
        if not isinstance(models, dict) or len(whole) != len(models):
            message = "`models` is no object of objects"
            subject = str(row.value.get("sample_id"))
            findings.append(Finding(FILES_READ, subject, message, PROMPT_SCORES, row.line))
        prompts.append(Prompt(row.line, row.value, whole))
    return tuple(prompts), findings


def _boards(path: Path, manifest: Row) -> tuple[dict[str, Any], list[Finding]]:
    boards: dict[str, Any] = {}
    findings = []
    for one in sorted(path.glob("leaderboard_*.json*")):
        if one.is_symlink() or not one.is_file():
            continue
        try:
            if one.suffix == ".jsonl":
                content = jsonl.read_jsonl(one)
                boards[one.name] = [row.value for row in content.rows]
                findings += [
                    Finding(FILES_READ, bad.reason, bad.message, one.name, bad.line)
                    for bad in content.rejects
                ]
            else:
                boards[one.name] = jsonl.parse(one.read_bytes())
        except (OSError, jsonl.StrictJsonError) as error:
            findings.append(Finding(FILES_READ, one.name, str(error), one.name))
    return boards, findings
