"""Games of a batch as the World and Player of the single environment, and back.

The format of a saved game is that of `crafter.games.crafter.state`; here is only what
turns a record of `layout.dtype` into the objects from which that module makes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled.engine import seed_hash
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu.world import count_space
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import KINDS, Object, Player, Turning, make_object
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.state import Moment, StateError

_LARGEST = 2**30  # of the numbers below, which may still grow
_LARGEST_STEP = 2**53
_DIRECTIONS = [tuple(direction) for direction in t.DIRECTIONS.tolist()]
_PLAYER = Player.kind

# All other kinds have one counter at most, and a record has room for one.
assert all(len(cls.fields) <= 1 for cls in KINDS.values() if cls is not Player)


def unload(game: Any, rules: Rules) -> tuple[World, Player]:
    """Builds the world of a record.

    Args:
      game: Record of `layout.dtype`.
      rules: Rules of the environment.

    Returns:
      A new world, and the player in it.
    """
    world = World(game["materials"].shape, 0, rules)
    position = int(game["random_position"])
    world.random.set_words(game["random_key"], position)
    world.daylight = float(game["daylight"])
    world.fill(game["materials"])
    player = Player(world, (0, 0))
    _unload_player(game, player)
    objects = _unload_objects(game, world, player)
    world.restore(int(game["next_id"]), _unload_chunks(game, objects))
    return world, player


def _unload_player(game: Any, player: Player) -> None:
    for name in ("inventory", "achievements"):
        table = getattr(player, name)
        table.update(zip(table, game[name].tolist()))
    player.sleeping = bool(game["sleeping"])
    player.action = player.executed = t.ACTIONS[game["action"]]
    player.last_health = int(game["last_health"])
    for name in t.COUNTERS:
        setattr(player, name, float(game[name]))


def _unload_objects(game: Any, world: World, player: Player) -> list[Object]:
    columns = ("kind", "x", "y", "health", "facing", "counter", "id")
    count = game["object_count"]
    rows = zip(*(game[f"object_{name}"][:count].tolist() for name in columns))
    objects = []
    for label, x, y, health, facing, counter, index in rows:
        kind = str(world.rules.semantic_names[label])
        obj = make_object(kind, world, (x, y), player)
        if isinstance(obj, Turning):
            obj.facing = _DIRECTIONS[facing]
        if obj is not player:
            obj.health = health
            for name in obj.fields:
                setattr(obj, name, counter)
        world.add(obj, index)
        objects.append(obj)
    return objects


def _unload_chunks(
    game: Any, objects: list[Object]
) -> list[tuple[tuple[int, int], list[Object]]]:
    """Returns the corner and the members of every chunk, in order."""
    grid = t.chunk_grid(game["materials"].shape)
    order = game["chunk_order"][: game["chunk_count"]].tolist()
    members: dict[int, list[Object]] = {number: [] for number in order}
    for i in np.argsort(game["object_joined"][: len(objects)]).tolist():
        obj = objects[i]
        members[grid.number(obj.x, obj.y)].append(obj)
    return [(grid.corner(n), members[n]) for n in order]


def load(game: Any, moment: Moment, world: World, player: Player) -> None:
    """Writes a game into a record, whatever was there.

    Args:
      game: Record of `layout.dtype` with at least as many slots as objects.
      moment: Counters of the environment.
      world: The world.
      player: The player in it.
    """
    game["seed_hash"] = seed_hash(moment.seed)
    game["episode"] = moment.episode
    game["step"] = moment.step
    game["clock_offset"] = moment.clock_offset
    game["rewarded_health"] = moment.last_health
    game["ended"] = moment.ended
    game["daylight"] = world.daylight
    game["random_key"], game["random_position"] = world.random.get_words()
    game["materials"] = world.materials
    count_space(game)
    _load_player(game, player)
    _load_objects(game, world)
    _load_chunks(game, world)


def _load_player(game: Any, player: Player) -> None:
    game["inventory"] = list(player.inventory.values())
    game["achievements"] = list(player.achievements.values())
    game["sleeping"] = player.sleeping
    game["action"] = t.ACTION[player.executed]
    game["last_health"] = player.last_health
    for name in t.COUNTERS:
        game[name] = getattr(player, name)


def _load_objects(game: Any, world: World) -> None:
    objects = world.objects
    columns = {
        "kind": [obj.label for obj in objects],
        "x": [obj.x for obj in objects],
        "y": [obj.y for obj in objects],
        "health": [obj.health for obj in objects],
        "facing": [_facing(obj) for obj in objects],
        "counter": [_counter(obj) for obj in objects],
        "id": [obj.id for obj in objects],
    }
    for name, column in columns.items():
        game[f"object_{name}"][: len(objects)] = column
    game["object_count"] = len(objects)
    game["removed_count"] = 0
    game["next_id"] = world.next_id
    game["occupants"] = 0
    game["occupants"][columns["x"], columns["y"]] = np.arange(1, len(objects) + 1)


def _facing(obj: Object) -> int:
    return _DIRECTIONS.index(obj.facing) if obj.turns else -1


def _counter(obj: Object) -> int:
    if obj.kind == _PLAYER or not obj.fields:
        return 0
    (name,) = obj.fields
    return int(getattr(obj, name))


def _load_chunks(game: Any, world: World) -> None:
    slots = {obj.id: slot for slot, obj in enumerate(world.objects)}
    for name in ("chunk_exists", "chunk_population"):
        game[name] = 0
    joined = 0
    chunks = world.numbered_chunks()
    for rank, (number, chunk) in enumerate(chunks.items()):
        game["chunk_order"][rank] = number
        game["chunk_exists"][number] = 1
        for obj in chunk.members:
            game["chunk_population"][number, obj.label] += 1
            game["object_joined"][slots[obj.id]] = joined
            joined += 1
    game["chunk_count"] = len(chunks)
    game["next_joined"] = joined


def check_fits(moment: Moment, world: World, player: Player) -> None:
    """Checks that a record can hold the numbers of a game.

    Raises:
      crafter.games.crafter.state.StateError: If one is too large.
    """
    amounts = [
        ("episodes", moment.episode, _LARGEST_STEP),
        ("achievements", max(player.achievements.values()), _LARGEST),
    ]
    for obj in world.objects:
        amounts.append((f"the health of a {obj.kind}", obj.health, _LARGEST))
        amounts.append((f"the counter of a {obj.kind}", _counter(obj), _LARGEST))
    for name, amount, largest in amounts:
        if amount > largest:
            raise StateError(
                f"The batched engine holds {name} up to {largest}, got {amount}."
            )
