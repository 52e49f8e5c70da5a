"""Detectors of emergent behaviours, and the program that counts them."""

import behaviours
import numpy as np
import pytest

import crafter
from crafter.core import npz

#: Games are drawn turned: to the right is down, where the player looks at first.
KEYS = {
    "l": "move_up",
    "r": "move_down",
    "u": "move_left",
    "d": "move_right",
    "x": "do",
    "s": "place_stone",
    "p": "place_plant",
    ".": "noop",
}


def arrow(column, row=0):
    """Returns a start with an arrow that flies to the left."""
    facing = {"facing": (0, -1)}
    return {"objects": [{"kind": "arrow", "position": (row, column), **facing}]}


MIDNIGHT = {"daytime": "midnight"}
#: Rows, with stone around; actions, how the game begins, and what is seen.
GAMES = {
    "tunnel": (["@" + "#" * 14], "xr" * 10, {}, ["tunnel"]),
    "9 cells": (["@" + "#" * 14], "xr" * 9, {}, []),
    "system": (["@" + "#" * 22], "xr" * 20, {}, ["tunnel", "tunnel system"]),
    "breakthrough": ([".....@.#......."], "rx", {}, ["breakthrough"]),
    "bridge": ([",,@~~~,,,,"], "sxr" * 3 + "r", {}, ["bridge"]),
    "on the bridge": ([",,@~~~,,,,"], "sxr" * 3, {}, []),
    "dodging": (["#,", "#@,,,,,,"], ".u......", arrow(5, 1), ["dodging"]),
    "staying": (["#,", "#@,,,,,,"], "........", arrow(5, 1), []),
    "blocking": (["#@,,,,,,,"], "s.......", arrow(5), ["blocking"]),
    "standing stone": (["#@,,,,,,,,,,,"], "s............", arrow(11), []),
    "flank": (["@#,"], "xrx", {"objects": [("skeleton", (0, 2))]}, ["flank"]),
    "open way": (["@,"], ".x", {"objects": [("skeleton", (0, 1))]}, []),
    "cave": (["@,#"], "." * 25, MIDNIGHT, ["cave shelter"]),
    "short": (["@,#"], "." * 18, MIDNIGHT, []),
    "closed": (["@,,,,,,,,"], "s" + "." * 20, MIDNIGHT, ["closed shelter"]),
    "dug": (["@#,,,,,,,"], "xrxs" + "." * 20, MIDNIGHT, ["dug shelter"]),
    "house": (
        [".." * 4] * 6 + ["@......."] + [".." * 4] * 2,
        "rsulrsuldsuudsrddsus",
        {},
        ["house"],
    ),
    "guarding": (["C@.."], "plx", {}, ["guarding"]),
    "fence": ([",,@.#"], "pllrs", {}, ["fence"]),
    "half a fence": ([",,@.#", "###,#"], "pllrs", {}, []),
}


@pytest.fixture
def played(tmp_path):
    """Returns a function that records a game and returns its file."""

    def play(rows, keys, start):
        size = 9, max(9, *map(len, rows))
        rows = [row.ljust(size[1], "#") for row in rows]
        rows += ["#" * size[1]] * (9 - len(rows))
        env = crafter.Env(
            area=size, observation="compact", length=len(keys) + 1, seed=0
        )
        items = {"wood_pickaxe": 1, "stone": 9, "sapling": 1}
        start = {
            "map": ["".join(row) for row in zip(*rows)],
            "inventory": items,
            **start,
        }
        recorder = crafter.EpisodeRecorder(env, tmp_path)
        recorder.reset(options=start)
        for key in f".{keys}":  # row by row, nothing is known before the first step
            recorder.step(env.action_names.index(KEYS[key]))
        return next(tmp_path.glob("*.npz"))

    return play


@pytest.mark.parametrize("name", GAMES)
def test_what_is_seen_in_a_game(played, name):
    *game, seen = GAMES[name]
    path = played(*game)
    assert sorted(behaviours.count(path).counts) == sorted(seen)
    if game[2] is MIDNIGHT or "flank" in seen:
        return  # recordings of the published package begin in the morning
    plain = path.with_name("plain.npz")
    arrays = npz.read(path)
    np.savez(plain, **{key: arrays[key] for key in arrays if key != "start"})
    assert sorted(behaviours.count(plain).counts) == sorted(seen)


def test_counts_are_kept_and_printed(tmp_path, capsys):
    games, counts = tmp_path / "games", tmp_path / "counts.json.gz"
    for name in ("random", "scripted"):
        behaviours.main(["--record", name, "--episodes", "2", f"{games / name}"])
    paths = [str(games / name) for name in ("random", "scripted")]
    behaviours.main([*paths, "--save", str(counts)])
    first = capsys.readouterr().out
    behaviours.main([str(counts)])
    assert capsys.readouterr().out == first
    lengths = behaviours.read(counts)[0]["lengths"]
    (games / "random/x-partial-ach0-len1.npz").touch()
    behaviours.main(["--record", "random", "--episodes", "2", paths[0]])  # as before
    assert behaviours.read(games / "random")[0]["lengths"] == lengths


def group(name, shown, episodes, steps=None):
    counts = [3] * shown + [0] * (episodes - shown)
    every = dict.fromkeys(behaviours.BEHAVIOURS, counts)
    return {"name": name, "steps": steps, "lengths": [100] * episodes, "counts": every}


def test_what_random_play_shows_is_marked_and_the_first_training_is_named():
    groups = [group("random", 4, 1000), group("a", 0, 9, 1e6), group("b", 1, 9, 2e6)]
    name, *shares, first = behaviours.make_table(groups, rates=False).rows[0]
    assert (name, first) == ("tunnel", "2M")
    assert shares[0].show() == "0.4 [0.2, 1.0]"
    name, *rates, _ = behaviours.make_table([group("random", 5, 1000)], True).rows[0]
    assert name == "tunnel †"
    assert rates[0].mean == 1.5


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(ValueError, match="expected recorded episodes"):
        behaviours.read(tmp_path)
