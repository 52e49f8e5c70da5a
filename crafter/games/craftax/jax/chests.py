"""Contents of chests."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.tables import Tables, single

_NO_BEST = 2**31 - 1


@functools.cache
def _places(tables: Tables, part: str) -> np.ndarray:
    """Returns the places of the items among which a draw chooses."""
    names = tables.data["chest"][part]["kinds"]
    return np.array([t.HELD[name] for name in names], np.int32)


@functools.cache
def _special(tables: Tables) -> np.ndarray:
    """Returns the place of the item of the first chest of every floor, -1 for none."""
    first = tables.data["chest"]["first"]
    names = (first.get(floor) for floor in range(t.FLOORS))
    return np.array([t.HELD.get(name, -1) for name in names], np.int32)


@functools.cache
def _best(tables: Tables) -> np.ndarray:
    """Returns the best tier of each item, int32 (items,); amounts have no best."""
    return t.per_item(
        tables, lambda row: len(row["tiers"]) - 1 if "tiers" in row else _NO_BEST
    )


def contents(turn: Turn) -> jax.Array:
    """Returns what the player gains from a chest, int32 (items,)."""
    tables, draws, items = turn.config.tables, turn.draws, turn.state.items
    tool = t.take(_places(tables, "tools"), draws.chest_tool_kind)
    tier = jnp.where(
        tool == t.HELD["sword"], draws.chest_sword_tier, draws.chest_pickaxe_tier
    )
    better = jnp.maximum(tier - t.take(items, tool), 0)
    special = t.take(_special(tables), turn.state.player_level)
    # Of what has tiers, the next one.
    gain = t.take(items, special) < t.take(_best(tables), special)
    ore = t.take(_places(tables, "ores"), draws.chest_ore_kind)
    potion = t.POTIONS.start + draws.chest_potion_colour
    parts: list[tuple[str, Any, Any, Any]] = [
        ("torches", t.HELD["torches"], draws.chest_torch_u, draws.chest_torch_count),
        ("ores", ore, draws.chest_ore_u, draws.chest_ore_count),
        ("potions", potion, draws.chest_potion_u, draws.chest_potion_count),
        ("arrows", t.HELD["arrows"], draws.chest_arrow_u, draws.chest_arrow_count),
        ("tools", tool, draws.chest_tool_u, better),
    ]
    found = []
    for part, place, draw, amount in parts:
        chance = np.float32(single(turn.rules["chest"][part]["chance"]))
        found.append((place, jnp.where(draw < chance, amount, 0)))
    first = jnp.where(turn.floor.chests_opened, 0, gain.astype(jnp.int32))
    return t.one_hot_sum(t.ITEMS, [*found, (special, first)])
