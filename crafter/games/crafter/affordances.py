"""Affordances: which actions would have an effect now, and why the others would not.

`CHECKS` has one function per verb. Each returns the reason why the action of the player
would have no effect, as in `rejected` events, or `None` if it may have one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crafter.core.events import Refusal

# Verbs.


def _noop(player: Any, what: str) -> Refusal | None:
    return None


def _move(player: Any, what: str) -> Refusal | None:
    world = player.world
    x, y = direction = world.rules.directions[what]
    possible = (
        direction != player.facing
        or player.is_free(player.x + x, player.y + y)
        or world[player.position][0] in world.rules.deadly  # any move kills here
    )
    return None if possible else Refusal("blocked")


def _do(player: Any, what: str) -> Refusal | None:
    rules, (material, target) = player.world.rules, player.world[player.target]
    if target is not None:
        used = rules.do.get(target.kind)
        if used is None:
            return Refusal("bad_target")
        possible = used["verb"] == "strike" or target.ripe
        return None if possible else Refusal("unripe")
    rule = rules.collect.get(material) if material else None
    if rule is None:
        return Refusal("nothing_there")
    missing = player.missing(rule["require"])
    return Refusal("no_tool", missing) if missing else None


def _sleep(player: Any, what: str) -> Refusal | None:
    energy = player.world.rules.life["fatigue"]["item"]
    tired = player.inventory[energy] < player.limits[energy]
    return None if tired else Refusal("not_tired")


def _place(player: Any, what: str) -> Refusal | None:
    rule, (material, target) = (
        player.world.rules.place[what],
        player.world[player.target],
    )
    missing = player.missing(rule["uses"])
    if target is not None:
        return Refusal("occupied", missing)
    if material not in rule["where"]:
        return Refusal("bad_target", missing)
    return Refusal("no_item", missing) if missing else None


def _make(player: Any, what: str) -> Refusal | None:
    rules = player.world.rules
    rule = rules.make[what]
    near, _ = player.world.nearby(player.position, rules.world["nearby"])
    stations = {place: 1 for place in rule["nearby"] if place not in near}
    missing = {**stations, **player.missing(rule["uses"])}
    if stations:
        # Nothing is nearby at the left and upper edges; see `World.nearby`.
        return Refusal("no_station" if near else "edge_quirk", missing)
    return Refusal("no_item", missing) if missing else None


#: Verb -> function that returns why it would have no effect on its object.
CHECKS: dict[str, Callable[[Any, str], Refusal | None]] = {
    "noop": _noop,
    "move": _move,
    "do": _do,
    "sleep": _sleep,
    "place": _place,
    "make": _make,
}


def refusal(player: Any, action: str) -> Refusal | None:
    """Returns why an action would have no effect, or `None` if it may have one.

    Args:
      player: The player, awake.
      action: Name of the action.
    """
    verb, _, what = action.partition("_")
    return CHECKS[verb](player, what)


def action_mask(player: Any) -> np.ndarray:
    """Returns the mask of actions that may differ in effect from `noop`.

    A player who is asleep and tired stays asleep, whatever the action.

    Args:
      player: The player.

    Returns:
      int8 of shape (actions,): 1 for `noop`, and for each action that leads to another
      state than `noop` for some random draw; else 0.
    """
    rules = player.world.rules
    names = rules.actions
    if player.sleeping and _sleep(player, "") is None:
        return np.array([name == "noop" for name in names], np.int8)
    # Missing items are faster to check than stations, which `refusal` checks first.
    short = {
        f"make_{what}"
        for what, rule in rules.make.items()
        if player.missing(rule["uses"])
    }
    possible = (name not in short and refusal(player, name) is None for name in names)
    return np.fromiter(possible, np.int8, len(names))
