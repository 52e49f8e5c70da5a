"""World and chunks: materials, objects and their positions.

The engine names no creature and draws no image; `crafter.games.crafter.entity.Object`
is its interface to objects. Arrays over the map are indexed [x, y]; x grows to the
right, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from crafter.core import events
from crafter.core.grid import frozen
from crafter.core.stream import Stream
from crafter.core.validation import integers
from crafter.games.crafter.chunks import Chunk, ChunkGrid, cell_numbers
from crafter.games.crafter.rules import Rules, default

Position = tuple[int, int]


class Region(NamedTuple):
    """A rectangular window of the world.

    Attributes:
      materials: Material ids, uint8 of shape (width, height); 0 outside the map.
      objects: Objects inside, each with its column and row in the rectangle, in
        column-major order.
    """

    materials: np.ndarray
    objects: list[tuple[int, int, Any]]

    def semantic(self) -> np.ndarray:
        """Returns semantic ids: objects drawn over materials."""
        ids = self.materials.copy()
        for x, y, obj in self.objects:
            ids[x, y] = obj.label
        return ids


class World:
    """A map of materials with objects on it; at most one object per cell.

    A chunk is created when an object is first added to it or moves into it; chunks stay
    in creation order. Objects keep the index assigned when added; indices are never
    reused in an episode.

    Args:
      area: Map size (x, y) in cells.
      seed: Seed of the game's random stream.
      rules: The rules of the game; by default the published ones.

    Attributes:
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      random: The random stream of the game.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      tunnels: Mask of generated tunnels, bool of shape `area`; `None` if the world was
        not generated here. Not part of a saved game.
      marks: Name -> rectangle (x, y, width, height) that task goals refer to. Not part
        of a saved game.
      emit: Event callback, called as `emit(type, **fields)`.
    """

    def __init__(
        self,
        area: tuple[int, int],
        seed: int | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.area = area
        self.rules = rules = default() if rules is None else rules
        self.random = Stream(seed)
        self.daylight = 0.0
        self.tunnels: np.ndarray | None = None
        self.marks: dict[str, tuple[int, int, int, int]] = {}
        self.emit: Callable[..., None] = events.ignore
        cells = area[0] * area[1]
        self._materials = bytearray(cells)  # flat, cell = x * height + y
        self._labels = bytearray(cells)  # semantic id of the object in the cell
        self._occupants: list[Any] = [None] * cells
        self._share()
        self._by_id: dict[int, Any] = {}  # by index, which only increases
        self._next_id = 1
        self._by_number: dict[int, Chunk] = {}
        self._names = rules.semantic_names

    def _share(self) -> None:
        """Creates array views of the buffers, and shared lookup tables."""
        self._materials_array = _read_only(self._materials, self.area)
        self._labels_array = _read_only(self._labels, self.area)
        size = self.rules.world["chunk"]
        self._chunk_grid = ChunkGrid(self.area, size)
        self._chunk_numbers = cell_numbers(self.area, size)

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles the buffers, not the array views."""
        shared = ("_materials_array", "_labels_array", "_chunk_grid", "_chunk_numbers")
        return {k: v for k, v in self.__dict__.items() if k not in shared}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the world and creates new array views."""
        self.__dict__.update(state)
        self._share()

    @property
    def materials(self) -> np.ndarray:
        """Material ids, uint8 of shape `area`; a read-only live view."""
        return self._materials_array

    @property
    def labels(self) -> np.ndarray:
        """Semantic ids of objects, uint8 of shape `area`, 0 for none; a live view."""
        return self._labels_array

    @property
    def objects(self) -> list[Any]:
        """The objects in index order."""
        return list(self._by_id.values())

    @property
    def next_id(self) -> int:
        """Index of the next object to be added."""
        return self._next_id

    @property
    def chunks(self) -> dict[tuple[int, int, int, int], Chunk]:
        """Existing chunks by bounds, in creation order."""
        return {chunk.bounds: chunk for chunk in self._by_number.values()}

    def __contains__(self, position: tuple[int, int]) -> bool:
        """Returns whether a position lies on the map."""
        return 0 <= position[0] < self.area[0] and 0 <= position[1] < self.area[1]

    def __getitem__(self, position: tuple[int, int]) -> tuple[str | None, Any]:
        """Returns (material name, object) at a position.

        Missing ones are `None`; outside the map, both are.
        """
        x, y = position
        width, height = self.area
        if not (0 <= x < width and 0 <= y < height):
            return None, None
        cell = x * height + y
        return self._names[self._materials[cell]], self._occupants[cell]

    def __setitem__(self, position: tuple[int, int], material: str) -> None:
        """Changes the material of a cell.

        Raises:
          IndexError: If the position is outside the map.
          KeyError: If the material is unknown.
        """
        if position not in self:
            raise IndexError(f"{tuple(position)} is outside the map of {self.area}.")
        new = self.rules.material_ids[material]
        cell = self._cell(*position)
        chunk = self._by_number.get(self._chunk_numbers[cell])
        if chunk is not None:
            chunk.space[self._materials[cell]] -= 1
            chunk.space[new] += 1
        self._materials[cell] = new

    def fill(self, materials: np.ndarray) -> None:
        """Replaces all materials.

        Args:
          materials: Material ids, uint8 of shape `area`.
        """
        self._materials[:] = np.ascontiguousarray(materials, np.uint8).tobytes()
        for chunk in self._by_number.values():
            chunk.space = self._count_space(chunk.bounds)

    def add(self, obj: Any, index: int | None = None) -> None:
        """Adds an object to the map at its position, with the next index.

        Args:
          obj: The object.
          index: Higher index to use instead, to rebuild a saved world.

        Raises:
          ValueError: If the cell is outside the map or occupied.
        """
        x, y = obj.x, obj.y = whole_position((obj.x, obj.y))
        self._check_room(obj, x, y)
        obj.id = max(self._next_id, index or 0)
        self._next_id = obj.id + 1
        self._by_id[obj.id] = obj
        cell = self._cell(x, y)
        self._put(obj, cell)
        self._chunk_at(cell).add(obj)

    def remove(self, obj: Any) -> None:
        """Removes an object from the map; no effect if already removed."""
        if obj.removed:
            return
        obj.removed = True
        del self._by_id[obj.id]
        cell = self._cell(obj.x, obj.y)
        self._clear(cell)
        self._chunk_at(cell).remove(obj)

    def move(self, obj: Any, position: Any) -> None:
        """Moves an object to a cell; no effect on a removed object.

        Args:
          obj: The object.
          position: The cell (x, y), as a tuple, a list or an array.

        Raises:
          ValueError: If the cell is outside the map or occupied.
        """
        x, y = whole_position(position)
        if not obj.removed and (x, y) != (obj.x, obj.y):
            self._check_room(obj, x, y)
            self.shift(obj, x, y)

    def shift(self, obj: Any, x: int, y: int) -> None:
        """Moves an object to a free cell, unchecked; no effect on a removed object."""
        if obj.removed:
            return
        old, new = self._cell(obj.x, obj.y), self._cell(x, y)
        self._clear(old)
        self._put(obj, new)
        if self._chunk_numbers[old] != self._chunk_numbers[new]:
            self._chunk_at(old).remove(obj)
            self._chunk_at(new).add(obj)
        obj.x, obj.y = x, y

    def is_free(self, x: int, y: int, materials: frozenset[int]) -> bool:
        """Returns whether a cell is on the map, free and of given material ids."""
        width, height = self.area
        if not (0 <= x < width and 0 <= y < height):
            return False
        cell = x * height + y
        return self._occupants[cell] is None and self._materials[cell] in materials

    def nearby(self, position: Any, distance: int) -> tuple[tuple[str, ...], set[Any]]:
        """Returns the materials and objects in the square around a position.

        The square follows the slicing of the published game, where a negative lower
        bound counts from the far edge. On maps wider than the square this makes it
        empty, so nothing is nearby at x < distance or y < distance.
        """
        xs, ys = (
            range(*slice(c - distance, c + distance + 1).indices(size))
            for c, size in zip(whole_position(position), self.area)
        )
        height = self.area[1]
        cells = [x * height + y for x in xs for y in ys]
        ids = sorted({self._materials[cell] for cell in cells})
        occupants = {self._occupants[cell] for cell in cells} - {None}
        return tuple([name for i in ids if (name := self._names[i])]), occupants

    def count(self, material: str) -> int:
        """Returns the number of cells of a material."""
        return self._materials.count(self.rules.material_ids[material])

    def cells(self, chunk: Chunk, material: int) -> list[tuple[int, int]]:
        """Returns the positions of a material id in a chunk, x outer, y inner."""
        xmin, xmax, ymin, ymax = chunk.bounds
        xs, ys = (self.materials[xmin:xmax, ymin:ymax] == material).nonzero()
        return list(zip((xs + xmin).tolist(), (ys + ymin).tolist()))

    def window(self, corner: tuple[int, int], size: tuple[int, int]) -> Region:
        """Returns a rectangular window of the world, which may reach beyond the map.

        Args:
          corner: Position (x, y) of the top left cell.
          size: Width and height in cells.
        """
        (x0, y0), (width, height) = corner, size
        x1, y1 = min(x0 + width, self.area[0]), min(y0 + height, self.area[1])
        left, top = max(x0, 0), max(y0, 0)
        materials = self.materials[left:x1, top:y1]
        labels = self.labels[left:x1, top:y1]
        if materials.shape != size:
            canvas = np.zeros(size, np.uint8)
            canvas[left - x0 : x1 - x0, top - y0 : y1 - y0] = materials
            materials = canvas
        xs, ys = labels.nonzero()
        rows = self.area[1]
        occupants = [
            self._occupants[(x + left) * rows + y + top]
            for x, y in zip(xs.tolist(), ys.tolist())
        ]
        objects = [
            (obj.x - x0, obj.y - y0, obj) for obj in occupants if obj is not None
        ]
        return Region(materials, objects)

    def restore(
        self, next_id: int, corners: Iterable[tuple[int, int]], members: Iterable[Any]
    ) -> None:
        """Restores indices and chunk order, to rebuild a saved world.

        Args:
          next_id: Index of the next object to be added.
          corners: Corner (xmin, ymin) of each chunk in creation order.
          members: The objects; within each chunk, in member order.
        """
        self._next_id = max(self._next_id, next_id)
        self._by_number.clear()
        for corner in corners:
            self._chunk_at(self._cell(*corner))
        for obj in members:
            self._chunk_at(self._cell(obj.x, obj.y)).add(obj)

    def _check_room(self, obj: Any, x: int, y: int) -> None:
        if (x, y) not in self or self._occupants[self._cell(x, y)] is not None:
            raise ValueError(f"No room for {obj.kind} at {(x, y)}.")

    def _cell(self, x: int, y: int) -> int:
        return x * self.area[1] + y

    def _put(self, obj: Any, cell: int) -> None:
        self._occupants[cell] = obj
        self._labels[cell] = obj.label

    def _clear(self, cell: int) -> None:
        self._occupants[cell] = None
        self._labels[cell] = 0

    def _chunk_at(self, cell: int) -> Chunk:
        """Returns the chunk of a cell, creating it if needed."""
        number = self._chunk_numbers[cell]
        chunk = self._by_number.get(number)
        if chunk is None:
            bounds = self._chunk_grid.bounds(number)
            chunk = self._by_number[number] = Chunk(bounds, self._count_space(bounds))
        return chunk

    def _count_space(self, bounds: tuple[int, int, int, int]) -> list[int]:
        xmin, xmax, ymin, ymax = bounds
        block = self.materials[xmin:xmax, ymin:ymax].ravel()
        return np.bincount(block, minlength=len(self.rules.materials) + 1).tolist()

    # Names of the published package, for compatibility with agents.

    def mask(
        self, xmin: int, xmax: int, ymin: int, ymax: int, material: str
    ) -> np.ndarray:
        """Returns the mask of a material in a rectangle, bool indexed [x, y]."""
        return self.materials[xmin:xmax, ymin:ymax] == self.rules.material_ids[material]

    def chunk_key(self, position: Any) -> tuple[int, int, int, int]:
        """Returns the bounds of the chunk of a position; see `Chunk`."""
        return self._chunk_grid.bounds(self._chunk_grid.number(*position))

    @property
    def _objects(self) -> list[Any]:
        return [self._by_id.get(index) for index in range(self._next_id)]

    @property
    def _obj_map(self) -> np.ndarray:
        numbers = [0 if obj is None else obj.id for obj in self._occupants]
        return frozen(np.array(numbers, np.uint32).reshape(self.area))

    _mat_map, _chunks = materials, chunks

    @property
    def _chunk_size(self) -> tuple[int, int]:
        return self.rules.world["chunk"]

    @property
    def _mat_names(self) -> dict[int, str | None]:
        return dict(enumerate(self._names[: len(self.rules.materials) + 1]))

    @property
    def _mat_ids(self) -> dict[str | None, int]:
        return {name: index for index, name in self._mat_names.items()}


def whole_position(position: Any) -> Position:
    """Converts a position to plain integers.

    Raises:
      ValueError: If it is not two integers.
    """
    if type(position) is tuple and [*map(type, position)] == [int, int]:
        return position  # nearly always
    x, y = integers("A position", position, "x, y")
    return x, y


def _read_only(buffer: bytearray, shape: tuple[int, int]) -> np.ndarray:
    view = memoryview(buffer).toreadonly()
    return np.frombuffer(view, np.uint8).reshape(shape)
