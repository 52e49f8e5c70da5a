"""The scripted player of Craftax, which knows only its text observations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crafter.core.grid import neighbours
from crafter.games.craftax import tables
from crafter.games.craftax.players.scripted import CraftaxPlayer, FloorChart
from crafter.lm import CrafterACI
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import (
    NoopAgent,
    RandomAgent,
    RandomUsefulAgent,
    ScriptedAgent,
)

RULES = tables.load()
SEED = 31


def start(rows: dict[int, str] | None = None, **options) -> CrafterACI:
    """Start a game with some rows of an open floor replaced."""
    aci = CrafterACI(game="craftax", seed=0)
    lines = ["." * 48] * 47 + ["." * 47 + ">"]
    for number, row in (rows or {}).items():
        lines[number] = row.ljust(48, ".")
    usual = {"floors": {0: lines}, "position": (10, 10), "facing": "right"}
    aci.reset(options={**usual, **options})
    return aci


# Pathfinding, rooms, fights. The player faces right.

WALL = dict.fromkeys(range(47), "." * 12 + "#")
TOOLS, BOW = {"pickaxe": 1, "sword": 1}, {"bow": 1, "arrows": 9}
THIRSTY = {"drink": 2}
LATE = 999
FIRST = {
    "ahead": ({"creatures": [("zombie", (10, 11))]}, ["do"] * 5),
    "behind": ({"creatures": [("zombie", (10, 9))]}, ["left"] + ["do"] * 5),
    "in line": (
        {"creatures": [("zombie", (10, 13))], "inventory": BOW},
        ["shoot_arrow"],
    ),
    "a book": ({"inventory": {"books": 1}}, ["read_book"]),
    "a potion": ({"inventory": {"potion_red": 1}}, ["drink_potion_red"]),
    "thirst": (
        {"rows": {10: "." * 13 + "~"}, "inventory": THIRSTY},
        ["right", "right"] + ["do"] * 7,
    ),
    "stone for tools": ({"rows": WALL, "inventory": TOOLS}, ["right", "do"]),
    "a tree": ({"rows": {10: "." * 13 + "T"}}, ["right", "right", "do"]),
    "a ladder": ({"position": (47, 47), "inventory": TOOLS}, ["descend"]),
    "nothing": ({"position": (10, 10), "inventory": {"sapling": 1}}, ["place_plant"]),
}


@pytest.mark.parametrize("name", FIRST)
def test_what_it_does_first(name):
    options, expected = FIRST[name]
    data = start(**options).observe().json() | {"step": LATE * (name == "a ladder")}
    assert CraftaxPlayer(briefing(0)).choose(data) == expected


def test_a_room_in_the_open_is_closed_from_inside():
    aci = start(inventory={"stone": 20, "energy": 1})
    player = CraftaxPlayer(briefing(0))
    turn = None
    while "sleep" not in aci.action_history:
        data = aci.observe().json() if turn is None else turn.observation.json()
        turn = aci.act(player.choose(data))
    ids, now = RULES.block_ids, aci.state
    room, queue = set(), [now.position]
    while queue:
        cell = queue.pop()
        if cell not in room and now.maps[0][cell] != ids["stone"]:
            room.add(cell)
            queue += neighbours(cell)
    assert len(room) == 4


# Games.


def briefing(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return Briefing(seed=seed, game="craftax", tables=RULES, **settings)


def interface(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return CrafterACI(game="craftax", seed=seed, **settings)


@pytest.fixture(scope="module")
def recorded():
    """The player's observations and replies, and the end of the game."""
    aci, agent, said = interface(), ScriptedAgent(), []
    agent.reset(briefing())
    data = aci.starting_obs.json()
    while not aci.done:
        text = json.dumps(data)
        said.append((text, agent.act(Message("", data))))
        turn = aci.act(said[-1][1])
        assert turn.error is None
        data = turn.observation.json()
    return said, aci


def test_it_gets_further_than_random(recorded):
    reached = sum(recorded[1].achievements.values())
    for agent in (RandomUsefulAgent, RandomAgent, NoopAgent):
        aci = interface()
        one = agent()
        one.reset(briefing())
        while not aci.done:
            aci.act(one.act(Message("", {})))
        assert sum(aci.achievements.values()) < reached - 4
    assert reached >= 10


def test_it_respects_the_limits():
    aci, agent = interface(max_batch=2, macros=False, max_actions=60), ScriptedAgent()
    agent.reset(briefing(max_batch=2, macros=False))
    data = aci.starting_obs.json()
    while not aci.done:
        turn = aci.act(agent.act(Message("", data)))
        assert turn.error is None and len(turn.steps) + len(turn.skipped) <= 2
        data = turn.observation.json()


def test_its_map_is_true(recorded):
    chart, twin = FloorChart(briefing().words), interface()
    first = twin.state.position
    for text, reply in recorded[0]:
        chart.update(json.loads(text))
        now = twin.env.snapshot(whole_map=True)
        assert chart.position == tuple(np.subtract(now.position, first)[::-1])
        twin.act(reply)
    assert twin.steps_taken == 150
    names, (row, column), size = RULES.block_names, first, now.maps.shape[-1]
    inside = {(x, y): name for (x, y), name in chart.cells.items() if name != "outside"}
    assert 0.1 * size**2 < len(inside) < size**2
    there = {(x, y): names[now.maps[0][row + y, column + x]] for x, y in inside}
    same = [there[cell] == name for cell, name in inside.items()]
    assert np.mean(same) > 0.99  # what was seen long ago may have changed
    for name, amount in now.inventory.items():
        told = int(amount) if name == "health" else amount
        if isinstance(told, (int, float)):
            assert chart.inventory[name] == told, name
