"""An agent that plays the larger game by rules of thumb, from the JSON alone.

It keeps a believed world of what it was told (see `belief`), makes what it can on the
way, opens chests, fights what comes, hides when it is hurt, and goes down as soon as
the way is open. How to fight, dodge and close rooms it has from the player that sees
everything; what it works with here is only what it believes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.craftax.player import after_defence
from crafter.craftax.tables import Tables
from crafter.lm.agents.base import Briefing
from crafter.lm.agents.belief import UNKNOWN, Belief
from crafter.players.craftax import shelter
from crafter.players.craftax.guard import Guard
from crafter.players.craftax.scene import MOVES, TURNS, Scene
from crafter.players.craftax.upkeep import Upkeep
from crafter.players.craftax.ways import Reach, towards
from crafter.players.grid import Cell, neighbours, shift

#: Health at which it hides, and up to which it stays hidden.
HURT, STRONG = 5, 7
#: Food, drink and energy at which it looks for more.
LOW = 4
#: Food and drink to have before the first way down.
PROVISIONS = 6
#: Wood, stone, coal and iron that it likes to have on the way down.
STOCK = {"wood": 9, "stone": 12, "coal": 2, "iron": 2}
STOCK |= {"diamond": 5, "sapphire": 1, "ruby": 1}
#: Tools by use, and whether the agent waits for them.
TOOLS = (
    *("wood_pickaxe", "wood_sword", "stone_pickaxe", "stone_sword"),
    *("iron_sword", "iron_pickaxe", "diamond_sword", "diamond_pickaxe"),
    *("iron_armour", "diamond_armour"),
)
#: Arrows and torches that it makes at a time.
ARROWS, TORCHES = 12, 4
#: The longest way to something that is only nice to have, in steps.
DETOUR, HURRY = 14.0, 3.0
#: Part of the game after which it hurries on the overworld, with its first weapons.
EARLY, LATEST = 0.3, 450
#: The longest way to look around, and steps that every such way counts more.
FARTHEST, OVERHEAD = 60.0, 6.0
#: Share of the steps ahead that do not count, so that it does not turn around.
PERSISTENCE = 0.4
#: Blocks of the overworld near which the way down is, and how much more they count.
LADDER_GROUND = ("path", "stone", "coal", "iron")
LIKELY = 2.0
#: Most actions of hiding that are thought out at once.
_AT_ONCE = 8
_NEVER = float("inf")
_SHOOT = 6  # steps within which those who shoot are a danger
_LONG = 10_000  # steps of a game whose end is not known
_TABLE_WOOD = 2
#: What can be dug away to make room.
_SOFT = ("stone", "stalagmite", "tree")
_WATER = ("water", "fountain")


class Plan(NamedTuple):
    """What could be done next.

    Attributes:
      cost: Steps until it is done, weighted by how little it is wanted.
      actions: How to do it.
      name: What it is, for people.
    """

    cost: float
    actions: list[str]
    name: str = ""


class Descender:
    """Chooses actions from observations.

    Args:
      briefing: What is known before the game.
    """

    def __init__(self, briefing: Briefing) -> None:
        self._tables: Tables = briefing.tables
        self.belief = Belief(self._tables)
        self._guard = Guard(self.belief)
        self._upkeep = Upkeep()
        self._heading = (0.0, 0.0)
        self._hiding = False
        self._limit = briefing.max_actions or _LONG
        self._batch, self._macros = briefing.max_batch, briefing.macros
        self._achieved: set[str] = set()
        self.doing = ""
        self._sources: dict[str, list[str]] = {}
        for block, rule in self._tables.data["collect"].items():
            for item in rule.get("gives", ()):
                if item in STOCK:
                    self._sources.setdefault(item, []).append(block)
        self.doing = ""

    def state(self) -> dict[str, Any]:
        """Returns what it remembers, as data for JSON."""
        return {
            "belief": self.belief.state(),
            "heading": list(self._heading),
            "hiding": self._hiding,
            "room": sorted(map(list, self._upkeep.room or ())),
            "guard": list(self._guard.memory),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Remembers what `state` returned."""
        self.belief.load(state["belief"])
        self._heading = tuple(state["heading"])
        self._hiding = state["hiding"]
        self._upkeep.room = frozenset(map(tuple, state["room"])) or None
        self._guard.memory = tuple(state["guard"])

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""
        self.belief.update(data)
        self._achieved = set(data["achievements"])
        scene = self._scene = Scene(self.belief)
        self._reach = Reach(scene)
        if scene.player.sleeping or scene.player.resting:
            self.doing = "sleep"
            return self._sleep()
        actions = self._plan()
        checked = self._guard.check(scene, actions[0], False)
        if checked != actions[0]:
            self.doing += " guard"
            actions = [checked]
        if actions == ["do"]:
            return ["do"] * self._strokes()
        return actions

    def _strokes(self) -> int:
        """Returns how often to hit what stands ahead, once if it is no monster."""
        player = self._scene.player
        for creature in self._scene.hostile:
            if creature.cell == self._scene.ahead:
                damage = after_defence(player.melee_damage(), creature.species.defence)
                return math.ceil(creature.species.health / max(damage, 0.5))
        return 1

    def _plan(self) -> list[str]:
        for rule in (self._at_once, self._hide):
            actions = rule()
            if actions:
                self.doing = rule.__name__[1:]
                return actions
        best = min(self._plans(), key=lambda plan: plan.cost, default=None)
        if best is None or (best.cost > 1 and self._lacks()):
            self.doing, actions = "look for it", self._seek()
            if actions:
                return actions
        if best is not None:
            self.doing = best.name
            return best.actions
        self.doing = "explore"
        return self._explore()

    def _wants(self, achievement: str) -> bool:
        return achievement not in self._achieved

    # What takes one step and is always right.

    def _at_once(self) -> list[str]:
        scene, player = self._scene, self._scene.player
        calm = not scene.near(4)
        if (colour := self._potion()) is not None:
            return [f"drink_potion_{colour}"]
        if player.xp and calm:
            for name in ("strength", "dexterity", "intelligence"):
                if player.attributes[name] < self.belief.parameters.max_attribute:
                    return [f"level_up_{name}"]
        if scene.has["books"] and calm:
            return ["read_book"]
        if calm:
            return self._place_ahead()
        return []

    def _place_ahead(self) -> list[str]:
        """Places a torch or a sapling for the first time, if there is room ahead."""
        scene = self._scene
        if not scene.can_place(scene.ahead):
            return []
        on = self._tables.block_ids[scene.block(scene.ahead)]
        for name, item in (("torch", "torches"), ("plant", "sapling")):
            fits = scene.has[item] and self._tables.place[name].where[on]
            if fits and self._wants(f"place_{name}"):
                return [f"place_{name}"]
        return []

    def _potion(self) -> str | None:
        """Returns a colour to drink: what heals when hurt, or what nobody knows."""
        scene = self._scene
        names = self._tables.data["inventory"]["potions"]["each"]
        missing = scene.most("health") - scene.player.health
        for colour, owned in enumerate(scene.has["potions"]):
            effect = self.belief.world.potion_mapping[colour]
            if owned and effect == 0 and missing >= 5:
                return str(names[colour])
            safe = scene.player.health > STRONG or not scene.near(_SHOOT)
            if owned and effect < 0 and scene.player.health > HURT + 1 and safe:
                return str(names[colour])
        return None

    def _sleep(self) -> list[str]:
        if self._macros:
            return ["sleep until awake"]
        return ["sleep"] * self._batch

    # Hiding.

    def _hide(self) -> list[str]:
        scene, player = self._scene, self._scene.player
        weak = player.health <= (STRONG if self._hiding else self._hurt())
        tired = player.energy <= (scene.most("energy") - 2 if self._hiding else 2)
        self._hiding = (weak or tired) and min(player.food, player.drink) > 1
        return self._rest() if self._hiding else []

    def _rest(self) -> list[str]:
        """Sleeps or waits in a closed room, and makes one first."""
        scene, player = self._scene, self._scene.player
        if shelter.enclosure(scene) is not None:
            sleepy = player.energy < scene.most("energy")
            return self._sleep() if sleepy else ["noop"] * 10
        return self._think_ahead()

    def _hurt(self) -> int:
        """Returns the health at which it hides: monsters below hit harder."""
        return HURT if self._scene.level else HURT - 1

    def _think_ahead(self) -> list[str]:
        """Returns the actions that close a room, as far as they are sure to work."""
        actions: list[str] = []
        with self.belief.trying():
            while len(actions) < _AT_ONCE:
                scene = Scene(self.belief)
                closed = shelter.enclosure(scene) is not None
                action = None if closed else self._upkeep.hide(scene)
                if action is None:
                    break
                actions.append(action)
                if not self.belief.imagine(action):
                    break
        return actions

    # What to do next.

    def _plans(self) -> Iterator[Plan]:
        found = (
            *self._body(),
            *self._making(),
            *self._gathering(),
            *self._looting(),
            *self._hunting(),
            *self._going_down(),
        )
        yield from (plan for plan in found if plan is not None)

    def _body(self) -> Iterator[Plan | None]:
        player, scene = self._scene.player, self._scene
        low = PROVISIONS if scene.level == 0 and self._is_late() else LOW
        if player.drink <= low or self._wants("collect_drink"):
            times = scene.most("drink") - player.drink
            yield self._use(
                self._reach.to_block(_WATER, self._far(player.drink, low)),
                "drink",
                max(1, times),
                self._urgency(player.drink),
            )
        prey = [c.cell for c in scene.passive()]
        fresh = any(
            self._wants(self._tables.achievement_names[c.species.achievement])
            for c in scene.passive()
        )
        if player.food <= low or fresh:
            way = self._reach.to(prey, self._far(player.food, low))
            yield self._use(way, "eat", 1, self._urgency(player.food))
        if self._wants("collect_sapling") and scene.level == 0 and self._is_settled():
            way = self._reach.to_block(["grass"], 3)
            plan = self._use(way, "sapling", 4)
            if plan is not None:
                yield Plan(plan.cost + 6, plan.actions, plan.name)
        if self._wants("wake_up") and not scene.near(9) and scene.level == 0:
            missing = scene.most("energy") - player.energy
            if missing and self.belief.world.light_level > 0.6:
                yield Plan(14.0 * missing, self._sleep(), "nap")

    def _lacks(self) -> bool:
        """Tells whether it needs something soon and knows no way to it here."""
        player, scene = self._scene.player, self._scene
        dry = player.drink <= LOW and not self._reach.to_block(_WATER)
        prey = [c.cell for c in scene.passive()]
        hungry = player.food < LOW and not self._reach.to(prey)
        return dry or hungry

    def _seek(self) -> list[str]:
        """Goes up for what this floor lacks, if there is a way, or looks around."""
        scene, player = self._scene, self._scene.player
        if not self._lacks():
            return []
        up = self.belief.arrivals.get(scene.level)
        least = min(player.food, player.drink)
        way = None if up is None else self._reach.to([up])
        if way is not None and least <= 2:
            return self._walk(way[1]) if way[1] else ["ascend"]
        return self._explore()

    def _far(self, amount: float, low: float) -> float:
        """Returns how far to go for food or drink."""
        if amount <= LOW:
            return _NEVER
        return DETOUR if amount <= low else self._detour()

    def _urgency(self, amount: float) -> float:
        return 1.0 if amount > LOW else amount / (2 * LOW)

    def _is_settled(self) -> bool:
        """Tells whether the first tools are made."""
        return self._scene.has["pickaxe"] >= 1 and self._scene.has["sword"] >= 1

    def _making(self) -> Iterator[Plan | None]:
        for name in self._recipes():
            yield self._make(name)
        scene = self._scene
        near = scene.floor.is_near(scene.at, self._tables.block_ids["crafting_table"])
        if self._wants("place_furnace") and near and scene.has["stone"] > 3:
            yield self._place("furnace")
        if self._wants("place_stone") and scene.has["stone"]:
            yield self._place("stone")

    def _recipes(self) -> Iterator[str]:
        has = self._scene.has
        for name in TOOLS:
            for item, tier in self._tables.recipes[name].raises.items():
                owned = has[item]
                if (min(owned) if isinstance(owned, list) else owned) < tier:
                    yield name
        armed = min(has["pickaxe"], has["sword"]) >= 2 and has["wood"] > 1
        if armed and has["arrows"] < ARROWS:
            yield "arrow"
        if armed and has["torches"] < TORCHES:
            yield "torch"

    def _make(self, name: str) -> Plan | None:
        scene, recipe = self._scene, self._tables.recipes[name]
        if scene.player.missing(recipe.uses):
            return None
        ids = self._tables.block_ids
        lacking = [b for b in recipe.near if not scene.floor.is_near(scene.at, b)]
        if not lacking:
            return Plan(0.5, [f"make_{name}"], name)
        if ids["crafting_table"] in lacking:
            return self._to_table(name, recipe.uses)
        if scene.has["stone"] > recipe.uses.get("stone", 0):
            return self._place("furnace")
        return None

    def _to_table(self, name: str, uses: Mapping[str, int]) -> Plan | None:
        """Goes back to a table, or places another one."""
        scene = self._scene
        tables = scene.find(["crafting_table"])
        beside = {c for t in tables for c in _around(t) if not scene.solid(c)}
        way = self._reach.to(beside, 20.0)
        if way is not None and way[1]:
            return Plan(way[0] + 1, self._walk(way[1]), f"table for {name}")
        if scene.has["wood"] < _TABLE_WOOD + self._wood_first(uses):
            return None
        return self._place("table")

    def _wood_first(self, uses: Mapping[str, int]) -> int:
        """Returns the wood to have beside that for a table, so that it pays."""
        return max(2, uses.get("wood", 0))

    def _place(self, what: str) -> Plan | None:
        """Places something in front, or takes a step or digs to make room for it."""
        scene, name = self._scene, f"place_{what}"
        if self._fits(scene.ahead):
            return Plan(1.0, [name], name)
        for turn, step in MOVES.items():
            beside = shift(scene.at, step)
            if scene.can_enter(beside) and self._fits(shift(beside, step)):
                return Plan(2.0, [turn, name], name)
        for turn, step in MOVES.items():
            beside = shift(scene.at, step)
            if scene.block(beside) in _SOFT and self._can_dig(scene.block(beside)):
                turns = [] if scene.ahead == beside else [turn]
                return Plan(3.0, [*turns, "do", name], name)
        return None

    def _fits(self, cell: Cell) -> bool:
        """Tells whether a table can be placed in a cell."""
        scene = self._scene
        free = scene.can_place(cell) and scene.item(cell) == "none"
        return free and scene.block(cell) not in (UNKNOWN, "water")

    def _gathering(self) -> Iterator[Plan | None]:
        has = self._scene.has
        for item, blocks in self._sources.items():
            able = [b for b in blocks if self._can_dig(b)]
            short = self._needs(item) - has[item]
            if not able or short <= 0:
                continue
            far = _NEVER if self._is_vital(item) else self._detour()
            weight = 0.7 if self._is_vital(item) else 1.0
            way = self._reach.to_block(able, far)
            yield self._use(way, item, 1, weight)

    def _can_dig(self, block: str) -> bool:
        rule = self._tables.collect[self._tables.block_ids[block]]
        return rule.pickaxe <= self._scene.has["pickaxe"]

    def _needs(self, item: str) -> int:
        if not self._is_settled() and item == "wood":
            return 5
        return STOCK[item]

    def _is_vital(self, item: str) -> bool:
        has = self._scene.has
        if item == "wood":
            return bool(not self._is_settled() or has["wood"] < 4)
        tools = min(has["pickaxe"], has["sword"])
        if item == "stone":
            return bool(tools < 2 or has["stone"] < 4)
        forging = has["sword"] == 2 and item in ("iron", "coal") and not has[item]
        return bool(forging and not self._is_late())

    def _looting(self) -> Iterator[Plan | None]:
        armed = self._scene.has["bow"]
        way = self._reach.to_block(["chest"], 60.0 if armed else 100.0)
        yield self._use(way, "chest", 1, 0.4 if armed else 0.15)

    def _hunting(self) -> Iterator[Plan | None]:
        scene = self._scene
        if scene.player.health <= self._hurt() + 1:
            return
        for creature in scene.hostile:
            number = creature.species.achievement
            wanted = self._wants(self._tables.achievement_names[number])
            shoots = creature.kind == "ranged" and creature in scene.near(_SHOOT)
            if not (scene.kills_left or wanted or shoots):
                continue
            way = self._reach.to([creature.cell], 25.0 if scene.has["bow"] else 6.0)
            plan = self._use(way, "hunt", 1, 0.2 if shoots else 0.6)
            if plan is not None:
                yield Plan(plan.cost, plan.actions[:2], plan.name)

    def _going_down(self) -> Iterator[Plan | None]:
        scene = self._scene
        ladder = self.belief.ladders.get(scene.level)
        if ladder is None or scene.kills_left or not self._is_settled():
            return
        if scene.at == ladder:
            rest = [] if self._is_fit() else self._rest()
            yield Plan(self._patience(), rest or ["descend"], "descend")
            return
        way = self._reach.to([ladder])
        if way is not None:
            yield Plan(way[0] + self._patience(), self._walk(way[1]), "go down")

    def _is_fit(self) -> bool:
        """Tells whether it can start on a floor where it is more dangerous."""
        player, scene = self._scene.player, self._scene
        rested = player.energy >= 5 and player.health >= scene.most("health") - 2
        return rested or min(player.food, player.drink) <= LOW or scene.level > 0

    def _patience(self) -> float:
        """Returns how far other things may be to come before going down."""
        return self._detour() if self._scene.level == 0 else 2.0

    def _detour(self) -> float:
        """Returns the longest way to something that is only nice to have."""
        return HURRY if self._is_late() and not self._scene.level else DETOUR

    def _is_late(self) -> bool:
        """Tells whether it is time to go down."""
        return self.belief.world.timestep > min(EARLY * self._limit, LATEST)

    # Ways.

    def _use(
        self,
        way: tuple[float, list[Cell]] | None,
        name: str,
        times: int = 1,
        weight: float = 1.0,
    ) -> Plan | None:
        """Goes a way and uses what is at its end."""
        if way is None or not way[1]:
            return None
        cost, path = way
        actions = self._walk(path[:-1]) if len(path) > 1 else []
        if len(actions) == len(path) - 1 and self._is_open(path[:-1]):
            at, facing = self._end(path[:-1])
            turn = _turn(at, path[-1])
            turned = [] if shift(at, facing) == path[-1] else [turn]
            actions += [*turned, *["do"] * times]
        return Plan(weight * (cost + times - 1), actions, name)

    def _is_open(self, path: list[Cell]) -> bool:
        scene = self._scene
        return all(scene.can_enter(c) and scene.block(c) != UNKNOWN for c in path)

    def _end(self, path: list[Cell]) -> tuple[Cell, Cell]:
        """Returns the last cell of a way, and the direction faced there."""
        scene = self._scene
        if not path:
            return scene.at, scene.player.facing
        before = path[-2] if len(path) > 1 else scene.at
        return path[-1], (path[-1][0] - before[0], path[-1][1] - before[1])

    def _walk(self, path: Iterable[Cell]) -> list[str]:
        """Returns the actions of a way as far as it is open, or those to clear it."""
        scene, actions, at = self._scene, [], self._scene.at
        for cell in path:
            if scene.block(cell) == UNKNOWN or not scene.can_enter(cell):
                break
            actions.append(_turn(at, cell))
            at = cell
        if not actions:
            actions = self._clear(next(iter(path)))
        return actions

    def _clear(self, cell: Cell) -> list[str]:
        """Returns how to get into a cell beside the player that is not open."""
        scene = self._scene
        first, turn = towards(scene, cell), _turn(scene.at, cell)
        if scene.block(cell) == UNKNOWN or scene.occupied(cell):
            return [first]
        if first in ("do", "place_stone"):
            return [first, turn]
        use = "place_stone" if scene.block(cell) in ("water", "lava") else "do"
        return [first, use, turn]

    # Looking around.

    def _explore(self) -> list[str]:
        """Goes where most that is new can be seen for the way it takes."""
        scene, gains = self._scene, self._gains()
        ground, best, most = [], None, 0.0
        for cell, cost in self._reach.distances(FARTHEST).items():
            if scene.block(cell) == UNKNOWN:
                ground.append((cost, cell))
                continue
            ahead = sum((a - b) * h for a, b, h in zip(cell, scene.at, self._heading))
            worth = gains[cell] / (cost + OVERHEAD - PERSISTENCE * min(ahead, cost))
            if cost and worth > most:
                best, most = cell, worth
        if best is None or scene.level not in self.belief.bright:
            fresh = [place for place in ground if self._borders_on_known(place[1])]
            best = min(fresh, default=(0.0, None))[1]
        way = None if best is None else self._reach.to([best])
        if way is None or best is None:
            return ["noop"]
        self._heading = _direction(scene.at, best)
        return self._walk(way[1])

    def _gains(self) -> np.ndarray:
        """Returns how much that is new would be in view from each cell.

        Ladders stand on certain ground, so that what lies near it counts more.
        """
        level, scene = self._scene.level, self._scene
        names = LADDER_GROUND if level == 0 else ()
        ids = [self._tables.block_ids[name] for name in names]
        likely = _around_sum(np.isin(scene.floor.block_map, ids), (4, 4)) > 0
        fresh = ~self.belief.seen[level] * (1.0 + LIKELY * likely)
        rows, columns = self._tables.data["view"]["cells"]
        return _around_sum(fresh, (rows // 2, columns // 2))

    def _borders_on_known(self, cell: Cell) -> bool:
        return any(
            c in self._scene.floor and self._scene.block(c) != UNKNOWN
            for c in neighbours(cell)
        )


def _around_sum(numbers: np.ndarray, reach: tuple[int, int]) -> np.ndarray:
    """Returns for each cell the sum over the rectangle around it."""
    (rows, columns), size = reach, numbers.shape
    pad = ((rows + 1, rows), (columns + 1, columns))
    total = np.pad(numbers.astype(float), pad).cumsum(0).cumsum(1)
    high, wide = 2 * rows + 1, 2 * columns + 1
    found = total[high:, wide:] - total[:-high, wide:]
    found = found - total[high:, :-wide] + total[:-high, :-wide]
    assert found.shape == size
    return found


def _direction(at: Cell, to: Cell) -> tuple[float, float]:
    """Returns the direction of a place, of length 1."""
    away = to[0] - at[0], to[1] - at[1]
    length = max(1.0, math.hypot(*away))
    return away[0] / length, away[1] / length


def _around(cell: Cell) -> list[Cell]:
    return [shift(cell, (row, col)) for row in (-1, 0, 1) for col in (-1, 0, 1)]


def _turn(at: Cell, cell: Cell) -> str:
    return TURNS[cell[0] - at[0], cell[1] - at[1]]
