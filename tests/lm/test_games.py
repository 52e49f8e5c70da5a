"""Several games at a time, without a server."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from crafter.core import journal
from crafter.lm import CrafterACI
from crafter.lm.game_host import GameError, GameHost


def test_the_latest_game_is_meant():
    room = GameHost(seed=3)
    with pytest.raises(GameError, match="There is no game"):
        room.act("left")
    room.new_game()
    started, text = room.new_game(format="ascii")
    assert started == {"game": "game-2"} and "Recipes" in text
    data, _ = room.act("left x2")
    assert data["steps"] == ["move_left"] * 2 and data["rewards"] == [0.0, 0.0]
    assert room.progress()["steps"] == 2 and room.progress("game-1")["steps"] == 0
    with pytest.raises(GameError, match=r"Unknown game 'x'; there are \['game-1'"):
        room.act("left", "x")
    with pytest.raises(GameError, match="--memory-map"):
        room.map()


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("crafter", None),
        ("craftax", None),
        ("craftax", {"parameters": {"day_length": 40}}),
    ],
)
def test_games_of_equal_rules_share_their_words(name, rules):
    first, second = (CrafterACI(game=name, seed=1, rules=rules) for _ in range(2))
    assert first.words is second.words


def test_limits():
    room = GameHost(max_games=1, memory_map=True)
    room.new_game(max_actions=2)
    assert room.map().startswith("Map of what you have seen")
    with pytest.raises(GameError, match="end one first"):
        room.new_game()
    data, text = room.act("noop x5")
    assert data["done"] and "all actions are used up" in text
    with pytest.raises(GameError, match="The game is over"):
        room.act("noop")
    found = room.end_game()
    assert found["reason"] == "cap_actions" and found["record"] is None
    room.new_game()


def test_look_and_progress():
    room = GameHost()
    room.new_game(seed=1)
    picture = Image.open(io.BytesIO(room.look(size=180)))
    assert picture.size == (180, 180) and picture.format == "PNG"
    with pytest.raises(GameError, match="size must be"):
        room.look(size=9999)
    found = room.progress()
    assert found["achievements"] == [] and len(found["open"]) == 22
    assert found["scores"]["progress"] == 0


def test_records(tmp_path):
    room = GameHost(record=tmp_path / "r")
    assert not (tmp_path / "r").exists()
    room.new_game(seed=1)
    room.act("left")
    path = room.end_game()["record"]
    kinds = [line["type"] for line in journal.read(tmp_path / "r" / "game-1.jsonl")]
    assert kinds == ["run_start", "call", "step", "turn", "rollout_end"]
    assert path.endswith("game-1.jsonl")
    again = GameHost(record=tmp_path / "r")
    again.new_game()
    again.close()
    assert (tmp_path / "r" / "game-1-2.jsonl").exists()
