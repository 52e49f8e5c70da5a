"""Floors made of rooms and corridors; see `crafter.games.craftax.rooms`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax import rooms
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config
from crafter.games.craftax.tables import load

#: Rules of these floors.
BUILT = rooms.Rooms(load())
RULES: Any = load().data["rooms"]
ROOMS: int = RULES["count"]
_WALL, _PATH = t.BLOCK["wall"], t.BLOCK["path"]
_BUILDING = ("size", "chest_offset", "fountain_offset", "fountain_u", "corridor_to")


def generate(
    config: Config, draws: Mapping[str, jax.Array]
) -> tuple[jax.Array, jax.Array]:
    """Generates the blocks and items of the floors.

    Args:
      config: Static configuration.
      draws: The draws `room.*` of `worldgen.shapes`.

    Returns:
      Block ids and item ids, both int32 (floors, S, S).
    """
    corners = draws["room.chunk"] * RULES["chunk"] + draws["room.offset"]
    own = {name: draws[f"room.{name}"] for name in _BUILDING}
    build = jax.vmap(lambda *floor: _build(config.size, *floor))
    single = (BUILT.ids(name).astype(np.int32) for name in ("fountain", "special"))
    blocks, items = build(corners, own, *single)
    blocks, items = (x[:, : config.size, : config.size] for x in (blocks, items))
    return BUILT.finish(blocks, items, draws["room.rare"], jnp), items


def _build(
    size: int,
    corners: jax.Array,
    draws: Mapping[str, jax.Array],
    fountain: jax.Array,
    special: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Builds the rooms of a floor in order, then the corridors.

    Args:
      size: Rows and columns of the map; the result extends past it.
      corners: Top left cells of the rooms, int32 (rooms, 2).
      draws: The draws of this floor.
      fountain: Id of its block of fountains.
      special: Id of its special block.

    Returns:
      Block ids and item ids, int32.
    """
    wide = size + RULES["size"][1]  # rooms start on the map
    line = np.arange(wide, dtype=np.int32)
    rows, columns = line[:, None], line[None, :]
    has_fountain = draws["fountain_u"] > np.float32(RULES["fountain_above"])

    def is_at(cell: jax.Array) -> jax.Array:
        return (rows == cell[0]) & (columns == cell[1])

    def add(number: jax.Array, both: tuple[jax.Array, jax.Array]) -> tuple:
        blocks, items = both
        corner = corners[number]
        end = corner + draws["size"][number] - 1
        inside = (rows >= corner[0]) & (rows <= end[0])
        inside &= (columns >= corner[1]) & (columns <= end[1])
        edges = ((rows == corner[0]) | (rows == end[0])) & (
            (columns == corner[1]) | (columns == end[1])
        )
        chest = is_at(corner + draws["chest_offset"][number])
        spring = is_at(corner + draws["fountain_offset"][number])
        blocks = jnp.where(inside, _PATH, blocks)
        blocks = jnp.where(chest, t.BLOCK["chest"], blocks)
        blocks = jnp.where(spring & has_fountain[number], fountain, blocks)
        return blocks, jnp.where(edges, t.ITEM["torch"], items)

    def dig(number: jax.Array, dug: jax.Array) -> jax.Array:
        start, end = corners[number], corners[draws["corridor_to"][number]]
        low, high = jnp.minimum(start, end), jnp.maximum(start, end)
        along_row = (rows == start[0]) & (columns >= low[1]) & (columns <= high[1])
        along_column = (columns == end[1]) & (rows >= low[0]) & (rows <= high[0])
        dug |= along_row & (low[1] < high[1])
        return dug | (along_column & (low[0] < high[0]))

    walls = jnp.full((wide, wide), _WALL, jnp.int32)
    blocks, items = jax.lax.fori_loop(0, ROOMS, add, (walls, jnp.zeros_like(walls)))
    dug = jax.lax.fori_loop(0, ROOMS, dig, jnp.zeros(walls.shape, bool))
    blocks = jnp.where(dug & (blocks == _WALL), _PATH, blocks)
    place = corners[0] + np.array(RULES["special"], np.int32)
    return jnp.where(is_at(place), special, blocks), items
