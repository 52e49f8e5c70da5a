"""Agents: what they are told is all they know."""

from __future__ import annotations

import json

import pytest
from lm_helpers import play, start

from crafter import constants
from crafter.llm_client.client import Reply, length
from crafter.lm import CrafterACI
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.model import LIMIT, NOTEBOOK, STYLES, ModelAgent, make, prompt
from crafter.lm.agents.players import (
    OFFLINE,
    NoopAgent,
    RandomAgent,
    RandomUsefulAgent,
    ScriptedAgent,
)
from crafter.lm.runs.game import Game
from crafter.lm.runs.protocols import PRESETS, protocol


def test_scripted_hides_when_it_is_hurt():
    rock = "\n".join(["#########"] * 3 + ["#########", "####@____"] + ["#########"] * 4)
    inventory = {"health": 3, "stone": 1, "wood_pickaxe": 1}
    settings = {"max_actions": 120, "stop_on": "none"}
    aci = start(rock, facing=(-1, 0), inventory=inventory, settings=settings)
    said = play(aci, ScriptedAgent())
    assert said[0].endswith("place_stone") and "sleep until awake" in said
    health = [record.vitals["health"] for record in aci.records]
    assert min(health) == 3 and max(health) > 6 and aci.reason != "died"
    assert "do" in said[-1]  # it came out again


def test_scripted_respects_the_limits_and_needs_observations():
    aci, agent = CrafterACI(seed=3, max_actions=80, max_batch=2), ScriptedAgent()
    play(aci, agent, max_batch=2, macros=False)
    assert aci.invalid_calls == 0
    with pytest.raises(ValueError, match="needs observations"):
        agent.act(Message("See the picture.", {}))


def test_random_agents():
    agent = RandomAgent()
    agent.reset(Briefing(seed=1))
    said = [agent.act(Message("", {})) for _ in range(1700)]
    counts = {name: said.count(name) for name in constants.actions}
    assert min(counts.values()) > 60 and max(counts.values()) < 150
    useful = RandomUsefulAgent()
    useful.reset(Briefing(seed=1))
    said = [useful.act(Message("", {})) for _ in range(1000)]
    assert said.count("do") > 200 > said.count("noop")
    assert NoopAgent().act(Message("", {})) == "noop"


# Models.


class Echo:
    """An endpoint that says what it is told to."""

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    def chat(self, messages):
        self.asked.append(json.loads(json.dumps(messages)))
        return Reply(self.replies.pop(0), 10, 2, False, 1, 0.1)

    def settings(self):
        return {"model": "echo"}


def model(style, *replies, window=8, limit=LIMIT, **known):
    """Return an agent before its game, and its endpoint."""
    endpoint = Echo(*replies)
    agent = ModelAgent(endpoint, style, window, limit)
    agent.reset(Briefing(**known))
    return agent, endpoint


def ask(agent, *texts, image=None):
    return [agent.act(Message(text, {}, image)) for text in texts]


def test_direct():
    agent, endpoint = model("direct", "left", "do", rules="THE RULES", max_batch=4)
    assert ask(agent, "one", "two") == ["left", "do"]
    system, *turns = endpoint.asked[1]
    for told in ("THE RULES", "at most 4 at a time"):
        assert told in system["content"]
    assert [m["role"] for m in turns] == ["user", "assistant", "user"]
    assert [m["content"] for m in turns] == ["one", "left", "two"]
    assert agent.last_call()["prompt_tokens"] == 10


def test_window():
    agent, endpoint = model("react", *"abcdef", window=2)
    ask(agent, *"12345")
    assert [m["content"] for m in endpoint.asked[-1]][1:] == ["3", "c", "4", "d", "5"]
    agent.reset(Briefing())
    ask(agent, "6")
    assert [m["content"] for m in endpoint.asked[-1]][1:] == ["6"]


def test_requests_keep_the_limit():
    agent, endpoint = model("react", *"x" * 20, limit=3000, rules="r" * 500)
    ask(agent, *["o" * 700] * 10)
    assert all(length(request) <= 3000 for request in endpoint.asked)
    assert length(endpoint.asked[-1]) > 2000  # as much as fits
    with pytest.raises(ValueError, match="exceeds the limit"):
        ask(agent, "o" * 5000)


def test_notebook():
    first = "<notebook>table is west</notebook>\nAction: left"
    agent, endpoint = model("plan", first, "Action: do", "x")
    ask(agent, "one", "two")
    assert endpoint.asked[0][-1]["content"].endswith("Your notebook:\n(empty)")
    assert endpoint.asked[1][-1]["content"].endswith("Your notebook:\ntable is west")
    agent.recall(Message("", {}), f"<notebook>{'n' * 5000}</notebook>")
    asked = agent.request(Message("three", {}))[-1]["content"]
    assert asked.endswith("\n" + "n" * NOTEBOOK)


def test_pictures_are_sent_and_not_kept():
    agent, endpoint = model("vision", "do", "do")
    ask(agent, "one", "two", image="data:image/png;base64,AAAA")
    last = endpoint.asked[1]
    assert last[1]["content"] == "one"
    assert last[-1]["content"][1]["image_url"]["url"] == "data:image/png;base64,AAAA"
    assert "AAAA" not in json.dumps(agent.prompt(Message("two", {}, "AAAA")))


@pytest.mark.parametrize("name", PRESETS)
def test_prompts(name):
    made = protocol(name)
    briefing = Game(made, made.seeds[0]).briefing()
    for style in STYLES:
        text = prompt(style, briefing)
        assert "$" not in text and str(briefing.max_batch) in text
        assert len(text) < (10_000 if made.rules == "brief" else LIMIT)


def test_make():
    for name in OFFLINE:
        assert make(name, lambda: None).name == name
    assert make("plan", lambda: Echo("x"), window=3).settings()["window"] == 3
    for wrong in ("gpt", "seer"):
        with pytest.raises(ValueError, match="agent must be one of"):
            make(wrong, lambda: None)
    with pytest.raises(ValueError, match="style must be one of"):
        ModelAgent(Echo(), "think")
