"""Checks that a scene has to pass, repairs, and the ranking of starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from crafter.core.clock import daylight
from crafter.core.grid import distance, neighbours
from crafter.core.regions import FAR, holds, region
from crafter.games.crafter.map_edits import line
from crafter.games.crafter.planner.recipes import recipe, sources
from crafter.games.crafter.tasks import tables
from crafter.games.crafter.tasks.scenes.draft import (
    Draft,
    needs_of,
    owns_pickaxe,
    working,
)
from crafter.games.crafter.tasks.scenes.layout import place_target
from crafter.games.crafter.tasks.scenes.scene import Scene
from crafter.games.crafter.tasks.scenes.settings import named
from crafter.games.crafter.tasks.view import HOSTILE, TaskView
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language.goals import Not, walk_over
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.scenes import SceneError, settled_by
from crafter.tasks.scenes.random import Draws

_ROOM = 6  # open cells around the start
_DETOUR = 8  # steps that an obstacle may add
_AROUND = 9  # steps within which hostile creatures come for the player
_SPARE = 2  # health that is left when each of them has struck once
_LIGHT = 100  # steps of light without which it is as good as night for such a player
_WALL = 4  # stones with which a player with a pickaxe can shut itself in

Repair = Callable[[Draft, Draws], bool]


def settled(draft: Draft, scene: Scene) -> str | None:
    """Returns why a finished scene is rejected, or `None`.

    `goal_true` or `goal_failed` if the first idle step settles the goal, `edge` if an
    edit of the task reaches beyond the map.
    """
    try:
        world, player = scene.build(draft.rules)
    except SceneError:
        return "edge"
    clock = scene.clock
    columns, rows = tables.zones()["window"]
    view = TaskView(world, player, (columns, rows), lambda: clock)
    tracker = Tracker(view, draft.task.goal)
    return settled_by(tracker, draft.rules.actions[0], ())


# Checks.


def _marks(draft: Draft) -> bool:
    width, height = draft.ground.area
    return all(
        min(x, y, w - 1, h - 1, width - x - w, height - y - h) >= 0
        for x, y, w, h in draft.marks.values()
    )


def _edge(draft: Draft) -> bool:
    (x, y), (width, height) = draft.spawn, draft.ground.area
    return 2 <= x < width - 2 and 2 <= y < height - 2


def _spawn_open(draft: Draft) -> bool:
    ground = draft.ground
    beside = sum(holds(ground.open, cell) for cell in neighbours(draft.spawn))
    room = beside >= 2 and region(ground.open, draft.spawn, _ROOM - 1) is None
    return bool(ground.open[draft.spawn]) and (room or owns_pickaxe(draft.inventory))


def _spawn_safe(draft: Draft) -> bool:
    x, y = draft.spawn
    lava = draft.ground.made_of("lava")[max(0, x - 1) : x + 2, max(0, y - 1) : y + 2]
    return not lava.any() and not any(_threatens(draft, *it) for it in draft.hostiles())


def _threatens(draft: Draft, kind: str, cell: tuple[int, int]) -> bool:
    far = distance(cell, draft.spawn)
    if kind == "zombie":
        return far <= 4
    return far <= 5 and (cell[0] == draft.spawn[0] or cell[1] == draft.spawn[1])


def _bearable(draft: Draft) -> bool:
    if _untouchable(draft) and _near(draft):
        return False
    return not _benighted(draft) and draft.vitals["health"] >= _wanted_health(draft)


def _near(draft: Draft) -> list[tuple[int, int]]:
    """Returns the cells of hostile creatures that will attack."""
    cells = [cell for _, cell in draft.hostiles()]
    return [cell for cell in cells if distance(cell, draft.spawn) <= _AROUND]


def _untouchable(draft: Draft) -> bool:
    """Returns whether the goal fails when the player is hurt."""
    forbidden = [p.goal for p in walk_over(draft.task.goal) if isinstance(p, Not)]
    return any(str(goal) in ("damaged", "hurt") for goal in forbidden)


def _benighted(draft: Draft) -> bool:
    """Returns whether a defenceless player faces the night.

    Tasks that set the time of day are exempt.
    """
    task = draft.task
    free = "clock" not in task.scene_of(task.axes.levels["light"])
    return free and _dark(draft, draft.clock) and not _defended(draft)


def _wanted_health(draft: Draft) -> int:
    """Returns the health that survives the attacks of nearby creatures.

    Against a sword each of them strikes once; without one, fights last so long that
    the others strike again.
    """
    count = len(_near(draft))
    blows = count if _armed(draft) else count * (count + 1) // 2
    harm = blows * int(draft.rules.creatures["zombie"]["damage"])
    return harm + _SPARE if harm else 0


def _dark(draft: Draft, clock: int) -> bool:
    """Returns whether zombies appear now, or night falls soon."""
    time = draft.rules.time
    return _most(draft, "zombie", clock) >= 1 or (
        daylight(clock + _LIGHT, time) < time["dark"]
    )


def _defended(draft: Draft) -> bool:
    """Returns whether the player has a sword, or can enclose itself."""
    walls = owns_pickaxe(draft.inventory) and draft.inventory.get("stone", 0) >= _WALL
    return walls or _armed(draft)


def _armed(draft: Draft) -> bool:
    return any(n and item in draft.rules.damage for item, n in draft.inventory.items())


def _targets_there(draft: Draft) -> bool:
    needs = needs_of(draft.task)
    return not draft.unplaced and all(draft.where(kind).any() for kind in needs)


def _target_near(draft: Draft) -> bool:
    if draft.target is None or draft.settings.base != "natural":
        return True
    near, far = draft.settings.distance["band"]
    steps = draft.steps_to(draft.target, **working(draft.inventory))
    far += _DETOUR * draft.obstacles
    return steps >= FAR or min(near, 2) <= steps <= far  # no way is `unreachable`


def _reachable(draft: Draft) -> bool:
    needs, way = needs_of(draft.task), working(draft.inventory)
    if not (owns_pickaxe(draft.inventory) or _makes_pickaxe(draft)):
        if needs and named(draft.task) & _diggers(draft).keys():
            return False  # a task without needs is done where it starts
        way = {}
        needs = [kind for kind in needs if not _appears(draft, kind)]
    return all(draft.steps_to(kind, **way) < FAR for kind in needs)


def _appears(draft: Draft, kind: str) -> bool:
    """Returns whether a kind of creature can spawn within walking distance."""
    rule = draft.rules.balance["kinds"].get(kind)
    if rule is None:
        return False
    room = draft.ground.made_of(rule["material"]) & (draft.walk() < FAR)
    return bool(room.sum() >= rule["space"])


def _diggers(draft: Draft) -> Mapping[str, int]:
    """Returns the tools that stone requires."""
    tools: Mapping[str, int] = draft.rules.collect["stone"]["require"]
    return tools


def _makes_pickaxe(draft: Draft) -> bool:
    """Returns whether a pickaxe can be made from nothing, stations included."""
    tools, rules = _diggers(draft), draft.rules
    nearby = {name for tool in tools for name in rules.make[tool]["nearby"]}
    standing = [name for name in sorted(nearby) if draft.steps_to(name) < FAR]
    try:
        steps = recipe(rules, tools, draft.inventory, standing)
    except Unsolved:
        return False
    return all(
        _can_gather(draft, s.what, s.amount) for s in steps if s.verb == "collect"
    )


def _can_gather(draft: Draft, item: str, left: int) -> bool:
    """Returns whether an amount of an item can be gathered without tools."""
    rules, ground = draft.rules.collect, draft.ground
    materials = [m for m in sources(draft.rules, item) if not rules[m]["require"]]
    if any(rules[m]["leaves"] == m for m in materials):
        left = 1  # inexhaustible
    supply = ground.made_of(*materials)
    # Gathering can open the way to more.
    way = region(ground.open | supply, draft.spawn, supply.size)
    return way is not None and sum(bool(supply[c]) for c in way.cells) >= left


def _most(draft: Draft, kind: str, clock: int) -> float:
    """Returns how many of a kind a chunk may hold at a time of the day."""
    rule = draft.rules.balance["kinds"].get(kind)
    if rule is None:
        return float("inf")
    most, light = rule["maximum"], daylight(clock, draft.rules.time)
    return float(most["constant"] + most["per_daylight"] * light)


# Repairs.


def _move_creatures(draft: Draft, draws: Draws) -> bool:
    """Removes creatures that are too near."""
    near = [kind for kind, cell in draft.hostiles() if _threatens(draft, kind, cell)]
    draft.mobs = [
        mob
        for mob in draft.mobs
        if mob["kind"] not in HOSTILE
        or not _threatens(draft, mob["kind"], tuple(mob["position"]))
    ]
    for kind in near:
        draft.remove_mobs[kind] = max(draft.remove_mobs.get(kind, 0), 5)
    return bool(near)


def _ease(draft: Draft, draws: Draws) -> bool:
    """Adds health, then light, then removes creatures, until the start is bearable.

    Health stays in the range of the level, and settings of the task are kept.
    """
    draft.vitals["health"] = max(
        draft.vitals["health"],
        min(_wanted_health(draft), draft.settings.vitals["health"][1]),
    )
    if _benighted(draft):
        hours = [c for c in range(draft.rules.time["day"]) if not _dark(draft, c)]
        draft.clock = draws.one("hour", hours)
    wanted = [mob["kind"] for mob in draft.settings.mobs]
    while not _bearable(draft):
        extra = [mob for mob in draft.mobs if mob["kind"] in HOSTILE]
        if len(extra) > sum(kind in HOSTILE for kind in wanted):
            draft.mobs.remove(extra[-1])
        elif not set(HOSTILE) & set(wanted) and not draft.remove_mobs:
            draft.remove_mobs = dict.fromkeys(HOSTILE, _AROUND)
        else:
            return False
    return True


def _place_targets(draft: Draft, draws: Draws) -> bool:
    missing = [kind for kind in needs_of(draft.task) if not draft.where(kind).any()]
    return all(place_target(draft, kind, draws) for kind in missing)


def _carve(draft: Draft, draws: Draws) -> bool:
    """Carves a path through rock and water to what cannot be reached."""
    changed = False
    for kind in needs_of(draft.task):
        goal = draft.ground.nearest(draft.spawn, draft.where(kind))
        if goal is None or draft.steps_to(kind) < FAR:
            continue
        closed = [c for c in line(draft.spawn, goal)[1:-1] if not draft.ground.open[c]]
        draft.edits += [("set", *cell, "path") for cell in closed]
        changed = changed or bool(closed)
    return changed


# Ranking.


def score(draft: Draft) -> float:
    """Returns the quality of a start, 0 to 1."""
    spawn, goal, near = draft.spawn, draft.goal_cell(), _near(draft)
    sides = {(x > spawn[0], y > spawn[1]) for x, y in near}
    parts = [1.0 if len(near) < 2 or len(sides) > 1 else 0.5]
    parts.append(sum(holds(draft.ground.open, c) for c in neighbours(spawn)) / 4)
    if goal is not None:
        parts.insert(0, min(distance(goal, spawn) / 3, 1.0))
    return sum(parts) / len(parts)


# All of them.


class Check(NamedTuple):
    """Check that a scene has to pass.

    Attributes:
      wrong: Description of a failure.
      passes: Returns whether a draft passes; `None` for checks of finished scenes.
      repair: Changes a failed draft and returns whether it changed anything; `None`
        without a repair.
    """

    wrong: str
    passes: Callable[[Draft], bool] | None = None
    repair: Repair | None = None


#: Reason code -> check, in order.
CHECKS = {
    "marks": Check("a mark lies outside the map", _marks),
    "edge": Check("the start is too near to the edge of the map", _edge),
    "spawn_blocked": Check("the player has no room to walk at the start", _spawn_open),
    "spawn_danger": Check("the start is too dangerous", _spawn_safe, _move_creatures),
    "outnumbered": Check(
        "the creatures around, or the night, would take all health", _bearable, _ease
    ),
    "target_missing": Check(
        "what the task needs is not there", _targets_there, _place_targets
    ),
    "target_far": Check(
        "what the task needs is not at the distance that was asked for", _target_near
    ),
    "unreachable": Check("there is no way to what the task needs", _reachable, _carve),
    "goal_true": Check("the goal is reached from the first moment"),
    "goal_failed": Check("the goal cannot be reached from the first moment"),
}


def problem(draft: Draft) -> str | None:
    """Returns the reason code of the first check that a draft fails, or `None`."""
    failed = (
        name for name, one in CHECKS.items() if one.passes and not one.passes(draft)
    )
    return next(failed, None)


def mended(draft: Draft, draws: Draws) -> str | None:
    """Repairs a draft, each problem once; returns why it still fails, or `None`."""
    while True:
        reason = problem(draft)
        mend = None if reason is None else CHECKS[reason].repair
        if reason is None or mend is None or reason in draft.repaired:
            return reason
        draft.repaired.append(reason)
        if not mend(draft, draws.under(reason)):
            return reason
