"""What can be built, and how it is recognised: one class per kind of structure."""

from crafter.tasks.structures.base import Match, Structure, disjoint
from crafter.tasks.structures.ground import (
    Breakthrough,
    Cleared,
    Crossing,
    Fill,
    Pier,
    PondFilled,
    PoolSealed,
)
from crafter.tasks.structures.patterns import (
    Chamber,
    Line,
    Mirrored,
    Pattern,
    Pillar,
    Road,
    Stair,
    Tunnel,
)
from crafter.tasks.structures.rooms import (
    Apart,
    DoorHouse,
    Enclosure,
    Fenced,
    Garden,
    Hut,
    Pen,
    Plot,
    Workshop,
)

__all__ = ["KINDS", "Match", "Structure", "disjoint"]

#: Name in expressions -> class.
KINDS: dict[str, type[Structure]] = {
    kind.name: kind
    for kind in (
        Pattern,
        Line,
        Pillar,
        Enclosure,
        Hut,
        DoorHouse,
        Crossing,
        Fill,
        PondFilled,
        PoolSealed,
        Cleared,
        Pier,
        Tunnel,
        Stair,
        Breakthrough,
        Chamber,
        Road,
        Mirrored,
        Workshop,
        Apart,
        Plot,
        Fenced,
        Pen,
        Garden,
    )
}
