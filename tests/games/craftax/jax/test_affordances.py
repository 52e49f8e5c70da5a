"""JAX action masks compared with the object-oriented game."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import craftax_jax
import craftax_scenes
import jax
from craftax_golden import Steps

from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.affordances import MASKS
from crafter.games.craftax.jax import affordances
from crafter.games.craftax.jax.state import EnvParams

EVERY = {"requirements": 6, "events": 12, "boss": 6, "floors": 12}


def moments(rules, action_mask):
    """Yield fields of games before recorded steps, and their masks."""
    loaded = tables.load(rules)
    for name, every in EVERY.items():
        steps = Steps(name)
        for number in range(0, len(steps), every):
            before = steps.before(number)
            arguments = parameters.make(loaded.data["parameters"], {})
            world, player = fields.restore(before, loaded, arguments)
            yield fields.capture(world, player), action_mask(player)
    for moment, _ in craftax_scenes.MOMENTS:
        scene = craftax_scenes.prepared(**moment, rules=rules)
        yield fields.capture(scene.world, scene.player), action_mask(scene.player)


@pytest.mark.parametrize(
    ("rules", "kind"),
    [("published", "exact"), ("repaired", "exact"), ("puffer", "exact")]
    + [("published", "puffer")],
)
def test_masks_are_those_of_the_object_oriented_game(rules, kind):
    config = craftax_jax.config(rules)
    found, expected = zip(*moments(rules, MASKS[kind]))
    states = craftax_jax.stack([craftax_convert.load(config, one) for one in found])
    mask = jax.jit(
        jax.vmap(lambda state: affordances.MASKS[kind](config, EnvParams(), state))
    )
    np.testing.assert_array_equal(mask(states), expected)
    assert np.ptp(expected, axis=0).sum() > 35  # nearly all are sometimes masked
