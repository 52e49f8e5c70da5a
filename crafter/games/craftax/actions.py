"""Player actions, one function per verb of `data.yaml`.

`act` carries out the actions that `affordances` allows and reports why others fail. A
verb is called as `verb(player, what, draws)` and takes all randomness from the draws
of the step. `move` and `do` always run and report their own failures.
"""

from __future__ import annotations

from collections.abc import Callable

from crafter.games.craftax import affordances, boss, combat, creatures, light, magic
from crafter.games.craftax.chests import open_chest
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import Plant, Position
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Action, Collect

# Ladders.


def descend(player: Player, what: str, draws: Draws) -> None:
    """Descends the ladder under the player."""
    _change_floor(player, player.level + 1)


def ascend(player: Player, what: str, draws: Draws) -> None:
    """Climbs the ladder under the player."""
    _change_floor(player, player.level - 1)


def _change_floor(player: Player, level: int) -> None:
    frm, goes_down = player.level, level > player.level
    player.level = level
    floor = player.floor
    player.row, player.col = floor.up_ladder if goes_down else floor.down_ladder
    player.world.emit("entered", floor=level, frm=frm, at=player.position)
    if "arrival_push" in player.world.tables.applied:
        creatures.make_room(player)


# Moving.


def move(player: Player, what: str, draws: Draws) -> None:
    """Turns to a direction, then moves one cell if it is free."""
    world, tables = player.world, player.world.tables
    direction = tables.direction_names.index(what) + 1
    if direction != player.direction:
        player.direction = direction
        world.emit("turned", facing=player.facing)
    frm, to = player.position, player.target
    free = player.floor.is_open(*to, tables.barred["land"])
    if free or world.parameters.god_mode:
        player.row, player.col = to
        world.emit("moved", frm=frm, to=to)
    else:
        world.emit("blocked", at=to, by=_obstacle(player, to))


def _obstacle(player: Player, at: Position) -> str:
    """Returns what blocks a cell: a species, a block or the edge of the map."""
    floor, tables = player.floor, player.world.tables
    if at not in floor:
        return "edge"
    ahead = affordances.creature_ahead(player)
    if ahead is not None:
        return tables.species[ahead[0]][ahead[1].type].name
    return tables.block_names[floor.blocks[at[0] * floor.size + at[1]]]


# Using the cell in front.


def do(player: Player, what: str, draws: Draws) -> None:
    """Attacks the creature in front, or uses the block there."""
    floor, tables = player.floor, player.world.tables
    at = player.target
    struck = combat.strike(player, at, player.melee_damage(), by="player", eats=True)
    block = floor.blocks[floor.seen_cell(*at)]
    name = tables.block_names[block]
    usable = at in floor and not struck
    if not affordances.reads_ahead(player):
        if not struck:
            player.reject("off_the_map")
    elif name == tables.data["boss"]["block"]:
        _hit_boss(player, usable)
    elif name == "chest":
        _do_chest(player, at, usable, draws)
    elif usable:
        _do_block(player, at, block, draws)
    elif not struck:
        player.reject("off_the_map")


def _hit_boss(player: Player, usable: bool) -> None:
    if player.in_graveyard and boss.is_vulnerable(player):
        boss.hit(player, counts=usable)
    elif usable:
        player.reject("boss_protected")


def _do_chest(player: Player, at: Position, usable: bool, draws: Draws) -> None:
    floor = player.floor
    if usable:
        open_chest(player, at, draws)
    elif "chest_bounds" not in player.world.tables.applied:
        floor.chest_opened = True  # although no chest was opened
    if at not in floor:
        player.reject("off_the_map")


def _do_block(player: Player, at: Position, block: int, draws: Draws) -> None:
    tables = player.world.tables
    refused = affordances.collecting(player)
    if refused is not None:
        player.reject(*refused)
        return
    rule = tables.collect[block]
    if not draws.sapling_u < rule.chance:
        for item in rule.gives:
            player.world.emit("missed", what=item, at=at)
    else:
        _collect(player, at, block, rule)


def _collect(player: Player, at: Position, block: int, rule: Collect) -> None:
    world, floor, tables = player.world, player.floor, player.world.tables
    name = tables.block_names[block]
    tool = "pickaxe" if rule.pickaxe else None
    for item, amount in rule.gives.items():
        player.inventory[item] += amount
        world.emit("collected", what=item, at=at, gain=amount, tool=tool)
    for vital, amount in rule.restores.items():
        gain = player.restore(vital, amount)
        if vital == "food":
            world.emit("ate", what=name, at=at, gain=gain)
        else:
            world.emit("collected", what=vital, at=at, gain=gain, tool=tool)
    if rule.resets is not None:
        setattr(player, rule.resets, 0.0)
    if rule.leaves is not None:
        floor.blocks[at[0] * floor.size + at[1]] = rule.leaves
        if not rule.gives and not rule.restores:
            world.emit("removed", what=name, at=at)
    if name == "ripe_plant":
        _plant_at(player, at).age = 0
    player.achieve(rule.achievement)


def _plant_at(player: Player, at: Position) -> Plant:
    """Returns the plant slot of a cell, or the first slot if it has none."""
    plants = player.world.plants
    return next((plant for plant in plants if (plant.row, plant.col) == at), plants[0])


# Placing and making.


def place(player: Player, what: str, draws: Draws) -> None:
    """Places a block or item in the cell in front."""
    world, floor, at = player.world, player.floor, player.target
    rule = world.tables.place[what]
    cell = at[0] * floor.size + at[1]
    below = world.tables.block_names[floor.blocks[cell]]
    player.use(rule.uses)
    if rule.block is not None:
        floor.blocks[cell] = rule.block
    if rule.item is not None:
        floor.items[cell] = rule.item
    if what == "torch":
        floor.add_light(at, light.patch(**world.tables.data["torch_light"]))
    if what == "plant":
        _sow(player, at)
    world.emit("placed", what=what, at=at, on=below)
    player.achieve(rule.achievement)


def _sow(player: Player, at: Position) -> None:
    """Assigns the first free plant slot; a sapling without a slot never ripens."""
    for plant in player.world.plants:
        if not plant.growing:
            plant.row, plant.col = at
            plant.age = 0
            plant.growing = True
            return


def make(player: Player, what: str, draws: Draws) -> None:
    """Crafts a tool, a piece of armour, arrows or torches."""
    rule = player.world.tables.recipes[what]
    player.use(rule.uses)
    for item, tier in rule.raises.items():
        owned = player.inventory[item]
        if isinstance(owned, list):
            owned[next(i for i, old in enumerate(owned) if old < tier)] = tier
        else:
            player.inventory[item] = tier
    for item, amount in rule.gives.items():
        player.inventory[item] += amount
    player.world.emit("made", what=what, gain=sum(rule.gives.values()) or 1)
    player.achieve(rule.achievement)


Verb = Callable[[Player, str, Draws], None]

#: Verbs that run before all others in a step.
LADDER_VERBS = ("descend", "ascend")

#: Verb -> function; `body` handles sleep and rest.
VERBS: dict[str, Verb] = {
    "descend": descend,
    "ascend": ascend,
    "move": move,
    "do": do,
    "place": place,
    "make": make,
    "shoot": magic.shoot,
    "cast": magic.cast,
    "drink": magic.drink,
    "read": magic.read,
    "enchant": magic.enchant,
    "level_up": magic.level_up,
}
_SELF_REPORTING = ("move", "do")


def act(player: Player, action: Action, draws: Draws) -> None:
    """Carries out an action, or reports why it has no effect."""
    verb = VERBS.get(action.verb)
    if verb is None:
        return
    refused = None
    if action.verb not in _SELF_REPORTING:
        refused = affordances.refusal(player, action)
    if refused is None:
        verb(player, action.what or "", draws)
    else:
        player.reject(*refused)
