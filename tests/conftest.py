"""Built warehouses that whole test modules share, since every build costs seconds."""

from __future__ import annotations

import pytest

from tests.support import golden_trees
from tests.support.random_trees import plant
from tests.support.worlds import World, build_world

RANDOM_TREES = 200


@pytest.fixture(scope="session")
def random_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("random_world")
    return build_world(root, [plant(root, seed) for seed in range(RANDOM_TREES)])


@pytest.fixture(scope="session")
def golden_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("golden_world")
    return build_world(root, golden_trees.plant_all(root))
