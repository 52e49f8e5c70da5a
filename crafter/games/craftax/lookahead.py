"""Achievements within reach: a step played ahead on what the player sees."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from crafter.games.craftax import actions, game
from crafter.games.craftax.affordances import face, imagined, refusal
from crafter.games.craftax.draws import Sampler
from crafter.games.craftax.player import Player
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables


def seen(rules: Tables, now: Snapshot) -> Player:
    """Returns the player as far as a snapshot shows it, in the light.

    Args:
      rules: The rules of the game.
      now: The moment.
    """
    lit = now.light > rules.dim
    blocks = np.where(lit, now.blocks, np.uint8(rules.block_ids["wall"]))
    row, column = (p - c for p, c in zip(now.position, now.corner))
    player = imagined(rules, blocks, now.items, (row, column))
    player.level, player.direction = now.level, rules.vectors.index(now.facing)
    player.own(now.inventory)
    player.achievements = [now.achievements[name] for name in rules.achievement_names]
    player.learned_spells = [name in now.spells for name in rules.spells]
    ids = {element.name: element.id for element in rules.elements.values()}
    pieces = rules.inventory_keys["armour"] or ()
    worn = [now.enchantments.get(piece, "") for piece in pieces]
    player.armour_enchantments = [ids.get(name, 0) for name in worn]
    player.world.boss_timer = 0 if now.boss_vulnerable else 1
    player.floor.monsters_killed = now.monsters_killed
    player.floor.chest_opened = True  # what lies in the first one is not known
    ahead = now.position[0] + now.facing[0], now.position[1] + now.facing[1]
    for mob in now.mobs:
        if (
            mob.kind in rules.species
            and mob.position == ahead
            and lit.item(*player.target)
        ):
            face(player, mob.name)
    return player


def possible(rules: Tables, now: Snapshot) -> dict[str, str]:
    """Returns the achievements that an action could unlock now, and the action.

    Args:
      rules: The rules of the game.
      now: The moment, in which the player is alive.
    """
    if now.sleeping or now.resting:
        return {}
    player = seen(rules, now)
    found: dict[str, str] = {}
    unlucky: Any = types.SimpleNamespace(
        random=lambda n, dtype: np.full(n, 0.99, dtype)
    )
    draws = Sampler(rules, player.world.parameters).draw(unlucky)
    books = [draws._replace(book_spell=number) for number in range(len(rules.spells))]
    for action in rules.actions:
        if refusal(player, action) is not None:
            continue
        for luck in books if action.verb == "read" else [draws._replace(sapling_u=0.0)]:
            ahead = seen(rules, now)
            actions.act(ahead, action, luck)
            game.enter_floor(ahead)
            ahead.achieve_possessions()
            for number in ahead.unlocked:
                found.setdefault(rules.achievement_names[number], action.name)
        if action.verb == "sleep":  # from which it wakes in a later step
            found[rules.data["waking"]] = action.name
    return found
