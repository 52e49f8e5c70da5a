"""What moves and grows: the player, creatures, arrows and plants.

Every kind has one `update`, called once a step in index order while the player is
near. The order of the random draws inside it is part of the game. A creature whose
health reached 0 is removed at the start of its own next update and still does
everything else in that update (Crafter 1.8.3).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from crafter import constants
from crafter.engine import World

Position = tuple[int, int]

_DIRECTIONS = [constants.directions[d] for d in ("left", "right", "up", "down")]
_FACING_NAMES = {vector: name for name, vector in constants.directions.items()}


def _ids(materials: list[str]) -> frozenset[int]:
    return frozenset(constants.material_ids[name] for name in materials)


class Object:
    """Something that occupies a cell of the world.

    A subclass sets `kind`, may set `walkable` and `fields`, and implements `update`
    and `texture`. It changes the world only through `World`, draws only from
    `world.random`, and reports what it does through `world.emit`.

    Args:
      world: The world it will be added to.
      position: Its cell (x, y).

    Attributes:
      kind: Name in the semantic map; class attribute.
      fields: Names of the numbers, besides position and health, that make up
        its state, in order; class attribute.
      walkable: Material ids it may enter; class attribute.
      id: Index in the world, set when added.
      health: Never below 0.
      removed: Whether it was taken off the map.
    """

    kind: ClassVar[str]
    label: ClassVar[int]
    fields: ClassVar[tuple[str, ...]] = ()
    walkable: ClassVar[frozenset[int]] = _ids(constants.walkable)
    health: int

    def __init_subclass__(cls) -> None:
        """Looks up what the tables say about the kind."""
        if "kind" not in cls.__dict__:
            return  # abstract
        cls.label = constants.object_ids[cls.kind]
        if cls.kind in constants.walkable_by:
            cls.walkable = _ids(constants.walkable_by[cls.kind])

    def __init__(self, world: World, position: Position) -> None:
        self.world = world
        self.x, self.y = position
        self.id = 0
        self.removed = False

    @property
    def position(self) -> Position:
        """Cell (x, y)."""
        return self.x, self.y

    @property
    def pos(self) -> np.ndarray:
        """Cell as int64 array of shape (2,), the name of the published package."""
        return np.array((self.x, self.y))

    @property
    def texture(self) -> str:
        """Stem of the texture that shows the object now."""
        return self.kind

    def update(self) -> None:
        """Acts for one step."""
        raise NotImplementedError

    def damage(self, amount: int, by: str, source: int | None = None) -> None:
        """Lowers the health, not below 0.

        Args:
          amount: Points of health.
          by: What does the damage, such as `zombie`.
          source: Index of the object that does it, if one does.
        """
        self.health = max(0, self.health - amount)

    def is_free(self, x: int, y: int) -> bool:
        """Tells whether it could enter a cell."""
        return self.world.is_free(x, y, self.walkable)

    def move(self, direction: Position) -> bool:
        """Moves by a vector if the target is free, and tells whether it was.

        For a removed object nothing changes, but the answer is the same.
        """
        x, y = self.x + direction[0], self.y + direction[1]
        if not self.is_free(x, y):
            return False
        self.world.move(self, x, y)
        return True

    def move_randomly(self) -> None:
        """Moves in one of four directions, drawn from the stream."""
        self.move(_DIRECTIONS[self.world.random.below(4)])

    def distance(self, other: Object) -> int:
        """Returns the L1 distance to another object, in cells."""
        return abs(self.x - other.x) + abs(self.y - other.y)

    def toward(self, target: Object, long_axis: bool = True) -> Position:
        """Returns the step toward a target along one axis.

        Args:
          target: Object to approach.
          long_axis: Use the axis on which it is farther away (y if equal), or
            the other one (x if equal).

        Returns:
          A direction, or (0, 0) if there is no distance on that axis.
        """
        dx, dy = target.x - self.x, target.y - self.y
        if (abs(dx) > abs(dy)) == long_axis:
            return (dx > 0) - (dx < 0), 0
        return 0, (dy > 0) - (dy < 0)


class Player(Object):
    """The player: acts, gets hungry, thirsty and tired, and heals or starves.

    Args:
      world: The world.
      position: Start cell.
      items: Item name -> {'max', 'initial'}.

    Attributes:
      inventory: Item name -> amount.
      achievements: Achievement name -> how often reached in this episode.
      facing: Direction it looks in; the target cell of `do` and `place_*`.
      sleeping: Whether it is asleep.
      action: Name of the action to carry out, then of the one carried out.
      hunger: Counter of steps; a multiple of 0.5. Also thirst, fatigue, recover.
      last_health: Health at the end of its previous update.
      hurt_by: What lowered its health since its latest update began.
    """

    kind = "player"
    fields = ("hunger", "thirst", "fatigue", "recover", "last_health")

    def __init__(
        self, world: World, position: Position, items: dict[str, dict[str, int]]
    ) -> None:
        super().__init__(world, position)
        self.items = items
        self._limits = {name: item["max"] for name, item in items.items()}
        self.inventory = {name: item["initial"] for name, item in items.items()}
        self.achievements = dict.fromkeys(constants.achievements, 0)
        self.facing: Position = constants.directions["down"]
        self.sleeping = False
        self.action = "noop"
        self.hunger: float = 0
        self.thirst: float = 0
        self.fatigue: float = 0
        self.recover: float = 0
        self.last_health = self.health
        self.hurt_by: list[str] = []

    @property
    def health(self) -> int:
        """Health, kept in the inventory; never below 0."""
        return self.inventory["health"]

    @health.setter
    def health(self, value: int) -> None:
        self.inventory["health"] = max(0, value)

    @property
    def texture(self) -> str:
        """Asleep, or by facing."""
        if self.sleeping:
            return "player-sleep"
        return f"player-{_FACING_NAMES[self.facing]}"

    @property
    def target(self) -> Position:
        """The cell that it faces; may lie outside the map."""
        return self.x + self.facing[0], self.y + self.facing[1]

    def update(self) -> None:
        """Carries out `action`, then lets life go on."""
        self.hurt_by.clear()
        target = self.target
        material, obj = self.world[target]
        self._wake_up_when_rested()
        self._act(target, material, obj)
        vitals = self._vitals()
        self._update_life_counters()
        self._update_health()
        self._clamp(vitals)
        self._wake_up_when_hurt()

    def damage(self, amount: int, by: str, source: int | None = None) -> None:
        """Lowers the health, not below 0, and remembers the cause."""
        self._hurt(amount, [by], source)

    def _hurt(self, amount: int, causes: list[str], source: int | None) -> None:
        lost = min(amount, self.health)
        self.health -= lost
        if lost:
            self.hurt_by += causes
            self.world.emit("hurt", amount=lost, by=causes, id=source)

    def _achieve(self, name: str) -> None:
        self.achievements[name] += 1
        if self.achievements[name] == 1:
            self.world.emit("unlocked", achievement=name)

    def _reject(self, reason: str, missing: dict[str, int] | None = None) -> None:
        self.world.emit(
            "rejected", action=self.action, reason=reason, missing=missing or {}
        )

    def _missing(self, needs: dict[str, int]) -> dict[str, int]:
        """Returns the items that are short, and by how many."""
        return {
            name: amount - self.inventory[name]
            for name, amount in needs.items()
            if self.inventory[name] < amount
        }

    def _gain(self, item: str, amount: int) -> int:
        """Adds to the inventory; returns how much of it the limit leaves."""
        room = self.items[item]["max"] - self.inventory[item]
        self.inventory[item] += amount
        return max(0, min(amount, room))

    def _use(self, items: dict[str, int]) -> None:
        for name, amount in items.items():
            self.inventory[name] -= amount

    # Actions.

    def _act(self, target: Position, material: str | None, obj: Any) -> None:
        if self.action == "noop":
            return
        verb, _, name = self.action.partition("_")
        if verb == "move":
            self._move(constants.directions[name])
        elif verb == "do":
            if obj is not None:
                self._do_object(obj)
            else:
                self._do_material(target, material)
        elif verb == "sleep":
            self._sleep()
        elif verb == "place":
            self._place(name, target, material, obj)
        elif verb == "make":
            self._make(name)

    def _move(self, direction: Position) -> None:
        if direction != self.facing:
            self.facing = direction
            self.world.emit("turned", facing=direction)
        start = self.position
        if self.move(direction):
            self.world.emit("moved", frm=start, to=self.position)
        else:
            material, obj = self.world[self.target]
            by = obj.kind if obj is not None else material or "edge"
            self.world.emit("blocked", at=self.target, by=by)
        if self.world[self.position][0] == "lava":
            self.damage(self.health, "lava")

    def _sleep(self) -> None:
        if self.inventory["energy"] >= self.items["energy"]["max"]:
            self._reject("not_tired")
        elif not self.sleeping:
            self.sleeping = True
            self.world.emit("fell_asleep")

    def _do_object(self, obj: Object) -> None:
        if isinstance(obj, Plant):
            self._eat_plant(obj)
        elif isinstance(obj, (Zombie, Skeleton)):
            if self._strike(obj):
                self._achieve(f"defeat_{obj.kind}")
        elif isinstance(obj, Cow):
            if self._strike(obj):
                self._eat(obj, constants.creatures["cow"]["food"])
                self.hunger = 0
        else:
            self._reject("bad_target")

    def _strike(self, obj: Object) -> bool:
        """Damages a creature; tells whether its health is 0 now."""
        table = constants.damage
        swords = [table[name] for name in table if self.inventory.get(name)]
        damage = max([table["unarmed"], *swords])
        obj.damage(damage, self.kind, self.id)
        self.world.emit("hit", kind=obj.kind, id=obj.id, damage=damage, left=obj.health)
        if obj.health > 0:
            return False
        self.world.emit("defeated", kind=obj.kind, id=obj.id, at=obj.position)
        return True

    def _eat_plant(self, plant: Plant) -> None:
        if not plant.ripe:
            self._reject("unripe")
            return
        plant.grown = 0
        self._eat(plant, constants.creatures["plant"]["food"])

    def _eat(self, obj: Object, food: int) -> None:
        gain = self._gain("food", food)
        self.world.emit("ate", what=obj.kind, at=obj.position, gain=gain)
        self._achieve(f"eat_{obj.kind}")

    def _do_material(self, target: Position, material: str | None) -> None:
        if material == "water":
            self.thirst = 0
        rule = constants.collect.get(material) if material else None
        if rule is None or material is None:
            self._reject("nothing_there")
            return
        missing = self._missing(rule["require"])
        if missing:
            self._reject("no_tool", missing)
            return
        self.world[target] = rule["leaves"]
        # Drawn even where the chance is 1.
        succeeded = self.world.random.random() <= rule.get("probability", 1)
        for item, amount in rule["receive"].items():
            if succeeded:
                self._collect(item, amount, target, next(iter(rule["require"]), None))
            else:
                self.world.emit("missed", what=item, at=target)

    def _collect(
        self, item: str, amount: int, target: Position, tool: str | None
    ) -> None:
        gain = self._gain(item, amount)
        self.world.emit("collected", what=item, at=target, gain=gain, tool=tool)
        self._achieve(f"collect_{item}")

    def _place(
        self, name: str, target: Position, material: str | None, obj: Any
    ) -> None:
        rule = constants.place[name]
        missing = self._missing(rule["uses"])
        if obj is not None:
            self._reject("occupied", missing)
        elif material not in rule["where"]:
            self._reject("bad_target", missing)
        elif missing:
            self._reject("no_item", missing)
        else:
            self._use(rule["uses"])
            if rule["type"] == "material":
                self.world[target] = name
            else:
                self.world.add(GROWING[name](self.world, target))
            self.world.emit("placed", what=name, at=target, on=material)
            self._achieve(f"place_{name}")

    def _make(self, name: str) -> None:
        rule = constants.make[name]
        reach = constants.world["nearby"]
        nearby = self.world.nearby(self.position, reach)
        stations = {place: 1 for place in rule["nearby"] if place not in nearby}
        missing = {**stations, **self._missing(rule["uses"])}
        if stations:
            # At the left and upper edge nothing is ever near (World.nearby).
            at_edge = not nearby
            self._reject("edge_quirk" if at_edge else "no_station", missing)
        elif missing:
            self._reject("no_item", missing)
        else:
            self._use(rule["uses"])
            self.inventory[name] += rule["gives"]
            self.world.emit("made", what=name)
            self._achieve(f"make_{name}")

    # Life.

    def _vitals(self) -> dict[str, int]:
        """Returns food, drink and energy within their limits, for the events."""
        return {
            name: min(self.inventory[name], self._limits[name])
            for name in ("food", "drink", "energy")
        }

    def _wake_up_when_rested(self) -> None:
        if not self.sleeping:
            return
        if self.inventory["energy"] < self.items["energy"]["max"]:
            self.action = "sleep"
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
        pace = "asleep" if self.sleeping else "awake"
        life = constants.life
        self.hunger += life["hunger"][pace]
        if self.hunger > life["hunger"]["limit"]:
            self.hunger = 0
            self.inventory["food"] -= 1
        self.thirst += life["thirst"][pace]
        if self.thirst > life["thirst"]["limit"]:
            self.thirst = 0
            self.inventory["drink"] -= 1
        self.fatigue += life["fatigue"][pace]
        if self.sleeping:
            self.fatigue = min(self.fatigue, 0)
        if self.fatigue < life["fatigue"]["rested"]:
            self.fatigue = 0
            self.inventory["energy"] += 1
        if self.fatigue > life["fatigue"]["limit"]:
            self.fatigue = 0
            self.inventory["energy"] -= 1

    def _lacking(self) -> list[str]:
        """Returns which necessities are missing, by the counter of each."""
        needs = [("hunger", "food"), ("thirst", "drink")]
        if not self.sleeping:
            needs.append(("fatigue", "energy"))
        return [name for name, item in needs if self.inventory[item] <= 0]

    def _update_health(self) -> None:
        rule = constants.life["recover"]
        lacking = self._lacking()
        pace = "asleep" if self.sleeping else "awake"
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


class Creature(Object):
    """A creature that knows the player.

    Args:
      world: The world.
      position: Its cell.
      player: The player that it looks for.
    """

    def __init__(self, world: World, position: Position, player: Player) -> None:
        super().__init__(world, position)
        self.player = player
        self.health = constants.creatures[self.kind]["health"]

    def _remove_if_dead(self) -> None:
        if self.health <= 0:
            self.world.remove(self)


class Cow(Creature):
    """Wanders about; food for the player."""

    kind = "cow"
    _MOVE_CHANCE = constants.creatures["cow"]["move_chance"]

    def update(self) -> None:
        """Moves in a random direction every other step or so."""
        if self.health <= 0:
            self.world.remove(self)
        if self.world.random.random() < self._MOVE_CHANCE:
            self.move_randomly()


class Zombie(Creature):
    """Chases the player and strikes when next to it.

    Attributes:
      cooldown: Steps next to the player until it strikes again.
    """

    kind = "zombie"
    fields = ("cooldown",)
    _RULES = constants.creatures["zombie"]

    def __init__(self, world: World, position: Position, player: Player) -> None:
        super().__init__(world, position, player)
        self.cooldown = 0

    def update(self) -> None:
        """Moves, then strikes if in reach."""
        self._remove_if_dead()
        self._move()
        if self.distance(self.player) <= self._RULES["reach"]:
            self._attack()

    def _move(self) -> None:
        rules, random = self._RULES, self.world.random.random
        near = self.distance(self.player) <= rules["sight"]
        if near and random() < rules["chase_chance"]:
            long_axis = random() < rules["long_axis_chance"]
            self.move(self.toward(self.player, long_axis))
        else:
            self.move_randomly()

    def _attack(self) -> None:
        if self.cooldown > 0:
            self.cooldown -= 1
            return
        asleep = self.player.sleeping
        damage = self._RULES["damage_asleep" if asleep else "damage"]
        self.player.damage(damage, self.kind, self.id)
        self.cooldown = self._RULES["cooldown"]


class Skeleton(Creature):
    """Keeps its distance and shoots arrows.

    Attributes:
      reload: Steps until it can shoot again.
    """

    kind = "skeleton"
    fields = ("reload",)
    _RULES = constants.creatures["skeleton"]

    def __init__(self, world: World, position: Position, player: Player) -> None:
        super().__init__(world, position, player)
        self.reload = 0

    def update(self) -> None:
        """Retreats, or else shoots, approaches or wanders."""
        self._remove_if_dead()
        self.reload = max(0, self.reload - 1)
        rules, random = self._RULES, self.world.random.random
        distance = self.distance(self.player)
        if distance <= rules["retreat_distance"] and self._retreat():
            return
        if distance <= rules["shoot_distance"] and random() < rules["shoot_chance"]:
            self._shoot(self.toward(self.player))
        elif distance <= rules["sight"] and random() < rules["chase_chance"]:
            long_axis = random() < rules["long_axis_chance"]
            self.move(self.toward(self.player, long_axis))
        elif random() < rules["wander_chance"]:
            self.move_randomly()

    def _retreat(self) -> bool:
        long_axis = self.world.random.random() < self._RULES["long_axis_chance"]
        dx, dy = self.toward(self.player, long_axis)
        return self.move((-dx, -dy))

    def _shoot(self, direction: Position) -> None:
        if self.reload > 0 or direction == (0, 0):
            return
        target = (self.x + direction[0], self.y + direction[1])
        if self.world.is_free(*target, Arrow.walkable):
            arrow = Arrow(self.world, target, direction)
            self.world.add(arrow)
            self.reload = self._RULES["reload"]
            self.world.emit("arrow_shot", frm=self.position, id=arrow.id)


class Arrow(Object):
    """Flies straight on until it hits something.

    Args:
      world: The world.
      position: Its first cell.
      facing: Direction of flight.
    """

    kind = "arrow"
    _RULES = constants.creatures["arrow"]

    def __init__(self, world: World, position: Position, facing: Position) -> None:
        super().__init__(world, position)
        self.facing = facing
        self.health = self._RULES["health"]

    @property
    def texture(self) -> str:
        """By facing."""
        return f"arrow-{_FACING_NAMES[self.facing]}"

    def update(self) -> None:
        """Flies on, or damages what is in the way and vanishes."""
        target = (self.x + self.facing[0], self.y + self.facing[1])
        material, obj = self.world[target]
        if obj is not None:
            obj.damage(self._RULES["damage"], self.kind, self.id)
            self._stop(target, obj.kind)
        elif not self.is_free(*target):
            self._stop(target, material or "edge")
            if material in self._RULES["destroys"]:
                self.world[target] = self._RULES["leaves"]
                self.world.emit("station_lost", what=material, at=target)
        else:
            self.move(self.facing)

    def _stop(self, target: Position, by: str) -> None:
        self.world.remove(self)
        self.world.emit("arrow_stopped", at=target, by=by, id=self.id)


class Plant(Object):
    """A sapling that ripens unless a creature tramples it.

    Attributes:
      grown: Steps it has lived near the player.
    """

    kind = "plant"
    fields = ("grown",)
    _RULES = constants.creatures["plant"]

    def __init__(self, world: World, position: Position) -> None:
        super().__init__(world, position)
        self.health = self._RULES["health"]
        self.grown = 0

    @property
    def ripe(self) -> bool:
        """Whether it can be eaten."""
        return self.grown > self._RULES["ripe"]

    @property
    def texture(self) -> str:
        """Ripe or not."""
        return "plant-ripe" if self.ripe else "plant"

    def update(self) -> None:
        """Grows, and suffers from creatures next to it."""
        self.grown += 1
        if self.grown == self._RULES["ripe"] + 1:
            self.world.emit("plant_ripe", at=self.position)
        enemies = self._enemies()
        if enemies:
            self.damage(self._RULES["damage"], enemies[0])
        if self.health <= 0:
            self.world.remove(self)
            by = enemies[0] if enemies else Arrow.kind
            self.world.emit("plant_lost", at=self.position, by=by)

    def _enemies(self) -> list[str]:
        around = (self.world[self.x + dx, self.y + dy][1] for dx, dy in _DIRECTIONS)
        enemies = self._RULES["enemies"]
        return [obj.kind for obj in around if obj is not None and obj.kind in enemies]


#: What `place_<name>` puts on the map where the rule's type is `object`.
GROWING: dict[str, type[Plant]] = {"plant": Plant}

#: Object kind -> class.
KINDS: dict[str, type[Object]] = {
    cls.kind: cls for cls in (Player, Cow, Zombie, Skeleton, Arrow, Plant)
}
