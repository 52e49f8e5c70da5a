"""Agents that play the larger game: what they are told is all they know."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crafter.games.craftax import tables
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.text.agent.belief import GROUND, UNKNOWN, Belief
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


def briefing(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return Briefing(seed=seed, game="craftax", tables=RULES, **settings)


def interface(seed=SEED, **settings):
    settings = {"max_actions": 150, **settings}
    return CrafterACI(game="craftax", seed=seed, **settings)


@pytest.fixture(scope="module")
def recorded():
    """What the scripted agent was told and what it said, and the end of the game."""
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


@pytest.mark.slow
def test_scripted_needs_nothing_but_the_json(recorded):
    # Fed from the recording, without any game, it says the same.
    agent = ScriptedAgent()
    agent.reset(briefing())
    for text, reply in recorded[0]:
        assert agent.act(Message("", json.loads(text))) == reply


def test_monsters_that_hit_wait_before_they_hit_again():
    belief, data = Belief(RULES), interface().starting_obs.json()
    belief.update(data)
    zombie = {"kind": "zombie", "dx": 1, "dy": 0}
    cooldowns = []
    for step, at in ((31, 1), (32, 2), (34, 1), (40, 1)):
        hurt = {"t": step, "type": "hurt", "amount": 2, "by": ["zombie"]}
        told = {"step": step, "objects": [{**zombie, "dx": at}]}
        belief.update({**data, **told, "events": [hurt] if step == 31 else []})
        cooldowns += [mob.cooldown for mob in belief.player.floor.melee if mob.alive]
    assert cooldowns == [5, 4, 2, 0]


def test_scripted_gets_further_than_random(recorded):
    reached = sum(recorded[1].achievements.values())
    for agent in (RandomUsefulAgent, RandomAgent, NoopAgent):
        aci = interface()
        one = agent()
        one.reset(briefing())
        while not aci.done:
            aci.act(one.act(Message("", {})))
        assert sum(aci.achievements.values()) < reached - 4
    assert reached >= 10


def test_scripted_respects_the_limits():
    aci, agent = interface(max_batch=2, macros=False, max_actions=60), ScriptedAgent()
    agent.reset(briefing(max_batch=2, macros=False))
    data = aci.starting_obs.json()
    while not aci.done:
        turn = aci.act(agent.act(Message("", data)))
        assert turn.error is None and len(turn.steps) + len(turn.skipped) <= 2
        data = turn.observation.json()


def test_the_belief_is_true(recorded):
    belief, said = Belief(RULES), recorded[0]
    snapshots: list[Snapshot] = []
    twin = interface()
    twin.listen(lambda one: snapshots.append(one.env.snapshot(whole_map=True)))
    shift = None
    for text, reply in said:
        belief.update(json.loads(text))
        now = twin.env.snapshot(whole_map=True)
        if shift is None:
            shift = np.subtract(belief.player.position, now.position)
        assert tuple(np.subtract(belief.player.position, shift)) == now.position
        twin.act(reply)
    assert len(snapshots) == twin.steps_taken == 150
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
def test_scripted_goes_down():
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
