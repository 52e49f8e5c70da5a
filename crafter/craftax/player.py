"""The player: what it has, what it can bear, and what its body does in a step."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from crafter.craftax.engine import Floor, Position, World
from crafter.craftax.tables import Vector, single

ATTRIBUTES = ("dexterity", "strength", "intelligence")


class Player:
    """The player in a world.

    Args:
      world: The world; its parameters say whether the player has everything.

    Attributes:
      world: The world.
      level: Number of the floor it is on, from 0.
      row, col: Its cell.
      direction: Id of the direction it faces: 1 left, 2 right, 3 up, 4 down.
      health: Points of health, a real number in single precision.
      food, drink, energy, mana: Whole numbers.
      sleeping, resting: Whether it does.
      hunger, thirst, fatigue, recover, recover_mana: Counters of the body.
      xp: Experience to spend on attributes.
      maxima: Health, food, drink, energy and mana -> the most that it can have.
      factors: Quantities of `data.yaml` -> what they are multiplied with.
      inventory: Item -> amount or tier; lists for armour and potions.
      learned_spells: For each spell, whether it is known.
      sword_enchantment, bow_enchantment: Id of the element, 0 for none.
      armour_enchantments: Id of the element of each piece.
      achievements: For each achievement, whether it was reached.
      unlocked: Ids of the achievements reached in the latest step.
      action: Name of the action carried out in the latest step.
      hurt_by: What lowered its health in the latest step.
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
        """The floor it is on."""
        return self.world.floors[self.level]

    @property
    def position(self) -> Position:
        """Its cell (row, column)."""
        return self.row, self.col

    @property
    def facing(self) -> Position:
        """The vector (rows, columns) it faces in."""
        return self.world.tables.vectors[self.direction]

    @property
    def target(self) -> Position:
        """The cell that it faces; may lie outside the map."""
        row, col = self.facing
        return self.row + row, self.col + col

    @property
    def in_graveyard(self) -> bool:
        """Whether it is on the floor of the boss."""
        return self.level == self.world.tables.boss_floor

    @property
    def attributes(self) -> Mapping[str, int]:
        """Attribute -> its value; assign all of them to change one."""
        return types.MappingProxyType(self._attributes)

    @attributes.setter
    def attributes(self, values: Mapping[str, int]) -> None:
        tables = self.world.tables
        self._attributes = dict(values)
        self.maxima = {
            name: int(row.base + row.per * values[row.attribute])
            for name, row in tables.maxima.items()
        }
        self.factors = {
            name: single(1 + single(single(row.per) * (values[row.attribute] - 1)))
            for name, row in tables.factors.items()
        }

    def amounts(self) -> dict[str, float]:
        """Returns everything that it has as numbers, by name.

        Tools and pieces of armour count their tier; potions go by their colour.
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

    def reject(self, reason: str, missing: Mapping[str, int] | None = None) -> None:
        """Reports that its action had no effect.

        Args:
          reason: One of `events.REASONS`.
          missing: What is short, and by how much.
        """
        self.world.emit(
            "rejected", action=self.action, reason=reason, missing=dict(missing or {})
        )

    # Achievements.

    def achieve(self, number: int | None) -> None:
        """Unlocks an achievement, if it is none of those reached; `None` is none."""
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
        """Unlocks the achievements that the inventory alone decides."""
        for item, amount, number in self.world.tables.possessions:
            if self.inventory[item] >= amount and not self.achievements[number]:
                self.achieve(number)

    # Fighting.

    def melee_damage(self) -> Vector:
        """Returns the damage of a stroke: physical, fire, ice."""
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
        """Returns the damage of a projectile that it shot: physical, fire, ice."""
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
        """Returns the part of damage that it is spared: physical, fire, ice."""
        rule = self.world.tables.data["defence"]
        physical = 0.0
        for tier in self.inventory["armour"]:
            physical = single(physical + tier * single(rule["tier"]))
        elements = [0.0] * 3
        for element in self.armour_enchantments:
            elements[element] = single(elements[element] + single(rule["enchantment"]))
        return physical, elements[1], elements[2]

    def hit(self, damage: Vector, by: str, slot: int, factor: float = 1.0) -> bool:
        """Loses health to an attack, and tells whether it was asleep.

        Args:
          damage: Physical, fire, ice.
          by: Name of the creature or projectile.
          slot: Its place in its class.
          factor: What the damage is multiplied with.
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
        """Ends its sleep, if it sleeps."""
        if self.sleeping:
            self.sleeping = False
            self.world.emit("woke", cause=cause)

    # The body.

    def change(self, name: str, amount: float) -> None:
        """Adds to health, food, drink, energy or mana, without limit."""
        value = getattr(self, name) + amount
        setattr(self, name, single(value) if name == "health" else value)

    def restore(self, name: str, amount: int) -> int:
        """Adds to food, drink or energy up to the maximum; returns the difference."""
        before = getattr(self, name)
        after = min(before + amount, self.maxima[name])
        setattr(self, name, after)
        return after - before

    def update_rest(self, action: str) -> None:
        """Falls asleep, wakes, sits down to rest, or gets up."""
        rested = self.energy >= self.maxima["energy"]
        if action == "sleep":
            self._lie_down("sleeping", not rested, "fell_asleep", "not_tired")
        if self.sleeping and rested:
            self.wake("rested")
            tables = self.world.tables
            self.achieve(tables.achievement_ids[tables.data["waking"]])
        if action == "rest":
            hurt = self.health < self.maxima["health"]
            self._lie_down("resting", hurt, "rested", "not_hurt")
        if self.resting:
            self._get_up()

    def _lie_down(self, state: str, possible: bool, event: str, reason: str) -> None:
        if possible:
            setattr(self, state, True)
            self.world.emit(event)
        else:
            self.reject(reason)

    def _get_up(self) -> None:
        if self.health >= self.maxima["health"]:
            cause = "healthy"
        elif self.food <= 0:
            cause = "hungry"
        elif self.drink <= 0:
            cause = "thirsty"
        else:
            return
        self.resting = False
        self.world.emit("stood_up", cause=cause)

    def update_counters(self) -> None:
        """Gets hungry, thirsty and tired, heals or suffers, and regains mana."""
        rules = self.world.tables.data["intrinsics"]
        pace = "asleep" if self.sleeping else "awake"
        decay = self.factors["decay"]
        self._wear("hunger", rules["hunger"][pace] * decay, rules["hunger"])
        self._wear("thirst", rules["thirst"][pace] * decay, rules["thirst"])
        self._tire(rules["fatigue"], decay)
        self._heal(rules["recover"], pace)
        self._regain_mana(rules["recover_mana"], pace)

    def _wear(self, counter: str, amount: float, rule: dict[str, Any]) -> None:
        count = getattr(self, counter) + amount
        if count > rule["limit"]:
            count = 0.0
            self._lower(rule["lowers"])
        setattr(self, counter, count)

    def _lower(self, name: str) -> None:
        """Lowers food, drink or energy by one; nobody hungers in the graveyard."""
        before = getattr(self, name)
        after = max(before - (0 if self.in_graveyard else 1), 0)
        setattr(self, name, after)
        if after != before:
            self.world.emit("vital", name=name, frm=before, to=after)

    def _tire(self, rule: dict[str, Any], decay: float) -> None:
        if self.sleeping:
            self.fatigue = min(self.fatigue + rule["asleep"], 0.0)
        else:
            self._wear("fatigue", rule["awake"] * decay, rule)
        if self.fatigue < rule["rested"]:
            self.fatigue = 0.0
            gain = self.restore("energy", 1)
            if gain:
                now = self.energy
                self.world.emit("vital", name="energy", frm=now - gain, to=now)

    def _lacking(self) -> list[str]:
        """Returns the counters of the necessities that are missing."""
        lacking = [] if self.food > 0 else ["hunger"]
        lacking += [] if self.drink > 0 else ["thirst"]
        lacking += [] if self.energy > 0 or self.sleeping else ["fatigue"]
        return lacking

    def _heal(self, rule: dict[str, Any], pace: str) -> None:
        lacking = self._lacking()
        if not lacking:
            self.recover += rule[pace]
        elif not self.in_graveyard:
            self.recover += rule[f"lacking_{pace}"]
        if self.recover > rule["gain"]:
            self.recover = 0.0
            before = self.health
            self.health = min(single(before + 1), float(self.maxima["health"]))
            if self.health > before:
                self.world.emit("healed", amount=self.health - before, by="recovery")
            elif self.health < before:  # a potion has just given more than it can have
                self.world.emit("limited", name="health", frm=before, to=self.health)
        elif self.recover < rule["loss"]:
            self.recover = 0.0
            self.health = single(self.health - 1)
            self.hurt_by += lacking
            for cause in lacking[:1]:
                self.world.emit("hurt", amount=1.0, absorbed=0.0, by=cause, slot=None)

    def _regain_mana(self, rule: dict[str, Any], pace: str) -> None:
        factor = self.factors["mana"]
        if "mana_growth" in self.world.tables.repairs:
            count = self.recover_mana + rule[pace] * factor
        else:
            count = (self.recover_mana + rule[pace]) * factor
        if count > rule["limit"]:
            count = 0.0
            if self.mana < self.maxima["mana"]:
                self.mana += 1
                self.world.emit("vital", name="mana", frm=self.mana - 1, to=self.mana)
        self.recover_mana = count

    def limit(self) -> None:
        """Brings everything within its limits."""
        for name, most, parts in self.world.tables.limits:
            amount = self.inventory[name]
            if parts:
                if max(amount) > most:
                    self.inventory[name] = [min(part, most) for part in amount]
            elif amount > most:
                self.inventory[name] = most
                self.world.emit("limited", name=name, frm=amount, to=most)
        lowest = 0.0
        if self.world.parameters.god_mode:
            lowest = float(self.world.tables.data["player"]["god_health"])
        if not lowest <= self.health <= self.maxima["health"]:
            self._limit_vital("health", lowest, float(self.maxima["health"]))
        for name in ("food", "drink", "energy", "mana"):
            if not 0 <= getattr(self, name) <= self.maxima[name]:
                self._limit_vital(name, 0, self.maxima[name])

    def _limit_vital(self, name: str, low: float, high: float) -> None:
        before = getattr(self, name)
        after = min(max(before, low), high)
        setattr(self, name, after)
        self.world.emit("limited", name=name, frm=before, to=after)


def after_defence(damage: Vector, defence: Vector) -> float:
    """Returns how much health an attack costs, in single precision.

    Args:
      damage: Physical, fire, ice.
      defence: Part of each that is taken off.
    """
    total = 0.0
    for part, spared in zip(damage, defence):
        # One rounding for a product and a sum, as in the compiled published game.
        total = single(single(1 - spared) * part + total)
    return total


def _first_inventory(world: World) -> dict[str, Any]:
    god = world.parameters.god_mode
    inventory: dict[str, Any] = {}
    for name, row in world.tables.data["inventory"].items():
        amount = row["god"] if god else 0
        inventory[name] = [amount] * len(row["each"]) if "each" in row else amount
    return inventory
