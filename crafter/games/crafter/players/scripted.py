"""Scripted player, for demonstrations, comparisons and tests.

It keeps a map of what it has seen, works out from the rules of the game what it still
needs, and does whatever is nearest: gathers, crafts, eats, drinks, fights, sleeps, and
walls itself in when it is hurt or tired. It knows nothing that its screen does not
show, or that a language model would not be told.

Example:
    player = ScriptedPlayer()
    observation, info = env.reset(seed=3)
    done = False
    while not done:
        action = player.act(env, info)
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core.grid import Cell, distance, shift
from crafter.core.paths import Way
from crafter.games.crafter.players.chart import ENEMIES, Chart, Search
from crafter.games.crafter.rules import Rules, default

#: Food and drink at which it looks for more, and up to which it fills up then.
LOW, FULL = 4, 9
#: Health at which it hides, and at which it fights on.
HURT, STRONG = 3, 5
#: Energy at which it goes to bed.
TIRED = 3
#: Light below which it does not sleep in the open.
BRIGHT = 0.6
#: Wood it likes to carry before it leaves the trees.
WOOD_STOCK = 5
#: Extra steps that it walks in its present direction rather than turn around.
PERSISTENCE = 0.6
#: How near enemies are when it thinks again before each step.
WATCH = 2
#: How much nearer a thing feels that is wanted more.
_EAGER = 0.7
#: What closes a hole in the rock.
_WALLS = ("stone", "coal", "iron", "diamond", "tree", "water", "table")
#: The largest hole, in cells.
_HOLE = 6


class Plan(NamedTuple):
    """Possible next action.

    Attributes:
      cost: Steps until it is done, weighted by how much it is wanted.
      actions: How to do it.
    """

    cost: float
    actions: list[str]


class ScriptedPlayer:
    """Chooses actions from what it has seen; one object plays one game.

    Args:
      seed: Of its own random numbers, which decide where it looks around.
      rules: The rules of the game; the default ones by default.
      batch: Most actions at once.
      macros: Whether `sleep until awake` is an action.
    """

    def __init__(
        self,
        seed: int = 0,
        rules: Rules | None = None,
        batch: int = 20,
        macros: bool = False,
    ) -> None:
        self._rules = rules or default()
        self._random = np.random.default_rng(seed)
        self._chart = Chart(self._rules)
        self._heading = self._draw_heading()
        self._sleep = ["sleep until awake"] if macros else ["sleep"] * batch
        self._hiding = False
        self._planned: list[str] = []
        self._health = 0

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""
        self._chart.update(data)
        return self._choose()

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action in an environment.

        Args:
          env: The environment; its snapshot is read, and of the map only what is in
            view.
          info: What it returned last; not used.
        """
        chart, game = self._chart, env.unwrapped
        chart.look(game.snapshot())
        hurt = chart.inventory["health"] < self._health
        self._health = chart.inventory["health"]
        enemies = chart.find(*ENEMIES)
        if any(distance(cell, chart.position) <= WATCH for cell in enemies) or hurt:
            self._planned = []
        self._planned = self._planned or self._choose()
        return int(game.action_names.index(self._planned.pop(0)))

    def _choose(self) -> list[str]:
        self._search = Search(self._chart)
        for rule in (self._sleep_on, self._fight, self._hide):
            actions = rule()
            if actions:
                return actions
        plans = (plan for plan in self._plans() if plan is not None)
        best = min(plans, key=lambda plan: plan.cost, default=None)
        return best.actions if best is not None else self._explore()

    # What comes first.

    def _sleep_on(self) -> list[str]:
        return list(self._sleep) if self._chart.asleep else []

    def _fight(self) -> list[str]:
        """Strikes an enemy that stands beside the player."""
        chart = self._chart
        for name, vector in chart.directions.items():
            kind = chart.things.get(shift(chart.position, vector))
            if kind in ENEMIES:
                turn = [] if chart.facing == vector else [f"move_{name}"]
                return turn + ["do"] * self._strokes(kind)
        return []

    def _strokes(self, kind: str) -> int:
        table, owned = self._rules.damage, self._chart.inventory
        damage = max(
            n for tool, n in table.items() if owned.get(tool, tool == "unarmed")
        )
        return math.ceil(self._rules.creatures[kind]["health"] / damage)

    # Hiding and sleeping.

    def _hide(self) -> list[str]:
        inventory = self._chart.inventory
        weak = inventory["health"] <= (HURT + 3 if self._hiding else HURT)
        tired = inventory["energy"] <= (7 if self._hiding else TIRED)
        fed = min(inventory["food"], inventory["drink"]) > 1
        self._hiding = fed and (weak or tired)
        if not self._hiding:
            return []
        if self._enclosed():
            can_sleep = inventory["energy"] < self._rules.items["energy"]["max"]
            return list(self._sleep) if can_sleep else ["noop"] * 5
        return self._dig_in() or (list(self._sleep) if tired else [])

    def _enclosed(self) -> bool:
        """Returns whether the open ground around the player is closed."""
        chart = self._chart
        region, border = {chart.position}, [chart.position]
        while border:
            cell = border.pop()
            for vector in chart.directions.values():
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
        """Digs two cells into rock and closes the door with a stone."""
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
                and all(chart.at(c) in _WALLS for c in walls)
            )

        found = self._search.to(fits)
        if found is None:
            return []
        actions, (cell, facing) = found.actions(), found.state
        names = {vector: f"move_{name}" for name, vector in chart.directions.items()}
        for steps in (1, 2):
            actions += [] if chart.is_open(shift(cell, facing, steps)) else ["do"]
            actions.append(names[facing])
        return [*actions, names[-facing[0], -facing[1]], "place_stone"]

    # What to do next.

    def _plans(self) -> Iterator[Plan | None]:
        """Yields everything that could be done now and is still wanted."""
        chart, wants = self._chart, self._wants
        inventory = chart.inventory
        if inventory["drink"] <= LOW or wants("collect_drink"):
            yield self._drink()
        if inventory["food"] <= LOW or wants("eat_cow"):
            yield self._urgent(self._hunt("cow"), inventory["food"])
        yield self._use(chart.find("ripe plant"), eager=_EAGER)
        planting = wants("place_plant") and not inventory["sapling"]
        if wants("collect_sapling") or planting:
            yield self._look_for_sapling()
        if wants("wake_up"):
            yield self._nap()
        for verb, recipes in (("place", self._rules.place), ("make", self._rules.make)):
            for name, rule in recipes.items():
                if wants(f"{verb}_{name}") and chart.has(rule["uses"]):
                    yield self._place(name) if verb == "place" else self._make(name)
        for item in ("wood", "stone", "coal", "iron", "diamond"):
            if self._needs(item) > inventory[item]:
                yield self._gather(item)
        for kind in ENEMIES:
            if wants(f"defeat_{kind}") and inventory["health"] >= STRONG:
                yield self._hunt(kind)

    def _wants(self, achievement: str) -> bool:
        counts = achievement in self._rules.achievements
        tool = achievement.startswith("make_")  # which may be needed all the same
        return (counts or tool) and achievement not in self._chart.achieved

    def _needs(self, item: str) -> int:
        """Returns how much of an item the open recipes take, within the limit."""
        total = int(self._wants(f"collect_{item}"))
        recipes: list[tuple[str, Any]]
        recipes = [(f"place_{n}", r) for n, r in self._rules.place.items()]
        recipes += [(f"make_{n}", r) for n, r in self._rules.make.items()]
        uses = sum(r["uses"].get(item, 0) for name, r in recipes if self._wants(name))
        uses += item == "stone"  # to close a door with
        return min(max(total, uses), self._rules.items[item]["max"])

    def _go(
        self, arrived: Callable[[Cell, Cell], bool], *then: str, eager: float = 1.0
    ) -> Plan | None:
        """Goes to the first place and facing that are an aim, and acts there."""
        found = self._search.to(arrived)
        if found is None:
            return None
        return Plan(eager * (found.cost + len(then)), [*found.actions(), *then])

    def _use(
        self, targets: set[Cell], times: int = 1, eager: float = 1.0
    ) -> Plan | None:
        """Goes to the nearest of some places and uses `do` there."""
        if not targets:
            return None
        then = ["do"] * times
        return self._go(
            lambda at, facing: shift(at, facing) in targets, *then, eager=eager
        )

    def _drink(self) -> Plan | None:
        drink = self._chart.inventory["drink"]
        times = max(1, FULL - drink) if drink <= LOW + 2 else 1
        return self._urgent(self._use(self._chart.find("water"), times), drink)

    def _hunt(self, kind: str) -> Plan | None:
        strokes = self._strokes(kind)
        plan = self._use(self._chart.find(kind), strokes)
        if plan is None or len(plan.actions) <= strokes + 2:
            return plan
        return Plan(plan.cost, plan.actions[:-strokes][:4])  # it will have moved then

    def _urgent(self, plan: Plan | None, amount: int) -> Plan | None:
        """Makes a plan come first if the matter is pressing."""
        if plan is None or amount > LOW:
            return plan
        return Plan(plan.cost * amount / (2 * LOW), plan.actions)

    def _look_for_sapling(self) -> Plan | None:
        chance = self._rules.collect["grass"]["probability"]
        plan = self._use(self._chart.find("grass") - set(self._chart.things))
        if plan is None:
            return None
        return Plan(plan.cost + 0.5 / chance, plan.actions + ["do"] * 4)

    def _nap(self) -> Plan | None:
        """Sleeps a little by day, when nobody is near: waking counts."""
        chart = self._chart
        missing = self._rules.items["energy"]["max"] - chart.inventory["energy"]
        if not missing or chart.light < BRIGHT or chart.find(*ENEMIES):
            return None
        return Plan(12.0 * missing, list(self._sleep))

    def _place(self, name: str) -> Plan | None:
        chart, rules = self._chart, self._rules
        if name == "table":  # with wood left for the first tools
            first = [r for tool, r in rules.make.items() if tool.startswith("wood_")]
            wood = sum(rule["uses"]["wood"] for rule in (*first, rules.place["table"]))
            if chart.inventory["wood"] < wood:
                return None
        beside_table = name == "furnace" and chart.find("table")
        found = self._room_for(name, {"table"} if beside_table else set())
        if found is None:
            return None
        return Plan(_EAGER * (found.cost + 1), [*found.actions(), f"place_{name}"])

    def _room_for(self, name: str, stations: Collection[str] = ()) -> Way | None:
        """Returns the way to where something can be placed, near some stations."""
        chart, where = self._chart, self._rules.place[name]["where"]

        def fits(cell: Cell, facing: Cell) -> bool:
            target = shift(cell, facing)
            free = chart.cells.get(target) in where and target not in chart.things
            return free and (not stations or chart.near(cell).issuperset(stations))

        return self._search.to(fits)

    def _make(self, name: str) -> Plan | None:
        rule, chart = self._rules.make[name], self._chart
        nearby = set(rule["nearby"])
        walk = self._go(
            lambda cell, facing: nearby <= chart.near(cell),
            f"make_{name}",
            eager=_EAGER,
        )
        return self._new_station(rule, walk)

    def _new_station(self, rule: Mapping[str, Any], walk: Plan | None) -> Plan | None:
        """Compares a long walk with a new table, if there is wood for one."""
        chart = self._chart
        near = chart.near(chart.position)
        lacking = [s for s in rule["nearby"] if s not in near]
        cost = collections.Counter(rule["uses"])
        for station in lacking:
            cost.update(self._rules.place[station]["uses"])
        if not lacking or not chart.has(cost) or (walk and walk.cost < 12):
            return walk
        found = self._room_for(lacking[0])
        if found is None:
            return walk
        return Plan(found.cost + 2.0, [*found.actions(), f"place_{lacking[0]}"])

    def _gather(self, item: str) -> Plan | None:
        able = [
            material
            for material, rule in self._rules.collect.items()
            if item in rule["receive"] and self._chart.has(rule["require"])
        ]
        short = item == "wood" and self._chart.inventory[item] < WOOD_STOCK
        return self._use(self._chart.find(*able), eager=_EAGER if short else 1.0)

    # Looking around.

    def _explore(self) -> list[str]:
        """Goes to a view of unknown cells, in roughly the same direction."""
        chart, heading = self._chart, self._heading
        best, least = None, math.inf
        for way in self._search.ways():
            cell, _ = way.state
            if way.before is not None and self._borders_on_unknown(cell):
                ahead = sum(
                    (a - b) * h for a, b, h in zip(cell, chart.position, heading)
                )
                price = way.cost - PERSISTENCE * ahead
                if price < least:
                    best, least = way, price
        if best is None or least > 12:
            self._heading = self._draw_heading()
        if best is not None:
            return best.actions()
        return [f"move_{self._random.choice(list(chart.directions))}"]

    def _borders_on_unknown(self, cell: Cell) -> bool:
        steps = self._chart.directions.values()
        return any(shift(cell, step) not in self._chart.cells for step in steps)

    def _draw_heading(self) -> tuple[float, float]:
        angle = self._random.uniform(0, 2 * math.pi)
        return math.cos(angle), math.sin(angle)
