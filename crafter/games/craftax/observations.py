"""Observations: pixels, or the same content as arrays.

| kind | observation |
|---|---|
| `symbolic` | numbers, float32 of shape (8268,), laid out as published |
| `compact` | dict of `map`, uint8 of shape (9, 11, 7), and `numbers`, float32 (48,) |
| `semantic` | dict of `local`, uint8 of shape (9, 11), and `numbers` as above |
| `puffer` | numbers, float32 of shape (843,), as in PufferLib's Craftax |

Rows run from the top, columns from the left. The player is in the middle cell, and only
`semantic` marks it. Cells in the dark and outside the map are hidden.

`symbolic`: 83 numbers per cell: one-hot block id (37) and item id (5), multi-hot types
for each class of `CLASSES` (8 each), and 1 if the cell is lit. Then the numbers of
`Observer.numbers`, scaled. `Observer.names` names each entry, and `Observer.slices`
maps names to entries:

    >>> from crafter.games.craftax import parameters, tables
    >>> rules = tables.load()
    >>> observer = Observer(rules, parameters.make(rules.data["parameters"], {}))
    >>> observer.names[8231], observer.slices["health"]
    ('bow_enchantment', slice(8239, 8240, None))

`compact`: the same without loss; `Observer.expand` converts it to `symbolic`. Layers of
`map`: block id + 1, or 0 in the dark; item id; and one byte per class with bit t set
for type t. `numbers` are unscaled game values, with the id of the direction in place of
its four one-hot numbers.

`semantic`: one id of `Observer.semantic_names` per cell, creatures over projectiles
over items over blocks.

`puffer`: 8 numbers per cell, all 0 in the dark: block id; item id + 1; 1; and type + 1
for each class, or 0. If a cell has several creatures of a class, the one in the last
slot is shown, and no slot erases another's. Then the same 51 numbers as in `symbolic`.

Source: Craftax 1.6.1, symbolic observation; PufferLib 5.0, `puffer`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from crafter.games.craftax import boss
from crafter.games.craftax.engine import Cutout
from crafter.games.craftax.fields import MOBS
from crafter.games.craftax.fields import limits as ranges
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import ATTRIBUTES
from crafter.games.craftax.tables import Tables

KINDS = ("symbolic", "compact", "semantic", "puffer")

#: Attributes of a floor whose slots are shown, in channel order.
CLASSES = tuple(MOBS.values())
#: Floor -> its slots of creatures and projectiles, a list per class.
_slots = operator.attrgetter(*CLASSES)

_ITEMS = (
    *("wood", "stone", "coal", "iron", "diamond", "sapphire", "ruby"),
    *("sapling", "torches", "arrows", "books", "pickaxe", "sword"),
)
_BITS = 8


class Number(NamedTuple):
    """A number of the player or the world in an observation.

    Attributes:
      name: Its name.
      limit: Its largest value in the game.
      scale: Divisor in `symbolic`.
      root: Whether its square root is taken first.
    """

    name: str
    limit: float
    scale: float = 1
    root: bool = False


class Observer:
    """Observes the world around the player.

    Args:
      tables: The rules.
      parameters: Arguments of the game.

    Attributes:
      view: Rows and columns of the cells shown.
      numbers: The numbers after the cells, in order.
      names: Name of each entry of `symbolic`; cells are `row,column class type`.
      slices: Name -> slice of `symbolic`; `cells` covers all cells.
      semantic_names: Id in `semantic` -> name; 0 is `None`, for hidden cells.
      semantic_starts: `item`, or a class of `CLASSES` -> id in `semantic` of its first
        type.
    """

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        self.view: tuple[int, int] = tables.data["view"]["cells"]
        self._tables, self._parameters = tables, parameters
        self._directions = tables.direction_names
        self._dim = tables.dim
        self._erases = "creature_bits" not in tables.applied
        self._lay_out_cells()
        self._lay_out_numbers()
        self.names = [*self._cell_names(), *self._number_names()]
        self.semantic_names = self._semantic_names()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what everything else is derived from."""
        return {"_tables": self._tables, "_parameters": self._parameters}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Derives the rest anew, since a pickle may be of an older version."""
        self.__init__(state["_tables"], state["_parameters"])  # type: ignore[misc]

    def __deepcopy__(self, memo: dict[int, Any]) -> Observer:
        """Returns itself: observers are immutable."""
        return self

    def space(self, kind: str) -> spaces.Space[Any]:
        """Returns the space of an observation kind.

        Args:
          kind: One of `KINDS`.

        Raises:
          ValueError: If the kind is unknown, or too small for the rules.
        """
        limits = np.array([number.limit for number in self.numbers], np.float32)
        if kind == "symbolic":
            cells = np.ones(self.slices["cells"].stop, np.float32)
            return self._flat_space(cells, limits)
        if kind == "puffer":
            high = [self._blocks - 1, self._items, 1, *[self._types] * len(CLASSES)]
            return self._flat_space(np.tile(high, self.view[0] * self.view[1]), limits)
        numbers = spaces.Box(np.zeros_like(limits), limits)
        if kind == "compact":
            return spaces.Dict({"map": self._compact_map_space(), "numbers": numbers})
        if kind == "semantic":
            last = len(self.semantic_names) - 1
            local = spaces.Box(0, last, self.view, np.uint8)
            return spaces.Dict({"local": local, "numbers": numbers})
        raise ValueError(f"observation must be one of {KINDS}, got {kind!r}.")

    def _flat_space(self, cells: np.ndarray, limits: np.ndarray) -> spaces.Box:
        """Returns the flat space of bounded cells followed by the numbers."""
        numbers = self.scaled(limits)
        start, end = self.slices["direction"].start, self.slices["direction"].stop
        numbers[start - self.slices["cells"].stop : end - self.slices["cells"].stop] = 1
        high = np.concatenate([cells, numbers]).astype(np.float32)
        return spaces.Box(np.zeros_like(high), high)

    def observe(self, kind: str, player: Player) -> Any:
        """Returns the player's observation of a kind of `KINDS`."""
        return getattr(self, kind)(player)

    def symbolic(self, player: Player) -> np.ndarray:
        """Returns the published observation, float32 of shape (8268,)."""
        window = self._window(player)
        lit = window.light > self._dim
        obs = np.zeros(self._length, np.float32)
        obs[self._block_places + window.blocks] = lit
        obs[self._item_places + window.items] = lit
        obs[self._light_places] = lit = lit.ravel()
        for cell, number, kind in self._marks(player):
            if lit[cell]:
                obs[cell * self._channels + self._class_starts[number] + kind] = 1
        obs[self.slices["cells"].stop :] = self.scaled(self._numbers_of(player))
        return obs

    def compact(self, player: Player) -> dict[str, np.ndarray]:
        """Returns the same content in less memory, as `map` and `numbers`."""
        window = self._window(player)
        lit = window.light > self._dim
        layers = np.zeros((*self.view, 2 + len(CLASSES)), np.uint8)
        layers[..., 0] = np.where(lit, window.blocks + 1, 0)
        layers[..., 1] = window.items * lit
        flat = layers.reshape(-1, layers.shape[-1])
        for cell, number, kind in self._marks(player):
            if flat[cell, 0]:
                flat[cell, 2 + number] |= 1 << kind
        return {"map": layers, "numbers": self._numbers_of(player)}

    def semantic(self, player: Player) -> dict[str, np.ndarray]:
        """Returns one id per cell as `local`, and the `numbers`."""
        window = self._window(player)
        lit = window.light > self._dim
        local = window.blocks + np.uint8(1)
        things = window.items > 0
        local[things] = window.items[things] + np.uint8(self.semantic_starts["item"])
        local *= lit
        flat = local.ravel()
        marks = sorted(self._marks(player), key=lambda mark: (-mark[1], -mark[2]))
        for cell, number, kind in marks:
            if flat[cell]:
                flat[cell] = self.semantic_starts[CLASSES[number]] + kind
        local[self.view[0] // 2, self.view[1] // 2] = len(self.semantic_names) - 1
        return {"local": local, "numbers": self._numbers_of(player)}

    def puffer(self, player: Player) -> np.ndarray:
        """Returns PufferLib's observation, float32 of shape (843,)."""
        window = self._window(player)
        lit = window.light > self._dim
        cells = np.zeros((*self.view, 3 + len(CLASSES)), np.float32)
        cells[..., 0] = window.blocks * lit
        cells[..., 1] = (window.items + 1) * lit
        cells[..., 2] = lit
        rows, columns = self.view
        top, left = self._corner(player)
        for number, slots in enumerate(_slots(player.floor)):
            for mob in slots:
                row, column = mob.row - top, mob.col - left
                if mob.alive and 0 <= row < rows and 0 <= column < columns:
                    cells[row, column, 3 + number] = lit[row, column] * (mob.type + 1)
        return np.concatenate([cells.ravel(), self.scaled(self._numbers_of(player))])

    def expand(self, compact: Mapping[str, Any], xp: Any = np) -> Any:
        """Converts `compact` observations to `symbolic`.

        Args:
          compact: `map` and `numbers`, both with the same leading axes, such as a
            batch axis.
          xp: Array module: `numpy` or `jax.numpy`.

        Returns:
          float32 of shape (..., 8268).
        """
        layers, numbers = compact["map"], xp.asarray(compact["numbers"], np.float32)
        lit, layers = layers[..., :1] > 0, layers.astype(np.int32)
        classes = layers[..., 2:, None] >> np.arange(self._types, dtype=np.int32) & 1
        blocks = np.arange(1, self._blocks + 1, dtype=np.int32)
        parts = [
            layers[..., :1] == blocks,
            (layers[..., 1:2] == np.arange(self._items, dtype=np.int32)) & lit,
            classes.reshape(*layers.shape[:-1], -1) > 0,
            lit,
        ]
        cells = xp.concatenate(parts, -1).astype(np.float32)
        cells = cells.reshape(*layers.shape[:-3], -1)
        return xp.concatenate([cells, self.scaled(numbers, xp)], -1)

    # Cells.

    def _lay_out_cells(self) -> None:
        tables = self._tables
        self._blocks, self._items = len(tables.block_names), len(tables.item_names)
        kinds = [*tables.species.values(), tables.projectiles]
        self._types = max(len(kind) for kind in kinds)
        first = self._blocks + self._items
        self._class_starts = [first + self._types * i for i in range(len(CLASSES))]
        self._channels = first + self._types * len(CLASSES) + 1
        end = self.view[0] * self.view[1] * self._channels
        self._block_places = np.arange(0, end, self._channels).reshape(self.view)
        self._item_places = self._block_places + self._blocks
        self._light_places = slice(self._channels - 1, end, self._channels)
        self.slices: dict[str, slice] = {"cells": slice(0, end)}

    def _window(self, player: Player) -> Cutout:
        return player.floor.window(self._corner(player), self.view)

    def _corner(self, player: Player) -> tuple[int, int]:
        """Returns the position of the first cell of the view."""
        return player.row - self.view[0] // 2, player.col - self.view[1] // 2

    def _marks(self, player: Player) -> set[tuple[int, int, int]]:
        """Returns the marks of creatures and projectiles in the view.

        In the published game every slot writes its mark or its absence in turn, so
        that a dead or distant creature may erase a live one of its kind.

        Returns:
          Index of the cell in the view, index in `CLASSES`, and type.
        """
        marks: set[tuple[int, int, int]] = set()
        (rows, columns), (top, left) = self.view, self._corner(player)
        for number, slots in enumerate(_slots(player.floor)):
            for mob in slots:
                if not (mob.alive or marks):
                    continue  # nothing to erase
                row, column = mob.row - top, mob.col - left
                if mob.alive and 0 <= row < rows and 0 <= column < columns:
                    marks.add((row * columns + column, number, mob.type))
                elif (
                    self._erases
                    and -rows <= row < rows
                    and -columns <= column < columns
                ):
                    # Off the view, negative indices wrap, as in Python.
                    cell = row % rows * columns + column % columns
                    marks.discard((cell, number, mob.type))
        return marks

    # Numbers.

    def _lay_out_numbers(self) -> None:
        self.numbers = tuple(self._number_rows())
        place = self.slices["cells"].stop
        for number in self.numbers:
            length = len(self._directions) if number.name == "direction" else 1
            self.slices[number.name] = slice(place, place + length)
            place += length
        self._length = place
        self._roots = np.array([number.root for number in self.numbers])
        self._scales = np.array([n.scale for n in self.numbers], np.float32)
        self._direction_ids = np.arange(1, len(self._directions) + 1, dtype=np.float32)
        self._items_of = operator.itemgetter(*_ITEMS)
        self._vitals_of = operator.attrgetter(*self._tables.maxima)
        self._attributes_of = operator.itemgetter(*ATTRIBUTES)

    def _number_rows(self) -> Iterator[Number]:
        """Yields the numbers in the published order, which must not change."""
        data, limits = self._tables.data, ranges(self._tables, self._parameters)
        rows, elements = data["inventory"], limits["element"]
        for name in _ITEMS:
            scale = 4 if "tiers" in rows[name] else 2 if name == "books" else 10
            yield Number(name, limits[name], scale, root=scale == 10)
        for name in ("sword_enchantment", "bow_enchantment"):
            yield Number(name, elements)
        yield Number("bow", limits["bow"])
        for name in rows["potions"]["each"]:
            yield Number(f"potion_{name}", limits["potions"], 10, root=True)
        for name in self._tables.maxima:
            yield Number(name, limits[name], 10)
        # At most one per floor at the start, and one for entering it.
        yield Number("xp", 2 * len(data["floors"]), 10)
        for name in ATTRIBUTES:
            yield Number(name, limits["attribute"], 10)
        yield Number("direction", limits["direction"])
        pieces = rows["armour"]["each"]
        for name in pieces:
            yield Number(name, limits["armour"], 2)
        for name in pieces:
            yield Number(f"{name}_enchantment", elements)
        for name in ("light_level", "is_sleeping", "is_resting"):
            yield Number(name, 1)
        for name in data["spells"]:
            yield Number(f"learned_{name}", 1)
        yield Number("floor", limits["level"], 10)
        for name in ("ladder_open", "boss_vulnerable"):
            yield Number(name, 1)

    def _numbers_of(self, player: Player) -> np.ndarray:
        """Returns the unscaled numbers, in the order of `numbers`."""
        has, world, floor = player.inventory, player.world, player.floor
        needed = self._tables.data["ladders"]["monsters"]
        return np.array(
            [
                *self._items_of(has),
                player.sword_enchantment,
                player.bow_enchantment,
                has["bow"],
                *has["potions"],
                *self._vitals_of(player),
                player.xp,
                *self._attributes_of(player.attributes),
                player.direction,
                *has["armour"],
                *player.armour_enchantments,
                world.light_level,
                player.sleeping,
                player.resting,
                *player.learned_spells,
                player.level,
                floor.monsters_killed >= needed,
                boss.is_vulnerable(player),
            ],
            np.float32,
        )

    def scaled(self, numbers: Any, xp: Any = np) -> Any:
        """Scales numbers to the last entries of flat observations.

        Args:
          numbers: float32 of shape (..., 48).
          xp: Array module: `numpy` or `jax.numpy`.

        Returns:
          float32 of shape (..., 51).
        """
        roots = xp.sqrt(abs(numbers))  # `abs` avoids warnings where unused
        values = xp.where(self._roots, roots, numbers) / self._scales
        place = self.slices["direction"].start - self.slices["cells"].stop
        facing = numbers[..., place, None] == self._direction_ids
        parts = values[..., :place], facing, values[..., place + 1 :]
        return xp.concatenate(parts, -1)

    # Names.

    def _kinds(self) -> dict[str, tuple[str, ...]]:
        """Returns the names of the types of each class."""
        tables = self._tables
        projectiles = tuple(kind.name for kind in tables.projectiles)
        kinds = dict.fromkeys(CLASSES, projectiles)
        for name, species in tables.species.items():
            kinds[name] = tuple(kind.name for kind in species)
        return kinds

    def _cell_names(self) -> Iterator[str]:
        channels = [f"block {name}" for name in self._tables.block_names]
        channels += [f"item {name}" for name in self._tables.item_names]
        for kind, names in self._kinds().items():
            unused = range(len(names), self._types)
            channels += [f"{kind} {name}" for name in (*names, *unused)]
        channels.append("light")
        for row, column in np.ndindex(*self.view):
            yield from (f"{row},{column} {channel}" for channel in channels)

    def _number_names(self) -> Iterator[str]:
        for number in self.numbers:
            if number.name == "direction":
                yield from (f"direction_{name}" for name in self._directions)
            else:
                yield number.name

    def _semantic_names(self) -> list[str | None]:
        names: list[str | None] = [None, *self._tables.block_names]
        self.semantic_starts = {"item": len(names) - 1}
        names += self._tables.item_names[1:]
        for kind, own in self._kinds().items():
            self.semantic_starts[kind] = len(names)
            names += own if kind != "player_projectiles" else [f"own_{n}" for n in own]
        return [*names, "player"]

    def _compact_map_space(self) -> spaces.Box:
        if self._types > _BITS:
            raise ValueError(
                f"A compact observation supports at most {_BITS} types of a class, "
                f"got {self._types}."
            )
        high = np.full((*self.view, 2 + len(CLASSES)), 2**self._types - 1, np.uint8)
        high[..., 0], high[..., 1] = self._blocks, self._items - 1
        return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
