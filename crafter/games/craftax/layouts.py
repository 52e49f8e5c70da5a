"""Hand-made floors, for the option `floors` of `Env.reset`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.reset_options import read_ids, read_text, text_rows
from crafter.core.validation import fail, listed, mapping
from crafter.games.craftax.engine import Floor, Position
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

_FIELDS = ("map", "items", "light")


@dataclasses.dataclass
class Layout:
    """A hand-made floor.

    Attributes:
      blocks: Block ids, uint8 of shape (size, size).
      items: Item ids, likewise.
      light: Light from 0 to 1, float32 of the same shape.
      down: Cell of the way down.
      up: Cell where the player arrives from above.
    """

    blocks: np.ndarray
    items: np.ndarray
    light: np.ndarray
    down: Position
    up: Position

    def apply(self, floor: Floor) -> None:
        """Makes a floor look like this."""
        floor.block_map[:] = self.blocks
        floor.item_map[:] = self.items
        floor.light[:] = self.light
        floor.down_ladder, floor.up_ladder = self.down, self.up


def parse_floor(
    value: Any, level: int, tables: Tables, parameters: Parameters
) -> Layout:
    """Reads a hand-made floor.

    Every floor but the last needs a way down, and every floor but the first a way up;
    that of the last one only marks where the player arrives. Symbols of text are in the
    section `symbols` of `data.yaml`.

    Args:
      value: Text (rows from top to bottom, one character a cell, as one string with
        line breaks or a sequence of strings), or an integer array of block ids, or a
        mapping with `map` as one of these, and perhaps `items` (item ids) and `light`
        (0 to 1; one number for all cells). Without `light` all is lit.
      level: Number of the floor.
      tables: The rules.
      parameters: The arguments of the environment.

    Raises:
      ValueError: If the size differs, a symbol or id is unknown, or a ladder is
        missing.
    """
    size = parameters.map_size
    parts = value if isinstance(value, Mapping) else {"map": value}
    mapping("a floor", parts, _FIELDS)
    if "map" not in parts:
        fail("a floor", f"a map, or a mapping with {listed(_FIELDS)}", value)
    blocks, items = _read_map(parts["map"], size, tables)
    if "items" in parts:
        items = _ids("items", parts["items"], size, tables.item_names)
    light = _light(parts.get("light", 1.0), size)
    down, up = _ladders(items, level, tables)
    return Layout(blocks, items, light, down, up)


def _read_map(value: Any, size: int, tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    rows = text_rows(value)
    if rows is None:
        blocks = _ids("map", value, size, tables.block_names)
        return blocks, np.zeros_like(blocks)
    symbols, blocks_of = tables.data["symbols"], tables.block_ids
    meanings = {key: (blocks_of[name], 0) for key, name in symbols["blocks"].items()}
    meanings |= {
        key: (blocks_of[block], tables.item_ids[item])
        for key, (item, block) in symbols["items"].items()
    }
    cells = np.array(read_text(rows, size, size, meanings), np.uint8)
    return cells[..., 0], cells[..., 1]


def _ids(name: str, value: Any, size: int, names: Sequence[str]) -> np.ndarray:
    ids = dict(enumerate(names))
    return read_ids(name, value, (size, size), ids).astype(np.uint8)


def _light(value: Any, size: int) -> np.ndarray:
    try:
        numbers = np.asarray(value)
        if numbers.dtype.kind not in "biuf":
            raise ValueError
        light = np.clip(numbers, -1, 2).astype(np.float32)
        light = np.broadcast_to(light, (size, size))
    except ValueError:
        light = np.full((1, 1), np.nan)
    if not ((light >= 0) & (light <= 1)).all():
        fail("light", f"numbers from 0 to 1, one or of shape {(size, size)}", value)
    return light


def _ladders(
    items: np.ndarray, level: int, tables: Tables
) -> tuple[Position, Position]:
    """Returns the ways down and up; takes the one off the last floor that leads up."""
    last = level == len(tables.floors) - 1
    ways = []
    for name, needed in (("ladder_down", not last), ("ladder_up", level > 0)):
        cells = np.argwhere(items == tables.item_ids[name]).tolist()
        if len(cells) != needed:
            raise ValueError(
                f"floor {level} needs {int(needed)} {name}, got {len(cells)} at {cells}"
            )
        ways.append((cells[0][0], cells[0][1]) if cells else (0, 0))
    if last:
        items[ways[1]] = 0  # nobody leaves the last floor
    return ways[0], ways[1]
