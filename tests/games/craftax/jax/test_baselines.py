"""Scripts written for the published Craftax run with the import changed."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import baselines_ppo
import baselines_ppo_rnn
from baselines_ppo import CONFIG
from budget import QUICK_COMPILING

from crafter.games.craftax import tables


@pytest.mark.slow
@pytest.mark.parametrize("script", [baselines_ppo, baselines_ppo_rnn])
def test_a_script_of_the_baselines_trains(script):
    done = subprocess.run(
        [sys.executable, script.__file__, "crafter"],
        env={**os.environ, "XLA_FLAGS": QUICK_COMPILING},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    # All games end together when time is up, in step 6, 12 and so on.
    steps = CONFIG["NUM_STEPS"] * CONFIG["NUM_UPDATES"]
    ended = CONFIG["NUM_ENVS"] * (steps // CONFIG["MAX_TIMESTEPS"])
    assert sum(shown["episodes"]) == ended
    assert shown["lengths"] == [CONFIG["MAX_TIMESTEPS"]] * CONFIG["NUM_UPDATES"]
    assert all(-1 <= value < 20 for value in shown["returns"])
    assert shown["finite"]
    names = {f"Achievements/{name}" for name in tables.load().achievement_names}
    assert names <= set(shown["infos"])
