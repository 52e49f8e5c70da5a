"""Runs and files for scoring tests."""

from __future__ import annotations

import json
import os
import pathlib

import numpy as np
import pytest

from crafter import scoring
from crafter.games.crafter import constants

ROOT = pathlib.Path(__file__).parents[2]
SCORES = ROOT / "scores"
#: Score file of the published human games, where available.
HUMAN = pathlib.Path(os.environ.get("CRAFTER_HUMAN_SCORES", "not given"))
NAMES = constants.achievements
KEYS = [f"achievement_{name}" for name in NAMES]

needs_human = pytest.mark.skipif(
    not HUMAN.exists(), reason="CRAFTER_HUMAN_SCORES does not name the score file"
)


def make_run(lengths, rewards=None, counts=None, seed="0", **names):
    """Returns a run; `counts` has a list per achievement."""
    count = len(lengths)
    table = np.zeros((count, len(NAMES)), np.int32)
    for name, values in (counts or {}).items():
        table[:, NAMES.index(name)] = values
    names = {"task": "crafter_reward", "method": "test", "seed": seed, **names}
    rewards = np.zeros(count) if rewards is None else np.array(rewards, float)
    return scoring.Run(
        length=np.array(lengths, np.int64), reward=rewards, achievements=table, **names
    )


def random_run(seed, episodes=60, skill=0.3, method="test", task="crafter_reward"):
    """Returns a run with about 100,000 steps by default."""
    random = np.random.default_rng([seed, episodes])
    counts = random.integers(1, 4, (episodes, len(NAMES)))
    counts *= random.random(counts.shape) < skill * random.random(len(NAMES))
    return scoring.Run(
        task,
        method,
        str(seed),
        length=random.integers(1000, 2300, episodes),
        reward=random.integers(-9, 100, episodes) / 10,
        achievements=counts.astype(np.int32),
    )


def record(length=100, reward=1.1, **counts):
    """Returns the object of a line in stats.jsonl."""
    zeros = dict.fromkeys(KEYS, 0)
    counts = {f"achievement_{name}": count for name, count in counts.items()}
    return {"length": length, "reward": reward, **zeros, **counts}


def write_log(folder, records):
    """Writes records, or raw lines, to a stats.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    path = folder / "stats.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def same_runs(ours, theirs):
    """Returns whether two runs have the same names and numbers."""
    names = ["task", "method", "seed", "made_by"]
    arrays = ["xs", "length", "reward", "achievements"]
    return all(getattr(ours, n) == getattr(theirs, n) for n in names) and all(
        np.array_equal(getattr(ours, n), getattr(theirs, n)) for n in arrays
    )
