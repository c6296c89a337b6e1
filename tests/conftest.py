"""Built warehouses that whole test modules share, since every build costs seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support import (
    golden_answers,
    golden_retrieval,
    golden_scores,
    golden_searchgen,
    golden_trees,
    random_searchgen,
    stratified_searchgen,
)
from tests.support.random_trees import plant
from tests.support.worlds import World, build_world

RANDOM_TREES = 200
RANDOM_RELEASES = 16
# What would have a test send a file to somebody, or read it with another parser.
FOREIGN_SETTINGS = ("MINERU_", "XSLIDESBENCH_", "PODIUM_MINERU_")


@pytest.fixture(scope="session", autouse=True)
def no_settings_of_the_machine() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(FOREIGN_SETTINGS)]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def random_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("random_world")
    return build_world(root, [plant(root, seed) for seed in range(RANDOM_TREES)])


@pytest.fixture(scope="session")
def golden_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("golden_world")
    return build_world(root, golden_trees.plant_all(root))


@pytest.fixture(scope="session")
def searchgen_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("searchgen_world")
    drawn = [random_searchgen.draw_release(seed) for seed in range(RANDOM_RELEASES)]
    files = [random_searchgen.plant(root, one) for one in drawn]
    files += [*golden_searchgen.plant_all(root), *random_searchgen.plant_twice(root)]
    files.append(random_searchgen.plant(root, stratified_searchgen.stratified()))
    return random_searchgen.build_releases(root, files)


@pytest.fixture(scope="session")
def answers_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return golden_answers.build(tmp_path_factory.mktemp("answers_world"))


@pytest.fixture(scope="session")
def scores_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return golden_scores.build_all(tmp_path_factory.mktemp("scores_world"))


@pytest.fixture(scope="session")
def library_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return golden_retrieval.build_library(tmp_path_factory.mktemp("library_world"))
