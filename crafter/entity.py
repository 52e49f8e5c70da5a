"""What all objects of the world have in common.

A kind of object is a subclass of `Object`, listed in `crafter.objects.KINDS`; its look
is in `crafter.looks`. Saved states, options and engines need to know nothing more.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import numpy as np

from crafter.engine import World
from crafter.looks import FACINGS, Look, looks_of

Position = tuple[int, int]

_NOWHERE: Position = (0, 0)


class Object:
    """Something that occupies a cell of the world.

    A subclass sets `kind`, may set `fields`, `turns` and `state`, and implements
    `update`, and `create` if it is made of more than a world and a position. It changes
    the world only through `World`, draws only from `world.random`, and reports what it
    does through `world.emit`.

    Args:
      world: The world it will be added to.
      position: Its cell (x, y).

    Attributes:
      kind: Name in the semantic map; class attribute.
      looks: State -> look; class attribute.
      fields: Names of the numbers, besides position, facing and health, that make up
        its state, in order; class attribute.
      turns: Whether it has a facing; class attribute.
      facing: Direction (dx, dy); (0, 0) for what does not turn.
      label: Semantic id of the kind.
      walkable: Material ids it may enter.
      id: Index in the world, set when added.
      health: Never below 0.
      removed: Whether it was taken off the map.
      state: Which of its looks it has now.
    """

    kind: ClassVar[str]
    looks: ClassVar[dict[str, Look]]
    fields: ClassVar[tuple[str, ...]] = ()
    turns: ClassVar[bool] = False
    facing: Position = _NOWHERE
    health: int
    state: Any = ""

    def __init_subclass__(cls) -> None:
        """Looks up the looks of a kind, so that one without is an error at once."""
        if "kind" in cls.__dict__:  # else it is abstract
            cls.looks = looks_of(cls.kind)

    def __init__(self, world: World, position: Position) -> None:
        self.world = world
        self.x, self.y = position
        self.id = 0
        self.removed = False
        self.label = world.rules.object_ids[self.kind]
        self.walkable = world.rules.walkable_ids[self.kind]

    @classmethod
    def create(cls, world: World, position: Position, player: Any) -> Object:
        """Returns an object as a saved game or an option asks for it; not added yet.

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
    def pos(self) -> np.ndarray:
        """Cell as int64 array of shape (2,), under its published name."""
        return np.array((self.x, self.y))

    @property
    def texture(self) -> str:
        """Stem of the texture that shows the object now."""
        return self.looks[self.state].texture

    def update(self) -> None:
        """Acts for one step."""
        raise NotImplementedError

    def damage(self, amount: int, by: str, source: int | None = None) -> None:
        """Lowers the health, not below 0.

        Args:
          amount: Points of health.
          by: What does the damage, such as `zombie`.
          source: Index of the object that does it, if one does.
        """
        self.health = max(0, self.health - amount)

    def is_free(self, x: int, y: int) -> bool:
        """Returns whether it could enter a cell."""
        return self.world.is_free(x, y, self.walkable)

    def move(self, direction: Position) -> bool:
        """Moves by a vector if the target is free, and returns whether it was.

        For a removed object nothing changes, but the answer is the same.
        """
        x, y = self.x + direction[0], self.y + direction[1]
        if not self.is_free(x, y):
            return False
        self.world.move(self, x, y)
        return True

    def move_randomly(self) -> None:
        """Moves in one of four directions, drawn from the stream."""
        self.move(FACINGS[self.world.random.below(4)])

    def distance(self, other: Object) -> int:
        """Returns the L1 distance to another object, in cells."""
        return abs(self.x - other.x) + abs(self.y - other.y)

    def toward(self, target: Object, long_axis: bool = True) -> Position:
        """Returns the step toward a target along one axis.

        Args:
          target: Object to approach.
          long_axis: Use the axis on which it is farther away (y if equal), or
            the other one (x if equal).

        Returns:
          A direction, or (0, 0) if there is no distance on that axis.
        """
        dx, dy = target.x - self.x, target.y - self.y
        if (abs(dx) > abs(dy)) == long_axis:
            return (dx > 0) - (dx < 0), 0
        return 0, (dy > 0) - (dy < 0)


def checked_facing(facing: Any) -> Position:
    """Returns a direction as a tuple.

    Raises:
      ValueError: If it is not one of the four.
    """
    try:
        dx, dy = (operator.index(number) for number in facing)
    except (TypeError, ValueError):
        dx, dy = _NOWHERE
    if (dx, dy) not in FACINGS:
        raise ValueError(f"Expected a direction among {list(FACINGS)}, got {facing!r}.")
    return dx, dy
