"""Texts, parser and agents follow the rules of the environment."""

from __future__ import annotations

import json
import re

import pytest
from lm_helpers import play

import crafter
from crafter.games.crafter.rules import RulesError, default, load
from crafter.lm import CrafterACI, rules, tutorial
from crafter.lm import game as games
from crafter.lm.agents.players import RandomAgent, ScriptedAgent
from crafter.lm.rendering.json_form import schema
from crafter.lm.runs import logs, summary, verify
from crafter.lm.runs.logs import log_path
from crafter.lm.runs.protocols import from_dict, protocol
from crafter.lm.runs.runner import run
from crafter.lm.serve.games import GameRoom, actions_text

#: A better sword, by one mapping.
RECIPE = {"uses": {"wood": 1, "diamond": 2}, "nearby": ["table"], "gives": 1}
SWORD = {
    "items": {"diamond_sword": {"max": 9, "initial": 0}},
    "make": {"diamond_sword": RECIPE},
    "damage": {"diamond_sword": 8},
}
#: A material with a name of two words, what it gives, and what is built of it.
ORE = {"require": {"stone_pickaxe": 1}, "receive": {"gold": 1}, "leaves": "path"}
GOLD = {
    "materials": {"add": ["gold_ore", "statue"]},
    "items": {"gold": {"max": 9, "initial": 0}},
    "collect": {"gold_ore": ORE},
    "place": {"statue": {"uses": {"gold": 2}, "where": ["grass"], "type": "material"}},
    "symbols": {"materials": {"$": "gold_ore"}},
}
FIELD = [".....", ".t...", "..@$.", ".....", "....."]


def start(changes, inventory, facing=(1, 0), **settings):
    """Return an interface to a small world under changed rules."""
    env = crafter.Env(area=(5, 5), events=True, length=None, rules=changes)
    aci = CrafterACI(env, **settings)
    rows = [row.replace("$", "$" if "symbols" in changes else ".") for row in FIELD]
    aci.reset(options={"map": rows, "facing": facing, "inventory": inventory})
    return aci


def test_a_sword_is_made_told_and_worth_something():
    aci = start(SWORD, {"wood": 1, "diamond": 2, "health": 8}, hints=True)
    assert "make_diamond_sword" in aci.starting_obs.available
    turn = aci.act("craft a diamond sword")
    assert turn.steps[0].unlocked == ("make_diamond_sword",) and turn.rewards[0] >= 1
    assert "you made a diamond_sword" in turn.text
    assert "tools: diamond_sword" in turn.text
    assert "Achievements 1/23: make_diamond_sword." in turn.text
    assert turn.observation.json()["inventory"] == {"diamond_sword": 1}
    assert "make_diamond_sword" not in turn.observation.available  # nothing is left
    told = aci.act("make_diamond_sword").text
    assert "make_diamond_sword failed: needs 1 wood, you have 0" in told
    swords = ("make_wood_sword", "make_stone_sword", "make_iron_sword")
    assert aci.act("make sword").error.suggestions == swords
    message = aci.act("make_gold_sword").error.message
    assert "make_diamond_sword" in message


def test_a_sword_in_the_rules_text():
    full = rules("full", tables=SWORD)
    assert "make_diamond_sword: uses 1 wood and 2 diamond; nearby table" in full
    assert "1 with diamond_sword" in full  # one stroke for a zombie
    assert "make_diamond_sword 1 wood and 2 diamond near table" in rules(
        "brief", tables=SWORD
    )
    assert "the 23 achievements" in full
    assert "make_diamond_sword takes 1 wood and 2 diamond." in tutorial(SWORD)
    assert "diamond_sword" not in rules("full") + tutorial()
    assert "make_diamond_sword: 1 wood and 2 diamond, near table" in actions_text(
        games.find("crafter").words(load(SWORD))
    )


def test_a_material_is_seen_used_and_placed():
    aci = start(GOLD, {"stone_pickaxe": 1, "gold": 1}, hints=True, legend=True)
    first = aci.starting_obs
    assert "face right: gold ore." in first.text()
    assert "- gold ore: 1 right (in front)" in first.text()
    assert first.json()["player"]["front"] == {"kind": "gold_ore"}
    assert first.json()["view"]["legend"]["$"] == "gold_ore"
    assert "$ gold_ore" in first.ascii(legend=True) and "do" in first.available
    turn = aci.act("mine gold ore")
    assert turn.steps[0].unlocked == ("collect_gold",)
    assert "you got 1 gold" in turn.text and "Inventory: gold 2" in turn.text
    turn = aci.act("up, place statue", stop_on="none")
    assert turn.steps[-1].unlocked == ("place_statue",), turn.text
    assert "you placed a statue on grass" in turn.text
    full = rules("full", tables=GOLD)
    assert "gold_ore: gives 1 gold, needs stone_pickaxe; path remains" in full
    assert "place_statue: uses 2 gold; in front must be grass" in full


def test_a_tool_that_is_missing_is_told():
    aci = start(GOLD, {})
    assert "gold ore needs a stone_pickaxe" in aci.act("do").text
    assert "do" not in start(GOLD, {}, hints=True).starting_obs.available


def test_a_material_without_a_symbol_has_a_character():
    words = games.find("crafter").words(load(GOLD))
    glyphs = words.glyphs()
    assert len(set(glyphs.values())) == len(glyphs)
    assert glyphs["statue"] not in default().symbols["materials"]


def test_rules_with_less():
    # Without anything of iron, no text names what is not there.
    changes = {
        "make": {"iron_pickaxe": None, "iron_sword": None},
        "collect": {"diamond": None},
        "damage": {"iron_sword": None},
        "items": {"iron_pickaxe": None, "iron_sword": None, "diamond": None},
    }
    text = rules("full", tables=changes) + rules("brief", tables=changes)
    assert "iron_sword" not in text + tutorial(changes)
    aci = CrafterACI(seed=1, rules=changes)
    assert aci.act("make an iron sword").error.kind == "unknown"
    assert aci.act("craft").error.suggestions[0] == "make_wood_pickaxe"


def test_json_fits_the_schema_of_the_rules():
    jsonschema = pytest.importorskip("jsonschema")
    aci = start(GOLD, {"gold": 3})
    validator = jsonschema.Draft202012Validator(
        schema(games.find("crafter").words(aci.rules))
    )
    validator.validate(json.loads(aci.observe().render("json")))


def test_other_numbers_are_told():
    changes = {"items": {"food": {"max": 20, "initial": 15}}, "world": {"nearby": 2}}
    aci = CrafterACI(seed=1, rules=changes)
    assert "food 15/20" in aci.starting_obs.text()
    day = CrafterACI(seed=1, rules={"time": {"day": 600}})
    day.reset(options={"daytime": 299})
    assert day.observe().day == 1 and day.observe().phase == "night"


def test_rules_come_with_the_environment_or_alone():
    with pytest.raises(ValueError, match="pass them to crafter.Env"):
        CrafterACI(crafter.Env(events=True), rules=SWORD)
    with pytest.raises(RulesError, match="one of the items"):
        CrafterACI(rules={"make": {"iron_sword": {"uses": {"irn": 1}}}})
    assert CrafterACI(rules=SWORD).rules == load(SWORD)


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
    assert logs.read(log_path(tmp_path, 0))[0]["rules"] == header["rules"]
    assert list(verify.problems(tmp_path)) == [
        "'crafter-lm-v1*' is no preset: it was changed"
    ]
    assert "make_diamond_sword" in summary.summarise(tmp_path)["achievements"]


def test_a_server_under_other_rules():
    room = GameRoom(rules=SWORD)
    _, told = room.new_game()
    assert re.search("make_diamond_sword 1 wood", told)
    assert "make_diamond_sword" in room.progress()["open"]
