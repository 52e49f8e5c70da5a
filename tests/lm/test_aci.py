"""Acting: batches, stops, macros, limits, invalid input, undo."""

from __future__ import annotations

import numpy as np
import pytest
from lm_helpers import start

import crafter
from crafter import constants
from crafter.lm import CrafterACI, UndoError
from crafter.lm.play.stops import REASONS, chosen

FIELD = """
    .........
    .........
    .........
    ....@....
    .........
    .........
    .........
"""


def test_a_batch():
    turn = start(FIELD).act("left x2, up")
    assert [step.action for step in turn.steps] == ["move_left", "move_left", "move_up"]
    assert [step.t for step in turn.steps] == [1, 2, 3]
    assert turn.rewards == (0.0, 0.0, 0.0)
    assert turn.stopped_by is None and turn.skipped == () and turn.error is None
    assert not turn.done


# Stops.


def stopped(aci, actions, **settings):
    turn = aci.act(actions, **settings)
    return turn.stopped_by, len(turn.steps), turn.skipped


TREE, WALL = "...\n.@T\n...\n", "...\n.@#\n...\n"
DIAMOND = "\n".join(["....d....", *["........."] * 6, "....@....", "........."])
RIGHT = {"facing": (1, 0)}


@pytest.mark.parametrize(
    "world, options, actions, stop_on, expected",
    [
        # The first action turns the player; blocked is who stays as he was.
        (TREE, {"facing": (0, 1)}, "right, do, noop", None, ("unlocked", 2, ("noop",))),
        (WALL, RIGHT, "right, up", None, ("blocked", 1, ("move_up",))),
        (FIELD, {}, "place_table, noop", None, ("rejected", 1, ("noop",))),
        (TREE, RIGHT, "do, noop", None, ("unlocked", 1, ("noop",))),
        (TREE, RIGHT, "do, noop", "none", (None, 2, ())),
        # Found and full are off by default.
        (DIAMOND, {}, "up x5", None, (None, 5, ())),
        (DIAMOND, {}, "up x5", "all", ("found", 4, ("move_up",))),
        (
            *(TREE, {**RIGHT, "inventory": {"wood": 8}}, "do, noop", {"full"}),
            ("full", 1, ("noop",)),
        ),
    ],
)
def test_stops(world, options, actions, stop_on, expected):
    assert stopped(start(world, **options), actions, stop_on=stop_on) == expected


def test_hurt_stops_and_what_is_left_out_is_told():
    aci = start(FIELD, objects=[{"kind": "zombie", "position": (5, 3)}])
    turn = aci.act("noop x20", stop_on={"hurt"})
    count = len(turn.steps)
    assert turn.stopped_by == "hurt" and len(turn.skipped) == 20 - count
    told = f"Stopped after {count} of 20 actions: a zombie hit you; not executed: noop"
    assert told in turn.text


def test_threat_stops():
    aci = start(FIELD.replace("....@....", "@........"), objects=[("zombie", (8, 3))])
    turn = aci.act("right x4")
    assert turn.stopped_by == "threat"
    assert "a zombie came near" in turn.text
    assert turn.skipped == ("move_right", "move_right")
    assert aci.act("noop").stopped_by is None  # the zombie is known by now


def test_low_and_woke_stop():
    aci = start(FIELD, inventory={"drink": 4})
    aci.act("noop x20", stop_on="none")
    assert stopped(aci, "noop x5")[:2] == ("low", 1)
    assert aci.state.inventory["drink"] == 3
    aci = start(FIELD, inventory={"energy": 8})
    assert aci.act("sleep x20", stop_on={"woke"}).stopped_by == "woke"


def test_settings_of_stops():
    assert chosen("all") == frozenset(REASONS) and chosen("none") == frozenset()
    assert chosen("hurt") == {"hurt"} == chosen(["hurt"])
    with pytest.raises(ValueError, match="Unknown stop events \\['fire'\\]"):
        CrafterACI(stop_on={"fire"})


def test_asleep_actions_take_steps():
    aci = start(FIELD, inventory={"energy": 3})
    aci.act("sleep")
    turn = aci.act("left x3")
    assert [s.executed for s in turn.steps] == ["sleep"] * 3
    assert all(step.forced for step in turn.steps)


# Macros.


def test_sleep_until_awake():
    aci = start(FIELD, inventory={"energy": 8})
    turn = aci.act("sleep until awake")
    assert 10 < len(turn.steps) < 20 and not aci.state.sleeping
    assert "wake_up" in turn.observation.achievements


@pytest.mark.parametrize(
    "text, options, count, last",
    [
        ("left until blocked, up", {}, 6, "move_up"),
        ("noop until day", {"daytime": 260}, 13, "noop"),
        ("noop until blocked", {}, 100, "noop"),  # all macros end
    ],
)
def test_macros(text, options, count, last):
    turn = start(FIELD, **options, settings={"stop_on": "none"}).act(text)
    assert (len(turn.steps), turn.steps[-1].action) == (count, last)


def test_do_until_changed():
    turn = start(FIELD, settings={"stop_on": "none"}).act("do until changed")
    assert turn.steps[-1].unlocked == ("collect_sapling",)


def test_macros_can_be_forbidden():
    turn = start(FIELD, settings={"macros": False}).act("sleep until awake")
    assert turn.error is not None and turn.steps == ()


# Limits and invalid input.


def test_cap_of_actions():
    aci = start(FIELD, settings={"max_actions": 3})
    turn = aci.act("left, right x5")
    assert turn.done and aci.reason == "cap_actions" and len(turn.steps) == 3
    assert turn.stopped_by == "done"
    assert "The game is over: all actions are used up." in turn.text
    assert turn.observation.step_limit == 3


def test_cap_of_calls():
    aci = start(FIELD, settings={"max_calls": 2})
    assert "Calls left: 1." in aci.act("noop").text
    assert aci.act("jump").done and aci.reason == "cap_calls"


def test_death_and_step_limit():
    aci = start("...\n.@%\n...\n", facing=(1, 0))
    turn = aci.act("right, left")
    assert turn.done and aci.reason == "died" and "you died" in turn.text
    again = aci.act("left")
    assert again.error.kind == "over" and again.done and again.steps == ()
    aci = CrafterACI(crafter.Env(seed=0, events=True, length=2))
    assert aci.act("noop x5").done and aci.reason == "length"


def test_invalid_input_takes_no_step():
    aci = start(FIELD)
    before = aci.state_digest()
    turn = aci.act("left, jump")
    assert aci.state_digest() == before and turn.error.piece == "jump"
    assert "Unknown action 'jump'" in turn.text and "Health" in turn.text
    assert (aci.calls_made, aci.invalid_calls, aci.steps_taken) == (1, 1, 0)


def test_other_ways_with_invalid_input():
    turn = start(FIELD, settings={"on_invalid": "noop"}).act("x")
    assert [step.action for step in turn.steps] == ["noop"]
    turn = start(FIELD, settings={"on_invalid": "skip"}).act("left, jump, up")
    assert [s.action for s in turn.steps] == ["move_left"] and turn.error


def test_too_many_invalid_inputs():
    aci = start(FIELD, settings={"invalid_limit": 3})
    aci.act("x"), aci.act("y"), aci.act("noop"), aci.act("x"), aci.act("x")
    assert not aci.done
    assert aci.act("x").done and aci.reason == "invalid_limit"


WRONG = dict.fromkeys(("format", "night", "mode", "on_invalid", "images"), "x")
WRONG |= dict.fromkeys(("directions", "detail", "glyphs"), "x")
WRONG |= {"max_actions": 0, "max_calls": -1, "max_batch": 0, "verbosity": 3}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_settings(name):
    with pytest.raises(ValueError, match="must be|Unknown format"):
        CrafterACI(**{name: WRONG[name]})


def test_wrong_environments():
    with pytest.raises(ValueError, match="events=True"):
        CrafterACI(crafter.Env(seed=0))
    import gymnasium

    with pytest.raises(ValueError, match="Expected an environment of a game"):
        CrafterACI(gymnasium.make("CartPole-v1"))


# Games.


def test_reset():
    aci = CrafterACI(seed=5)
    first = aci.starting_obs.ascii()
    aci.act("left x5")
    assert aci.reset().ascii() == first and aci.steps_taken == 0
    other = aci.reset(next=True).ascii()
    assert other != first and aci.env.episode == 2
    assert aci.reset().ascii() == other
    assert aci.reset(seed=5).ascii() == first
    assert aci.starting_obs.ascii() == first
    env = crafter.Env(seed=5)
    env.reset(), env.reset()
    assert aci.reset(next=True).rows == CrafterACI(seed=5).reset(next=True).rows


def test_games_that_go_on_from_a_state_say_so():
    first = CrafterACI(seed=5, max_actions=4)
    assert first.started_from == {}
    first.act("left x3")
    state = first.env.get_state()
    aci = CrafterACI(seed=1, max_actions=4)
    obs = aci.reset(options={"state": state})
    assert obs.ascii() == first.observe().ascii() and obs.step == 3
    assert aci.started_from == {"state": f"sha256:{first.state_digest()}"}
    assert (aci.seed, aci.steps_taken, obs.step_limit) == (5, 0, 7)
    assert aci.act("right x3").steps[-1].t == 6 and not aci.done
    assert aci.act("noop").done and aci.reason == "cap_actions"
    assert aci.reset().step == 0 and aci.started_from == {}  # its world from the start
    with pytest.raises(
        crafter.games.crafter.start.OptionsError, match="excludes a seed"
    ):
        aci.reset(seed=3, options={"state": state})


def test_other_starts_say_so():
    aci = CrafterACI(seed=1)
    aci.reset(options={"daytime": "noon", "episode": 3})
    assert aci.started_from == {"daytime": "noon", "episode": 3}
    assert aci.env.episode == 3 and aci.reset(next=True) and aci.env.episode == 4
    assert start(FIELD).started_from["facing"] == [0, 1]


def test_attributes():
    aci = start("...\n.@T\n...\n", facing=(1, 0))
    aci.act("do")
    aci.act("noop")
    assert aci.action_history == ["do", "noop"]
    assert aci.achievement_deltas == [["collect_wood"], []]
    assert aci.achievements["collect_wood"] == 1
    assert aci.state.inventory["wood"] == 1
    with pytest.raises(AttributeError):
        aci.state.step = 3
    assert aci.terminate()["collect_wood"] == 1 and aci.reason == "terminated"


# Undo.


def test_go_back_is_exact():
    aci = CrafterACI(seed=2, allow_undo=True, memory_map=True, stop_on="none")
    rng = np.random.default_rng(0)
    actions = [str(a) for a in rng.choice(constants.actions, 180)]
    marks = []
    for action in actions:
        marks.append((aci.state_digest(), aci.observe().text()))
        aci.act(action)
    end = aci.state_digest(), aci.observe().text()
    for n in (0, 1, 7, 90, 175):
        obs = aci.go_back(n)
        assert aci.steps_taken == len(actions) - n
        if n:
            assert (aci.state_digest(), obs.text()) == marks[len(actions) - n]
        for action in actions[len(actions) - n :]:
            aci.act(action)
        assert (aci.state_digest(), aci.observe().text()) == end
    assert aci.undone


def test_save_and_restore():
    aci = CrafterACI(seed=2, allow_undo=True)
    aci.act("left x3")
    name, digest = aci.save(), aci.state_digest()
    aci.act("up x3, do")
    assert aci.restore(name).step == 3 and aci.state_digest() == digest
    assert aci.action_history == ["move_left"] * 3
    aci.go_back(3)
    assert aci.restore(name).step == 3  # still there
    with pytest.raises(UndoError, match="Unknown save 'x'"):
        aci.restore("x")


def test_undo_of_death():
    aci = start("...\n.@%\n...\n", facing=(1, 0), settings={"allow_undo": True})
    assert aci.act("right").done
    assert not aci.go_back(1).done and not aci.done
    assert not aci.act("left").done


def test_undo_must_be_allowed():
    aci = CrafterACI(seed=2)
    for call in (lambda: aci.go_back(0), aci.save, lambda: aci.restore("save-1")):
        with pytest.raises(UndoError, match="allow_undo=True"):
            call()
    with pytest.raises(UndoError, match="Expected 0 to 0 steps, got 1"):
        CrafterACI(seed=2, allow_undo=True).go_back(1)
