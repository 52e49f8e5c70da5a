"""Acting: batches, stops, macros, limits, invalid input, undo."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
import yaml
from lm_helpers import GOLDEN, check_turns, start

import crafter
from crafter import constants
from crafter.lm import CrafterACI, UndoError
from crafter.lm.play.gym_env import TextEnv
from crafter.lm.runs.protocols import protocol

TABLE = yaml.safe_load((GOLDEN / "turns.yaml").read_text("utf-8"))
FIELD = TABLE["worlds"]["field"]


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_turns(case):
    settings, options = case.get("settings", {}), case.get("start", {})
    aci = start(TABLE["worlds"][case["world"]], **options, settings=settings)
    check_turns(aci, case["turns"])


# Limits and invalid input.


def test_invalid_input_takes_no_step():
    aci = start(FIELD)
    before = aci.state_digest()
    turn = aci.act("left, jump")
    assert aci.state_digest() == before and turn.error.piece == "jump"
    assert "Unknown action 'jump'" in turn.text and "Health" in turn.text
    assert (aci.calls_made, aci.invalid_calls, aci.steps_taken) == (1, 1, 0)


REFUSED = yaml.safe_load((GOLDEN / "refusals.yaml").read_text("utf-8"))
CALLS = {"protocol": protocol, "CrafterACI": CrafterACI, "TextEnv": TextEnv}


@pytest.mark.parametrize(
    "name, message, arguments",
    [(name, *row) for name, rows in REFUSED.items() for row in rows.items()],
)
def test_wrong_arguments_are_refused(name, message, arguments):
    with pytest.raises(ValueError, match=message):
        CALLS[name](**arguments)


def test_environments():
    aci = CrafterACI(crafter.Env(seed=0, events=True, length=2))
    assert aci.act("noop x5").done and aci.reason == "length"
    for env, told in [
        (crafter.Env(seed=0), "events=True"),
        (gymnasium.make("CartPole-v1"), "Expected an environment of one of the games"),
    ]:
        with pytest.raises(ValueError, match=told):
            CrafterACI(env)


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


def test_games_go_on_from_a_state():
    first = CrafterACI(seed=5, max_actions=4)
    first.act("left x3")
    state = first.env.get_state()
    aci = CrafterACI(seed=1, max_actions=4)
    obs = aci.reset(options={"state": state})
    assert obs.ascii() == first.observe().ascii() and obs.step == 3
    assert (aci.seed, aci.steps_taken, obs.step_limit) == (5, 0, 7)
    assert aci.act("right x3").steps[-1].t == 6 and not aci.done
    assert aci.act("noop").done and aci.reason == "cap_actions"
    assert aci.reset().step == 0  # its world from the start
    with pytest.raises(
        crafter.games.crafter.start.OptionsError, match="cannot be combined with a seed"
    ):
        aci.reset(seed=3, options={"state": state})


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
    with pytest.raises(UndoError, match="Expected 0 to 3 steps, got 4"):
        aci.go_back(4)
    plain = CrafterACI(seed=2)
    for call in (lambda: plain.go_back(0), plain.save, lambda: plain.restore("x")):
        with pytest.raises(UndoError, match="allow_undo=True"):
            call()


def test_undo_of_death():
    aci = start("...\n.@%\n...\n", facing=(1, 0), settings={"allow_undo": True})
    assert aci.act("right").done
    assert not aci.go_back(1).done and not aci.done
    assert not aci.act("left").done
