"""Games sharded over several devices match those on one device."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from budget import QUICK_COMPILING
from walk_game import Walk

from crafter.functional.devices import make_mesh
from crafter.functional.vector import VectorEnv

GAMES = {
    "walk": "from walk_game import Walk; env = Walk(auto_reset=False)",
    "crafter": "from crafter.batch.jax import make; "
    "env = make('Crafter-Compact-v1', auto_reset=False)",
}
PROGRAM = """
import jax, numpy as np
from crafter.functional.vector import VectorEnv
devices = jax.devices()
assert len(devices) == 8
some = [VectorEnv(env, 8, arrays="jax", devices=d) for d in (None, devices[:1])]
for envs in some:
    envs.params = envs.params.replace(max_timesteps=2)
found, expected = (envs.reset(seed=3)[0] for envs in some)
assert {len(x.sharding.device_set) for x in jax.tree.leaves(found)} == {8}
ends = 0
for number in range(5):
    actions = (np.arange(8) + number) % 3
    found, expected = (envs.step(actions) for envs in some)
    jax.tree.map(np.testing.assert_array_equal, found, expected)
    ends += int((found[2] | found[3]).sum())
jax.tree.map(np.testing.assert_array_equal, *(envs.state for envs in some))
for leaf in jax.tree.leaves(some[0].state):
    assert len(leaf.sharding.device_set) == 8
    assert leaf.addressable_shards[0].data.shape[0] == 1
assert len(VectorEnv(env, 6, arrays="jax").mesh.devices) == 2
print(ends)
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["walk", "crafter"])
def test_eight_devices_play_the_games_of_one(game):
    tests = pathlib.Path(__file__).parents[1]
    flags = f"{QUICK_COMPILING} --xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, "-c", f"{GAMES[game]}\n{PROGRAM}"],
        env={
            **os.environ,
            "XLA_FLAGS": flags,
            "PYTHONPATH": os.pathsep.join([str(tests / "support"), str(tests.parent)]),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 16  # every game ended twice


def test_devices_that_cannot_share_are_refused():
    one = jax.local_devices()[0]
    with pytest.raises(ValueError, match="3 devices can share equally, got 4"):
        make_mesh(4, [one] * 3)
    with pytest.raises(ValueError, match="0 devices"):
        VectorEnv(Walk(auto_reset=False), 4, devices=[])
