"""JAX worlds compared with published and object-oriented ones from equal draws."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import functools

import jax
from craftax_golden import load
from craftax_jax import config

from crafter.games.craftax import parity
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax import worldgen
from crafter.games.craftax.jax.state import EnvParams

WORLDS = 4
_words = np.arange(WORLDS * 4, dtype=np.uint32).reshape(WORLDS, 4) * 7919 + 1


@functools.cache
def compiled(rules="published"):
    """Returns a compiled function that makes worlds from draws."""
    return jax.jit(
        lambda draws, params: worldgen.generate(config(rules), params, draws, _words)
    )


@functools.cache
def drawn():
    """Returns the draws of some worlds."""
    draw = jax.jit(
        jax.vmap(lambda words: worldgen.draw(config("published"), EnvParams(), words))
    )
    both = jax.device_get(draw(_words))
    return [{name: value[i] for name, value in both.items()} for i in range(WORLDS)]


def assert_same(level, world):
    level = jax.device_get(level)
    dark = list(t.DARK_FLOORS)
    np.testing.assert_array_equal(level.cells & t.BLOCK_MASK, world["map"])
    np.testing.assert_array_equal(level.cells >> t.ITEM_SHIFT, world["item_map"])
    np.testing.assert_array_equal(level.down_ladders, world["down_ladders"])
    np.testing.assert_array_equal(level.up_ladders, world["up_ladders"])
    np.testing.assert_array_equal(level.potion_mapping, world["potion_mapping"])
    np.testing.assert_allclose(level.dark_light, world["light_map"][dark], atol=1e-6)
    lit = np.delete(world["light_map"], dark, axis=0)
    assert (lit == 1).all()


@pytest.mark.parametrize("number", [0, 1])
def test_worlds_are_the_published_ones(number):
    data, worlds = load("world-draws"), load("worlds")
    draws = {}
    for name, values in data.items():
        value = values[number]
        whole = value.dtype.kind in "iu"
        draws[name] = value.astype(np.int32) if whole else value
    del draws["world"]
    draws["smooth.diamond_u"] = np.float32(0)
    level = compiled()(draws, EnvParams())
    assert_same(level, {name: value[number] for name, value in worlds.items()})


@pytest.mark.parametrize("number", range(WORLDS))
def test_worlds_are_those_of_the_object_oriented_game(number):
    draws = drawn()[number]
    assert_same(compiled()(draws, EnvParams()), parity.world(draws))


def test_a_diamond_can_be_asked_for():
    params, draws = EnvParams(always_diamond=True), drawn()[0]
    assert_same(compiled()(draws, params), parity.world(draws, always_diamond=True))


@pytest.mark.slow
def test_repaired_worlds_are_those_of_the_object_oriented_game():
    differences = 0
    for draws in drawn():
        # Both ladders fall on one cell, which must be repaired.
        for name in ("smooth", "room"):
            draws = draws | {f"{name}.ladder_up_u": draws[f"{name}.ladder_down_u"]}
        world = parity.world(draws, "repaired")
        assert_same(compiled("repaired")(draws, EnvParams()), world)
        differences += (world["up_ladders"] != parity.world(draws)["up_ladders"]).any()
    assert differences == WORLDS


def test_draws_are_in_range():
    for draws in drawn():
        size = draws["room.size"]
        assert size.min() >= 5 and size.max() <= 9
        for floor in draws["room.chunk"]:
            assert len({tuple(chunk) for chunk in floor.tolist()}) == len(floor)
        assert draws["room.offset"].min() >= 0 and draws["room.offset"].max() <= 10
        for name in ("room.chest_offset", "room.fountain_offset"):
            assert (draws[name] >= 1).all() and (draws[name] <= size - 2).all()
        rooms = np.arange(8)
        to = draws["room.corridor_to"]
        assert ((to == 7) | (to < rooms)).all()
        assert 0.08 < draws["room.rare"].mean() < 0.12
        assert sorted(draws["potion_mapping"].tolist()) == list(range(6))
        reals = [value for value in draws.values() if value.dtype == np.float32]
        assert all((value >= 0).all() and (value < 1).all() for value in reals)
    first, second, *_ = drawn()
    assert all((first[name] != second[name]).any() for name in first)


@pytest.mark.slow
def test_directions_of_noise_can_be_given():
    angles = np.linspace(0, 1, 16, dtype=np.float32).reshape(4, 4)
    params = EnvParams(fractal_noise_angles=(angles, None, None, None))
    draws = jax.jit(lambda words: worldgen.draw(config("published"), params, words))(
        _words[0]
    )
    assert (np.asarray(draws["smooth.water_angle"]) == angles).all()
    wrong = EnvParams(fractal_noise_angles=(None, angles[:3], None, None))
    with pytest.raises(ValueError, match=r"shape \(4, 4\).*mountain.*\(3, 4\)"):
        jax.eval_shape(
            lambda words: worldgen.draw(config("published"), wrong, words), _words[0]
        )
