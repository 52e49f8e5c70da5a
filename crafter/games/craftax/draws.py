"""Random draws of a step, made before the rules run; the rules draw nothing.

`Draws` is the table: the name, type and distribution of each value, and the class of
slots it is drawn for if there is one per slot. A `Sampler` draws all values in that
order, used or not, so that every step consumes the same numbers of the stream.

`..._u` is compared with a probability; `..._cell_u` and `enchant_armour_u` pick from a
list that is known only later, at index floor(u x length).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import operator
import typing
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables


class Rule(NamedTuple):
    """Distribution of a value.

    Attributes:
      kind: `uniform` in [0, 1), single precision; uniform integers: `integer` from
        `low` to `high`, `count` in a range given by the rules, or `place`, the index
        into a list of the rules; `weighted`, `low` plus the index of a weighted entry;
        `ore count`, in the range of the ore drawn before; `step`, a uniform direction
        from 1 to 4, or 0 with some probability.
      path: Path of the entry in the rules.
      slots: Class of creatures to draw one value per slot for; `None` for one value.
      low, high: Range.
    """

    kind: str
    path: tuple[str, ...] = ()
    slots: str | None = None
    low: int = 0
    high: int = 0


_CHEST = "chest"


class Draws(NamedTuple):
    """All random values of a step, in drawing order."""

    sapling_u: Annotated[float, Rule("uniform")]
    chest_torch_u: Annotated[float, Rule("uniform")]
    chest_torch_count: Annotated[int, Rule("count", (_CHEST, "torches", "count"))]
    chest_ore_u: Annotated[float, Rule("uniform")]
    chest_ore_kind: Annotated[int, Rule("weighted", (_CHEST, "ores", "kinds"))]
    chest_ore_count: Annotated[int, Rule("ore count", (_CHEST, "ores", "kinds"))]
    chest_potion_u: Annotated[float, Rule("uniform")]
    chest_potion_colour: Annotated[int, Rule("place", ("inventory", "potions", "each"))]
    chest_potion_count: Annotated[int, Rule("count", (_CHEST, "potions", "count"))]
    chest_arrow_u: Annotated[float, Rule("uniform")]
    chest_arrow_count: Annotated[int, Rule("count", (_CHEST, "arrows", "count"))]
    chest_tool_u: Annotated[float, Rule("uniform")]
    chest_tool_kind: Annotated[int, Rule("place", (_CHEST, "tools", "kinds"))]
    chest_pickaxe_tier: Annotated[
        int, Rule("weighted", (_CHEST, "tools", "tiers"), low=1)
    ]
    chest_sword_tier: Annotated[
        int, Rule("weighted", (_CHEST, "tools", "tiers"), low=1)
    ]
    book_spell: Annotated[int, Rule("place", ("spells",))]
    enchant_armour_u: Annotated[float, Rule("uniform")]
    melee_move_u: Annotated[list[float], Rule("uniform", (), "melee")]
    melee_direction: Annotated[list[int], Rule("integer", (), "melee", 1, 4)]
    melee_tie_axis: Annotated[list[int], Rule("integer", (), "melee", 0, 1)]
    passive_direction: Annotated[
        list[int], Rule("step", ("behaviour", "passive", "stays"), "passive")
    ]
    ranged_move_u: Annotated[list[float], Rule("uniform", (), "ranged")]
    ranged_direction: Annotated[list[int], Rule("integer", (), "ranged", 1, 4)]
    ranged_tie_axis: Annotated[list[int], Rule("integer", (), "ranged", 0, 1)]
    spawn_passive_u: Annotated[float, Rule("uniform")]
    spawn_passive_cell_u: Annotated[float, Rule("uniform")]
    spawn_melee_u: Annotated[float, Rule("uniform")]
    spawn_melee_cell_u: Annotated[float, Rule("uniform")]
    spawn_ranged_u: Annotated[float, Rule("uniform")]
    spawn_ranged_cell_u: Annotated[float, Rule("uniform")]


def distributions() -> dict[str, Rule]:
    """Returns name -> distribution, in table order."""
    hints = typing.get_type_hints(Draws, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def from_arrays(values: Mapping[str, Any]) -> Draws:
    """Builds draws from given values.

    Args:
      values: Name -> number, or array with one number per slot.
    """
    return Draws(**{name: np.asarray(value).tolist() for name, value in values.items()})


def value_range(tables: Tables, rule: Rule) -> tuple[int, int]:
    """Returns the range (low, high) of a uniform integer, both included."""
    if rule.kind == "count":
        low, high = _entry(tables, rule)
        return low, high
    if rule.kind == "place":
        return 0, len(_entry(tables, rule)) - 1
    return rule.low, rule.high


def bounds(tables: Tables, rule: Rule) -> list[float]:
    """Returns the cumulative thresholds of a non-uniform integer."""
    if rule.kind not in ("step", "weighted"):
        return []
    weights = _entry(tables, rule)
    if rule.kind == "step":
        weights = [weights, *[(1 - weights) / 4] * 4]
    elif isinstance(weights, Mapping):
        weights = [row["weight"] for row in weights.values()]
    total = sum(weights)
    return [part / total for part in itertools.accumulate(weights)][:-1]


def _entry(tables: Tables, rule: Rule) -> Any:
    return functools.reduce(operator.getitem, rule.path, tables.data)


class Sampler:
    """Sampler of the random values of steps.

    Args:
      tables: The rules, with some of the ranges and weights.
      parameters: The arguments of the environment, with the numbers of slots.
    """

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        ranges: list[tuple[int, int]] = []
        #: Index of a value -> its thresholds, and its lowest value.
        self._cuts: list[tuple[int, list[float], int]] = []
        first: dict[str, int] = {}
        rules = distributions()
        for name, rule in rules.items():
            first[name], number = len(ranges), 1
            if rule.slots is not None:
                number = getattr(parameters, f"max_{rule.slots}_mobs")
            ranges += [value_range(tables, rule)] * number
            cuts = bounds(tables, rule)
            if cuts:
                own = range(first[name], len(ranges))
                self._cuts += [(place, cuts, rule.low) for place in own]
        lows, highs = np.array(ranges).T
        self._lows, self._counts = lows, highs - lows + 1
        # Picks the values of a step from a list of all as floats, then as ints.
        ends, places = [*first.values(), len(ranges)], []
        for rule, start, stop in zip(rules.values(), ends, ends[1:]):
            offset = 0 if rule.kind == "uniform" else len(ranges)
            one = rule.slots is None
            places.append(
                start + offset if one else slice(start + offset, stop + offset)
            )
        self._pick = operator.itemgetter(*places)
        self._ore_kind, self._ore_count = (
            first["chest_ore_kind"],
            first["chest_ore_count"],
        )
        ores = tables.data["chest"]["ores"]["kinds"].values()
        self._ore_counts = [row["count"] for row in ores]

    def draw(self, rng: np.random.Generator) -> Draws:
        """Draws the values of a step from a generator."""
        uniforms = rng.random(len(self._lows), dtype=np.float32)
        reals = uniforms.tolist()
        wholes = (uniforms * self._counts + self._lows).astype(np.int64).tolist()
        for place, cuts, first in self._cuts:
            wholes[place] = bisect.bisect_right(cuts, reals[place]) + first
        low, high = self._ore_counts[wholes[self._ore_kind]]
        place = self._ore_count
        wholes[place] = low + int(reals[place] * (high - low + 1))
        return Draws._make(self._pick(reals + wholes))
