"""The scripted player of Craftax: what it is told is all it knows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crafter.craftax import Env
from crafter.games.craftax import tables
from crafter.games.craftax.players import shelter
from crafter.games.craftax.players.belief import GROUND, UNKNOWN, Belief
from crafter.games.craftax.players.guard import Guard
from crafter.games.craftax.players.pathfinding import Reach
from crafter.games.craftax.players.scene import Scene
from crafter.lm import CrafterACI
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import (
    NoopAgent,
    RandomAgent,
    RandomUsefulAgent,
    ScriptedAgent,
)

OPEN = "\n".join(["." * 48] * 48)
RULES = tables.load()
SEED = 31


def start(rows: dict[int, str] | None = None, **options) -> Env:
    """Start a game with some rows of an open floor replaced."""
    env = Env("semantic", rules="repaired", seed=0)
    lines = OPEN.splitlines()
    for number, row in (rows or {}).items():
        lines[number] = row.ljust(48, ".")
    lines[47] = "." * 47 + ">"
    env.reset(options={"floors": {0: lines}, "position": (10, 10), **options})
    return env


def scene(rows: dict[int, str] | None = None, **options) -> Scene:
    return Scene(start(rows, **options).player)


# Ways, rooms, fights.


def test_a_way_goes_over_open_ground_and_through_stone_with_a_pickaxe():
    straight = [(10, 11), (10, 12), (10, 13), (10, 14)]
    assert Reach(scene()).to([(10, 14)]) == (4, straight)
    wall = dict.fromkeys(range(48), "." * 12 + "#")
    assert Reach(scene(wall, inventory={"pickaxe": 1})).to([(10, 14)])[1] == straight
    assert len(Reach(scene(wall)).to([(10, 14)])[1]) > 4
    assert Reach(scene()).to([(10, 14)], longest=2) is None
    assert Reach(scene()).to([(10, 10)]) == (0, [])


def test_the_nearest_block_is_found():
    one = scene({10: "." * 13 + "T" + "." * 20 + "T"})
    assert Reach(one).to_block(["tree"])[1][-1] == (10, 13)
    assert Reach(one).to_block(["diamond"]) is None


def test_a_room_in_the_open_is_closed_from_inside():
    assert shelter.find(scene()) is None  # there are no stones
    env = start(inventory={"stone": 20, "pickaxe": 1})
    room = shelter.find(Scene(env.player))
    for _ in range(40):
        if shelter.enclosure(Scene(env.player)) is not None:
            break
        env.step(env.action_names.index(shelter.close(Scene(env.player), room)))
    assert shelter.enclosure(Scene(env.player)) == room
    assert not shelter.open_sides(Scene(env.player), room)


BOW = {"bow": 1, "arrows": 9}
# What the player faces is to its right.
FIGHTS = {
    "calm": ([], {}, "up", "up"),
    "ahead": ([("zombie", (10, 11))], {}, "up", "do"),
    "behind": ([("zombie", (10, 9))], {}, "up", "left"),
    "in two steps": ([("zombie", (9, 9))], {}, "up", "noop"),
    "in line": ([("zombie", (10, 13))], BOW, "up", "shoot_arrow"),
    "without arrows": ([("zombie", (10, 13))], {}, "up", "up"),
    "on the ladder": ([("zombie", (10, 11))], {}, "descend", "descend"),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_actions_with_monsters_near(name):
    creatures, inventory, wanted, expected = FIGHTS[name]
    one = scene(creatures=creatures, inventory=inventory)
    one.player.direction = RULES.direction_names.index("right") + 1
    assert Guard().check(one, wanted) == expected


# Games.


def briefing(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return Briefing(seed=seed, game="craftax", tables=RULES, **settings)


def interface(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return CrafterACI(game="craftax", seed=seed, **settings)


@pytest.fixture(scope="module")
def recorded():
    """What the player was told and what it said, and the end of the game."""
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


def test_the_belief_is_true(recorded):
    belief, said = Belief(RULES), recorded[0]
    twin = interface()
    shift = None
    for text, reply in said:
        belief.update(json.loads(text))
        now = twin.env.snapshot(whole_map=True)
        if shift is None:
            shift = np.subtract(belief.player.position, now.position)
        assert tuple(np.subtract(belief.player.position, shift)) == now.position
        twin.act(reply)
    assert twin.steps_taken == 150
    _compare(belief, now, shift)


def _compare(belief, now, shift):
    """Checks that the map holds what is there, as far as it is known."""
    known, size = belief.world.floors[0].block_map, now.maps.shape[-1]
    rows, columns = (slice(s, s + size) for s in shift)
    mine, there = known[rows, columns], now.maps[0]
    seen = mine != RULES.block_ids[UNKNOWN]
    assert 0.1 < seen.mean() < 1
    same = mine[seen] == there[seen]
    assert same.mean() > 0.99  # trees fall, and what was dug in the dark is ground
    assert set(mine[seen][~same]) <= {RULES.block_ids[GROUND]}
    owned = belief.player.amounts()
    for name, amount in now.inventory.items():
        assert owned[name] == (int(amount) if name == "health" else amount), name


@pytest.mark.slow
def test_it_goes_down():
    floors = []
    for seed in range(6):
        aci = interface(seed, max_actions=1000)
        agent = ScriptedAgent()
        agent.reset(briefing(seed, max_actions=1000))
        message = Message("", aci.starting_obs.json())
        while not aci.done:
            message = Message("", aci.act(agent.act(message)).observation.json())
        floors.append(int(aci.achievements["enter_dungeon"]))
    assert np.mean(floors) > 0.5
