"""Damage that the next steps may bring, by the exact rules of the game.

A melee monster strikes if it is beside the player when its turn comes and its cooldown
is over; it never moves and strikes in one step. A shot flies one cell a step, straight
on. So what a step may cost is known before it is played.
"""

from __future__ import annotations

from collections.abc import Iterator

from crafter.core.grid import Cell, distance, shift
from crafter.games.craftax.engine import Projectile
from crafter.games.craftax.players.scene import Creature, Scene

#: How far a monster shoots.
_RANGE = 5


def ready(creature: Creature) -> bool:
    """Returns whether a monster may strike or shoot in this step."""
    return creature.mob.cooldown <= 0


def harm_at(scene: Scene, cell: Cell) -> float:
    """Returns the health that being in a cell at the end of this step may cost."""
    harm = 0.0
    for creature in scene.hostile:
        if distance(creature.cell, cell) == 1 and ready(creature):
            harm += scene.harm(creature)
    for shot in _shots(scene):
        if cell in (shot.position, _next(shot)):
            harm += shot_harm(scene, shot)
    return harm


def shot_harm(scene: Scene, shot: Projectile) -> float:
    """Returns the health that a shot costs."""
    return scene.lost(scene.tables.projectiles[shot.type].damage)


def incoming(scene: Scene, cell: Cell, steps: int) -> list[Projectile]:
    """Returns the shots that hit a cell within some steps, if nothing stops them."""
    return [shot for shot in _shots(scene) if _meets(scene, shot, cell, steps)]


def in_line(scene: Scene, cell: Cell) -> list[Creature]:
    """Returns the monsters that shoot and from where a shot would meet a cell."""
    return [
        creature
        for creature in scene.hostile
        if creature.kind == "ranged" and _sees(scene, creature.cell, cell)
    ]


def _sees(scene: Scene, frm: Cell, to: Cell) -> bool:
    rows, cols = to[0] - frm[0], to[1] - frm[1]
    if (rows and cols) or abs(rows) + abs(cols) > _RANGE:
        return False
    step = (rows > 0) - (rows < 0), (cols > 0) - (cols < 0)
    cell = shift(frm, step)
    while cell != to:
        if scene.solid(cell):
            return False
        cell = shift(cell, step)
    return True


def _shots(scene: Scene) -> Iterator[Projectile]:
    return (shot for shot in scene.floor.mob_projectiles if shot.alive)


def _next(shot: Projectile) -> Cell:
    return shot.row + shot.drow, shot.col + shot.dcol


def _meets(scene: Scene, shot: Projectile, cell: Cell, steps: int) -> bool:
    place: Cell = shot.position
    for _ in range(steps):
        if place == cell:
            return True
        place = shift(place, (shot.drow, shot.dcol))
        if place != cell and (scene.solid(place) or scene.occupied(place)):
            return False
    return place == cell
