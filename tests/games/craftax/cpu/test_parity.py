"""The compiled engine continues recorded states as the single environment does.

`tests/games/craftax/test_transitions.py` compares the latter with the published game.
"""

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same
from craftax_golden import STEPS, Steps

from crafter.games.craftax import Env, state
from crafter.games.craftax.cpu.env import VectorEnv
from crafter.games.craftax.cpu.state import FIXED

#: Approximate number of transitions per file in quick tests, evenly spaced.
SOME = 150


def saved(env, fields, number):
    """Returns the state of a game that starts with recorded fields."""
    rng = np.random.PCG64(number).state["state"]
    words = b"".join(rng[name].to_bytes(16, "big") for name in ("state", "inc"))
    own = {"seed": str(number), "episode": 1, "start": 0, "ended": False, "action": 0}
    own["random_words"] = np.frombuffer(words, ">u8").astype(np.uint64)
    own["random_buffer"] = np.zeros(2, np.int64)
    for name, value in FIXED.items():  # read by no rule, not stored in batches
        own[name] = np.full_like(fields[name], value)
    # Randomised states hold up to three bows, which no saved game can.
    own["inventory.bow"] = fields["inventory.bow"].clip(max=1)
    return state.assemble(fields | own, env.tables, env.parameters)


@pytest.mark.parametrize("rules", ["published", "repaired"])
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("most", [SOME, pytest.param(None, marks=pytest.mark.slow)])
def test_steps_from_recorded_states(name, rules, most):
    steps, env = Steps(name), Env(rules=rules)
    numbers = range(0, len(steps), max(1, len(steps) // most) if most else 1)
    states = [saved(env, steps.before(number), number) for number in numbers]
    actions = steps.data["action"][list(numbers)].astype(int)
    batch = VectorEnv(len(states), rules=rules, info_keys="all")
    batch.set_state(states)
    before = batch.latest_observations().copy()
    obs, rewards, terminated, truncated, _ = batch.step(actions)
    for i, found in enumerate(batch.get_state()):
        env.set_state(states[i])
        assert_same(before[i], env.observe("symbolic"))
        seen, *results, _ = env.step(actions[i])
        assert_same(obs[i], seen)
        assert results == [rewards[i], terminated[i], truncated[i]]
        assert_same(found, env.get_state())
