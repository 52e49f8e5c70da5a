"""What can be built, and how it is recognised: one class per kind of structure."""

from crafter.tasks.world.structures import ground as ground
from crafter.tasks.world.structures import patterns as patterns
from crafter.tasks.world.structures import rooms as rooms
from crafter.tasks.world.structures.base import Match, Structure, disjoint

__all__ = ["KINDS", "Match", "Structure", "disjoint"]

#: Name in expressions -> class.
KINDS: dict[str, type[Structure]] = Structure.registry
