"""The event stream: every type, the reasons, and consistency with the inventory."""

import numpy as np
import pytest
from budget import sample
from helpers import (
    Below,
    act,
    attempt,
    draw_world,
    live,
    long_game,
    scenes,
    show,
)

import crafter
from crafter import constants
from crafter.core.events import FIELDS, REASONS

ATTEMPTS = 100

# Films by type; `helpers.show` compares the field names with `FIELDS`. The reason is
# that of the first failing rule; `missing` lists everything that is missing.
BY_TYPE, BY_REASON = scenes("events"), scenes("rejections")


@pytest.mark.parametrize("films", BY_TYPE)
def test_every_type_says_what_happened(films):
    for film in films:
        show(film)


def test_what_appears_is_told():
    env = draw_world(" ".join(["v" + "." * 10] + ["." * 11] * 10))
    for _ in range(9):
        act(env, "noop")
    (event,) = act(env, "noop", 0.0, Below(121, 120)).events()
    assert event == {"type": "spawned", "kind": "cow", "id": 2, "at": (10, 10)}
    (result,) = live(draw_world("v", daytime=147), 1)
    assert result.events() == [{"type": "dusk", "n": 0}]


@pytest.mark.parametrize("films", BY_REASON)
def test_rejections_name_the_first_reason(films, request):
    for film in films:
        show(f"{film} rejected.reason={request.node.callspec.id}")


def test_every_type_and_every_reason_is_met():
    assert {film.id for film in BY_TYPE} == {*FIELDS} - {"rejected", "spawned", "dusk"}
    assert {film.id for film in BY_REASON} == {*REASONS}


def test_death_is_told_once():
    env = draw_world(">%.")
    assert "died" in act(env, "move_right").event_types()
    with pytest.warns(UserWarning, match="episode ended"):
        assert act(env, "noop").events() == []


def test_death_names_all_causes_of_the_step():
    env = draw_world("Z>←", inventory={"health": 3})
    result = act(env, "noop", 0.5, 0.5)
    assert result.events("died") == [{"type": "died", "by": ["zombie", "arrow"]}]
    assert [e["amount"] for e in result.events("hurt")] == [2, 1]


def test_resets_and_loaded_games_have_no_events():
    env = crafter.Env(area=(16, 16), seed=0, events=True)
    assert env.reset()[1]["events"] == env.snapshot().events == ()
    assert env.step(env.action_names.index("sleep"))[-1]["events"]
    env.set_state(env.get_state())
    assert env.snapshot().events == ()
    assert env.reset()[1]["events"] == ()


# Bookkeeping.


class Ledger:
    """Reconstructs the inventory from the first one and the events alone."""

    def __init__(self, inventory):
        self.amounts = dict(inventory)

    def book(self, event):
        getattr(self, f"_{event['type']}", lambda event: None)(event)

    def _collected(self, event):
        self.amounts[event["what"]] += event["gain"]

    def _ate(self, event):
        self.amounts["food"] += event["gain"]

    def _placed(self, event):
        self._pay(constants.place[event["what"]])

    def _made(self, event):
        rule, what = constants.make[event["what"]], event["what"]
        self._pay(rule)
        amount = self.amounts[what] + rule["gives"]
        self.amounts[what] = min(amount, constants.items[what]["max"])

    def _pay(self, rule):
        for name, amount in rule["uses"].items():
            self.amounts[name] -= amount

    def _vital(self, event):
        assert self.amounts[event["name"]] == event["frm"] != event["to"]
        self.amounts[event["name"]] = event["to"]

    def _healed(self, event):
        assert event["amount"] > 0
        self.amounts["health"] += event["amount"]

    def _hurt(self, event):
        assert event["amount"] > 0
        assert event["by"]
        self.amounts["health"] -= event["amount"]


def change_map(materials, event):
    """Applies an event to an array of material ids."""
    if event["type"] == "placed" and event["what"] != "plant":
        material = event["what"]
    elif event["type"] == "station_lost":
        material = "path"
    elif event["type"] == "collected":
        (material,) = (
            rule["leaves"]
            for rule in constants.collect.values()
            if event["what"] in rule["receive"]
        )
    else:
        return
    materials[event["at"]] = constants.material_ids[material]


def achievements_of(event):
    """Returns the achievements that an event implies."""
    if event["type"] == "woke":
        return ["wake_up"] if event["cause"] == "rested" else []
    if event["type"] == "defeated":
        return [f"defeat_{event['kind']}"] if event["kind"] != "cow" else []
    verbs = {"collected": "collect", "placed": "place", "made": "make", "ate": "eat"}
    verb = verbs.get(event["type"])
    return [f"{verb}_{event['what']}"] if verb else []


def assert_accounts_come_out_even(game):
    env, result = next(game)
    ledger = Ledger(result.info["inventory"])
    materials = env.world.materials.copy()
    achieved = set()
    counted = dict.fromkeys(constants.achievements, 0)
    sleeping, position, facing = False, env.player.position, env.player.facing
    for env, result in game:
        for event in result.events():
            assert set(event) == {"type", *FIELDS[event["type"]]}
            ledger.book(event)
            change_map(materials, event)
            for name in achievements_of(event):
                counted[name] += 1
        assert ledger.amounts == result.info["inventory"]
        np.testing.assert_array_equal(materials, env.world.materials)
        types = result.event_types()
        new = {event["achievement"] for event in result.events("unlocked")}
        assert new == result.info["unlocked"]
        assert not new & achieved
        achieved |= new
        assert ("died" in types) == result.terminated
        assert ("moved" in types) == (env.player.position != position)
        assert ("turned" in types) == (env.player.facing != facing)
        position, facing = env.player.position, env.player.facing
        changes = types.count("fell_asleep") - types.count("woke")
        assert changes == env.player.sleeping - sleeping
        sleeping = env.player.sleeping
    assert achieved == env.unlocked
    assert counted == env.player.achievements
    return env


@pytest.mark.parametrize("first", sample(range(0, ATTEMPTS, 10)))
def test_accounts_of_random_attempts(first):
    for seed in range(first, first + 10):
        assert_accounts_come_out_even(attempt(seed))


def test_accounts_of_a_long_game():
    env = assert_accounts_come_out_even(long_game())
    assert env.player.health == 0
    assert env.step_count == 615
    assert len(env.unlocked) == 16


# Events have no side effects.
