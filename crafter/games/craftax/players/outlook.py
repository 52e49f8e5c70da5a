"""Outlook: one believed moment, paths through it, using and placing things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crafter.core.grid import Cell, shift
from crafter.games.craftax.players.belief import UNKNOWN, Belief
from crafter.games.craftax.players.pathfinding import Reach, Way, towards
from crafter.games.craftax.players.scene import MOVES, TURNS, Scene

#: The longest way to something that is only nice to have, in steps; and in a hurry.
DETOUR, HURRY = 14.0, 3.0
#: What can be dug away to make room.
_SOFT = ("stone", "stalagmite", "tree")


class Plan(NamedTuple):
    """Possible next action.

    Attributes:
      cost: Steps until it is done, weighted by how little it is wanted.
      actions: How to do it.
      name: What it is, for people.
    """

    cost: float
    actions: list[str]
    name: str = ""


class Outlook:
    """One moment of what is believed.

    Args:
      belief: The world as far as it is known.
      achieved: Achievements so far.
      late: Whether it is time to go down.
      sleep: The actions to sleep until it is awake.

    Attributes:
      belief, late, sleep: The same.
      tables: The rules.
      scene: What there is.
      player: The player in it.
      reach: Ways from the player to everywhere.
      detour: The longest way to something that is only nice to have, in steps.
    """

    def __init__(
        self, belief: Belief, achieved: Iterable[str], late: bool, sleep: list[str]
    ) -> None:
        self.belief, self.late, self.sleep = belief, late, sleep
        self.tables = belief.tables
        self.scene = Scene(belief.player)
        self.player = belief.player
        self.reach = Reach(self.scene)
        self.detour = HURRY if late and not self.scene.level else DETOUR
        self._achieved = frozenset(achieved)

    def wants(self, achievement: str) -> bool:
        """Returns whether an achievement was not reached yet."""
        return achievement not in self._achieved

    def wants_number(self, number: int) -> bool:
        """Returns the same of an achievement by its number."""
        return self.wants(self.tables.achievement_names[number])

    @property
    def is_settled(self) -> bool:
        """Whether the first tools are made."""
        has = self.scene.has
        return bool(has["pickaxe"] >= 1 and has["sword"] >= 1)

    def can_dig(self, block: str) -> bool:
        """Returns whether the pickaxe is good enough for a block."""
        rule = self.tables.collect.get(self.tables.block_ids[block])
        return rule is not None and rule.pickaxe <= self.scene.has["pickaxe"]

    def is_room(self, cell: Cell) -> bool:
        """Returns whether a cell is open, or can be dug out."""
        return not self.scene.solid(cell) or self.can_dig(self.scene.block(cell))

    # Ways.

    def use(
        self,
        way: Way | None,
        name: str,
        times: int = 1,
        weight: float = 1.0,
    ) -> Plan | None:
        """Goes a way and uses what is at its end.

        Args:
          way: Its cost and cells, if there is one.
          name: What the plan is called.
          times: How often it is used.
          weight: What the cost is multiplied with; less for what is wanted more.
        """
        if way is None or not way.cells:
            return None
        cost, path = way
        actions = self.walk(path[:-1]) if len(path) > 1 else []
        if all(map(self._is_open, path[:-1])):
            at, facing = self._end(path[:-1])
            turned = [] if shift(at, facing) == path[-1] else [_turn(at, path[-1])]
            actions += [*turned, *["do"] * times]
        return Plan(weight * (cost + times - 1), actions, name)

    def walk(self, path: Iterable[Cell]) -> list[str]:
        """Returns the actions of a way as far as it is open, or those to clear it."""
        actions, at = [], self.scene.at
        for cell in path:
            if not self._is_open(cell):
                break
            actions.append(_turn(at, cell))
            at = cell
        return actions or self._clear(next(iter(path)))

    def _is_open(self, cell: Cell) -> bool:
        return self.scene.can_enter(cell) and self.scene.block(cell) != UNKNOWN

    def _end(self, path: list[Cell]) -> tuple[Cell, Cell]:
        """Returns the last cell of a way, and the direction faced there."""
        if not path:
            return self.scene.at, self.player.facing
        before = path[-2] if len(path) > 1 else self.scene.at
        return path[-1], (path[-1][0] - before[0], path[-1][1] - before[1])

    def _clear(self, cell: Cell) -> list[str]:
        """Returns how to get into a cell beside the player that is not open."""
        scene = self.scene
        first, turn = towards(scene, cell), _turn(scene.at, cell)
        if scene.block(cell) == UNKNOWN or scene.occupied(cell):
            return [first]
        if first in ("do", "place_stone"):
            return [first, turn]
        use = "place_stone" if scene.block(cell) in ("water", "lava") else "do"
        return [first, use, turn]

    # Placing.

    def place(self, what: str) -> Plan | None:
        """Places something in front, or takes a step or digs to make room for it."""
        scene, name = self.scene, f"place_{what}"
        if self._fits(scene.ahead):
            return Plan(1.0, [name], name)
        for turn, step in MOVES.items():
            beside = shift(scene.at, step)
            if scene.can_enter(beside) and self._fits(shift(beside, step)):
                return Plan(2.0, [turn, name], name)
        for turn, step in MOVES.items():
            beside = shift(scene.at, step)
            if scene.block(beside) in _SOFT and self.can_dig(scene.block(beside)):
                turns = [] if scene.ahead == beside else [turn]
                return Plan(3.0, [*turns, "do", name], name)
        return None

    def _fits(self, cell: Cell) -> bool:
        """Returns whether a table can be placed in a cell."""
        scene = self.scene
        free = scene.can_place(cell) and scene.item(cell) == "none"
        return free and scene.block(cell) not in (UNKNOWN, "water")


def _turn(at: Cell, cell: Cell) -> str:
    return TURNS[cell[0] - at[0], cell[1] - at[1]]
