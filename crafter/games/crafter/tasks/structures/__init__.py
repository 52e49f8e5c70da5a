"""Structure detectors: one class per kind of structure."""

from crafter.games.crafter.tasks.structures import ground, patterns, rooms
from crafter.tasks.world.fields import declared
from crafter.tasks.world.structures import Match, Structure

__all__ = ["KINDS", "Match", "Structure"]

#: Name in expressions -> class.
KINDS: dict[str, type[Structure]] = declared(Structure, ground, patterns, rooms)
