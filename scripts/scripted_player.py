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
    ("eat_plant", {"stone": 5}),
    ("collect_coal", {}),
    ("place_furnace", {"stone": 6}),
    ("make_iron_pickaxe", {"iron": 1}),
    ("make_iron_sword", {}),
    ("defeat_zombie", {}),
    ("collect_diamond", {"stone": 4}),
    ("defeat_skeleton", {}),
)

#: Costs in steps of what a way may lead through; None stands for outside the map.
DIG_COST, BRIDGE_COST, LONGEST_WAY = 2, 3, 120
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
    door: Cell
    walls: tuple[Cell, ...]

    @classmethod
    def at(cls, cell: Cell, ahead: Cell) -> Site:
        """Lay out a site: door, cell, and a second cell to turn around in."""
        second = shift(cell, ahead)
        inside = {cell, second}
        door = shift(cell, ahead, -1)
        around = [*neighbours(cell), *neighbours(second)]
        return cls(cell, door, tuple(c for c in around if c not in inside | {door}))


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
        self._plants: dict[Cell, int] = {}  # Age of each in steps.
        self._daylight = 0.0
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
        self._falling = scene.daylight < self._daylight
        self._daylight = scene.daylight
        self._fear = self._spread_fear()
        reach = constants.world["update_range"] * int(max(info["view"]))
        self._plants = {  # They grow only near the player.
            plant: self._plants.get(plant, 0)
            + (distance(plant, scene.position) < reach)
            for plant in scene.cells("plant")
        }

    def _spread_fear(self) -> dict[Cell, int]:
        fear: dict[Cell, int] = {}
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
        front = shift(self._scene.position, self._scene.facing)
        at_water = self._scene.at(front) == "water"
        enough = 8 if at_water and not self._dark else self._enough
        if self._scene.inventory["drink"] > enough:
            return None
        return self._use(self._scene.cells("water"))

    def _eat(self) -> str | None:
        if self._scene.inventory["food"] > self._enough:
            return None
        return self._use(self._scene.cells("cow") | self._ripe_plants())

    @property
    def _enough(self) -> int:
        """Food and drink above which the player does something else."""
        if self._dark or self._besieged:
            return -1
        return 6 if self._falling and self._daylight < 0.97 else 3

    @property
    def _dark(self) -> bool:
        return self._daylight < (0.6 if self._falling else 0.45)

    @property
    def _besieged(self) -> bool:
        """Tell whether to stay inside at dawn, until the zombies around are gone."""
        near = any(
            distance(zombie, self._scene.position) < 9
            for zombie in self._scene.cells("zombie")
        )
        return self._resting and near and self._daylight < 0.85

    def _hide(self) -> str | None:
        scene = self._scene
        hurt = scene.inventory["health"] <= (7 if self._resting else 4)
        tired = scene.inventory["energy"] <= 2
        if hurt or tired or self._dark or self._besieged:
            return self._rest()
        self._resting = False
        self._unfit.clear()
        self._site = None
        return None

    def _tend(self) -> str | None:
        """With nothing left to do, stay where the plants grow."""
        near = min((distance(p, self._scene.position) for p in self._plants), default=0)
        if near <= 8:
            return None
        plants = set(self._plants)
        return self._go(lambda cell, _: any(distance(cell, p) <= 8 for p in plants))

    def _rest(self) -> str | None:
        """Go to a shelter, close the door, sleep or wait."""
        if self._site is None or not self._can_build(self._site):
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
                if not self._can_build(site) or not self._can_stand(shift(cell, ahead)):
                    continue
                missing = sum(map(scene.walkable, site.walls))
                cost = abs(by[0]) + abs(by[1]) + 6 * missing
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
        return not any(
            scene.at(c) in (None, "cow", "zombie", "skeleton", "arrow") for c in site.walls
        )

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
        if not self._plants:
            return self._place("plant")
        for plant in self._plants:
            for cell in neighbours(plant):
                if self._scene.walkable(cell):
                    return self._put("place_stone", cell)
        return None

    def _ripe_plants(self) -> set[Cell]:
        ripe = constants.creatures["plant"]["ripe"]
        return {plant for plant, age in self._plants.items() if age > ripe + 1}

    # --- Small steps ----------------------------------------------------------------

    def _use(self, cells: Iterable[Cell]) -> str | None:
        """Do something to the nearest of the cells."""
        return self._put("do", *cells)

    def _put(self, action: str, *cells: Cell, keep: Collection[Cell] = ()) -> str | None:
        """Take an action facing the nearest of the cells."""
        targets = set(cells)
        if not targets:
            return None
        first = self._go(lambda cell, facing: shift(cell, facing) in targets, keep)
        return action if first == "" else first

    def _go(
        self, arrived: Callable[[Cell, Cell], bool], keep: Collection[Cell] = ()
    ) -> str | None:
        """Return the next action of the way, "" if arrived and None if there is none."""
        way = find_way(self._scene, arrived, self._fear, keep)
        return way[0] if way else None

    VERBS = {
        "collect": _collect,
        "make": _make,
        "place": _place,
        "eat": _strike,
        "defeat": _strike,
    }
    RULES = (_sleep_on, _fight, _drink, _eat, _hide, _pursue, _tend, _rest)
