"""World generation: the rules applied cell by cell."""

import math

import numpy as np
import opensimplex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter import constants
from crafter.core.stream import episode_seed
from crafter.engine import World
from crafter.objects import Player
from crafter.worldgen import generate


def make_world(area, seed):
    world = World(area, seed)
    player = Player(world, (area[0] // 2, area[1] // 2))
    world.add(player)
    generate(world, player)
    return world


# The rules, cell by cell, with the noise of the package `opensimplex`.


class Reference:
    """World generation as one would tell it; slow."""

    def __init__(self, area, seed):
        self.random = np.random.RandomState(seed)
        simplex = opensimplex.OpenSimplex(self.random.randint(0, 2**31 - 1))
        self.noise3 = simplex.noise3
        self.player = (area[0] // 2, area[1] // 2)
        self.tunnels = set()
        cells = list(np.ndindex(area))
        self.materials = {cell: self.material(*cell) for cell in cells}
        self.objects = [("player", self.player)]
        self.objects += [(o, c) for c in cells if (o := self.creature(*c))]

    def noise(self, x, y, z, *octaves, divide=True):
        total = sum(w * self.noise3(x / size, y / size, z) for size, w in octaves)
        return total / sum(w for _, w in octaves) if divide else total

    def above(self, threshold):
        return self.random.uniform() > threshold

    def distance(self, x, y):
        return math.sqrt((x - self.player[0]) ** 2 + (y - self.player[1]) ** 2)

    def material(self, x, y):
        start = 4 - self.distance(x, y) + 2 * self.noise(x, y, 8, (3, 1))
        start = 1 / (1 + math.exp(-start))
        water = self.noise(x, y, 3, (15, 1), (5, 0.15), divide=False) + 0.1
        water -= 2 * start
        mountain = self.noise(x, y, 0, (15, 1), (5, 0.3))
        mountain -= 4 * start + 0.3 * water
        if start > 0.5:
            return "grass"
        if mountain > 0.15:
            return self.rock(x, y, mountain)
        if 0.25 < water <= 0.35 and self.noise(x, y, 4, (9, 1)) > -0.2:
            return "sand"
        if water > 0.3:
            return "water"
        if self.noise(x, y, 5, (7, 1)) > 0 and self.above(0.8):
            return "tree"
        return "grass"

    def rock(self, x, y, mountain):
        if self.noise(x, y, 6, (7, 1)) > 0.15 and mountain > 0.3:
            return "path"
        if (
            self.noise(2 * x, y / 5, 7, (3, 1)) > 0.4
            or self.noise(x / 5, 2 * y, 7, (3, 1)) > 0.4
        ):
            self.tunnels.add((x, y))
            return "path"
        if self.noise(x, y, 1, (8, 1)) > 0 and self.above(0.85):
            return "coal"
        if self.noise(x, y, 2, (6, 1)) > 0.4 and self.above(0.75):
            return "iron"
        if mountain > 0.18 and self.above(0.994):
            return "diamond"
        if mountain > 0.3 and self.noise(x, y, 6, (5, 1)) > 0.35:
            return "lava"
        return "stone"

    def creature(self, x, y):
        material, distance = self.materials[x, y], self.distance(x, y)
        if material not in ("grass", "sand", "path"):
            return None
        if distance > 3 and material == "grass" and self.above(0.985):
            return "cow"
        if distance > 10 and self.above(0.993):
            return "zombie"
        if (x, y) in self.tunnels and self.above(0.95):
            return "skeleton"
        return None


def assert_follows_the_rules(area, seed):
    world, reference = make_world(area, seed), Reference(area, seed)
    assert {cell: world[cell][0] for cell in np.ndindex(area)} == reference.materials
    objects = [(obj.kind, obj.position) for obj in world.objects]
    assert objects == reference.objects
    key, position = world.random.get_words()
    expected = reference.random.get_state(legacy=False)["state"]
    np.testing.assert_array_equal(key, expected["key"])
    assert position == expected["pos"]
    return reference


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.tuples(st.integers(1, 40), st.integers(1, 40)).filter(
        lambda area: area[0] * area[1] <= 600
    ),
    st.integers(0, 2**31 - 2),
)
def test_worlds_follow_the_rules(area, seed):
    assert_follows_the_rules(area, seed)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_rule_of_the_terrain_is_met(seed):
    reference = assert_follows_the_rules((64, 64), episode_seed(seed, 1))
    natural = set(constants.materials) - {"table", "furnace"}
    assert set(reference.materials.values()) == natural
    assert len(reference.tunnels) == {0: 174, 1: 241, 2: 174}[seed]
    assert {kind for kind, _ in reference.objects} == {
        "player",
        "cow",
        "zombie",
        "skeleton",
    }
