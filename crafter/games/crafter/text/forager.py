"""Scripted agent of Crafter, from the JSON observation alone.

It keeps a map of what it has seen, works out from the rules of the game what it still
needs, and does whatever is nearest: gathers, crafts, eats, drinks, fights, sleeps, and
walls itself in when it is hurt or tired. It knows nothing that a model would not be
told.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core.grid import Cell, shift
from crafter.core.paths import Way
from crafter.games.crafter.text.chart import ENEMIES, Chart, Search
from crafter.lm.agents.base import Briefing
from crafter.lm.rendering.facts import FACINGS, VECTORS

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
#: How much nearer a thing feels that is wanted more.
_EAGER = 0.7
#: What closes a hole in the rock.
_WALLS = ("stone", "coal", "iron", "diamond", "tree", "water", "table")


class Plan(NamedTuple):
    """What could be done next.

    Attributes:
      cost: Steps until it is done, weighted by how much it is wanted.
      actions: How to do it.
    """

    cost: float
    actions: list[str]


class Forager:
    """Chooses actions from observations; see the module.

    Args:
      briefing: What is known before the game.
    """

    def __init__(self, briefing: Briefing) -> None:
        self._briefing, self._rules = briefing, briefing.words.rules
        self._random = np.random.default_rng(briefing.seed)
        self._chart = Chart(self._rules)
        self._heading = self._draw_heading()
        self._data: dict[str, Any] = {}
        self._hiding = False

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""
        self._data = data
        self._chart.update(data)
        self._search = Search(self._chart)
        return self._choose()

    def _choose(self) -> list[str]:
        for rule in (self._sleep_on, self._fight, self._hide):
            actions = rule()
            if actions:
                return actions
        plans = [plan for plan in self._plans() if plan is not None]
        best = min(plans, key=lambda plan: plan.cost, default=None)
        return best.actions if best is not None else self._explore()

    # What comes first.

    def _sleep_on(self) -> list[str]:
        if not self._data["player"]["asleep"]:
            return []
        return self._until("sleep", "awake")

    def _until(self, action: str, condition: str) -> list[str]:
        if self._briefing.macros:
            return [f"{action} until {condition}"]
        return [action] * self._briefing.max_batch

    def _fight(self) -> list[str]:
        """Strikes an enemy that stands beside the player."""
        chart = self._chart
        for name, vector in VECTORS.items():
            kind = chart.things.get(shift(chart.position, vector))
            if kind in ENEMIES:
                turn = [] if chart.facing == vector else [f"move_{name}"]
                return turn + ["do"] * self._strokes(kind)
        return []

    def _strokes(self, kind: str) -> int:
        table = self._rules.damage
        damage = max(
            table["unarmed"],
            *(table[n] for n in table if self._chart.inventory.get(n)),
            table["unarmed"],
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
            return self._until("sleep", "awake") if can_sleep else ["noop"] * 5
        return self._dig_in() or (self._until("sleep", "awake") if tired else [])

    def _enclosed(self) -> bool:
        """Returns whether the open ground around the player is closed."""
        region, border = {self._chart.position}, [self._chart.position]
        while border:
            cell = border.pop()
            for vector in VECTORS.values():
                after = shift(cell, vector)
                if after in region:
                    continue
                if self._chart.at(after) is None or len(region) > 6:
                    return False
                if self._chart.is_open(after) or after in self._chart.things:
                    region.add(after)
                    border.append(after)
        return not any(cell in self._chart.things for cell in region)

    def _dig_in(self) -> list[str]:
        """Digs two cells into rock and closes the door with a stone."""
        chart = self._chart

        def fits(cell: Cell, facing: Cell) -> bool:
            side = (facing[1], facing[0])
            first, second = shift(cell, facing), shift(cell, facing, 2)
            inside = [first, second]
            walls = [shift(c, side, sign) for c in inside for sign in (1, -1)]
            enterable = all(chart.is_open(c) or chart.is_diggable(c) for c in inside)
            stones = chart.inventory["stone"] + sum(
                chart.at(c) == "stone" for c in inside
            )
            return (
                enterable
                and stones > 0
                and all(chart.at(c) in _WALLS for c in [*walls, shift(cell, facing, 3)])
            )

        found = self._search.to(fits)
        if found is None:
            return []
        actions, (cell, facing) = found.actions(), found.state
        for steps in (1, 2):
            actions += [] if chart.is_open(shift(cell, facing, steps)) else ["do"]
            actions.append(f"move_{FACINGS[facing]}")
        back = FACINGS[-facing[0], -facing[1]]
        return [*actions, f"move_{back}", "place_stone"]

    # What to do next.

    def _plans(self) -> Iterator[Plan | None]:
        """Yields everything that could be done now and is still wanted."""
        inventory = self._chart.inventory
        if inventory["drink"] <= LOW or self._wants("collect_drink"):
            yield self._drink()
        if inventory["food"] <= LOW or self._wants("eat_cow"):
            yield self._hunt("cow")
        yield self._eat_plant()
        if self._wants("collect_sapling") or (
            self._wants("place_plant") and not inventory["sapling"]
        ):
            yield self._look_for_sapling()
        if self._wants("wake_up"):
            yield self._nap()
        for name in self._rules.place:
            if self._wants(f"place_{name}"):
                yield self._place(name)
        for name in self._rules.make:
            if self._wants(f"make_{name}"):
                yield self._make(name)
        for item in ("wood", "stone", "coal", "iron", "diamond"):
            if self._needs(item) > inventory[item]:
                yield self._gather(item)
        for kind in ENEMIES:
            if self._wants(f"defeat_{kind}") and inventory["health"] >= STRONG:
                yield self._hunt(kind)

    def _wants(self, achievement: str) -> bool:
        return achievement not in self._data["achievements"]

    def _needs(self, item: str) -> int:
        """Returns how much of an item the open recipes take, within the limit."""
        total = int(self._wants(f"collect_{item}"))
        recipes = [(f"place_{n}", r) for n, r in self._rules.place.items()]
        recipes += [(f"make_{n}", r) for n, r in self._rules.make.items()]
        uses = sum(r["uses"].get(item, 0) for name, r in recipes if self._wants(name))
        if item == "stone":
            uses += 1  # to close a door with
        return min(max(total, uses), self._rules.items[item]["max"])

    def _use(
        self, targets: set[Cell], times: int = 1, eager: float = 1.0
    ) -> Plan | None:
        """Goes to the nearest of some places and uses `do` there."""
        if not targets:
            return None
        found = self._search.to(lambda cell, facing: shift(cell, facing) in targets)
        if found is None:
            return None
        return Plan(eager * (found.cost + times), [*found.actions(), *["do"] * times])

    def _drink(self) -> Plan | None:
        drink = self._chart.inventory["drink"]
        times = max(1, FULL - drink) if drink <= LOW + 2 else 1
        plan = self._use(self._chart.find("water"), times)
        return self._urgent(plan, drink)

    def _hunt(self, kind: str) -> Plan | None:
        plan = self._use(self._chart.find(kind), self._strokes(kind))
        if plan is not None and len(plan.actions) > self._strokes(kind) + 2:
            walk = plan.actions[: -self._strokes(kind)]
            plan = Plan(plan.cost, walk[:4])  # it will have moved by then
        if kind != "cow":
            return plan
        return self._urgent(plan, self._chart.inventory["food"])

    def _urgent(self, plan: Plan | None, amount: int) -> Plan | None:
        """Makes a plan come first if the matter is pressing."""
        if plan is None or amount > LOW:
            return plan
        return Plan(plan.cost * amount / (2 * LOW), plan.actions)

    def _eat_plant(self) -> Plan | None:
        return self._use(self._chart.find("ripe plant"), eager=_EAGER)

    def _look_for_sapling(self) -> Plan | None:
        chance = self._rules.collect["grass"]["probability"]
        plan = self._use(self._chart.find("grass") - set(self._chart.things), times=1)
        if plan is None:
            return None
        return Plan(plan.cost + 0.5 / chance, plan.actions + ["do"] * 4)

    def _nap(self) -> Plan | None:
        """Sleeps a little by day, when nobody is near: waking counts."""
        inventory, light = self._chart.inventory, self._data["light"]
        missing = self._rules.items["energy"]["max"] - inventory["energy"]
        if not missing or light < BRIGHT or self._chart.find(*ENEMIES):
            return None
        return Plan(12.0 * missing, self._until("sleep", "awake"))

    def _place(self, name: str) -> Plan | None:
        rule = self._rules.place[name]
        if not self._chart.has(rule["uses"]):
            return None
        if name == "table" and not self._ready_for_table():
            return None
        found = self._room_for(name, self._stations_beside(name))
        if found is None:
            return None
        return Plan(_EAGER * (found.cost + 1), [*found.actions(), f"place_{name}"])

    def _room_for(self, name: str, stations: Collection[str] = ()) -> Way | None:
        """Returns the way to where something can be placed, near some stations."""
        chart, where, needed = (
            self._chart,
            self._rules.place[name]["where"],
            {*stations},
        )

        def fits(cell: Cell, facing: Cell) -> bool:
            target = shift(cell, facing)
            free = chart.cells.get(target) in where and target not in chart.things
            return free and (not needed or needed <= chart.near(cell))

        return self._search.to(fits)

    def _ready_for_table(self) -> bool:
        """Returns whether there is wood for the table and the first tools."""
        first = [r for n, r in self._rules.make.items() if n.startswith("wood_")]
        wood = sum(rule["uses"]["wood"] for rule in first)
        return (
            self._chart.inventory["wood"]
            >= wood + self._rules.place["table"]["uses"]["wood"]
        )

    def _stations_beside(self, name: str) -> set[str]:
        """Returns what should be near a new station, so that both can be used."""
        if name != "furnace":
            return set()
        return {"table"} if self._chart.find("table") else set()

    def _make(self, name: str) -> Plan | None:
        rule = self._rules.make[name]
        chart = self._chart
        if not chart.has(rule["uses"]):
            return None
        stations = set(rule["nearby"])
        found = self._search.to(lambda cell, facing: stations <= chart.near(cell))
        walk = None
        if found is not None:
            walk = Plan(_EAGER * (found.cost + 1), [*found.actions(), f"make_{name}"])
        return self._new_station(rule, walk)

    def _new_station(self, rule: Mapping[str, Any], walk: Plan | None) -> Plan | None:
        """Compares a long walk with a new table, if there is wood for one."""
        chart = self._chart
        near = chart.near(chart.position)
        lacking = [s for s in rule["nearby"] if s not in near]
        cost: dict[str, int] = dict(rule["uses"])
        for station in lacking:
            for item, amount in self._rules.place[station]["uses"].items():
                cost[item] = cost.get(item, 0) + amount
        if not lacking or not chart.has(cost) or (walk and walk.cost < 12):
            return walk
        found = self._room_for(lacking[0])
        if found is None:
            return walk
        return Plan(found.cost + 2.0, [*found.actions(), f"place_{lacking[0]}"])

    def _gather(self, item: str) -> Plan | None:
        sources = [
            m for m, rule in self._rules.collect.items() if item in rule["receive"]
        ]
        able = [
            m for m in sources if self._chart.has(self._rules.collect[m]["require"])
        ]
        short = item == "wood" and self._chart.inventory[item] < WOOD_STOCK
        return self._use(self._chart.find(*able), eager=_EAGER if short else 1.0)

    # Looking around.

    def _explore(self) -> list[str]:
        """Goes where something new is to be seen, in much the same direction."""
        best, least = None, math.inf
        for way in self._search.ways():
            cell, _ = way.state
            if way.before is not None and self._borders_on_unknown(cell):
                ahead = sum(
                    (a - b) * h
                    for a, b, h in zip(cell, self._chart.position, self._heading)
                )
                price = way.cost - PERSISTENCE * ahead
                if price < least:
                    best, least = way, price
        if best is None or least > 12:
            self._heading = self._draw_heading()
        if best is not None:
            return best.actions()
        return [f"move_{self._random.choice(list(VECTORS))}"]

    def _borders_on_unknown(self, cell: Cell) -> bool:
        return any(shift(cell, v) not in self._chart.cells for v in VECTORS.values())

    def _draw_heading(self) -> tuple[float, float]:
        angle = self._random.uniform(0, 2 * math.pi)
        return math.cos(angle), math.sin(angle)
