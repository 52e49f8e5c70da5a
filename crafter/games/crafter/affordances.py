"""Affordances: which actions have an effect now, and why the others have none.

`CHECKS` has one function per verb. Each returns why the action would have no effect, as
`rejected` events name it, or `None` if it may have one. They read a `Scene`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from crafter.core.events import Refusal
from crafter.games.crafter.rules import Rules

Position = tuple[int, int]


class Scene:
    """Facts of a running game that decide whether actions have an effect.

    Args:
      player: The player in its world.
      front: Material and object in front of it, where they have been looked up.

    Attributes:
      rules: The rules of the game.
      inventory: Item -> amount.
      limits: Item -> the most that can be carried.
      facing: Direction (dx, dy) of the player.
      material: Material in front; `None` beyond the map.
      kind: Kind of the object in front, or `None`.
      ripe: Whether it is a plant that can be eaten.
    """

    def __init__(
        self, player: Any, front: tuple[str | None, Any] | None = None
    ) -> None:
        self._player, self._world = player, player.world
        self.rules: Rules = player.world.rules
        self.inventory, self.limits = player.inventory, player.limits
        self.facing = player.facing
        found: tuple[str | None, Any] = front or player.world[player.target]
        self.material, target = found
        self.kind = None if target is None else target.kind
        self.ripe = getattr(target, "ripe", False)

    @property
    def on_deadly(self) -> bool:
        """Whether the player stands on a material where any move kills."""
        return self._world[self._player.position][0] in self.rules.deadly

    def near(self) -> Collection[str]:
        """Returns the materials near enough for crafting."""
        reach = self.rules.world["nearby"]
        materials, _ = self._world.nearby(self._player.position, reach)
        return tuple(materials)

    def is_free(self, direction: Position) -> bool:
        """Returns whether the player could enter the next cell in a direction."""
        x, y = self._player.position
        return bool(self._player.is_free(x + direction[0], y + direction[1]))

    def missing(self, needs: Mapping[str, int]) -> dict[str, int]:
        """Returns the missing items and how many of each are missing."""
        owned = self.inventory
        return {
            item: amount - owned.get(item, 0)
            for item, amount in needs.items()
            if owned.get(item, 0) < amount
        }


# Verbs.


def _move(scene: Scene, what: str) -> Refusal | None:
    direction = scene.rules.directions[what]
    works = direction != scene.facing or scene.is_free(direction) or scene.on_deadly
    return None if works else Refusal("blocked")


def _do(scene: Scene, what: str) -> Refusal | None:
    if scene.kind is not None:
        used = scene.rules.do.get(scene.kind)
        if used is None:
            return Refusal("bad_target")
        return None if used["verb"] == "strike" or scene.ripe else Refusal("unripe")
    rule = scene.rules.collect.get(scene.material) if scene.material else None
    if rule is None:
        return Refusal("nothing_there")
    missing = scene.missing(rule["require"])
    return Refusal("no_tool", missing) if missing else None


def _sleep(scene: Scene, what: str) -> Refusal | None:
    energy = scene.rules.life["fatigue"]["item"]
    tired = scene.inventory[energy] < scene.limits[energy]
    return None if tired else Refusal("not_tired")


def _place(scene: Scene, what: str) -> Refusal | None:
    rule = scene.rules.place[what]
    missing = scene.missing(rule["uses"])
    if scene.kind is not None:
        return Refusal("occupied", missing)
    if scene.material not in rule["where"]:
        return Refusal("bad_target", missing)
    return Refusal("no_item", missing) if missing else None


def _make(scene: Scene, what: str) -> Refusal | None:
    rule, near = scene.rules.make[what], scene.near()
    stations = {place: 1 for place in rule["nearby"] if place not in near}
    missing = {**stations, **scene.missing(rule["uses"])}
    if stations:
        # At the left and upper edge nothing is ever near (World.nearby).
        return Refusal("no_station" if near else "edge_quirk", missing)
    return Refusal("no_item", missing) if missing else None


#: Verb -> why it would have no effect on what the rest of the action's name says.
CHECKS: dict[str, Callable[[Scene, str], Refusal | None]] = {
    "noop": lambda scene, what: None,
    "move": _move,
    "do": _do,
    "sleep": _sleep,
    "place": _place,
    "make": _make,
}


def refusal(scene: Scene, action: str) -> Refusal | None:
    """Returns why an action would have no effect, or `None` if it may have one.

    Args:
      scene: What decides it; the player is awake.
      action: Name of the action.
    """
    verb, _, what = action.partition("_")
    return CHECKS[verb](scene, what)


def action_mask(player: Any) -> np.ndarray:
    """Returns which actions may have an effect that waiting does not have.

    A sleeper who is not rested goes on sleeping whatever the action is.

    Args:
      player: The player in its world.

    Returns:
      int8 of shape (actions,): 1 if there is an outcome of chance for which the next
      state differs from that after `noop`, and for `noop` itself; else 0.
    """
    scene = Scene(player)
    if player.sleeping and _sleep(scene, "") is None:
        return np.array([name == "noop" for name in scene.rules.actions], np.int8)
    return np.array([refusal(scene, a) is None for a in scene.rules.actions], np.int8)
