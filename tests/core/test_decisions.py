"""Sleep and rest as one decision."""

import json

import numpy as np
import pytest

import crafter
from crafter import CollapseSleep
from crafter.craftax import Env as Craftax

TIRED = {"inventory": {"energy": 3}}
GAMES = [crafter.Env, Craftax]


@pytest.mark.parametrize("game", GAMES)
def test_sleep_is_one_decision(game, tmp_path):
    env, ticks = game(seed=1, events=True), game(seed=1, events=True)
    env = crafter.StatsRecorder(CollapseSleep(env), tmp_path)
    env.reset(options=TIRED), ticks.reset(options=TIRED)
    total, unlocked, events, over, asleep = 0.0, set(), (), False, True
    while asleep and not over:
        action = ticks.action_names.index("noop" if ticks.step_count else "sleep")
        expected, reward, *ends, info = ticks.step(action)
        total, over, asleep = total + reward, any(ends), info["sleeping"]
        unlocked, events = unlocked | info["unlocked"], events + info["events"]
    obs, reward, *_, info = env.step(ticks.action_names.index("sleep"))
    np.testing.assert_array_equal(obs, expected)
    assert reward == info["reward"] == pytest.approx(total)
    assert (info["unlocked"], info["events"]) == (unlocked, events)
    assert (info["decisions"], info["ticks"]) == (1, ticks.step_count)
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    line = json.loads((tmp_path / "stats.jsonl").read_text())
    assert (line["length"], line["ticks"]) == (info["decisions"], info["ticks"])
    assert env.reset()[1]["ticks"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_wrapper_plays_like_the_switch(game):
    arguments = {"observation": "compact", "seed": 1, "events": True}
    wrapped = CollapseSleep(game(**arguments))
    switched = game(**arguments, setup={"collapse": True})
    for env in (wrapped, switched):
        env.reset(options={"inventory": {"energy": 5, "health": 7}})
    names, random = wrapped.unwrapped.action_names, np.random.default_rng(0)
    favoured = [names.index(name) for name in ("sleep", "rest") if name in names]
    for _ in range(300):
        action = random.choice([*favoured, random.integers(len(names))])
        found, expected = wrapped.step(action), switched.step(action)
        np.testing.assert_equal(found[0], expected[0])
        # Craftax computes the reward of all ticks at once, in single precision.
        rounding = 1e-5 if game is Craftax else 0
        assert found[1] == pytest.approx(expected[1], abs=rounding, rel=0)
        assert found[2:4] == expected[2:4]
        for name in ("unlocked", "events", "ticks"):
            assert found[4][name] == expected[4][name]
        assert found[4]["ticks"] == switched.step_count
        if found[2]:
            wrapped.reset(), switched.reset()
