"""JAX images must equal those of the object-oriented game."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import functools

import craftax_convert
import jax
from craftax_jax import GAMES, batches, config

from crafter.games.craftax import fields
from crafter.games.craftax.jax import views
from crafter.games.craftax.parameters import make
from crafter.games.craftax.views import FrameView

FRAME = FrameView()


@functools.cache
def palette():
    return views.make_palette()


@functools.cache
def compiled():
    """Returns a compiled function that draws `GAMES` images of states and noise."""
    return jax.jit(
        jax.vmap(
            lambda state, noise: views.pixels(
                config("published"), palette(), state, noise
            )
        )
    )


def game(batch, number):
    one = {name: values[number] for name, values in batch.items()}
    defaults = config("published").tables.data["parameters"]
    return fields.restore(one, config("published").tables, make(defaults, {}))


@pytest.mark.parametrize("name", ["random", "boss", "events"])
def test_pictures_are_those_of_the_object_oriented_game(name):
    _, before, *_ = next(batches(name))
    before = dict(before)
    # All times of day, and sleep on every floor.
    before["light_level"] = np.linspace(0, 1, GAMES, dtype=np.float32)
    before["is_sleeping"] = np.arange(GAMES) % 5 == 0
    before["player_level"] = np.where(
        np.arange(GAMES) % 3 == 0, 0, before["player_level"]
    )
    random = np.random.default_rng(0)
    noise = random.uniform(32, 127, (GAMES, *FRAME.noise_shape)).astype(np.float32)
    state = craftax_convert.load(config("published"), before)
    drawn = np.asarray(compiled()(state, noise))
    for number in range(GAMES):
        expected = FRAME(*game(before, number), noise[number])
        np.testing.assert_array_equal(drawn[number], expected, err_msg=str(number))
