"""The training script for all tasks learns, stores what can be played, and goes on."""

import json
import pathlib
import subprocess
import sys

import pytest

from crafter.tasks import policies, runs
from crafter.tasks.agents import factory_of
from crafter.tasks.suites import Entry

for name in ("jax", "optax", "numba"):
    pytest.importorskip(name, reason="needs crafter[jax,vector]")

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "train_ppo_tasks.py"


def run(folder, *more):
    command = [sys.executable, str(SCRIPT), "--logdir", str(folder), "--scenes", "2"]
    command += ["--tasks", "place_table", "collect_drink", "--rollout", "16", *more]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.slow
def test_training_is_resumed_with_other_levels_and_can_be_played(tmp_path):
    done = run(tmp_path, "--games", "simple=4", "--steps", "1024")
    assert done.returncode == 0, done.stderr
    done = run(tmp_path, "--games", "simple=1,medium=1", "--steps", "1088")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    steps = [json.loads(line)["steps"] for line in lines]
    assert steps == [*range(128, 1025, 128), 1088]
    counts = (tmp_path / "success.jsonl").read_text().splitlines()
    for line in map(json.loads, counts):
        assert 0 <= line["done"] <= line["attempts"]
    weights = policies.load(tmp_path / "policy.npz")
    assert policies.sizes(weights)[:2] == (17, 22)
    agent = factory_of(f"ppo:{tmp_path / 'policy.npz'}")
    assert runs.attempt(Entry("place_table", "simple", 0), agent).steps > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--games", "easy=3"], "--games must be such as"),
        (["--games", "simple=0"], "--games must be such as"),
        (["--tasks", "fly"], "Unknown tasks"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_played(wrong, said, tmp_path):
    done = run(tmp_path, *wrong)
    assert done.returncode == 2 and said in done.stderr
    assert not list(tmp_path.iterdir())
