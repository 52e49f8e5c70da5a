"""Small scenes in an empty world, and steps with chosen random values."""

import pathlib

import numpy as np
from helpers import mistakes

from crafter.core.events import EventLog
from crafter.games.craftax import draws, game, parameters, tables
from crafter.games.craftax.engine import World
from crafter.games.craftax.player import Player

#: No loot, no spawning; creatures walk to the left.
QUIET = {
    name: (0.999 if name.endswith("_u") else 1) for name in draws.Draws._fields
} | {
    "melee_move_u": [0.999] * 3,
    "melee_direction": [1] * 3,
    "melee_tie_axis": [0] * 3,
    "passive_direction": [0] * 3,
    "ranged_move_u": [0.0] * 2,
    "ranged_direction": [1] * 2,
    "ranged_tie_axis": [0] * 2,
    "chest_ore_kind": 0,
    "chest_potion_colour": 0,
    "chest_tool_kind": 0,
    "book_spell": 0,
}
#: Fields of the world and the floor that `prepared` sets.
FIELDS = ("boss_timer", "monsters_killed")
#: Where things are placed: one cell to a side.
UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)


def random_setup(seed):
    """Returns a random setup of switches and repairs."""
    names = [*tables.load().data["switches"], *tables.load().data["repairs"]]
    on = np.random.default_rng(seed).random(len(names)) < 0.5
    return dict(zip(names, on.tolist()))


class Scene:
    """A lit world of path with a player in the middle, facing up.

    Args:
        rules: Rules as in `tables.load`.
        level: Index of the player's floor.
        **changes: Parameters that differ from the defaults.
    """

    def __init__(self, rules="published", level=0, **changes):
        self.tables = tables.load(rules)
        defaults = self.tables.data["parameters"]
        self.world = World(self.tables, parameters.make(defaults, changes))
        shape = (len(self.world.floors), self.world.size, self.world.size)
        blocks = np.full(shape, self.tables.block_ids["path"])
        ladders = np.zeros((len(self.world.floors), 2), int)
        self.world.fill(blocks, np.zeros(shape), np.ones(shape), ladders, ladders)
        self.log = EventLog()
        self.world.emit = self.log.emit
        self.player = Player(self.world)
        self.player.level = level
        for number, name in enumerate(self.tables.achievement_names):
            self.player.achievements[number] = name.startswith("enter")
        self.reward = 0.0

    @property
    def floor(self):
        return self.player.floor

    def at(self, offset):
        """Returns the cell at an offset from the player."""
        return self.player.row + offset[0], self.player.col + offset[1]

    def block(self, offset=UP):
        """Returns the name of the block at an offset."""
        return self.tables.block_names[self.floor.block_map[self.at(offset)]]

    def put(self, block, offset=UP):
        """Places a block on the map."""
        self.floor.block_map[self.at(offset)] = self.tables.block_ids[block]

    def lay(self, item, offset=UP):
        """Places an item on the map."""
        self.floor.item_map[self.at(offset)] = self.tables.item_ids[item]

    def creature(self, name, offset=UP, cooldown=9, health=None):
        """Places a creature in the first free slot, and returns it."""
        kind, number = self.tables.species_ids[name]
        mob = next(mob for mob in getattr(self.floor, kind) if not mob.alive)
        mob.row, mob.col = self.at(offset)
        mob.type, mob.alive, mob.cooldown = number, True, cooldown
        mob.health = self.tables.species[kind][number].health
        mob.health = mob.health if health is None else health
        self.floor.occupied_map[self.at(offset)] = 1
        return mob

    def shoot(self, name, offset, direction, by="mob"):
        """Places a projectile in the first free slot, and returns it."""
        shots = getattr(self.floor, f"{by}_projectiles")
        shot = next(shot for shot in shots if not shot.alive)
        shot.row, shot.col = self.at(offset)
        shot.drow, shot.dcol = direction
        shot.type, shot.alive = self.tables.projectile_ids[name], True
        return shot

    def step(self, action="noop", **values):
        """Takes a step and returns its events."""
        drawn = draws.from_arrays(QUIET | values)
        index = self.tables.action_names.index(action)
        last = self.world.parameters.max_timesteps
        self.reward = game.step(self.world, self.player, index, lambda: drawn, last)
        return self.log.take()

    def has(self, achievement):
        """Returns whether an achievement was unlocked."""
        return self.player.achievements[self.tables.achievement_ids[achievement]]


def prepared(
    front=None,
    near=(),
    here=None,
    has=None,
    creatures=(),
    shots=None,
    achieved=(),
    **more,
):
    """Returns a scene with the given surroundings and player.

    Args:
        front: The block in front of the player.
        near: Blocks behind the player, from the left.
        here: The item on the player's cell.
        has: Values of the player, by name of an item, attribute or field.
        creatures: Arguments of `Scene.creature` for each creature.
        shots: Count, owner and offset of arrows that fly up.
        achieved: Unlocked achievements besides those of floors.
        **more: Arguments of `Scene`, and fields of the world and the floor.
    """
    fields = {name: more.pop(name) for name in FIELDS if name in more}
    scene = Scene(**more)
    for offset, block in [(UP, front), *(((1, i - 1), b) for i, b in enumerate(near))]:
        if block:
            scene.put(block, offset)
    if here:
        scene.lay(here, (0, 0))
    for creature in creatures:
        scene.creature(*creature)
    for name in achieved:
        scene.player.achievements[scene.tables.achievement_ids[name]] = True
    for _ in range(shots[0] if shots else 0):
        scene.shoot("arrow", shots[2], UP, shots[1])
    for name, value in fields.items():
        setattr(scene.world if name == "boss_timer" else scene.floor, name, value)
    player = scene.player
    for name, value in (has or {}).items():
        if name in player.inventory:
            player.inventory[name] = value
        elif name in player.attributes:
            player.attributes = {**player.attributes, name: value}
        else:
            setattr(player, name, value)
    return scene


def types(events):
    """Returns the types of events."""
    return [event["type"] for event in events]


def of_type(events, type):
    """Returns the only event of a type, without its type."""
    (event,) = (event for event in events if event["type"] == type)
    return {name: value for name, value in event.items() if name != "type"}


def actions(count, seed=0):
    """Returns random actions."""
    return np.random.default_rng(seed).integers(0, 43, count).tolist()


#: Hand-made scenes, and the actions besides moves that may have an effect. The player
#: faces up; -3 means that moving up has none.
_FILE = pathlib.Path(__file__).parents[1] / "games" / "craftax" / "moments.txt"
MOMENTS = mistakes(_FILE.read_text("utf-8"))
