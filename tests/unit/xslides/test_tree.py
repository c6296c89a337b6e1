from __future__ import annotations

from pathlib import Path

import pytest

from ingest.xslides.tree import ArtifactTree, DeckKey, check_name, join_variant, split_variant
from warehouse.errors import InputError


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", ".hidden", "~$x", "a\0", "x" * 300])
def test_a_name_that_could_leave_its_folder_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        check_name("case label", name)


def test_names_are_composed() -> None:
    assert check_name("case label", "re\u0301sume\u0301") == "r\u00e9sum\u00e9"


def test_variants_split_and_join() -> None:
    assert split_variant("case_000@k5") == ("case_000", "k5")
    assert split_variant("case_000") == ("case_000", None)
    assert split_variant("@k5") == ("@k5", None)
    assert join_variant("case_000", "k5") == "case_000@k5"
    assert join_variant("case_000", None) == "case_000"


def test_paths_follow_the_layout(tmp_path: Path) -> None:
    tree = ArtifactTree(tmp_path)
    key = DeckKey("ours", "agnostic", "agnostic", "c1")
    assert tree.relative(tree.deck_folder("r", key)) == "runs/r/decks/ours/agnostic/agnostic/c1"
    assert tree.relative(tree.weights_file("c1@v", "learners")) == (
        "probes/c1@v/weights/learners.jsonl"
    )


def test_nothing_outside_the_root_is_named(tmp_path: Path) -> None:
    root = tmp_path / "data"
    root.mkdir()
    (tmp_path / "secret.txt").write_text("x")
    (root / "link").symlink_to(tmp_path)
    tree = ArtifactTree(root)
    assert tree.inside("../secret.txt") is None
    assert tree.inside("/etc/passwd") is None
    assert tree.inside("link/secret.txt") is None
    assert tree.inside("sources/a.pdf") == root / "sources/a.pdf"


def test_banks_of_one_case_are_found_with_their_variants(tmp_path: Path) -> None:
    for name in ("c1", "c1@k5", "c10"):
        (tmp_path / "probes" / name).mkdir(parents=True)
    assert ArtifactTree(tmp_path).bank_folders("c1") == ["c1", "c1@k5"]
