"""Environments with the interface of gymnax."""

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

#: Names for `make` -> kind of observation.
NAMES = {
    "Crafter-Pixels-v1": "pixels",
    "Crafter-Symbolic-v1": "symbolic",
    "Crafter-Compact-v1": "compact",
}
LAYOUTS = ("crafter", "craftax-classic")


class EnvParams(NamedTuple):
    """Parameters that may change without a recompilation.

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
    validation.one_of("name", name, NAMES)
    return Env(NAMES[name], auto_reset, **kwargs)


class Env(env_module.Env[State, EnvParams]):
    """Crafter as pure functions, for `jit`, `vmap` and `scan`.

    The rules are those of `crafter.Env`; random numbers come from keys of
    `jax.random`. Under `vmap` worlds are made for those games only that need one.

    An action out of range does nothing. The info of a step has, beside `discount` (0 if
    the player died, else 1), `terminated` and `truncated`:

      invalid_actions: How many actions of the episode were out of range, int32.
      dropped_objects: How many objects found no place in it, int32.
      counts: How often each achievement was reached in the episode, a dict of int32.
      Achievements/<name>: As in Craftax, 100 in the step that ends an episode if it was
        reached, else 0; float32.

    All of them are scalars, so that code that averages over infos works.

    Args:
      observation: `pixels`, `symbolic` or `compact`; see
        `crafter.games.crafter.observations`.
      auto_reset: Whether a step that ends an episode starts the next one: then
        observation and state belong to the next episode; reward, done and info to the
        finished one.
      layout: Order of symbolic observations: `crafter`, or `craftax-classic` for the
        numbers of Craftax-Classic-Symbolic-v1.
      area: Map size (x, y) in cells, at least 3 x 3.
      view: Cells shown (columns, rows), inventory rows included.
      size: Size (width, height) of pixels.
      float_pixels: Whether pixels are float32 from 0 to 1 instead of uint8.
      textures: Folder of a texture pack; see `crafter.games.crafter.views.Textures`.
      max_objects: Slots for objects. Objects that find none are left out and counted in
        `state.dropped_objects`; with the default none was in 10 million random steps.
      max_active: How many objects around the player can act in a step; more are left
        out and counted in the same way.
      rules: As for `crafter.Env`. Numbers may differ from the default rules; names, the
        noise and light are part of the code.
      action_masks: `exact` adds `action_mask` to the info of a step.
      setup: `published`, or a mapping of the names of switches to booleans; see
        `crafter.core.setups`. With `collapse` a batch waits in each step for the
        longest sleeper, and the info of a step has `ticks`, those of the episode so
        far.

    Attributes:
      config: What is fixed when functions are compiled.
      observation: Kind of the observation.
      auto_reset: Whether episodes follow each other.
      name: Name of the environment.
      num_actions: 17.
      setup: What the setup is called; see `crafter.core.setups.label`.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules are wrong, or not those of
        this engine.
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
        """The parameters used where none are given."""
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
