"""Equal seeds and actions give equal games, in every process."""

import functools
import hashlib
import os
import random
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from budget import sample

import crafter

AREA, SIZE = (30, 25), (36, 36)


def make(**kwargs):
    return crafter.Env(area=AREA, size=SIZE, events=True, **kwargs)


def play(seed, steps=700):
    """Returns a digest of everything observable in a few episodes."""
    env = make(seed=seed)
    env.reset(options={"daytime": "dusk"})
    digest = hashlib.sha256()
    rng = np.random.default_rng(seed)
    for action in rng.integers(0, 17, steps).tolist():
        obs, reward, terminated, truncated, info = env.step(action)
        digest.update(obs.tobytes())
        digest.update(repr((reward, terminated, truncated)).encode())
        info["unlocked"] = sorted(info["unlocked"])
        info["semantic"] = info["semantic"].tobytes()
        digest.update(repr(info).encode())
        if terminated:
            digest.update(env.reset()[0].tobytes())
    for name, array in env.get_state().items():
        digest.update(name.encode() + array.tobytes())
    return digest.hexdigest()


@functools.cache
def expected(seed):
    return play(seed)


CODE = """
import test_determinism
for seed in (0, 1):
    print(test_determinism.play(seed))
"""


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", sample(["0", "4000000000", "1", "random"]))
def test_games_do_not_depend_on_the_hash_seed(hash_seed):
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    result = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == [expected(0), expected(1)]


def test_global_generators_are_neither_read_nor_changed():
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()
    assert play(0) == expected(0)
    np.testing.assert_equal((random.getstate(), np.random.get_state()), before)
    random.seed(2)
    np.random.seed(2)
    assert play(0) == expected(0)


def test_games_played_in_threads_do_not_meet():
    found = {}

    def run(name, seed):
        found[name] = play(seed, steps=300)

    threads = [threading.Thread(target=run, args=(i, i % 2)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: play(i % 2, steps=300) for i in range(4)}


def test_errors_of_numpy_and_warnings_do_not_change_games():
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert play(0) == expected(0)
