"""Text agents make attempts of suites, as through the text interface alone."""

import pytest
from chat_server import Server

from crafter import tasks
from crafter.lm import agents
from crafter.lm.runs import game
from crafter.lm.runs.protocols import protocol
from crafter.tasks import runs
from crafter.tasks.agents import factory_of
from crafter.tasks.cli import main
from crafter.tasks.suites import suite


def by_text(number):
    """Play an attempt of the suite as a rollout of a protocol."""
    played = game.Game(protocol("tasks-smoke-lm"), number)
    agent = agents.make("scripted", None)
    agent.reset(played.briefing())
    while not played.done:
        played.play(agent.act(played.message))
    return played.aci.quest.goal.verdict == "DONE", played.aci.steps_taken


@pytest.mark.parametrize("number", [0, 2, 6])
def test_an_attempt_is_that_of_the_text_interface(number):
    entry = suite("smoke").entries[number]
    made = runs.attempt(entry, factory_of("lm:scripted"))
    assert (made.verdict == "DONE", made.steps) == by_text(number)


def test_a_model_attempts_tasks_over_http(tmp_path, monkeypatch):
    pytest.importorskip("httpx2", reason="needs crafter[lm]")
    entry = next(e for e in suite("smoke").entries if e.task == "place_table")
    with Server(then=lambda body: "Action: place_table") as server:
        monkeypatch.setenv("CRAFTER_LM_BASE_URL", server.url)
        monkeypatch.setenv("CRAFTER_LM_MODEL", "stub")
        path = tmp_path / "attempt.jsonl.gz"
        made = runs.attempt(entry, factory_of("lm:react"), "lm:react", path)
    assert (made.verdict, made.steps, len(server.requests)) == ("DONE", 1, 1)
    assert tasks.records.read(path).header.agent == "lm:react"


def test_out_of_calls_nothing_is_done():
    entry = next(e for e in suite("smoke").entries if e.task == "collect_wood")
    made = runs.attempt(entry, factory_of("lm:noop"))
    assert (made.verdict, made.reason, made.steps) == ("FAILED", "timeout", made.budget)


@pytest.mark.parametrize("name", ["lm:", "lm:nobody", "lm:human"])
def test_unknown_text_agents_are_refused(name, tmp_path, capsys):
    words = ["run", "--suite", "smoke", "--agent", name, "--out", str(tmp_path)]
    assert main(words) == 2
    assert "Unknown" in capsys.readouterr().err
