"""Decks of one case that should differ and do not: a sign of content that was shared.

Generators cache by source alone, so a deck made for one audience can come out again for another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

from ingest.xslides.tree import ArtifactTree, DeckKey, is_plain_file
from warehouse import storage
from warehouse.findings import Finding, Outcome


def find_twins(tree: ArtifactTree, run: str, cases: Collection[str] | None = None) -> list[Finding]:
    """Return a warning for each set of equal decks of one system and case in a run.

    Args:
        tree: the artifact tree.
        run: name of the run.
        cases: labels of the cases to look at; None looks at all.
    """
    groups: dict[tuple[str, str], list[DeckKey]] = defaultdict(list)
    for key in tree.deck_keys(run):
        if cases is None or key.case_label in cases:
            groups[key.system_id, key.case_label].append(key)
    return [finding for keys in groups.values() for finding in _twins(tree, run, keys)]


def _twins(tree: ArtifactTree, run: str, keys: list[DeckKey]) -> Iterator[Finding]:
    by_size: dict[int, dict[DeckKey, list[Path]]] = defaultdict(lambda: defaultdict(list))
    for key in keys:
        for path in tree.deck_folder(run, key).iterdir():
            if is_plain_file(path):
                by_size[path.stat().st_size][key].append(path)
    for files in by_size.values():
        if len(files) < 2:
            continue  # only equal sizes are worth a hash
        by_hash: dict[str, set[DeckKey]] = defaultdict(set)
        for key, paths in files.items():
            for path in paths:
                by_hash[storage.sha256_file(path)].add(key)
        for sha256, equal in sorted(by_hash.items()):
            if len(equal) > 1:
                yield _finding(sorted(equal), sha256)


def _finding(keys: list[DeckKey], sha256: str) -> Finding:
    places = ", ".join(f"{key.condition}/{key.audience}" for key in keys)
    return Finding(
        "decks_of_one_case_differ",
        f"{keys[0].system_id}/{keys[0].case_label}",
        f"{places} are the same file ({sha256[:12]}); look for a cache that audiences share",
        outcome=Outcome.WARNED,
    )
