"""Base of the scripted players: mapping, path search and common behaviour.

A player reads observations in JSON form, which give relative positions, and tracks its
own position by counting moves. Its goals and their order are up to the player of each
game.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core import paths
from crafter.core.grid import Cell, shift
from crafter.core.paths import Choice, Path
from crafter.lm.agents.base import Briefing
from crafter.lm.rendering.ascii_map import Track
from crafter.lm.rendering.facts import VECTORS, Rows
from crafter.lm.rendering.words import Words

#: Cost of a step next to an enemy; decreases by two per cell of distance.
FEAR = 6
#: Maximum path length.
LONGEST = 80
#: Bonus for continuing in the present direction, in steps.
PERSISTENCE = 0.6
#: Cost factor of plans with priority.
EAGER = 0.7
#: Energy up to which it stays asleep.
_RESTED = 7
#: Maximum size of a hole that counts as enclosed, in cells.
_HOLE = 6


class Chart(Track):
    """Map of everything seen so far: material, plant or `outside` at each position.

    Args:
      words: The rules of the game.
      enemies: Kinds of creatures to avoid.

    Attributes:
      moves: Action -> step.
      walkable: Materials that are safe to walk on.
      enemies: Kinds of creatures to avoid.
      facing: Direction (dx, dy).
      deadly: Materials that kill the player on entering.
      things: Position -> kind, for creatures and arrows in view.
      inventory: Inventory, including vitals.
      achieved: Achievements so far.
      light: Daylight, 0 to 1; `None` if not visible.
      asleep: Whether the player sleeps or rests.
    """

    def __init__(self, words: Words, enemies: Collection[str]) -> None:
        super().__init__()
        self.moves = {action: VECTORS[name] for name, action in words.moves.items()}
        self.walkable, self.enemies, self.deadly = words.walkable, enemies, words.deadly
        reach = range(-words.reach, words.reach + 1)
        self._near = [(dx, dy) for dx in reach for dy in reach]

    def update(self, data: dict[str, Any]) -> None:
        """Updates the map from an observation in JSON form."""
        self.follow(data["events"])
        self.facing = VECTORS[data["player"]["facing"]]
        self.asleep, self.light = data["player"]["asleep"], data["light"]
        self.achieved = frozenset(data["achievements"])
        owned = {**data["inventory"], **data["vitals"]}
        self.inventory: Mapping[str, int] = collections.Counter(owned)
        names, things = data["view"]["legend"], data["objects"]
        rows = (tuple(names[glyph] for glyph in row) for row in data["view"]["rows"])
        objects = (((t["dx"], t["dy"]), t["kind"], t.get("ripe")) for t in things)
        self.read(Rows(rows), objects)

    def read(self, rows: Rows, things: Iterable[tuple]) -> None:
        """Records the cells around the player and the objects on them.

        Args:
          rows: Materials of the cells in view.
          things: Offset, kind and ripeness of each object in view.
        """
        clear = ((at, name) for at, name in rows.cells() if self.is_clear(name))
        self.cells |= {shift(self.position, at): name for at, name in clear}
        self.things: dict[Cell, str] = {}
        for offset, kind, ripe in things:
            self.note(shift(self.position, offset), kind, ripe)
        self._fear = self.fear()
        self._paths: list[Path] = []
        self._more = paths.search((self.position, self.facing), self._choices, LONGEST)

    def is_clear(self, name: str) -> bool:
        """Returns whether a cell's name identifies what is there."""
        return name != "unclear"

    def note(self, cell: Cell, kind: str, ripe: bool | None) -> None:
        """Records an object in view."""
        if ripe is not None:
            self.cells[cell] = f"ripe {kind}" if ripe else kind
        elif kind not in ("outside", "unclear"):
            self.things[cell] = kind

    def at(self, cell: Cell) -> str | None:
        """Returns the creature at a position, else its material; `None` if unseen."""
        return self.things.get(cell) or self.cells.get(cell)

    def find(self, *names: str) -> set[Cell]:
        """Returns the positions of any of the names."""
        entries = (*self.cells.items(), *self.things.items())
        return {cell for cell, name in entries if name in names}

    def has(self, needs: Mapping[str, int]) -> bool:
        """Returns whether the inventory holds at least these amounts."""
        return all(self.inventory[item] >= amount for item, amount in needs.items())

    def is_open(self, cell: Cell) -> bool:
        """Returns whether a position is safe to walk on."""
        return cell not in self.things and self.cells.get(cell) in self.walkable

    def is_diggable(self, cell: Cell) -> bool:
        """Returns whether `do` would make a position walkable."""
        name = self.at(cell)
        return name is not None and not self.is_open(cell) and self.clears(name)

    def clears(self, material: str) -> bool:
        """Returns whether `do` would turn a material into walkable ground now."""
        raise NotImplementedError

    def near(self, cell: Cell) -> set[str | None]:
        """Returns the materials within crafting distance of a position."""
        return {self.cells.get(shift(cell, offset)) for offset in self._near}

    def fear(self) -> dict[Cell, int]:
        """Returns extra costs of positions near enemies."""
        costs: dict[Cell, int] = {}
        for enemy in self.find(*self.enemies):
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    cell = shift(enemy, (dx, dy))
                    cost = FEAR - 2 * (abs(dx) + abs(dy))
                    costs[cell] = max(cost, costs.get(cell, 0))
        return costs

    def paths(self) -> Iterator[Path]:
        """Yields the cheapest path to each position and facing, in order of cost.

        Facing changes only by moving or bumping into something, so the search runs over
        pairs of position and facing.
        """
        yield from self._paths
        for path in self._more:
            self._paths.append(path)
            yield path

    def path_to(self, arrived: Callable[[Cell, Cell], bool]) -> Path | None:
        """Returns the path to the nearest accepted position and facing, or `None`."""
        return next((path for path in self.paths() if arrived(*path.state)), None)

    def _choices(self, state: tuple[Cell, Cell]) -> Iterator[Choice]:
        cell, facing = state
        for move, vector in self.moves.items():
            target = shift(cell, vector)
            fear = self._fear.get(target, 0)
            if self.is_open(target):
                yield Choice((move,), 1 + fear, (target, vector))
                continue
            name = self.at(target)
            if name is None or name in self.deadly:
                continue
            turn = () if facing == vector else (move,)
            if turn:
                yield Choice(turn, 1 + self._fear.get(cell, 0), (cell, vector))
            if self.is_diggable(target):
                actions = (*turn, "do", move)
                yield Choice(actions, len(actions) + fear, (target, vector))


class Plan(NamedTuple):
    """A candidate action plan.

    Attributes:
      cost: Steps to completion, weighted by priority.
      actions: The actions.
    """

    cost: float
    actions: list[str]


def weighed(
    plan: Plan | None, weight: float = 1.0, farthest: float = math.inf
) -> Plan | None:
    """Returns a plan with weighted cost, or `None` if it is too expensive."""
    if plan is None or plan.cost > farthest:
        return None
    return Plan(weight * plan.cost, plan.actions)


class Player:
    """Common behaviour of scripted players: moving, using, hiding and exploring.

    A subclass may override when and how long it hides (`_hurt`, `_strong`, `_tired`,
    `_wait`), and defines what closes a hole (`_walls`).

    Args:
      chart: The map that it maintains.
      briefing: Information given before the game. Its seed drives the player's own
        randomness, which decides where it explores.
    """

    #: Health at which it hides and comes out again, energy at which it sleeps, and how
    #: many steps it waits at a time.
    _hurt, _strong, _tired, _wait = 3, 6, 3, 5
    #: Materials that can close a hole.
    _walls: Collection[str]
    #: Station -> the action that places it, its costs, and where.
    _stations: Mapping[str, tuple[str, Mapping[str, int], Collection[str]]]
    #: Vital -> its maximum.
    _limits: Mapping[str, int]

    def __init__(self, chart: Any, briefing: Briefing) -> None:
        self._chart, batch = chart, briefing.max_batch
        self._sleep = ["sleep until awake"] if briefing.macros else ["sleep"] * batch
        self._random = np.random.default_rng(briefing.seed)
        self._heading = self._draw_heading()
        self._hiding = False

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions for an observation in JSON form."""
        self._chart.update(data)
        return self._choose()

    def _choose(self) -> list[str]:
        for rule in self._rules_first():
            actions = rule()
            if actions:
                return actions
        plans = (plan for plan in self._plans() if plan is not None)
        best = min(plans, key=lambda plan: plan.cost, default=None)
        return best.actions if best is not None else self._explore()

    def _rules_first(self) -> Iterable[Callable[[], list[str]]]:
        """Returns rules that take precedence over plans, most urgent first."""
        return self._sleep_on, self._fight, self._hide

    def _plans(self) -> Iterator[Plan | None]:
        """Yields a plan for every open goal."""
        raise NotImplementedError

    # Urgent rules.

    def _sleep_on(self) -> list[str]:
        return list(self._sleep) if self._chart.asleep else []

    def _fight(self) -> list[str]:
        """Attacks an adjacent enemy."""
        chart = self._chart
        for move, vector in chart.moves.items():
            kind = chart.things.get(shift(chart.position, vector))
            if kind in chart.enemies:
                turn = [] if chart.facing == vector else [move]
                return turn + ["do"] * self._strokes(kind)
        return []

    def _strokes(self, kind: str) -> int:
        """Returns how many hits a creature takes."""
        raise NotImplementedError

    def _hide(self) -> list[str]:
        """Returns the actions for a rest in a sealed hole, if one is due."""
        has, hiding = self._chart.inventory, self._hiding
        weak = has["health"] <= (self._strong if hiding else self._hurt)
        tired = has["energy"] <= (_RESTED if hiding else self._tired)
        self._hiding = (weak or tired) and min(has["food"], has["drink"]) > 1
        if not self._hiding:
            return []
        if self._enclosed():
            return (
                list(self._sleep) if self._missing("energy") else ["noop"] * self._wait
            )
        return self._dig_in() or self._hide_in_the_open(tired)

    def _missing(self, vital: str) -> int:
        """Returns how much of a vital could be regained."""
        return max(self._limits[vital] - self._chart.inventory[vital], 0)

    def _hide_in_the_open(self, tired: bool) -> list[str]:
        """Returns what to do without rock to hide in."""
        raise NotImplementedError

    def _enclosed(self) -> bool:
        """Returns whether the walkable area around the player is closed."""
        chart = self._chart
        region, border = {chart.position}, [chart.position]
        while border:
            cell = border.pop()
            for vector in chart.moves.values():
                after = shift(cell, vector)
                if after in region:
                    continue
                if chart.at(after) is None or len(region) > _HOLE:
                    return False
                if chart.is_open(after) or after in chart.things:
                    region.add(after)
                    border.append(after)
        return region.isdisjoint(chart.things)

    def _dig_in(self) -> list[str]:
        """Digs two cells into rock and closes the entrance with a stone."""
        chart = self._chart

        def fits(cell: Cell, facing: Cell) -> bool:
            side = (facing[1], facing[0])
            inside = [shift(cell, facing), shift(cell, facing, 2)]
            walls = [shift(c, side, sign) for c in inside for sign in (1, -1)]
            walls.append(shift(cell, facing, 3))
            dug = sum(chart.at(c) == "stone" for c in inside)
            return (
                all(chart.is_open(c) or chart.is_diggable(c) for c in inside)
                and chart.inventory["stone"] + dug > 0
                and all(chart.at(c) in self._walls for c in walls)
            )

        path = chart.path_to(fits)
        if path is None:
            return []
        actions, (cell, facing) = path.actions(), path.state
        names = {vector: name for name, vector in chart.moves.items()}
        for steps in (1, 2):
            actions += [] if chart.is_open(shift(cell, facing, steps)) else ["do"]
            actions.append(names[facing])
        return [*actions, names[-facing[0], -facing[1]], "place_stone"]

    # Moving and using.

    def _go(self, arrived: Callable[[Cell, Cell], bool], *then: str) -> Plan | None:
        """Plans a path to the nearest accepted position and facing, then actions."""
        path = self._chart.path_to(arrived)
        if path is None:
            return None
        return Plan(path.cost + len(then), [*path.actions(), *then])

    def _use(self, targets: set[Cell], times: int = 1) -> Plan | None:
        """Plans to apply `do` to the nearest target."""
        if not targets:
            return None
        strokes = ["do"] * times
        return self._go(lambda at, facing: shift(at, facing) in targets, *strokes)

    def _hunt(self, kind: str) -> Plan | None:
        strokes = self._strokes(kind)
        plan = self._use(self._chart.find(kind), strokes)
        if plan is None or len(plan.actions) <= strokes + 2:
            return plan
        return Plan(plan.cost, plan.actions[:-strokes][:4])  # it will have moved then

    def _place(
        self, action: str, where: Collection[str], near: Collection[str] = ()
    ) -> Plan | None:
        """Plans to place something on one of some materials, near some stations."""
        chart = self._chart

        def fits(cell: Cell, facing: Cell) -> bool:
            target = shift(cell, facing)
            free = chart.cells.get(target) in where and target not in chart.things
            return free and (not near or chart.near(cell).issuperset(near))

        return self._go(fits, action)

    def _make(
        self, action: str, uses: Mapping[str, int], near: Collection[str]
    ) -> Plan | None:
        """Plans to craft an item, or to place a missing station.

        Args:
          action: The crafting action.
          uses: Item -> amount used.
          near: Stations required nearby.
        """
        chart, needed = self._chart, set(near)
        walk = self._go(lambda cell, facing: needed <= chart.near(cell), action)
        walk = weighed(walk, EAGER)
        here = chart.near(chart.position)
        lacking = [station for station in near if station not in here]
        cost = collections.Counter(uses)
        for station in lacking:
            cost.update(self._stations[station][1])
        if not lacking or not chart.has(cost) or (walk and walk.cost < 12):
            return walk
        place, _, where = self._stations[lacking[0]]
        plan = self._place(place, where)
        return walk if plan is None else Plan(plan.cost + 1.0, plan.actions)

    # Exploring.

    def _explore(self) -> list[str]:
        """Heads for unseen ground, roughly keeping one direction."""
        chart, (east, south) = self._chart, self._heading
        steps, (x, y) = chart.moves.values(), chart.position
        candidates: list[tuple[float, Path | None]] = [(math.inf, None)]
        for path in chart.paths():
            cell, _ = path.state
            explored = all(shift(cell, step) in chart.cells for step in steps)
            if path.before is not None and not explored:
                ahead = (cell[0] - x) * east + (cell[1] - y) * south
                candidates.append((path.cost - PERSISTENCE * ahead, path))
        price, best = min(candidates, key=lambda pair: pair[0])
        if price > 12:
            self._heading = self._draw_heading()
        if best is not None:
            return best.actions()
        return [str(self._random.choice(list(chart.moves)))]

    def _draw_heading(self) -> tuple[float, float]:
        angle = self._random.uniform(0, 2 * math.pi)
        return math.cos(angle), math.sin(angle)
