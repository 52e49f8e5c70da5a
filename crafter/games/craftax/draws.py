"""The random values of a step: drawn first, then the rules draw nothing.

`Draws` is the table: the name of each value, its type, how it is distributed, and per
slots of which class if there are several. A `Sampler` draws them all in that order,
whether they are needed or not, so that a step takes the same numbers from the stream
whatever happens in it.

`..._u` is compared with a probability; `..._cell_u` and `enchant_armour_u` pick from a
list that is known only later: number floor(u x length).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import operator
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

_Path = tuple[str, ...]


class Uniform(NamedTuple):
    """A real number in [0, 1), in single precision.

    Attributes:
      slots: Class of creatures with one number for each slot, or `None` for one.
    """

    slots: str | None = None


class Integer(NamedTuple):
    """A whole number from `low` to `high`, equally likely."""

    low: int
    high: int
    slots: str | None = None


class Count(NamedTuple):
    """A whole number in a range that an entry of the rules gives, equally likely."""

    path: _Path


class Place(NamedTuple):
    """The place of an entry in a list of the rules, equally likely."""

    path: _Path


class Weighted(NamedTuple):
    """`first` plus the place of an entry in the rules, by the weights there."""

    path: _Path
    first: int = 0


class OreCount(NamedTuple):
    """A whole number in the range of the ore that was drawn before."""

    path: _Path


class Step(NamedTuple):
    """A direction from 1 to 4, equally likely, or 0 with a probability of the rules."""

    path: _Path
    slots: str | None = None


_CHEST = "chest"


class Draws(NamedTuple):
    """All random values of a step, in the order in which they are drawn."""

    sapling_u: Annotated[float, Uniform()]
    chest_torch_u: Annotated[float, Uniform()]
    chest_torch_count: Annotated[int, Count((_CHEST, "torches", "count"))]
    chest_ore_u: Annotated[float, Uniform()]
    chest_ore_kind: Annotated[int, Weighted((_CHEST, "ores", "kinds"))]
    chest_ore_count: Annotated[int, OreCount((_CHEST, "ores", "kinds"))]
    chest_potion_u: Annotated[float, Uniform()]
    chest_potion_colour: Annotated[int, Place(("inventory", "potions", "each"))]
    chest_potion_count: Annotated[int, Count((_CHEST, "potions", "count"))]
    chest_arrow_u: Annotated[float, Uniform()]
    chest_arrow_count: Annotated[int, Count((_CHEST, "arrows", "count"))]
    chest_tool_u: Annotated[float, Uniform()]
    chest_tool_kind: Annotated[int, Place((_CHEST, "tools", "kinds"))]
    chest_pickaxe_tier: Annotated[int, Weighted((_CHEST, "tools", "tiers"), 1)]
    chest_sword_tier: Annotated[int, Weighted((_CHEST, "tools", "tiers"), 1)]
    book_spell: Annotated[int, Place(("spells",))]
    enchant_armour_u: Annotated[float, Uniform()]
    melee_move_u: Annotated[list[float], Uniform("melee")]
    melee_direction: Annotated[list[int], Integer(1, 4, "melee")]
    melee_tie_axis: Annotated[list[int], Integer(0, 1, "melee")]
    passive_direction: Annotated[
        list[int], Step(("behaviour", "passive", "stays"), "passive")
    ]
    ranged_move_u: Annotated[list[float], Uniform("ranged")]
    ranged_direction: Annotated[list[int], Integer(1, 4, "ranged")]
    ranged_tie_axis: Annotated[list[int], Integer(0, 1, "ranged")]
    spawn_passive_u: Annotated[float, Uniform()]
    spawn_passive_cell_u: Annotated[float, Uniform()]
    spawn_melee_u: Annotated[float, Uniform()]
    spawn_melee_cell_u: Annotated[float, Uniform()]
    spawn_ranged_u: Annotated[float, Uniform()]
    spawn_ranged_cell_u: Annotated[float, Uniform()]


def distributions() -> dict[str, Any]:
    """Returns name -> distribution, in the order of the table."""
    hints = typing.get_type_hints(Draws, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def from_arrays(values: Mapping[str, Any]) -> Draws:
    """Returns draws that were made elsewhere.

    Args:
      values: Name -> number, or array of one number per slot.

    Raises:
      ValueError: If names are missing or unknown.
    """
    missing = [name for name in Draws._fields if name not in values]
    unknown = [name for name in values if name not in Draws._fields]
    if missing or unknown:
        raise ValueError(
            f"The draws lack {missing} and have the unknown names {unknown}."
        )
    return Draws(**{name: np.asarray(values[name]).tolist() for name in Draws._fields})


def value_range(tables: Tables, rule: Any) -> tuple[int, int]:
    """Returns the least and greatest number if all between are equally likely."""
    if isinstance(rule, Integer):
        return rule.low, rule.high
    if isinstance(rule, Count):
        low, high = _entry(tables, rule.path)
        return low, high
    if isinstance(rule, Place):
        return 0, len(_entry(tables, rule.path)) - 1
    return 0, 0


def bounds(tables: Tables, rule: Any) -> list[float]:
    """Returns the bounds between the values if they are not equally likely."""
    if isinstance(rule, Step):
        stays = _entry(tables, rule.path)
        weights = [stays, *[(1 - stays) / 4] * 4]
    elif isinstance(rule, Weighted):
        weights = _entry(tables, rule.path)
        if isinstance(weights, Mapping):
            weights = [row["weight"] for row in weights.values()]
    else:
        return []
    total = sum(weights)
    return [part / total for part in itertools.accumulate(weights)][:-1]


def _entry(tables: Tables, path: _Path) -> Any:
    return functools.reduce(operator.getitem, path, tables.data)


class Sampler:
    """Draws the random values of steps.

    Args:
      tables: The rules, which give some of the ranges and weights.
      parameters: The arguments of the environment, which give numbers of slots.
    """

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        lows: list[int] = []
        counts: list[int] = []
        #: Place of a number -> bounds between its values, and the first value.
        self._cuts: list[tuple[int, list[float], int]] = []
        picks: list[tuple[bool, int, int | None]] = []
        for rule in distributions().values():
            start, slots = len(lows), getattr(rule, "slots", None)
            number = 1
            if slots is not None:
                number = getattr(parameters, f"max_{slots}_mobs")
            low, high = value_range(tables, rule)
            lows += [low] * number
            counts += [high - low + 1] * number
            cuts = bounds(tables, rule)
            first = getattr(rule, "first", 0)
            if cuts:
                self._cuts += [(start + i, cuts, first) for i in range(number)]
            if isinstance(rule, OreCount):
                self._ore_count = start
            picks.append((isinstance(rule, Uniform), start, slots and start + number))
        self._lows, self._counts = np.array(lows), np.array(counts)
        self._pick = _picker(picks, len(lows))
        kind = Draws._fields.index("chest_ore_kind")
        self._ore_kind = picks[kind][1]
        ores = tables.data["chest"]["ores"]["kinds"].values()
        self._ore_counts = [row["count"] for row in ores]

    def draw(self, rng: np.random.Generator) -> Draws:
        """Draws the values of a step from a stream."""
        uniforms = rng.random(len(self._lows), dtype=np.float32)
        reals = uniforms.tolist()
        wholes = (uniforms * self._counts + self._lows).astype(np.int64).tolist()
        for place, cuts, first in self._cuts:
            wholes[place] = bisect.bisect_right(cuts, reals[place]) + first
        low, high = self._ore_counts[wholes[self._ore_kind]]
        place = self._ore_count
        wholes[place] = low + int(reals[place] * (high - low + 1))
        return Draws._make(self._pick(reals + wholes))


def _picker(
    picks: list[tuple[bool, int, int | None]], total: int
) -> Callable[[list[Any]], tuple[Any, ...]]:
    """Returns what takes the values of a step out of the reals and the whole numbers.

    Args:
      picks: For each value, whether it is real, its first place, and the place after
        its last one if it has one number per slot.
      total: How many reals there are; the whole numbers follow them.
    """
    places: list[int | slice] = []
    for real, start, stop in picks:
        offset = 0 if real else total
        places.append(
            start + offset if stop is None else slice(start + offset, stop + offset)
        )
    return operator.itemgetter(*places)
