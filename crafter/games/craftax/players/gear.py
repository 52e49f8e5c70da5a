"""Items to make and gather, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crafter.games.craftax.players.scene import Scene

#: What to make, the most important first.
RECIPES = (
    "wood_pickaxe",
    "wood_sword",
    "stone_pickaxe",
    "stone_sword",
    "iron_pickaxe",
    "iron_sword",
    "diamond_pickaxe",
    "diamond_sword",
    "iron_armour",
    "diamond_armour",
)
#: Materials that are kept for what comes first.
_SCARCE = ("iron", "diamond")
#: Arrows to have.
_ARROWS = 90
#: Wood that is kept for other things: on the overworld, below it, and once the best
#: tools are made (a table takes some).
_SPARE_WOOD, _SPARE_WOOD_BELOW, _SPARE_WOOD_LAST = 24, 40, 9
_BEST_TOOLS = 4
_TABLE_WOOD, _FURNACE_STONE = 2, 1


class Supply(NamedTuple):
    """Something to gather.

    Attributes:
      item: What it gives.
      amount: How much to have.
      blocks: Blocks that give it.
      longest: The longest way to go for it, in steps.
    """

    item: str
    amount: int
    blocks: tuple[str, ...]
    longest: float


def wanted(scene: Scene) -> list[str]:
    """Returns the recipes that would still improve something."""
    found = []
    for name in RECIPES:
        for item, tier in scene.tables.recipes[name].raises.items():
            owned = scene.has[item]
            if (min(owned) if isinstance(owned, list) else owned) < tier:
                found.append(name)
    return found


def next_recipe(scene: Scene) -> str | None:
    """Returns the recipe that can be made now; scarce materials have their order."""
    reserved: set[str] = set()
    for name in wanted(scene):
        uses = scene.tables.recipes[name].uses
        if not reserved.intersection(uses) and _affordable(scene, name):
            return name
        reserved.update(item for item in uses if item in _SCARCE)
    if scene.has["arrows"] < _ARROWS and scene.has["wood"] > _spare_wood(scene):
        return "arrow" if _affordable(scene, "arrow") else None
    return None


def _spare_wood(scene: Scene) -> int:
    """Returns how much wood is kept for other things than arrows."""
    if scene.level == 0:
        return _SPARE_WOOD
    best = min(scene.has["pickaxe"], scene.has["sword"]) == _BEST_TOOLS
    if not best:
        return _SPARE_WOOD_BELOW
    table = scene.tables.block_ids["crafting_table"]
    return 0 if scene.floor.is_near(scene.at, table) else _SPARE_WOOD_LAST


def _affordable(scene: Scene, name: str) -> bool:
    recipe = scene.tables.recipes[name]
    uses = dict(recipe.uses)
    table = scene.tables.block_ids["crafting_table"]
    if not scene.floor.is_near(scene.at, table):
        uses["wood"] = uses.get("wood", 0) + _TABLE_WOOD
    if len(recipe.near) > 1:
        uses["stone"] = uses.get("stone", 0) + _FURNACE_STONE
    return not scene.player.missing(uses)


def lacks_wood(scene: Scene) -> bool:
    """Returns whether something of diamond lacks wood alone, and trees are left."""
    if scene.tables.block_ids["tree"] not in scene.world.floors[0].blocks:
        return False
    return any(
        "diamond" in uses
        and scene.has["diamond"] >= uses["diamond"]
        and scene.has["wood"] < uses.get("wood", 0) + _TABLE_WOOD
        for uses in (scene.tables.recipes[name].uses for name in wanted(scene))
    )


def needed(scene: Scene, item: str) -> int:
    """Returns how much of a material all wanted recipes use together."""
    total = 0
    for name in wanted(scene):
        recipe = scene.tables.recipes[name]
        times = 1
        for tool, tier in recipe.raises.items():
            owned = scene.has[tool]
            if isinstance(owned, list):
                times = sum(piece < tier for piece in owned)
        total += times * recipe.uses.get(item, 0)
    return total


def supplies(scene: Scene) -> Iterator[Supply]:
    """Yields what to gather on this floor, the most urgent first."""
    has, pickaxe = scene.has, scene.has["pickaxe"]
    if scene.level == 0:
        yield from _first_supplies(has, pickaxe)
    stone = 95 if scene.level in (0, 2, 5) else 30
    if pickaxe:
        yield Supply("stone", 25, ("stone", "stalagmite"), 30)
    if scene.level in (0, 2, 5):
        coal = min(needed(scene, "coal") + 2, 40)
        yield Supply("coal", coal, ("coal",), 70)
        yield Supply("iron", needed(scene, "iron"), ("iron",), 120)
        if pickaxe >= 3:
            yield Supply("diamond", needed(scene, "diamond"), ("diamond",), 150)
    if pickaxe >= 4:
        yield Supply("sapphire", 4, ("sapphire",), 120)
        yield Supply("ruby", 4, ("ruby",), 120)
    if pickaxe:
        yield Supply("stone", stone, ("stone", "stalagmite"), 20)
    if scene.level == 0:
        yield Supply("wood", 95 if has["arrows"] >= _ARROWS else 60, ("tree",), 90)


def _first_supplies(has: dict[str, int], pickaxe: int) -> Iterator[Supply]:
    if pickaxe < 1:
        yield Supply("wood", 10, ("tree",), 400)
    elif pickaxe < 2:
        yield Supply("stone", 8, ("stone",), 400)
    if pickaxe < 3:
        yield Supply("wood", 5, ("tree",), 400)


def missing(scene: Scene) -> list[Supply]:
    """Returns what to gather on this floor and is not yet there."""
    return [s for s in supplies(scene) if scene.has[s.item] < s.amount]
