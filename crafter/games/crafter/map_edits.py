"""Map edits: symmetries of the square, and shapes drawn on a map.

Edits are plain data, lists of a name and arguments: `["disc", 5, 7, 2, "water"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.core.stream import Stream
from crafter.core.validation import (
    fail,
    integer,
    integers,
    map_cell,
    one_of,
    short_repr,
)
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.rules import Rules

Cell = tuple[int, int]
Edit = tuple[Any, ...]

#: Edit -> its arguments: `cell`s inside the map, sizes, a material.
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
_WIDTH = {"cell": 2, "size": 2, "radius": 1, "material": 1, "seed": 1}


class Land(NamedTuple):
    """A map with the positions of creatures and player.

    Attributes:
      materials: Material ids, uint8 of shape `area`.
      tunnels: Mask of generated tunnels, bool, or `None`.
      creatures: Objects in index order, without the player: kind and cell.
      player: Cell of the player; `None` if a hand-made map has none.
    """

    materials: np.ndarray
    tunnels: np.ndarray | None
    creatures: tuple[tuple[str, Cell], ...]
    player: Cell | None


# Symmetries.


def turned(array: np.ndarray, symmetry: int) -> np.ndarray:
    """Returns a map under a symmetry of the square, as a view.

    Args:
      array: Indexed [x, y].
      symmetry: In 0 ... 7: bit 4 swaps columns and rows, then bit 1 mirrors x and bit
        2 mirrors y.
    """
    if symmetry & 4:
        array = array.T
    if symmetry & 1:
        array = array[::-1]
    return array[:, ::-1] if symmetry & 2 else array


def turned_cell(cell: Cell, area: Cell, symmetry: int) -> Cell:
    """Maps a cell of an area under a symmetry; see `turned`."""
    (x, y), (width, height) = cell, area
    if symmetry & 4:
        x, y, width, height = y, x, height, width
    if symmetry & 1:
        x = width - 1 - x
    return x, height - 1 - y if symmetry & 2 else y


# Edits.


def check_edit(value: Any, area: Cell | None, rules: Rules) -> Edit:
    """Validates an edit and converts it to a tuple.

    Args:
      value: The edit, as a list.
      area: Size of the map; `None` if cells are not limited to a map.
      rules: The rules of the game.

    Raises:
      ValueError: If the edit is unknown, or its arguments are invalid.
    """
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        fail("An edit", "a list such as ['set', 3, 4, 'stone']", value)
    name, *arguments = value
    kinds = EDITS[one_of("The name of an edit", name, EDITS)]
    if len(arguments) != sum(_WIDTH[kind] for kind in kinds):
        words = {"cell": "x, y", "size": "width, height"}
        takes = ", ".join(words.get(kind, kind) for kind in kinds)
        raise ValueError(f"The edit {name} takes {takes}, got {short_repr(value)}.")
    checked: list[Any] = [name]
    for kind in kinds:
        part, arguments = arguments[: _WIDTH[kind]], arguments[_WIDTH[kind] :]
        checked += _checked_part(
            kind, part, area, rules, f"the edit {short_repr(value)}"
        )
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
    """Applies edits to a map, clipped at its edges.

    Args:
      materials: Material ids of shape `area`; changed in place.
      edits: Validated edits.
      rules: The rules of the game.

    Returns:
      Mask of edited cells, bool of the same shape.
    """
    touched = np.zeros(materials.shape, bool)
    width, height = materials.shape
    walkable = [rules.material_ids[name] for name in rules.walkable]
    for name, *arguments in edits:
        for (x, y), material in _edited_cells(name, arguments):
            if not (0 <= x < width and 0 <= y < height):
                continue
            touched[x, y] = True
            if material is not None:
                materials[x, y] = rules.material_ids[material]
            elif materials[x, y] not in walkable:
                materials[x, y] = walkable[0]
    return touched


def _edited_cells(name: str, arguments: list[Any]) -> Iterable[tuple[Cell, str | None]]:
    """Returns the cells of an edit, with their material or `None` to clear them."""
    if name == "maze":
        return _maze(*arguments).items()
    material = None if name == "clear" else arguments.pop()
    return [(cell, material) for cell in _SHAPES[name](*arguments)]


def _rectangle(x: int, y: int, width: int, height: int) -> list[Cell]:
    return [(x + i, y + j) for i in range(width) for j in range(height)]


def _ring(x: int, y: int, width: int, height: int) -> list[Cell]:
    inside = _rectangle(x + 1, y + 1, width - 2, height - 2)
    return [cell for cell in _rectangle(x, y, width, height) if cell not in inside]


def _disc(x: int, y: int, radius: int) -> list[Cell]:
    square = _rectangle(-radius, -radius, 2 * radius + 1, 2 * radius + 1)
    return [(x + i, y + j) for i, j in square if i * i + j * j <= radius * radius]


def line(start: Cell, end: Cell) -> list[Cell]:
    """Returns the 4-connected line between two cells, both included."""
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


_SHAPES: dict[str, Callable[..., list[Cell]]] = {
    "set": lambda x, y: [(x, y)],
    "rectangle": _rectangle,
    "ring": _ring,
    "disc": _disc,
    "clear": _rectangle,
    "line": lambda x, y, to_x, to_y: line((x, y), (to_x, to_y)),
}


def _maze(
    x: int, y: int, width: int, height: int, wall: str, floor: str, seed: int
) -> dict[Cell, str | None]:
    """A perfect maze (one path between any two rooms), with a door on each side."""
    random = Stream(seed)
    rooms = {(i, j) for i in range(1, width - 1, 2) for j in range(1, height - 1, 2)}
    floors: set[Cell] = set()
    stack = [(1, 1)] if (1, 1) in rooms else []
    while stack:
        i, j = stack[-1]
        floors.add((i, j))
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        steps = [(a, b) for a, b in steps if (i + 2 * a, j + 2 * b) in rooms - floors]
        if not steps:
            stack.pop()
            continue
        a, b = steps[random.below(len(steps))]
        floors.add((i + a, j + b))
        stack.append((i + 2 * a, j + 2 * b))
    if rooms:
        i, j = max(rooms)
        floors |= {(0, 1), (i, j), (i + 1, j)}
    return {
        (x + i, y + j): floor if (i, j) in floors else wall
        for i, j in _rectangle(0, 0, width, height)
    }


# Worlds.


def land_of(world: World, symmetry: int = 0) -> Land:
    """Returns the land of a world with its creatures, under a symmetry."""
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


def creature_kinds() -> list[str]:
    """Returns the kinds of objects except the player."""
    return [kind for kind in KINDS if kind != Player.kind]
