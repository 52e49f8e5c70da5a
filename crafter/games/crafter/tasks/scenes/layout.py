"""Places supplies, threats, clutter and obstacles around the start."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from crafter.core.grid import BESIDE, Cell, distance, shift
from crafter.core.regions import holds
from crafter.games.crafter.map_edits import line
from crafter.games.crafter.tasks.scenes import terrain
from crafter.games.crafter.tasks.scenes.draft import Draft, needs_of
from crafter.games.crafter.tasks.scenes.settings import ranged
from crafter.games.crafter.tasks.view import HOSTILE
from crafter.tasks.scenes.random import Draws, wording

_ARENA = (25, 19)  # columns and rows of a meadow
_TARGETS = 3  # how many of a needed thing are placed in an arena
#: Materials of the first obstacle; the second one is lava.
_OBSTACLES = ("water", "stone", "tree")


def lay_out(draft: Draft, draws: Draws) -> None:
    """Completes a draft with a chosen start; the order of the steps is fixed."""
    draft.facing = draws.one("facing", BESIDE)
    draft.inventory = dict(draft.settings.inventory)
    _vitals(draft, draws)
    draft.clock = _clock(draft, draws)
    draft.wording = wording(draft.task, draft.settings.wording["split"], draws)
    _base(draft)
    _own_edits(draft)
    wanted = draft.settings
    _each(draft, "terrain", wanted.terrain, terrain.make, draws)
    _each(draft, "feature", wanted.features, terrain.put_feature, draws)
    _each(draft, "near", wanted.near, put, draws)
    if wanted.base != "natural":
        for kind in needs_of(draft.task):
            place_target(draft, kind, draws)
    _each(draft, "mobs", wanted.mobs, put, draws)
    _threat(draft, draws)
    _clutter(draft, draws)
    _obstruct(draft, draws)


def _each(
    draft: Draft,
    name: str,
    entries: Sequence[Any],
    make: Callable[..., Any],
    draws: Draws,
) -> None:
    """Makes each entry of a list with an RNG of its own."""
    for number, entry in enumerate(entries):
        make(draft, entry, draws.under(f"{name}{number}"))


def _vitals(draft: Draft, draws: Draws) -> None:
    for name, (least, largest) in draft.settings.vitals.items():
        draft.vitals[name] = max(
            draws.whole(name, least, largest), int(name == "health")
        )


def _clock(draft: Draft, draws: Draws) -> int:
    day: int = draft.rules.time["day"]
    span, chance = draft.settings.clock["clock"], draft.settings.clock["chance"]
    if draws.share("light") >= chance:
        span = [0, day - 1]
    return draws.whole("clock", *span) % day


# Arenas, and edits of the task.


def _base(draft: Draft) -> None:
    if draft.settings.base == "natural":
        return
    (x, y), (width, height) = draft.spawn, _ARENA
    corner = max(0, x - width // 2), max(0, y - height // 2)
    area = draft.ground.area
    size = min(width, area[0] - corner[0]), min(height, area[1] - corner[1])
    draft.edits.append(("rectangle", *corner, *size, "grass"))


def _own_edits(draft: Draft) -> None:
    """Adds the edits and marks of the task, relative to the start."""
    x, y = draft.spawn
    for name, dx, dy, *rest in draft.settings.edits:
        if name == "line":
            rest = [rest[0] + x, rest[1] + y, *rest[2:]]
        draft.edits.append((name, dx + x, dy + y, *rest))
    for name, (dx, dy, width, height) in draft.settings.marks.items():
        draft.marks[name] = (dx + x, dy + y, width, height)


# Things at a distance.


def put(draft: Draft, entry: Any, draws: Draws) -> int:
    """Places things at a distance from the start.

    Args:
      draft: The draft.
      entry: `what`, a material, or `kind` of object; number `n`, distance `ring` or
        mark `at`, and fields of objects.
      draws: Keyed RNG.

    Returns:
      The number of placed things.
    """
    kind = entry.get("what") or entry["kind"]
    count = draws.whole("n", *ranged(entry.get("n", 1)))
    ring = ranged(entry.get("ring", [3, 8]))
    free = draft.spots_at(entry["at"]) if "at" in entry else draft.spots(kind, ring)
    spots = draws.shuffled("spots", free)[:count]
    fields = {
        name: draws.whole(name, *ranged(value))
        for name, value in entry.items()
        if name not in ("n", "ring", "at", "what", "kind")
    }
    for spot in spots:
        _add(draft, kind, spot, fields)
    return len(spots)


def _add(draft: Draft, kind: str, cell: Cell, fields: dict[str, int]) -> None:
    if kind in draft.rules.material_ids:
        draft.edits.append(("set", *cell, kind))
    else:
        draft.mobs.append({"kind": kind, "position": cell, **fields})


def place_target(draft: Draft, kind: str, draws: Draws) -> bool:
    """Places a needed thing at the distance of the level; returns whether it did.

    Zones cannot be placed.
    """
    near, far = draft.settings.distance["band"]
    if kind not in (*draft.rules.materials, *draft.rules.objects):
        return False
    entry = {"what": kind, "n": _TARGETS, "ring": [max(near, 2), far]}
    return put(draft, entry, draws.under(f"target|{kind}")) > 0


# Threats.


def _threat(draft: Draft, draws: Draws) -> None:
    threat = draft.settings.threat
    wanted = [kind for kind in HOSTILE if kind not in draft.useful]
    if threat["free"]:
        draft.remove_mobs = dict.fromkeys(wanted, threat["free"])
    if threat["clear"]:
        draft.remove_mobs |= dict.fromkeys(HOSTILE, threat["clear"])
    goal = draft.goal_cell()
    for number in range(draws.whole("extra", *threat["extra"])):
        for kind in draws.shuffled(f"kind{number}", HOSTILE):
            spots = draft.spots(kind, threat["ring"])
            if number == 0 and goal is not None:  # on the way, if possible
                far = distance(draft.spawn, goal)
                spots = [s for s in spots if distance(s, goal) < far] or spots
            if spots:
                spot = draws.one(f"extra{number}", spots)
                draft.mobs.append({"kind": kind, "position": spot})
                break


# Clutter.


#: Kind of clutter -> names of which none may be useful.
_CLUTTER = {
    "item": (),
    "tree": ("tree", "wood"),
    "cow": ("cow",),
    "plant": ("plant", "sapling"),
    "station": ("table", "furnace"),
    "wall": ("stone",),
}


def _clutter(draft: Draft, draws: Draws) -> None:
    count = draws.whole("clutter", *draft.settings.clutter["amount"])
    kinds = [kind for kind, uses in _CLUTTER.items() if not draft.useful & {*uses}]
    if not _useless_items(draft):
        kinds.remove("item")
    for number in range(count if kinds else 0):
        own = draws.under(f"clutter{number}")
        kind = own.one("kind", kinds)
        if kind == "item":
            _give_item(draft, own)
        elif kind == "wall":
            _wall(draft, own)
        elif kind == "station":
            _put_aside(draft, own.one("station", _CLUTTER[kind]), own)
        else:
            _put_aside(draft, kind, own)


def _useless_items(draft: Draft) -> list[str]:
    if draft.task.from_scratch:
        return []
    useful = {*draft.useful, *draft.vitals, *draft.rules.make, *draft.inventory}
    return [item for item in draft.rules.items if item not in useful]


def _give_item(draft: Draft, draws: Draws) -> None:
    items = _useless_items(draft)
    if items:
        item = draws.one("item", items)
        draft.inventory[item] = draws.whole("n", 1, draft.rules.items[item]["max"])


def _put_aside(draft: Draft, kind: str, draws: Draws) -> None:
    way = set(draft.way())
    spots = [spot for spot in draft.spots(kind, [3, 7]) if spot not in way]
    if spots:
        draft.clutter.append(draws.one("spot", spots))
        _add(draft, kind, draft.clutter[-1], {})


def _wall(draft: Draft, draws: Draws) -> None:
    """Places two or three stones in a row, like an unfinished wall."""
    step = draws.one("direction", BESIDE)
    _put_aside(draft, "stone", draws)
    free, way = draft.free(), set(draft.way())
    for number in range(1, draws.whole("length", 2, 3)):
        cell = shift(draft.clutter[-1], step, number) if draft.clutter else draft.spawn
        if holds(free, cell) and cell not in way:
            draft.edits.append(("set", *cell, "stone"))


# Obstacles.


def _obstruct(draft: Draft, draws: Draws) -> None:
    """Places obstacles between start and target."""
    goal = draft.goal_cell()
    if goal is None:
        return
    plain = [m for m in _OBSTACLES if m not in draft.useful] or ["stone"]
    kinds = draws.shuffled("obstacles", plain)[:1] + ["lava"]
    wanted = draft.settings.obstruction["obstacles"]
    for number, kind in enumerate(kinds[:wanted]):
        own = draws.under(f"obstacle{number}")
        share = (number + 1) / (wanted + 1)
        thick = 1 if kind == "lava" else draft.settings.obstruction["thick"]
        cells = _across(draft, goal, share, thick, own.whole("half", 1, 3))
        cells = [c for c in cells if kind != "lava" or distance(c, draft.spawn) > 3]
        draft.edits += [("set", *cell, kind) for cell in cells]
        draft.obstacles += bool(cells)


def _across(
    draft: Draft, goal: Cell, share: float, thick: int, half: int
) -> list[Cell]:
    """Returns open cells of a bar across the line to the goal."""
    (x, y), free = draft.spawn, draft.free()
    upright = abs(goal[0] - x) >= abs(goal[1] - y)
    way = line(draft.spawn, goal)  # not `draft.way()`: an obstacle may be a goal, too
    middle = way[round(share * (len(way) - 1))]
    bar = itertools.product(range(thick), range(-half, half + 1))
    cells = [
        shift(middle, (deep, side) if upright else (side, deep)) for deep, side in bar
    ]
    return [
        cell
        for cell in cells
        if holds(free, cell)
        and distance(cell, goal) > 1
        and max(abs(cell[0] - x), abs(cell[1] - y)) > 1
    ]
