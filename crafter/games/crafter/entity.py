"""Base class of all objects in the world.

A kind of object is a subclass of `Object`, listed in `crafter.objects.KINDS`; its
textures are in `crafter.games.crafter.sprites`. Saved states, options and engines
depend on nothing else.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import numpy as np

from crafter.core.grid import frozen
from crafter.core.stream import Stream
from crafter.core.validation import fail
from crafter.games.crafter.engine import Position, World, whole_position
from crafter.games.crafter.sprites import FACINGS, TEXTURES

_NOWHERE: Position = (0, 0)


class Object:
    """An object that occupies a cell of the world.

    A subclass sets `kind`, may set `fields`, `turns` and `state`, and implements
    `update`, and `create` if its constructor takes more than a world and a position. It
    must change the world only through `World`, draw only from `world.random`, and emit
    events with `world.emit`.

    Args:
      world: The world it will be added to.
      position: Its cell (x, y).

    Attributes:
      kind: Name in the semantic map; class attribute.
      fields: Names of its state variables besides position, facing and health, in
        order; class attribute.
      turns: Whether it has a facing; class attribute.
      facing: Direction (dx, dy); (0, 0) for kinds without a facing.
      label: Semantic id of the kind.
      walkable: Material ids it may enter.
      id: Index in the world, set when added.
      health: Never below 0.
      removed: Whether it was removed from the map.
      state: Name of its visible state.
    """

    kind: ClassVar[str]
    fields: ClassVar[tuple[str, ...]] = ()
    turns: ClassVar[bool] = False
    health: int
    state: Any = ""
    _facing: Position = _NOWHERE

    def __init__(self, world: World, position: Position) -> None:
        self.world = world
        self.x, self.y = whole_position(position)
        self.id = 0
        self.removed = False
        self.label = world.rules.object_ids[self.kind]
        self.walkable = world.rules.walkable_ids[self.kind]

    @classmethod
    def create(cls, world: World, position: Position, player: Any) -> Object:
        """Creates an object for a saved game or a reset option, without adding it.

        Args:
          world: The world it will be added to.
          position: Its cell (x, y).
          player: The player of the world.
        """
        return cls(world, position)

    @property
    def position(self) -> Position:
        """Cell (x, y)."""
        return self.x, self.y

    @property
    def facing(self) -> Position:
        """Direction (dx, dy), (0, 0) for kinds without a facing; accepts arrays.

        Raises:
          ValueError: If the assigned value is not one of the four directions.
        """
        return self._facing

    @facing.setter
    def facing(self, facing: Any) -> None:
        self._facing = checked_facing(facing)

    @property
    def texture(self) -> str:
        """Texture stem of the object's current state."""
        return TEXTURES[self.kind][self.state]

    def update(self) -> None:
        """Acts for one step."""
        raise NotImplementedError

    def damage(self, amount: int, by: str, source: int | None = None) -> None:
        """Lowers the health, not below 0.

        Args:
          amount: Damage.
          by: Cause of the damage, such as `zombie`.
          source: Index of the object that causes it, if any.
        """
        self.health = max(0, self.health - amount)

    def is_free(self, x: int, y: int) -> bool:
        """Returns whether the object can enter a cell."""
        return self.world.is_free(x, y, self.walkable)

    def move(self, direction: Position) -> bool:
        """Moves by a vector if the target cell is free; returns whether it was.

        Removed objects do not move, but get the same return value.
        """
        x, y = self.x + direction[0], self.y + direction[1]
        if not self.is_free(x, y):
            return False
        if type(x) is not int:  # agents also move by arrays
            x, y = whole_position((x, y))
        self.world.shift(self, x, y)
        return True

    def move_randomly(self) -> None:
        """Moves in one of the four directions at random."""
        self.move(FACINGS[self.world.random.below(4)])

    def distance(self, other: Object) -> int:
        """Returns the L1 distance to another object, in cells."""
        return abs(self.x - other.x) + abs(self.y - other.y)

    def toward(self, target: Object, long_axis: bool = True) -> Position:
        """Returns the step toward a target along one axis.

        Args:
          target: Object to approach.
          long_axis: Whether to use the axis of larger distance (y if equal) or the
            other one (x if equal).

        Returns:
          A direction, or (0, 0) if the distance on that axis is 0.
        """
        dx, dy = target.x - self.x, target.y - self.y
        if (abs(dx) > abs(dy)) == long_axis:
            return (dx > 0) - (dx < 0), 0
        return 0, (dy > 0) - (dy < 0)

    # Names of the published package, for compatibility with agents.

    @property
    def pos(self) -> np.ndarray:
        """Cell as int64 array of shape (2,), a read-only copy.

        Assigning a cell moves the object there; see `World.move`.
        """
        return frozen(np.array((self.x, self.y)))

    @pos.setter
    def pos(self, position: Any) -> None:
        if self.id and not self.removed:
            self.world.move(self, position)
        else:
            self.x, self.y = whole_position(position)

    @property
    def random(self) -> Stream:
        """The random stream of the game."""
        return self.world.random


def checked_facing(facing: Any) -> Position:
    """Converts a direction to a tuple.

    Raises:
      ValueError: If it is not one of the four directions.
    """
    try:
        dx, dy = (operator.index(number) for number in facing)
    except (TypeError, ValueError):
        dx, dy = _NOWHERE
    if (dx, dy) not in FACINGS:
        fail("facing", f"one of {list(FACINGS)}", facing)
    return dx, dy
