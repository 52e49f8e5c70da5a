"""The scripted player finds paths, stays safe and gets far."""

from __future__ import annotations

import types

import pytest

import crafter
from crafter.core.grid import shift
from crafter.games.crafter import rules
from crafter.games.crafter.players.scripted import CrafterChart, ScriptedPlayer
from crafter.games.crafter.text.perception import CrafterPerception
from crafter.lm import game as games
from crafter.lm.agents.base import Briefing

LEFT, RIGHT, DOWN = (-1, 0), (1, 0), (0, 1)


def start(picture: str, **options) -> tuple[crafter.Env, dict]:
    """Start a game on a hand-made map."""
    rows = picture.split()
    env = crafter.Env(area=(len(rows[0]), len(rows)), seed=0)
    _, info = env.reset(options={"map": rows, **options})
    return env, info


def way(picture: str, cell, **options):
    """Return the first action and the cost of the path to a cell, or `None`."""
    chart = CrafterChart(games.find("crafter").words())
    perception = CrafterPerception(games.find("crafter").words())
    chart.look(perception.look(start(picture, **options)[0].snapshot()))
    found = chart.path_to(lambda position, facing: position == cell)
    return None if found is None else ([*found.actions(), ""][0], found.cost)


def play(env: crafter.Env, info: dict, steps: int) -> list[dict]:
    """Let the scripted player play; return the infos."""
    player = ScriptedPlayer()
    infos = []
    for _ in range(steps):
        *_, info = env.step(player.act(env, info))
        infos.append(info)
    return infos


# The table cannot be removed; going around takes four more steps. Enemies add to costs.
WAYS = {
    "there already": ("... .@. ...", (1, 1), {}, ("", 0)),
    "around": ("..... @tt.. .....", (3, 1), {"facing": DOWN}, ("move_up", 5)),
    "no tool": ("##### @#.## #####", (2, 1), {}, None),
    "ahead": ("##### @#.## #####", (2, 1), {"facing": RIGHT}, ("do", 3)),
    "turned": ("##### @#.## #####", (2, 1), {"facing": DOWN}, ("move_right", 4)),
    "lava": ("ttttt @%.tt ttttt", (2, 1), {}, None),
    "water": ("ttttt @~.tt ttttt", (2, 1), {}, None),
    "fear": (".Z... @.... .....", (3, 1), {"facing": RIGHT}, ("move_down", 7)),
}


@pytest.mark.parametrize("name", WAYS)
def test_ways(name):
    picture, cell, options, expected = WAYS[name]
    if name in ("ahead", "turned", "lava"):
        options = {**options, "inventory": {"wood_pickaxe": 1}}
    assert way(picture, cell, **options) == expected


def test_walls_itself_in_when_it_is_tired_and_sleeps():
    rows = ["#" * 20] * 14
    rows[7] = "#" * 10 + "@" + "#" * 9
    kit = {"stone": 9, "wood_pickaxe": 1, "energy": 2}
    env, info = start(" ".join(rows), daytime="dusk", inventory=kit)
    infos = play(env, info, 90)
    asleep = next(info for info in infos if info["sleeping"])
    ground = {name: n for n, name in enumerate(rules.default().semantic_names)}
    x, y = asleep["player_pos"]
    cells, queue = set(), [(int(x), int(y))]
    while queue:
        cell = queue.pop()
        if cell not in cells and asleep["semantic"][cell] != ground["stone"]:
            cells.add(cell)
            queue += [shift(cell, step) for step in (LEFT, RIGHT, DOWN, (0, -1))]
    assert len(cells) <= 2
    assert infos[-1]["inventory"]["energy"] > 2


def test_gets_far_and_chooses_the_same_in_the_same_game():
    played = []
    for _ in range(2):
        env, actions = crafter.Env(seed=4), []
        _, info = env.reset()
        player = ScriptedPlayer(Briefing(seed=1, macros=False))
        stub = types.SimpleNamespace(unwrapped=env)
        for _ in range(150):
            actions.append(player.act(stub, {}))
            *_, info = env.step(actions[-1])
        played.append(actions)
    assert played[0] == played[1]
    assert sum(count > 0 for count in info["achievements"].values()) >= 10


def test_looks_around_when_it_knows_nothing_better():
    # Sand enclosed by tables: nothing to collect, no stone to hide behind.
    rows = ["t" * 9] + ["t" + "," * 7 + "t"] * 5 + ["t" * 9]
    env, info = start(" ".join(rows), position=(4, 3))
    infos = play(env, info, 40)
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
    assert "collect_" in printed
    assert "Length: 30 steps" in printed
    with pytest.raises(SystemExit):
        demo.main(["--steps", "0"])
    assert "at least 1" in capsys.readouterr().err


def test_plays_by_the_rules_of_its_game():
    sword = {"uses": {"diamond": 2}, "nearby": ["table"], "gives": 1}
    changed = rules.load(
        {
            "items": {"diamond_sword": {"max": 9, "initial": 0}},
            "make": {"diamond_sword": sword},
            "achievements": ["eat_cow", "collect_diamond", "make_diamond_sword"],
        }
    )
    player = ScriptedPlayer(Briefing(tables=changed, macros=False))
    env = crafter.Env(area=(8, 3), seed=0, rules=changed)
    options = {"map": ["##.d..t#", "#@....d#", "########"]}
    options["inventory"] = {"wood_pickaxe": 1, "stone_pickaxe": 1, "iron_pickaxe": 1}
    _, info = env.reset(options=options)
    for _ in range(40):
        *_, info = env.step(player.act(env, info))
    assert info["achievements"]["make_diamond_sword"] == 1
