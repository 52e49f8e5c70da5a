"""Base class of environments: gymnax's interface around the rules of a game.

A game writes how it begins, what a step does, when it is over and what is seen of it.
Here is what follows from that for every game: resets, batches, infos and spaces.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random, spaces, sparse

State = TypeVar("State")
Params = TypeVar("Params")

_Step = tuple[Any, State, jax.Array, jax.Array, dict[str, Any]]
_PERCENT = np.float32(100)
_NEXT_TICK = 32  # of `random.bits`: words for another tick of the same step


def achievement_infos(
    names: Sequence[str], reached: jax.Array, done: jax.Array
) -> dict[str, jax.Array]:
    """Returns infos that say at the end of an episode what was reached in it.

    Args:
      names: Names of the achievements.
      reached: Which were reached in the episode, bool (names,).
      done: Whether it is over, bool ().

    Returns:
      `Achievements/<name>`: 100 if it is over and this was reached, else 0; float32.

    Source:
      Infos of Craftax 1.6.1: means over all steps that end an episode are success
      rates in percent.
    """
    percents = jnp.where(reached & done, _PERCENT, np.float32(0))
    return {f"Achievements/{name}": value for name, value in zip(names, percents)}


class Env(abc.ABC, Generic[State, Params]):
    """A game as pure functions, for `jit`, `vmap` and `scan`.

    `reset` and `step` are compiled when they are called, and become part of what they
    are called in when that is compiled. Under `vmap` worlds are made for those games
    only that need one.

    A subclass writes the abstract methods. They are pure, and take words of
    `random.words` as their source of random numbers, which no other has. States have a
    field `noise_seed`, uint32 (), which is set here.

    Attributes:
      name: Name of the environment.
      num_actions: Number of actions.
      auto_reset: Whether a step that ends an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      reset_share: One of so many games of a batch is expected to end in a step.
      highest: Bound of observations that are real numbers.
      action_masks: `exact` if infos have `action_mask`, else `None`.
    """

    name: str
    num_actions: int
    auto_reset: bool = True
    reset_share: int = 128
    highest: float = 1
    action_masks: str | None = None

    # What a game writes.

    @property
    @abc.abstractmethod
    def default_params(self) -> Params:
        """The parameters used where none are given; they may change without compiling.

        A pytree of numbers.
        """

    @abc.abstractmethod
    def _sample(self, words: jax.Array, params: Params) -> Any:
        """Returns a random level: a world as it is before the first step."""

    @abc.abstractmethod
    def _start(self, level: Any, params: Params) -> Any:
        """Returns the state at the start of an episode in a level."""

    @abc.abstractmethod
    def _step(
        self, words: jax.Array, state: State, action: jax.Array, params: Params
    ) -> tuple[Any, jax.Array]:
        """Returns the next state, and the reward, float32."""

    @abc.abstractmethod
    def _observe(self, state: State) -> Any:
        """Returns the observation of a state: uint8, or float32 from 0 to `highest`.

        Or a dict of such arrays.
        """

    @abc.abstractmethod
    def _terminated(self, state: State, params: Params) -> jax.Array:
        """Returns whether the game ended by its rules, bool."""

    @abc.abstractmethod
    def _truncated(self, state: State, params: Params) -> jax.Array:
        """Returns whether time is up, bool."""

    def _is_down(self, state: State) -> jax.Array:
        """Returns whether the player sleeps or, where a game has it, rests."""
        raise NotImplementedError(f"{type(self).__name__} has no sleep.")

    def _info(self, state: State, done: jax.Array) -> dict[str, Any]:
        """Returns what the game adds to the info of a step."""
        return {}

    def _mask(self, state: State, params: Params) -> jax.Array:
        """Returns `action_mask`, if the game has masks."""
        raise NotImplementedError(f"{type(self).__name__} has no action masks.")

    # What follows.

    def action_space(self, params: Params | None = None) -> spaces.Discrete:
        """Returns the space of actions."""
        return spaces.Discrete(self.num_actions)

    def observation_space(self, params: Params | None = None) -> Any:
        """Returns the space of observations: a `Box`, or a `Dict` of them."""
        return self.full_space(params)

    def full_space(self, params: Params | None = None) -> Any:
        """Returns a space that holds all observations.

        It is `observation_space`, unless a game has published another one, which its
        observations exceed.
        """
        made = jax.eval_shape(lambda key: self.reset(key)[0], jax.random.key(0))
        if isinstance(made, dict):
            return spaces.Dict({name: self._box(part) for name, part in made.items()})
        return self._box(made)

    def _box(self, made: Any) -> spaces.Box:
        high = 255 if made.dtype == jnp.uint8 else self.highest
        return spaces.Box(0, high, made.shape, made.dtype)

    @functools.partial(jax.jit, static_argnums=0)
    def reset(self, key: jax.Array, params: Params | None = None) -> tuple[Any, State]:
        """Starts an episode in a new world.

        Args:
          key: Key of `jax.random`.
          params: By default `default_params`.

        Returns:
          Observation and state.
        """
        return self.reset_env(key, params)

    @functools.partial(jax.jit, static_argnums=0)
    def step(
        self,
        key: jax.Array,
        state: State,
        action: jax.Array,
        params: Params | None = None,
    ) -> _Step[State]:
        """Plays one step, and starts the next episode if `auto_reset` says so.

        Args:
          key: Key of `jax.random`.
          state: The game.
          action: Index of the action, an integer.
          params: By default `default_params`.

        Returns:
          Observation, state, reward (float32), done (bool) and info:
            discount: See `discount`.
            terminated, truncated: Bool.
            action_mask: See `action_mask`; with `action_masks="exact"`.
          and what the game adds.
        """
        if not self.auto_reset:
            return self.step_env(key, state, action, params)
        key, reset_key = jax.random.split(key)
        state, reward, done, info = self._play(key, state, action, params)
        state = self.reset_ended(reset_key, done, state, params)
        info |= self.mask_info(state, params)
        return self._observe(state), state, reward, done, info

    def step_env(
        self,
        key: jax.Array,
        state: State,
        action: jax.Array,
        params: Params | None = None,
    ) -> _Step[State]:
        """Plays one step and stays in the finished episode; else as `step`."""
        state, reward, done, info = self._play(key, state, action, params)
        info |= self.mask_info(state, params)
        return self._observe(state), state, reward, done, info

    def reset_env(
        self, key: jax.Array, params: Params | None = None
    ) -> tuple[Any, State]:
        """Starts an episode; as `reset`."""
        state = self._init(key, self._given(params))
        return self._observe(state), state

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
        return self._start(level, params)._replace(noise_seed=words[2])

    def reset_ended(
        self,
        key: jax.Array,
        done: jax.Array,
        state: State,
        params: Params | None = None,
    ) -> State:
        """Returns a new world where a game is done, else the state as it is."""
        operands = key, self._given(params)
        return sparse.where(
            done, lambda both: self._init(*both), operands, state, self.reset_share
        )

    def get_obs(self, state: State, params: Params | None = None) -> Any:
        """Returns the observation of a state."""
        return self._observe(state)

    def action_mask(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns which actions may have an effect that waiting does not have.

        Args:
          state: The game.
          params: By default `default_params`.

        Returns:
          int8 of shape (num_actions,), 1 for those that may.

        Raises:
          NotImplementedError: If the game does not say.
        """
        return self._mask(state, self._given(params))

    def is_terminal(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns whether an episode is over, by the rules or because time is up."""
        params = self._given(params)
        return self._terminated(state, params) | self._truncated(state, params)

    def discount(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns 0 if the game ended by its rules, else 1, float32."""
        return (~self._terminated(state, self._given(params))).astype(jnp.float32)

    def mask_info(self, state: State, params: Any) -> dict[str, Any]:
        """Returns the entry of infos with the mask of actions, if it is wanted."""
        if self.action_masks is None:
            return {}
        return {"action_mask": self.action_mask(state, params)}

    def _wait(
        self,
        tick: Callable[..., tuple[State, jax.Array]],
        words: jax.Array,
        state: State,
        reward: jax.Array,
        params: Params,
    ) -> tuple[State, jax.Array]:
        """Plays on until the player is up again, or the episode is over.

        Args:
          tick: From words and a state to the state after a tick of `noop`, and its
            reward.
          words: Of the tick before.
          state: The game after it.
          reward: Its reward.
          params: What may change.

        Returns:
          The game then, and the sum of the rewards.
        """

        def lies(now: tuple[Any, ...]) -> jax.Array:
            over = self._terminated(now[1], params) | self._truncated(now[1], params)
            return self._is_down(now[1]) & ~over

        def wait(now: tuple[Any, ...]) -> tuple[Any, ...]:
            words, state, total = now
            words = random.bits(words, _NEXT_TICK, random.WORDS)
            state, reward = tick(words, state)
            return words, state, total + reward

        return jax.lax.while_loop(lies, wait, (words, state, reward))[1:]

    def _given(self, params: Params | None) -> Params:
        return self.default_params if params is None else params

    def _play(
        self, key: jax.Array, state: State, action: jax.Array, params: Params | None
    ) -> tuple[State, jax.Array, jax.Array, dict[str, Any]]:
        params = self._given(params)
        words = random.words(key)
        after, reward = self._step(words, state, action, params)
        state = after._replace(noise_seed=words[2])
        terminated = self._terminated(state, params)
        done = terminated | self._truncated(state, params)
        info = {
            "discount": self.discount(state, params),
            "terminated": terminated,
            "truncated": done & ~terminated,
            **self._info(state, done),
        }
        return state, reward, done, info
