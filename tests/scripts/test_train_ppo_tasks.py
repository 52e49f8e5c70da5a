"""The training script for many tasks learns, stores what can be played, and goes on."""

import json

import pytest
from printed import run_script

import crafter
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec, episode

for name in ("jax", "optax", "numba"):
    pytest.importorskip(name, reason="needs crafter[jax,vector]")


def trained(folder, steps, *more):
    words = ["--logdir", folder, "--scenes", "2", "--steps", str(steps)]
    words += ["--width", "16", "--minibatches", "2"]
    words += ["--tasks", "place_table", "collect_drink", "--rollout", "16", *more]
    run_script("train_ppo_tasks.py", *words)


def read(folder, name):
    path = folder / name
    return path.read_text().splitlines() if path.exists() else []


def steps_of(lines):
    return [json.loads(line)["steps"] for line in lines]


@pytest.mark.slow
def test_training_is_resumed_with_other_levels_and_can_be_played(tmp_path):
    trained(tmp_path, 1024, "--games", "simple=4")
    trained(tmp_path, 1088, "--games", "simple=2,medium=2", "--lanes", "2")
    steps = steps_of(read(tmp_path, "progress.jsonl"))
    assert steps == [*range(128, 1025, 128), 1088]
    counts = list(map(json.loads, read(tmp_path, "success.jsonl")))
    assert counts
    for line in counts:
        assert 0 <= line["done"] <= line["attempts"]
    name = str(tmp_path / "policy.npz")
    about = crafter.load_agent(name).about
    assert about["told"]["kind"] == "sentence" and about["settings"]["trained"] == 1088
    spec = EpisodeSpec("place_table", "simple", 0)
    assert episode(spec, factory_of(f"trained:{name}")).steps > 0


@pytest.mark.slow
def test_it_learns(tmp_path):
    """From about 0.76 of the attempts, which a new policy does, to nearly all."""
    more = ["--games", "simple=32", "--rollout", "64", "--width", "160"]
    trained(tmp_path, 61440, *more, "--minibatches", "8")
    rates = [
        json.loads(line)["success"]["simple"]
        for line in read(tmp_path, "progress.jsonl")
    ]
    assert len(rates) == 15
    assert sum(rates[:2]) / 2 < 0.85 < 0.93 < min(rates[-3:])
