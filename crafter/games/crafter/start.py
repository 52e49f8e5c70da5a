"""Options of `Env.reset`: how an episode starts.

Options are fully validated before the environment changes.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import reset_options
from crafter.core.clock import daylight
from crafter.core.grid import frozen
from crafter.core.reset_options import (
    OptionsError as OptionsError,  # re-exported
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
    Cell,
    Edit,
    Land,
    apply_edits,
    check_edit,
    creature_kinds,
    land_of,
)
from crafter.games.crafter.objects import (
    KINDS,
    Object,
    Player,
    checked_facing,
    make_object,
)
from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.state import LARGEST, checked_counter
from crafter.games.crafter.worldgen import generate

Mark = tuple[int, int, int, int]

_LAST_SEED = 2**63 - 1
_WORLDS = 24  # cached worlds, since scenes inspect a world before they start


@dataclasses.dataclass
class Start:
    """Validated options; `None` stands for the default.

    Attributes:
      state: Result of `Env.get_state()` to resume; excludes all other options.
      episode: Number of the episode in the sequence of the seed, from 1.
      daytime: Step of the day from 0, or a named moment such as 'noon'.
      map: Hand-made map of the whole area: text rows, or semantic ids [x, y].
      objects: Objects to add: (kind, position) or mappings with fields.
      position: Cell (x, y) of the player; by default that of the map, or the middle.
      facing: Direction (dx, dy) of the player.
      inventory: Item name -> initial amount.
      symmetry: Symmetry of the square applied to the world, 0 to 7.
      edits: Changes to the map, in order; see `crafter.games.crafter.map_edits.EDITS`.
      spawn: Cell (x, y) to move the player to in the finished world.
      remove: Kind -> L1 distance from the player within which it is removed.
      counters: Body counter, such as 'hunger' -> initial value.
      dynamics_seed: Seed of the random stream from the first step on.
      marks: Name -> rectangle (x, y, width, height) that task goals refer to.
    """

    state: Mapping[str, Any] | None = None
    episode: int | None = None
    daytime: int = 0
    map: Land | None = None
    objects: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    position: Cell | None = None
    facing: Cell | None = None
    inventory: dict[str, int] = dataclasses.field(default_factory=dict)
    symmetry: int = 0
    edits: list[Edit] = dataclasses.field(default_factory=list)
    spawn: Cell | None = None
    remove: dict[str, int] = dataclasses.field(default_factory=dict)
    counters: dict[str, float] = dataclasses.field(default_factory=dict)
    dynamics_seed: int | None = None
    marks: dict[str, Mark] = dataclasses.field(default_factory=dict)


def parse(options: Mapping[str, Any] | None, area: Cell, rules: Rules) -> Start:
    """Parses and validates the options of reset.

    Args:
      options: Field of `Start` -> value, or `None`.
      area: Map size (x, y) in cells.
      rules: Rules of the environment.

    Raises:
      OptionsError: If an option is unknown, invalid or excludes another one.
    """
    return _Reader(area, rules).read(options, Start)


class _Reader(reset_options.Reader):
    """Validates the options of `reset`, with a method for each."""

    def __init__(self, area: Cell, rules: Rules) -> None:
        self._area, self._rules = area, rules

    facing = staticmethod(checked_facing)

    def daytime(self, value: Any) -> int:
        time = self._rules.time
        return reset_options.daytime(value, time["moments"], time["day"])

    def map(self, value: Any) -> Land:
        return parse_map(value, self._area, self._rules)

    def objects(self, value: Any) -> list[dict[str, Any]]:
        return [self._object(entry) for entry in sequence("objects", value)]

    def _object(self, entry: Any) -> dict[str, Any]:
        if not isinstance(entry, Mapping):
            if not isinstance(entry, Sequence) or len(entry) != 2:
                fail("An object", "(kind, (x, y)) or a mapping", entry)
            entry = {"kind": entry[0], "position": entry[1]}
        kind = one_of("The kind of an object", entry.get("kind"), creature_kinds())
        facing = ["facing"] if KINDS[kind].turns else []
        names = ("kind", "position", "health", *KINDS[kind].fields, *facing)
        entry = {"position": None, **mapping(kind, entry, names)}
        return {name: self._field(kind, name, v) for name, v in entry.items()}

    def _field(self, kind: str, name: str, value: Any) -> Any:
        if name == "kind":
            return value
        if name == "position":
            return self.position(value, f"{kind} position")
        if name == "facing":
            return checked_facing(value)
        return integer(f"{kind} {name}", value, 0, LARGEST)

    def position(self, value: Any, where: str = "position") -> Cell:
        return map_cell(where, value, self._area, "x, y")

    def inventory(self, value: Any) -> dict[str, int]:
        least = {"health": 1}  # episodes start alive
        return {
            name: integer(
                f"inventory[{name!r}]",
                amount,
                least.get(name, 0),
                self._rules.items[name]["max"],
            )
            for name, amount in mapping("inventory", value, self._rules.items).items()
        }

    def symmetry(self, value: Any) -> int:
        turn = integer("symmetry", value, 0, SYMMETRIES - 1)
        if turn & 4 and self._area[0] != self._area[1]:
            raise OptionsError(
                f"The symmetry {turn} exchanges columns and rows, which needs a "
                f"square map, got {self._area}."
            )
        return turn

    def edits(self, value: Any) -> list[Edit]:
        edits = sequence("edits", value)
        return [check_edit(edit, self._area, self._rules) for edit in edits]

    def spawn(self, value: Any) -> Cell:
        return self.position(value, "spawn")

    def remove(self, value: Any) -> dict[str, int]:
        reaches = mapping("remove", value, creature_kinds())
        return {kind: integer(f"remove[{kind!r}]", n, 0) for kind, n in reaches.items()}

    def counters(self, value: Any) -> dict[str, float]:
        names = Player.fields[:-1]  # the last one is derived from the health
        counters = mapping("counters", value, names)
        return {
            name: checked_counter(f"counters[{name!r}]", name, number, self._rules)
            for name, number in counters.items()
        }

    def dynamics_seed(self, value: Any) -> int:
        return integer("dynamics_seed", value, 0, _LAST_SEED)

    def marks(self, value: Any) -> dict[str, Mark]:
        boxes = mapping("marks", value).items()
        return {name: self._mark(name, box) for name, box in boxes}

    def _mark(self, name: Any, box: Any) -> Mark:
        if not isinstance(name, str) or not name:
            fail("The name of a mark", "a text", name)
        x, y, width, height = integers(f"marks[{name!r}]", box, "x, y, width, height")
        area = self._area
        inside = 0 <= x <= area[0] - width and 0 <= y <= area[1] - height
        if not inside or min(width, height) < 1:
            fail(f"marks[{name!r}]", f"a rectangle inside the map of {area}", box)
        return x, y, width, height


def parse_map(value: Any, area: Cell, rules: Rules | None = None) -> Land:
    r"""Parses a hand-made map.

    Args:
      value: Text (rows from top to bottom, one character per cell, as one string
        with line breaks or a sequence of strings; symbols in `data.yaml`), or an
        integer array of shape `area` with semantic ids, [x, y].
      area: Map size (x, y) in cells.
      rules: The rules of the game; by default the published ones.

    Raises:
      OptionsError: If the size differs from the area, a symbol or id is
        unknown, or there is more than one player.

    Example:
      >>> land = parse_map("~~.\n~@T", (3, 2))
      >>> land.player
      (1, 1)
      >>> land.materials.tolist()
      [[1, 1], [1, 2], [2, 6]]
    """
    rules = default() if rules is None else rules
    with raising(OptionsError):
        rows = _read_map(value, area, rules)
    grounds = [[rules.material_ids[ground] for _, ground in row] for row in rows]
    columns = enumerate(zip(*rows))
    objects = [(k, (x, y)) for x, c in columns for y, (k, _) in enumerate(c) if k]
    players = [cell for kind, cell in objects if kind == Player.kind]
    if len(players) > 1:
        raise OptionsError(
            f"The map must have at most one player, got {len(players)}, at {players}."
        )
    creatures = tuple(entry for entry in objects if entry[0] != Player.kind)
    player = players[0] if players else None
    return Land(np.array(grounds, np.uint8).T, None, creatures, player)


def _read_map(
    value: Any, area: Cell, rules: Rules
) -> list[list[tuple[str | None, str]]]:
    """Returns (object kind, material) of every cell, in row-major order."""
    symbols, rows = rules.symbols, reset_options.text_rows(value)
    grounds = symbols["materials"].items()
    if rows is not None:
        signs = {sign: (None, ground) for sign, ground in grounds}
        return reset_options.read_text(rows, *area, {**signs, **symbols["objects"]})
    meanings: dict[int, tuple[str | None, str]]
    meanings = {i: (None, name) for name, i in rules.material_ids.items()}
    meanings |= {rules.object_ids[one[0]]: one for one in symbols["objects"].values()}
    names = {i: kind or ground for i, (kind, ground) in meanings.items()}
    ids = reset_options.read_ids("map", value, area, names)
    return [[meanings[i] for i in row] for row in ids.T.tolist()]


def ordinary_land(area: Cell, rules: Rules, seed: int, symmetry: int = 0) -> Land:
    """Returns the land of the first episode without options, under a symmetry."""
    world = _generated_world(area, episode_seed(seed, 1), rules, _middle(area))
    return land_of(world, symmetry)


def build(start: Start, area: Cell, rules: Rules, seed: int) -> tuple[World, Player]:
    """Builds the world of an episode.

    Args:
      start: The options.
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      seed: Seed of the episode.

    Returns:
      The world, and the player in it.

    Raises:
      OptionsError: If an object cannot stand at its cell.
    """
    position = start.position or (start.map and start.map.player) or _middle(area)
    changes = (start.symmetry, start.edits, start.spawn, start.remove)
    if not any(changes) and start.dynamics_seed is None:
        world, player = _new_world(area, seed, rules, position, start.map)
    elif start.map is None:
        world, player = _rearranged_copy(
            _generated_world(area, seed, rules, position), start
        )
    else:
        original, _ = _new_world(area, seed, rules, position, start.map)
        world, player = _rearranged_copy(original, start)
    world.daylight = daylight(start.daytime, rules.time)
    world.marks = dict(start.marks)
    _furnish(world, player, start)
    return world, player


def _middle(area: Cell) -> Cell:
    return area[0] // 2, area[1] // 2


def _new_world(
    area: Cell, seed: int, rules: Rules, position: Cell, land: Land | None = None
) -> tuple[World, Player]:
    """Builds a generated world, or the world of a hand-made map."""
    world = World(area, seed, rules)
    player = Player(world, position)
    world.add(player)
    if land is None:
        generate(world, player)
        return world, player
    world.fill(land.materials)
    for kind, cell in land.creatures:
        _add(world, make_object(kind, world, cell, player))
    return world, player


@functools.lru_cache(maxsize=_WORLDS)
def _generated_world(area: Cell, seed: int, rules: Rules, position: Cell) -> World:
    """Returns a cached generated world; do not modify."""
    return _new_world(area, seed, rules, position)[0]


def _rearranged_copy(world: World, start: Start) -> tuple[World, Player]:
    """Returns a copy of a new world with `symmetry`, `edits` and `remove` applied.

    Objects keep their order; those on edited cells, under the player or to be removed
    are dropped. The random stream continues after world generation, unless
    `dynamics_seed` is given.
    """
    land = land_of(world, start.symmetry)
    touched = apply_edits(land.materials, start.edits, world.rules)
    copy = World(world.area, start.dynamics_seed, world.rules)
    if start.dynamics_seed is None:
        copy.random.set_words(*world.random.get_words())
    copy.fill(land.materials)
    if land.tunnels is not None:
        copy.tunnels = frozen(land.tunnels & ~touched)
    player = Player(copy, start.spawn or land.player or _middle(world.area))
    copy.add(player)
    for kind, cell in land.creatures:
        obj = make_object(kind, copy, cell, player)
        removed = obj.distance(player) <= start.remove.get(kind, -1)
        if not (touched[cell] or cell == player.position or removed):
            copy.add(obj)
    return copy, player


def _furnish(world: World, player: Player, start: Start) -> None:
    """Adds objects and sets up the player; materials are already set."""
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
    material, _ = world[player.position]
    walkable = world.rules.walkable
    if material not in walkable:
        raise OptionsError(
            f"The player cannot start at {player.position}: the material there is "
            f"{material}, it must be one of {list(walkable)}. Choose another cell "
            f"with the option 'position', or mark it with '@' on a map."
        )


def _add(world: World, obj: Object) -> None:
    if not obj.is_free(*obj.position):
        material, other = world[obj.position]
        there = other.kind if other is not None else material
        raise OptionsError(f"A {obj.kind} cannot stand at {obj.position}: {there}.")
    world.add(obj)
