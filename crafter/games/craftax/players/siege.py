"""Fights from a closed room with one door, at the ladder.

The room is closed around the way up. The player stands on the ladder and looks at the
only side that it leaves open: who comes must step in front of its sword, one at a time,
and only what stands in this line can shoot. From the ladder it gets away in one step.
"""

from __future__ import annotations

from crafter.core.grid import Cell, distance, neighbours, shift
from crafter.games.craftax.players import errands, shelter
from crafter.games.craftax.players.guard import shot
from crafter.games.craftax.players.pathfinding import Reach, use
from crafter.games.craftax.players.scene import MOVES, Scene
from crafter.games.craftax.players.survival import Survival

#: Steps in which the room is built, or rebuilt, on one floor.
_BUILDING = 300
#: Steps to wait for monsters before going out, and to stay out.
_WAITING, _OUTSIDE = 120, 60
#: How often waiting gets shorter and the way longer if nothing was killed.
_MOST = 4
#: How far away monsters may be that a door is opened for, and prey outside.
_NEAR, _FAR = 5, 20.0
#: What a shooter in the line of a door counts, in cells.
_LINE, _EXPOSED = 6, 8
#: What a side counts from which monsters come to the door askew.
_ASKEW = 1.0


class Siege:
    """Waits for monsters at the way up.

    Args:
      survival: Builds the room.
      patience: Steps to wait for monsters before going out.
    """

    def __init__(self, survival: Survival, patience: int = _WAITING) -> None:
        self._survival, self._patience = survival, patience
        self._level = -1
        self._built = self._waited = self._killed = self._barren = 0

    def action(self, scene: Scene, reach: Reach) -> str | None:
        """Returns the next action, `None` if there is nothing to wait for."""
        if scene.level != self._level:
            self._level, self._built = scene.level, 0
        if scene.floor.monsters_killed != self._killed:
            self._killed, self._waited = scene.floor.monsters_killed, 0
            self._barren = 0
        self._waited += 1
        strong = scene.player.health > 0.7 * scene.most("health")
        waiting = self._patience * (2 if _besieged(scene) else 1) // (1 + self._barren)
        if self._waited > waiting:
            if self._waited > waiting + _OUTSIDE:
                self._waited, self._barren = 0, min(self._barren + 1, _MOST)
            far = _FAR * (1 + self._barren)
            action = errands.kill(scene, reach, scene.hostile, far)
            if action is not None and strong:
                return action
        return self._hold(scene, reach)

    def _hold(self, scene: Scene, reach: Reach) -> str | None:
        ladder = scene.floor.up_ladder
        room = shelter.enclosure(scene)
        if room is not None and ladder in room:
            return self._open(scene, reach, room)
        door = _door(scene, ladder)
        if door is not None and scene.at == ladder:
            if scene.block(door) in ("water", "lava"):
                return _fill(scene, door)
            return _watch(scene, door)
        if door is None and self._built < _BUILDING:
            self._built += 1
            action = self._survival.hide(scene, ladder, porch=True)
            if action is not None:
                return action
        return errands.go_to(scene, reach, ladder)

    def _open(self, scene: Scene, reach: Reach, room: shelter.Room) -> str | None:
        """Opens a side of the ladder, or else of the room, in which monsters are."""
        ladder = scene.floor.up_ladder
        doors = [c for c in neighbours(ladder) if _opens(scene, c, room)]
        if scene.at != ladder:
            return errands.go_to(scene, reach, ladder)
        if not doors:
            return self._open_room(scene, reach, room)
        return use(scene, min(doors, key=lambda cell: _cost(scene, cell, room)))

    def _open_room(self, scene: Scene, reach: Reach, room: shelter.Room) -> str | None:
        side = shelter.door(scene, room, [c.cell for c in scene.hostile] or [scene.at])
        if side is None:
            return None
        cell, out = side
        if scene.at == cell:
            return use(scene, out)
        return errands.go_to(scene, reach, cell)


def _besieged(scene: Scene) -> bool:
    """Returns whether monsters are near enough to let them come."""
    return any(creature.kind == "melee" for creature in scene.near(_NEAR))


def _opens(scene: Scene, cell: Cell, room: shelter.Room) -> bool:
    """Returns whether a side of the ladder can be opened, and leads anywhere."""
    if cell in room or scene.block(cell) not in ("stone", "stalagmite"):
        return False
    return any(c not in room and not scene.solid(c) for c in neighbours(cell))


def _cost(scene: Scene, cell: Cell, room: shelter.Room) -> float:
    """Returns how bad a side is as a door: far from monsters, or in a line of fire."""
    monsters = [distance(c.cell, cell) for c in scene.hostile if c.kind == "melee"]
    nearest = min(monsters, default=_NEAR)
    step = cell[0] - scene.at[0], cell[1] - scene.at[1]
    exposed, place = 0, cell
    for _ in range(_LINE):
        place = shift(place, step)
        if scene.solid(place):
            break
        exposed += scene.level == 5 and scene.block(place) == "water"
    open_sides = 2 - shelter.porch_sides(scene, scene.at, cell, room)
    return min(nearest, _NEAR) + _EXPOSED * exposed + _ASKEW * open_sides


def _door(scene: Scene, ladder: Cell) -> Cell | None:
    """Returns the only way into the room around the ladder, if it is beside it."""
    for cell in neighbours(ladder):
        if not scene.solid(cell) and shelter.is_closed(scene, ladder, cell):
            return cell
    return None


def _fill(scene: Scene, cell: Cell) -> str:
    """Closes a side where only what flies or swims would come."""
    if scene.ahead == cell and scene.has["stone"] and scene.can_place(cell):
        return "place_stone"
    return use(scene, cell)


def _watch(scene: Scene, door: Cell) -> str:
    """Looks at the door, and shoots at who is about to come in."""
    step = door[0] - scene.at[0], door[1] - scene.at[1]
    inner = shift(scene.at, step, -1)
    near = scene.near(4)
    if scene.ahead != door:
        if not near and scene.can_enter(inner):
            return next(
                name for name, move in MOVES.items() if shift(scene.at, move) == inner
            )
        return "noop"
    beside = [c for c in near if c.kind == "melee" and distance(c.cell, door) == 1]
    shoot = shot(scene, beside[0]) if beside else None
    if shoot is not None:
        return shoot
    others = [c for c in neighbours(scene.at) if scene.block(c) == "stone"]
    melee = [c.cell for c in near if c.kind == "melee"]
    if others and melee and scene.has["stone"] and scene.can_place(door):
        costs = {cell: _cost(scene, cell, frozenset()) for cell in [*others, door]}
        if min(costs[cell] for cell in others) < costs[door] - 0.5:
            return "place_stone"
    return "noop"
