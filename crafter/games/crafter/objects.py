"""Registry of object kinds.

Their base class is in `crafter.games.crafter.entity`, the kinds are in
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

# Code written for the published package reads the module from the class.
for _class in (Object, Creature, *KINDS.values()):
    _class.__module__ = "crafter.objects"


def make_object(kind: str, world: World, position: Position, player: Player) -> Object:
    """Creates an object of a kind, or returns the player itself, without adding it.

    Raises:
      ValueError: If the kind is unknown.
    """
    return KINDS[one_of("kind", kind, KINDS)].create(world, position, player)
