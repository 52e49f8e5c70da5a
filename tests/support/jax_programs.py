"""Crafter in JAX, compiled once for all tests of a process.

Compiling a step takes some ten thousand times as long as running it, so tests share
these functions, with one configuration and `GAMES` games, wherever that is enough.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import jax_games
import numpy as np

import crafter.batch.jax as crafter_jax
from crafter.functional import random
from crafter.games.crafter.jax import levels
from crafter.games.crafter.jax import step as jax_step

#: Batch size.
GAMES = 12
KEY = jax.random.key(0)
ENV = crafter_jax.make("Crafter-Compact-v1")
CONFIG = ENV.config
PARAMS = ENV.default_params

NO_DRAWS = jax_step.Draws(
    *(np.zeros(shape, np.float32) for shape in jax_step.draw_shapes(CONFIG).values())
)


class Played(crafter_jax.Env):
    """The environment with optional given draws; records the end of a step.

    One program thus serves both for normal play and for known draws.

    Attributes:
      draws: Draws of a step if `given`; otherwise they are random.
      given: Whether to use `draws`.
      end: The state at the end of the step, before auto-reset.
    """

    draws: jax_step.Draws
    given: jax.Array
    end: Any

    def _step(self, words, state, action, params):
        shapes = jax_step.draw_shapes(self.config).values()
        chances = [random.uniforms(words, *use) for use in enumerate(shapes)]
        drawn = (
            jnp.where(self.given, numbers, chance)
            for numbers, chance in zip(self.draws, chances)
        )
        draws = jax_step.Draws(*drawn)
        self.end, reward = jax_step.step(self.config, state, action, draws)
        return self.end, reward


@jax.jit
@functools.partial(jax.vmap, in_axes=(0, 0, 0, None, 0, None))
def _play(key, state, action, params, draws, given):
    env = Played("compact")
    env.draws, env.given = draws, given
    result = Played.step.__wrapped__(env, key, state, action, params)
    return result, env.end


#: `Env.reset` for `GAMES` games.
reset = jax.jit(jax.vmap(ENV.reset, (0, None)))


def step(keys: Any, states: Any, actions: Any, params: Any) -> Any:
    """Run `Env.step` for `GAMES` games."""
    return _play(keys, states, actions, params, repeated(NO_DRAWS), False)[0]


def step_with_draws(states: Any, actions: Any, draws: Any) -> Any:
    """Return states and rewards of a step with given draws, for `GAMES` games."""
    (_, _, rewards, _, _), ends = _play(keys(), states, actions, PARAMS, draws, True)
    return ends, rewards


sample_level = jax.jit(ENV.sample_level)
reset_to_level = jax.jit(ENV.reset_to_level)
mutate_noise = jax.jit(functools.partial(levels.mutate_noise, CONFIG, swaps=2))


def keys(number: int = 0) -> jax.Array:
    """Return a key per game."""
    return jax.random.split(jax.random.fold_in(KEY, number), GAMES)


@functools.cache
def beginning() -> Any:
    """Return observations and states after reset."""
    return jax.device_get(reset(keys(), PARAMS))


def game_of(tree: Any, number: int = 0) -> Any:
    """Return one game of a batch."""
    return jax.tree.map(lambda leaf: leaf[number], tree)


def repeated(game: Any) -> Any:
    """Repeat a game `GAMES` times."""
    return jax.tree.map(lambda leaf: np.stack([leaf] * GAMES), game)


def play(games: list[Any], actions: Iterable[Any], stride: int = 1) -> Any:
    """Play games in both engines and compare them.

    Args:
      games: Games of `jax_games.Game`, with one configuration.
      actions: Actions by step, the same for all games.
      stride: Compare fields only every so many steps, since differences persist.

    Returns:
      Event counts, to show that the games covered everything.
    """
    config = games[0].config
    step = step_with_draws
    if (config, len(games)) != (CONFIG, GAMES):
        step = jax.jit(jax.vmap(functools.partial(jax_step.step, config)))
    states = jax_games.stack([jax.device_get(game.state()) for game in games])
    tally: Any = collections.Counter()
    for number, chosen in enumerate(actions):
        results = [game.step(action) for game, action in zip(games, chosen)]
        expected, draws = zip(*results)
        states, rewards = step(states, np.array(chosen), jax_games.stack(draws))
        np.testing.assert_allclose(rewards, expected, atol=1e-6)
        ended = [i for i, game in enumerate(games) if game.player.health <= 0]
        if number % stride == 0 or ended:
            assert_same(games, states, number)
        for game in games:
            kinds = {obj.kind for obj in game.world.objects}
            tally.update(kinds | {game.player.executed})
            tally["nights"] += game.world.daylight < 0.3
            tally["asleep"] += game.player.sleeping
        tally["deaths"] += len(ended)
        if ended:
            for place in ended:
                games[place].reset()
            new = [jax.device_get(games[place].state()) for place in ended]
            states = jax_games.put(states, ended, jax_games.stack(new))
    assert_same(games, states, number)
    assert not states.dropped_objects.any()
    for game in games:
        tally.update(name for name, n in game.player.achievements.items() if n)
    return tally


def assert_same(games: list[Any], states: Any, step: int) -> None:
    """Check that all games are equal in every field."""
    actual = jax.device_get(states)
    for number, game in enumerate(games):
        expected = jax.device_get(game.state())
        try:
            jax_games.assert_same_game(game.config, game_of(actual, number), expected)
        except AssertionError as error:
            raise AssertionError(f"step {step} of game {number}") from error
