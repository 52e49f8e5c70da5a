"""Registry of the kinds of objects.

What they share is in `crafter.games.crafter.entity`, the kinds in
`crafter.games.crafter.player` and `crafter.games.crafter.creatures`.
"""

from __future__ import annotations

from crafter.core.validation import one_of
from crafter.games.crafter.creatures import (
    Arrow,
    Cow,
    Creature,
    Plant,
    Skeleton,
    Zombie,
)
from crafter.games.crafter.engine import World
from crafter.games.crafter.entity import Object, Position
from crafter.games.crafter.entity import checked_facing as checked_facing
from crafter.games.crafter.player import Player

#: Object kind -> class.
KINDS: dict[str, type[Object]] = {
    cls.kind: cls for cls in (Player, Cow, Zombie, Skeleton, Arrow, Plant)
}

# Programs written for the published package read the module from the class.
for _class in (Object, Creature, *KINDS.values()):
    _class.__module__ = "crafter.objects"


def make_object(kind: str, world: World, position: Position, player: Player) -> Object:
    """Returns a new object of a kind, or the player itself; not added yet.

    Raises:
      ValueError: If there is no such kind.
    """
    return KINDS[one_of("kind", kind, KINDS)].create(world, position, player)
