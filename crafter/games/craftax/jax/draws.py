"""Random draws of a step, made before the rules run; the rules draw nothing.

Names and distributions are those of `crafter.games.craftax.draws`: floats in [0, 1),
and integers.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random, sparse
from crafter.functional.arrays import pick
from crafter.games.craftax import draws as craftax_draws
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config
from crafter.games.craftax.tables import Tables

_USE = 0  # argument of `random.bits`


def sample(config: Config, source: jax.Array) -> Draws:
    """Draws the values of a step.

    Args:
      config: Static configuration.
      source: Words from `random.words`.

    Returns:
      float32 and int32, of shape () or (slots,).
    """
    rules = craftax_draws.distributions()
    slots: dict[str | None, tuple[int, ...]] = {None: ()}
    slots |= {kind: (number,) for kind, number in zip(t.CLASSES, config.slots)}
    shapes = {name: slots[rule.slots] for name, rule in rules.items()}
    sizes = [int(np.prod(shape)) for shape in shapes.values()]
    drawn = sparse.once(random.uniforms(source, _USE, (sum(sizes),)), source)
    parts = jnp.split(drawn, np.cumsum(sizes)[:-1].tolist())
    values: dict[str, jax.Array] = {}
    for (name, rule), part in zip(rules.items(), parts):
        reals = part.reshape(shapes[name])
        values[name] = _value(config.tables, rule, reals, values)
    return Draws(**values)  # type: ignore[arg-type]


def _value(
    tables: Tables,
    rule: craftax_draws.Rule,
    reals: jax.Array,
    drawn: dict[str, jax.Array],
) -> jax.Array:
    """Transforms uniforms in [0, 1) to a distribution."""
    if rule.kind == "uniform":
        return reals
    if rule.kind == "ore count":
        kinds = tables.data["chest"]["ores"]["kinds"].values()
        counts = np.array([row["count"] for row in kinds], np.int32)
        kind = drawn["chest_ore_kind"]
        least, most = (t.take(column, kind) for column in counts.T)
        return least + pick(reals, most - least + 1)
    bounds = craftax_draws.bounds(tables, rule)
    if bounds:
        above = reals[..., None] >= np.array(bounds, np.float32)
        return above.sum(-1, dtype=jnp.int32) + rule.low
    low, high = craftax_draws.value_range(tables, rule)
    return low + pick(reals, high - low + 1)
