"""Loot from chests."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.player import achieve


@inner
def open_chest(g, rules, d, row, col):
    """Opens the chest at a cell and takes its contents."""
    first = not g.chest_opened[g.level]
    world.set_block(g, rules, g.level, row, col, rules.chest_leaves)
    g.chest_opened[g.level] = 1
    chance = rules.chest_chance
    if d.chest_torch_u < chance[0]:
        g.items[rules.chest_torches] += d.chest_torch_count
    if d.chest_ore_u < chance[1]:
        ore = rules.chest_ores[d.chest_ore_kind]
        g.items[ore] += d.chest_ore_count
    if d.chest_potion_u < chance[2]:
        colour = rules.potion + d.chest_potion_colour
        g.items[colour] += d.chest_potion_count
    if d.chest_arrow_u < chance[3]:
        g.items[rules.chest_arrows] += d.chest_arrow_count
    if d.chest_tool_u < chance[4]:
        tool = rules.chest_tools[d.chest_tool_kind]
        is_pickaxe = tool == rules.pickaxe
        tier = d.chest_pickaxe_tier if is_pickaxe else d.chest_sword_tier
        g.items[tool] = max(g.items[tool], tier)
    if first and rules.chest_first[g.level] >= 0:
        item, best = rules.chest_first[g.level], rules.chest_best[g.level]
        g.items[item] += best < 0 or g.items[item] < best
    achieve(g, rules, rules.chest_achievement)
