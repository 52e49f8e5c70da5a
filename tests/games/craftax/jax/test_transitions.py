"""Every recorded transition of the published game, field by field, in JAX."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import jax
import jax.numpy as jnp
from craftax_golden import NUMBERS, REWARD_TOLERANCE, STEPS, Steps
from craftax_jax import batches, compiled_step, config, differing

from crafter.games.craftax.jax import observations
from crafter.games.craftax.jax.state import EnvParams


@pytest.mark.parametrize("name", STEPS)
def test_steps_and_observations_are_the_published_ones(name):
    recorded, seen = Steps(name), set()
    data, published = recorded.data, dict(recorded.observations())
    observer = observations.observer(config("published").tables)
    expand = jax.jit(jax.vmap(lambda both: observer.expand(both, jnp)))
    differences = {}
    for numbers, before, actions, draws, after in batches(name):
        state = craftax_convert.load(config("published"), before)
        state, rewards, over, compact = compiled_step("published")(
            state, actions, draws, EnvParams()
        )
        found = differing(after, craftax_convert.save(config("published"), state))
        wrong = np.abs(rewards - data["reward"][numbers]) > REWARD_TOLERANCE
        found["reward"] = np.flatnonzero(wrong).tolist()
        found["done"] = np.flatnonzero(over != data["done"][numbers]).tolist()
        symbolic = np.asarray(expand(compact))
        for row, number in enumerate(numbers.tolist()):
            fields = [field for field, rows in found.items() if row in rows]
            if number in published:
                theirs = published[number]
                error = np.abs(theirs - symbolic[row])
                if (error > 1e-5 * np.maximum(1, np.abs(theirs))).any():
                    fields.append("symbolic")
            if fields:
                differences[number, str(data["tag"][number])] = fields
            seen.add(number)
    assert not differences
    assert len(seen) == NUMBERS[name]
