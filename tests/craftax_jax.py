"""The compiled step of Craftax in JAX that tests share, and states in batches."""

import functools

import jax
import numpy as np
from craftax_golden import Steps

from crafter.craftax import tables
from crafter.craftax.draws import Draws
from crafter.craftax.jax import convert, observations, step
from crafter.craftax.jax import draws as jax_draws
from crafter.craftax.jax.state import Config, EnvParams

#: Games in a batch.
GAMES = 64

# Real numbers agree up to rounding; the published game computes in single precision.
TOLERANCE = 2e-5
LIGHT_TOLERANCE = 5e-4


@functools.cache
def config(rules="published"):
    return Config(tables.load(rules))


@functools.cache
def compiled_step(rules="published"):
    """Returns the step that is played, with given draws, for `GAMES` games.

    It takes states, actions and draws, and returns states, rewards, ends of episodes
    and compact observations.
    """

    def play(state, action, draws):
        params = EnvParams()
        state, reward = step.step(
            config(rules), params, state, action, draws, jax_draws.given
        )
        over = step.is_over(config(rules), state)
        over |= state.timestep >= params.max_timesteps
        return state, reward, over, observations.compact(config(rules), state)

    return jax.jit(jax.vmap(play))


def stack(trees):
    """Returns a batch of pytrees."""
    return jax.tree.map(lambda *leaves: np.stack(leaves), *trees)


class Batches:
    """Recorded transitions of a file, `GAMES` at a time; the last one repeats.

    Args:
      name: One of `craftax_golden.STEPS`.
    """

    def __init__(self, name):
        self.steps = Steps(name)

    def __iter__(self):
        """Yields numbers, states before, actions, draws and states after."""
        data, last = self.steps.data, len(self.steps) - 1
        for start in range(0, last + 1, GAMES):
            numbers = np.minimum(np.arange(start, start + GAMES), last)
            before, after = self._maps(numbers)
            for fields, prefix in ((before, "before."), (after, "after.")):
                for key, values in data.items():
                    if key.startswith(prefix):
                        fields[key.removeprefix(prefix)] = values[numbers]
            draws = Draws(*(data[f"draw.{name}"][numbers] for name in Draws._fields))
            yield numbers, before, data["action"][numbers], draws, after

    def _maps(self, numbers):
        worlds = self.steps.data["world_index"][numbers]
        names = ("map", "item_map", "light_map")
        maps = {name: self.steps.data[f"world_{name}"][worlds] for name in names}
        maps["mob_map"] = np.zeros(maps["map"].shape, bool)
        before = self._changed(maps, "before", numbers)
        return before, self._changed(before, "after", numbers)

    def _changed(self, maps, when, numbers):
        maps = {name: values.copy() for name, values in maps.items()}
        for row, number in enumerate(numbers):
            one = {name: values[row] for name, values in maps.items()}
            self.steps._change(one, when, number)
        return maps


def differing(expected, got):
    """Returns field -> rows in which batches of fields differ."""
    found = {}
    for name in sorted(expected.keys() - convert.UNUSED.keys()):
        ours, theirs = got[name], expected[name]
        assert ours.shape == theirs.shape, (name, ours.shape, theirs.shape)
        if theirs.dtype.kind == "f":
            tolerance = LIGHT_TOLERANCE if name == "light_level" else TOLERANCE
            error = np.abs(theirs.astype(float) - ours)
            wrong = error > tolerance * np.maximum(1, np.abs(theirs))
        else:
            wrong = ours != theirs
        rows = np.flatnonzero(wrong.reshape(len(wrong), -1).any(1)).tolist()
        if rows:
            found[name] = rows
    return found
