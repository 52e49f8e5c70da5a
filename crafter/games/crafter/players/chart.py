"""Map of what the scripted player has seen, and ways across it.

It is read from observations in their JSON form, or from snapshots. Of observations,
places are relative to the start: the player counts its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from crafter.core import paths
from crafter.core.grid import Cell, shift
from crafter.core.paths import Choice, Way
from crafter.games.crafter.rules import Rules

if TYPE_CHECKING:
    from crafter.games.crafter.snapshot import Snapshot

ENEMIES = ("zombie", "skeleton")
#: Cost of a step beside an enemy; it falls by two with each further cell.
FEAR = 6
#: Ways are not followed farther than this.
LONGEST = 80
_UNKNOWN = ("outside", "unclear")


class Chart:
    """Map of all cells seen so far.

    Args:
      rules: The rules of the game.

    Attributes:
      position: Place of the player.
      facing: Direction (dx, dy).
      cells: Place -> material, `plant`, `ripe plant` or `outside`.
      things: Place -> kind, for the creatures and arrows in view now.
      inventory: What the player has, vitals included.
      achieved: Achievements so far.
      light: Daylight, 0 to 1.
      asleep: Whether the player sleeps.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.directions = rules.directions
        self.position: Cell = (0, 0)
        self.facing: Cell = self.directions["down"]
        self.cells: dict[Cell, str] = {}
        self.things: dict[Cell, str] = {}
        self.inventory: Mapping[str, int] = {}
        self.achieved: frozenset[str] = frozenset()
        self.light, self.asleep = 1.0, False

    def update(self, data: dict[str, Any]) -> None:
        """Reads an observation in its JSON form."""
        for event in data["events"]:
            if event["type"] == "moved":
                step = self.directions[event["direction"]]
                self.position = shift(self.position, step)
        self.facing = self.directions[data["player"]["facing"]]
        self.asleep, self.light = data["player"]["asleep"], data["light"]
        self.achieved = frozenset(data["achievements"])
        vitals = {name: n for name, n in data["vitals"].items() if name != "max"}
        owned = {**data["inventory"], **vitals}
        self.inventory = dict.fromkeys(self._rules.items, 0) | owned
        view = data["view"]
        rows = [[view["legend"][glyph] for glyph in row] for row in view["rows"]]
        things = data["objects"]
        self._read(
            rows, (((t["dx"], t["dy"]), t["kind"], t.get("ripe")) for t in things)
        )

    def look(self, snapshot: Snapshot) -> None:
        """Reads a snapshot; of the map only what is in view."""
        self.position, self.facing = snapshot.position, snapshot.facing
        self.asleep, self.light = snapshot.sleeping, snapshot.daylight
        self.achieved = frozenset(snapshot.unlocked)
        self.inventory = snapshot.inventory
        names = ["outside", *self._rules.materials]
        rows = [[names[number] for number in row] for row in snapshot.ground.T.tolist()]
        ripe = self._rules.creatures["plant"]["ripe"]
        others = (record for record in snapshot.objects if record.kind != "player")
        self._read(
            rows,
            (
                (
                    shift(record.position, snapshot.position, -1),
                    record.kind,
                    record.counters.get("grown", 0) > ripe,
                )
                for record in others
            ),
        )

    def _read(self, rows: list[list[str]], things: Iterable[tuple]) -> None:
        """Notes the cells around the player and what stands there.

        Args:
          rows: Names of the cells in view.
          things: Offset, kind and whether it is ripe, of each object in view.
        """
        left, top = shift(self.position, (-(len(rows[0]) // 2), -(len(rows) // 2)))
        for y, row in enumerate(rows, top):
            for x, name in enumerate(row, left):
                if name != "unclear":
                    self.cells[x, y] = name
        self.things = {}
        for offset, kind, ripe in things:
            cell = shift(self.position, offset)
            if kind == "plant":
                self.cells[cell] = "ripe plant" if ripe else "plant"
            elif kind not in _UNKNOWN:
                self.things[cell] = kind

    def at(self, cell: Cell) -> str | None:
        """Returns the creature at a place, else the material; `None` if never seen."""
        return self.things.get(cell) or self.cells.get(cell)

    def find(self, *names: str) -> set[Cell]:
        """Returns the places with one of the names."""
        known = (*self.cells.items(), *self.things.items())
        return {cell for cell, name in known if name in names}

    def has(self, needs: Mapping[str, int]) -> bool:
        """Returns whether the inventory holds at least these amounts."""
        return all(self.inventory[item] >= amount for item, amount in needs.items())

    def is_open(self, cell: Cell) -> bool:
        """Returns whether one can safely walk on a place."""
        return cell not in self.things and self.cells.get(cell) in self._rules.walkable

    def is_diggable(self, cell: Cell) -> bool:
        """Returns whether `do` would clear a place so that one can walk there."""
        rule = self._rules.collect.get(self.at(cell) or "")
        if rule is None or self.is_open(cell):
            return False
        return rule["leaves"] in self._rules.walkable and self.has(rule["require"])

    def near(self, cell: Cell) -> set[str | None]:
        """Returns the materials near enough to a place for crafting."""
        nearby = self._rules.world["nearby"]
        reach = range(-nearby, nearby + 1)
        return {self.cells.get(shift(cell, (dx, dy))) for dx in reach for dy in reach}

    def fear(self) -> dict[Cell, int]:
        """Returns extra costs of places near enemies."""
        costs: dict[Cell, int] = {}
        for enemy in self.find(*ENEMIES):
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    cell = shift(enemy, (dx, dy))
                    cost = FEAR - 2 * (abs(dx) + abs(dy))
                    costs[cell] = max(cost, costs.get(cell, 0))
        return costs


class Search:
    """Cheapest ways from where the player is.

    Facing changes only by moving or by walking into something, so what is searched are
    pairs of a place and a facing.

    Args:
      chart: The map.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart, self._fear = chart, chart.fear()

    def ways(self) -> Iterator[Way]:
        """Yields the cheapest way to each place and facing, the cheapest first."""
        start = self._chart.position, self._chart.facing
        return paths.search(start, self._choices, LONGEST)

    def to(self, arrived: Callable[[Cell, Cell], bool]) -> Way | None:
        """Returns the way to the first place and facing that are an aim, or `None`."""
        return next((way for way in self.ways() if arrived(*way.state)), None)

    def _choices(self, state: tuple[Cell, Cell]) -> Iterator[Choice]:
        cell, facing = state
        for name, vector in self._chart.directions.items():
            target = shift(cell, vector)
            move, fear = f"move_{name}", self._fear.get(target, 0)
            if self._chart.is_open(target):
                yield Choice((move,), 1 + fear, (target, vector))
                continue
            if self._chart.at(target) in (None, "lava"):
                continue
            turn = () if facing == vector else (move,)
            if turn:
                yield Choice(turn, 1 + self._fear.get(cell, 0), (cell, vector))
            if self._chart.is_diggable(target):
                actions = (*turn, "do", move)
                yield Choice(actions, len(actions) + fear, (target, vector))
