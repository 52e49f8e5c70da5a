"""Next actions for reaching, using, killing, placing and making things.

Every function returns the name of an action, or `None` if the errand is impossible. It
is called again in the next step, so nothing has to be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable

from crafter.core.grid import Cell, distance, shift
from crafter.games.craftax.players.pathfinding import Reach, towards, use
from crafter.games.craftax.players.scene import MOVES, Creature, Scene

_FAR = 400.0
#: A table farther than this is not worth the way: a new one costs little, unless wood
#: is scarce.
_STATION_NEAR, _STATION_FAR, _SCARCE_WOOD = 10, 40, 20
#: What any pickaxe digs out.
_SOFT = ("stone", "stalagmite")


def go_use(
    scene: Scene, reach: Reach, cells: Iterable[Cell], longest: float = _FAR
) -> str | None:
    """Goes to the nearest of some cells, and uses what is there."""
    return use_way(scene, reach.to(cells, longest))


def use_way(scene: Scene, way: tuple[float, list[Cell]] | None) -> str | None:
    """Goes on a way, and uses what is at its end."""
    if way is None or not way[1]:
        return None
    path = way[1]
    return use(scene, path[0]) if len(path) == 1 else towards(scene, path[0])


def gather(
    scene: Scene, reach: Reach, blocks: Iterable[str], longest: float = _FAR
) -> str | None:
    """Goes to the nearest of some kinds of block, and uses it."""
    return use_way(scene, reach.to_block(blocks, longest))


def kill(
    scene: Scene, reach: Reach, creatures: Iterable[Creature], longest: float = _FAR
) -> str | None:
    """Goes to the nearest of some creatures, and hits it."""
    return go_use(scene, reach, [c.cell for c in creatures], longest)


def go_to(scene: Scene, reach: Reach, cell: Cell) -> str | None:
    """Goes to a cell; `noop` when there."""
    if scene.at == cell:
        return "noop"
    way = reach.to([cell])
    return None if way is None or not way[1] else towards(scene, way[1][0])


def place(scene: Scene, action: str) -> str | None:
    """Places a table, furnace, or torch in front, wherever there is room.

    It rather digs out a cell beside the player than goes away: what is placed often has
    to be near something else.
    """
    ahead = scene.ahead
    if scene.can_place(ahead) and scene.item(ahead) == "none":
        return action
    for step in MOVES.values():
        if scene.has["pickaxe"] and scene.block(shift(scene.at, step)) in _SOFT:
            return use(scene, shift(scene.at, step))
    for name, step in MOVES.items():
        if scene.can_enter(shift(scene.at, step)):
            return name
    return None


def make(scene: Scene, reach: Reach, recipe: str) -> str | None:
    """Makes something, at stations that it places where there are none."""
    stations = scene.tables.recipes[recipe].near
    near = [scene.floor.is_near(scene.at, block) for block in stations]
    if all(near):
        return f"make_{recipe}"
    if not near[0]:
        return _go_to_table(scene, reach) or place(scene, "place_table")
    return place(scene, "place_furnace")


def _go_to_table(scene: Scene, reach: Reach) -> str | None:
    scarce = scene.has["wood"] < _SCARCE_WOOD
    far = _STATION_FAR if scarce else _STATION_NEAR
    tables = scene.find(["crafting_table"])
    way = reach.to([c for c in tables if distance(c, scene.at) <= far], far)
    if way is None or len(way[1]) < 2:
        return None
    return towards(scene, way[1][0])
