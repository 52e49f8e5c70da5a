"""Conditions of the goal language of Craftax, and numbers of the player."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import numpy as np

from crafter.core.grid import distance
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.tables import load
from crafter.games.craftax.tasks.view import TaskView, pieces
from crafter.tasks.world import common, conditions
from crafter.tasks.world.fields import Choice, Count, Words

#: Quantities with names of their own; others are items, after `inv.`.
VITALS = ("health", "food", "drink", "energy", "mana")
NUMBERS = (
    *(*VITALS, "xp", "dexterity", "strength", "intelligence"),
    *("floor_number", "kills", "boss_hits", "spells", "armour", "potions_known"),
    *("light", "glow"),
)
FLOORS = tuple(load().floor_names)
ANY = "any"


@dataclasses.dataclass(frozen=True)
class Amount(conditions.Quantity):
    """Quantity of the player or its floor, such as the amount of an item."""

    item: str

    def value(self, view: TaskView) -> float:
        """Returns the number; 0 if the rules have no such item."""
        return view.amount(self.item)

    def __str__(self) -> str:
        return self.item if self.item in NUMBERS else f"inv.{self.item}"


class OnFloor(conditions.InZone, word="floor"):
    """The player is on a floor."""

    name: Annotated[str, Choice(FLOORS)]

    def holds_at(self, view: TaskView, cell: object) -> bool:
        """Returns whether it is."""
        return view.floor == self.name


class Sees(common.Sees, word="sees"):
    """Cells, items on the ground or creatures are in the view and lit."""

    def count(self, view: TaskView) -> int:
        """Returns how many are seen."""
        return int(np.count_nonzero(view.lit(self.what)))


class Resting(conditions.Condition, word="resting"):
    """The player rests."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it does."""
        return view.body.resting


class WayOpen(conditions.Condition, word="way_open"):
    """Enough monsters of the floor were killed to open its ladder."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether the way down is open."""
        return view.way_open


class BossOpen(conditions.Condition, word="boss_open"):
    """The boss is vulnerable: none of its creatures lives, and no wave is active."""

    def holds(self, view: TaskView) -> bool:
        """Returns whether it can."""
        return view.boss_open


class Shot(conditions.Condition, word="shot_within"):
    """A projectile of a creature is within an L1 distance of the player."""

    r: Count

    def holds(self, view: TaskView) -> bool:
        """Returns whether there is one."""
        here = view.player.pos
        return any(distance(cell, here) <= self.r for cell in view.shots())


class Knows(conditions.Condition, word="knows"):
    """The player has learned a spell."""

    spell: Annotated[str, Words("spell", lambda rules: rules.spells)]

    def holds(self, view: TaskView) -> bool:
        """Returns whether it has."""
        return view.knows(self.spell)


def elements(rules: Rules) -> tuple[str, ...]:
    """Returns the elements of enchantments, and `any`."""
    return (*rules.enchanting["elements"], ANY)


class Enchanted(conditions.Condition, word="enchanted"):
    """The sword, the bow or a piece of armour is enchanted.

    Attributes:
      what: Which.
      element: With what; `any` for either.
    """

    what: Annotated[str, Words("thing to enchant", pieces)]
    element: Annotated[str, Words("element", elements)] = ANY

    def holds(self, view: TaskView) -> bool:
        """Returns whether it is."""
        element = view.element(self.what)
        return element is not None and self.element in (element, ANY)
