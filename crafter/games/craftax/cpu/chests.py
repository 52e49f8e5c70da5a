"""What is in a chest."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu import world
from crafter.games.craftax.cpu.draws import real, whole
from crafter.games.craftax.cpu.player import achieve

_TORCH_U, _TORCHES = t.DRAWS["chest_torch_u"], t.DRAWS["chest_torch_count"]
_ORE_U, _ORE = t.DRAWS["chest_ore_u"], t.DRAWS["chest_ore_kind"]
_ORES = t.DRAWS["chest_ore_count"]
_POTION_U, _COLOUR = t.DRAWS["chest_potion_u"], t.DRAWS["chest_potion_colour"]
_POTIONS = t.DRAWS["chest_potion_count"]
_ARROW_U, _ARROWS = t.DRAWS["chest_arrow_u"], t.DRAWS["chest_arrow_count"]
_TOOL_U, _TOOL = t.DRAWS["chest_tool_u"], t.DRAWS["chest_tool_kind"]
_PICKAXE_TIER = t.DRAWS["chest_pickaxe_tier"]
_SWORD_TIER = t.DRAWS["chest_sword_tier"]


@inner
def open_chest(g, rules, d, unlocked, row, col):
    """Opens the chest at a cell and takes what is in it."""
    first = not g.opened[g.level]
    world.set_block(g, rules, g.level, row, col, rules.chest_leaves)
    g.opened[g.level] = 1
    chance = rules.chest_chance
    if real(rules, d, _TORCH_U, 0) < chance[0]:
        g.items[rules.chest_torches] += whole(rules, d, _TORCHES, 0)
    if real(rules, d, _ORE_U, 0) < chance[1]:
        ore = rules.chest_ores[whole(rules, d, _ORE, 0)]
        g.items[ore] += whole(rules, d, _ORES, 0)
    if real(rules, d, _POTION_U, 0) < chance[2]:
        colour = rules.potion + whole(rules, d, _COLOUR, 0)
        g.items[colour] += whole(rules, d, _POTIONS, 0)
    if real(rules, d, _ARROW_U, 0) < chance[3]:
        g.items[rules.chest_arrows] += whole(rules, d, _ARROWS, 0)
    if real(rules, d, _TOOL_U, 0) < chance[4]:
        tool = rules.chest_tools[whole(rules, d, _TOOL, 0)]
        tier = whole(
            rules, d, _PICKAXE_TIER if tool == rules.pickaxe else _SWORD_TIER, 0
        )
        g.items[tool] = max(g.items[tool], tier)
    if first and rules.chest_first[g.level] >= 0:
        item, best = rules.chest_first[g.level], rules.chest_best[g.level]
        g.items[item] += best < 0 or g.items[item] < best
    achieve(g, rules, unlocked, rules.chest_achievement)
