"""Structure detectors: one class per kind of structure."""

from crafter.games.crafter.tasks.structures import ground, patterns, rooms
from crafter.games.crafter.tasks.structures.base import Match, Structure
from crafter.tasks.world.fields import declared

__all__ = ["KINDS", "Match", "Structure"]

#: Name in expressions -> class.
KINDS: dict[str, type[Structure]] = declared(Structure, ground, patterns, rooms)
