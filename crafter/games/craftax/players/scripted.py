"""Scripted player of Craftax: the agent `scripted` of the text interface.

It decides from its observations. It crafts on the way, opens chests, fights what it
meets, hides when hurt, goes down as soon as the ladder is open, and dies there.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crafter.core.grid import Cell, distance, shift
from crafter.games.craftax.rows import Recipe
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.text.words import amounts
from crafter.lm.agents.base import Briefing
from crafter.lm.agents.scripted import EAGER, Chart, Plan, Player, weighed
from crafter.lm.rendering.facts import DARKNESS, FACINGS, UNCLEAR, VECTORS
from crafter.lm.rendering.words import Words

#: Health at which it hides, one more below the overworld, and at which it comes out.
HURT, STRONG = 4, 7
#: Food and drink at which it looks for more, and the amounts before the first descent.
LOW, PROVISIONS = 4, 6
#: Fraction of the game, and steps, after which it hurries on the overworld.
_EARLY, _LATEST = 0.3, 450
#: Light below which it does not sleep in the open.
_BRIGHT = 0.6
#: Desired supplies for the descent.
_STOCK = {"wood": 9, "stone": 12, "coal": 2, "iron": 2}
_STOCK |= {"diamond": 5, "sapphire": 1, "ruby": 1}
#: What it crafts repeatedly, and the desired amount.
_SUPPLIES = {"arrow": ("arrows", 12), "torch": ("torches", 4)}
#: Wood for a table and the first tools.
_FIRST_WOOD = 5
#: Maximum cost of optional plans; and in a hurry.
_DETOUR, _HURRY = 14.0, 3.0
#: Maximum cost of chests, and of monsters without and with a bow.
_CHEST_FAR, _HUNT_FAR = 60.0, (12.0, 25.0)
_ARROW_REACH, _CALM = 6, 5
_MOST_STROKES = 8
#: Consecutive failures before it walks elsewhere.
_PATIENCE = 4
_ATTRIBUTES = ("strength", "dexterity", "intelligence")
_WATER, _TABLE, _FURNACE = "water", "crafting_table", "furnace"
#: Ground for placing tables and stones.
_GROUND = ("grass", "sand", "path", "fire_grass", "ice_grass")


class FloorChart(Chart):
    """Map of the current floor and of those before it.

    Args:
      words: The rules of the game.

    Attributes:
      floor: Number of the floor.
      failed: Whether an action was rejected in the last call.
    """

    floor, failed = 0, False

    def __init__(self, words: Words) -> None:
        self._tables: Tables = words.rules
        tables, data = self._tables, self._tables.data
        enemies = (*data["creatures"]["melee"], *data["creatures"]["ranged"])
        super().__init__(words, enemies)
        rows = {**data["terrain"]["floors"], **data["rooms"]["floors"]}
        self._lit = [rows[name]["light"] == 1 for name in tables.floor_names]
        #: Floor -> kind -> position.
        self._ladders: dict[int, dict[str, Cell]] = collections.defaultdict(dict)

    @property
    def ladders(self) -> dict[str, Cell]:
        """Kind -> position, on the current floor."""
        return self._ladders[self.floor]

    def update(self, data: dict[str, Any]) -> None:
        """Updates the map from an observation in JSON form."""
        self.floor = data["floor"]["number"]
        super().update(data)
        self.asleep |= data["resting"]
        owned = amounts(self._tables, self.inventory)
        self.inventory = collections.Counter({**data["attributes"], **owned})
        self.failed = any(event["type"] == "rejected" for event in data["events"])

    def is_clear(self, name: str) -> bool:
        """Returns whether a cell's name identifies what is there."""
        return name != UNCLEAR and (name != DARKNESS or self._lit[self.floor])

    def note(self, cell: Cell, kind: str, ripe: bool | None) -> None:
        """Records an object in view; items on the ground do not block the way."""
        if kind.startswith("ladder"):
            others = {k: place for k, place in self.ladders.items() if place != cell}
            self._ladders[self.floor] = {**others, kind: cell}
        if kind not in self._tables.item_ids and kind != UNCLEAR:
            self.things[cell] = kind

    def clears(self, material: str) -> bool:
        """Returns whether `do` would turn a material into walkable ground now."""
        rule = self._tables.data["collect"].get(material, {})
        is_station = material in (_TABLE, _FURNACE)
        leaves = rule.get("leaves") in self.walkable and not is_station
        return leaves and self.can_collect(material)

    def can_collect(self, material: str) -> bool:
        """Returns whether the pickaxe is good enough for a material."""
        tier: int = self._tables.data["collect"][material].get("pickaxe", 0)
        return self.inventory["pickaxe"] >= tier


class CraftaxPlayer(Player):
    """Chooses actions from observations; one object plays one game.

    Args:
      briefing: Information given before the game.
    """

    _strong, _tired, _wait = STRONG, 2, 10

    def __init__(self, briefing: Briefing) -> None:
        tables: Tables = briefing.words.rules
        super().__init__(FloorChart(briefing.words), briefing)
        data, steps = tables.data, briefing.max_actions
        solid = (n for n, row in data["blocks"].items() if row["kind"] == "solid")
        self._walls = {*solid, _WATER, DARKNESS}
        self._tables, self._vain = tables, 0
        self._late = min(_EARLY * (steps or math.inf), _LATEST)
        self._stations = {
            row["block"]: (f"place_{name}", row["uses"], _GROUND)
            for name, row in data["place"].items()
            if name in ("table", "furnace")
        }

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions for an observation in JSON form."""
        self._is_late = data["step"] > self._late
        self._spells: list[str] = data["spells"]
        self._limits = data["maxima"]
        return super().choose(data)

    # Urgent rules.

    def _rules_first(self) -> Iterable[Callable[[], list[str]]]:
        self._hurt = HURT + (self._chart.floor > 0)
        self._vain = self._vain + 1 if self._chart.failed else 0
        if self._vain >= _PATIENCE:
            return (self._stray,)
        return self._sleep_on, self._fight, self._shoot, self._hide, self._at_once

    def _stray(self) -> list[str]:
        self._vain = 0
        return [str(self._random.choice(list(VECTORS))) for _ in range(2)]

    def _strokes(self, kind: str) -> int:
        classes = self._tables.data["creatures"].values()
        health = next(rows[kind]["health"] for rows in classes if kind in rows)
        damage = self._tables.data["melee_damage"][self._chart.inventory["sword"]]
        return min(math.ceil(health / damage), _MOST_STROKES)

    def _shoot(self) -> list[str]:
        """Shoots at a monster straight ahead."""
        chart, has = self._chart, self._chart.inventory
        rules = self._tables.data["spells"]
        spells = [n for n in self._spells if has["mana"] >= rules[n]["mana"]]
        shots = [f"cast_{name}" for name in spells]
        if has["bow"] and has["arrows"]:
            shots.append("shoot_arrow")
        cell = shift(chart.position, chart.facing)
        for _ in range(_ARROW_REACH):
            if chart.things.get(cell) in chart.enemies:
                return shots[:1]
            if not chart.is_open(cell):
                break
            cell = shift(cell, chart.facing)
        return []

    def _hide_in_the_open(self, tired: bool) -> list[str]:
        """Walls in a square of four cells with stones, walking around it twice.

        To place a stone, the player must face a side without walking out, so it
        approaches from the opposite side.
        """
        ways = []
        for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            around = [(x, 0), (0, y), (-x, 0), (0, -y)]
            way = self._closing([*around, (0, y), (x, 0), (0, -y), (-x, 0)])
            if way and way.count("place_stone") <= self._chart.inventory["stone"]:
                ways.append(way)
        return min(ways, key=lambda way: way.count("place_stone"), default=[])

    def _closing(self, steps: list[Cell]) -> list[str]:
        """Returns the actions for some steps, placing a stone ahead after each."""
        chart, cell, actions = self._chart, self._chart.position, []
        for step in steps:
            cell = shift(cell, step)
            if not chart.is_open(cell) and cell != chart.position:
                return []
            actions.append(FACINGS[step])
            if chart.at(shift(cell, step)) in (*_GROUND, _WATER):
                actions.append("place_stone")
        return actions

    def _at_once(self) -> list[str]:
        """Returns a single action that always pays off, when no monster is near."""
        chart, has = self._chart, self._chart.inventory
        monsters = chart.find(*chart.enemies)
        if any(distance(cell, chart.position) < _CALM for cell in monsters):
            return []
        for name in self._tables.inventory_keys["potions"] or ():
            if has["health"] > STRONG and has[name]:
                return [f"drink_{name}"]
        most = self._tables.data["parameters"]["max_attribute"]
        for name in _ATTRIBUTES:
            if has["xp"] and has[name] < most:
                return [f"level_up_{name}"]
        if has["books"]:
            return ["read_book"]
        ahead = chart.at(shift(chart.position, chart.facing))
        for name, item, where in (
            ("place_torch", "torches", _GROUND),
            ("place_plant", "sapling", ("grass",)),
        ):
            if has[item] and ahead in where and self._wants(name):
                return [name]
        return []

    # Plans.

    def _wants(self, achievement: str) -> bool:
        return achievement not in self._chart.achieved

    def _plans(self) -> Iterator[Plan | None]:
        for wish in (self._body, self._making, self._gathering, self._hunting):
            yield from wish()
        armed = self._chart.inventory["bow"]
        chest = self._use(self._chart.find("chest"))
        yield weighed(chest, 0.4 if armed else 0.15, _CHEST_FAR)
        yield self._go_down()

    @property
    def _hurries(self) -> bool:
        return self._is_late and not self._chart.floor

    @property
    def _detour(self) -> float:
        return _HURRY if self._hurries else _DETOUR

    @property
    def _tier(self) -> int:
        """Tier of the pickaxe or the sword, whichever is lower; 0 without them."""
        has = self._chart.inventory
        return int(min(has["pickaxe"], has["sword"]))

    def _body(self) -> Iterator[Plan | None]:
        """Drinks, eats and sleeps, and looks for a sapling."""
        chart, has = self._chart, self._chart.inventory
        low = PROVISIONS if self._hurries else LOW
        if has["drink"] <= low or self._wants("collect_drink"):
            times = max(1, self._missing("drink"))
            plan = self._use(chart.find(_WATER, "fountain"), times)
            yield self._urgent(plan, has["drink"], low)
        for kind in self._tables.data["creatures"]["passive"]:
            if has["food"] <= low or self._wants(f"eat_{kind}"):
                yield self._urgent(self._hunt(kind), has["food"], low)
        if chart.floor:
            return
        yield weighed(self._use(chart.find("ripe_plant")), EAGER)
        if self._wants("collect_sapling") and self._tier:
            plan = weighed(self._use(chart.find("grass"), 4), farthest=8)
            yield plan and Plan(plan.cost + 6, plan.actions)
        calm = chart.light > _BRIGHT and not chart.find(*chart.enemies)
        if self._missing("energy") and calm and self._wants("wake_up"):
            yield Plan(14.0 * self._missing("energy"), list(self._sleep))

    def _urgent(self, plan: Plan | None, amount: int, low: int) -> Plan | None:
        """Gives a plan priority if the need is urgent."""
        if amount <= LOW:
            return weighed(plan, max(amount, 0.1) / (2 * LOW))
        most = _DETOUR if amount <= low else self._detour
        return weighed(plan, farthest=8 + most)

    def _making(self) -> Iterator[Plan | None]:
        """Crafts upgrades, and places each kind of thing once."""
        chart, names = self._chart, self._tables.block_names
        for name, recipe in self._tables.recipes.items():
            if self._lacks(name, recipe) and chart.has(recipe.uses):
                near = [names[block] for block in recipe.near]
                yield self._make(f"make_{name}", recipe.uses, near)
        stones, near = chart.inventory["stone"], chart.near(chart.position)
        if self._wants("place_furnace") and stones > 3 and _TABLE in near:
            yield self._place("place_furnace", _GROUND, {_TABLE})
        if self._wants("place_stone") and stones:
            yield self._place("place_stone", (*_GROUND, _WATER))

    def _lacks(self, name: str, recipe: Recipe) -> bool:
        has = self._chart.inventory
        for item, tier in recipe.raises.items():
            keys = self._tables.inventory_keys[item] or (item,)
            return min(has[key] for key in keys) < tier
        item, amount = _SUPPLIES[name]
        return self._tier >= 2 and has["wood"] > 1 and has[item] < amount

    def _gathering(self) -> Iterator[Plan | None]:
        """Gathers materials until there are enough."""
        chart, rules = self._chart, self._tables.data["collect"].items()
        for item, amount in _STOCK.items():
            first = item == "wood" and not self._tier
            if chart.inventory[item] >= (_FIRST_WOOD if first else amount):
                continue
            sources = [name for name, rule in rules if item in rule.get("gives", ())]
            plan = self._use(chart.find(*filter(chart.can_collect, sources)))
            is_vital = self._is_vital(item)
            far = math.inf if is_vital else self._detour
            yield weighed(plan, EAGER if is_vital else 1.0, far)

    def _is_vital(self, item: str) -> bool:
        has = self._chart.inventory
        if item == "wood":
            return not self._tier or has["wood"] < 4
        if item == "stone":
            return self._tier < 2 or has["stone"] < 4
        forging = has["sword"] == 2 and item in ("iron", "coal")
        return forging and not has[item] and not self._is_late

    def _hunting(self) -> Iterator[Plan | None]:
        """Hunts monsters, including those that must be killed to open the ladder."""
        chart, has = self._chart, self._chart.inventory
        closed = chart.floor and "ladder_down" not in chart.ladders
        if has["health"] <= HURT + 2:
            return
        for kind in chart.enemies:
            wanted = closed or self._wants(f"defeat_{kind}")
            if wanted and kind in chart.things.values():
                yield weighed(self._hunt(kind), 0.6, _HUNT_FAR[bool(has["bow"])])

    def _go_down(self) -> Plan | None:
        chart = self._chart
        ladder = chart.ladders.get("ladder_down")
        if ladder is None or not self._tier:
            return None
        patience = 2.0 if chart.floor else self._detour
        if chart.position == ladder:
            return Plan(patience, ["descend"])
        plan = self._go(lambda cell, facing: cell == ladder)
        return plan and Plan(plan.cost + patience, plan.actions)
