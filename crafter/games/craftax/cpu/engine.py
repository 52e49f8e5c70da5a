"""Batch engine of Craftax."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector.utils import create_empty_array

from crafter.compiled import engine
from crafter.compiled.observers import Observer
from crafter.games.craftax import start as options_module
from crafter.games.craftax import state
from crafter.games.craftax.cpu import affordances, layout, observe, reset, run, worldgen
from crafter.games.craftax.cpu import state as records
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.pixels import make_palette, make_scratch
from crafter.games.craftax.engine import World
from crafter.games.craftax.env import Env
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

_Game = tuple[state.Moment, World, Player]


def rules_record(tables: Tables, parameters: Parameters) -> np.ndarray:
    """Returns the parameters of the rules, an array of one record."""
    numbers = worldgen.numbers(tables, parameters)
    numbers |= observe.numbers(tables, parameters)
    numbers |= affordances.numbers(tables)
    return t.make(tables, parameters, numbers)


def make_observer(env: Env, count: int) -> Observer:
    """Returns the observer for `count` games with the configuration of `env`."""
    view, kind = env.observer.view, env.observation
    value: Any = create_empty_array(env.observation_space, count)
    if isinstance(value, dict):
        value = {n: value[n] for n in ("map", "local", "numbers") if n in value}
    numbers = np.float32, len(env.observer.numbers)
    fields = [("marks", np.uint8, (*view, 5)), ("numbers", *numbers)]
    palette = None
    if kind == "pixels":
        pack, size = env._pack(), env._block_pixels
        palette = make_palette(env.tables, env.parameters, pack, size)
        fields += [(n, *f) for n, f in make_scratch(palette, view).items()]
    scratch = np.zeros(1, np.dtype(fields, align=True))
    names = "compact", "semantic", "symbolic", "puffer"
    chosen = [kind == name or None for name in names]
    return Observer(run.play, value, (*chosen, palette), scratch)


class Engine(engine.Engine):
    """The games of a batch, records of `layout.dtype`.

    Args:
      count: Number of games.
      env: A single environment with the same configuration.
      threads: Number of threads.
      world_pool: Number of worlds to generate, of which every episode copies one; 0 for
        a new world per episode.
      masks: Whether to compute action masks, of the kind of `env`.

    Attributes:
      tables: The rules.
    """

    def __init__(
        self,
        count: int,
        env: Env,
        threads: int,
        world_pool: int = 0,
        masks: bool = False,
    ) -> None:
        self._env, self._parameters = env, env.parameters
        self.tables = env.tables
        self._rules = rules_record(self.tables, self._parameters)
        self._masks = np.zeros((count * masks, len(self.tables.actions)), np.int8)
        if masks:
            affordances.prepare_masks(self._rules[0], env.mask_kind)
        self._worldgen_scratch = worldgen.make_scratch(self.tables, self._parameters)
        games = np.zeros(count, layout.dtype(self.tables, self._parameters))
        self._pool: Any = np.zeros(world_pool, games.dtype)
        self._pool_seed: int | None = None
        super().__init__(
            games,
            env.length,
            make_observer(env, count),
            (self._rules, self._pool, self._masks),
            self._worldgen_scratch,
            threads,
        )

    def step(self, order: np.ndarray, resets: int, actions: np.ndarray) -> None:
        """Plays one step; see `crafter.compiled.engine.Engine.step`."""
        if len(self._pool) and resets:
            self._fill_pool()
        super().step(order, resets, actions)

    def _fill_pool(self) -> None:
        """Generates the worlds of the first episodes of the first game's seed."""
        seed = next(seed for seed in self.seeds if seed is not None)
        if seed != self._pool_seed:
            self._pool["seed_hash"] = engine.seed_hash(seed)
            self._pool["episode"] = np.arange(len(self._pool))
            reset.fill_pool(self._pool, self._rules, self._worldgen_scratch)
            self._pool_seed = seed

    # Games created outside of kernels.

    def new_game(self, seed: int, episode: int, start: Any) -> _Game:
        """Creates a game from options of a reset, or `None` for no options."""
        return self._env._new_game(seed, episode, start or options_module.Start())

    def read_state(self, value: Any) -> _Game:
        """Loads a saved game."""
        return state.restore(value, self.tables, self._parameters)

    def record(self, games: np.ndarray, i: int, made: _Game) -> np.ndarray:
        """Writes a game to a record; see `crafter.compiled.engine.Engine.record`."""
        value = state.capture(*made)
        records.load(games[i], value, self.tables, self._parameters)
        _, _, player = made
        counters = [getattr(player, name) for name in t.COUNTERS]
        games[i]["counters"] = counters  # in double precision, unlike a saved game
        games[i]["world"] = -1
        return games

    def get_state(self, b: int) -> dict[str, np.ndarray]:
        """Returns a game in the format of `crafter.games.craftax.state.capture`."""
        reset.make_floors(
            self.games, np.array([b]), self._rules, self._worldgen_scratch
        )
        fields = records.unload(self.games[b], self.tables, self._parameters)
        fields["seed"] = np.array(str(self.seeds[b]))
        return state.assemble(fields, self.tables, self._parameters)

    # Masks.

    def action_masks(self, indices: np.ndarray) -> np.ndarray:
        """Returns the action masks of some games, int8 (n, actions)."""
        return self._masks.take(indices, axis=0)
