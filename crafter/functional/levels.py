"""Levels: worlds as values that curricula sample, store, mutate and play."""

from __future__ import annotations

import abc
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import env as env_module
from crafter.functional import random
from crafter.functional.env import Params, State


class LevelEnv(env_module.Env[State, Params]):
    """An environment whose worlds are levels.

    A subclass writes the abstract methods, which take words of `random.words` as their
    source of random numbers. Its states have a field `noise_seed`, uint32 ().
    """

    @abc.abstractmethod
    def _sample(self, words: jax.Array, params: Params) -> Any:
        """Returns a random level."""

    @abc.abstractmethod
    def _start(self, level: Any, params: Params) -> Any:
        """Returns the state at the start of an episode in a level."""

    @abc.abstractmethod
    def _play_by_rules(
        self, words: jax.Array, state: State, action: jax.Array, params: Params
    ) -> tuple[Any, jax.Array]:
        """Returns the next state, and the reward, float32."""

    def sample_level(self, key: jax.Array, params: Params | None = None) -> Any:
        """Returns a random level: a world as it is before the first step."""
        return self._sample(random.words(key), self._given(params))

    def reset_to_level(
        self, key: jax.Array, level: Any, params: Params | None = None
    ) -> tuple[Any, State]:
        """Starts an episode in a level.

        Args:
          key: Key of `jax.random`.
          level: As from `sample_level`.
          params: By default `default_params`.
        """
        state = self._begin(random.words(key), level, self._given(params))
        return self._observe(state), state

    def _init(self, key: jax.Array, params: Params) -> State:
        words = random.words(key)
        return self._begin(words, self._sample(words, params), params)

    def _begin(self, words: jax.Array, level: Any, params: Params) -> State:
        state: State = self._start(level, params)._replace(noise_seed=words[2])
        return state

    def _step(
        self, key: jax.Array, state: State, action: jax.Array, params: Params
    ) -> tuple[State, jax.Array]:
        words = random.words(key)
        after, reward = self._play_by_rules(words, state, action, params)
        return after._replace(noise_seed=words[2]), reward


def swap_some(values: jax.Array, words: jax.Array, use: int, swaps: int) -> jax.Array:
    """Exchanges random pairs of entries.

    Args:
      values: Of any shape.
      words: As from `random.words`.
      use: As for `random.bits`.
      swaps: How many pairs.
    """
    drawn = random.bits(words, use, 2 * swaps) % np.uint32(values.size)
    pairs = drawn.astype(jnp.int32).reshape(swaps, 2)
    return swap_pairs(values, pairs)


def swap_pairs(
    values: jax.Array, pairs: jax.Array, kept: jax.Array | None = None
) -> jax.Array:
    """Exchanges the entries of pairs, one pair after the other.

    Args:
      values: Of any shape.
      pairs: Two places each in the flat array, integers (pairs, 2).
      kept: Which pairs stay as they are, bool (pairs,); by default none.
    """
    if kept is not None:
        pairs = jnp.where(kept[:, None], 0, pairs)  # a place with itself: no change

    def swap(flat: jax.Array, pair: jax.Array) -> tuple[jax.Array, None]:
        return flat.at[pair].set(flat[pair[::-1]]), None

    return jax.lax.scan(swap, values.reshape(-1), pairs)[0].reshape(values.shape)
