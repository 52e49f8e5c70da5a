"""Environment base class: the gymnax API around the rules of a game.

A game implements its start, step, termination and observation. This module adds what
all games share: resets, batches, infos and spaces.
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
_NEXT_TICK = 32  # argument of `random.bits` for another tick of the same step


def achievement_infos(
    names: Sequence[str], reached: jax.Array, done: jax.Array
) -> dict[str, jax.Array]:
    """Returns infos with the achievements of a finished episode.

    Args:
      names: Names of the achievements.
      reached: Achievements unlocked in the episode, bool (names,).
      done: Whether the episode is over, bool ().

    Returns:
      `Achievements/<name>`: 100 if the episode is over and this was unlocked, else 0;
      float32.

    Source:
      Infos of Craftax 1.6.1: means over the last steps of episodes are success rates in
      percent.
    """
    percents = jnp.where(reached & done, _PERCENT, np.float32(0))
    return {f"Achievements/{name}": value for name, value in zip(names, percents)}


class Env(abc.ABC, Generic[State, Params]):
    """A game as pure functions, for `jit`, `vmap` and `scan`.

    `reset` and `step` are jitted when called, and inlined into compiled callers. Under
    `vmap`, worlds are generated only for the games that need one.

    A subclass implements the abstract methods. They are pure, and take their own
    `random.words` as their source of random numbers. States have a field `noise_seed`,
    uint32 (), which is set here.

    Attributes:
      name: Name of the environment.
      num_actions: Number of actions.
      auto_reset: Whether the last step of an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      reset_share: One in this many games of a batch is expected to end per step.
      highest: Upper bound of float observations.
      action_masks: `exact` if infos have `action_mask`, else `None`.
    """

    name: str
    num_actions: int
    auto_reset: bool = True
    reset_share: int = 128
    highest: float = 1
    action_masks: str | None = None

    # Implemented by a game.

    @property
    @abc.abstractmethod
    def default_params(self) -> Params:
        """Default dynamic parameters, which may change without recompilation.

        A pytree of numbers.
        """

    @abc.abstractmethod
    def _sample(self, words: jax.Array, params: Params) -> Any:
        """Generates a random level: a world before the first step."""

    @abc.abstractmethod
    def _start(self, level: Any, params: Params) -> Any:
        """Returns the initial state of an episode in a level."""

    @abc.abstractmethod
    def _step(
        self, words: jax.Array, state: State, action: jax.Array, params: Params
    ) -> tuple[Any, jax.Array]:
        """Returns the next state, and the reward, float32."""

    @abc.abstractmethod
    def _observe(self, state: State) -> Any:
        """Returns the observation of a state.

        An array, uint8 or float32 from 0 to `highest`, or a dict of such arrays.
        """

    @abc.abstractmethod
    def _terminated(self, state: State, params: Params) -> jax.Array:
        """Returns whether the game terminated by its rules, bool."""

    @abc.abstractmethod
    def _truncated(self, state: State, params: Params) -> jax.Array:
        """Returns whether the time limit is reached, bool."""

    def _is_down(self, state: State) -> jax.Array:
        """Returns whether the player sleeps or (if the game has it) rests."""
        raise NotImplementedError(f"{type(self).__name__} has no sleep.")

    def _info(self, state: State, done: jax.Array) -> dict[str, Any]:
        """Returns the game's entries of the info of a step."""
        return {}

    def _mask(self, state: State, params: Params) -> jax.Array:
        """Returns `action_mask`, if the game has masks."""
        raise NotImplementedError(f"{type(self).__name__} has no action masks.")

    # Public API.

    def action_space(self, params: Params | None = None) -> spaces.Discrete:
        """Returns the action space."""
        return spaces.Discrete(self.num_actions)

    def observation_space(self, params: Params | None = None) -> Any:
        """Returns the observation space: a `Box`, or a `Dict` of them."""
        return self.full_space(params)

    def full_space(self, params: Params | None = None) -> Any:
        """Returns a space that contains all observations.

        The same as `observation_space`, unless observations exceed the published space
        of a game.
        """
        spec = jax.eval_shape(lambda key: self.reset(key)[0], jax.random.key(0))
        if isinstance(spec, dict):
            return spaces.Dict({name: self._box(part) for name, part in spec.items()})
        return self._box(spec)

    def _box(self, spec: Any) -> spaces.Box:
        high = 255 if spec.dtype == jnp.uint8 else self.highest
        return spaces.Box(0, high, spec.shape, spec.dtype)

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
        """Plays one step, and starts the next episode with `auto_reset`.

        Args:
          key: Key of `jax.random`.
          state: The game state.
          action: Index of the action, an integer.
          params: By default `default_params`.

        Returns:
          Observation, state, reward (float32), done (bool) and info:
            discount: See `discount`.
            terminated, truncated: Bool.
            action_mask: See `action_mask`; with `action_masks="exact"`.
          and the entries of the game.
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
        """Plays one step without auto-reset; otherwise like `step`."""
        state, reward, done, info = self._play(key, state, action, params)
        info |= self.mask_info(state, params)
        return self._observe(state), state, reward, done, info

    def reset_env(
        self, key: jax.Array, params: Params | None = None
    ) -> tuple[Any, State]:
        """Starts an episode; like `reset`."""
        state = self._init(key, self._params_or_default(params))
        return self._observe(state), state

    def sample_level(self, key: jax.Array, params: Params | None = None) -> Any:
        """Generates a random level: a world before the first step."""
        return self._sample(random.words(key), self._params_or_default(params))

    def reset_to_level(
        self, key: jax.Array, level: Any, params: Params | None = None
    ) -> tuple[Any, State]:
        """Starts an episode in a level.

        Args:
          key: Key of `jax.random`.
          level: Result of `sample_level`.
          params: By default `default_params`.
        """
        state = self._begin(random.words(key), level, self._params_or_default(params))
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
        """Resets games that are done; returns other states unchanged."""
        operands = key, self._params_or_default(params)
        return sparse.where(
            done, lambda both: self._init(*both), operands, state, self.reset_share
        )

    def get_obs(self, state: State, params: Params | None = None) -> Any:
        """Returns the observation of a state."""
        return self._observe(state)

    def action_mask(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns the mask of actions that may differ in effect from `noop`.

        Args:
          state: The game state.
          params: By default `default_params`.

        Returns:
          int8 of shape (num_actions,).

        Raises:
          NotImplementedError: If the game has no masks.
        """
        return self._mask(state, self._params_or_default(params))

    def is_terminal(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns whether an episode is over, by termination or truncation."""
        params = self._params_or_default(params)
        return self._terminated(state, params) | self._truncated(state, params)

    def discount(self, state: State, params: Params | None = None) -> jax.Array:
        """Returns 0 if the game terminated by its rules, else 1, float32."""
        return (~self._terminated(state, self._params_or_default(params))).astype(
            jnp.float32
        )

    def mask_info(self, state: State, params: Any) -> dict[str, Any]:
        """Returns the `action_mask` entry of infos, if enabled."""
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
        """Plays ticks of `noop` until the player gets up, or the episode is over.

        Args:
          tick: Function of words and a state that returns the state after a tick of
            `noop`, and its reward.
          words: Random words of the previous tick.
          state: The state after it.
          reward: Its reward.
          params: Dynamic parameters.

        Returns:
          The final state, and the sum of the rewards.
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

    def _params_or_default(self, params: Params | None) -> Params:
        return self.default_params if params is None else params

    def _play(
        self, key: jax.Array, state: State, action: jax.Array, params: Params | None
    ) -> tuple[State, jax.Array, jax.Array, dict[str, Any]]:
        params = self._params_or_default(params)
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
