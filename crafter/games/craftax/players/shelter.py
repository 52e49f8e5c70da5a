"""Shelters: closed rooms of one to four cells where nothing can come in.

Nothing appears within a few cells of the player, and nothing passes what is solid, so a
closed room is safe for any time. To close a side, the player must face it without
walking out: it has to come from the opposite side within the room. A lone cell in the
open can therefore not be closed from inside, a square of four cells always can.
"""

from __future__ import annotations

from collections.abc import Iterator

from crafter.core.grid import Cell, distance, neighbours, shift
from crafter.core.paths import Choice, cheapest
from crafter.games.craftax.players.pathfinding import Reach, costs, towards
from crafter.games.craftax.players.scene import MOVES, TURNS, Scene

Room = frozenset[Cell]
Side = tuple[Cell, Cell]  # a cell of a room and the one outside
State = tuple[Cell, Cell, int]  # cell, direction faced, bits of the sides closed

_SHAPES: tuple[tuple[Cell, ...], ...] = (
    ((0, 0),),
    ((0, 0), (0, 1)),
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1), (0, 2)),
    ((0, 0), (1, 0), (2, 0)),
    ((0, 0), (0, 1), (1, 0)),
    ((0, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 1), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
)
#: How far to look for a place, in cells and in steps.
_AROUND, _FAR = 9, 16.0
#: The most steps from a cell of a room to another one, if all of it is dug.
_WIDE = 6.0
#: What closing a side costs, and digging out a cell.
_CLOSE, _DIG = 2.0, 3.0
#: The largest room that counts as closed.
_LARGEST = 12


def enclosure(scene: Scene) -> Room | None:
    """Returns the closed room in which the player has no enemy, or `None`."""
    enemies = {creature.cell for creature in scene.hostile}
    room, queue = {scene.at}, [scene.at]
    while queue:
        for cell in neighbours(queue.pop()):
            if cell in room or scene.solid(cell):
                continue
            if len(room) >= _LARGEST or cell in enemies:
                return None
            room.add(cell)
            queue.append(cell)
    return frozenset(room)


def open_sides(scene: Scene, room: Room) -> list[Side]:
    """Returns the sides of a room that are not solid."""
    return [
        (cell, out)
        for cell in room
        for out in neighbours(cell)
        if out not in room and not scene.solid(out)
    ]


def find(scene: Scene) -> Room | None:
    """Returns the room that can be closed soonest; `None` without stones or place."""
    reach = Reach(scene).distances(_FAR)
    table = costs(scene)
    best, least = None, 99.0
    for base, steps in reach.items():  # the nearest first
        if steps > least + _WIDE or distance(base, scene.at) > _AROUND:
            continue
        for shape in _SHAPES:
            room = frozenset(shift(base, offset) for offset in shape)
            cost = _cost(scene, room, reach, table, least)
            if cost is not None and cost < least:
                best, least = room, cost
    return best


def _cost(
    scene: Scene,
    room: Room,
    reach: dict[Cell, float],
    table: list[float],
    most: float,
) -> float | None:
    """Returns what closing a room costs, or `None` if it is impossible or more."""
    cost = min((reach.get(cell, 99.0) for cell in room), default=99.0)
    if cost > _FAR:
        return None
    for cell in room:
        if cell not in scene.floor:
            return None
        if scene.solid(cell):
            block = scene.blocks[cell[0] * scene.size + cell[1]]
            if table[block] > _DIG:  # a table, a furnace, or what cannot be dug
                return None
            cost += _DIG
        elif cell != scene.at and not scene.can_enter(cell):
            return None
    if cost >= most:
        return None
    sides = open_sides(scene, room)
    cost += _CLOSE * len(sides)
    if len(sides) > scene.has["stone"] or cost >= most:
        return None
    if all(_can_close(scene, room, cell, out) for cell, out in sides):
        return cost
    return None


def _can_close(scene: Scene, room: Room, cell: Cell, out: Cell) -> bool:
    if scene.block(out) != "water" and scene.item(out) != "none":
        return False
    if scene.block(out) in ("water", "lava"):
        return True
    inner = 2 * cell[0] - out[0], 2 * cell[1] - out[1]
    return inner in room or (cell == scene.at and out == scene.ahead)


def close(scene: Scene, room: Room) -> str | None:
    """Returns the next action to go into a room and close it, `None` if it fails."""
    if scene.at not in room:
        way = Reach(scene).to(room, 2 * _FAR)
        return towards(scene, way.cells[0]) if way and way.cells else None
    sides = open_sides(scene, room)
    if any(
        scene.occupied(out) and not _can_close(scene, room, cell, out)
        for cell, out in sides
    ):
        return None
    return _first_action(scene, room, {side: n for n, side in enumerate(sides)})


def _first_action(scene: Scene, room: Room, sides: dict[Side, int]) -> str | None:
    """Searches the states (cell, direction faced, sides closed)."""
    start = scene.at, scene.player.facing, 0
    every = (1 << len(sides)) - 1
    way = cheapest(
        start,
        lambda state: _choices(scene, room, sides, state),
        lambda state: bool(state[2] == every),
    )
    return None if way is None else [*way.actions(), "noop"][0]


def _choices(
    scene: Scene, room: Room, sides: dict[Side, int], state: State
) -> Iterator[Choice]:
    """Yields what can be done in a state."""
    cell, facing, closed = state
    ahead = shift(cell, facing)
    side = sides.get((cell, ahead))
    if side is not None and not closed >> side & 1:
        if scene.occupied(ahead):
            yield Choice(("do",), 4.0, (cell, facing, closed | 1 << side))
        else:
            yield Choice(("place_stone",), 1.0, (cell, facing, closed | 1 << side))
    for step in MOVES.values():
        after = shift(cell, step)
        if after in room:
            yield from _inside(scene, cell, facing, closed, step, after)
            continue
        number = sides.get((cell, after))
        still_open = number is not None and not closed >> number & 1
        blocked = scene.block(after) in ("water", "lava") or scene.occupied(after)
        if step != facing and (not still_open or blocked):
            yield Choice((TURNS[step],), 1.0, (cell, step, closed))


def _inside(
    scene: Scene, cell: Cell, facing: Cell, closed: int, step: Cell, after: Cell
) -> Iterator[Choice]:
    """Yields how to go on to another cell of the room, which may be solid still."""
    if not scene.solid(after):
        yield Choice((TURNS[step],), 1.0, (after, step, closed))
    elif facing == step:
        yield Choice(("do",), 2.0, (after, step, closed))
    else:
        yield Choice((TURNS[step],), 3.0, (after, step, closed))
