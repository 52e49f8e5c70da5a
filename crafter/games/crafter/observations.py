"""Observations: pixels, or the same content as arrays.

| kind | observation |
|---|---|
| `pixels` | image, uint8 of shape (height, width, 3) |
| `compact` | bytes, uint8 of shape (n,); see below |
| `symbolic` | numbers from 0 to 1, float32 of shape (n,); see below |
| `semantic` | dict of uint8: `map` of shape `area`, `local` of shape (columns, rows) |

All kinds except pixels ignore darkness. The layouts below are for the default rules;
for other rules they follow the tables. C = columns x rows of the map part of the view
(9 x 7 = 63), with cells in the order x outer, y inner, and codes from `CODES`:

`compact` (145 bytes by default): C material ids, 0 outside the map; C codes of the
objects, 0 for none; 16 amounts of the inventory; facing (0 left, 1 right, 2 up, 3
down); 1 if asleep; daylight x 255, rounded down.

`symbolic` (1471 numbers by default): one-hot material id per cell (13); one-hot object
code - 1 per cell (10); 16 amounts divided by their maxima; one-hot facing (4); 1 if
asleep; daylight.

`semantic`: ids of `rules.semantic_names`, objects over materials; `local` is the map
part of the view.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from crafter.core.validation import fail, integer
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.sprites import CODES, FACINGS
from crafter.games.crafter.views import local_region, split_view

KINDS = ("pixels", "compact", "symbolic", "semantic")

_BYTE = 255
_CODES = max(CODES.values())


def space(
    kind: str,
    area: tuple[int, int],
    view: tuple[int, int],
    size: tuple[int, int],
    rules: Rules,
) -> spaces.Space[Any]:
    """Returns the observation space of a kind.

    Args:
      kind: One of `KINDS`.
      area: Map size (x, y) in cells.
      view: View size (x, y) in cells, including the inventory rows.
      size: Size (width, height) of the pixels.
      rules: The rules of the game.

    Raises:
      ValueError: If the kind is unknown, or the maximum of an item exceeds a byte of a
        compact observation.
    """
    (columns, rows), _ = split_view(view, len(rules.items))
    cells, items = columns * rows, len(rules.items)
    if kind == "pixels":
        return spaces.Box(0, 255, (size[1], size[0], 3), np.uint8)
    if kind == "compact":
        for name, item in rules.items.items():
            integer(f"The maximum of {name} in bytes", item["max"], 0, _BYTE)
        return spaces.Box(0, 255, (2 * cells + items + 3,), np.uint8)
    if kind == "symbolic":
        materials = len(rules.materials) + 1
        length = (materials + _CODES) * cells + items + len(FACINGS) + 2
        return spaces.Box(0, 1, (length,), np.float32)
    if kind == "semantic":
        last = len(rules.semantic_names) - 1
        return spaces.Dict(
            {
                "map": spaces.Box(0, last, area, np.uint8),
                "local": spaces.Box(0, last, (columns, rows), np.uint8),
            }
        )
    fail("observation", f"one of {KINDS}", kind)


def observe(kind: str, world: World, player: Player, view: tuple[int, int]) -> Any:
    """Returns an observation of a kind other than `pixels`.

    Args:
      kind: `compact`, `symbolic` or `semantic`.
      world: The world.
      player: The player in it.
      view: View size (x, y) in cells, including the inventory rows.
    """
    window = local_region(player, view)
    if kind == "semantic":
        ids = np.maximum(world.materials, world.labels)
        return {"map": ids, "local": window.semantic()}
    codes = np.zeros(window.materials.shape, np.uint8)
    for x, y, obj in window.objects:
        codes[x, y] = CODES[obj.texture]
    encode = _compact if kind == "compact" else _symbolic
    return encode(window.materials, codes, world, player)


def _compact(
    materials: np.ndarray, codes: np.ndarray, world: World, player: Player
) -> np.ndarray:
    facing = FACINGS.index(player.facing)
    rest = [*player.inventory.values(), facing, player.sleeping]
    rest.append(int(world.daylight * _BYTE))
    return np.concatenate([materials.ravel(), codes.ravel(), np.array(rest, np.uint8)])


def _symbolic(
    materials: np.ndarray, codes: np.ndarray, world: World, player: Player
) -> np.ndarray:
    limits = np.maximum(list(player.limits.values()), 1)
    amounts = np.array(list(player.inventory.values())) / limits
    facing = [player.facing == direction for direction in FACINGS]
    parts = [
        np.eye(len(world.rules.materials) + 1)[materials].ravel(),
        np.eye(_CODES + 1)[codes][..., 1:].ravel(),
        amounts,
        facing,
        [player.sleeping, world.daylight],
    ]
    return np.concatenate(parts).astype(np.float32)
