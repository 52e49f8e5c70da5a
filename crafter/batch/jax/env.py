"""The face of the engine: environments as gymnax and Craftax have them."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter import constants
from crafter.batch import tables as t
from crafter.batch.jax import (
    balance,
    levels,
    observe,
    random,
    selected,
    spaces,
    worldgen,
)
from crafter.batch.jax import step as step_module
from crafter.batch.jax.state import Config, State

# First of the uses of `random.bits`.
_USE_STEP = 0
_LEAST_AREA = 3
_MOST_NEAR = 2**15 - 1
_PERCENT = np.float32(100)

#: Names for `make` -> kind of observation.
NAMES = {
    "Crafter-Pixels-v1": "pixels",
    "Crafter-Symbolic-v1": "symbolic",
    "Crafter-Compact-v1": "compact",
}
LAYOUTS = ("crafter", "craftax-classic")


class EnvParams(NamedTuple):
    """What may change without compiling anew.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
    """

    max_timesteps: int | jax.Array = 10000

    def replace(self, **changes: Any) -> EnvParams:
        """Returns the parameters with some of them changed."""
        return self._replace(**changes)


def make(name: str, auto_reset: bool = True, **kwargs: Any) -> Env:
    """Returns an environment.

    Args:
      name: `Crafter-Pixels-v1`, `Crafter-Symbolic-v1` or `Crafter-Compact-v1`.
      auto_reset: Whether a step that ends an episode starts the next one.
      **kwargs: As for `Env`.

    Raises:
      ValueError: If there is no such environment, or an argument is impossible.

    Example:
      >>> import jax
      >>> env = make("Crafter-Compact-v1")
      >>> obs, state = env.reset(jax.random.key(0))
      >>> obs.shape, int(state.inventory[0])
      ((145,), 9)
    """
    if name not in NAMES:
        raise ValueError(f"Expected a name of {list(NAMES)}, got {name!r}.")
    return Env(NAMES[name], auto_reset, **kwargs)


class Env:
    """Crafter as pure functions, for `jit`, `vmap` and `scan`.

    The rules are those of `crafter.Env`; random numbers come from keys of
    `jax.random`. Under `vmap` worlds are made for those games only that need one.

    Args:
      observation: `pixels`, `symbolic` or `compact`; see `crafter.observations`.
      auto_reset: Whether a step that ends an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      layout: Order of symbolic observations: `crafter`, or `craftax-classic` for the
        numbers of Craftax-Classic-Symbolic-v1.
      area: Map size (x, y) in cells, at least 3 x 3.
      view: Cells shown (columns, rows), inventory rows included.
      size: Size (width, height) of pixels.
      textures: Folder of a texture pack; see `crafter.views.Textures`.
      room: Slots for objects. Objects that find none are left out and counted in
        `state.refused`; with the default none was in 10 million random steps.
      near: How many objects around the player can act in a step; more are left out
        and counted in the same way.

    Attributes:
      config: What is fixed when functions are compiled.
      observation: Kind of the observation.
      auto_reset: Whether episodes follow each other.
      name: Name of the environment.
      num_actions: 17.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
    """

    def __init__(
        self,
        observation: str = "symbolic",
        auto_reset: bool = True,
        *,
        layout: str = "crafter",
        area: tuple[int, int] = (64, 64),
        view: tuple[int, int] = (9, 9),
        size: tuple[int, int] = (64, 64),
        textures: str | os.PathLike | None = None,
        room: int = Config().room,
        near: int = Config().near,
    ) -> None:
        if observation not in NAMES.values():
            kinds = list(NAMES.values())
            raise ValueError(
                f"Expected an observation of {kinds}, got {observation!r}."
            )
        if layout not in LAYOUTS:
            raise ValueError(f"Expected a layout of {LAYOUTS}, got {layout!r}.")
        if layout != "crafter" and observation != "symbolic":
            raise ValueError(
                f"The layout {layout!r} is for symbolic observations, got "
                f"{observation!r}."
            )
        if min(area) < _LEAST_AREA:
            raise ValueError(f"Expected an area of at least 3 x 3 cells, got {area}.")
        if not (1 <= near <= room <= area[0] * area[1] and near <= _MOST_NEAR):
            raise ValueError(
                "Expected 1 <= near <= room <= cells of the map, got "
                f"near={near}, room={room} and {area[0] * area[1]} cells."
            )
        self.config = Config(area=area, view=view, room=room, near=near)
        self.observation, self.auto_reset = observation, auto_reset
        self._layout = layout
        self._palette = None
        if observation == "pixels":
            self._palette = observe.make_palette(self.config, size, textures)
        self.num_actions = len(t.ACTIONS)
        self.name = next(n for n, kind in NAMES.items() if kind == observation)

    @property
    def default_params(self) -> EnvParams:
        """The parameters used where none are given."""
        return EnvParams()

    def action_space(self, params: EnvParams | None = None) -> spaces.Discrete:
        """Returns the space of actions."""
        return spaces.Discrete(self.num_actions)

    def observation_space(self, params: EnvParams | None = None) -> spaces.Box:
        """Returns the space of observations."""
        made = jax.eval_shape(
            lambda key: self.reset_env(key, self.default_params)[0], jax.random.key(0)
        )
        high = 1 if made.dtype == jnp.float32 else 255
        return spaces.Box(0, high, made.shape, np.dtype(made.dtype))

    def reset(
        self, key: jax.Array, params: EnvParams | None = None
    ) -> tuple[jax.Array, State]:
        """Starts an episode in a new world.

        Args:
          key: Key of `jax.random`.
          params: By default `default_params`.

        Returns:
          Observation and state.
        """
        return self.reset_env(key, params)

    def step(
        self,
        key: jax.Array,
        state: State,
        action: jax.Array,
        params: EnvParams | None = None,
    ) -> tuple[jax.Array, State, jax.Array, jax.Array, dict[str, Any]]:
        """Plays one step, and starts the next episode if `auto_reset` says so.

        Args:
          key: Key of `jax.random`.
          state: The game.
          action: Index of the action, an integer. One out of range does nothing and
            is counted in `info['invalid_actions']`.
          params: By default `default_params`.

        Returns:
          Observation, state, reward (float32), done (bool) and info:
            discount: 0 if the player died, else 1, float32.
            terminated, truncated: Bool.
            invalid_actions, refused: Counters of the episode, int32.
            counts: How often each achievement was reached in the episode, a dict of
              int32.
            Achievements/<name>: As in Craftax, 100 in the step that ends an episode
              if it was reached, else 0; float32.
          All of them are scalars, so that code that averages over infos works.
        """
        words = random.words(key)
        state, reward, done, info = self._play(words, state, action, params)
        if self.auto_reset:
            state = self._restart(words, done, state)
        return self.get_obs(state), state, reward, done, info

    def step_env(
        self,
        key: jax.Array,
        state: State,
        action: jax.Array,
        params: EnvParams | None = None,
    ) -> tuple[jax.Array, State, jax.Array, jax.Array, dict[str, Any]]:
        """Plays one step and stays in the finished episode; else as `step`."""
        words = random.words(key)
        state, reward, done, info = self._play(words, state, action, params)
        return self.get_obs(state), state, reward, done, info

    def reset_ended(self, key: jax.Array, done: jax.Array, state: State) -> State:
        """Returns a new world where a game is done, else the state as it is."""
        return self._restart(random.words(key), done, state)

    def reset_env(
        self, key: jax.Array, params: EnvParams | None = None
    ) -> tuple[jax.Array, State]:
        """Starts an episode; as `reset`."""
        state = self._new_world(random.words(key))
        return self.get_obs(state), state

    def get_obs(self, state: State, params: EnvParams | None = None) -> jax.Array:
        """Returns the observation of a state."""
        if self._palette is not None:
            return observe.pixels(self.config, self._palette, state)
        if self.observation == "compact":
            return observe.compact(self.config, state)
        if self._layout == "craftax-classic":
            return observe.craftax_classic(self.config, state)
        return observe.symbolic(self.config, state)

    def is_terminal(self, state: State, params: EnvParams | None = None) -> jax.Array:
        """Tells whether an episode is over: the player died, or time is up."""
        length = (params or self.default_params).max_timesteps
        return (state.inventory[t.HEALTH] <= 0) | (state.step >= length)

    def discount(self, state: State, params: EnvParams | None = None) -> jax.Array:
        """Returns 0 if the player died, else 1, float32."""
        return (state.inventory[t.HEALTH] > 0).astype(jnp.float32)

    def sample_level(
        self, key: jax.Array, params: EnvParams | None = None
    ) -> levels.Level:
        """Returns a random level: a world as it is before the first step."""
        return levels.sample(self.config, random.words(key))

    def reset_to_level(
        self, key: jax.Array, level: levels.Level, params: EnvParams | None = None
    ) -> tuple[jax.Array, State]:
        """Starts an episode in a level.

        Args:
          key: Key of `jax.random`.
          level: See `levels`.
          params: By default `default_params`.
        """
        state = worldgen.start(self.config, level.materials, level.creatures)
        state = state._replace(noise_seed=random.words(key)[2])
        return self.get_obs(state), state

    def _play(
        self,
        words: jax.Array,
        state: State,
        action: jax.Array,
        params: EnvParams | None,
    ) -> tuple[State, jax.Array, jax.Array, dict[str, Any]]:
        before = state.achievements
        state = _step(self.config, words, state, action)
        state, reward = step_module.reward(state, before)
        done = self.is_terminal(state, params)
        alive = state.inventory[t.HEALTH] > 0
        info = {
            "discount": self.discount(state),
            "terminated": ~alive,
            "truncated": done & alive,
            "invalid_actions": state.invalid_actions,
            "refused": state.refused,
            "counts": dict(zip(constants.achievements, state.achievements)),
        }
        reached = (state.achievements > 0) & done
        percents = jnp.where(reached, _PERCENT, np.float32(0))
        for name, percent in zip(constants.achievements, percents):
            info[f"Achievements/{name}"] = percent
        return state, reward, done, info

    def _restart(self, words: jax.Array, done: jax.Array, state: State) -> State:
        return selected.where(done, self._new_world, words, state, _RESET_SHARE)

    def _new_world(self, words: jax.Array) -> State:
        level = levels.sample(self.config, words)
        state = worldgen.start(self.config, level.materials, level.creatures)
        return state._replace(noise_seed=words[2])


# One of so many games needs a new world in a step; random players live about 180 steps.
_RESET_SHARE = 128


def _step(config: Config, words: jax.Array, state: State, action: jax.Array) -> State:
    """Plays one step with random numbers from words, without the reward."""
    shapes = step_module.draw_shapes(config)
    player_draw = random.uniforms(words, _USE_STEP, shapes["player"])
    object_draws = random.uniforms(words, _USE_STEP + 1, shapes["objects"])
    state = step_module.act(config, state, action, player_draw, object_draws)
    state = state._replace(noise_seed=words[2])

    def balanced(operands: tuple[jax.Array, State]) -> State:
        words, state = operands
        draws = random.uniforms(words, _USE_STEP + 2, shapes["balance"])
        result = balance.balance(config, state, draws)
        return _without_map(result)

    kept = _without_map(state)
    due = step_module.is_balanced(state)
    changed = selected.where(due, balanced, (words, state), kept, t.BALANCE_INTERVAL)
    return changed._replace(materials=state.materials)


def _without_map(state: State) -> State:
    """Returns a state that is cheap to copy: the balance leaves materials alone."""
    return state._replace(materials=jnp.zeros(0, jnp.uint8))
