"""The names of craftaxlm, and scripts that use them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import lm_craftaxlm_script
import numpy as np
import pytest

import crafter.craftax
from crafter import constants
from crafter.lm import (
    CRAFTAX_CLASSIC_ACHIEVEMENTS,
    CRAFTAX_CLASSIC_ACTION_MAPPING,
    CRAFTAX_FULL_ACHIEVEMENTS,
    CRAFTAX_FULL_ACTION_MAPPING,
    CraftaxACI,
    CraftaxBaseACI,
    CraftaxClassicACI,
    CrafterACI,
    from_title,
    make_craftax_env_from_name,
    mob_id_to_name,
    to_title,
)
from crafter.lm.craftaxlm.classic.aci import (
    canonical_crafter_score_classic,
)


def test_a_script_runs_with_only_its_import_changed(tmp_path, capsys):
    achievements, total, path = lm_craftaxlm_script.rollout(3, str(tmp_path / "r"))
    assert len(achievements) == 22 and set(achievements.values()) <= {True, False}
    assert list(achievements)[0] == "Collect Wood" and path.exists()
    assert isinstance(total, float)
    assert "<observation>" in capsys.readouterr().out


def test_names_and_order():
    assert CRAFTAX_CLASSIC_ACHIEVEMENTS[0] == "Collect Wood"
    assert CRAFTAX_CLASSIC_ACHIEVEMENTS[21] == "Make Iron Sword"
    names = {from_title(title) for title in CRAFTAX_CLASSIC_ACHIEVEMENTS.values()}
    assert names == set(constants.achievements)
    assert all(from_title(to_title(name)) == name for name in names)
    assert CRAFTAX_CLASSIC_ACTION_MAPPING["make_iron_sword"] == 16
    moves = ["left", "right", "up", "down"]
    assert list(CRAFTAX_CLASSIC_ACTION_MAPPING)[:5] == ["noop", *moves]
    assert len(CRAFTAX_CLASSIC_ACTION_MAPPING) == 17
    for made in (CraftaxClassicACI, CraftaxACI):
        assert issubclass(made, CraftaxBaseACI) and issubclass(made, CrafterACI)
    with pytest.raises(ValueError, match="title must be one of .* got 'fly'"):
        from_title("Fly")


def test_step_infos():
    aci = CraftaxClassicACI(seed=2)
    obs = aci.starting_obs
    assert (obs["reward"], obs["done"]) == (0.0, False)
    assert obs["state_image"].dtype == np.uint8
    info = aci._step(1)
    assert isinstance(info["reward"], float) and info["done"] is False
    assert "Direction facing: left" in info["state_text"]
    assert "sapling: 0" in info["state_text"].lower()  # verbose lists zeros
    quiet = CraftaxClassicACI(seed=2, verbose=False)
    assert "sapling: 0" not in quiet.starting_obs["state_text"].lower()
    with pytest.raises(ValueError, match="action must be an integer from 0 to 16"):
        aci._step(17)


def test_map_formats():
    full = CraftaxClassicACI(2, formatting="xml").starting_obs["state_text"]
    root = ElementTree.fromstring(full)
    assert root.find("map/terrain_underneath_you").text == "grass"
    compact = CraftaxClassicACI(2, map_format="compact").starting_obs["state_text"]
    rows = compact.split("```")[1].strip().split("\n")
    assert len(rows) == 7 and {len(row) for row in rows} == {9} and "G" in rows[0]
    for wrong in ({"formatting": "html"}, {"map_format": "big"}):
        with pytest.raises(ValueError, match="must be one of"):
            CraftaxClassicACI(0, **wrong)


def test_a_script_that_steps_the_environment_itself():
    told, rewards, news = lm_craftaxlm_script.hello_world(4)
    assert told[0].startswith("<observation>") and len(told) == 6
    # The same game through our own interface.
    aci = CrafterACI(seed=4)
    expected = [aci.act([a]) for a in ("left", "do", "up", "do", "noop")]
    assert rewards == [sum(turn.rewards) for turn in expected]
    reached = [to_title(n) for turn in expected for s in turn.steps for n in s.unlocked]
    assert sorted(news) == sorted(reached)


def test_functional_calls_leave_the_game_alone():
    aci = CraftaxClassicACI(4)
    aci.go_forward([1, 3])
    digest = aci.state_digest()
    _, first = aci.env.reset(7, aci.env_params)
    _, after, *_ = aci.env.step(0, first, 1)
    _, again, *_ = aci.env.step(99, first, 1)
    assert aci.state_digest() == digest
    assert after.map_compact == again.map_compact and after.snapshot.step == 1
    assert first.snapshot.step == 0
    _, same = aci.env.reset(np.array([0, 7], np.uint32), None)
    assert same.map_compact == first.map_compact


@pytest.mark.parametrize("again", [False, True])
def test_functional_steps_can_start_again_by_themselves(again):
    env = make_craftax_env_from_name("Craftax-Pixels-v1", again, max_timesteps=1)
    obs, state = env.reset(3, env.default_params)
    assert obs.shape == (130, 110, 3)
    _, state, _, done, _ = env.step(3, state, 0, env.default_params)
    assert done and state.snapshot.step == (0 if again else 1)


def test_states_are_ready_to_be_written():
    aci = CraftaxClassicACI(0)
    aci.reset(options={"map": _lava(), "facing": (1, 0), "inventory": {"wood": 3}})
    state = aci.state
    ahead = next(c for c in state.map_full if c["position"] == {"x": 0, "y": 1})
    assert ahead == {"position": {"x": 0, "y": 1}, "visible": True, "block": "lava"}
    assert len(state.map_full) == 63
    assert state.inventory["resources"]["wood"] == 3
    assert state.inventory["tools"]["sword"] == {"wood": 0, "stone": 0, "iron": 0}
    vitals = dict.fromkeys(("health", "food", "drink", "energy"), 9)
    assert state.player == {**vitals, "direction_facing": "right"}
    assert state.environment["floor"] == 0 and not state.environment["is_sleeping"]
    rows = [row.replace("%", "Z") for row in _lava()]
    aci.reset(options={"map": rows, "objects": [("cow", (31, 32))]})
    mobs = {c["mob"]: c["position"] for c in aci.state.map_full if "mob" in c}
    assert mobs == {"Zombie": {"x": 0, "y": 1}, "Cow": {"x": 0, "y": -1}}


def test_states_write_themselves():
    aci = CraftaxClassicACI(0)
    aci.reset(options={"map": _lava(), "facing": (1, 0)})
    state = aci.state
    assert state.render_to_text_simple() == aci.starting_obs["state_text"]
    compact = state.render_to_text_simple(map_format="compact")
    assert state.map_compact in compact and "L" in state.map_compact
    with pytest.raises(ValueError, match="formatting must be one of"):
        state.render_to_text_simple(formatting="html")


def test_the_larger_game_is_data():
    assert len(CRAFTAX_FULL_ACTION_MAPPING) == 43
    assert CRAFTAX_FULL_ACTION_MAPPING["enchant_bow"] == 42
    assert len(CRAFTAX_FULL_ACHIEVEMENTS) == 67
    assert CRAFTAX_FULL_ACHIEVEMENTS[66] == "Defeat Archer"
    names = [mob_id_to_name(number) for number in range(41)]
    assert names[5] == "Troll" and names[39] == "Iceball (Player)"
    assert names[11:16] == [None] * 5 and names[40] is None
    assert mob_id_to_name(-1) is None


def test_the_score_of_its_code():
    runs = [{"a": True, "b": True}, {"a": True, "b": False}]
    expected = np.exp((np.log(2) + np.log(1.5)) / 2) - 1
    assert canonical_crafter_score_classic(runs) == pytest.approx(expected)


def test_strict_legacy():
    with pytest.warns(UserWarning, match="comparisons only"):
        aci = CraftaxClassicACI(2, map_format="compact", strict_legacy=True)
    assert aci.map_action_string_to_int("dance") == 0
    infos, _, _ = aci.multistep(["dance"])
    assert aci.action_history == ["noop"] and "error" not in infos[0]
    rows = infos[0]["state_text"].split("```")[1].strip().split("\n")
    assert len(rows) == 9


def test_multistep_ends_with_the_game():
    aci = CraftaxClassicACI(0)
    aci.reset(options={"map": _lava(), "facing": (1, 0)})
    infos, rewards, done = aci.multistep(["move_right"] * 3)
    assert done and len(infos) == len(rewards) == 1 and infos[0]["done"]


def _lava():
    return ["." * 64] * 32 + ["." * 32 + "@%" + "." * 30] + ["." * 64] * 31


def test_go_back_is_exact_and_reset_gives_the_same_world():
    aci = CraftaxClassicACI(4, [1, 3])
    assert aci.action_history == ["move_left", "move_up"]
    assert aci.env_params["length"] == 10000 and aci.rngs == (4, 4, 4)
    digest = aci.state_digest()
    aci.go_forward([2, 5, 5])
    aci.go_back(3)
    assert aci.state_digest() == digest and len(aci.action_history) == 2
    first = aci.reset()["state_text"]
    aci.multistep(["move_left"] * 4)
    aci.reset()
    assert aci.starting_obs["state_text"] == first and aci.action_history == []


def test_environments_by_name():
    for name in ("Craftax-Classic-Symbolic-v1", "Craftax-Classic-Pixels-v1"):
        env = make_craftax_env_from_name(name, seed=3)
        assert isinstance(env, crafter.Env) and env.events
    for name in ("Craftax-Symbolic-v1", "Craftax-Pixels-v1"):
        env = make_craftax_env_from_name(name, seed=3)
        assert isinstance(env, crafter.craftax.Env) and env.events
        assert env.observation == name.split("-")[1].lower()
    with pytest.raises(ValueError, match="got 'Craftax-Text-v1'"):
        make_craftax_env_from_name("Craftax-Text-v1")


def test_unknown_actions_take_no_step():
    aci = CraftaxClassicACI(2)
    infos, rewards, done = aci.multistep(["left", "dance", "up"])
    assert aci.action_history == ["move_left", "move_up"] and len(rewards) == 3
    assert ["error" in info for info in infos] == [False, True, False]
    assert "Unknown action 'dance'" in infos[1]["error"] and not done
    with pytest.raises(ValueError, match="Unknown action 'dance'"):
        aci.map_action_string_to_int("dance")
    with pytest.raises(ValueError, match="on_invalid must be one of"):
        CraftaxClassicACI(2, on_invalid="x")


# Craftax.


def test_a_script_for_the_larger_game_runs_with_only_its_import_changed(capsys):
    achievements, total = lm_craftaxlm_script.larger_rollout(3)
    assert len(achievements) == 67 and set(achievements.values()) <= {True, False}
    assert isinstance(total, float) and "<observation>" in capsys.readouterr().out
    rendered, text, rewards = lm_craftaxlm_script.inspect(4)
    aci = CrafterACI(game="craftax", seed=4)
    turn = aci.act(["left", "do", "up", "do", "noop"], stop_on="none")
    assert rewards == list(turn.rewards) and text.startswith("## Map")
    assert rendered.observation.rows == turn.observation.rows


def test_states_and_step_infos_of_the_larger_game():
    aci = CraftaxACI(seed=5)
    items = {"wood": 3, "sword": 2, "bow": 1, "potion_red": 2, "boots": 1}
    creatures = [("cow", (24, 26)), ("knight_archer", (25, 26))]
    aci.reset(options={"inventory": items, "creatures": creatures, "facing": "right"})
    state = aci.state
    assert len(state.map) == 99 and state.map is state.map_full
    cells = {(c["position"]["x"], c["position"]["y"]): c for c in state.map}
    assert cells[2, 0]["mob"] == "Cow" and cells[2, 0]["block"] == "grass"
    assert cells[2, 1]["mob"] == "Archer"
    assert state.inventory["resources"]["wood"] == 3
    assert state.inventory["tools"]["sword"]["stone"] == 1
    assert state.inventory["potions"]["potion_red"] == 2
    assert state.player["strength"] == 1 and state.environment["floor"] == 0
    assert state.render_to_text_simple() == aci.starting_obs["state"]
    assert set(aci.starting_obs) == {"state"}
    infos, _, _ = aci.multistep(["left"])
    assert set(infos[0]) == {"state", "reward", "done"}
    assert aci.env_params["max_timesteps"] == 100_000
    aci.reset(options={"floor": 2})
    hidden = [cell for cell in aci.state.map if not cell["visible"]]
    assert hidden and all(set(cell) == {"position", "visible"} for cell in hidden)
