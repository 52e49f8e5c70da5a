"""Options of `Env.reset`: how an episode starts.

Everything is checked here, before anything changes.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import reset_options
from crafter.core.clock import daylight
from crafter.core.reset_options import (
    OptionsError as OptionsError,  # users catch it here
)
from crafter.core.stream import episode_seed
from crafter.core.validation import (
    fail,
    integer,
    integers,
    map_cell,
    mapping,
    one_of,
    raising,
    sequence,
)
from crafter.games.crafter.engine import World
from crafter.games.crafter.map_edits import (
    SYMMETRIES,
    Changes,
    Land,
    check_edit,
    creature_kinds,
    generated,
    land_of,
    rearranged,
)
from crafter.games.crafter.objects import (
    KINDS,
    Object,
    Player,
    checked_facing,
    make_object,
)
from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.state_layout import LARGEST, counter_values, is_counter
from crafter.games.crafter.worldgen import generate

Position = tuple[int, int]
Mark = tuple[int, int, int, int]

#: Option name -> what it means.
OPTIONS = {
    "state": "value of Env.get_state() to resume; excludes all other options",
    "episode": "number of the episode in the sequence of the seed, from 1",
    "daytime": "step of the day from 0, or the name of a moment, such as 'noon'",
    "map": "hand-made map of the whole area: text rows, or semantic ids [x, y]",
    "objects": "objects to add: (kind, position) or mappings with fields",
    "position": "cell (x, y) of the player",
    "facing": "direction (dx, dy) of the player",
    "inventory": "item name -> amount at the start",
    "symmetry": "number of a symmetry of the square that turns the world, 0 to 7",
    "edits": "changes to the map, in order; see crafter.games.crafter.map_edits.EDITS",
    "spawn": "cell (x, y) to which the player is moved in the finished world",
    "remove": "kind -> L1 distance from the player up to which it is removed",
    "counters": "counter of the body, such as 'hunger' -> its number at the start",
    "dynamics_seed": "seed of the random stream from the first step on",
    "marks": "name -> rectangle (x, y, width, height) that goals of tasks refer to",
}


_LAST_SEED = 2**63 - 1


@dataclasses.dataclass
class Layout:
    """A hand-made map.

    Attributes:
      materials: Material ids, uint8 of shape `area`.
      objects: Kinds and positions, x outer and y inner, without the player.
      player: Position of the player, if the map says it.
    """

    materials: np.ndarray
    objects: list[tuple[str, Position]]
    player: Position | None


@dataclasses.dataclass
class Start:
    """Checked options; `None` stands for the default."""

    state: Mapping[str, Any] | None = None
    episode: int | None = None
    clock_offset: int = 0
    layout: Layout | None = None
    objects: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    position: Position | None = None
    facing: Position | None = None
    inventory: dict[str, int] = dataclasses.field(default_factory=dict)
    counters: dict[str, float] = dataclasses.field(default_factory=dict)
    changes: Changes = Changes()
    marks: dict[str, Mark] = dataclasses.field(default_factory=dict)


def parse(
    options: Mapping[str, Any] | None,
    area: tuple[int, int],
    rules: Rules,
) -> Start:
    """Checks the options of reset.

    Args:
      options: Names of `OPTIONS` to values, or `None`.
      area: Map size (x, y) in cells.
      rules: Rules of the environment.

    Raises:
      OptionsError: If an option is unknown, has a wrong value or contradicts
        another one.
    """
    with raising(OptionsError):
        options = reset_options.named(options, OPTIONS)
        checked = {
            name: _CHECKS[name](value, area, rules) for name, value in options.items()
        }
    changes = {name: checked.pop(name) for name in _CHANGES if name in checked}
    start = Start(
        clock_offset=checked.pop("daytime", 0),
        layout=checked.pop("map", None),
        changes=Changes(**changes),
        **checked,
    )
    on_map = start.layout.player if start.layout else None
    if on_map and start.position and on_map != start.position:
        raise OptionsError(
            f"The map has the player at {on_map}, the option 'position' says "
            f"{start.position}."
        )
    return start


def _position(name: str, value: Any, area: tuple[int, int]) -> Position:
    return map_cell(name, value, area, "x, y")


def _daytime(value: Any, area: Position, rules: Rules) -> int:
    return reset_options.daytime(value, rules.time["moments"], rules.time["day"])


def _inventory(value: Any, area: Position, rules: Rules) -> dict[str, int]:
    # An episode starts alive.
    limits = {
        name: (int(name == "health"), row["max"]) for name, row in rules.items.items()
    }
    return {
        name: integer(f"inventory[{name!r}]", amount, *limits[name])
        for name, amount in mapping("inventory", value, limits).items()
    }


def _counters(value: Any, area: Position, rules: Rules) -> dict[str, float]:
    names = Player.fields[:-1]  # the last one follows from the health
    counters = mapping("counters", value, names)
    return {name: _counter(name, number, rules) for name, number in counters.items()}


def _counter(name: str, value: Any, rules: Rules) -> float:
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not is_counter(name, value, rules):
        low, step = counter_values(name, rules)
        steps = "" if step is None else f" in steps of {step}"
        fail(f"counters[{name!r}]", f"a number from {low} to {LARGEST}{steps}", value)
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _symmetry(value: Any, area: Position, rules: Rules) -> int:
    turn = integer("symmetry", value, 0, SYMMETRIES - 1)
    if turn & 4 and area[0] != area[1]:
        raise OptionsError(
            f"The symmetry {turn} exchanges columns and rows, which needs a square "
            f"map, not one of {area}."
        )
    return turn


def _edits(value: Any, area: Position, rules: Rules) -> tuple[Any, ...]:
    return tuple(check_edit(entry, area, rules) for entry in sequence("edits", value))


def _remove(value: Any, area: Position, rules: Rules) -> tuple[tuple[str, int], ...]:
    reaches = mapping("remove", value, creature_kinds())
    return tuple(
        (kind, integer(f"remove[{kind!r}]", reach, 0))
        for kind, reach in reaches.items()
    )


def _marks(value: Any, area: Position, rules: Rules) -> dict[str, Mark]:
    boxes = mapping("marks", value).items()
    return {name: _mark(name, box, area) for name, box in boxes}


def _mark(name: Any, box: Any, area: Position) -> Mark:
    if not isinstance(name, str) or not name:
        fail("The name of a mark", "a text", name)
    x, y, width, height = integers(f"marks[{name!r}]", box, "x, y, width, height")
    inside = 0 <= x <= area[0] - width and 0 <= y <= area[1] - height
    if not inside or min(width, height) < 1:
        fail(f"marks[{name!r}]", f"a rectangle inside the map of {area}", box)
    return x, y, width, height


def _objects(value: Any, area: Position, rules: Rules) -> list[dict[str, Any]]:
    return [_object(entry, area) for entry in sequence("objects", value)]


def _object(entry: Any, area: Position) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        if not isinstance(entry, Sequence) or len(entry) != 2:
            fail("An object", "(kind, (x, y)) or a mapping", entry)
        entry = {"kind": entry[0], "position": entry[1]}
    kind = one_of("The kind of an object", entry.get("kind"), creature_kinds())
    numbers_of = ("health", *KINDS[kind].fields)
    fields = ["kind", "position", *numbers_of]
    fields += ["facing"] if KINDS[kind].turns else []
    mapping(kind, entry, fields)
    position = _position(f"{kind} position", entry.get("position"), area)
    checked: dict[str, Any] = {"kind": kind, "position": position}
    if "facing" in entry:
        checked["facing"] = checked_facing(entry["facing"])
    for name in numbers_of:
        if name in entry:
            checked[name] = integer(f"{kind} {name}", entry[name], 0, LARGEST)
    return checked


def parse_map(value: Any, area: tuple[int, int], rules: Rules | None = None) -> Layout:
    r"""Reads a hand-made map.

    Args:
      value: Text (rows from top to bottom, one character a cell, as one string
        with line breaks or a sequence of strings; symbols in `data.yaml`), or an
        integer array of shape `area` with semantic ids, [x, y].
      area: Map size (x, y) in cells.
      rules: The rules of the game; by default those of the published one.

    Raises:
      OptionsError: If the size differs from the area, a symbol or id is
        unknown, or there is more than one player.

    Example:
      >>> layout = parse_map("~~.\n~@T", (3, 2))
      >>> layout.player
      (1, 1)
      >>> layout.materials.tolist()
      [[1, 1], [1, 2], [2, 6]]
    """
    rules = default() if rules is None else rules
    materials = np.zeros(area, np.uint8)
    objects, players = [], []
    with raising(OptionsError):
        cells = list(_cells(value, area, rules))
    for (x, y), (material, kind) in cells:
        materials[x, y] = rules.material_ids[material]
        if kind == Player.kind:
            players.append((x, y))
        elif kind is not None:
            objects.append((kind, (x, y)))
    if len(players) > 1:
        raise OptionsError(f"The map has {len(players)} players, at {players}.")
    return Layout(materials, objects, players[0] if players else None)


def _cells(
    value: Any, area: Position, rules: Rules
) -> Iterator[tuple[Position, tuple[str, str | None]]]:
    """Yields cells, x outer and y inner, with their material and kind of object."""
    symbols, rows = rules.symbols, reset_options.text_rows(value)
    meanings: dict[Any, tuple[str, str | None]]
    if rows is not None:
        meanings = {key: (name, None) for key, name in symbols["materials"].items()}
        objects = symbols["objects"].items()
        meanings |= {key: (ground, kind) for key, (kind, ground) in objects}
        table = reset_options.read_text(rows, *area, meanings)
    else:
        meanings = {i: (name, None) for name, i in rules.material_ids.items()}
        ids = rules.object_ids
        meanings |= {ids[k]: (ground, k) for k, ground in symbols["objects"].values()}
        names = {i: kind or ground for i, (ground, kind) in meanings.items()}
        found = reset_options.read_ids("map", value, area, names)
        table = [[meanings[i] for i in row] for row in found.T.tolist()]
    for x in range(area[0]):
        for y in range(area[1]):
            yield (x, y), table[y][x]


_CHANGES = ("symmetry", "edits", "spawn", "remove", "dynamics_seed")
_CHECKS: dict[str, Callable[[Any, Position, Rules], Any]] = {
    "state": lambda value, area, rules: reset_options.state(value),
    "episode": lambda value, area, rules: reset_options.episode(value),
    "daytime": _daytime,
    "map": parse_map,
    "objects": _objects,
    "position": lambda value, area, rules: _position("position", value, area),
    "facing": lambda value, area, rules: checked_facing(value),
    "inventory": _inventory,
    "symmetry": _symmetry,
    "edits": _edits,
    "spawn": lambda value, area, rules: _position("spawn", value, area),
    "remove": _remove,
    "counters": _counters,
    "dynamics_seed": lambda value, area, rules: integer(
        "dynamics_seed", value, 0, _LAST_SEED
    ),
    "marks": _marks,
}


def player_position(start: Start, area: tuple[int, int]) -> Position:
    """Returns where the player starts: as requested, or in the middle."""
    if start.position is not None:
        return start.position
    if start.layout is not None and start.layout.player is not None:
        return start.layout.player
    return area[0] // 2, area[1] // 2


def begin(
    options: Mapping[str, Any] | None,
    area: Position,
    rules: Rules,
    seed: int,
    episode: int = 1,
) -> tuple[World, Player]:
    """Makes the world with which `Env.reset` would begin, without an environment.

    Args:
      options: The options of reset, without a state.
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      seed: Seed of the sequence of episodes.
      episode: Number of the episode in it, from 1.

    Raises:
      OptionsError: If the options are wrong.
    """
    start = parse(options, area, rules)
    if start.state is not None:
        raise OptionsError("A state is a game that goes on; it has no beginning.")
    number = episode if start.episode is None else start.episode
    light = daylight(start.clock_offset, rules.time)
    return build(start, area, rules, episode_seed(seed, number), light)


def ordinary_land(
    area: Position, rules: Rules, seed: int, episode: int = 1, symmetry: int = 0
) -> Land:
    """Returns the land with which an episode without options begins, turned."""
    position = player_position(Start(), area)
    world = generated(area, episode_seed(seed, episode), rules, position)
    return land_of(world, symmetry)


def build(
    start: Start,
    area: Position,
    rules: Rules,
    seed: int,
    daylight: float,
) -> tuple[World, Player]:
    """Makes the world of an episode.

    Args:
      start: How it begins.
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      seed: Seed of the episode.
      daylight: Brightness at the start, 0 to 1.

    Returns:
      The world, and the player in it.
    """
    position = player_position(start, area)
    if start.changes == Changes():
        world = World(area, seed, rules)
        player = Player(world, position)
        world.add(player)
        if start.layout is None:
            generate(world, player)
        else:
            world.fill(start.layout.materials)
    else:
        world, player = rearranged(_unchanged(start, area, rules, seed), start.changes)
    world.daylight = daylight
    world.marks = dict(start.marks)
    furnish(world, player, start)
    return world, player


def _unchanged(start: Start, area: Position, rules: Rules, seed: int) -> World:
    """Returns the world that the options change: generated, or a hand-made map."""
    position = player_position(start, area)
    if start.layout is None:
        return generated(area, seed, rules, position)
    world = World(area, seed, rules)
    player = Player(world, position)
    world.add(player)
    world.fill(start.layout.materials)
    for kind, cell in start.layout.objects:
        _add(world, make_object(kind, world, cell, player))
    return world


def furnish(world: World, player: Player, start: Start) -> None:
    """Adds to a world what the options ask for; materials and player are in place.

    Raises:
      OptionsError: If an object would stand where it cannot.
    """
    turned = start.changes != Changes()  # and has the objects of the map already
    for kind, position in start.layout.objects if start.layout and not turned else []:
        _add(world, make_object(kind, world, position, player))
    for entry in start.objects:
        fields = dict(entry)
        kind, position = fields.pop("kind"), fields.pop("position")
        obj = make_object(kind, world, position, player)
        for name, value in fields.items():
            setattr(obj, name, value)
        _add(world, obj)
    if start.facing is not None:
        player.facing = start.facing
    player.inventory |= start.inventory
    for name, number in start.counters.items():
        setattr(player, name, number)
    player.last_health = player.health
    _check_player(world, player)


def _add(world: World, obj: Object) -> None:
    if not obj.is_free(*obj.position):
        material, other = world[obj.position]
        there = other.kind if other is not None else material
        raise OptionsError(f"A {obj.kind} cannot stand at {obj.position}: {there}.")
    world.add(obj)


def _check_player(world: World, player: Player) -> None:
    material, _ = world[player.position]
    walkable = world.rules.walkable
    if material not in walkable:
        raise OptionsError(
            f"The player cannot start at {player.position}: the material there is "
            f"{material}, it must be one of {list(walkable)}. Choose another cell "
            f"with the option 'position', or mark it with '@' on a map."
        )
