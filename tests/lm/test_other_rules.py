"""Texts, parser and agents follow the rules of the environment."""

from __future__ import annotations

import json

import pytest
import yaml
from lm_helpers import GOLDEN, check_turns, play, run

import crafter
from crafter.core import journal
from crafter.games.crafter.rules import default, load
from crafter.lm import CrafterACI, rules, tutorial
from crafter.lm import game as games
from crafter.lm.agents.players import RandomAgent, ScriptedAgent
from crafter.lm.runs import logs, runner, summary
from crafter.lm.runs.logs import log_path
from crafter.lm.runs.protocols import from_dict, protocol

TABLE = yaml.safe_load((GOLDEN / "other_rules.yaml").read_text("utf-8"))
SWORD, GOLD, LESS = TABLE["rules"].values()
FIELD = [".....", ".t...", "..@$.", ".....", "....."]


def start(changes, inventory, facing=(1, 0), **settings):
    """Return an interface to a small world under changed rules."""
    env = crafter.Env(area=(5, 5), events=True, length=None, rules=changes)
    aci = CrafterACI(env, **settings)
    rows = [row.replace("$", "$" if "symbols" in changes else ".") for row in FIELD]
    aci.reset(options={"map": rows, "facing": facing, "inventory": inventory})
    return aci


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_turns(case):
    changes, settings = TABLE["rules"][case["rules"]], case.get("settings", {})
    aci = start(changes, case["inventory"], **settings)
    told = aci.describe(aci.starting_obs)
    assert all(part in told for part in case.get("begins", [])), told
    check_turns(aci, case["turns"])


def texts(changes):
    """Return all that is told of rules before a game."""
    told = rules("full", tables=changes) + rules("brief", tables=changes)
    words = games.find("crafter").words(load(changes))
    needs = "\n".join(f"{action}: {text}" for action, text in words.needs.items())
    return f"{told}{tutorial(changes)}{needs}"


@pytest.mark.parametrize("name", TABLE["texts"])
def test_texts(name):
    told = texts(TABLE["rules"][name])
    assert all(part in told for part in TABLE["texts"][name])
    assert not any(part in texts({}) for part in ("diamond_sword", "gold", "statue"))
    assert "iron_sword" in texts({}) and "iron_sword" not in texts(LESS)


def test_switches_are_told():
    switched = {"switches": {"collapse": {"applied": True}}}
    assert "# Other rules\n- A step in which the player sleeps" in texts(switched)
    assert "# Other rules" not in texts({})


def test_what_the_rules_add_has_a_character_and_its_name():
    glyphs = games.find("crafter").words(load(GOLD)).glyphs()
    assert len(set(glyphs.values())) == len(glyphs)
    assert glyphs["statue"] not in default().symbols["materials"]
    form = start(GOLD, {"gold": 3}).observe().json()
    assert form["player"]["front"] == {"kind": "gold_ore"}
    assert form["view"]["legend"]["$"] == "gold_ore"


def test_rules_come_with_the_environment_or_alone_and_their_numbers_are_told():
    with pytest.raises(ValueError, match="pass them to crafter.Env"):
        CrafterACI(crafter.Env(events=True), rules=SWORD)
    assert CrafterACI(rules=SWORD).rules == load(SWORD)
    changes = {"items": {"food": {"max": 20, "initial": 15}}, "world": {"nearby": 2}}
    aci = CrafterACI(seed=1, rules=changes)
    assert "food 15/20" in aci.starting_obs.text()
    day = CrafterACI(seed=1, rules={"time": {"day": 600}})
    day.reset(options={"daytime": 299})
    assert day.observe().day == 1 and day.observe().phase == "night"


@pytest.mark.parametrize("changes", [SWORD, GOLD])
@pytest.mark.parametrize("agent", [ScriptedAgent, RandomAgent])
def test_agents_play_under_other_rules(agent, changes):
    aci = CrafterACI(seed=3, rules=changes, max_actions=60)
    play(aci, agent(), tables=aci.rules)
    assert aci.invalid_calls == 0


def test_runs_under_other_rules_are_logged_verified_and_summarised(tmp_path):
    made = protocol(
        "crafter-lm-v1", rollouts=1, tables=SWORD, interface={"max_actions": 20}
    )
    assert made.name == "crafter-lm-v1*"
    again = from_dict(json.loads(json.dumps(made.as_dict())))
    assert again.as_dict() == made.as_dict() and again.tables == made.tables
    run(made, RandomAgent, tmp_path)
    header = logs.read_header(tmp_path)
    assert header["rules"] == load(SWORD).digest != default().digest
    assert journal.read(log_path(tmp_path, 0))[0]["rules"] == header["rules"]
    (problem,) = runner.problems(tmp_path)
    assert problem == "'crafter-lm-v1*' is no preset: it was changed"
    assert "make_diamond_sword" in summary.summarise(tmp_path)["achievements"]
