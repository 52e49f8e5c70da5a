"""Arguments of conditions and structures that are words of Crafter."""

from __future__ import annotations

from typing import Annotated

from crafter.games.crafter.rules import Rules
from crafter.tasks.world.fields import Choice, Words

#: Kinds of objects that live and move.
CREATURES = ("cow", "zombie", "skeleton")
#: Those that attack.
HOSTILE = ("zombie", "skeleton")


def things(rules: Rules) -> tuple[str, ...]:
    """Returns the materials and objects of rules."""
    return (*rules.materials, *rules.objects)


Material = Annotated[str, Words("material", lambda rules: rules.materials)]
Thing = Annotated[str, Words("material or object", things)]
Creature = Annotated[str, Choice(CREATURES)]
