"""Scripted solver: sees the whole floor, and has one method for each subgoal.

It works on the first open subgoal of a goal. On the way it fights attackers, drinks,
eats and sleeps as needed. It does not look ahead and ignores negated subgoals.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.core.grid import Cell, cells_of, distance, mask_of, neighbours, shift
from crafter.core.regions import FAR, waves
from crafter.games.craftax.rows import ATTRIBUTES
from crafter.games.craftax.tables import load
from crafter.games.craftax.tasks import conditions as c
from crafter.games.craftax.tasks.view import TaskView
from crafter.tasks.episodes.agents import Planned
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Monitor, Node, Verdict
from crafter.tasks.world.conditions import AnyOf, Comparison, Condition

_WAIT = "noop"
#: Cost of a creature in the way; food and drink, energy, and share of health to mend.
_STRIKE, _LOW, _TIRED, _HURT = 4, 2, 1, 0.5
_SHOT_REACH, _CALM, _STATION_FAR = 6, 6, 12
#: How often it turns elsewhere beside a goal, so that it does not walk to and fro.
_TURN_AWAY = 0.2


class Solver:
    """Chooses actions for a goal.

    Args:
      monitor: How the goal fares.
      view: The game.

    Attributes:
      reason: Why it gave up, one of `crafter.tasks.episodes.reasons`, or `None`.
    """

    def __init__(self, monitor: Monitor, view: TaskView) -> None:
        self.reason: str | None = None
        self._monitor, self._view = monitor, view
        self._tables, self._body = load(view.rules), view.body
        self._random = random.Random(0)
        self._aim: tuple[int, Cell] | None = None
        self._weapon: str | None = None

    def act(self) -> str:
        """Returns the name of the next action."""
        if self._body.sleeping or self._body.resting:
            return _WAIT
        try:
            first = self._defend() or self._look_after()
            return first or self._node(self._monitor.root) or _WAIT
        except Unsolved as error:
            self.reason = str(error)
            return _WAIT

    def _node(self, node: Node) -> str | None:
        """Returns an action for the first open part of a goal."""
        term = node.term
        if node.verdict in (Verdict.DONE, Verdict.FAILED) or term.op == "not":
            return None
        if term.op not in ("event", "state"):
            parts = node.children[-1:] if term.op == "sequence" else node.children
            return next(filter(None, map(self._node, parts)), None)
        for guard in term.guards:
            if guard.kind != "using" and not guard.condition.holds(self._view):
                return self._bring(guard.condition) or _WAIT
        if term.op == "state":
            return self._bring(term.goal.condition) or _WAIT
        filters = {n: v[0] if isinstance(v, tuple) else v for n, v in term.goal.filters}
        return self._way(term.goal.type, filters)

    def _bring(self, condition: Condition) -> str | None:
        """Returns an action that helps a condition to hold, or `None` to wait."""
        parts = [p for p in condition.conjuncts() if not p.holds(self._view)]
        if not parts:
            return None
        if isinstance(parts[0], AnyOf):
            return self._bring(parts[0].conditions[0])
        if not isinstance(parts[0], Comparison):
            return self._way(parts[0].word, vars(parts[0]))
        name, number = getattr(parts[0].quantity, "item", ""), parts[0].number
        if parts[0].relation in ("<", "<="):
            return None
        if name in _WAYS:
            return self._way(name, {"n": int(number)})
        return self._have(name, int(number + (parts[0].relation == ">")))

    def _way(self, name: str, how: Mapping[str, Any]) -> str | None:
        if name not in _WAYS:
            raise Unsolved("no_method", name)
        return _WAYS[name](self, how)

    # Going, turning and striking.

    def _toward(self, goals: np.ndarray) -> Cell:
        """Returns the first cell of the cheapest way to one of some cells.

        Raises:
          Unsolved: If there is none, or no way to it.
        """
        if not goals.any():
            raise Unsolved("no_target")
        costs = self._view.crossing()
        for cell in self._view.creatures():
            costs[cell] += _STRIKE
        costs[goals] = 1
        ways, body = costs + waves(costs, goals), self._body
        beside = [x for x in neighbours(body.position) if x in body.floor and costs[x]]
        best = min(beside, key=lambda cell: int(ways[cell]), default=None)
        if best is None or ways[best] >= FAR:
            raise Unsolved("unreachable")
        return best

    def _turn(self, cell: Cell) -> str:
        """Returns the move towards a cell beside the player."""
        way = cell[0] - self._body.row, cell[1] - self._body.col
        return self._tables.direction_names[self._tables.vectors.index(way) - 1]

    def _enter(self, cell: Cell) -> str:
        """Returns what brings the player into a cell beside it."""
        open_here = self._body.floor.is_open(*cell, self._tables.barred["land"])
        if open_here or cell != self._body.target:
            return self._turn(cell)
        block = self._body.floor.block_map[cell]
        barred = self._tables.barred["land"][block] and not self._tables.solid[block]
        creature = cell in self._view.creatures()
        return "place_stone" if barred and not creature else "do"

    def _go(self, goals: np.ndarray) -> str | None:
        """Returns a step to one of some cells; `None` if the player is in one."""
        here = self._body.position
        return None if goals[here] else self._enter(self._toward(goals))

    def _beside(self, goals: np.ndarray, action: str = "do") -> str:
        """Returns a step to one of some cells, or the action if it is in front."""
        ahead = self._body.target
        if ahead in self._body.floor and goals[ahead]:
            return action
        cell = self._toward(goals)
        if not goals[cell]:
            return self._enter(cell)
        if self._random.random() < _TURN_AWAY:  # where it is walked in, not faced
            cell = self._random.choice(neighbours(self._body.position))
        return self._turn(cell)

    def _where(self, *names: str) -> np.ndarray:
        everywhere = slice(None), slice(None)
        return np.any([self._view.where(n, everywhere) for n in names], 0)

    def _use(self, *blocks: str) -> str:
        return self._beside(self._where(*blocks))

    def _wander(self) -> str:
        """Returns a step to a place chosen at random, and then to another."""
        level, here = self._body.level, self._body.position
        costs = self._view.crossing()
        while self._aim is None or self._aim[0] != level or self._aim[1] == here:
            self._aim = level, self._random.choice(cells_of(costs == 1))
        try:
            return self._enter(self._toward(mask_of(costs.shape, [self._aim[1]])))
        except Unsolved:
            self._aim = None
            return _WAIT

    # Staying alive.

    def _foes(self, reach: int) -> list[Cell]:
        cells = self._view.creatures(*self._view.hostile)
        return [x for x in cells if distance(x, self._body.position) <= reach]

    def _defend(self) -> str | None:
        """Strikes at a monster beside the player, and rests after a fight."""
        body, foes = self._body, self._foes(1)
        if foes and body.target in foes:
            return self._missile() or "do"
        if foes:
            return self._turn(min(foes))
        hurt = body.health <= _HURT * body.maxima["health"]
        well = body.food > 0 and body.drink > 0
        calm = not self._foes(_CALM) and not self._view.shots()
        return "rest" if hurt and well and calm else None

    def _look_after(self) -> str | None:
        """Drinks, eats and sleeps, where it can."""
        body = self._body
        if body.energy <= _TIRED and not self._foes(_CALM // 2):
            return "sleep"
        for amount, way in ((body.drink, "drink"), (body.food, "food")):
            with contextlib.suppress(Unsolved):
                if amount <= _LOW:
                    return self._way(way, {})
        return None

    # Ways to events.

    def _have(self, item: str, amount: int) -> str | None:
        """Returns a step to an amount of an item, or `None` if it is there."""
        if self._view.amount(item) >= amount:
            return None
        for name, recipe in self._tables.recipes.items():
            if recipe.raises.get(item, 0) >= amount or item in recipe.gives:
                return self._make({"what": name})
        return self._get({"what": item})

    def _supply(self, items: Mapping[str, int]) -> str | None:
        return next(filter(None, (self._have(*item) for item in items.items())), None)

    def _get(self, how: Mapping[str, Any]) -> str:
        """Collects something."""
        item, rows = how["what"], self._tables.data["collect"]
        blocks = {
            name: row.get("pickaxe", 0)
            for name, row in rows.items()
            if item in {**row.get("gives", {}), **row.get("restores", {})}
        }
        if not blocks:
            raise Unsolved("missing", item)
        return self._have("pickaxe", min(blocks.values())) or self._use(*blocks)

    def _make(self, how: Mapping[str, Any]) -> str:
        recipe, names = self._tables.recipes[how["what"]], self._tables.block_names
        if step := self._supply(recipe.uses):
            return step
        for block in recipe.near:
            if block not in self._body.floor.blocks_around(self._body.position):
                return self._station(names[block])
        return f"make_{how['what']}"

    def _station(self, block: str) -> str:
        """Goes to a station that is near, or places one."""
        here, mask = self._body.position, self._where(block)
        if any(distance(cell, here) <= _STATION_FAR for cell in cells_of(mask)):
            return self._beside(mask, _WAIT)
        rows, number = self._tables.place.items(), self._tables.block_ids[block]
        return self._place({"what": next(n for n, r in rows if r.block == number)})

    def _place(self, how: Mapping[str, Any]) -> str:
        what, floor = how["what"], self._body.floor
        rule = self._tables.place[what]
        if step := self._supply(rule.uses):
            return step
        fits = np.frombuffer(rule.where, np.uint8)[floor.block_map] > 0
        fits &= (floor.item_map == 0) & (floor.occupied_map == 0)
        if "on" in how:
            fits &= self._where(how["on"])
        fits[self._body.position] = False
        return self._beside(fits, f"place_{what}")

    def _eat(self, how: Mapping[str, Any]) -> str:
        what = how.get("what")
        return self._hunt(*([what] if what else self._view.rules.creatures["passive"]))

    def _fight(self, how: Mapping[str, Any]) -> str:
        self._weapon = how.get("by")
        return self._hunt(*([how["kind"]] if "kind" in how else self._view.hostile))

    def _missile(self) -> str | None:
        """Returns a shot, if the player has one and may use it now."""
        body, weapon = self._body, self._weapon
        for name, spell in self._tables.spells.items():
            able = body.learned_spells[spell.id] and body.mana >= spell.mana
            if able and weapon in (None, name):
                return f"cast_{name}"
        armed = body.inventory["bow"] and body.inventory["arrows"]
        return "shoot_arrow" if armed and weapon in (None, "arrow2") else None

    def _hunt(self, *kinds: str) -> str:
        """Strikes or shoots at a creature, goes to it, or looks for one."""
        cells, ahead = self._view.creatures(*kinds), self._body.position
        for _ in range(_SHOT_REACH if self._missile() else 0):
            ahead = shift(ahead, self._body.facing)
            if ahead in cells:
                return self._missile() or _WAIT
        try:
            return self._beside(mask_of(self._body.floor.block_map.shape, cells))
        except Unsolved:
            return self._wander()

    def _clear(self, how: Any = None) -> str:
        return self._fight({})

    def _travel(self, how: Mapping[str, Any]) -> str | None:
        """Goes to a floor, by ladders."""
        body, floor = self._body, self._body.floor
        if body.level == how["floor"]:
            return self._travel({"floor": body.level - 1 if body.level else 1})
        down = how["floor"] > body.level
        if down and not self._view.way_open:
            return self._clear()
        ladder = floor.down_ladder if down else floor.up_ladder
        go = self._go(mask_of(floor.block_map.shape, [ladder]))
        return go or ("descend" if down else "ascend")

    def _shoot(self, how: Mapping[str, Any]) -> str:
        what = how.get("what", "arrow2")
        if what in self._tables.spells:
            enough = self._body.mana >= self._tables.spells[what].mana
            return f"cast_{what}" if enough else _WAIT
        return self._have("bow", 1) or self._have("arrows", 1) or "shoot_arrow"

    def _drink(self, how: Mapping[str, Any]) -> str:
        fresh = sorted(
            self._tables.data["inventory"]["potions"]["each"],
            key=lambda colour: colour in self._view.tasted,
        )
        for colour in [how["colour"]] if "colour" in how else fresh:
            if self._view.amount(f"potion_{colour}"):
                return f"drink_potion_{colour}"
        return self._use("chest")

    def _enchant(self, how: Mapping[str, Any]) -> str:
        what, body = how["what"], self._body
        verb = what if what in ("sword", "bow") else "armour"
        for block, element in self._tables.elements.items():
            asked = how.get("element", element.name) in (element.name, c.ANY)
            if asked and body.inventory[element.gem]:
                if body.mana < self._tables.data["enchanting"]["mana"]:
                    return _WAIT
                table = self._where(self._tables.block_names[block])
                return self._beside(table, f"enchant_{verb}")
        raise Unsolved("missing", "gem")

    def _boss(self, how: Any = None) -> str:
        """Strikes the boss when it can be hit, and before that its creatures."""
        if not self._body.in_graveyard:
            return self._travel({"floor": self._tables.boss_floor}) or _WAIT
        if self._view.boss_open:
            return self._use(self._tables.data["boss"]["block"])
        return self._clear() if self._foes(2 * _CALM) else _WAIT

    def _sleep(self, how: Any = None) -> str:
        full = self._body.energy >= self._body.maxima["energy"]
        return _WAIT if full else "sleep"

    def _read(self, how: Any = None) -> str:
        return "read_book" if self._body.inventory["books"] else self._use("chest")

    def _stand(self, how: Mapping[str, Any]) -> str | None:
        return self._go(self._where(how.get("what") or how["material"]))

    def _face(self, how: Mapping[str, Any]) -> str:
        return self._beside(self._where(how["what"]), _WAIT)


Way = Callable[[Solver, Mapping[str, Any]], "str | None"]


def _action(name: str) -> Way:
    return lambda me, how: name


#: Type of an event, word of a condition or name of a number -> what helps with it,
#: called with filters or arguments, or with the number as `n`.
_WAYS: dict[str, Way] = {
    "collected": Solver._get,
    "made": Solver._make,
    "placed": Solver._place,
    "entered": Solver._travel,
    "shot": Solver._shoot,
    "potion": Solver._drink,
    "read": Solver._read,
    "enchanted": Solver._enchant,
    "floor": lambda me, it: me._travel({"floor": c.FLOORS.index(it["name"])}),
    "floor_number": lambda me, it: me._travel({"floor": it["n"]}),
    "potions_known": lambda me, it: me._drink({}),
    "around": lambda me, it: me._hunt(it["kind"]),
    "armour": lambda me, it: me._make({"what": "iron_armour"}),
    "glow": lambda me, it: me._place({"what": "torch"}),
    "drink": lambda me, it: me._get({"what": "drink"}),
    "act": lambda me, it: str(it["action"]),
    "levelled_up": lambda me, it: f"level_up_{it.get('attribute', 'strength')}",
    **dict.fromkeys(("ate", "food"), Solver._eat),
    **dict.fromkeys(("defeated", "hit"), Solver._fight),
    **dict.fromkeys(("ladder_opened", "way_open", "kills"), Solver._clear),
    **dict.fromkeys(("opened", "found"), lambda me, it: me._use("chest")),
    **dict.fromkeys(("boss_hit", "won", "boss_open", "boss_hits"), Solver._boss),
    **dict.fromkeys(("fell_asleep", "woke", "asleep", "energy"), Solver._sleep),
    **dict.fromkeys(("knows", "spells"), Solver._read),
    **dict.fromkeys(("saw", "sees", "on"), Solver._stand),
    **dict.fromkeys(("near", "facing"), Solver._face),
    **dict.fromkeys(("rested", "stood_up", "resting", "health"), _action("rest")),
    **dict.fromkeys(("dusk", "dawn", "night", "day", "still", "mana"), _action(_WAIT)),
    **{name: _action(f"level_up_{name}") for name in ATTRIBUTES},
}


class Oracle(Planned):
    """Agent that follows the solver."""

    def plan(self, goal: Goal, monitor: Monitor, view: Any) -> Solver:
        """Returns the solver of an episode."""
        return Solver(monitor, view)
