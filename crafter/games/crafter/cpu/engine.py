"""Batch engine of Crafter."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled import engine
from crafter.compiled.engine import Staged as Staged  # tasks stage their scenes
from crafter.compiled.memory import record
from crafter.core.clock import daylight
from crafter.games.crafter import game, layout, state
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import affordances, capacity, observers
from crafter.games.crafter.cpu import state as records
from crafter.games.crafter.cpu.worldgen import make_scratch
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.settings import Settings
from crafter.games.crafter.start import Start

_LIGHT = 2**14  # steps with precomputed daylight; computing it takes 3 % of a step
_Game = tuple[state.Moment, World, Player]


class Engine(engine.Engine):
    """The games of a batch, records of `layout.dtype`.

    Args:
      count: Number of games.
      settings: Settings shared by all games.
      threads: Number of threads.

    Attributes:
      view: View size (columns, rows).
    """

    def __init__(self, count: int, settings: Settings, threads: int) -> None:
        self._settings, self.view = settings, settings.view
        self._max_objects = capacity.default_max_objects(settings.area)
        time, world = settings.rules.time, settings.rules.world
        worldgen_scratch = make_scratch(settings.area, settings.rules)
        self._rules = record(
            **vars(t.Tables(settings.rules)),
            reach=float(world["update_range"] * max(settings.view)),
            light=[daylight(step, time) for step in range(_LIGHT)],
            day=float(time["day"]),
            day_start=float(time["start"]),
        )
        super().__init__(
            np.zeros(count, layout.dtype(settings.area, self._max_objects)),
            settings.length,
            observers.make(settings, count),
            (self._rules,),
            worldgen_scratch,
            threads,
        )

    # Playing.

    def make_room(self) -> None:
        """Doubles the object slots of all games."""
        self._grow(2 * self._max_objects)

    def _grow(self, max_objects: int) -> None:
        self.games = capacity.grown(self.games, self._settings.area, max_objects)
        self._max_objects = max_objects

    # Games created outside of kernels.

    def new_game(self, seed: int, episode: int, start: Start | None) -> _Game:
        """Creates a game from options of a reset, or `None` for no options."""
        return game.new_game(self._settings, seed, episode, start or Start())

    def read_state(self, value: Any) -> _Game:
        """Loads a saved game."""
        return state.restore(value, self._settings)

    def record(self, games: np.ndarray, i: int, made: _Game) -> np.ndarray:
        """Writes a game to a record; see `crafter.compiled.engine.Engine.record`."""
        value = state.capture(self._settings, *made)
        count = len(value["object_id"])
        if count > self._max_objects:
            self._grow(capacity.power_of_two(count))
            games = capacity.grown(games, self._settings.area, self._max_objects)
        records.load(games[i], value)
        return games

    def get_state(self, b: int) -> dict[str, np.ndarray]:
        """Returns a game in the format of `crafter.games.crafter.state.capture`."""
        noise = self.observer.noise(self.games, b)
        fields = {
            "version": state.VERSION,
            **{f"config_{n}": v for n, v in self._settings.state_config.items()},
            **records.unload(self.games[b]),
            "seed": str(self.seeds[b]),
            "noise": np.zeros((0, 0)) if noise is None else noise,
        }
        return {name: np.asarray(field) for name, field in fields.items()}

    # Masks.

    def action_masks(self, indices: np.ndarray) -> np.ndarray:
        """Returns the action masks of some games, int8 (n, 17)."""
        masks = np.zeros((len(indices), len(t.ACTIONS)), np.int8)
        affordances.fill_masks(self.games, indices, self._rules, masks)
        return masks
