"""Behaviour cloning learns recorded attempts and stores what can be played."""

import json

import numpy as np
import pytest
from printed import run_script

import crafter
from crafter.games.crafter.env import Env
from crafter.tasks import Task
from crafter.tasks.episodes import conditioning, demos
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec, episode
from crafter.tasks.episodes.runs import run_shard
from crafter.tasks.episodes.suites import Suite

for name in ("jax", "optax"):
    pytest.importorskip(name, reason="needs crafter[jax]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demos")
    tasks = ("place_table", "speed_pickaxe", "wake_up")
    specs = [EpisodeSpec(task, "simple", i) for task in tasks for i in (0, 1)]
    suite = Suite("own", tuple(specs))
    factory = factory_of("scout")
    run_shard(suite, "scout", factory, folder, record=True, log=lambda line: None)
    return folder


def chances(agent, folder):
    """Returns how probable an agent finds the actions of an attempt."""
    *_, demo = (d for d in demos.read(folder, "symbolic") if d.task == "speed_pickaxe")
    task, memory, found = Task(demo.task), agent.start(), []
    words = conditioning.of(agent, task, task.text())
    for obs, action in zip(demo.observations, demo.actions):
        own, memory = agent.act(obs, memory, words)
        found.append(own[action])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sentence", "recording"])
def test_it_learns_once(kind, folder, tmp_path):
    words = ["--demos", folder, "--arrays", tmp_path / "arrays.npz", "--told", kind]
    words += ["--logdir", tmp_path, "--width", "32", "--save-every", "100"]
    words += ["--held-out", "wake_up", "--rate", "0.003", "--steps", "409600"]
    run_script("train_bc_tasks.py", *words)
    run_script("train_bc_tasks.py", *words)
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    rows = list(map(json.loads, lines))
    assert [row["steps"] for row in rows] == [102400, 204800, 307200, 409600]
    path = tmp_path / "policy.npz"
    agent = crafter.load_agent(str(path))
    assert np.mean(chances(agent, folder)) > 0.5  # 1 / 17 at the beginning
    assert agent.about["told"] == {"kind": kind, "size": conditioning.SIZE}
    # Recordings of tasks that were held out can be told all the same.
    assert ("wake_up" in agent.about["references"]) == (kind == "recording")
    spec = EpisodeSpec("place_table", "simple", 0)
    assert episode(spec, factory_of(f"trained:{path}")).steps > 0


def test_symbolic_observations_follow_from_compact_ones():
    from baselines import conditioning as frame

    env = Env(seed=0)
    env.reset()
    for _ in range(50):
        env.step(env.action_space.sample())
        found = np.asarray(frame.symbolic(env.observe("compact")))
        np.testing.assert_allclose(found, env.observe("symbolic"), atol=1 / 255)
