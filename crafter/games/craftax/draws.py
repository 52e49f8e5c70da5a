"""Random draws of a step, all made before the rules, which draw nothing.

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
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables


class Rule(NamedTuple):
    """Distribution of a value.

    Attributes:
      kind: `uniform` in [0, 1), in single precision; `integer` from `low` to `high`, or
        `count` in the range that an entry of the rules gives, or the `place` of an
        entry in a list of the rules, all equally likely; `low` plus the place of a
        `weighted` entry; `ore count`, in the range of the ore that was drawn before;
        `step`, a direction from 1 to 4, equally likely, or 0 with a probability.
      path: Where the entry of the rules is.
      slots: Class of creatures with one value for each slot, or `None` for one.
      low, high: Range.
    """

    kind: str
    path: tuple[str, ...] = ()
    slots: str | None = None
    low: int = 0
    high: int = 0


_CHEST = "chest"


class Draws(NamedTuple):
    """All random values of a step, in the order in which they are drawn."""

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
    """Returns name -> distribution, in the order of the table."""
    hints = typing.get_type_hints(Draws, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def from_arrays(values: Mapping[str, Any]) -> Draws:
    """Returns draws that were made elsewhere.

    Args:
      values: Name -> number, or array of one number per slot.
    """
    return Draws(**{name: np.asarray(value).tolist() for name, value in values.items()})


def value_range(tables: Tables, rule: Rule) -> tuple[int, int]:
    """Returns the least and greatest number if all between are equally likely."""
    if rule.kind == "count":
        low, high = _entry(tables, rule)
        return low, high
    if rule.kind == "place":
        return 0, len(_entry(tables, rule)) - 1
    return rule.low, rule.high


def bounds(tables: Tables, rule: Rule) -> list[float]:
    """Returns the bounds between the values if they are not equally likely."""
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
    """Draws the random values of steps.

    Args:
      tables: The rules, which give some of the ranges and weights.
      parameters: The arguments of the environment, which give numbers of slots.
    """

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        ranges: list[tuple[int, int]] = []
        #: Place of a number -> bounds between its values, and the first value.
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
        # The values of a step, in a list of all as reals and then as whole numbers.
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
