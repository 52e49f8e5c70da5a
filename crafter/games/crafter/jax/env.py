"""Environments with the gymnax API."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from crafter.core import setups, validation
from crafter.functional import env as env_module
from crafter.functional.arrays import as_floats
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import affordances, observations, worldgen
from crafter.games.crafter.jax import step as step_module
from crafter.games.crafter.jax.rules import check_rules
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.rules import Rules, load

_LEAST_AREA = 3

#: Names for `make` -> observation kind.
NAMES = {
    "Crafter-Pixels-v1": "pixels",
    "Crafter-Symbolic-v1": "symbolic",
    "Crafter-Compact-v1": "compact",
}
LAYOUTS = ("crafter", "craftax-classic")


class EnvParams(NamedTuple):
    """Dynamic parameters, which may change without recompilation.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
    """

    max_timesteps: int | jax.Array = 10000

    def replace(self, **changes: Any) -> EnvParams:
        """Returns a copy with changed fields."""
        return self._replace(**changes)


def make(name: str, auto_reset: bool = True, **kwargs: Any) -> Env:
    """Creates an environment by name.

    Args:
      name: `Crafter-Pixels-v1`, `Crafter-Symbolic-v1` or `Crafter-Compact-v1`.
      auto_reset: Whether the last step of an episode starts the next one.
      **kwargs: As for `Env`.

    Raises:
      ValueError: If the environment is unknown, or an argument is invalid.

    Example:
      >>> import jax
      >>> env = make("Crafter-Compact-v1")
      >>> obs, state = env.reset(jax.random.key(0))
      >>> obs.shape, int(state.inventory[0])
      ((145,), 9)
    """
    validation.one_of("name", name, NAMES)
    return Env(NAMES[name], auto_reset, **kwargs)


class Env(env_module.Env[State, EnvParams]):
    """Crafter as pure functions, for `jit`, `vmap` and `scan`.

    The rules are those of `crafter.Env`; random numbers come from keys of
    `jax.random`. Under `vmap`, worlds are generated only for the games that need one.

    An action out of range does nothing. The info of a step has, besides `discount` (0
    if the player died, else 1), `terminated` and `truncated`:

      invalid_actions: Number of actions out of range in the episode, int32.
      dropped_objects: Number of objects dropped for lack of slots, int32.
      counts: Achievement counts in the episode, a dict of int32.
      Achievements/<name>: As in Craftax, 100 in the last step of an episode if
        unlocked, else 0; float32.

    All of them are scalars, so code that averages infos works.

    Args:
      observation: `pixels`, `symbolic` or `compact`; see
        `crafter.games.crafter.observations`.
      auto_reset: Whether the last step of an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      layout: Layout of symbolic observations: `crafter`, or `craftax-classic` for that
        of Craftax-Classic-Symbolic-v1.
      area: Map size (x, y) in cells, at least 3 x 3.
      view: Cells shown (columns, rows), including the inventory rows.
      size: Size (width, height) of pixels.
      float_pixels: Whether pixels are float32 from 0 to 1 instead of uint8.
      textures: Folder of a texture pack; see `crafter.games.crafter.views.Textures`.
      max_objects: Object slots. Objects without a slot are dropped and counted in
        `state.dropped_objects`; with the default, none were in 10 million random steps.
      max_active: Maximum number of objects around the player that act in a step; others
        are dropped and counted likewise.
      rules: As for `crafter.Env`. Numbers may differ from the default rules; names, the
        noise and light are compiled in.
      action_masks: `exact` adds `action_mask` to the info of a step.
      setup: `published`, or a mapping of the names of switches to booleans; see
        `crafter.core.setups`. With `collapse`, each step of a batch takes as long as
        its longest sleeper, and the info of a step has `ticks`, the clock ticks of the
        episode so far.

    Attributes:
      config: Static configuration of compiled functions.
      observation: Observation kind.
      auto_reset: Whether a finished episode starts the next one.
      name: Name of the environment.
      num_actions: 17.
      setup: Label of the setup; see `crafter.core.setups.label`.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules are invalid, or not supported
        by this engine.
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
        float_pixels: bool = False,
        textures: str | os.PathLike | None = None,
        max_objects: int = Config().max_objects,
        max_active: int = Config().max_active,
        rules: Any = None,
        action_masks: str | None = None,
        setup: Any = None,
    ) -> None:
        validation.one_of("observation", observation, list(NAMES.values()))
        layouts = LAYOUTS if observation == "symbolic" else LAYOUTS[:1]
        validation.one_of("layout", layout, layouts, f"layouts of {observation!r}")
        if min(area) < _LEAST_AREA:
            validation.fail("area", "at least 3 x 3 cells", area)
        cells = area[0] * area[1]
        if not 1 <= max_active <= max_objects <= cells:
            raise ValueError(
                "Expected 1 <= max_active <= max_objects <= cells of the map, got "
                f"max_active={max_active}, max_objects={max_objects} and {cells} cells."
            )
        rules, action_masks = setups.expand(Rules, setup, rules, action_masks)
        played = load(rules, t.RULES)
        check_rules(played)
        self.setup = setups.label(played)
        self.config = Config(area, view, played, max_objects, max_active)
        self.observation, self.auto_reset = observation, auto_reset
        self.action_masks = validation.action_masks(action_masks)
        self._layout, self._float_pixels = layout, float_pixels
        self._palette = None
        if observation == "pixels":
            self._palette = observations.make_palette(self.config, size, textures)
        self.num_actions = len(t.ACTIONS)
        self.name = next(n for n, kind in NAMES.items() if kind == observation)

    @property
    def default_params(self) -> EnvParams:
        """Default parameters."""
        return EnvParams()

    def _sample(self, words: jax.Array, params: EnvParams) -> worldgen.Level:
        return worldgen.sample(self.config, words)

    def _start(self, level: worldgen.Level, params: EnvParams) -> State:
        return worldgen.start(self.config, level)

    def _step(
        self, words: jax.Array, state: State, action: jax.Array, params: EnvParams
    ) -> tuple[State, jax.Array]:
        after, reward = step_module.step(self.config, state, action, words)
        if "collapse" not in self.config.rules.applied:
            return after, reward

        def tick(words: jax.Array, state: State) -> tuple[State, jax.Array]:
            noop = jnp.int32(t.ACTION["noop"])
            return step_module.step(self.config, state, noop, words)

        return self._wait(tick, words, after, reward, params)

    def _is_down(self, state: State) -> jax.Array:
        return state.sleeping

    def _observe(self, state: State) -> jax.Array:
        if self._palette is not None:
            frame = observations.pixels(self.config, self._palette, state)
            return as_floats(frame) if self._float_pixels else frame
        if self.observation == "compact":
            return observations.compact(self.config, state)
        if self._layout == "craftax-classic":
            return observations.craftax_classic(self.config, state)
        return observations.symbolic(self.config, state)

    def _mask(self, state: State, params: EnvParams) -> jax.Array:
        return affordances.action_mask(self.config, state)

    def _terminated(self, state: State, params: EnvParams) -> jax.Array:
        return state.inventory[t.HEALTH] <= 0

    def _truncated(self, state: State, params: EnvParams) -> jax.Array:
        return state.step >= params.max_timesteps

    def _info(self, state: State, done: jax.Array) -> dict[str, Any]:
        names, counts = t.RULES.achievements, state.achievements
        ticks = {"ticks": state.step} if "collapse" in self.config.rules.applied else {}
        return {
            "invalid_actions": state.invalid_actions,
            "dropped_objects": state.dropped_objects,
            "counts": dict(zip(names, counts)),
            **env_module.achievement_infos(names, counts > 0, done),
            **ticks,
        }
