"""Achievements within reach: one step of lookahead on what the player sees."""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np

from crafter.games.craftax import actions, game
from crafter.games.craftax.affordances import refusal
from crafter.games.craftax.draws import Sampler
from crafter.games.craftax.player import Player


def seen(player: Player) -> Player:
    """Returns a copy of a player and its world, without what the player cannot see.

    Dark cells become walls without creatures, all creatures die from one hit, and the
    first chest has unknown contents. Only floors within one ladder are copied.
    """
    far = (f for n, f in enumerate(player.world.floors) if abs(n - player.level) > 1)
    twin = copy.deepcopy(player, {id(floor): floor for floor in far})
    tables, floor = twin.world.tables, twin.floor
    dark = floor.light <= tables.dim
    floor.block_map[dark] = tables.block_ids["wall"]
    floor.chest_opened = True
    for _, mobs in floor.creatures():
        for mob in mobs:
            mob.alive &= not dark[mob.position]
            mob.health = 0.0
    twin.unlocked.clear()
    return twin


def possible(player: Player) -> dict[str, str]:
    """Returns the achievements within reach of one action, and that action.

    Args:
      player: The player, alive.
    """
    if player.sleeping or player.resting:
        return {}
    now, tables = seen(player), player.world.tables
    achievements: dict[str, str] = {}
    unlucky: Any = types.SimpleNamespace(
        random=lambda n, dtype: np.full(n, 0.99, dtype)
    )
    draws = Sampler(tables, player.world.parameters).draw(unlucky)
    books = [draws._replace(book_spell=number) for number in range(len(tables.spells))]
    for action in tables.actions:
        if refusal(now, action) is not None:
            continue
        for luck in books if action.verb == "read" else [draws._replace(sapling_u=0.0)]:
            ahead = seen(player)
            actions.act(ahead, action, luck)
            game.enter_floor(ahead)
            ahead.achieve_possessions()
            for number in ahead.unlocked:
                achievements.setdefault(tables.achievement_names[number], action.name)
        if action.verb == "sleep":  # wakes up in a later step
            achievements[tables.data["waking"]] = action.name
    return achievements
