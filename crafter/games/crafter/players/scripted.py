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

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from crafter.core.grid import distance, shift
from crafter.games.crafter.rules import Rules, default
from crafter.lm.agents.scripted import EAGER, Chart, Plan, Player

if TYPE_CHECKING:
    from crafter.games.crafter.snapshot import Snapshot

ENEMIES = ("zombie", "skeleton")
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
#: How near enemies are when it thinks again before each step.
WATCH = 2
#: What closes a hole in the rock.
_WALLS = ("stone", "coal", "iron", "diamond", "tree", "water", "table")


class CrafterChart(Chart):
    """What was seen so far, from observations in their JSON form or from snapshots.

    Args:
      rules: The rules of the game.
    """

    def __init__(self, rules: Rules) -> None:
        moves = {f"move_{name}": step for name, step in rules.directions.items()}
        near = rules.world["nearby"]
        super().__init__(moves, rules.walkable, ENEMIES, near, rules.deadly)
        self._rules = rules

    def look(self, snapshot: Snapshot) -> None:
        """Reads a snapshot; of the map only what is in view."""
        self.position, self.facing = snapshot.position, snapshot.facing
        self.asleep, self.light = snapshot.sleeping, snapshot.daylight
        self.achieved = frozenset(snapshot.unlocked)
        self.inventory = snapshot.inventory
        names = ["outside", *self._rules.materials]
        rows = [[names[number] for number in row] for row in snapshot.ground.T.tolist()]
        ripe = self._rules.creatures["plant"]["ripe"]
        self.read(
            rows,
            (
                (
                    shift(record.position, snapshot.position, -1),
                    record.kind,
                    record.counters["grown"] > ripe if record.kind == "plant" else None,
                )
                for record in snapshot.objects
                if record.kind != "player"
            ),
        )

    def clears(self, material: str) -> bool:
        """Returns whether `do` would turn a material into open ground now."""
        rule = self._rules.collect.get(material)
        if rule is None or rule["leaves"] not in self.walkable:
            return False
        return self.has(rule["require"])


class ScriptedPlayer(Player):
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
        self._rules = rules = rules or default()
        sleep = ["sleep until awake"] if macros else ["sleep"] * batch
        super().__init__(CrafterChart(rules), seed, sleep, _WALLS, "stone")
        self._stations = {
            name: (f"place_{name}", rule["uses"], rule["where"])
            for name, rule in rules.place.items()
        }
        self._planned: list[str] = []
        self._health = 0

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

    # What comes first.

    def _strokes(self, kind: str) -> int:
        table, owned = self._rules.damage, self._chart.inventory
        damage = max(
            n for tool, n in table.items() if owned.get(tool, tool == "unarmed")
        )
        return math.ceil(self._rules.creatures[kind]["health"] / damage)

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

    # What to do next.

    def _plans(self) -> Iterator[Plan | None]:
        chart, wants = self._chart, self._wants
        inventory = chart.inventory
        if inventory["drink"] <= LOW or wants("collect_drink"):
            yield self._drink()
        if inventory["food"] <= LOW or wants("eat_cow"):
            yield self._urgent(self._hunt("cow"), inventory["food"])
        yield self._use(chart.find("ripe plant"), eager=EAGER)
        planting = wants("place_plant") and not inventory["sapling"]
        if wants("collect_sapling") or planting:
            yield self._look_for_sapling()
        if wants("wake_up"):
            yield self._nap()
        for name, rule in self._rules.place.items():
            if wants(f"place_{name}") and chart.has(rule["uses"]):
                yield self._set_up(name)
        for name, rule in self._rules.make.items():
            if wants(f"make_{name}") and chart.has(rule["uses"]):
                needs = rule["uses"], rule["nearby"]
                yield self._make(f"make_{name}", *needs, self._stations)
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
        recipes: list[tuple[str, Mapping[str, Any]]]
        recipes = [(f"place_{n}", r) for n, r in self._rules.place.items()]
        recipes += [(f"make_{n}", r) for n, r in self._rules.make.items()]
        uses = sum(r["uses"].get(item, 0) for name, r in recipes if self._wants(name))
        uses += item == "stone"  # to close a door with
        return min(max(total, uses), self._rules.items[item]["max"])

    def _drink(self) -> Plan | None:
        drink = self._chart.inventory["drink"]
        times = max(1, FULL - drink) if drink <= LOW + 2 else 1
        return self._urgent(self._use(self._chart.find("water"), times), drink)

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

    def _set_up(self, name: str) -> Plan | None:
        """Places something; a table with wood left for the first tools."""
        chart, rules = self._chart, self._rules
        if name == "table":
            first = [r for tool, r in rules.make.items() if tool.startswith("wood_")]
            wood = sum(rule["uses"]["wood"] for rule in (*first, rules.place["table"]))
            if chart.inventory["wood"] < wood:
                return None
        near = ("table",) if name == "furnace" and chart.find("table") else ()
        plan = self._place(f"place_{name}", rules.place[name]["where"], near)
        return None if plan is None else Plan(EAGER * plan.cost, plan.actions)

    def _gather(self, item: str) -> Plan | None:
        able = [
            material
            for material, rule in self._rules.collect.items()
            if item in rule["receive"] and self._chart.has(rule["require"])
        ]
        short = item == "wood" and self._chart.inventory[item] < WOOD_STOCK
        return self._use(self._chart.find(*able), eager=EAGER if short else 1.0)
