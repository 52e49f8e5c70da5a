"""Loot from chests."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.tables import single

_NO_BEST = 2**31 - 1


def contents(turn: Turn) -> jax.Array:
    """Returns what the player gains from a chest, int32 (items,)."""
    rules, draws, items = turn.rules["chest"], turn.draws, turn.state.items
    tools, ores = (
        np.array([t.HELD[name] for name in rules[part]["kinds"]], np.int32)
        for part in ("tools", "ores")
    )
    tool = t.take(tools, draws.chest_tool_kind)
    tier = jnp.where(
        tool == t.HELD["sword"], draws.chest_sword_tier, draws.chest_pickaxe_tier
    )
    better = jnp.maximum(tier - t.take(items, tool), 0)
    firsts = [t.HELD.get(rules["first"].get(floor), -1) for floor in range(t.FLOORS)]
    special = t.take(np.array(firsts, np.int32), turn.state.player_level)
    # Items with tiers go up by one tier; amounts have no maximum here.
    best = turn.config.tables.per_item(
        lambda row: len(row["tiers"]) - 1 if "tiers" in row else _NO_BEST
    ).astype(np.int32)
    gain = t.take(items, special) < t.take(best, special)
    ore = t.take(ores, draws.chest_ore_kind)
    potion = t.POTIONS.start + draws.chest_potion_colour
    parts: list[tuple[str, Any, Any, Any]] = [
        ("torches", t.HELD["torches"], draws.chest_torch_u, draws.chest_torch_count),
        ("ores", ore, draws.chest_ore_u, draws.chest_ore_count),
        ("potions", potion, draws.chest_potion_u, draws.chest_potion_count),
        ("arrows", t.HELD["arrows"], draws.chest_arrow_u, draws.chest_arrow_count),
        ("tools", tool, draws.chest_tool_u, better),
    ]
    amounts = []
    for part, place, draw, amount in parts:
        chance = np.float32(single(rules[part]["chance"]))
        amounts.append((place, jnp.where(draw < chance, amount, 0)))
    first = jnp.where(turn.floor.chests_opened, 0, gain.astype(jnp.int32))
    return t.one_hot_sum(t.ITEMS, [*amounts, (special, first)])
