"""Scripted player, for demonstrations, comparisons and tests.

It keeps a map of what it has seen, derives from the rules what it still needs, and does
whatever is nearest: gathers, crafts, eats, drinks, fights, sleeps, and walls itself in
when hurt or tired. It has no information that its screen would not show, or that a
language model would not have.

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
from collections.abc import Collection, Iterator
from typing import Any

from crafter.core.grid import distance
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.text.perception import CrafterPerception
from crafter.lm.agents.base import Briefing
from crafter.lm.agents.scripted import EAGER, Chart, Plan, Player, weighed
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.words import Words

ENEMIES = ("zombie", "skeleton")
#: Food and drink at which it looks for more, and to which it then refills.
LOW, FULL = 4, 9
#: Health at which it attacks enemies.
STRONG = 5
#: Light below which it does not sleep in the open.
BRIGHT = 0.6
#: Wood that it collects before leaving the trees.
WOOD_STOCK = 5
#: Distance of enemies at which it reconsiders before each step.
WATCH = 2
#: For games played one action at a time.
PLAIN = Briefing(macros=False)


class CrafterChart(Chart):
    """Map of what was seen, from JSON observations or from snapshots.

    Args:
      words: The rules of the game.
    """

    def __init__(self, words: Words) -> None:
        super().__init__(words, ENEMIES)
        self._rules: Rules = words.rules

    def look(self, now: Moment) -> None:
        """Updates the map from what is visible."""
        snapshot = now.snapshot
        self.position, self.facing = snapshot.position, snapshot.facing
        self.asleep, self.light = snapshot.sleeping, snapshot.daylight
        self.achieved, self.inventory = frozenset(snapshot.unlocked), now.inventory
        self.read(now.rows, ((t.offset, t.kind, t.ripe) for t in now.things))

    def clears(self, material: str) -> bool:
        """Returns whether `do` would turn a material into walkable ground now."""
        rule = self._rules.collect.get(material)
        if rule is None or rule["leaves"] not in self.walkable:
            return False
        return self.has(rule["require"])


class ScriptedPlayer(Player):
    """Chooses actions from what it has seen; one object plays one game.

    Args:
      briefing: Information given before the game; `act` needs one without macros.
    """

    _walls = ("stone", "coal", "iron", "diamond", "tree", "water", "table")

    def __init__(self, briefing: Briefing = PLAIN) -> None:
        words = briefing.words
        self._rules: Rules = words.rules
        self._limits = {name: row["max"] for name, row in self._rules.items.items()}
        super().__init__(CrafterChart(words), briefing)
        self._recipes, self._total_uses = words.recipes, words.total_uses
        self._stations = {
            action.removeprefix("place_"): (action, recipe.uses, recipe.where)
            for action, recipe in words.recipes.items()
            if recipe.where
        }
        self._perception = CrafterPerception(briefing.words, night="clear")
        self._planned: list[str] = []
        self._health = 0

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action in an environment.

        Args:
          env: The environment; only the visible part of its snapshot is read.
          info: Unused.
        """
        chart, game = self._chart, env.unwrapped
        chart.look(self._perception.look(game.snapshot()))
        hurt = chart.inventory["health"] < self._health
        self._health = chart.inventory["health"]
        enemies = chart.find(*ENEMIES)
        if any(distance(cell, chart.position) <= WATCH for cell in enemies) or hurt:
            self._planned = []
        self._planned = self._planned or self._choose()
        return int(game.action_names.index(self._planned.pop(0)))

    # Urgent rules.

    def _strokes(self, kind: str) -> int:
        table, owned = self._rules.damage, self._chart.inventory
        damage = max(
            n for tool, n in table.items() if owned.get(tool, tool == "unarmed")
        )
        return math.ceil(self._rules.creatures[kind]["health"] / damage)

    def _hide_in_the_open(self, tired: bool) -> list[str]:
        return list(self._sleep) if tired else []

    # Plans.

    def _plans(self) -> Iterator[Plan | None]:
        chart, wants = self._chart, self._wants
        inventory = chart.inventory
        if inventory["drink"] <= LOW or wants("collect_drink"):
            yield self._drink()
        if inventory["food"] <= LOW or wants("eat_cow"):
            yield self._urgent(self._hunt("cow"), inventory["food"])
        yield weighed(self._use(chart.find("ripe plant")), EAGER)
        planting = wants("place_plant") and not inventory["sapling"]
        if wants("collect_sapling") or planting:
            yield self._look_for_sapling()
        if wants("wake_up"):
            yield self._nap()
        for action, (uses, near, where, _) in self._recipes.items():
            if wants(action) and chart.has(uses):
                make = self._make(action, uses, near)
                yield self._set_up(action, where) if where else make
        for item in ("wood", "stone", "coal", "iron", "diamond"):
            if self._needs(item) > inventory[item]:
                yield self._gather(item)
        for kind in ENEMIES:
            if wants(f"defeat_{kind}") and inventory["health"] >= STRONG:
                yield self._hunt(kind)

    def _wants(self, achievement: str) -> bool:
        counts = achievement in self._rules.achievements
        tool = achievement.startswith("make_")  # may be needed anyway
        return (counts or tool) and achievement not in self._chart.achieved

    def _needs(self, item: str) -> int:
        """Returns how much of an item the open recipes use, within the limit."""
        total = int(self._wants(f"collect_{item}"))
        recipes = self._recipes.items()
        uses = sum(r.uses.get(item, 0) for name, r in recipes if self._wants(name))
        uses += item == "stone"  # to close the entrance
        return min(max(total, uses), self._rules.items[item]["max"])

    def _drink(self) -> Plan | None:
        drink = self._chart.inventory["drink"]
        times = max(1, FULL - drink) if drink <= LOW + 2 else 1
        return self._urgent(self._use(self._chart.find("water"), times), drink)

    def _urgent(self, plan: Plan | None, amount: int) -> Plan | None:
        """Gives a plan priority if the need is urgent."""
        return plan if amount > LOW else weighed(plan, amount / (2 * LOW))

    def _look_for_sapling(self) -> Plan | None:
        chance = self._rules.collect["grass"]["probability"]
        plan = self._use(self._chart.find("grass") - set(self._chart.things))
        if plan is None:
            return None
        return Plan(plan.cost + 0.5 / chance, plan.actions + ["do"] * 4)

    def _nap(self) -> Plan | None:
        """Plans a nap by day when no enemy is near, since waking up counts."""
        chart = self._chart
        missing = self._missing("energy")
        if not missing or chart.light < BRIGHT or chart.find(*ENEMIES):
            return None
        return Plan(12.0 * missing, list(self._sleep))

    def _set_up(self, action: str, where: Collection[str]) -> Plan | None:
        """Plans to place something; a table with wood left for the first tools."""
        chart, recipes = self._chart, self._recipes
        if action == "place_table":
            first = [name for name in recipes if name.startswith("make_wood_")]
            if chart.inventory["wood"] < self._total_uses([action, *first])["wood"]:
                return None
        near = ("table",) if action == "place_furnace" and chart.find("table") else ()
        return weighed(self._place(action, where, near), EAGER)

    def _gather(self, item: str) -> Plan | None:
        able = [
            material
            for material, rule in self._rules.collect.items()
            if item in rule["receive"] and self._chart.has(rule["require"])
        ]
        short = item == "wood" and self._chart.inventory[item] < WOOD_STOCK
        plan = self._use(self._chart.find(*able))
        return weighed(plan, EAGER) if short else plan
