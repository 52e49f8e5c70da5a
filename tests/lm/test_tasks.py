"""Tasks in words: the goal in observations and prompts, runs, scores, the oracle."""

import io

import gymnasium
import jsonschema
import pytest
from lm_helpers import SCHEMA, run

from crafter.lm import CrafterACI
from crafter.lm.agents.base import Briefing
from crafter.lm.agents.model import prompt
from crafter.lm.agents.players import NoopAgent, OracleAgent
from crafter.lm.cli import main
from crafter.lm.game_host import GameHost
from crafter.lm.runs import summary
from crafter.lm.runs.protocols import protocol
from crafter.tasks import Task, scenes


@pytest.fixture(scope="module")
def scene():
    return scenes.draw(Task("place_table"), "val", 3)


@pytest.fixture
def aci(scene):
    return CrafterACI(task="place_table", split="val", scene=scene)


def test_goal_is_told_in_every_form(aci):
    obs = aci.starting_obs
    told = f"{Task('place_table').text()} Progress 0 %, 60 steps left."
    assert f"Goal: {told}" in obs.text()
    assert "Goal:" not in obs.text(verbosity=0)
    assert obs.json()["goal"] == {
        "text": Task("place_table").text(),
        "progress": 0,
        "steps_left": 60,
        "verdict": "PENDING",
    }
    jsonschema.validate(obs.json(), SCHEMA)
    assert "## Goal" in obs.render("md") and "<goal>" in obs.render("xml")
    assert obs.step_limit == 60


def test_goal_that_is_done_ends_the_game(aci):
    turn = aci.act("place table, left, right")
    assert turn.done and aci.reason == "goal_done"
    assert turn.skipped == ("move_left", "move_right")
    assert "The game is over: the goal is done." in turn.text
    assert "It is done." in turn.text
    assert turn.observation.json()["goal"]["verdict"] == "DONE"
    jsonschema.validate(turn.observation.json(), SCHEMA)


def test_goal_that_failed_says_why_and_used_up_steps_end_the_game(scene):
    aci = CrafterACI(task="collect_diamond.within(2)", scene=scene)
    turn = aci.act("noop x5", stop_on="none")
    assert (aci.reason, aci.steps_taken) == ("goal_failed", 2)
    why = "Too late: collect a diamond within 2 steps."
    assert f"It has failed. {why}" in turn.text
    assert turn.observation.json()["goal"]["why"] == why
    jsonschema.validate(turn.observation.json(), SCHEMA)
    aci = CrafterACI(task="collect_wood", scene=scene)
    while not aci.done:
        aci.act("noop x20", stop_on="none")
    assert (aci.reason, aci.steps_taken) == ("budget", Task("collect_wood").budget)
    assert "the steps for the goal are used up" in aci.describe(aci.observe())


def test_reset_begins_the_same_attempt_again_and_next_the_next_scene():
    aci = CrafterACI(task="place_table", split="val", seed=4)
    first = aci.task_env.scene.hash
    aci.act("place table")
    aci.reset()
    assert (aci.task_env.scene.hash, aci.done, aci.seed) == (first, False, 4)
    aci.reset(next=True)
    assert aci.seed == 5 and aci.task_env.scene.hash != first
    aci.reset(seed=4)
    assert aci.task_env.scene.hash == first
    with pytest.raises(ValueError, match="the scene determines"):
        aci.reset(options={"daytime": "noon"})


def test_gym_environment_terminates_with_the_goal(scene):
    env = gymnasium.make("CrafterText-v1", task="place_table", scene=scene)
    text, _ = env.reset()
    assert "Goal: " in text
    _, reward, terminated, truncated, info = env.step("place table")
    assert (terminated, truncated, info["reason"]) == (True, False, "goal_done")
    assert info["json"]["goal"]["verdict"] == "DONE"


# Agents and runs.


def test_goal_stands_in_the_prompt_of_models():
    told = prompt("react", Briefing(rules="R", goal="Place a table."))
    assert told.startswith(prompt("react", Briefing(rules="R")))
    assert "Your goal: Place a table." in told


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Returns the folders of two agents on three attempts of the suite smoke."""
    made = protocol("tasks-smoke-lm", rollouts=3)
    folders = {}
    for agent in (OracleAgent, NoopAgent):
        folders[agent.name] = tmp_path_factory.mktemp(agent.name)
        outcomes = run(made, agent, folders[agent.name])
        assert all(outcome.finished for outcome in outcomes)
    return folders


def test_success_is_the_score_of_tasks(runs):
    good, bad = (summary.summarise(runs[name]) for name in ("oracle", "noop"))
    assert good["protocol"]["score"] == "success"
    assert bad["scores"]["success"]["value"] == 0
    assert good["scores"]["success"]["value"] >= 100 / 3
    assert bad["scores"]["success"]["high"] == pytest.approx(56.15, abs=0.01)
    assert "| success (main) |" in summary.markdown(good)
    assert set(good["reasons"]) <= {"goal_done", "cap_calls"}


def test_task_on_another_protocol_is_scored_by_success():
    changes = {"task": "place_table", "difficulty": "simple"}
    made = protocol("crafter-lm-v1", rollouts=1, interface=changes)
    assert (made.score, made.name) == ("success", "crafter-lm-v1*")
    assert made.make_interface(6000).task_env.task.name == "place_table"


def test_commands_take_a_task(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "--task", "place_table", "--seed", "3"]) == 0
    assert "Goal: Place a table" in capsys.readouterr().out
    assert main(["play", "--task", "place_tabel"]) == 2
    assert "Did you mean place_table" in capsys.readouterr().err
    assert main(["play", "--difficulty", "hard"]) == 2
    arguments = ["run", "--agent", "oracle", "--protocol", "crafter-lm-v1"]
    more = ["--rollouts", "1", "--task", "place_table", "--out", str(tmp_path)]
    assert main([*arguments, *more]) == 0
    assert "| success (main) | 100.0" in capsys.readouterr().out


# Servers.


def test_rooms_tell_how_the_goal_fares():
    room = GameHost(task="place_table")
    _, text = room.new_game(seed=3)
    assert "Goal: Place a table" in text
    data, _ = room.act("place table")
    assert data["done"] and data["goal"]["verdict"] == "DONE"
    assert room.progress()["goal"]["progress"] == 1
    started, text = room.new_game(seed=3, task="collect_wood", difficulty="hard")
    assert room.progress(started["game"])["goal"]["steps_left"] == 400
    with pytest.raises(ValueError, match="Did you mean place_table"):
        room.new_game(task="place_tabel")
