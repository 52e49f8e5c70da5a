"""World generation: draws all random numbers, then applies deterministic rules.

`WorldGenerator.table` lists the random numbers in drawing order;
`WorldGenerator.generate` is a pure function of them.

Source: Craftax 1.6.1, world generation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core.validation import fail, mapping
from crafter.games.craftax import ladders, light
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.rooms import Rooms
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.terrain import Terrain

Draws = dict[str, np.ndarray]
Random = np.random.Generator
Shape = tuple[int, ...]
Sample = Callable[[Random, Shape, Draws], np.ndarray]


class Draw(NamedTuple):
    """Random value of a world: its name, shape and distribution."""

    name: str
    shape: Shape
    sample: Sample  # called with the generator, the shape, and the earlier draws


class Maps(NamedTuple):
    """A generated world, with the names and axes of the published state."""

    map: np.ndarray  # (floors, rows, columns) uint8, block ids
    item_map: np.ndarray  # (floors, rows, columns) uint8, item ids
    light_map: np.ndarray  # (floors, rows, columns) float32, 0 ... 1
    down_ladders: np.ndarray  # (floors, 2) int32, row and column
    up_ladders: np.ndarray  # (floors, 2) int32; on the last floor the arrival
    potion_mapping: np.ndarray  # (colours,) int32, colour -> effect id


class WorldGenerator:
    """Generator of worlds by a set of rules.

    Args:
      tables: The rules.
      parameters: Parameters of the game, with the map size.
      noise_angles: Noise (`water`, `mountain`, `tunnel`, `tree`) -> directions of its
        gradients in turns, used on all floors instead of random ones; arrays of the
        shape in `table` for one floor.

    Attributes:
      table: The draws of a world, in order. The first axis of draws per floor is the
        floors of `terrain` or `rooms`.
      terrain, rooms: The generators of the two kinds of floor.

    Raises:
      ValueError: If the angles have wrong names or shapes.
    """

    def __init__(
        self,
        tables: Tables,
        parameters: Parameters,
        noise_angles: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.terrain, self.rooms = Terrain(tables), Rooms(tables)
        self._tables, self._parameters = tables, parameters
        self._size = parameters.map_size
        names = tables.floor_names
        self._smooth, self._built = (
            np.array([names.index(name) for name in kind.floors], np.intp)
            for kind in (self.terrain, self.rooms)
        )
        self.table = draw_table(tables, self.terrain, self._size)
        self._angles = self._checked_angles(noise_angles or {})
        self._arguments = tables, parameters, noise_angles

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the arguments, since the functions in `table` cannot be pickled."""
        return WorldGenerator, self._arguments

    def draw(self, random: Random) -> Draws:
        """Draws all random values of a world."""
        drawn: Draws = {}
        for draw in self.table:
            drawn[draw.name] = draw.sample(random, draw.shape, drawn)
        return drawn | self._angles

    def generate(self, draws: Mapping[str, np.ndarray]) -> Maps:
        """Generates a world.

        Args:
          draws: The values of `table`, by name. `smooth.diamond_u` is used only with
            `always_diamond`, and optional without.
        """
        blocks = np.empty((len(self._tables.floors), self._size, self._size), np.uint8)
        items = np.zeros_like(blocks)
        diamond = draws["smooth.diamond_u"] if self._parameters.always_diamond else None
        blocks[self._smooth], lava = self.terrain.generate(draws, diamond)
        blocks[self._built], items[self._built] = self.rooms.generate(draws)
        cells = ladders.place(self._tables, blocks, items, self._ladder_draws(draws))
        light, potions = self._light(cells[:, 1], lava), draws["potion_mapping"]
        return Maps(blocks, items, light, cells[:, 0], cells[:, 1], potions)

    def _ladder_draws(self, draws: Mapping[str, np.ndarray]) -> np.ndarray:
        """Returns the draws of the ladders down and up, of shape (floors, 2)."""
        both = np.empty((len(self._tables.floors), 2), np.float32)
        for kind, floors in (("smooth", self._smooth), ("room", self._built)):
            for way, name in enumerate(("ladder_down_u", "ladder_up_u")):
                both[floors, way] = draws[f"{kind}.{name}"]
        return both

    def _light(self, arrivals: np.ndarray, lava: np.ndarray) -> np.ndarray:
        """Returns the light of all floors."""
        rows = ladders.floor_rules(self._tables)
        default = np.array([row["light"] for row in rows], np.float32)[:, None, None]
        shape = (len(rows), self._size, self._size)
        total = np.broadcast_to(default, shape).copy()
        rule = self._tables.data["torch_light"]
        cut = "light_patch" in self._tables.applied
        for floor in np.flatnonzero(default.ravel() < 1).tolist():
            spot = light.arrival(arrivals[floor].tolist(), self._size, rule, cut=cut)
            total[floor] += spot * (1 - default[floor])
        bright = self.terrain.glows()
        rule = self._tables.data["terrain"]["glow"]
        total[self._smooth[bright]] += light.glow(lava[bright], rule)
        return np.clip(total, 0, 1)

    def _checked_angles(self, angles: Mapping[str, np.ndarray]) -> Draws:
        """Validates given angles; returns the draws that they replace."""
        shapes = {draw.name: draw.shape for draw in self.table}
        draws = {}
        for name, value in mapping("noise_angles", angles, self.terrain.noises).items():
            array, key = np.asarray(value, np.float32), f"smooth.{name}_angle"
            shape = shapes[key][1:]
            if array.shape != shape:
                fail(f"noise_angles[{name!r}]", f"of shape {shape}", array.shape)
            draws[key] = np.broadcast_to(array, shapes[key])
        return draws


def draw_table(tables: Tables, terrain: Terrain, size: int) -> tuple[Draw, ...]:
    """Returns the random values of a world, in drawing order.

    Args:
      tables: The rules.
      terrain: The generator of the smooth floors.
      size: Rows and columns of a floor.
    """
    rule = tables.data["rooms"]
    smooth, built, rooms = len(terrain.floors), len(rule["floors"]), rule["count"]
    each, potions = (built, rooms, 2), len(tables.data["potions"]["effects"])
    angles = (
        Draw(f"smooth.{name}_angle", (smooth, *terrain.lattice(name, size)), _uniform)
        for name in terrain.noises
    )
    return (
        *angles,
        Draw("smooth.tree_u", (smooth, size, size), _uniform),
        Draw("smooth.ore_u", (smooth, terrain.ores, size, size), _uniform),
        Draw("smooth.diamond_u", (), _uniform),
        Draw("smooth.ladder_down_u", (smooth,), _uniform),
        Draw("smooth.ladder_up_u", (smooth,), _uniform),
        Draw("room.size", each, _integers(*rule["size"])),
        Draw("room.chunk", each, _chunks(size // rule["chunk"])),
        Draw("room.offset", each, _integers(*rule["offset"])),
        Draw("room.chest_offset", each, _inside_the_room),
        Draw("room.fountain_offset", each, _inside_the_room),
        Draw("room.fountain_u", (built, rooms), _uniform),
        Draw("room.corridor_to", (built, rooms), _last_or_earlier),
        Draw("room.rare", (built, size, size), _chance(rule["rare"])),
        Draw("room.ladder_down_u", (built,), _uniform),
        Draw("room.ladder_up_u", (built,), _uniform),
        Draw("potion_mapping", (potions,), _permutation),
    )


# Distributions. Each function has the type `Sample`, or returns one.


def _uniform(random: Random, shape: Shape, _: Draws) -> np.ndarray:
    """Draws numbers in [0, 1), float32."""
    return random.random(shape, np.float32)


def _integers(low: int, high: int) -> Sample:
    """Draws integers from `low` to `high`, both included."""
    return lambda random, shape, _: random.integers(low, high + 1, shape)


def _chance(probability: float) -> Sample:
    """Draws booleans that are true with a probability."""
    limit = np.float32(probability)
    return lambda random, shape, _: random.random(shape, np.float32) < limit


def _permutation(random: Random, shape: Shape, _: Draws) -> np.ndarray:
    return random.permutation(shape[0]).astype(np.int32)


def _chunks(side: int) -> Sample:
    """Draws a chunk for each room of a floor, without repetition while chunks last.

    Args:
      side: Chunks along one side of the map.

    Returns:
      A sampler of rows and columns in chunks, of shape (floors, rooms, 2).
    """

    def sample(random: Random, shape: Shape, _: Draws) -> np.ndarray:
        floors, rooms = shape[:2]
        numbers = np.zeros((floors, max(rooms, side**2)), np.int64)
        numbers[:, : side**2] = np.arange(side**2)
        numbers[:, : side**2] = random.permuted(numbers[:, : side**2], axis=1)
        return np.stack(np.divmod(numbers[:, :rooms], side), -1)

    return sample


def _inside_the_room(random: Random, _: Shape, drawn: Draws) -> np.ndarray:
    """Draws offsets from the first cell of a room, excluding its border."""
    return random.integers(1, drawn["room.size"] - 1)


def _last_or_earlier(random: Random, shape: Shape, _: Draws) -> np.ndarray:
    """Draws for each room the last room, or an earlier one in the list."""
    rooms = shape[1]
    pick = random.integers(0, np.arange(1, rooms + 1), shape)
    return np.where(pick == 0, rooms - 1, pick - 1)
