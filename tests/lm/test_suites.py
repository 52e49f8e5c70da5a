"""Text agents make attempts of suites, as through the text interface alone."""

import json
import pathlib

import pytest
from chat_server import Server
from short_suite import scene

from crafter.llm_client import commands
from crafter.lm.agents.players import ScriptedAgent
from crafter.lm.runs import game
from crafter.lm.runs.protocols import protocol
from crafter.tasks import report, scenes
from crafter.tasks.cli import main
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec, episode
from crafter.tasks.episodes.results import RunError, read
from crafter.tasks.episodes.suites import suite
from crafter.tasks.world import records


def by_text(number):
    """Play an attempt of the suite as a rollout of a protocol."""
    played = game.Game(protocol("tasks-smoke-lm"), number)
    agent = ScriptedAgent()
    agent.reset(played.briefing())
    while not played.done:
        played.play(agent.act(played.message))
    return played.aci.task_env.goal.verdict == "DONE", played.aci.steps_taken


@pytest.mark.parametrize("number", [0, 2, 6])
def test_an_attempt_is_that_of_the_text_interface(number):
    entry = suite("smoke").entries[number]
    made = episode(entry, factory_of("lm:scripted"))
    assert (made.verdict == "DONE", made.steps) == by_text(number)


@pytest.fixture
def use(monkeypatch):
    """Return what names an endpoint by the variables, after the package is found."""
    pytest.importorskip("httpx2", reason="needs crafter[lm]")

    def set_variables(url, model="stub"):
        monkeypatch.setenv("CRAFTER_LM_BASE_URL", url)
        monkeypatch.setenv("CRAFTER_LM_MODEL", model)

    monkeypatch.delenv("CRAFTER_LM_BASE_URL", raising=False)
    return set_variables


def test_a_run_says_which_model_played(tmp_path, use, capsys):
    scenes.write(tmp_path / "pack.jsonl", [scene(0), scene(1)])
    command = ["run", "--suite", str(tmp_path / "pack.jsonl"), "--agent", "lm:react"]
    command += ["--quiet", "--record", "--out", str(tmp_path / "run")]
    assert main([*command, "--shard", "1/2"]) == 2  # there is no endpoint
    assert not (tmp_path / "run").exists()
    with Server(then=lambda body: "Action: noop x20") as server:
        use(server.url, "first")
        assert main([*command, "--shard", "1/2"]) == 0
        (path,) = (tmp_path / "run").glob("results-*")
        head = json.loads(path.read_text().splitlines()[0])
        assert head["agent"] == "lm:react:first"
        assert head["settings"]["model"] == "first"
        assert head["settings"]["temperature"] == 0
        assert "base_url" not in path.read_text()
        whole = next((tmp_path / "run" / "attempts").iterdir())
        assert records.read(whole).header.agent == "lm:react:first"
        use(server.url, "second")
        capsys.readouterr()
        assert main([*command, "--shard", "1/2"]) == 2
        assert '"model":"second"' in capsys.readouterr().err
        assert main([*command, "--shard", "2/2"]) == 0
    found = report.load([tmp_path / "run"])
    assert found.agents == ["lm:react:first", "lm:react:second"]
    other = tmp_path / "other.jsonl"
    other.write_text(path.read_text().replace('"temperature":0.0', '"temperature":0.7'))
    with pytest.raises(RunError, match="0.7.* in other files"):
        report.load([path, other])


def test_shipped_attempts_of_the_scripted_agent_are_made_again():
    path = "scores/turbo/lm-scripted/results-1-of-30.jsonl.gz"
    _, results = read(pathlib.Path(__file__).parents[2] / path)
    entries = suite("turbo").shard(1, 30)
    tasks_of_chance = ("find_camp", "leave_maze")
    chosen = [n for n, one in enumerate(results) if one.task in tasks_of_chance]
    assert [results[n].steps for n in chosen] == [59, 28]
    for number in chosen:
        made = episode(entries[number], factory_of("lm:scripted"))
        assert made == results[number]


def test_chance_follows_from_the_scene(tmp_path):
    played = []
    for number in (0, 1, 0):
        entry = EpisodeSpec("place_stone.within(12)", "simple", number, scene(number))
        path = tmp_path / "attempt.jsonl.gz"
        episode(entry, factory_of("lm:random"), "lm:random", path)
        played.append([step.action for step in records.read(path).steps])
    assert played[0] == played[2] != played[1]


def test_agents_that_cannot_play_end_the_command(tmp_path, use, capsys):
    words = ["run", "--suite", "smoke", "--out", str(tmp_path), "--agent"]
    for name, told in [("", "agent"), ("nobody", "agent"), ("react", "_BASE_URL")]:
        assert main([*words, f"lm:{name}"]) == commands.USAGE
        assert told in capsys.readouterr().err
    with Server(then=(404, {}, {"error": "no such model"})) as server:
        use(server.url)
        assert main([*words, "lm:react"]) == commands.INCOMPLETE
    assert "Status 404" in capsys.readouterr().err
