"""Random draws of a step; see `crafter.games.craftax.draws`."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled import pcg64
from crafter.compiled.jit import inner
from crafter.games.craftax.draws import distributions
from crafter.games.craftax.parameters import Parameters

# Index among all numbers, since every earlier value is a single number.
_ORE_COUNT = list(distributions()).index("chest_ore_count")


def slots(parameters: Parameters) -> list[int]:
    """Returns how many numbers are drawn per value of a step, in table order."""
    kinds = (rule.slots for rule in distributions().values())
    return [getattr(parameters, f"max_{kind}_mobs") if kind else 1 for kind in kinds]


def dtype(parameters: Parameters) -> np.dtype:
    """Returns the dtype of the random values of a step.

    `reals` has all uniform numbers in table order, and `wholes` the integers derived
    from them. Each value is also a field that overlaps with its part of one of these.
    """
    counts = slots(parameters)
    total, first = sum(counts), np.cumsum([0, *counts]).tolist()
    fields: dict[str, Any] = {
        "reals": ((np.float64, total), 0),
        "wholes": ((np.int64, total), total),
    }
    for (name, rule), count, place in zip(distributions().items(), counts, first):
        shape = (count,) if rule.slots else ()
        if rule.kind == "uniform":
            fields[name] = (np.float64, shape), place
        else:
            fields[name] = (np.int64, shape), total + place
    formats, places = zip(*fields.values())
    offsets = [8 * place for place in places]
    layout: Any = {"names": list(fields), "formats": list(formats), "offsets": offsets}
    return np.dtype(layout, align=True)


@inner
def draw(g, rules, d):
    """Draws all random values of a step.

    Args:
      g: The game, with its stream.
      rules: The rules.
      d: Output, a record of `dtype`.
    """
    for i in range(len(rules.draw_low)):
        u = np.float64(pcg64.uniform(g))
        d.reals[i] = u
        d.wholes[i] = np.int64(u * rules.draw_count[i] + rules.draw_low[i])
        if rules.draw_weighted[i]:
            d.wholes[i] = np.int64(rules.draw_low[i])
            for bound in rules.draw_cut[i]:
                d.wholes[i] += bound <= u
    low, high = rules.ore_count[d.chest_ore_kind]
    d.chest_ore_count = low + np.int64(d.reals[_ORE_COUNT] * (high - low + 1))
