"""Batch results do not depend on how games are played, and memory does not grow."""

import gc
import hashlib
import os
import subprocess
import sys
import tracemalloc

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from budget import LONG, sample

import crafter  # noqa: F401

CRAFTER, CRAFTAX = "CrafterReward-v1", "Craftax-Symbolic-v1"
OTHER = "pool", "compact", "symbolic", "semantic", "puffer", "pixels"
KINDS = [
    (CRAFTER, "compact"),
    *((CRAFTAX, kind) for kind in OTHER),
    (CRAFTER, "pixels"),
]
FEW = 17  # games that every batch has


def make(game, kind, **options):
    options |= {"world_pool": 5} if kind == "pool" else {"observation": kind}
    options |= {"length" if game == CRAFTER else "max_timesteps": 100}
    return gymnasium.make_vec(game, **options)


def digest(game, kind, num_envs, threads):
    """Returns a hash of all states and results of the first games of a batch."""
    batch = make(game, kind, num_envs=num_envs, threads=threads)
    batch.reset(seed=0)
    actions, seen = batch.single_action_space.n, hashlib.sha256()
    for step in range(120):
        rng = np.random.default_rng(step)
        for result in batch.step(rng.integers(actions, size=300)[:num_envs])[:4]:
            parts = result.values() if isinstance(result, dict) else [result]
            for part in parts:
                seen.update(np.ascontiguousarray(part[:FEW]))
    for state in batch.get_state(range(FEW)):
        for value in state.values():
            seen.update(value if value.dtype.kind != "U" else str(value).encode())
    return seen.hexdigest()


@pytest.mark.parametrize("kind", sample(KINDS, 2), ids=" ".join)
def test_how_many_threads_games_and_processes_there_are_does_not_matter(kind):
    expected = digest(*kind, FEW, 1)
    for num_envs, threads in ((FEW, 3), (300, 1), (300, 2)):
        assert digest(*kind, num_envs, threads) == expected
    command = [sys.executable, "-W", "ignore", __file__, *kind]
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "1"}
    found = subprocess.check_output(command, env=os.environ | environment, text=True)
    assert found.strip() == expected


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_memory_does_not_grow(game, kind):
    batch = make(game, kind, num_envs=64, info_keys="all", threads=2)
    batch.reset(seed=0)
    rng = np.random.default_rng(0)

    def play(steps):
        for _ in range(steps):
            batch.step(rng.integers(batch.single_action_space.n, size=64))
        gc.collect()

    play(550)
    before = resident()
    play(5_000_000 // 64 if LONG else 0)
    tracemalloc.start()
    play(100)
    traced, _ = tracemalloc.get_traced_memory()
    play(800)
    growth = tracemalloc.get_traced_memory()[0] - traced
    tracemalloc.stop()
    more = resident() - before
    print(f"{game}, {kind}: {growth:,} bytes traced, {more:,} bytes resident")
    assert growth < 200_000
    assert more < 20_000_000


if __name__ == "__main__":
    print(digest(*sys.argv[1:], FEW, 2))
