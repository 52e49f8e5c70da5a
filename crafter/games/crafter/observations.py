"""Observations: pixels, or the same facts without drawing them.

| kind | observation |
|---|---|
| `pixels` | image, uint8 of shape (height, width, 3) |
| `compact` | bytes, uint8 of shape (n,); see below |
| `symbolic` | numbers from 0 to 1, float32 of shape (n,); see below |
| `semantic` | dict of uint8: `map` of shape `area`, `local` of shape (columns, rows) |

All kinds except pixels ignore darkness. The layouts below are those of the default
rules; under others they follow the tables. C = columns x rows of the map part of the
view (9 x 7 = 63), with cells in the order x outer, y inner, and codes from `CODES`:

`compact` (145 bytes by default): C material ids, 0 outside the map; C codes of the
objects, 0 for none; 16 amounts of the inventory; facing (0 left, 1 right, 2 up, 3
down); 1 if asleep; daylight x 255, rounded down.

`symbolic` (1471 numbers by default): per cell 13 numbers, 1 at the material id; per
cell 10 numbers, 1 at the code of the object - 1; 16 amounts divided by their maxima;
4 numbers, 1 at the facing; 1 if asleep; daylight.

`semantic`: ids of `rules.semantic_names`, objects over materials; `local`
is the map part of the view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from crafter.games.crafter import sprites
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.views import split_view, view_corner

KINDS = ("pixels", "compact", "symbolic", "semantic")

#: Texture stem of an object -> its code.
CODES = sprites.CODES
_BYTE = 255
_CODES = max(CODES.values())


def space(
    kind: str,
    area: tuple[int, int],
    view: tuple[int, int],
    size: tuple[int, int],
    rules: Rules | None = None,
) -> spaces.Space[Any]:
    """Returns the observation space of a kind.

    Args:
      kind: One of `KINDS`.
      area: Map size (x, y) in cells.
      view: View size (x, y) in cells, inventory rows included.
      size: Size (width, height) of the pixels.
      rules: The rules of the game; by default those of the published one.

    Raises:
      ValueError: If there is no such kind.
    """
    rules = default() if rules is None else rules
    (columns, rows), _ = split_view(view, len(rules.items))
    cells, items = columns * rows, len(rules.items)
    if kind == "pixels":
        return spaces.Box(0, 255, (size[1], size[0], 3), np.uint8)
    if kind == "compact":
        return spaces.Box(0, 255, (2 * cells + items + 3,), np.uint8)
    if kind == "symbolic":
        materials = len(rules.materials) + 1
        length = (materials + _CODES) * cells + items + len(sprites.FACINGS) + 2
        return spaces.Box(0, 1, (length,), np.float32)
    if kind == "semantic":
        last = len(rules.semantic_names) - 1
        return spaces.Dict(
            {
                "map": spaces.Box(0, last, area, np.uint8),
                "local": spaces.Box(0, last, (columns, rows), np.uint8),
            }
        )
    raise ValueError(f"observation must be one of {KINDS}, got {kind!r}.")


def check_amounts(kind: str, items: Mapping[str, Mapping[str, int]]) -> None:
    """Checks that a kind of observation can hold the amounts of all items.

    Args:
      kind: One of `KINDS`.
      items: Item name -> `max` and `initial`.

    Raises:
      ValueError: If a byte cannot hold the maximum of an item.
    """
    for name, item in items.items():
        if kind == "compact" and item["max"] > _BYTE:
            raise ValueError(
                f"A compact observation holds at most {_BYTE} of an item, got a "
                f"maximum of {item['max']} for {name}."
            )


def observe(kind: str, world: World, player: Player, view: tuple[int, int]) -> Any:
    """Returns an observation of a kind other than `pixels`.

    Args:
      kind: `compact`, `symbolic` or `semantic`.
      world: The world.
      player: The player in it.
      view: View size (x, y) in cells, inventory rows included.
    """
    grid, _ = split_view(view, len(player.inventory))
    window = world.window(view_corner(player.position, grid), grid)
    if kind == "semantic":
        local = window.materials.copy()
        for x, y, obj in window.objects:
            local[x, y] = obj.label
        return {"map": np.maximum(world.materials, world.labels), "local": local}
    codes = np.zeros(grid, np.uint8)
    for x, y, obj in window.objects:
        codes[x, y] = CODES[obj.texture]
    encode = _compact if kind == "compact" else _symbolic
    return encode(window.materials, codes, world, player)


def _compact(
    materials: np.ndarray, codes: np.ndarray, world: World, player: Player
) -> np.ndarray:
    facing = sprites.FACINGS.index(player.facing)
    rest = [*player.inventory.values(), facing, player.sleeping]
    rest.append(int(world.daylight * _BYTE))
    return np.concatenate([materials.ravel(), codes.ravel(), np.array(rest, np.uint8)])


def _symbolic(
    materials: np.ndarray, codes: np.ndarray, world: World, player: Player
) -> np.ndarray:
    limits = [item["max"] for item in player.items.values()]
    amounts = np.array(list(player.inventory.values())) / np.maximum(limits, 1)
    facing = [player.facing == direction for direction in sprites.FACINGS]
    parts = [
        np.eye(len(world.rules.materials) + 1)[materials].ravel(),
        np.eye(_CODES + 1)[codes][..., 1:].ravel(),
        amounts,
        facing,
        [player.sleeping, world.daylight],
    ]
    return np.concatenate(parts).astype(np.float32)
