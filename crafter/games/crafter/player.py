"""The player: actions, hunger, thirst, fatigue and health.

Its `update` is called once per step, before those of all other objects. The order of
its random draws is part of the game (Crafter 1.8.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.games.crafter import affordances
from crafter.games.crafter.creatures import GROWING
from crafter.games.crafter.engine import World
from crafter.games.crafter.entity import Object, Position
from crafter.games.crafter.schema import COUNTERS, NEEDS
from crafter.games.crafter.sprites import DOWN, NAME_OF


def _alias(name: str) -> Any:
    """Returns a property that aliases an attribute."""
    return property(
        lambda self: getattr(self, name),
        lambda self, value: setattr(self, name, value),
        doc=f"`{name}` under its published name.",
    )


class Player(Object):
    """The player: actions, hunger, thirst, fatigue and health.

    Args:
      world: The world.
      position: Start cell.

    Attributes:
      inventory: Item name -> amount.
      achievements: Achievement name -> count in this episode.
      facing: Facing direction, toward the target cell of `do` and `place_*`.
      sleeping: Whether it is asleep.
      action: Name of the requested action.
      executed: Name of the executed action, which is sleep while asleep.
      hunger: Body counter, a multiple of 0.5; likewise thirst, fatigue, recover.
      last_health: Health at the end of its previous update.
      hurt_by: Causes of damage since its latest update began.
    """

    kind = "player"
    turns = True
    fields = (*COUNTERS, "last_health")
    hunger: float
    thirst: float
    fatigue: float
    recover: float

    def __init__(self, world: World, position: Position) -> None:
        super().__init__(world, position)
        self._rules = rules = world.rules
        self._limits = {name: item["max"] for name, item in rules.items.items()}
        self._vital_items = tuple(rules.life[name]["item"] for name in NEEDS)
        self.inventory = {name: item["initial"] for name, item in rules.items.items()}
        self.achievements = dict.fromkeys(rules.achievements, 0)
        self._facing = DOWN
        self.sleeping = False
        self.action = self.executed = "noop"
        self.hunger = self.thirst = self.fatigue = self.recover = 0
        self.last_health = self.health
        self.hurt_by: list[str] = []

    # Names of the published package, for compatibility with agents.
    _hunger = _alias("hunger")
    _thirst = _alias("thirst")
    _fatigue = _alias("fatigue")
    _recover = _alias("recover")
    _last_health = _alias("last_health")

    @classmethod
    def create(cls, world: World, position: Position, player: Player) -> Player:
        """Moves and returns the player itself, since there is only one."""
        player.x, player.y = position
        return player

    @property
    def health(self) -> int:
        """Health, stored in the inventory; never below 0."""
        return self.inventory["health"]

    @health.setter
    def health(self, value: int) -> None:
        self.inventory["health"] = max(0, value)

    @property
    def limits(self) -> Mapping[str, int]:
        """Item name -> maximum amount."""
        return self._limits

    @property
    def state(self) -> str:
        """`sleep`, or the facing direction."""
        return "sleep" if self.sleeping else NAME_OF[self._facing]

    @property
    def target(self) -> Position:
        """The faced cell; may lie outside the map."""
        return self.x + self._facing[0], self.y + self._facing[1]

    def update(self) -> None:
        """Executes `action`, or stays asleep, then updates the body."""
        self.hurt_by.clear()
        target = self.target
        material, obj = self.world[target]
        self.executed = self.action
        self._wake_up_when_rested()
        self._act(target, material, obj)
        vitals = self._vitals()
        self._update_life_counters()
        self._update_health()
        self._clamp(vitals)
        self._wake_up_when_hurt()

    def damage(self, amount: int, by: str, source: int | None = None) -> None:
        """Lowers the health, not below 0, and records the cause."""
        self._hurt(amount, [by], source)

    def _hurt(self, amount: int, causes: list[str], source: int | None) -> None:
        lost = min(amount, self.health)
        self.health -= lost
        if lost:
            self.hurt_by += causes
            self.world.emit("hurt", amount=lost, by=causes, id=source)

    def _achieve(self, name: str) -> None:
        """Counts an achievement if the rules define it."""
        if name not in self.achievements:
            return
        self.achievements[name] += 1
        if self.achievements[name] == 1:
            self.world.emit("unlocked", achievement=name)

    def _gain(self, item: str, amount: int) -> int:
        """Adds to the inventory; returns the gain within the limit."""
        room = self._limits[item] - self.inventory[item]
        self.inventory[item] += amount
        return max(0, min(amount, room))

    def missing(self, needs: Mapping[str, int]) -> dict[str, int]:
        """Returns missing items -> amount."""
        owned = self.inventory
        return {
            item: amount - owned.get(item, 0)
            for item, amount in needs.items()
            if owned.get(item, 0) < amount
        }

    def _use(self, items: Mapping[str, int]) -> None:
        for name, amount in items.items():
            self.inventory[name] -= amount

    # Actions.

    def _act(self, target: Position, material: str | None, obj: Any) -> None:
        verb, _, name = self.executed.partition("_")
        if verb == "noop":
            return
        if verb == "move":
            self._move(self._rules.directions[name])
            return
        refused = affordances.CHECKS[verb](self, name)
        if refused is not None:
            why, missing = refused.reason, dict(refused.missing)
            self.world.emit(
                "rejected", action=self.executed, reason=why, missing=missing
            )
        elif verb == "do" and obj is not None:
            self._do_object(obj)
        elif verb == "do" and material is not None:
            self._do_material(target, material)
        elif verb == "sleep":
            self._sleep()
        elif verb == "place":
            self._place(name, target, material)
        elif verb == "make":
            self._make(name)

    def _move(self, direction: Position) -> None:
        if direction != self._facing:
            self._facing = direction
            self.world.emit("turned", facing=direction)
        start = self.position
        if self.move(direction):
            self.world.emit("moved", frm=start, to=self.position)
        else:
            material, obj = self.world[self.target]
            by = obj.kind if obj is not None else material or "edge"
            self.world.emit("blocked", at=self.target, by=by)
        ground = self.world[self.position][0]
        if ground in self._rules.deadly:
            self.damage(self.health, ground)

    def _sleep(self) -> None:
        if not self.sleeping:
            self.sleeping = True
            self.world.emit("fell_asleep")

    def _do_object(self, obj: Any) -> None:
        rule = self._rules.do[obj.kind]
        if rule["verb"] == "eat":
            obj.harvest()
        elif not self._strike(obj):
            return
        self._profit(obj, rule)

    def _profit(self, obj: Object, rule: Mapping[str, Any]) -> None:
        """Grants the rule's rewards for defeating a creature or eating a plant."""
        if "food" in rule:
            gain = self._gain(self._vital_items[0], rule["food"])
            self.world.emit("ate", what=obj.kind, at=obj.position, gain=gain)
        if "achievement" in rule:
            self._achieve(rule["achievement"])
        self._reset(rule)

    def _reset(self, rule: Mapping[str, Any]) -> None:
        """Resets the body counters named by the rule."""
        for counter in rule.get("resets", ()):
            setattr(self, counter, 0)

    def _strike(self, obj: Object) -> bool:
        """Damages a creature; returns whether its health is now 0."""
        table = self._rules.damage
        swords = [table[name] for name in table if self.inventory.get(name)]
        damage = max([table["unarmed"], *swords])
        obj.damage(damage, self.kind, self.id)
        self.world.emit("hit", kind=obj.kind, id=obj.id, damage=damage, left=obj.health)
        if obj.health > 0:
            return False
        self.world.emit("defeated", kind=obj.kind, id=obj.id, at=obj.position)
        return True

    def _do_material(self, target: Position, material: str) -> None:
        rule = self._rules.collect[material]
        self.world[target] = rule["leaves"]
        self._reset(rule)
        # Drawn even if the chance is 1.
        succeeded = self.world.random.random() <= rule.get("probability", 1)
        for item, amount in rule["receive"].items():
            if not succeeded:
                self.world.emit("missed", what=item, at=target)
                continue
            gain, tool = self._gain(item, amount), next(iter(rule["require"]), None)
            self.world.emit("collected", what=item, at=target, gain=gain, tool=tool)
            self._achieve(f"collect_{item}")

    def _place(self, name: str, target: Position, material: str | None) -> None:
        rule = self._rules.place[name]
        self._use(rule["uses"])
        if rule["type"] == "material":
            self.world[target] = name
        else:
            self.world.add(GROWING[name].create(self.world, target, self))
        self.world.emit("placed", what=name, at=target, on=material)
        self._achieve(f"place_{name}")

    def _make(self, name: str) -> None:
        rule = self._rules.make[name]
        self._use(rule["uses"])
        self.inventory[name] += rule["gives"]
        self.world.emit("made", what=name)
        self._achieve(f"make_{name}")

    # Body.

    def _vitals(self) -> dict[str, int]:
        """Returns food, drink and energy, clipped to their limits, for events."""
        return {
            name: min(self.inventory[name], self._limits[name])
            for name in self._vital_items
        }

    def _wake_up_when_rested(self) -> None:
        if not self.sleeping:
            return
        energy = self._vital_items[2]
        if self.inventory[energy] < self._limits[energy]:
            self.executed = "sleep"
        else:
            self.sleeping = False
            self.world.emit("woke", cause="rested")
            self._achieve("wake_up")

    def _wake_up_when_hurt(self) -> None:
        if self.health < self.last_health and self.sleeping:
            self.sleeping = False
            self.world.emit("woke", cause="hurt")
        self.last_health = self.health

    def _update_life_counters(self) -> None:
        self.hunger = self._counted("hunger", self.hunger)
        self.thirst = self._counted("thirst", self.thirst)
        self.fatigue = self._counted("fatigue", self.fatigue)

    def _counted(self, need: str, count: float) -> float:
        """Returns the next count of a need; at its limits, its item changes by 1."""
        rule = self._rules.life[need]
        count += rule["asleep" if self.sleeping else "awake"]
        if "rested" in rule:
            if self.sleeping:
                count = min(count, 0)
            if count < rule["rested"]:
                count = 0
                self.inventory[rule["item"]] += 1
        if count > rule["limit"]:
            count = 0
            self.inventory[rule["item"]] -= 1
        return count

    def _update_health(self) -> None:
        life = self._rules.life
        rule = life["recover"]
        pace = "asleep" if self.sleeping else "awake"
        lacking = [
            name
            for name in rule[f"needs_{pace}"]
            if self.inventory[life[name]["item"]] <= 0
        ]
        self.recover += rule[f"lacking_{pace}" if lacking else pace]
        if self.recover > rule["gain"]:
            self.recover = 0
            if self._gain("health", 1):
                self.world.emit("healed", amount=1)
        if self.recover < rule["loss"]:
            self.recover = 0
            self._hurt(1, lacking, None)

    def _clamp(self, vitals: dict[str, int]) -> None:
        inventory, limits = self.inventory, self._limits
        for name, amount in inventory.items():
            if not 0 <= amount <= limits[name]:
                inventory[name] = max(0, min(amount, limits[name]))
        for name, before in vitals.items():
            if inventory[name] != before:
                self.world.emit("vital", name=name, frm=before, to=inventory[name])
