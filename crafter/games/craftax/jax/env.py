"""Environments with the API of gymnax and the published package."""

from __future__ import annotations

import os
import warnings
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from crafter.core import game as games
from crafter.core import setups, validation
from crafter.functional import env as env_module
from crafter.functional import spaces
from crafter.functional.arrays import as_floats
from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.jax import affordances, draws, observations, views, worldgen
from crafter.games.craftax.jax import step as step_module
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.rules import check_rules
from crafter.games.craftax.jax.state import Config, EnvParams, State, StaticEnvParams
from crafter.games.craftax.rules import Rules

_MAP_UNIT = 16  # rooms are placed in chunks of this size
_LARGEST_MAP = 496  # creature positions have 16 bits, cell picks 18

#: Names for `make` -> observation kind.
NAMES = {
    f"Craftax-{kind.title()}-v1": kind
    for kind in ("symbolic", "pixels", "compact", "puffer")
}
#: Name of a classic environment -> arguments of its replacement.
_CLASSIC: dict[str, dict[str, Any]] = {
    "Craftax-Classic-Symbolic-v1": {"layout": "craftax-classic"},
    "Craftax-Classic-Pixels-v1": {"size": (63, 63), "float_pixels": True},
}


class Env(env_module.Env[State, EnvParams]):
    """Craftax as pure functions, for `jit`, `vmap` and `scan`.

    The rules are those of the object-oriented game; random numbers come from keys of
    `jax.random`. Under `vmap`, worlds are generated only for the games that need one.

    An action out of range does nothing. The info of a step has `discount`, which is 0
    in the last step of an episode, else 1, `terminated` and `truncated`, and:

      Achievements/<name>: 100 in the last step of an episode if unlocked, else 0;
        float32.

    Args:
      static_env_params: Map size and numbers of slots; by default those of the rules.
      observation: `symbolic`, float32 (8268,), as published; `pixels`, (130, 110, 3);
        `compact`, a dict of `map`, uint8 (9, 11, 7), and `numbers`, float32 (48,); or
        `puffer`, float32 (843,); see `crafter.games.craftax.observations`.
      auto_reset: Whether the last step of an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      rules: `published`, `repaired`, the path of a YAML file with changes, or a mapping
        of changes; see `crafter.games.craftax.rules`. Names, terrain and rooms must be
        the published ones, which are compiled in.
      float_pixels: Whether pixels are float32 from 0 to 1, as published, instead of
        uint8. This and the next two are for pixels only.
      block_pixels: Side of a cell in pixels; images have 13 x 11 cells.
      textures: Folder of a texture pack; see `crafter.games.craftax.textures`.
      action_masks: `exact` or `puffer` adds `action_mask` to the info of a step.
      setup: `published`, `repaired` or `puffer`, or a mapping of the names of repairs
        and switches to booleans; see `crafter.core.setups`. With `collapse`, each step
        of a batch takes as long as its longest sleeper, and the info of a step has
        `ticks`, the clock ticks of the episode so far.

    Attributes:
      config: Static configuration of compiled functions.
      observation: Observation kind.
      auto_reset: Whether a finished episode starts the next one.
      name: Name of the environment.
      num_actions: 43.
      setup: Label of the setup; see `crafter.core.setups.label`.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.craftax.rules.RulesError: If the rules are invalid, or change what
        is compiled in.
    """

    highest = float(np.finfo(np.float32).max)  # the numbers have no common bound

    def __init__(
        self,
        static_env_params: StaticEnvParams | None = None,
        *,
        observation: str = "symbolic",
        auto_reset: bool = True,
        rules: Any = "published",
        float_pixels: bool = True,
        block_pixels: int = 10,
        textures: str | os.PathLike | None = None,
        action_masks: str | None = None,
        setup: Any = None,
    ) -> None:
        validation.one_of("observation", observation, list(NAMES.values()))
        rules, action_masks = setups.expand(Rules, setup, rules, action_masks)
        tables = craftax_tables.load(rules)
        self.setup = setups.label(tables.rules)
        check_rules(tables)
        static = static_env_params or StaticEnvParams.of(tables)
        _check_static(static)
        self.config = Config(tables, static)
        self.observation, self.auto_reset = observation, auto_reset
        kinds = tuple(affordances.MASKS)
        self.action_masks = validation.action_masks(action_masks, kinds)
        self._float_pixels = float_pixels
        self._palette = None
        if observation == "pixels":
            self.highest = 1
            self._palette = views.make_palette(block_pixels, textures)
        reset = "" if auto_reset else "NoAutoReset-"
        self.name = f"Craftax-{observation.title()}-{reset}v1"
        self.num_actions = t.ACTIONS

    @staticmethod
    def default_static_params() -> StaticEnvParams:
        """Returns the static parameters of the published game."""
        return StaticEnvParams()

    @property
    def static_env_params(self) -> StaticEnvParams:
        """Map size and numbers of slots."""
        return self.config.static

    @property
    def default_params(self) -> EnvParams:
        """Default parameters, from the rules."""
        return EnvParams.of(self.config.tables)

    def observation_space(self, params: EnvParams | None = None) -> Any:
        """Returns the observation space; for `symbolic`, the published one, 0 to 1.

        Observations exceed it, as in the published game; see `full_space`.
        """
        space = self.full_space(params)
        if self.observation == "symbolic":
            return spaces.Box(0, 1, space.shape, space.dtype)
        return space

    def discount(self, state: State, params: EnvParams | None = None) -> jax.Array:
        """Returns 0 if the episode is over, also by truncation as published; else 1."""
        return (~self.is_terminal(state, params)).astype(jnp.float32)

    def _sample(self, words: jax.Array, params: EnvParams) -> worldgen.Level:
        return worldgen.sample(self.config, params, words)

    def _start(self, level: worldgen.Level, params: EnvParams) -> State:
        return worldgen.start(self.config, params, level)

    def _step(
        self, words: jax.Array, state: State, action: jax.Array, params: EnvParams
    ) -> tuple[State, jax.Array]:
        def tick(
            words: jax.Array, state: State, action: Any = 0
        ) -> tuple[State, jax.Array]:
            drawn = draws.sample(self.config, words)
            return step_module.step(self.config, params, state, action, drawn)

        after, reward = tick(words, state, action)
        if not self.config.applied("collapse"):
            return after, reward
        after, _ = self._wait(tick, words, after, reward, params)
        return after, step_module.reward(self.config, after, state)

    def _is_down(self, state: State) -> jax.Array:
        return state.is_sleeping | state.is_resting

    def _observe(self, state: State) -> Any:
        if self._palette is not None:
            frame = views.pixels(self.config, self._palette, state)
            return as_floats(frame) if self._float_pixels else frame
        observe = getattr(observations, self.observation)
        return observe(self.config, state)

    def _mask(self, state: State, params: EnvParams) -> jax.Array:
        mask = affordances.MASKS[self.action_masks or "exact"]
        return mask(self.config, params, state)

    def _terminated(self, state: State, params: EnvParams) -> jax.Array:
        return step_module.is_over(self.config, state)

    def _truncated(self, state: State, params: EnvParams) -> jax.Array:
        return state.timestep >= params.max_timesteps

    def _info(self, state: State, done: jax.Array) -> dict[str, Any]:
        names = self.config.tables.achievement_names
        infos = env_module.achievement_infos(names, state.achievements, done)
        if self.config.applied("collapse"):
            infos["ticks"] = state.timestep
        return infos


def _check_static(static: StaticEnvParams) -> None:
    rows, columns = validation.pair("map_size", static.map_size, scalar=False)
    if rows != columns or rows % _MAP_UNIT or rows > _LARGEST_MAP:
        square = f"two equal multiples of {_MAP_UNIT} up to {_LARGEST_MAP}"
        validation.fail("map_size", square, (rows, columns))
    validation.one_of("num_levels", static.num_levels, [t.FLOORS])
    for name, value in static._asdict().items():
        if name.startswith("max_"):
            validation.integer(name, value, 1)


class _Published(Env):
    """Environment with the arguments of the published ones.

    Args:
      static_env_params: Map size and numbers of slots.
    """

    _fixed: ClassVar[dict[str, Any]] = {}

    def __init__(self, static_env_params: StaticEnvParams | None = None) -> None:
        super().__init__(static_env_params, **self._fixed)


class CraftaxSymbolicEnv(_Published):
    """Craftax with symbolic observations and auto-reset."""


class CraftaxSymbolicEnvNoAutoReset(_Published):
    """Craftax with symbolic observations, without auto-reset."""

    _fixed: ClassVar = {"auto_reset": False}


class CraftaxPixelsEnv(_Published):
    """Craftax with pixel observations and auto-reset."""

    _fixed: ClassVar = {"observation": "pixels"}


class CraftaxPixelsEnvNoAutoReset(_Published):
    """Craftax with pixel observations, without auto-reset."""

    _fixed: ClassVar = {"observation": "pixels", "auto_reset": False}


def make(name: str, auto_reset: bool = True, **kwargs: Any) -> Any:
    """Returns an environment.

    Args:
      name: `Craftax-Symbolic-v1`, or with `Pixels`, `Compact` or `Puffer`; with
        `auto_reset`, also the synonyms `Craftax-Symbolic-AutoReset-v1` and so on.
        `Craftax-Classic-Symbolic-v1` and `Craftax-Classic-Pixels-v1` warn and return
        Crafter with observations of that layout.
      auto_reset: Whether the last step of an episode starts the next one.
      **kwargs: As for `Env`.

    Raises:
      ValueError: If the environment is unknown, or an argument is invalid.
    """
    plain = name.replace("-AutoReset-", "-") if auto_reset else name
    if plain in _CLASSIC:
        return _make_classic(plain, auto_reset, kwargs)
    if plain not in NAMES:
        raise ValueError(
            f"Expected one of {[*NAMES, *_CLASSIC]} with auto_reset={auto_reset}, got "
            f"{name!r}."
        )
    return Env(observation=NAMES[plain], auto_reset=auto_reset, **kwargs)


def _make_classic(name: str, auto_reset: bool, kwargs: dict[str, Any]) -> Any:
    """Returns Crafter with the observation layout of Craftax-Classic."""
    other = name.replace("Craftax-Classic", games.find("crafter").title)
    warnings.warn(
        f"{name} is {other} here: its observations have the layout of "
        "Craftax-Classic, its rules are its own; see docs/setups.md for the "
        "differences.",
        stacklevel=3,
    )
    make_other = games.find("crafter").part("functional")
    return make_other(other, auto_reset, **_CLASSIC[name], **kwargs)


def make_craftax_env_from_name(name: str, auto_reset: bool) -> Any:
    """Creates an environment by its published name; see `make`."""
    return make(name, auto_reset)


def make_craftax_env_from_params(
    classic: bool, symbolic: bool, auto_reset: bool
) -> Any:
    """Creates an environment by its properties.

    Args:
      classic: Whether to return Crafter, as `make` does for `Craftax-Classic-...`.
      symbolic: Whether observations are symbolic rather than pixels.
      auto_reset: Whether the last step of an episode starts the next one.
    """
    title = "Craftax-Classic" if classic else "Craftax"
    return make(f"{title}-{'Symbolic' if symbolic else 'Pixels'}-v1", auto_reset)
