"""Loot from chests."""

from __future__ import annotations

from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import Position
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import single


def open_chest(player: Player, at: Position, draws: Draws) -> None:
    """Opens the chest at a cell and takes its contents.

    Args:
      player: The player.
      at: Cell of the chest.
      draws: The draws of the step.
    """
    world, floor, tables = player.world, player.floor, player.world.tables
    rule = tables.data["chest"]
    first = not floor.chest_opened
    floor.blocks[at[0] * floor.size + at[1]] = tables.block_ids[rule["leaves"]]
    floor.chest_opened = True
    world.emit("opened", what="chest", at=at, first=first)
    if draws.chest_torch_u < single(rule["torches"]["chance"]):
        _find(player, "torches", draws.chest_torch_count)
    if draws.chest_ore_u < single(rule["ores"]["chance"]):
        ore = list(rule["ores"]["kinds"])[draws.chest_ore_kind]
        _find(player, ore, draws.chest_ore_count)
    if draws.chest_potion_u < single(rule["potions"]["chance"]):
        _find_potion(player, draws.chest_potion_colour, draws.chest_potion_count)
    if draws.chest_arrow_u < single(rule["arrows"]["chance"]):
        _find(player, "arrows", draws.chest_arrow_count)
    if draws.chest_tool_u < single(rule["tools"]["chance"]):
        _find_tool(player, draws)
    if first and player.level in rule["first"]:
        _find_special(player, rule["first"][player.level])
    player.achieve(tables.achievement_ids[rule["achievement"]])


def _find(player: Player, item: str, amount: int) -> None:
    player.inventory[item] += amount
    player.world.emit("found", what=item, gain=amount)


def _find_potion(player: Player, colour: int, amount: int) -> None:
    player.inventory["potions"][colour] += amount
    name = player.world.tables.data["inventory"]["potions"]["each"][colour]
    player.world.emit("found", what=f"potion_{name}", gain=amount)


def _find_tool(player: Player, draws: Draws) -> None:
    """Finds a pickaxe or sword, and keeps it if it is better than the player's."""
    tool = player.world.tables.data["chest"]["tools"]["kinds"][draws.chest_tool_kind]
    tier = {"pickaxe": draws.chest_pickaxe_tier, "sword": draws.chest_sword_tier}[tool]
    gain = max(0, tier - player.inventory[tool])
    player.inventory[tool] += gain
    name = player.world.tables.data["inventory"][tool]["tiers"][tier]
    player.world.emit("found", what=f"{name}_{tool}", gain=min(gain, 1))


def _find_special(player: Player, item: str) -> None:
    """Finds an item, or the next tier of an item with tiers."""
    tiers = player.world.tables.data["inventory"][item].get("tiers")
    is_best = tiers is not None and player.inventory[item] >= len(tiers) - 1
    _find(player, item, 0 if is_best else 1)
