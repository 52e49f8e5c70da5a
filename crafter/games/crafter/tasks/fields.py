"""Words of Crafter for things and creatures."""

from __future__ import annotations

from crafter.games.crafter.rules import Rules

#: Kinds of objects that live and move.
CREATURES = ("cow", "zombie", "skeleton")
#: Those that attack.
HOSTILE = ("zombie", "skeleton")


def things(rules: Rules) -> tuple[str, ...]:
    """Returns the materials and objects of rules."""
    return (*rules.materials, *rules.objects)
