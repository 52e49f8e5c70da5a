"""A third game plays in the app and through text, is recorded, replayed and scored."""

import numpy as np
import pytest
from toy_game.adapters import BENCHMARKS, GOLD
from toy_game.env import Env

import crafter
from crafter import scoring
from crafter.core import game as core_game
from crafter.gui.game import adapter_of
from crafter.lm import CrafterACI, rules
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import ScriptedAgent

PLAY = ["--game", "gold", "--seed", "1", "--fps", "60"]
LEFT, RIGHT, DIG = "789"  # spare keys


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(core_game, "_registered", {})
    core_game.register(GOLD)


def dig(driver):
    """Walk to the gold and dig it up."""
    now = driver.env.snapshot()
    steps = now.gold - now.position
    driver.press(*(RIGHT if steps > 0 else LEFT) * abs(steps), DIG)


def _begun(path):
    """Return by what recordings are in the order of time."""
    return int(crafter.recorder.load_start(path)["episode"])


def test_it_is_found_by_its_name():
    assert core_game.names("app") == ("crafter", "craftax", "gold")
    env = core_game.find("gold").part("env")()
    assert core_game.of(env).title == adapter_of(env).name == "Gold"


def test_it_plays_in_the_app(drive):
    driver = drive(*PLAY, nonstop=False)
    driver.press("return")
    dig(driver)
    status = driver.source.status()
    assert status.inventory["gold"] == 1
    assert set(status.unlocked) == {"walk", "dig_gold"}
    assert driver.picture().std() > 0 and driver.panel().std() > 0
    driver.press("h", "h", "f4", "f2", "m")  # help, menu, panel; there is no map
    assert driver.app.running and driver.app.floor is None
    driver.press(*LEFT * 20)
    assert driver.source.ending.title == "You died"


def test_saved_games_go_on(drive, tmp_path):
    driver = drive(*PLAY, "--save", str(tmp_path / "gold.npz"))
    dig(driver)
    saved = driver.env.snapshot()
    driver.press("f5", *LEFT * 2)
    driver.app.paused = True
    driver.press("f9")
    assert driver.env.snapshot().dug == 1
    assert driver.env.snapshot().step <= saved.step + 1


def test_recordings_are_replayed_and_scored(drive, tmp_path):
    folder = tmp_path / "gold_reward-person" / "0"
    driver = drive(*PLAY, "--record", str(folder))
    dig(driver)
    driver.press(*LEFT * 20)
    driver.source.close()
    path = min(folder.glob("*.npz"), key=_begun)
    assert crafter.recorder.load_game(path) == "gold"
    replay = drive("--replay", str(path), "--fps", "60", nonstop=False)
    replay.press("end")
    assert replay.source.status().inventory["health"] == 0
    assert replay.source.picture((700, 100)).shape == (100, 700, 3)
    benchmark = scoring.find_benchmark("gold")
    assert benchmark is BENCHMARKS[0]
    (run,) = scoring.load_runs([tmp_path], benchmark=benchmark, strict=False)
    assert run.achievements[0].tolist() == [1, 1] and np.isclose(run.reward[0], 2)


def test_it_is_played_through_text():
    aci = CrafterACI(game="gold", seed=1, format="text+ascii", legend=True)
    assert "- gold: " in aci.describe(aci.starting_obs)
    told = aci.act("dig up").text
    assert "dig failed: there is no gold" in told and "$ gold" in told
    assert "Unknown action 'fly'" in aci.act("fly").text
    assert rules("brief", game="gold").startswith("Dig up gold")
    agent = ScriptedAgent()
    agent.reset(Briefing(game="gold"))
    while not aci.achievements["dig_gold"]:
        aci.act(agent.act(Message("", aci.observe().json())))
    assert aci.achievements == {"walk": 1, "dig_gold": 1}
    while not aci.done:
        aci.act("noop x5")
    assert aci.reason == "died"
    other = CrafterACI(Env(seed=2), max_actions=1)
    assert other.act("dig up").done and other.title == "Gold"
    with pytest.raises(ValueError, match="Gold has no part 'tasks'; valid: env, app"):
        CrafterACI(game="gold", task="collect_wood")
