"""Creatures: cows, zombies, skeletons, arrows and plants.

Every kind has an `update`, called once per step in index order while the player is
near. The order of its random draws is part of the game. A creature with health 0 is
removed at the start of its next update, but still runs the rest of that update
(Crafter 1.8.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.games.crafter.engine import World
from crafter.games.crafter.entity import Object, Position
from crafter.games.crafter.sprites import DOWN, FACINGS, NAME_OF


class _Numbered(Object):
    """An object with the parameters of its kind from the rules."""

    def __init__(self, world: World, position: Position) -> None:
        super().__init__(world, position)
        self._rules: Mapping[str, Any] = world.rules.creatures[self.kind]
        self.health = self._rules["health"]
        for name in self.fields:
            setattr(self, name, 0)


class Creature(_Numbered):
    """A creature with a reference to the player.

    Args:
      world: The world.
      position: Its cell.
      player: The player to react to.
    """

    def __init__(self, world: World, position: Position, player: Any) -> None:
        super().__init__(world, position)
        self.player = player

    @classmethod
    def create(cls, world: World, position: Position, player: Any) -> Creature:
        """Returns a creature that reacts to the player."""
        return cls(world, position, player)


class Cow(Creature):
    """Wanders at random; food for the player.

    Args:
      world: The world.
      position: Its cell.
      player: The player, ignored.
    """

    kind = "cow"

    def __init__(self, world: World, position: Position, player: Any = None) -> None:
        super().__init__(world, position, player)

    def update(self) -> None:
        """Moves in a random direction in about every other step."""
        if self.health <= 0:
            self.world.remove(self)
        if self.world.random.random() < self._rules["move_chance"]:
            self.move_randomly()


class Zombie(Creature):
    """Chases the player and attacks when adjacent.

    Attributes:
      cooldown: Steps next to the player until the next attack.
    """

    kind = "zombie"
    fields = ("cooldown",)
    cooldown: int

    def update(self) -> None:
        """Moves, then attacks if in reach."""
        if self.health <= 0:
            self.world.remove(self)
        self._move()
        if self.distance(self.player) <= self._rules["reach"]:
            self._attack()

    def _move(self) -> None:
        rules, random = self._rules, self.world.random.random
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
        damage = self._rules["damage_asleep" if asleep else "damage"]
        self.player.damage(damage, self.kind, self.id)
        self.cooldown = self._rules["cooldown"]


class Skeleton(Creature):
    """Keeps its distance and shoots arrows.

    Attributes:
      reload: Steps until the next shot is possible.
    """

    kind = "skeleton"
    fields = ("reload",)
    reload: int

    def update(self) -> None:
        """Retreats, or else shoots, approaches or wanders."""
        if self.health <= 0:
            self.world.remove(self)
        self.reload = max(0, self.reload - 1)
        rules, random = self._rules, self.world.random.random
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
        long_axis = self.world.random.random() < self._rules["long_axis_chance"]
        dx, dy = self.toward(self.player, long_axis)
        return self.move((-dx, -dy))

    def _shoot(self, direction: Position) -> None:
        if self.reload > 0 or direction == (0, 0):
            return
        target = (self.x + direction[0], self.y + direction[1])
        if self.world.is_free(*target, self.world.rules.walkable_ids[Arrow.kind]):
            arrow = Arrow(self.world, target, direction)
            self.world.add(arrow)
            self.reload = self._rules["reload"]
            self.world.emit("arrow_shot", frm=self.position, id=arrow.id)


class Arrow(_Numbered):
    """Flies straight until it hits something.

    Args:
      world: The world.
      position: Its first cell.
      facing: Direction of flight.
    """

    kind = "arrow"
    turns = True

    def __init__(self, world: World, position: Position, facing: Position) -> None:
        super().__init__(world, position)
        self.facing = facing

    @classmethod
    def create(cls, world: World, position: Position, player: Any) -> Arrow:
        """Returns an arrow that flies downwards."""
        return cls(world, position, DOWN)

    @property
    def state(self) -> str:
        """The facing direction."""
        return NAME_OF[self._facing]

    def update(self) -> None:
        """Flies on, or damages the obstacle and disappears."""
        target = (self.x + self._facing[0], self.y + self._facing[1])
        material, obj = self.world[target]
        if obj is not None:
            obj.damage(self._rules["damage"], self.kind, self.id)
            self._stop(target, obj.kind)
        elif not self.is_free(*target):
            self._stop(target, material or "edge")
            if material in self._rules["destroys"]:
                self.world[target] = self._rules["leaves"]
                self.world.emit("station_lost", what=material, at=target)
        else:
            self.move(self._facing)

    def _stop(self, target: Position, by: str) -> None:
        self.world.remove(self)
        self.world.emit("arrow_stopped", at=target, by=by, id=self.id)


class Plant(_Numbered):
    """A sapling that ripens unless a creature tramples it.

    Attributes:
      grown: Steps lived near the player.
    """

    kind = "plant"
    fields = ("grown",)
    grown: int

    @property
    def ripe(self) -> bool:
        """Whether the plant can be eaten."""
        return self.grown > self._rules["ripe"]

    @property
    def state(self) -> str:
        """Ripe or not."""
        return "ripe" if self.ripe else ""

    def harvest(self) -> None:
        """Restarts growth."""
        self.grown = 0

    def update(self) -> None:
        """Grows, and takes damage from adjacent creatures."""
        self.grown += 1
        if self.grown == self._rules["ripe"] + 1:
            self.world.emit("plant_ripe", at=self.position)
        enemies = self._enemies()
        if enemies:
            self.damage(self._rules["damage"], enemies[0])
        if self.health <= 0:
            self.world.remove(self)
            by = enemies[0] if enemies else Arrow.kind
            self.world.emit("plant_lost", at=self.position, by=by)

    def _enemies(self) -> list[str]:
        around = (self.world[self.x + dx, self.y + dy][1] for dx, dy in FACINGS)
        enemies = self._rules["enemies"]
        return [obj.kind for obj in around if obj is not None and obj.kind in enemies]


#: Objects placed by `place_<name>` if the rule's type is `object`.
GROWING: dict[str, type[Plant]] = {Plant.kind: Plant}
