"""Random draws of a step; see `crafter.games.craftax.draws`."""

from __future__ import annotations

import numpy as np

from crafter.compiled import pcg64
from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t

_ORE_KIND, _ORE_COUNT = t.DRAWS["chest_ore_kind"], t.DRAWS["chest_ore_count"]


@inner
def draw(g, rules, d):
    """Draws all values of a step.

    Args:
      g: The game, with its stream.
      rules: The rules.
      d: Where they are put: `reals` and `wholes`, in the order of the table.
    """
    for i in range(len(rules.draw_low)):
        u = np.float64(pcg64.uniform(g))
        d.reals[i] = u
        d.wholes[i] = np.int64(u * rules.draw_count[i] + rules.draw_low[i])
        if rules.draw_weighted[i]:
            d.wholes[i] = np.int64(rules.draw_low[i])
            for bound in rules.draw_cut[i]:
                d.wholes[i] += bound <= u
    place = rules.draw_first[_ORE_COUNT]
    low, high = rules.ore_count[d.wholes[rules.draw_first[_ORE_KIND]]]
    d.wholes[place] = low + np.int64(d.reals[place] * (high - low + 1))


@inner
def real(rules, d, name, slot):
    """Returns a value as a real number."""
    return d.reals[rules.draw_first[name] + slot]


@inner
def whole(rules, d, name, slot):
    """Returns a value as a whole number."""
    return d.wholes[rules.draw_first[name] + slot]
