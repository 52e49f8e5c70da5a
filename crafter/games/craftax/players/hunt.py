"""Fights where there is no room to wait in at the way up."""

from __future__ import annotations

from crafter.core.grid import distance
from crafter.games.craftax.players import errands, shelter
from crafter.games.craftax.players.guard import aims, shot
from crafter.games.craftax.players.pathfinding import Reach, towards, use
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.survival import Survival

#: How far to go for a monster.
_HUNT = 40.0
#: Steps to wait for monsters that come.
_HOLD = 40
#: How far from the ladder to hunt while there is a room above it.
_LEASH = 3
#: Steps of waiting after which the player goes one cell farther.
_BORED = 60


class Hunt:
    """Waits for monsters, or goes to them.

    Args:
      survival: Builds the room to wait in.
    """

    def __init__(self, survival: Survival) -> None:
        self._survival = survival
        self._patience = 0
        self._waited: dict[int, int] = {}

    def hold(self, scene: Scene, reach: Reach) -> str | None:
        """Waits at the ladder, or in a room with one door, for those who come."""
        if not scene.kills_left:
            return None
        coming = any(c.kind == "melee" for c in scene.near(9))
        if not coming or self._patience > _HOLD:
            self._patience = max(self._patience - 1, 0)
            return None
        room = self._survival.room
        if room is not None and scene.at in room:
            sides = shelter.open_sides(scene, room)
            if len(sides) > 1:
                return None
            self._patience += 1
            if sides:
                return "noop"
            self._patience = 0
            return self._open(scene, reach, room)
        if shelter.is_haven(scene, scene.level - 1):
            ladder = scene.floor.up_ladder
            way = reach.to([ladder], 12)
            if way is not None:
                self._patience += 1
                return towards(scene, way[1][0]) if way[1] else "noop"
        return None

    def _open(self, scene: Scene, reach: Reach, room: shelter.Room) -> str | None:
        """Opens the side of a closed room that is nearest to a monster."""
        monsters = [c.cell for c in scene.near(9) if c.kind == "melee"]
        door = shelter.door(scene, room, monsters)
        if door is None:
            return None
        cell, out = door
        return (
            use(scene, out) if scene.at == cell else errands.go_to(scene, reach, cell)
        )

    def hunt(self, scene: Scene, reach: Reach) -> str | None:
        """Shoots at monsters in line, and goes to the others."""
        if not scene.kills_left:
            return None
        shoot = shot(scene)
        if shoot is not None and aims(scene):
            return shoot
        prey = scene.hostile
        if shelter.is_haven(scene, scene.level - 1):
            ladder = scene.floor.up_ladder
            leash = _LEASH + self._waited.get(scene.level, 0) // _BORED
            prey = [c for c in prey if distance(c.cell, ladder) <= leash]
            if not prey:
                self._waited[scene.level] = self._waited.get(scene.level, 0) + 1
                return errands.go_to(scene, reach, ladder)
        return errands.kill(scene, reach, prey, _HUNT)
