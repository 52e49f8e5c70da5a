"""A player that follows written rules, for demonstrations and tests.

It gathers and crafts its way up the tree of achievements, drinks, eats, fights, fences
its sapling and walls itself in to sleep. It is no baseline for research: it looks at
the whole map in `info["semantic"]`, of which an agent sees a small part.

From top to bottom: `Scene` is what it knows of one moment, `find_way` plans a way over
the map, and `ScriptedPlayer` holds the rules. What things cost and need is read from
`crafter.constants`.

Example:
    player = ScriptedPlayer()
    obs, info = env.reset(seed=1)
    done = False
    while not done:
        action = player.act(env, info)
        obs, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from crafter import constants

Cell = tuple[int, int]

MOVES: dict[Cell, str] = {
    (dx, dy): f"move_{name}" for name, (dx, dy) in constants.directions.items()
}
WALKABLE = frozenset(constants.walkable)
#: What can be dug away or, with a stone, filled in and then dug away.
BRIDGED = frozenset({"water", "lava"})
ENEMIES = ("zombie", "skeleton")
#: What moves, may be eaten or lets arrows pass is no wall (water lets them pass too,
#: but gives drink).
UNFIT_WALLS = (None, "lava", "cow", "zombie", "skeleton", "arrow", "plant")

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

#: Costs in steps of what a way may lead through; None stands for outside the map.
DIG_COST, BRIDGE_COST, LONGEST_WAY = 2, 3, 120
#: Plants that feed the player for good.
GARDEN_SIZE = 3
#: A table or furnace farther away than this is not worth the walk.
WORTH_THE_WALK = 25
#: Extra cost of a cell next to an enemy, falling by one with each cell of distance.
FEAR = 4


def shift(cell: Cell, by: Cell, times: int = 1) -> Cell:
    """Return the cell that lies `times` steps from `cell` in direction `by`."""
    return cell[0] + times * by[0], cell[1] + times * by[1]


def distance(a: Cell, b: Cell) -> int:
    """Return the L1 distance of two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def neighbours(cell: Cell) -> list[Cell]:
    """Return the four cells beside a cell."""
    return [shift(cell, move) for move in MOVES]


def source_of(item: str) -> str:
    """Return the material that gives an item."""
    return next(m for m, rule in constants.collect.items() if item in rule["receive"])


class Scene:
    """What the player knows of one moment, taken from `info`."""

    def __init__(self, info: dict[str, Any]):
        self._semantic: np.ndarray = info["semantic"]
        self._grid: list[list[int]] = self._semantic.tolist()
        x, y = info["player_pos"]
        self.position: Cell = int(x), int(y)
        dx, dy = info["player_facing"]
        self.facing: Cell = int(dx), int(dy)
        self.inventory: dict[str, int] = info["inventory"]
        self.achievements: dict[str, int] = info["achievements"]
        self.sleeping: bool = info["sleeping"]
        self.daylight: float = info["daylight"]

    def at(self, cell: Cell) -> str | None:
        """Return the object or else the material at a cell, None outside the map."""
        x, y = cell
        if 0 <= x < len(self._grid) and 0 <= y < len(self._grid[0]):
            return constants.semantic_names[self._grid[x][y]]
        return None

    def cells(self, *names: str) -> set[Cell]:
        """Return the cells that show one of the names."""
        ids = [constants.semantic_names.index(name) for name in names]
        found = np.argwhere(np.isin(self._semantic, ids))
        return {(x, y) for x, y in found.tolist()}

    def around(self, cell: Cell) -> set[str | None]:
        """Return what is near enough to a cell for crafting there."""
        reach = range(-1, 2)
        return {self.at(shift(cell, (dx, dy))) for dx in reach for dy in reach}

    def walkable(self, cell: Cell) -> bool:
        """Tell whether a cell is ground to walk on, its own included."""
        return self.at(cell) in WALKABLE or cell == self.position

    def diggable(self, cell: Cell) -> bool:
        """Tell whether the player can dig a cell away."""
        rule = constants.collect.get(self.at(cell) or "")
        return (
            rule is not None
            and rule["leaves"] in WALKABLE
            and self.has(rule["require"])
        )

    def has(self, needs: dict[str, int]) -> bool:
        """Tell whether the inventory holds at least these amounts."""
        return all(self.inventory[item] >= n for item, n in needs.items())


class Site(NamedTuple):
    """Two cells in a row to hide in: walls around, and a door at one end."""

    cell: Cell
    second: Cell
    door: Cell
    walls: tuple[Cell, ...]

    @classmethod
    def at(cls, cell: Cell, ahead: Cell) -> Site:
        """Lay out a site: door, cell, and a second cell to turn around in."""
        second = shift(cell, ahead)
        door = shift(cell, ahead, -1)
        around = [*neighbours(cell), *neighbours(second)]
        walls = tuple(c for c in around if c not in (cell, second, door))
        return cls(cell, second, door, walls)


class Garden(NamedTuple):
    """A site at the water, with plants among its walls, to live in for good."""

    site: Site
    plants: tuple[Cell, ...]

    @classmethod
    def at(cls, site: Site, scene: Scene) -> Garden | None:
        """Plan the garden of a site, None if the place is not fit for it."""
        found = [scene.at(wall) for wall in site.walls]
        plants = tuple(w for w, name in zip(site.walls, found) if name == "grass")
        if "water" not in found or len(plants) < GARDEN_SIZE:
            return None
        ground = [site.cell, site.second, site.door]
        return cls(site, plants) if all(map(scene.walkable, ground)) else None

    def to_wall(self, scene: Scene) -> list[Cell]:
        """List the cells beside walls and plants that still need a stone."""
        inside = {self.site.cell, self.site.second, *self.plants}
        beside = {c for plant in self.plants for c in neighbours(plant)}
        return sorted(filter(scene.walkable, (beside | {*self.site.walls}) - inside))

    def is_whole(self, scene: Scene) -> bool:
        """Tell whether only the door may be open."""
        planted = all(scene.at(cell) == "plant" for cell in self.plants)
        return planted and not self.to_wall(scene)


def find_way(
    scene: Scene,
    arrived: Callable[[Cell, Cell], bool],
    fear: dict[Cell, int],
    keep: Collection[Cell] = (),
) -> tuple[str, float] | None:
    """Find the cheapest way to a position and facing; Dijkstra's algorithm.

    Facing changes only by moving, or trying to: so what is searched are pairs of a
    position and a facing. Ways may lead through what can be dug away and, with a stone
    in stock, over water and lava.

    Args:
        scene: The present moment.
        arrived: Called with position and facing; tells whether this is the aim.
        fear: Extra costs of cells.
        keep: Cells that must not be dug away or filled in.

    Returns:
        The first action ("" if arrived already) and the cost in steps, or None if no
        way was found.
    """
    start = scene.position, scene.facing
    queue: list[tuple[float, int, tuple[Cell, Cell], str]] = [(0.0, 0, start, "")]
    done = set()
    count = 0
    while queue:
        cost, _, state, first = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if arrived(*state):
            return first, cost
        if cost > LONGEST_WAY:
            return None
        for action, price, after in _choices(scene, *state, keep):
            if after not in done:
                count += 1  # Makes equal costs first come, first served.
                total = cost + price + fear.get(after[0], 0)
                heapq.heappush(queue, (total, count, after, first or action))
    return None


def _choices(
    scene: Scene, position: Cell, facing: Cell, keep: Collection[Cell]
) -> Iterator[tuple[str, float, tuple[Cell, Cell]]]:
    """Yield first action, cost, and position and facing after it, of every choice."""
    for move, action in MOVES.items():
        target = shift(position, move)
        if scene.walkable(target):
            yield action, 1, (target, move)
        elif move != facing and scene.at(target) != "lava":
            yield action, 1, (position, move)
    target = shift(position, facing)
    if target in keep:
        return
    if scene.diggable(target):
        yield "do", DIG_COST, (target, facing)
    elif scene.at(target) in BRIDGED and scene.inventory["stone"]:
        yield "place_stone", BRIDGE_COST, (target, facing)


class ScriptedPlayer:
    """Plays by rules; the first rule that knows what to do decides.

    Args:
        seed: Of the player's own random stream, which decides where it turns when
            it is stuck. The same seed and game give the same actions.
    """

    def __init__(self, seed: int = 0):
        self._seed = seed
        self.reset()

    def reset(self) -> None:
        """Forget the game; call it before each episode."""
        self._random = np.random.default_rng(self._seed)
        self._site: Site | None = None
        self._unfit: set[Site] = set()
        self._garden: Garden | None = None
        self._plants: dict[Cell, int] = {}  # Age of each in steps.
        self._daylight = 0.0
        self._health = 0
        self._resting = False

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Choose an action.

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
        self._scene = scene = Scene(info)
        self._losing = scene.inventory["health"] < self._health
        self._health = scene.inventory["health"]
        self._falling = scene.daylight < self._daylight
        self._daylight = scene.daylight
        reach = constants.world["update_range"] * int(max(info["view"]))
        self._plants = {  # They grow only near the player.
            plant: self._plants.get(plant, 0)
            + (distance(plant, scene.position) < reach)
            for plant in scene.cells("plant")
        }
        self._fear = self._spread_fear()

    def _spread_fear(self) -> dict[Cell, int]:
        """Give extra costs to cells near enemies and to the fences of plants."""
        fear = {cell: FEAR for plant in self._plants for cell in neighbours(plant)}
        reach = range(-FEAR, FEAR + 1)
        for enemy in self._scene.cells(*ENEMIES):
            for by in ((dx, dy) for dx in reach for dy in reach):
                cell = shift(enemy, by)
                fear[cell] = max(fear.get(cell, 0), FEAR - abs(by[0]) - abs(by[1]))
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
            if inside and drink < 8:
                return self._use(inside)
        at_water = scene.at(shift(scene.position, scene.facing)) == "water"
        return self._use(water) if drink <= (8 if at_water else self._enough) else None

    def _eat(self) -> str | None:
        scene = self._scene
        if scene.inventory["food"] > self._enough:
            return None
        settled = self._garden is not None and self._garden.is_whole(scene)
        patient = settled and scene.inventory["health"] > 3
        cows = set() if patient else scene.cells("cow")
        return self._use(cows | self._ripe_plants())

    @property
    def _enough(self) -> int:
        """Food and drink above which the player does something else."""
        if self._dark or self._besieged:
            return -1
        return 7 if self._falling and self._daylight < 0.98 else 3

    @property
    def _dark(self) -> bool:
        return self._daylight < (0.6 if self._falling else 0.45)

    @property
    def _besieged(self) -> bool:
        """Tell whether to stay inside at dawn, until the zombies around are gone."""
        near = any(
            distance(zombie, self._scene.position) < 7
            for zombie in self._scene.cells("zombie")
        )
        fed = min(self._scene.inventory["food"], self._scene.inventory["drink"]) > 1
        return self._resting and near and self._daylight < (0.95 if fed else 0.6)

    def _hide(self) -> str | None:
        scene = self._scene
        healing = scene.inventory["food"] and scene.inventory["drink"]
        hurt = healing and scene.inventory["health"] <= (7 if self._resting else 4)
        tired = scene.inventory["energy"] <= 2
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
        """With nothing left to do, make a garden and live in it."""
        scene = self._scene
        if self._garden is None:
            self._garden = self._find_garden()
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
        """Choose the place that needs the fewest stones and steps."""
        scene = self._scene
        best, least = None, float("inf")
        for water in scene.cells("water"):
            for cell in neighbours(water):
                for ahead in MOVES:
                    garden = Garden.at(Site.at(cell, ahead), scene)
                    if garden is None:
                        continue
                    cost = 4 * len(garden.to_wall(scene))
                    cost += distance(cell, scene.position)
                    if cost < least:
                        best, least = garden, cost
        return best

    def _rest(self) -> str | None:
        """Go to a shelter, close the door, sleep or wait."""
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
        tired = scene.inventory["energy"] < constants.items["energy"]["max"]
        return "sleep" if tired else "noop"

    def _find_site(self) -> Site | None:
        """Choose the site that is nearest and needs the fewest stones."""
        scene = self._scene
        best, least = None, float("inf")
        reach = range(-12, 13)
        for by in ((dx, dy) for dx in reach for dy in reach):
            cell = shift(scene.position, by)
            if not self._can_stand(cell):
                continue
            for ahead in MOVES:
                site = Site.at(cell, ahead)
                if not self._can_build(site) or not self._can_stand(site.second):
                    continue
                missing = sum(map(scene.walkable, site.walls))
                cost = distance(cell, scene.position) + 6 * missing
                if self._dark and all(scene.at(wall) != "water" for wall in site.walls):
                    cost += 10
                if cost < least:
                    best, least = site, cost
        return best

    def _can_stand(self, cell: Cell) -> bool:
        scene = self._scene
        return scene.walkable(cell) or scene.diggable(cell)

    def _can_build(self, site: Site) -> bool:
        """Tell whether the stones suffice and the map and its creatures allow it."""
        scene = self._scene
        if site in self._unfit:
            return False
        open_cells = [c for c in (*site.walls, site.door) if scene.walkable(c)]
        if len(open_cells) > scene.inventory["stone"]:
            return False
        return not any(scene.at(c) in UNFIT_WALLS for c in site.walls)

    # --- Rules for getting on -------------------------------------------------------

    def _pursue(self) -> str | None:
        """Work at the first goal that is open and within reach."""
        for achievement, stock in GOALS:
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
        return self._make(item) if item in constants.make else self._collect(item)

    def _obtain_all(self, needs: dict[str, int]) -> str | None:
        for item, amount in needs.items():
            action = self._obtain(item, amount)
            if action:
                return action
        return None

    def _collect(self, item: str) -> str | None:
        material = source_of(item)
        return self._obtain_all(constants.collect[material]["require"]) or self._use(
            self._scene.cells(material)
        )

    def _make(self, item: str) -> str | None:
        rule = constants.make[item]
        action = self._obtain_all(rule["uses"]) or self._come_near(rule["nearby"])
        if action or not self._scene.has(rule["uses"]):
            return action
        return f"make_{item}"

    def _come_near(self, materials: list[str]) -> str | None:
        """Go where all materials are near; place those that are not there."""
        for n in range(len(materials), 0, -1):
            wanted = set(materials[:n])
            if wanted <= self._scene.around(self._scene.position):
                return self._place(materials[n], wanted) if n < len(materials) else None
            way = self._way_near(wanted)
            if way:
                return way
        return self._place(materials[0])

    def _way_near(self, wanted: set[str]) -> str | None:
        if not all(self._scene.cells(name) for name in wanted):
            return None
        way = find_way(
            self._scene, lambda cell, _: wanted <= self._scene.around(cell), self._fear
        )
        return way[0] if way and way[1] <= WORTH_THE_WALK else None

    def _place(self, thing: str, beside: Collection[str] = ()) -> str | None:
        rule = constants.place[thing]
        action = self._obtain_all(rule["uses"])
        if action or not self._scene.has(rule["uses"]):
            return action
        where, near = set(rule["where"]), set(beside)
        action = self._go(
            lambda cell, facing: (
                self._scene.at(shift(cell, facing)) in where
                and near <= self._scene.around(cell)
            )
        )
        return f"place_{thing}" if action == "" else action

    def _strike(self, creature: str) -> str | None:
        if creature == "plant":
            return self._grow()
        if creature in ENEMIES and self._scene.inventory["health"] < 7:
            return None
        return self._use(self._scene.cells(creature))

    def _grow(self) -> str | None:
        """Harvest what is ripe; else see to it that a fenced plant is growing."""
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
        """Place stones on all of the cells."""
        return self._obtain("stone", min(len(cells), 9)) or self._put(
            "place_stone", *cells, keep=keep
        )

    def _ripe_plants(self) -> set[Cell]:
        ripe = constants.creatures["plant"]["ripe"]
        return {plant for plant, age in self._plants.items() if age > ripe + 1}

    # --- Small steps ----------------------------------------------------------------

    def _use(self, cells: Iterable[Cell]) -> str | None:
        """Do something to the nearest of the cells."""
        return self._put("do", *cells)

    def _put(
        self, action: str, *cells: Cell, keep: Collection[Cell] = ()
    ) -> str | None:
        """Take an action facing the nearest of the cells."""
        targets = set(cells)
        if not targets:
            return None
        first = self._go(lambda cell, facing: shift(cell, facing) in targets, keep)
        return action if first == "" else first

    def _go(
        self, arrived: Callable[[Cell, Cell], bool], keep: Collection[Cell] = ()
    ) -> str | None:
        """Return the next action of the way, "" if arrived, None if there is none."""
        way = find_way(self._scene, arrived, self._fear, keep)
        return way[0] if way else None

    VERBS = {
        "collect": _collect,
        "make": _make,
        "place": _place,
        "eat": _strike,
        "defeat": _strike,
    }
    RULES = (_sleep_on, _fight, _drink, _eat, _hide, _pursue, _settle, _rest)
