"""Map of what the scripted agent has seen, and ways across it.

Everything comes from the JSON form of observations. Places are relative to the start;
the agent knows where it is by counting its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from crafter.core import paths
from crafter.core.grid import Cell, shift
from crafter.core.paths import Choice, Way
from crafter.games.crafter.rules import Rules
from crafter.lm.rendering.facts import VECTORS

ENEMIES = ("zombie", "skeleton")
#: Cost of a step beside an enemy; it falls by two with each further cell.
FEAR = 6
#: Ways are not followed farther than this.
LONGEST = 80
_UNKNOWN = ("outside", "unclear")


class Chart:
    """What was seen so far.

    Args:
      rules: The rules of the game.

    Attributes:
      position: Place of the player.
      facing: Direction (dx, dy).
      cells: Place -> material, `plant`, `ripe plant` or `outside`.
      things: Place -> kind, for the creatures and arrows in view now.
      inventory: What the player has, vitals included.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.position: Cell = (0, 0)
        self.facing: Cell = VECTORS["down"]
        self.cells: dict[Cell, str] = {}
        self.things: dict[Cell, str] = {}
        self.inventory: dict[str, int] = {}

    def update(self, data: dict[str, Any]) -> None:
        """Reads an observation in its JSON form."""
        for event in data["events"]:
            if event["type"] == "moved":
                self.position = shift(self.position, VECTORS[event["direction"]])
        self.facing = VECTORS[data["player"]["facing"]]
        vitals = {name: n for name, n in data["vitals"].items() if name != "max"}
        self.inventory = (
            dict.fromkeys(self._rules.items, 0) | data["inventory"] | vitals
        )
        self._read_view(data["view"])
        self.things = {}
        for thing in data["objects"]:
            cell = shift(self.position, (thing["dx"], thing["dy"]))
            if thing["kind"] == "plant":
                self.cells[cell] = "ripe plant" if thing["ripe"] else "plant"
            elif thing["kind"] not in _UNKNOWN:
                self.things[cell] = thing["kind"]

    def _read_view(self, view: dict[str, Any]) -> None:
        left, top = shift(
            self.position, (-(view["width"] // 2), -(view["height"] // 2))
        )
        for y, row in enumerate(view["rows"]):
            for x, glyph in enumerate(row):
                name = view["legend"][glyph]
                if name != "unclear":
                    self.cells[left + x, top + y] = name

    def at(self, cell: Cell) -> str | None:
        """Returns the creature at a place, else the material; `None` if never seen."""
        return self.things.get(cell) or self.cells.get(cell)

    def find(self, *names: str) -> set[Cell]:
        """Returns the places with one of the names."""
        return {
            *(cell for cell, name in self.cells.items() if name in names),
            *(cell for cell, name in self.things.items() if name in names),
        }

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

    def near(self, cell: Cell) -> set[str]:
        """Returns the materials near enough to a place for crafting."""
        nearby = self._rules.world["nearby"]
        reach = range(-nearby, nearby + 1)
        around = (self.cells.get(shift(cell, (dx, dy))) for dx in reach for dy in reach)
        return {name for name in around if name is not None}

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
        for name, vector in VECTORS.items():
            target = shift(cell, vector)
            move, fear = f"move_{name}", self._fear.get(target, 0)
            if self._chart.is_open(target):
                yield Choice((move,), 1 + fear, (target, vector))
                continue
            material = self._chart.at(target)
            if material is None or material == "lava":
                continue
            turn = () if facing == vector else (move,)
            if turn:
                yield Choice(turn, 1 + self._fear.get(cell, 0), (cell, vector))
            if self._chart.is_diggable(target):
                yield Choice(
                    (*turn, "do", move), 2 + len(turn) + fear, (target, vector)
                )
