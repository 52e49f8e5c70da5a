"""Arrows: which of them will hit, how to get out of their way, and how to stop them."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.core.grid import BESIDE, Cell, distance, shift
from crafter.games.crafter.planner.actor import HOSTILE, Actor

#: How many cells away an arrow is got out of the way of. From two cells away it hits a
#: player that comes nearer.
DODGED = 2
#: How far arrows are looked for, and how near a skeleton may come to shoot.
FAR, NEAR = 6, 9


def flies(me: Actor, cell: Cell) -> bool:
    """Returns whether an arrow flies through a cell; water and lava do not stop it."""
    thing = me.thing(cell)
    free = thing is None or thing.kind == "arrow"
    number = me.rules.material_ids.get(me.material(cell) or "", -1)
    return free and number in me.rules.walkable_ids["arrow"]


def line(me: Actor, by: Cell, far: int = FAR) -> list[Cell]:
    """Returns the cells in a direction through which an arrow would come."""
    cells: list[Cell] = []
    for k in range(1, far + 1):
        cell = shift(me.pos, by, k)
        if not flies(me, cell):
            break
        cells.append(cell)
    return cells


def incoming(me: Actor) -> Iterator[tuple[int, Cell]]:
    """Yields arrows that fly towards the player: how far they are, and where."""
    for arrow in me.objects("arrow"):
        far = distance(arrow.pos, me.pos)
        for by in BESIDE:
            back = (-by[0], -by[1])
            coming = me.headings.get(arrow.id, back) == back
            ahead = 0 < far <= FAR and shift(me.pos, by, far) == arrow.pos
            if coming and ahead and len(line(me, by, far)) == far:
                yield far, by


def dodge(me: Actor) -> str | None:
    """Returns the step out of the way of an arrow, or the stone that stops it."""
    coming = sorted(incoming(me))
    if not coming or coming[0][0] > DODGED:
        return None
    far, by = coming[0]
    lines = {toward for _, toward in coming}
    sides = [s for s in BESIDE if s[0] * by[0] + s[1] * by[1] == 0]
    free = [s for s in sides if s not in lines and me.free(shift(me.pos, s))]
    if free:
        side = min(free, key=lambda s: _risk(me, shift(me.pos, s)))
        return me.moves[side]
    stone = me.target == shift(me.pos, by) and me.can_place("stone", me.target)
    if stone and far > 1 and me.inventory["stone"] and me.may("place_stone"):
        return "place_stone"
    return None


def _risk(me: Actor, cell: Cell) -> int:
    """Returns what is bad about a cell to step aside to."""
    beside = sum(distance(t.pos, cell) <= 1 for t in me.things(*HOSTILE))
    lethal = sum(me.material(b) in me.rules.deadly for b in me.beside(cell))
    return 2 * beside + lethal + (cell in me.line_of_fire())


def archers(me: Actor, cell: Cell, far: int = NEAR) -> bool:
    """Returns whether a skeleton is so near to a cell that it may come and shoot."""
    return any(distance(t.pos, cell) <= far for t in me.objects("skeleton"))


def leaks(me: Actor, cell: Cell) -> bool:
    """Returns whether a cell that nobody walks on lets arrows through, and some come.

    Source: Arrows fly over water and lava (Crafter 1.8.3).
    """
    return flies(me, cell) and not me.open(cell) and archers(me, cell, 2 * NEAR)


def cover(me: Actor) -> str | None:
    """Returns the next action to wall off a side from which a skeleton can shoot.

    For a player that is shut in by water or lava.
    """
    if not (archers(me, me.pos) and me.may("place_stone")):
        return None
    for by in BESIDE:
        gap = next((c for c in line(me, by) if not me.open(c)), None)
        if gap is None or distance(gap, me.pos) > 2:
            continue
        if not me.inventory["stone"]:
            return _quarry(me)
        if me.target == gap:
            return "place_stone"
        if me.material(gap) not in me.rules.deadly or distance(gap, me.pos) > 1:
            return me.moves[by]
    return None


def _quarry(me: Actor) -> str | None:
    """Returns the next action to get a stone from a wall that is thick enough."""
    for by in sorted(BESIDE, key=lambda by: by != me.facing):
        cell = shift(me.pos, by)
        behind = [b for b in me.beside(cell) if b != me.pos]
        thick = not any(me.open(b) or flies(me, b) for b in behind)
        if thick and me.material(cell) == "stone" and me.can_dig(cell):
            return "do" if me.target == cell else me.moves[by]
    return None
