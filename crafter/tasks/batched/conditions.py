"""Conditions in many games at once, as operations on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crafter.games.crafter import tables as t
from crafter.games.crafter.rules import Rules
from crafter.tasks import conditions as c

CAN = (
    "events collected, placed, made, ate, defeated and woke (rested) without further "
    "fields, and actions (act_...)",
    "comparisons of inv.ITEM, health, food, drink, energy, light and best(...)",
    "night, day, asleep, on, facing and near of materials, away, rectangle",
    "&, |, >>, ~, within, times, hold, when, where, using, without and from_scratch",
)


class UnsupportedGoal(ValueError):
    """The batched monitor cannot do a goal; the message says what it can."""


def refuse(part: Any) -> UnsupportedGoal:
    """Returns the error that a part of a goal cannot be done, with what can."""
    listed = "; ".join(CAN)
    return UnsupportedGoal(
        f"The batched monitor cannot do {part}. It can do: {listed}. For other goals "
        "use gymnasium.make_vec(..., vectorization_mode='sync') or 'async'."
    )


class Moment:
    """What the games look like between two steps.

    Args:
      games: Records of `crafter.games.crafter.layout.dtype`, shape (n,); a live array.
      starts: Cells of the players at the start of their attempts, int64 (n, 2).
      rules: The rules of the games.
    """

    def __init__(
        self, games: np.ndarray, starts: np.ndarray, rules: Rules = t.RULES
    ) -> None:
        self.games, self.starts, self.rules = games, starts, rules

    @property
    def position(self) -> np.ndarray:
        """Cells of the players, int64 (n, 2)."""
        games = self.games
        return np.stack([games["object_x"][:, 0], games["object_y"][:, 0]], 1).astype(
            np.int64
        )

    @property
    def dark(self) -> np.ndarray:
        """Whether it is night, bool (n,)."""
        dark: np.ndarray = self.games["daylight"] < self.rules.time["dark"]
        return dark

    @property
    def target(self) -> np.ndarray:
        """Cells that the players face, int64 (n, 2); may lie outside the map."""
        return self.position + t.DIRECTIONS[self.games["object_facing"][:, 0]]

    def material(self, cells: np.ndarray) -> np.ndarray:
        """Returns the material ids of a cell per game, 0 outside the map."""
        area = np.array(self.games["materials"].shape[1:])
        inside = ((cells >= 0) & (cells < area)).all(1)
        x, y = np.clip(cells, 0, area - 1).T
        found = self.games["materials"][np.arange(len(cells)), x, y]
        return np.where(inside, found, 0)

    def free(self, cells: np.ndarray) -> np.ndarray:
        """Returns where the cells hold no object."""
        area = np.array(self.games["materials"].shape[1:])
        x, y = np.clip(cells, 0, area - 1).T
        empty: np.ndarray = self.games["occupants"][np.arange(len(cells)), x, y] == 0
        return empty


#: Whether a condition holds in every game; `cells` for places other than the player's.
Test = Callable[[Moment], np.ndarray]
PlaceTest = Callable[[Moment, np.ndarray], np.ndarray]
#: Counts the events of a step, given its `Frame`, int64 (n,).
Happening = Callable[[Any], np.ndarray]


def condition_test(condition: c.Condition) -> Test:
    """Returns what says in which games a condition holds.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it.
    """
    if isinstance(condition, (c.AllOf, c.AnyOf)):
        parts = [condition_test(part) for part in condition.parts()]
        join = np.logical_and if isinstance(condition, c.AllOf) else np.logical_or
        return lambda moment: join.reduce([part(moment) for part in parts])
    if isinstance(condition, c.Opposite):
        (inner,) = (condition_test(part) for part in condition.parts())
        return lambda moment: ~inner(moment)
    if isinstance(condition, c.Comparison):
        return _comparison(condition)
    if isinstance(condition, c.Place):
        place = place_test(condition)
        return lambda moment: place(moment, moment.position)
    if isinstance(condition, c.Asleep):
        return lambda moment: moment.games["sleeping"].copy()
    if isinstance(condition, (c.Night, c.Day)):
        night = isinstance(condition, c.Night)
        return lambda moment: moment.dark == night
    if isinstance(condition, (c.On, c.Facing)):
        return _on_or_facing(condition)
    raise refuse(condition)


def _on_or_facing(condition: c.On | c.Facing) -> Test:
    if isinstance(condition, c.On):
        wanted = _material(condition.material, condition)
        return lambda moment: moment.material(moment.position) == wanted
    wanted = _material(condition.what, condition)

    def faces(moment: Moment) -> np.ndarray:
        cells = moment.target
        return (moment.material(cells) == wanted) & moment.free(cells)

    return faces


def _material(name: str, condition: Any) -> int:
    if name not in t.MATERIAL:
        raise refuse(condition)
    number: int = t.MATERIAL[name]
    return number


def _comparison(condition: c.Comparison) -> Test:
    quantity, number = condition.quantity, condition.number
    compare: Callable[[Any, Any], Any] = c.COMPARE[condition.relation]
    if isinstance(quantity, c.Amount):
        if quantity.item not in t.ITEM:
            raise refuse(condition)
        item = t.ITEM[quantity.item]
        return lambda moment: compare(moment.games["inventory"][:, item], number)
    if isinstance(quantity, c.Light):
        return lambda moment: compare(moment.games["daylight"], number)
    if isinstance(quantity, c.Best):
        items = [t.ITEM[f"{tier}_{quantity.tool}"] for tier in c.TIERS[1:]]
        wanted = c.TIERS.index(number)

        def best(moment: Moment) -> np.ndarray:
            owned = moment.games["inventory"][:, items] > 0
            ranks = np.arange(1, len(items) + 1)
            found: np.ndarray = compare((owned * ranks).max(1), wanted)
            return found

        return best
    raise refuse(condition)


def place_test(place: c.Condition) -> PlaceTest:
    """Returns what says for a cell per game whether it is such a place.

    Raises:
      UnsupportedGoal: If the batched monitor cannot do it.
    """
    if isinstance(place, c.Away):
        least = place.n

        def away(moment: Moment, cells: np.ndarray) -> np.ndarray:
            far: np.ndarray = np.abs(cells - moment.starts).sum(1)
            return np.greater_equal(far, least)

        return away
    if isinstance(place, c.Rectangle):
        low = np.array([place.left, place.top])
        high = np.array([place.right, place.bottom])

        def inside(moment: Moment, cells: np.ndarray) -> np.ndarray:
            within: np.ndarray = (cells >= low) & (cells <= high)
            return np.logical_and.reduce(within, axis=1)

        return inside
    if isinstance(place, c.Near) and place.what in t.MATERIAL:
        wanted, reach = t.MATERIAL[place.what], range(-place.r, place.r + 1)
        steps = np.array([(dx, dy) for dx in reach for dy in reach])

        def near(moment: Moment, cells: np.ndarray) -> np.ndarray:
            return np.logical_or.reduce(
                [moment.material(cells + step) == wanted for step in steps]
            )

        return near
    raise refuse(place)
