"""Affordances: which actions have an effect now, and why the others have none.

`CHECKS` has one function per verb. Each returns why the action would have no effect, as
`rejected` events name it, or `None` if it may have one. They ask the player in its
world.
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
    works = (
        direction != player.facing
        or player.is_free(player.x + x, player.y + y)
        or world[player.position][0] in world.rules.deadly  # where any move kills
    )
    return None if works else Refusal("blocked")


def _do(player: Any, what: str) -> Refusal | None:
    rules, (material, target) = player.world.rules, player.world[player.target]
    if target is not None:
        used = rules.do.get(target.kind)
        if used is None:
            return Refusal("bad_target")
        works = used["verb"] == "strike" or target.ripe
        return None if works else Refusal("unripe")
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
        # At the left and upper edge nothing is ever near (World.nearby).
        return Refusal("no_station" if near else "edge_quirk", missing)
    return Refusal("no_item", missing) if missing else None


#: Verb -> why it would have no effect on what the rest of the action's name says.
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
      player: The player in its world, awake.
      action: Name of the action.
    """
    verb, _, what = action.partition("_")
    return CHECKS[verb](player, what)


def action_mask(player: Any) -> np.ndarray:
    """Returns which actions may have an effect that waiting does not have.

    A sleeper who is not rested goes on sleeping whatever the action is.

    Args:
      player: The player in its world.

    Returns:
      int8 of shape (actions,): 1 if there is an outcome of chance for which the next
      state differs from that after `noop`, and for `noop` itself; else 0.
    """
    rules = player.world.rules
    names = rules.actions
    if player.sleeping and _sleep(player, "") is None:
        return np.array([name == "noop" for name in names], np.int8)
    # Items are looked up sooner than stations, which decide what the reason is.
    short = {
        f"make_{what}"
        for what, rule in rules.make.items()
        if player.missing(rule["uses"])
    }
    works = (name not in short and refusal(player, name) is None for name in names)
    return np.fromiter(works, np.int8, len(names))
