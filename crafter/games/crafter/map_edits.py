"""Map edits before an episode begins: symmetries, edits, removed creatures.

A generated world is turned by one of the eight symmetries of the square; then edits
change its materials, creatures are removed, and the player is put at its cell. Edits
are plain data, lists of a name and numbers, such as `["disc", 5, 7, 2, "water"]`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.core.short_repr import brief
from crafter.core.stream import Stream
from crafter.core.validation import fail, integer, integers, map_cell, one_of
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import KINDS, Object, Player, make_object
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.worldgen import generate

Cell = tuple[int, int]
Edit = tuple[Any, ...]

#: Edit -> what it takes: `cell`s inside the map, sizes, a material.
EDITS: dict[str, tuple[str, ...]] = {
    "set": ("cell", "material"),
    "rectangle": ("cell", "size", "material"),
    "ring": ("cell", "size", "material"),
    "disc": ("cell", "radius", "material"),
    "line": ("cell", "cell", "material"),
    "maze": ("cell", "size", "material", "material", "seed"),
    "clear": ("cell", "size"),
}
SYMMETRIES = 8
_WORLDS = 24  # generated worlds that are kept, since scenes look before they begin
_WIDTH = {"cell": 2, "size": 2, "radius": 1, "material": 1, "seed": 1}


@dataclasses.dataclass(frozen=True)
class Changes:
    """What is changed of a world.

    Attributes:
      symmetry: Number of a symmetry, 0 for none; see `turned`.
      edits: Checked edits, in order.
      spawn: Cell to which the player is moved, or `None`.
      remove: Kinds and distances: creatures of the kind that stand at most so many
        steps (L1) from the player are removed.
      dynamics_seed: Seed of the random stream from the first step on; by default the
        stream goes on where the world generation left it.
    """

    symmetry: int = 0
    edits: tuple[Edit, ...] = ()
    spawn: Cell | None = None
    remove: tuple[tuple[str, int], ...] = ()
    dynamics_seed: int | None = None


class Land(NamedTuple):
    """A world without a player.

    Attributes:
      materials: Material ids, uint8 of shape `area`.
      tunnels: Which cells world generation made tunnels, bool, or `None`.
      creatures: Objects in index order: kind and cell.
      player: Cell of the player.
    """

    materials: np.ndarray
    tunnels: np.ndarray | None
    creatures: tuple[tuple[str, Cell], ...]
    player: Cell


# Symmetries.


def turned(array: np.ndarray, symmetry: int) -> np.ndarray:
    """Returns a map under a symmetry of the square, as a view.

    Args:
      array: Indexed [x, y].
      symmetry: In 0 ... 7: columns and rows are exchanged if it has the bit 4, then
        x is mirrored if it has the bit 1, and y if it has the bit 2.
    """
    if symmetry & 4:
        array = array.T
    if symmetry & 1:
        array = array[::-1]
    return array[:, ::-1] if symmetry & 2 else array


def turned_cell(cell: Cell, area: Cell, symmetry: int) -> Cell:
    """Returns where a cell of a map of a size comes to lie; see `turned`."""
    (x, y), (width, height) = cell, area
    if symmetry & 4:
        x, y, width, height = y, x, height, width
    if symmetry & 1:
        x = width - 1 - x
    return x, height - 1 - y if symmetry & 2 else y


# Edits.


def check_edit(value: Any, area: Cell | None, rules: Rules) -> Edit:
    """Returns an edit as a tuple.

    Args:
      value: The edit, as a list.
      area: Size of the map; `None` if the cells are not those of a map.
      rules: The rules of the game.

    Raises:
      ValueError: If there is no such edit, or its arguments are wrong.
    """
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        fail("An edit", "a list such as ['set', 3, 4, 'stone']", value)
    name, *arguments = value
    kinds = EDITS[one_of("The name of an edit", name, EDITS)]
    if len(arguments) != sum(_WIDTH[kind] for kind in kinds):
        words = {"cell": "x, y", "size": "width, height"}
        takes = ", ".join(words.get(kind, kind) for kind in kinds)
        raise ValueError(f"The edit {name} takes {takes}, got {brief(value)}.")
    checked: list[Any] = [name]
    for kind in kinds:
        part, arguments = arguments[: _WIDTH[kind]], arguments[_WIDTH[kind] :]
        checked += _checked_part(kind, part, area, rules, f"the edit {brief(value)}")
    return tuple(checked)


def _checked_part(
    kind: str, part: list[Any], area: Cell | None, rules: Rules, edit: str
) -> Sequence[Any]:
    where = f"The {kind} of {edit}"
    if kind == "material":
        return [one_of(where, part[0], rules.material_ids)]
    if kind == "cell":
        if area:
            return map_cell(where, part, area, "x, y")
        return integers(where, part, "x, y")
    return [integer(where, number, 1 if kind == "size" else 0) for number in part]


def apply_edits(
    materials: np.ndarray, edits: Iterable[Edit], rules: Rules
) -> np.ndarray:
    """Carries out edits on a map; what lies outside the map is left out.

    Args:
      materials: Material ids of shape `area`; changed in place.
      edits: Checked edits.
      rules: The rules of the game.

    Returns:
      Which cells were edited, bool of the shape.
    """
    touched = np.zeros(materials.shape, bool)
    for name, *arguments in edits:
        drawn: Callable[..., Iterable[tuple[Cell, str]]] = _DRAW[name]
        if name == "clear":
            arguments = [*arguments, materials, rules]
        for (x, y), material in drawn(*arguments):
            if 0 <= x < materials.shape[0] and 0 <= y < materials.shape[1]:
                materials[x, y] = rules.material_ids[material]
                touched[x, y] = True
    return touched


def _set(x: int, y: int, material: str) -> Iterable[tuple[Cell, str]]:
    return [((x, y), material)]


def _rectangle(
    x: int, y: int, width: int, height: int, material: str
) -> Iterable[tuple[Cell, str]]:
    return [((x + i, y + j), material) for i in range(width) for j in range(height)]


def _ring(
    x: int, y: int, width: int, height: int, material: str
) -> Iterable[tuple[Cell, str]]:
    inside = range(x + 1, x + width - 1), range(y + 1, y + height - 1)
    for cell, _ in _rectangle(x, y, width, height, material):
        if cell[0] not in inside[0] or cell[1] not in inside[1]:
            yield cell, material


def _disc(x: int, y: int, radius: int, material: str) -> Iterable[tuple[Cell, str]]:
    reach = range(-radius, radius + 1)
    return [
        ((x + i, y + j), material)
        for i in reach
        for j in reach
        if i * i + j * j <= radius * radius
    ]


def _line(
    x: int, y: int, to_x: int, to_y: int, material: str
) -> Iterable[tuple[Cell, str]]:
    return [(cell, material) for cell in line((x, y), (to_x, to_y))]


def line(start: Cell, end: Cell) -> list[Cell]:
    """Returns the cells from one to another, four neighbours each, both included."""
    (x, y), cells = start, [start]
    wide, high = abs(end[0] - x), abs(end[1] - y)
    across = down = 0
    while across < wide or down < high:
        if down == high or (across < wide and across * high <= down * wide):
            across, x = across + 1, x + (1 if end[0] > x else -1)
        else:
            down, y = down + 1, y + (1 if end[1] > y else -1)
        cells.append((x, y))
    return cells


def _maze(
    x: int, y: int, width: int, height: int, wall: str, floor: str, seed: int
) -> Iterable[tuple[Cell, str]]:
    """A maze with one way between any two of its rooms, and one door on each side."""
    random = Stream(seed)
    rooms = {(i, j) for i in range(1, width - 1, 2) for j in range(1, height - 1, 2)}
    floors: set[Cell] = set()
    stack = [(1, 1)] if (1, 1) in rooms else []
    while stack:
        room = stack[-1]
        floors.add(room)
        ways = [(i, j) for i, j in ((2, 0), (-2, 0), (0, 2), (0, -2))]
        ways = [d for d in ways if (room[0] + d[0], room[1] + d[1]) in rooms - floors]
        if not ways:
            stack.pop()
            continue
        dx, dy = ways[random.below(len(ways))]
        floors.add((room[0] + dx // 2, room[1] + dy // 2))
        stack.append((room[0] + dx, room[1] + dy))
    if rooms:
        floors |= {(0, 1), max(rooms)}
        floors.add((max(rooms)[0] + 1, max(rooms)[1]))
    for cell, _ in _rectangle(0, 0, width, height, wall):
        yield (x + cell[0], y + cell[1]), floor if cell in floors else wall


def _clear(
    x: int, y: int, width: int, height: int, materials: np.ndarray, rules: Rules
) -> Iterable[tuple[Cell, str]]:
    """Makes everything in a rectangle walkable; its creatures vanish, too."""
    ground = [rules.material_ids[name] for name in rules.walkable]
    names = rules.semantic_names
    for cell, _ in _rectangle(x, y, width, height, ""):
        if cell[0] < materials.shape[0] and cell[1] < materials.shape[1]:
            here = int(materials[cell])
            yield cell, str(names[here]) if here in ground else rules.walkable[0]


_DRAW: dict[str, Callable[..., Iterable[tuple[Cell, str]]]] = {
    "set": _set,
    "rectangle": _rectangle,
    "ring": _ring,
    "disc": _disc,
    "line": _line,
    "maze": _maze,
    "clear": _clear,
}


# Worlds.


@functools.lru_cache(maxsize=_WORLDS)
def generated(area: Cell, seed: int, rules: Rules, position: Cell) -> World:
    """Returns a generated world; it is shared, and not to be changed.

    Args:
      area: Map size (x, y) in cells.
      seed: Seed of the episode.
      rules: The rules of the game.
      position: Cell of the player, around which the terrain is safe.
    """
    world = World(area, seed, rules)
    player = Player(world, position)
    world.add(player)
    generate(world, player)
    return world


def land_of(world: World, symmetry: int = 0) -> Land:
    """Returns the land of a world with its creatures, turned."""
    area = world.area
    cells = [
        (obj.kind, turned_cell(obj.position, area, symmetry)) for obj in world.objects
    ]
    tunnels = world.tunnels
    return Land(
        turned(world.materials, symmetry).copy(),
        None if tunnels is None else turned(tunnels, symmetry).copy(),
        tuple((kind, cell) for kind, cell in cells if kind != Player.kind),
        next(cell for kind, cell in cells if kind == Player.kind),
    )


def rearranged(world: World, changes: Changes) -> tuple[World, Player]:
    """Returns a changed copy of a world in which nothing has happened yet.

    Objects keep their order; those that stand on cells that were edited are left out.

    Args:
      world: The world, not changed; its creatures are as they were made.
      changes: What to change.
    """
    land = land_of(world, changes.symmetry)
    touched = apply_edits(land.materials, changes.edits, world.rules)
    copy = World(world.area, changes.dynamics_seed, world.rules)
    if changes.dynamics_seed is None:
        copy.random.set_words(*world.random.get_words())
    copy.daylight = world.daylight
    copy.fill(land.materials)
    if land.tunnels is not None:
        copy.tunnels = land.tunnels & ~touched
        copy.tunnels.flags.writeable = False
    player = Player(copy, land.player if changes.spawn is None else changes.spawn)
    copy.add(player)
    for kind, cell in land.creatures:
        obj = make_object(kind, copy, cell, player)
        covered = touched[cell] or cell == player.position
        if not covered and not _removed(obj, player, changes.remove):
            copy.add(obj)
    return copy, player


def _removed(obj: Object, player: Player, remove: Iterable[tuple[str, int]]) -> bool:
    return any(
        obj.kind == kind and obj.distance(player) <= reach for kind, reach in remove
    )


def creature_kinds() -> list[str]:
    """Returns the kinds of objects besides the player."""
    return [kind for kind in KINDS if kind != Player.kind]
