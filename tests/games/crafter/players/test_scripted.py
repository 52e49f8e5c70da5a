"""The scripted player finds its way, keeps itself safe and gets far."""

from __future__ import annotations

import types

import numpy as np
import pytest

import crafter
from crafter.core.grid import shift
from crafter.games.crafter import rules
from crafter.games.crafter.players.scene import MOVES, Garden, Scene, Site, find_way
from crafter.games.crafter.players.scripted import GOALS, ScriptedPlayer, goals_of

KEYS = ["semantic", "player_pos", "player_facing", "inventory", "achievements"]
KEYS += ["sleeping", "daylight", "view"]

LEFT, RIGHT, DOWN = (-1, 0), (1, 0), (0, 1)


def start(picture: str, **options) -> tuple[crafter.Env, dict]:
    """Start a game on a hand-made map."""
    rows = picture.split()
    env = crafter.Env(area=(len(rows[0]), len(rows)), seed=0)
    _, info = env.reset(options={"map": rows, **options})
    return env, info


def scene(picture: str, **options) -> Scene:
    return Scene(start(picture, **options)[1], rules.default())


def play(env: crafter.Env, info: dict, steps: int) -> list[dict]:
    """Let the scripted player play and return the infos."""
    player = ScriptedPlayer()
    infos = []
    for _ in range(steps):
        *_, info = env.step(player.act(env, info))
        infos.append(info)
    return infos


def standing_at(cell):
    return lambda position, facing: position == cell


# Finding ways.


def test_arrived_already():
    here = scene("... .@. ...")
    assert find_way(here, standing_at((1, 1)), {}) == ("", 0)


def test_walks_around_what_is_in_the_way():
    # The table cannot be dug away; around it are four steps more.
    here = scene("..... @tt.. .....", facing=DOWN)
    assert find_way(here, standing_at((3, 1)), {}) == ("move_up", 5)


def test_digs_with_the_tool_only():
    picture = "##### @#.## #####"
    assert find_way(scene(picture), standing_at((2, 1)), {}) is None
    here = scene(picture, inventory={"wood_pickaxe": 1}, facing=RIGHT)
    assert find_way(here, standing_at((2, 1)), {}) == ("do", 3)
    here = scene(picture, inventory={"wood_pickaxe": 1}, facing=DOWN)
    assert find_way(here, standing_at((2, 1)), {}) == ("move_right", 4)


def test_leaves_alone_what_it_must_keep():
    here = scene("ttttt @#.tt ttttt", inventory={"wood_pickaxe": 1})
    assert find_way(here, standing_at((2, 1)), {}) is not None
    assert find_way(here, standing_at((2, 1)), {}, keep=[(1, 1)]) is None


@pytest.mark.parametrize("liquid", "~%")
def test_bridges_with_a_stone(liquid):
    picture = f"ttttt @{liquid}.tt ttttt"
    # A stone that was placed is dug away again, so a pickaxe is needed too.
    for inventory in ({}, {"stone": 1}, {"wood_pickaxe": 1}):
        here = scene(picture, inventory=inventory)
        assert find_way(here, standing_at((2, 1)), {}) is None
    here = scene(picture, inventory={"stone": 1, "wood_pickaxe": 1}, facing=RIGHT)
    assert find_way(here, standing_at((2, 1)), {}) == ("place_stone", 4)


def test_never_moves_towards_lava():
    env, info = start("%%%%% %@%.. %%%%%", inventory={"wood_pickaxe": 1, "stone": 1})
    for infos in play(env, info, 40):
        assert not infos["dead"]


def test_facing_counts():
    # To face free ground, it must arrive in that direction.
    here = scene("..... ..@.. .....", facing=DOWN)

    def faces_right(position, facing):
        return shift(position, facing) == (3, 1)

    first, cost = find_way(here, faces_right, {})
    assert (first, cost) == ("move_left", 2)


def test_fear_makes_a_detour():
    here = scene("..... @.... .....", facing=RIGHT)
    assert find_way(here, standing_at((2, 1)), {}) == ("move_right", 2)
    assert find_way(here, standing_at((2, 1)), {(1, 1): 9})[0] != "move_right"


# Being safe.


def closed_in(info: dict) -> bool:
    """Tell whether no creature can come next to the player."""
    now = Scene(info, rules.default())
    cells, queue = set(), [now.position]
    while queue:
        cell = queue.pop()
        if cell not in cells and now.walkable(cell):
            cells.add(cell)
            queue += [shift(cell, move) for move in (LEFT, RIGHT, DOWN, (0, -1))]
    return len(cells) <= 2


def test_site_has_a_door_and_five_walls():
    site = Site.at((5, 5), RIGHT)
    assert (site.cell, site.second, site.door) == ((5, 5), (6, 5), (4, 5))
    assert set(site.walls) == {(5, 4), (5, 6), (6, 4), (6, 6), (7, 5)}


@pytest.mark.parametrize(
    "ground", ["." * 20, "#" * 20, ".#" * 10, ",,~~" * 5], ids=lambda g: g[:4]
)
def test_walls_itself_in_at_night_and_sleeps(ground):
    rows = [ground] * 14
    rows[7] = ground[:10] + "@" + ground[11:]
    env, info = start(
        " ".join(rows),
        daytime="dusk",
        inventory={"stone": 9, "wood_pickaxe": 1, "energy": 5},
    )
    infos = play(env, info, 90)
    asleep = [info for info in infos if info["sleeping"]]
    assert asleep
    assert closed_in(asleep[0])
    assert infos[-1]["achievements"]["wake_up"] > 0


def test_garden_needs_water_and_grass():
    picture = "........ ..~..... ........ ......@. ........"
    here = scene(picture)
    assert Garden.at(Site.at((2, 2), RIGHT), here) is not None
    assert Garden.at(Site.at((2, 3), RIGHT), here) is None
    dry = scene(picture.replace("~", "."))
    assert Garden.at(Site.at((2, 2), RIGHT), dry) is None


def test_garden_is_whole_when_planted_and_walled():
    picture = "tttttttt tt~PPttt tP....@. ttPPtttt tttttttt"
    here = scene(picture)
    site = Site.at((2, 2), RIGHT)
    garden = Garden(site, ((3, 1), (2, 3), (3, 3)))
    assert garden.to_wall(here) == [(4, 2)]
    assert not garden.is_whole(here)


# Playing.


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3, 7, 12])
def test_gets_far(seed):
    env = crafter.Env(seed=seed)
    _, info = env.reset()
    player = ScriptedPlayer()
    for _ in range(500):
        *_, info = env.step(player.act(env, info))
        if info["dead"]:
            break
    assert sum(count > 0 for count in info["achievements"].values()) >= 12


@pytest.mark.slow
def test_same_game_same_actions():
    def actions(player):
        env = crafter.Env(seed=5)
        _, info = env.reset()
        chosen = []
        for _ in range(80):
            chosen.append(player.act(env, info))
            *_, info = env.step(chosen[-1])
        return chosen

    player = ScriptedPlayer(seed=1)
    first = actions(player)
    player.reset()
    assert actions(player) == first
    assert actions(ScriptedPlayer(seed=1)) == first


def test_reads_what_it_says_and_changes_nothing():
    env = crafter.Env(seed=2)
    _, info = env.reset()
    player, other = ScriptedPlayer(), ScriptedPlayer()
    names = types.SimpleNamespace(action_names=env.action_names)
    stub = types.SimpleNamespace(unwrapped=names)
    for _ in range(60):
        known = {key: info[key] for key in KEYS}
        before = {key: np.array(known[key]).tolist() for key in KEYS}
        action = player.act(stub, known)
        assert {key: np.array(known[key]).tolist() for key in KEYS} == before
        assert action == other.act(env, info)
        *_, info = env.step(action)


def test_strolls_when_it_knows_nothing_better():
    # Sand within tables: nothing to gather, no stone to hide behind.
    rows = ["t" * 9] + ["t" + "," * 7 + "t"] * 5 + ["t" * 9]
    env, info = start(" ".join(rows), position=(4, 3))
    infos = play(env, info, 40)
    assert {info["action"] for info in infos} <= set(MOVES.values())
    assert len({tuple(info["player_pos"]) for info in infos}) > 4


# The demo.


def test_demo(tmp_path, capsys):
    pytest.importorskip("tqdm", reason="needs crafter[demo]")
    pytest.importorskip("imageio_ffmpeg", reason="needs crafter[demo]")
    import demo

    demo.main(["--seed", "1", "--steps", "30", "--directory", str(tmp_path / "out")])
    printed = capsys.readouterr().out
    suffixes = sorted(path.suffix for path in (tmp_path / "out").iterdir())
    assert suffixes == [".jsonl", ".mp4", ".npz", ".png"]
    for path in (tmp_path / "out").iterdir():
        assert str(path) in printed
    assert "collect_wood" in printed
    assert "Length: 30 steps" in printed


def test_demo_refuses_no_steps(capsys):
    pytest.importorskip("tqdm", reason="needs crafter[demo]")
    import demo

    with pytest.raises(SystemExit):
        demo.main(["--steps", "0"])
    assert "at least 1" in capsys.readouterr().err


def test_plays_by_the_rules_of_its_game():
    changed = rules.load(
        {
            "items": {"diamond_sword": {"max": 9, "initial": 0}},
            "make": {
                "diamond_sword": {
                    "uses": {"diamond": 2},
                    "nearby": ["table"],
                    "gives": 1,
                }
            },
            "achievements": ["eat_cow", "collect_diamond", "make_diamond_sword"],
        }
    )
    player = ScriptedPlayer(rules=changed)
    goals = [name for name, _ in goals_of(changed)]
    assert goals == ["eat_cow", "collect_diamond", "make_diamond_sword"]
    assert goals_of(rules.default()) == list(GOALS)
    env = crafter.Env(area=(8, 3), seed=0, rules=changed)
    options = {"map": ["##.d..t#", "#@....d#", "########"]}
    options["inventory"] = {"wood_pickaxe": 1, "stone_pickaxe": 1, "iron_pickaxe": 1}
    _, info = env.reset(options=options)
    for _ in range(40):
        *_, info = env.step(player.act(env, info))
    assert info["achievements"]["make_diamond_sword"] == 1
