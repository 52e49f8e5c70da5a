"""Scripted player that sees the whole map, for demonstrations and tests.

It gathers and crafts its way up the tree of achievements, drinks, eats, fights, fences
its saplings and walls itself in to sleep. With nothing left to do, it makes a garden at
the water and lives there. It is no baseline for research: it looks at the whole map in
`info["semantic"]`, of which an agent sees a small part.

What things cost and need is read from the rules that it is given.

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

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.grid import Cell, distance, neighbours, shift
from crafter.games.crafter.players.scene import MOVES, Garden, Scene, Site, find_way
from crafter.games.crafter.rules import Rules, default

#: The way up: what to do next, and what to have in stock before setting out.
GOALS: tuple[tuple[str, dict[str, int]], ...] = (
    ("place_table", {"wood": 4}),
    ("make_wood_pickaxe", {}),
    ("make_wood_sword", {}),
    ("place_plant", {}),
    ("collect_drink", {}),
    ("eat_cow", {}),
    ("collect_stone", {"wood": 6}),
    ("place_stone", {}),
    ("make_stone_pickaxe", {"wood": 4, "stone": 2}),
    ("make_stone_sword", {}),
    ("collect_coal", {}),
    ("place_furnace", {"stone": 6}),
    ("make_iron_pickaxe", {"iron": 1}),
    ("make_iron_sword", {}),
    ("eat_plant", {"stone": 5}),
    ("defeat_zombie", {}),
    ("collect_diamond", {"stone": 4}),
    ("defeat_skeleton", {}),
)

#: Food and drink at which to look for more, by day and before the night.
LOW, LOW_AT_DUSK = 3, 7
#: Drink up to here when at the water anyway.
ENOUGH_DRINK = 8
#: Energy at which to go to sleep.
TIRED = 2
#: Health at which to hide, at which to come out again, and above which to seek a fight.
HURT, HEALED, STRONG = 4, 7, 6
#: Health at which a player with a garden leaves it to hunt for food.
STARVING = 3
#: Daylight below which it is dusk, night in the evening, night in the morning; and at
#: which the player leaves its shelter although zombies are near, hungry or not.
DUSK, NIGHTFALL, DAWN = 0.98, 0.6, 0.45
LATE_MORNING, HUNGRY_MORNING = 0.95, 0.6

ENEMIES = ("zombie", "skeleton")
#: Extra cost of a cell next to an enemy; it falls by one with each cell of distance.
FEAR = 4
FEAR_AROUND = [
    ((dx, dy), FEAR - abs(dx) - abs(dy))
    for dx in range(-FEAR, FEAR + 1)
    for dy in range(-FEAR, FEAR + 1)
    if abs(dx) + abs(dy) < FEAR
]
#: Zombies nearer than this lay siege to a shelter.
SIEGE = 7
#: A table or furnace farther away than this is not worth the walk.
WORTH_THE_WALK = 25
#: How far to look for a shelter, in cells along each axis.
SEARCH = 12
#: What moves, may be eaten or lets arrows pass is no wall of a shelter. Water lets them
#: pass too, but gives drink.
UNFIT_WALLS = (None, "lava", "cow", "zombie", "skeleton", "arrow", "plant")
#: What a missing wall, or the lack of water at night, costs a shelter in steps.
WALL_COST, DRY_COST = 6, 10


def goals_of(rules: Rules) -> list[tuple[str, dict[str, int]]]:
    """Returns the goals under some rules: the way up, then what else they offer."""
    others = [name for name in rules.achievements if name not in default().achievements]
    added = [n for n in others if n.partition("_")[0] in ScriptedPlayer.VERBS]
    goals = [(name, stock) for name, stock in GOALS if name in rules.achievements]
    return goals + [(name, {}) for name in added]


def source_of(item: str, rules: Rules) -> str:
    """Returns the material that gives an item."""
    return next(m for m, rule in rules.collect.items() if item in rule["receive"])


class ScriptedPlayer:
    """Plays by rules; the first rule that knows what to do decides.

    Args:
        seed: Of the player's own random stream, which decides where it strolls when no
            rule knows what to do. The same seed and game give the same actions.
        rules: The rules of the game; the default ones by default.
    """

    def __init__(self, seed: int = 0, rules: Rules | None = None):
        self._seed = seed
        self.rules = rules or default()
        self._goals = goals_of(self.rules)
        self.reset()

    def reset(self) -> None:
        """Forgets the game; call it before each episode."""
        self._random = np.random.default_rng(self._seed)
        self._site: Site | None = None
        self._unfit: set[Site] = set()
        self._garden: Garden | None = None
        self._looked_for_garden = False
        self._plants: dict[Cell, int] = {}  # Age of each in steps.
        self._daylight = 0.0
        self._health = 0
        self._resting = False

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Chooses an action.

        Args:
            env: The environment, for its `action_names`.
            info: What `reset` or `step` returned last. The keys `semantic`,
                `player_pos`, `player_facing`, `inventory`, `achievements`, `sleeping`,
                `daylight` and `view` are read.

        Returns:
            The index of the action.
        """
        self._look(info)
        action = next(filter(None, (rule(self) for rule in self.RULES)), "noop")
        front = shift(self._scene.position, self._scene.facing)
        if action == "do" and front in self._ripe_plants():
            self._plants[front] = 0  # Eaten; it starts to grow again.
        return env.unwrapped.action_names.index(action)

    def _look(self, info: dict[str, Any]) -> None:
        self._scene = scene = Scene(info, self.rules)
        self._losing = scene.inventory["health"] < self._health
        self._health = scene.inventory["health"]
        self._falling = scene.daylight < self._daylight
        self._daylight = scene.daylight
        reach = self.rules.world["update_range"] * int(max(info["view"]))
        self._plants = {  # They grow only near the player.
            plant: self._plants.get(plant, 0)
            + (distance(plant, scene.position) < reach)
            for plant in scene.cells("plant")
        }
        self._fear = self._spread_fear()

    def _spread_fear(self) -> dict[Cell, int]:
        """Gives extra costs to cells near enemies and to the fences of plants."""
        fear = {cell: FEAR for plant in self._plants for cell in neighbours(plant)}
        for enemy in self._scene.cells(*ENEMIES):
            for by, cost in FEAR_AROUND:
                cell = shift(enemy, by)
                fear[cell] = max(fear.get(cell, 0), cost)
        return fear

    # --- Rules for staying alive ----------------------------------------------------

    def _sleep_on(self) -> str | None:
        return "sleep" if self._scene.sleeping else None

    def _fight(self) -> str | None:
        beside = set(neighbours(self._scene.position))
        return self._use(beside & self._scene.cells(*ENEMIES))

    def _drink(self) -> str | None:
        scene = self._scene
        water = scene.cells("water")
        drink = scene.inventory["drink"]
        if self._resting and self._site:
            inside = water & {*self._site.walls}
            if inside and drink < ENOUGH_DRINK:
                return self._use(inside)
        at_water = scene.at(shift(scene.position, scene.facing)) == "water"
        return (
            self._use(water)
            if drink <= (ENOUGH_DRINK if at_water else self._enough)
            else None
        )

    def _eat(self) -> str | None:
        scene = self._scene
        if scene.inventory["food"] > self._enough:
            return None
        settled = self._garden is not None and self._garden.is_whole(scene)
        patient = settled and scene.inventory["health"] > STARVING
        cows = set() if patient else scene.cells("cow")
        return self._use(cows | self._ripe_plants())

    @property
    def _enough(self) -> int:
        """Food and drink above which the player does something else."""
        if self._dark or self._besieged:
            return -1
        return LOW_AT_DUSK if self._falling and self._daylight < DUSK else LOW

    @property
    def _dark(self) -> bool:
        return self._daylight < (NIGHTFALL if self._falling else DAWN)

    @property
    def _besieged(self) -> bool:
        """Returns whether to stay inside at dawn, until the zombies around are gone."""
        near = any(
            distance(zombie, self._scene.position) < SIEGE
            for zombie in self._scene.cells("zombie")
        )
        fed = min(self._scene.inventory["food"], self._scene.inventory["drink"]) > 1
        morning = LATE_MORNING if fed else HUNGRY_MORNING
        return self._resting and near and self._daylight < morning

    def _hide(self) -> str | None:
        scene = self._scene
        healing = scene.inventory["food"] and scene.inventory["drink"]
        hurt = healing and scene.inventory["health"] <= (
            HEALED if self._resting else HURT
        )
        tired = scene.inventory["energy"] <= TIRED
        if self._site and self._resting and healing and self._losing:
            self._unfit.add(self._site)  # Somebody gets at the player here.
            self._site = None
        if hurt or tired or self._dark or self._besieged:
            return self._rest()
        self._resting = False
        self._unfit.clear()
        self._site = None
        return None

    def _settle(self) -> str | None:
        """Makes a garden and lives in it, with nothing left to do."""
        scene = self._scene
        if not self._looked_for_garden:
            self._garden = self._find_garden()
            self._looked_for_garden = True
        if self._garden is None:
            return None
        for cell in self._garden.plants:
            if scene.at(cell) == "grass":
                return self._obtain("sapling", 1) or self._put("place_plant", cell)
        cells = self._garden.to_wall(scene)
        if cells:
            return self._wall(cells, keep=self._garden.site.walls)
        return None

    def _find_garden(self) -> Garden | None:
        """Chooses the place that needs the fewest stones and steps."""
        scene = self._scene
        best, least = None, float("inf")
        for water in scene.cells("water"):
            for cell in neighbours(water):
                for ahead in MOVES:
                    garden = Garden.at(Site.at(cell, ahead), scene)
                    if garden is None:
                        continue
                    cost = WALL_COST * len(garden.to_wall(scene))
                    cost += distance(cell, scene.position)
                    if cost < least:
                        best, least = garden, cost
        return best

    def _rest(self) -> str | None:
        """Goes to a shelter, closes the door, sleeps or waits."""
        if self._garden and self._garden.is_whole(self._scene):
            self._site = self._garden.site
        elif self._site is None or not self._can_build(self._site):
            self._site = self._find_site()
        if self._site is None:
            return None
        action = self._enter(self._site)
        if action is None:
            self._unfit.add(self._site)
            self._site = None
        return action

    def _enter(self, site: Site) -> str | None:
        scene = self._scene
        for wall in site.walls:
            if scene.walkable(wall):
                return self._put("place_stone", wall, keep=site.walls)
        facing_door = shift(site.door, site.cell, -1)
        action = self._go(
            lambda position, facing: (position, facing) == (site.cell, facing_door),
            keep=site.walls,
        )
        if action != "":
            return action
        if scene.walkable(site.door):
            return "place_stone"
        self._resting = True
        tired = scene.inventory["energy"] < self.rules.items["energy"]["max"]
        return "sleep" if tired else "noop"

    def _find_site(self) -> Site | None:
        """Chooses the site that is nearest and needs the fewest stones."""
        scene = self._scene
        best, least = None, float("inf")
        reach = range(-SEARCH, SEARCH + 1)
        for by in ((dx, dy) for dx in reach for dy in reach):
            cell = shift(scene.position, by)
            if not self._can_stand(cell):
                continue
            for ahead in MOVES:
                site = Site.at(cell, ahead)
                if not self._can_build(site) or not self._can_stand(site.second):
                    continue
                missing = sum(map(scene.walkable, site.walls))
                cost = distance(cell, scene.position) + WALL_COST * missing
                if self._dark and all(scene.at(wall) != "water" for wall in site.walls):
                    cost += DRY_COST
                if cost < least:
                    best, least = site, cost
        return best

    def _can_stand(self, cell: Cell) -> bool:
        scene = self._scene
        return cell in scene.ground or cell in scene.diggable

    def _can_build(self, site: Site) -> bool:
        """Returns whether the stones suffice and the map and its creatures allow it."""
        scene = self._scene
        if site in self._unfit:
            return False
        open_cells = [c for c in (*site.walls, site.door) if scene.walkable(c)]
        if len(open_cells) > scene.inventory["stone"]:
            return False
        return not any(scene.at(c) in UNFIT_WALLS for c in site.walls)

    # --- Rules for getting on -------------------------------------------------------

    def _pursue(self) -> str | None:
        """Works at the first goal that is open and within reach."""
        for achievement, stock in self._goals:
            if self._scene.achievements[achievement]:
                continue
            for item, amount in stock.items():
                action = self._obtain(item, amount)
                if action:
                    return action
            verb, thing = achievement.split("_", 1)
            action = self.VERBS[verb](self, thing)
            if action:
                return action
        return None

    def _obtain(self, item: str, amount: int) -> str | None:
        if self._scene.inventory[item] >= amount:
            return None
        return self._make(item) if item in self.rules.make else self._collect(item)

    def _obtain_all(self, needs: Mapping[str, int]) -> str | None:
        for item, amount in needs.items():
            action = self._obtain(item, amount)
            if action:
                return action
        return None

    def _collect(self, item: str) -> str | None:
        material = source_of(item, self.rules)
        return self._obtain_all(self.rules.collect[material]["require"]) or self._use(
            self._scene.cells(material)
        )

    def _make(self, item: str) -> str | None:
        rule = self.rules.make[item]
        action = self._obtain_all(rule["uses"]) or self._come_near(rule["nearby"])
        if action or not self._scene.has(rule["uses"]):
            return action
        return f"make_{item}"

    def _come_near(self, materials: Sequence[str]) -> str | None:
        """Goes where all materials are near; places those that are not there."""
        scene = self._scene
        for n in range(len(materials), 0, -1):
            spots = scene.near(materials[:n])
            if scene.position in spots:
                return self._place(materials[n], spots) if n < len(materials) else None
            way = self._way_to(spots)
            if way and way[1] <= WORTH_THE_WALK:
                return way[0]
        return self._place(materials[0])

    def _way_to(self, cells: Collection[Cell]) -> tuple[str, float] | None:
        if not cells:
            return None
        return find_way(self._scene, lambda cell, _: cell in cells, self._fear)

    def _place(self, thing: str, spots: Collection[Cell] | None = None) -> str | None:
        """Places a thing somewhere, or where it can be seen from one of the spots."""
        rule = self.rules.place[thing]
        action = self._obtain_all(rule["uses"])
        if action or not self._scene.has(rule["uses"]):
            return action
        targets = self._scene.cells(*rule["where"])
        action = self._go(
            lambda cell, facing: (
                shift(cell, facing) in targets and (spots is None or cell in spots)
            )
        )
        return f"place_{thing}" if action == "" else action

    def _strike(self, creature: str) -> str | None:
        if creature == "plant":
            return self._grow()
        if creature in ENEMIES and self._scene.inventory["health"] <= STRONG:
            return None
        return self._use(self._scene.cells(creature))

    def _grow(self) -> str | None:
        """Harvests what is ripe; else sees to it that a fenced plant is growing."""
        ripe = self._ripe_plants()
        if ripe:
            return self._use(ripe)
        garden = self._garden.plants if self._garden else ()
        for plant in self._plants.keys() - {*garden}:
            fence = set(filter(self._scene.walkable, neighbours(plant)))
            if fence:
                return self._wall(fence)
        return None if self._plants else self._place("plant")

    def _wall(self, cells: Collection[Cell], keep: Collection[Cell] = ()) -> str | None:
        """Places stones on all of the cells."""
        most = self.rules.items["stone"]["max"]
        return self._obtain("stone", min(len(cells), most)) or self._put(
            "place_stone", *cells, keep=keep
        )

    def _ripe_plants(self) -> set[Cell]:
        ripe = self.rules.creatures["plant"]["ripe"]
        return {plant for plant, age in self._plants.items() if age > ripe + 1}

    def _stroll(self) -> str | None:
        scene = self._scene
        free = [m for m in MOVES if scene.walkable(shift(scene.position, m))]
        return MOVES[free[self._random.integers(len(free))]] if free else None

    # --- Small steps ----------------------------------------------------------------

    def _use(self, cells: Iterable[Cell]) -> str | None:
        """Does something to the nearest of the cells."""
        return self._put("do", *cells)

    def _put(
        self, action: str, *cells: Cell, keep: Collection[Cell] = ()
    ) -> str | None:
        """Takes an action facing the nearest of the cells."""
        targets = set(cells)
        if not targets:
            return None
        first = self._go(lambda cell, facing: shift(cell, facing) in targets, keep)
        return action if first == "" else first

    def _go(
        self, arrived: Callable[[Cell, Cell], bool], keep: Collection[Cell] = ()
    ) -> str | None:
        """Returns the next action of the way, "" if arrived, None if there is none."""
        way = find_way(self._scene, arrived, self._fear, keep)
        return way[0] if way else None

    #: First word of an achievement -> what works at it.
    VERBS: dict[str, Callable[[ScriptedPlayer, str], str | None]] = {
        "collect": _collect,
        "make": _make,
        "place": _place,
        "eat": _strike,
        "defeat": _strike,
    }
    #: The rules in order of urgency.
    RULES: tuple[Callable[[ScriptedPlayer], str | None], ...] = (
        _sleep_on,
        _fight,
        _drink,
        _eat,
        _hide,
        _pursue,
        _settle,
        _rest,
        _stroll,
    )
