"""The player: position, body, inventory and achievements."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from crafter.games.craftax.engine import Floor, Position, World
from crafter.games.craftax.rows import ATTRIBUTES, Vector
from crafter.games.craftax.tables import single


class Player:
    """The player in a world.

    Args:
      world: The world; its parameter `god_mode` gives the player everything.

    Attributes:
      world: The world.
      level: Index of its floor, from 0.
      row, col: Its cell.
      direction: Id of the direction it faces: 1 left, 2 right, 3 up, 4 down.
      health: Health, a single-precision float.
      food, drink, energy, mana: Integers.
      sleeping, resting: Whether it sleeps or rests.
      hunger, thirst, fatigue, recover, recover_mana: Counters of the body.
      xp: Experience to spend on attributes.
      maxima: Health, food, drink, energy and mana -> maximum.
      factors: Quantity of `data.yaml` -> multiplier.
      inventory: Item -> amount or tier; a list for armour and potions.
      learned_spells: For each spell, whether it is learned.
      sword_enchantment, bow_enchantment: Id of the element; 0 for none.
      armour_enchantments: Id of the element per piece.
      achievements: For each achievement, whether it is unlocked.
      unlocked: Ids of the achievements unlocked in the latest step.
      action: Name of the action carried out in the latest step.
      hurt_by: Causes of damage in the latest step.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        data = world.tables.data
        start = data["player"]
        self.level = 0
        self.row = self.col = world.size // 2
        self.direction = world.tables.direction_names.index(start["direction"]) + 1
        self.health = float(start["health"])
        self.food: int = start["food"]
        self.drink: int = start["drink"]
        self.energy: int = start["energy"]
        self.mana: int = start["mana"]
        self.sleeping = False
        self.resting = False
        self.hunger = self.thirst = self.fatigue = 0.0
        self.recover = self.recover_mana = 0.0
        self.xp = 0
        self.attributes = {name: start[name] for name in ATTRIBUTES}
        self.inventory: dict[str, Any] = _first_inventory(world)
        self.learned_spells = [False] * len(data["spells"])
        self.sword_enchantment = 0
        self.bow_enchantment = 0
        self.armour_enchantments = [0] * len(self.inventory["armour"])
        self.achievements = [False] * len(data["achievements"])
        self.action = world.tables.action_names[0]
        self.unlocked: list[int] = []
        self.hurt_by: list[str] = []

    @property
    def floor(self) -> Floor:
        """The player's floor."""
        return self.world.floors[self.level]

    @property
    def position(self) -> Position:
        """The player's cell (row, column)."""
        return self.row, self.col

    @property
    def facing(self) -> Position:
        """The facing direction as (rows, columns)."""
        return self.world.tables.vectors[self.direction]

    @property
    def target(self) -> Position:
        """The faced cell; may lie outside the map."""
        row, col = self.facing
        return self.row + row, self.col + col

    @property
    def in_graveyard(self) -> bool:
        """Whether the player is on the boss's floor."""
        return self.level == self.world.tables.boss_floor

    @property
    def attributes(self) -> Mapping[str, int]:
        """Attribute -> value; to change one, assign the whole mapping."""
        return types.MappingProxyType(self._attributes)

    @attributes.setter
    def attributes(self, values: Mapping[str, int]) -> None:
        tables = self.world.tables
        self._attributes = dict(values)
        self.maxima = {name: row.of(values) for name, row in tables.maxima.items()}
        self.factors = {
            name: single(1 + single(single(row.per) * (values[row.attribute] - 1)))
            for name, row in tables.factors.items()
        }

    def amounts(self) -> dict[str, float]:
        """Returns vitals, attributes and inventory as name -> number.

        Tools and pieces of armour count as their tier; potions are named by colour.
        """
        amounts: dict[str, float] = {
            "health": self.health,
            "food": self.food,
            "drink": self.drink,
            "energy": self.energy,
            "mana": self.mana,
            "xp": self.xp,
            **self._attributes,
        }
        for name, keys in self.world.tables.inventory_keys.items():
            amount = self.inventory[name]
            if keys is None:
                amounts[name] = amount
            else:
                amounts.update(zip(keys, amount))
        return amounts

    def numbers(self) -> dict[str, float]:
        """Returns the numbers that frames show, by the names in observations."""
        tables = self.world.tables
        pieces = zip(tables.inventory_keys["armour"] or (), self.armour_enchantments)
        return {
            **self.amounts(),
            "floor": self.level,
            "sword_enchantment": self.sword_enchantment,
            "bow_enchantment": self.bow_enchantment,
            **{f"{piece}_enchantment": element for piece, element in pieces},
            **{f"learned_{n}": k for n, k in zip(tables.spells, self.learned_spells)},
        }

    def own(self, amounts: Mapping[str, float]) -> None:
        """Sets amounts, by the names of `amounts()`; others stay unchanged."""
        self.xp = int(amounts.get("xp", self.xp))
        self.attributes = {
            name: int(amounts.get(name, value))
            for name, value in self._attributes.items()
        }
        for name in self.maxima:
            setattr(self, name, amounts.get(name, getattr(self, name)))
        for name, keys in self.world.tables.inventory_keys.items():
            owned = self.inventory[name]
            if keys is None:
                self.inventory[name] = amounts.get(name, owned)
            else:
                owned = [amounts.get(key, old) for key, old in zip(keys, owned)]
                self.inventory[name] = owned

    def reject(self, reason: str, missing: Mapping[str, int] | None = None) -> None:
        """Emits `rejected`: the action had no effect.

        Args:
          reason: One of `events.REASONS`.
          missing: Missing items -> amount.
        """
        self.world.emit(
            "rejected", action=self.action, reason=reason, missing=dict(missing or {})
        )

    def missing(self, needs: Mapping[str, int]) -> dict[str, int]:
        """Returns missing items -> amount."""
        return {
            item: amount - self.inventory[item]
            for item, amount in needs.items()
            if self.inventory[item] < amount
        }

    def use(self, items: Mapping[str, int]) -> None:
        """Removes items from the inventory."""
        for item, amount in items.items():
            self.inventory[item] -= amount

    # Achievements.

    def achieve(self, number: int | None) -> None:
        """Unlocks an achievement unless it already is; ignores `None`."""
        if number is None or self.achievements[number]:
            return
        self.achievements[number] = True
        self.unlocked.append(number)
        tables = self.world.tables
        self.world.emit(
            "unlocked",
            achievement=tables.achievement_names[number],
            reward=tables.weights[number],
        )

    def achieve_possessions(self) -> None:
        """Unlocks the achievements that depend on the inventory alone."""
        for item, amount, number in self.world.tables.possessions:
            if self.inventory[item] >= amount and not self.achievements[number]:
                self.achieve(number)

    # Fighting.

    def melee_damage(self) -> Vector:
        """Returns melee damage: physical, fire, ice."""
        data = self.world.tables.data
        base = data["melee_damage"][self.inventory["sword"]]
        damage = [single(base * self.factors["melee"]), 0.0, 0.0]
        if self.sword_enchantment:
            added = base * data["enchanting"]["weapon"]
            damage[self.sword_enchantment] = single(
                added * self.factors["melee_enchantment"]
            )
        return damage[0], damage[1], damage[2]

    def projectile_damage(self, kind: int) -> Vector:
        """Returns the damage of a projectile of the player: physical, fire, ice."""
        tables = self.world.tables
        row = tables.projectiles[kind]
        damage = list(row.damage)
        if row.grows == "bow" and self.bow_enchantment:
            part = tables.data["enchanting"]["weapon"]
            damage[self.bow_enchantment] += damage[0] * part
        if row.grows is not None:
            factor = self.factors[row.grows]
            damage = [single(value * factor) for value in damage]
        return damage[0], damage[1], damage[2]

    def defence(self) -> Vector:
        """Returns the fraction of damage absorbed: physical, fire, ice."""
        rule = self.world.tables.data["defence"]
        physical = 0.0
        for tier in self.inventory["armour"]:
            physical = single(physical + tier * single(rule["tier"]))
        elements = [0.0] * 3
        for element in self.armour_enchantments:
            elements[element] = single(elements[element] + single(rule["enchantment"]))
        return physical, elements[1], elements[2]

    def hit(self, damage: Vector, by: str, slot: int, factor: float = 1.0) -> bool:
        """Takes damage from an attack; returns whether the player was asleep.

        Args:
          damage: Physical, fire, ice.
          by: Name of the creature or projectile.
          slot: Its slot in its class.
          factor: Multiplier of the damage.
        """
        if self.in_graveyard:
            factor *= self.world.tables.data["boss"]["damage_factor"]
        grown: Vector = tuple(single(part * factor) for part in damage)  # type: ignore[assignment]
        amount = after_defence(grown, self.defence())
        self.health = single(self.health - amount)
        absorbed = single(sum(grown) - amount)
        self.hurt_by.append(by)
        self.world.emit("hurt", amount=amount, absorbed=absorbed, by=by, slot=slot)
        if self.resting:
            self.resting = False
            self.world.emit("stood_up", cause="hurt")
        was_asleep = self.sleeping
        self.wake("hurt")
        return was_asleep

    def wake(self, cause: str) -> None:
        """Wakes up the player if it sleeps."""
        if self.sleeping:
            self.sleeping = False
            self.world.emit("woke", cause=cause)

    # Health, food, drink, energy and mana.

    def restore(self, name: str, amount: int) -> int:
        """Adds to food, drink or energy up to the maximum; returns the gain."""
        before = getattr(self, name)
        after = min(before + amount, self.maxima[name])
        setattr(self, name, after)
        return after - before


def after_defence(damage: Vector, defence: Vector) -> float:
    """Returns the health lost to an attack, in single precision.

    Args:
      damage: Physical, fire, ice.
      defence: Fraction of each that is absorbed.
    """
    total = 0.0
    for part, spared in zip(damage, defence):
        # Product and sum are rounded once, as in the compiled published game.
        total = single(single(1 - spared) * part + total)
    return total


def _first_inventory(world: World) -> dict[str, Any]:
    god = world.parameters.god_mode
    inventory: dict[str, Any] = {}
    for name, row in world.tables.data["inventory"].items():
        amount = min(row["god"], row["max"]) if god else 0
        inventory[name] = [amount] * len(row["each"]) if "each" in row else amount
    return inventory
