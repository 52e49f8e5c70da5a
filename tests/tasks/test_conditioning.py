"""What trained agents are told of tasks, and that they play what they are told."""

from __future__ import annotations

import json

import numpy as np
import pytest

import crafter
from crafter.games.crafter.rules import default
from crafter.tasks import Task
from crafter.tasks.catalogue.tasks import all_tasks
from crafter.tasks.episodes import conditioning
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec, env_at, watched
from crafter.tasks.scenes import draw

SEEN, ACTIONS, SIZE = 1471, 17, 4


def write(path, kind, names=(), **arrays):
    """Writes an agent that takes the action of the largest number it is told."""
    about = {"game": "crafter", "observation": "symbolic", "activation": "tanh"}
    about |= {"digest": default().digest, "told": {"kind": kind, "size": SIZE}}
    weights = np.zeros((SEEN + SIZE, ACTIONS))
    weights[SEEN:, :SIZE] = 100 * np.eye(SIZE)
    arrays |= {"actor/0/w": weights, "actor/0/b": np.zeros(ACTIONS)}
    about = json.dumps({**about, "references": list(names)})
    np.savez(path, about=about, **arrays)
    return f"trained:{path}"


def test_a_bag_counts_words_and_pairs():
    one, two = conditioning.bag(["a", "b"]), conditioning.bag(["b", "a"])
    assert (
        np.linalg.norm(one) == pytest.approx(conditioning.NORM)
        and one.dtype == np.float32
    )
    assert (one != two).any() and not conditioning.bag([]).any()
    # Two of three parts are the same ones.
    assert one @ two == pytest.approx(conditioning.NORM**2 * 2 / 3)


def test_goals_of_all_tasks_have_bags_of_their_own():
    bags = {
        conditioning.bag(conditioning.nodes_of(Task(name))).tobytes()
        for name in all_tasks()
    }
    assert len(bags) == len(all_tasks())


def test_held_out_wordings_are_not_learned():
    task = Task("collect_wood")
    assert not set(task.texts("test")) & set(conditioning.wordings(task))
    assert set(task.texts("train")) <= set(conditioning.wordings(task))


def test_a_recording_is_told_by_what_happened():
    _, env = watched(
        EpisodeSpec("collect_wood", "simple", 0), factory_of("scout"), record=True
    )
    words = conditioning.happened(env.tracker.records)
    assert "last collected wood" in words and not any("goal" in w for w in words)


def test_the_agents_of_the_package_do_what_they_are_told():
    """The same scene of wood for a table, which each of them can be asked for."""
    told_ones = [n for n in crafter.agent_names() if crafter.load_agent(n).told_size]
    assert len(told_ones) == 5
    for name in told_ones:
        agent = crafter.load_agent(name)
        task, other = Task("place_table"), Task("collect_sapling")
        one, two = (conditioning.of(agent, t, t.text()) for t in (task, other))
        env = env_at(task, draw(task, "test", 0))
        env.reset()
        obs, memory = env.base.observe(agent.observation), agent.start()
        place = env.base.action_names.index("place_table")
        (wanted, _), (else_, _) = (agent.act(obs, memory, x) for x in (one, two))
        if agent.about["told"]["kind"] == "nothing":
            assert (wanted == else_).all()
        else:
            assert wanted[place] > 2 * else_[place]


@pytest.mark.parametrize("kind", conditioning.KINDS)
def test_an_agent_does_what_it_is_told(kind, tmp_path):
    rows = {"references": np.eye(SIZE)[[3]]} if kind == "recording" else {}
    name = write(tmp_path / "agent.npz", kind, ["collect_wood"], **rows)
    spec = EpisodeSpec("collect_wood", "simple", 0)
    _, env = watched(spec, factory_of(name), record=True)
    task = env.task
    expected = {
        "nothing": np.zeros(SIZE),
        "sentence": conditioning.bag(conditioning.words_of(env.text), SIZE),
        "tree": conditioning.bag(conditioning.nodes_of(task), SIZE),
        "recording": np.eye(SIZE)[3],
    }[kind]
    actions = {record.action for record in env.tracker.records}
    if expected.max() > 0.1:
        assert actions == {env.base.action_names[expected.argmax()]}
    else:
        assert len(actions) > 5
    again, _ = watched(spec, factory_of(name))
    assert again.steps == env.tracker.steps
