"""Attempts in batches: goals as array operations, and the environment around them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random

import gymnasium
import numpy as np
import pytest
import short_suite
from batches import assert_same
from gymnasium.vector import AutoresetMode

from crafter.games.crafter.tasks.batched.program import Program, UnsupportedGoal
from crafter.tasks import Task, all_tasks, parse, scenes
from crafter.tasks.env.single import TaskEnv

# Goals that a player who does anything often reaches or violates on a small map.
GOALS = [
    "place_stone",
    "place_stone.times(3)",
    "event('collected', n=2)",
    "collect_wood | collect_drink",
    "place_stone & place_table",
    "place_stone >> collect_wood",
    "(place_stone >> place_table).within(20)",
    "place_stone & ~act_sleep",
    "(place_stone & ~place_table) | collect_sapling",
    "~collect_wood",
    "(~place_stone).within(12)",
    "(~place_stone).within(12) >> act_sleep",
    "reach(inv.stone <= 1)",
    "reach(inv.wood >= 1, hold=4)",
    "reach(away(3)) >> reach(~away(2))",
    "reach(facing('tree') | facing('water') | facing('cow'))",
    "reach(on('sand') | near('water', 1))",
    "reach(asleep, hold=3)",
    "place_stone.when(night)",
    "place_stone.where(away(2))",
    "place_stone.where(near('water', 3))",
    "collect_wood.where(rectangle(24, 24, 31, 40))",
    "place_stone.using('wood_pickaxe')",
    "make_wood_pickaxe.without(sword)",
    "place_table.without(act_sleep, 'place_stone')",
    "place_table | place_stone.when(inv.stone <= 2)",
    "reach(energy < 9) | reach(best('pickaxe') == wood)",
    "act_noop.times(4) & ~(act_sleep.within(9))",
    "event('woke', cause='rested')",
    "(place_stone.within(15) | (collect_wood >> place_table)) & ~reach(health < 5)",
]


def scene(index, area=(64, 64)):
    """Return a scene on a map of the usual size, for which the engine is compiled."""
    beside = ("clear", 31, 31, 3, 3), ("set", 30, 32, "tree"), ("set", 34, 32, "water")
    return dataclasses.replace(
        short_suite.scene(index),
        inventory={"stone": 4, "wood": 4, "wood_pickaxe": index % 2},
        clock=(37 * index) % 300,
        area=area,
        spawn=(32, 32),
        edits=beside,
        vitals={"energy": 3 + index % 7},
    )


def actions_of(seed):
    """Yield actions that do what the goals ask for more often than others."""
    generator = random.Random(seed)
    often = [5, 5, 1, 2, 3, 4, 7, 8, 6, 11]
    while True:
        yield (
            generator.choice(often)
            if generator.random() < 0.8
            else generator.randrange(17)
        )


@pytest.mark.parametrize(
    "goal",
    [
        "damaged",
        "collect_iron & ~damaged",
        "event('collected', what='wood', gain=0)",
        "reach(in_zone('forest'))",
        "event('moved')",
        "event('woke')",
        "reach(built('line', 3))",
        "find('water', 1)",
        "reach(explored(0.25))",
        "place_stone.where('forest')",
    ],
)
def test_what_it_cannot_do_is_refused_with_what_it_can(goal):
    with pytest.raises(UnsupportedGoal) as error:
        Program(parse(goal), 3)
    assert "It supports: events collected" in str(error.value)
    assert "vectorization_mode='sync'" in str(error.value)


def test_many_tasks_of_the_catalogue_can_be_done_in_batches():
    def possible(name):
        try:
            Program(Task(name).goal, 1)
        except UnsupportedGoal:
            return False
        return True

    found = [name for name in all_tasks() if possible(name)]
    assert len(found) >= 40 and "collect_diamond" in found


# The environment.


def make(goal, num_envs, start, **arguments):
    fields = {"observation": "compact", "threads": 1, "budget": 40}
    return gymnasium.make_vec(
        "CrafterTask-v1",
        num_envs=num_envs,
        task=goal,
        scenes=start,
        **{**fields, **arguments},
    )


def attempts(envs, actions, number):
    """Play until so many attempts are over; return scene, verdict and steps of each."""
    envs.reset(seed=0)
    found, fresh = [], np.ones(envs.num_envs, bool)
    same_step = envs.autoreset_mode == AutoresetMode.SAME_STEP
    streams = [[] for _ in range(envs.num_envs)]
    while len(found) < number:
        chosen = [next(stream) for stream in actions]
        for b in np.flatnonzero(fresh):
            streams[b].append(chosen[b])
        _, rewards, terminated, truncated, infos = envs.step(chosen)
        over = terminated | truncated
        assert same_step and over.any() or "final_info" not in infos
        infos = infos.get("final_info", infos)
        for b in np.flatnonzero(over):
            found.append(
                (
                    int(infos["task_scene"][b]),
                    bool(infos["task_done"][b]),
                    int(infos["task_step"][b]),
                    bool(terminated[b]),
                    float(rewards[b]),
                    streams[b],
                )
            )
            streams[b] = []
        # The next step of a game that is over begins anew, if this one did not.
        fresh = ~over | same_step
    return found


def assert_same_as_single(goal, starts, number, num_envs=8, mode="NextStep"):
    envs = make(goal, num_envs, starts, reward="signed", autoreset_mode=mode)
    actions = [actions_of(1000 + b) for b in range(num_envs)]
    single = TaskEnv(goal, budget=40, reward="signed", observation="semantic")
    for index, done, steps, terminated, reward, played in attempts(
        envs, actions, number
    ):
        single.reset(options={"scene": starts[index]})
        for action in played:
            last = single.step(action)
        task = last[4]["task"]
        assert (task["verdict"] == "DONE", task["step"]) == (done, steps)
        assert (last[2], last[1]) == (terminated, reward)
    envs.close()


def test_the_next_attempt_begins_in_the_same_step():
    pytest.importorskip("numba")
    goal = "act_noop.times(3)"
    envs = make(goal, 2, [scene(0), scene(1)], autoreset_mode="SameStep")
    first, _ = envs.reset(seed=0)
    envs.step([0, 1])
    envs.step([0, 0])
    obs, rewards, terminated, _, infos = envs.step([0, 0])
    assert rewards.tolist() == [1, 0] and terminated.tolist() == [True, False]
    ended = infos["final_info"]
    assert ended["task_done"].tolist() == [True, False]
    assert ended["task_step"].tolist() == [3, 3]
    assert infos["task_step"].tolist() == [0, 3] and not infos["task_done"].any()
    begun = infos["task_scene"][0]
    np.testing.assert_array_equal(obs[0], first[begun])
    assert (infos["final_obs"][0] != obs[0]).any() and infos["final_obs"][1] is None
    envs.close()


@pytest.mark.parametrize(
    "number", [10, pytest.param(67, marks=pytest.mark.slow, id="2000 in all")]
)
@pytest.mark.parametrize("goal", GOALS)
def test_verdicts_and_steps_are_those_of_the_monitor(goal, number):
    pytest.importorskip("numba")
    starts = [scene(n) for n in range(min(20, number))]
    mode = ("NextStep", "SameStep")[GOALS.index(goal) % 2]
    assert_same_as_single(goal, starts, number, mode=mode)


def test_scenes_begin_where_the_seed_says():
    pytest.importorskip("numba")
    starts = [scene(n) for n in range(3)]
    envs = make("place_stone", 4, starts)
    _, infos = envs.reset(seed=1)
    assert infos["task_scene"].tolist() == [1, 2, 0, 1]
    assert not infos["task_done"].any() and not infos["task_step"].any()
    envs.step([0, 0, 0, 0])
    _, infos = envs.reset(
        seed=[0, 2, 0, 0], options={"reset_mask": np.array([0, 1, 0, 0], bool)}
    )
    assert infos["task_scene"].tolist() == [1, 2, 0, 1]
    assert infos["task_step"].tolist() == [1, 0, 1, 1]
    with pytest.raises(ValueError, match="cannot replace an episode"):
        envs.set_state(envs.get_state())
    copies = [envs, pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)]
    first, *others = [one.step([0, 0, 0, 0]) for one in copies]
    for other in others:
        assert_same(other, first)
    envs.close()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"reward": "progress"}, "reward must be one of"),
        ({"goal_obs": "text"}, "goal_obs must be 'none' in batches"),
        ({"length": 5}, "the task determines"),
        ({"budget": 0}, "budget must be an integer"),
        ({"scenes": 0}, "scenes must be an integer"),
        ({"scenes": []}, "at least one scene"),
        ({"scenes": 21, "split": "test"}, "from 0 to 19"),
        ({"autoreset_mode": "Disabled"}, "must be 'NextStep' or 'SameStep'"),
        ({"task": "damaged"}, "does not support event"),
        ({"scenes": [scene(0, (48, 48))]}, r"a map of \(48, 48\)"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    pytest.importorskip("numba")
    fields = {"observation": "compact"}
    with pytest.raises(ValueError, match=message):
        gymnasium.make_vec("CrafterTask-v1", **{"num_envs": 2, **fields, **arguments})


def test_scenes_of_the_split_are_used():
    pytest.importorskip("numba")
    envs = gymnasium.make_vec(
        "CrafterTask-v1",
        num_envs=2,
        task="place_stone",
        scenes=1,
        split="val",
        observation="compact",
    )
    envs.reset(seed=5)
    expected = scenes.draw(Task("place_stone"), "val", 0)
    assert envs.scene(0) == expected
    envs.close()
