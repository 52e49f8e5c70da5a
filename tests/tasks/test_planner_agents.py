"""The agents that follow the planner, and what each of them knows."""

import gymnasium as gym
import planner_scenes
import pytest

from crafter.games.crafter.planner.agents import Memory, Oracle, Scout
from crafter.tasks import Task
from crafter.tasks.env.single import TaskEnv

FAR = "Z" + "." * 11 + "T " + ("." * 13 + " ") * 4 + ".....T......C"


def begun(rows, **options):
    scene = planner_scenes.Drawn(rows, **options)
    return planner_scenes.begun(Task("collect_wood"), scene)


@pytest.mark.parametrize("agent_type", [Oracle, Scout])
def test_an_agent_does_a_task(agent_type):
    env = gym.make("CrafterTask-v1", task="make_wood_pickaxe", split="test")
    agent = agent_type(env)
    obs, info = env.reset(seed=2)
    agent.reset(obs, info)
    for _ in range(info["task"]["budget"]):
        obs, reward, terminated, _, info = env.step(agent.act(obs))
        if terminated:
            break
    assert info["task"]["verdict"] == "DONE"
    assert reward == 1
    assert agent.reason is None


def test_an_agent_needs_an_environment_with_a_task():
    with pytest.raises(TypeError, match="with a task"):
        Oracle(gym.make("CrafterReward-v1"))
    with pytest.raises(RuntimeError, match="reset"):
        Scout(TaskEnv("collect_wood")).act(None)


def test_the_memory_has_what_was_in_the_view_only():
    env, attempt = begun(FAR, position=(2, 2))
    view = attempt.view
    memory = Memory(view)
    assert view.material(12, 0) == "tree"
    assert memory.material(12, 0) is None
    assert memory.material(5, 5) == "tree"
    assert memory.material(-1, 0) is None
    assert {thing.kind for thing in memory.objects()} == {"zombie", "player"}
    assert not memory.objects("cow")
    assert (memory.materials == 0).sum() == (~view.seen).sum()


def test_the_memory_does_not_see_health():
    env, attempt = begun(FAR, position=(2, 2))
    zombie = next(obj for obj in env.world.objects if obj.kind == "zombie")
    zombie.health = 1
    [seen] = Memory(attempt.view).objects("zombie")
    assert seen.health == env.rules.creatures["zombie"]["health"]


def test_the_memory_keeps_what_went_out_of_view():
    env, attempt = begun(FAR, position=(11, 3))
    memory = Memory(attempt.view)
    assert memory.objects("cow")
    for _ in range(9):
        *_, info = env.step(env.action_names.index("move_left"))
        attempt.step("move_left", info["events"])
        memory.look()
    assert memory.material(12, 0) == "tree"
    assert memory.objects("cow")
