"""Actions of Craftax that would have an effect now, as far as can be seen."""

from __future__ import annotations

import numpy as np

from crafter.games.craftax.affordances import face, imagined, refusal
from crafter.games.craftax.player import Player
from crafter.games.craftax.text.book import amounts
from crafter.lm.rendering.facts import DARKNESS, VECTORS
from crafter.lm.rendering.observation import Observation

_VULNERABLE = "necromancer_vulnerable"  # how observations name a boss to be hit
_LADDERS = ("ladder_down", "ladder_up")


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    if obs.asleep or obs.status["resting"]:
        return ("noop",)
    player, actions = _imagined(obs), obs.words.rules.actions
    return tuple(row.name for row in actions if refusal(player, row) is None)


def _imagined(obs: Observation) -> Player:
    """Returns the player of an observation, for whom all ladders are open."""
    tables, vulnerable = obs.words.rules, obs.front == _VULNERABLE
    blocks, items = _around(obs)
    middle = len(blocks) // 2
    player = imagined(tables, blocks, items, (middle, middle))
    # Where it is does not count: on most floors there are ways up and down.
    player.level = tables.boss_floor if vulnerable else 1
    player.world.boss_timer = 0
    player.floor.monsters_killed = tables.data["ladders"]["monsters"]
    player.direction = tables.direction_names.index(obs.facing) + 1
    player.own({**obs.status["attributes"], **amounts(tables, obs.inventory)})
    player.learned_spells = [name in obs.status["spells"] for name in tables.spells]
    player.achievements = [True] * len(player.achievements)
    player.thirst = player.hunger = 1.0  # they are not told
    if obs.front in obs.words.creatures:
        face(player, obs.front)
    return player


def _around(obs: Observation) -> tuple[np.ndarray, np.ndarray]:
    """Returns the ids of blocks and items near the player."""
    ids, reach = obs.words.rules.block_ids, obs.words.book.reach
    cells = range(-reach, reach + 1)
    names = [[obs.material((dx, dy)) for dx in cells] for dy in cells]
    blocks = np.array([[ids.get(name, 0) for name in row] for row in names], np.uint8)
    items = np.zeros_like(blocks)
    here = next((name for name in obs.here if name in _LADDERS), "none")
    items[reach, reach] = obs.words.rules.item_ids[here]
    dx, dy = VECTORS[obs.facing]
    ahead, front = (reach + dy, reach + dx), obs.front
    if front == _VULNERABLE:
        blocks[ahead] = ids[obs.words.rules.data["boss"]["block"]]
    elif front not in ids or front == DARKNESS:
        # No block, and so of no use: something to walk over, or else in the way.
        is_free = front in {*obs.words.book.walkable, DARKNESS}
        blocks[ahead] = ids["path" if is_free else "wall"]
        items[ahead] = obs.words.rules.item_ids["torch"]
    return blocks, items
