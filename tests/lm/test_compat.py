"""The names of craftaxlm, and scripts that use them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import lm_craftaxlm_script
import numpy as np
import pytest

import crafter
from crafter import constants
from crafter.lm import (
    CRAFTAX_CLASSIC_ACHIEVEMENTS,
    CRAFTAX_CLASSIC_ACTION_MAPPING,
    CraftaxBaseACI,
    CraftaxClassicACI,
    CrafterACI,
    from_title,
    make_craftax_env_from_name,
    to_title,
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
    assert CraftaxBaseACI is CrafterACI and issubclass(CraftaxClassicACI, CrafterACI)
    with pytest.raises(ValueError, match="Unknown achievement 'Fly'"):
        from_title("Fly")


def test_step_infos():
    aci = CraftaxClassicACI(seed=2)
    obs = aci.starting_obs
    assert (obs["reward"], obs["done"]) == (0.0, False)
    assert obs["state_image"].dtype == np.uint8
    info = aci._step(1)
    assert isinstance(info["reward"], float) and info["done"] is False
    assert "Direction facing: left" in info["state_text"]
    assert "sapling: 0" in info["state_text"].lower()  # verbose shows zeros
    quiet = CraftaxClassicACI(seed=2, verbose=False)
    assert "sapling: 0" not in quiet.starting_obs["state_text"].lower()
    with pytest.raises(ValueError, match="action of 0 ... 16"):
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


def test_unknown_actions_take_no_step():
    aci = CraftaxClassicACI(2)
    infos, rewards, done = aci.multistep(["move_left", "dance"])
    assert aci.action_history == [] and rewards == [0.0] and not done
    assert "Unknown action 'dance'" in infos[0]["error"]
    with pytest.raises(ValueError, match="Unknown action 'dance'"):
        aci.map_action_string_to_int("dance")


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
    rows = [["grass"] * 64 for _ in range(64)]
    text = ["." * 64 for _ in rows]
    text[32] = "." * 32 + "@%" + "." * 30
    return text


def test_go_back_is_exact():
    aci = CraftaxClassicACI(4)
    aci.go_forward([1, 1, 3])
    digest = aci.state_digest()
    aci.go_forward([2, 5, 5])
    aci.go_back(3)
    assert aci.state_digest() == digest and len(aci.action_history) == 3


def test_reset_gives_the_same_world():
    aci = CraftaxClassicACI(4)
    first = aci.starting_obs["state_text"]
    aci.multistep(["move_left"] * 4)
    aci.reset()
    assert aci.starting_obs["state_text"] == first and aci.action_history == []


def test_actions_to_start_with():
    aci = CraftaxClassicACI(4, [1, 3])
    assert aci.action_history == ["move_left", "move_up"]
    assert aci.env_params["length"] == 10000 and aci.rngs == 4


def test_environments_by_name():
    for name in ("Craftax-Classic-Symbolic-v1", "Craftax-Classic-Pixels-v1"):
        env = make_craftax_env_from_name(name, seed=3)
        assert isinstance(env, crafter.Env) and env.events
    with pytest.raises(ValueError, match="Unknown environment 'Craftax-Symbolic-v1'"):
        make_craftax_env_from_name("Craftax-Symbolic-v1")
