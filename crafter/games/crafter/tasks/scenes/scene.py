"""Scenes of Crafter: complete, reproducible initial states."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.schema import Count
from crafter.core.stream import episode_seed
from crafter.core.validation import raising
from crafter.games.crafter import start
from crafter.games.crafter.env import Env
from crafter.games.crafter.rules import Rules, default
from crafter.tasks import scenes
from crafter.tasks.scenes import SceneError

#: Raised when generated scenes change.
VERSION = 3


@dataclasses.dataclass(frozen=True)
class Scene(scenes.Scene):
    """Initial state of an episode.

    Attributes:
      world_seed: Seed of the generated world.
      inventory: Item -> amount at the start; vitals are not among them.
      clock: Step of the day at the start.
      area: Map size (x, y) in cells.
      symmetry: Symmetry of the square that turns the world; see
        `crafter.games.crafter.map_edits`.
      spawn: Cell of the player; `None` for the middle of the map.
      facing: Direction (dx, dy) of the player.
      vitals: Health, food, drink and energy at the start, where given.
      counters: Hunger, thirst, fatigue and recover, where given.
      edits: Changes to the map, in order; see `crafter.games.crafter.map_edits.EDITS`.
      mobs: Creatures and plants to add: kind, position and their numbers.
      remove_mobs: Kind -> distance from the player up to which it is removed.
      dynamics_seed: Seed of the game from the first step on; `None` to continue the
        stream of world generation.
      marks: Name -> rectangle (x, y, width, height) that the goal or text refers to.

    Example:
      >>> scene = Scene("place_table", "simple", "mine", 0, 7, {"wood": 3}, 60)
      >>> world, player = scene.build()
      >>> player.position, player.inventory["wood"]
      ((32, 32), 3)
    """

    game, needs = "crafter", ("area",)
    world_seed: Count
    inventory: Mapping[str, int]
    clock: Count
    area: tuple[int, int] = (64, 64)
    symmetry: Count = 0
    spawn: tuple[int, int] | None = None
    facing: tuple[int, int] = (0, 1)
    vitals: Mapping[str, int] = dataclasses.field(default_factory=dict)
    counters: Mapping[str, float] = dataclasses.field(default_factory=dict)
    edits: tuple[tuple[Any, ...], ...] = ()
    mobs: tuple[Mapping[str, Any], ...] = ()
    remove_mobs: Mapping[str, int] = dataclasses.field(default_factory=dict)
    dynamics_seed: Count | None = None
    marks: Mapping[str, tuple[int, int, int, int]] = dataclasses.field(
        default_factory=dict
    )

    def check_env(self, env: Any) -> None:
        """Raises ValueError if the map of an environment has another size."""
        if self.area != env.area:
            raise ValueError(
                f"The {self} has a map of {self.area} but the environment has "
                f"{env.area}: pass area={self.area}."
            )

    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `crafter.Env.reset` gets: `seed` and `options`."""
        changes = {
            "spawn": self.spawn,
            "symmetry": self.symmetry,
            "edits": self.edits,
            "objects": self.mobs,
            "remove": self.remove_mobs,
            "counters": self.counters,
            "marks": self.marks,
        }
        given = {
            "inventory": {**self.vitals, **self.inventory},
            "daytime": self.clock,
            "facing": self.facing,
            **{name: value for name, value in changes.items() if value},
        }
        if self.dynamics_seed is not None:
            given["dynamics_seed"] = self.dynamics_seed
        return {"seed": self.world_seed, "options": given}

    def build(self, rules: Rules | None = None) -> tuple[Any, Any]:
        """Builds the world of the scene as `crafter.Env.reset` does.

        Args:
          rules: The rules of the game; by default the published ones.

        Returns:
          The world, and the player in it.

        Raises:
          SceneError: If it cannot be built under the rules.
        """
        rules = default() if rules is None else rules
        arguments = self.reset_arguments()
        with raising(SceneError, f"{self}: "):
            options = start.parse(arguments["options"], self.area, rules)
            seed = episode_seed(arguments["seed"], 1)
            return start.build(options, self.area, rules, seed)

    def picture(self, view: Any, cell: int) -> np.ndarray:
        """Returns a picture of the scene as it begins, with inventory rows."""
        size = (view[0] * cell, view[1] * cell)
        env = Env(area=self.area, view=view, size=size)
        start = self.reset_arguments()
        start["options"]["daytime"] = "noon"
        env.reset(**start)
        return env.frame()
