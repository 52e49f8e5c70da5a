"""Plans: possible next goals and how much they are wanted."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.core.grid import Cell, shift
from crafter.games.craftax.players.outlook import DETOUR, Outlook, Plan

#: Health at which it hides below the overworld, and up to which it stays hidden.
HURT, STRONG = 5, 7
#: Food and drink at which it looks for more.
LOW = 4
#: Steps within which those who shoot are a danger.
SHOOT = 6
WATER = ("water", "fountain")
#: Food and drink to have before the first way down.
_PROVISIONS = 6
#: What it likes to have on the way down.
_STOCK = {"wood": 9, "stone": 12, "coal": 2, "iron": 2}
_STOCK |= {"diamond": 5, "sapphire": 1, "ruby": 1}
#: Wood for a table and the first tools.
_FIRST_WOOD = 5
#: Tools, the most wanted first.
_TOOLS = (
    *("wood_pickaxe", "wood_sword", "stone_pickaxe", "stone_sword"),
    *("iron_sword", "iron_pickaxe", "diamond_sword", "diamond_pickaxe"),
    *("iron_armour", "diamond_armour"),
)
#: Arrows and torches to have.
_ARROWS, _TORCHES = 12, 4
_TABLE_WOOD = 2
#: How far to go for a table, for chests and for monsters without a bow and with one.
_TABLE_FAR, _CHEST_FAR, _HUNT_FAR = 20.0, (100.0, 60.0), (6.0, 25.0)
_CHEST_WEIGHT = (0.15, 0.4)
_NEVER = float("inf")


def plans(outlook: Outlook) -> Iterator[Plan]:
    """Yields everything that could be done now and is wanted."""
    for wish in (body, making, gathering, looting, hunting):
        yield from (plan for plan in wish(outlook) if plan is not None)


def hurt(outlook: Outlook) -> int:
    """Returns the health at which it hides: monsters below hit harder."""
    return HURT if outlook.scene.level else HURT - 1


# The body.


def body(outlook: Outlook) -> Iterator[Plan | None]:
    """Drinks, eats and sleeps, and looks for a sapling."""
    player, scene = outlook.player, outlook.scene
    low = _PROVISIONS if scene.level == 0 and outlook.late else LOW
    if player.drink <= low or outlook.wants("collect_drink"):
        times = max(1, scene.most("drink") - player.drink)
        way = outlook.reach.to_block(WATER, _far(outlook, player.drink, low))
        yield outlook.use(way, "drink", times, _urgency(player.drink))
    prey = scene.passive()
    fresh = any(outlook.wants_number(c.species.achievement) for c in prey)
    if player.food <= low or fresh:
        way = outlook.reach.to((c.cell for c in prey), _far(outlook, player.food, low))
        yield outlook.use(way, "eat", 1, _urgency(player.food))
    if scene.level == 0:
        yield _sapling(outlook)
        yield _nap(outlook)


def _far(outlook: Outlook, amount: float, low: float) -> float:
    """Returns how far to go for food or drink."""
    if amount <= LOW:
        return _NEVER
    return DETOUR if amount <= low else outlook.detour


def _urgency(amount: float) -> float:
    return 1.0 if amount > LOW else amount / (2 * LOW)


def _sapling(outlook: Outlook) -> Plan | None:
    if not outlook.wants("collect_sapling") or not outlook.is_settled:
        return None
    plan = outlook.use(outlook.reach.to_block(["grass"], 3), "sapling", 4)
    return None if plan is None else Plan(plan.cost + 6, plan.actions, plan.name)


def _nap(outlook: Outlook) -> Plan | None:
    """Sleeps a little by day, when nobody is near: waking counts."""
    missing = outlook.scene.most("energy") - outlook.player.energy
    bright = outlook.belief.world.light_level > 0.6
    calm = bright and not outlook.scene.near(9)
    if not (missing and calm and outlook.wants("wake_up")):
        return None
    return Plan(14.0 * missing, outlook.sleep, "nap")


# Making things.


def making(outlook: Outlook) -> Iterator[Plan | None]:
    """Makes what is better than what it has, and places things once."""
    for name in _recipes(outlook):
        yield _make(outlook, name)
    scene = outlook.scene
    near = scene.floor.is_near(scene.at, outlook.tables.block_ids["crafting_table"])
    if outlook.wants("place_furnace") and near and scene.has["stone"] > 3:
        yield outlook.place("furnace")
    if outlook.wants("place_stone") and scene.has["stone"]:
        yield outlook.place("stone")


def _recipes(outlook: Outlook) -> Iterator[str]:
    has = outlook.scene.has
    for name in _TOOLS:
        for item, tier in outlook.tables.recipes[name].raises.items():
            owned = has[item]
            if (min(owned) if isinstance(owned, list) else owned) < tier:
                yield name
    armed = min(has["pickaxe"], has["sword"]) >= 2 and has["wood"] > 1
    if armed and has["arrows"] < _ARROWS:
        yield "arrow"
    if armed and has["torches"] < _TORCHES:
        yield "torch"


def _make(outlook: Outlook, name: str) -> Plan | None:
    scene, recipe = outlook.scene, outlook.tables.recipes[name]
    if scene.player.missing(recipe.uses):
        return None
    lacking = [b for b in recipe.near if not scene.floor.is_near(scene.at, b)]
    if not lacking:
        return Plan(0.5, [f"make_{name}"], name)
    if outlook.tables.block_ids["crafting_table"] in lacking:
        return _to_table(outlook, name, recipe.uses.get("wood", 0))
    if scene.has["stone"] > recipe.uses.get("stone", 0):
        return outlook.place("furnace")
    return None


def _to_table(outlook: Outlook, name: str, wood: int) -> Plan | None:
    """Goes back to a table, or places another one."""
    scene = outlook.scene
    tables = scene.find(["crafting_table"])
    beside = {c for t in tables for c in _around(t) if not scene.solid(c)}
    way = outlook.reach.to(beside, _TABLE_FAR)
    if way is not None and way.cells:
        return Plan(way.cost + 1, outlook.walk(way.cells), f"table for {name}")
    if scene.has["wood"] < _TABLE_WOOD + max(2, wood):
        return None
    return outlook.place("table")


def _around(cell: Cell) -> list[Cell]:
    return [shift(cell, (row, col)) for row in (-1, 0, 1) for col in (-1, 0, 1)]


# Gathering and fighting.


def gathering(outlook: Outlook) -> Iterator[Plan | None]:
    """Gathers materials until there are enough."""
    has = outlook.scene.has
    for item, amount in _STOCK.items():
        first = item == "wood" and not outlook.is_settled
        if has[item] >= (_FIRST_WOOD if first else amount):
            continue
        able = [b for b in _sources(outlook, item) if outlook.can_dig(b)]
        vital = _is_vital(outlook, item)
        way = outlook.reach.to_block(able, _NEVER if vital else outlook.detour)
        yield outlook.use(way, item, 1, 0.7 if vital else 1.0)


def _sources(outlook: Outlook, item: str) -> list[str]:
    rules = outlook.tables.data["collect"]
    return [block for block, rule in rules.items() if item in rule.get("gives", ())]


def _is_vital(outlook: Outlook, item: str) -> bool:
    has = outlook.scene.has
    if item == "wood":
        return bool(not outlook.is_settled or has["wood"] < 4)
    if item == "stone":
        return bool(min(has["pickaxe"], has["sword"]) < 2 or has["stone"] < 4)
    forging = has["sword"] == 2 and item in ("iron", "coal") and not has[item]
    return bool(forging and not outlook.late)


def looting(outlook: Outlook) -> Iterator[Plan | None]:
    """Opens chests: the first of the dungeon holds a bow."""
    armed = bool(outlook.scene.has["bow"])
    way = outlook.reach.to_block(["chest"], _CHEST_FAR[armed])
    yield outlook.use(way, "chest", 1, _CHEST_WEIGHT[armed])


def hunting(outlook: Outlook) -> Iterator[Plan | None]:
    """Goes for monsters, those first who shoot."""
    scene = outlook.scene
    if scene.player.health <= hurt(outlook) + 1:
        return
    for creature in scene.hostile:
        wanted = outlook.wants_number(creature.species.achievement)
        shoots = creature.kind == "ranged" and creature in scene.near(SHOOT)
        if scene.kills_left or wanted or shoots:
            far = _HUNT_FAR[bool(scene.has["bow"])]
            way = outlook.reach.to([creature.cell], far)
            plan = outlook.use(way, "hunt", 1, 0.2 if shoots else 0.6)
            if plan is not None:
                yield Plan(plan.cost, plan.actions[:2], plan.name)
