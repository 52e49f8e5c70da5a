"""Scenes: values and files, how they are built, and how they are made."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import yaml
from worlds import assert_chunks_are_consistent, assert_world_is_consistent

import crafter
from crafter import constants
from crafter.games.crafter.rules import load
from crafter.games.crafter.tasks.scenes import checks, draft, ground
from crafter.games.crafter.tasks.scenes.scene import Scene
from crafter.games.crafter.tasks.scenes.settings import settings_of
from crafter.games.crafter.tasks.view import HOSTILE
from crafter.tasks import Task, scenes
from crafter.tasks.catalogue.difficulty import Difficulty, axes
from crafter.tasks.cli import main
from crafter.tasks.episodes.generation import generate, is_trivial
from crafter.tasks.scenes import SceneError
from crafter.tasks.scenes.random import Draws

VITALS = {"health": 9, "food": 9, "drink": 9, "energy": 9}


def scene(**changes):
    """Return a small scene made by hand."""
    fields = {
        "task": "collect_wood",
        "level": "custom",
        "split": "mine",
        "index": 0,
        "world_seed": 5,
        "inventory": {"wood": 2},
        "clock": 60,
        "area": (24, 24),
        "spawn": (12, 12),
    }
    return Scene(**{**fields, **changes})


@pytest.fixture(scope="module")
def hard():
    return scenes.draw(Task("collect_iron", "hard"), "test", 1)


def test_an_environment_begins_from_a_scene(hard):
    env = crafter.Env.from_scene(hard, size=18)
    world, player = hard.build()
    assert_world_is_consistent(env.world)
    assert_chunks_are_consistent(env.world)
    assert (env.world.materials == world.materials).all()
    assert env.player.inventory == player.inventory and env.clock == hard.clock
    first = env.get_state()
    env.step(0)
    env.reset(**hard.reset_arguments())
    np.testing.assert_equal(env.get_state(), first)


def test_another_dynamics_seed_goes_on_differently():
    ends = []
    for seed in (1, 1, 2):
        env = crafter.Env.from_scene(scene(dynamics_seed=seed), size=18)
        for _ in range(20):
            env.step(0)
        ends.append([obj.position for obj in env.world.objects])
    assert ends[0] == ends[1] != ends[2]


def test_a_name_that_is_no_file_of_scenes_is_refused_first(tmp_path, capsys):
    out = str(tmp_path / "a.yaml")
    for more in ([], ["--propose"]):
        assert main(["generate", "collect_wood", "--out", out, *more]) == 2
        said = capsys.readouterr()
        assert "ends with one of" in said.err and not said.out
    with pytest.raises(SceneError, match="ends with one of"):
        generate([(Task("collect_wood"), 1)], out)
    assert not list(tmp_path.iterdir())


def test_a_scene_that_cannot_be_built_says_why():
    wrong = scene(mobs=({"kind": "cow", "position": (12, 12)},))
    with pytest.raises(SceneError, match="scene 0 of collect_wood .* cannot stand at"):
        wrong.build()


# Values and files.


def test_equal_scenes_have_equal_hashes_whatever_is_known_about_them():
    solved = scene(certificate={"steps": 3}, provenance={"tries": 2})
    assert solved == scene() and solved.hash == scene().hash
    assert scene(clock=61).hash != scene().hash


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_files_keep_scenes_and_are_refused_when_cut_off(tmp_path, hard, name):
    kept = [hard, scene(certificate={"steps": 3}, marks={"camp": (1, 2, 3, 4)})]
    path = tmp_path / name
    scenes.write(path, kept)
    found = scenes.read(path)
    assert found == kept and [s.hash for s in found] == [s.hash for s in kept]
    assert found[1].certificate == {"steps": 3} and found[1].marks == kept[1].marks
    content = path.read_bytes()
    assert len(content) / 2 < 8192
    for cut in (10, 300, -20):
        path.write_bytes(content[:cut])
        with pytest.raises(SceneError, match=name):
            scenes.read(path)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"version": 1}, "The scene was made with {'version': 1, .*}; this is"),
        ({"catalogue": 99}, "'catalogue': 99}; this is"),
        ({"clock": 61}, "The scene is damaged"),
        ({"clock": None}, "scene.clock is missing"),
        ({"colour": 3}, "scene: 'colour' is unknown"),
        ({"world_seed": True}, "scene.world_seed must be an integer"),
        ({"mobs": [3]}, "scene.mobs.0 must be a mapping, got 3"),
        ({"marks": {"a": [1]}}, "scene.marks.a must be a list of 4"),
    ],
)
def test_wrong_scenes_are_refused(change, message):
    data = {**scene().as_data(), "hash": scene().hash, **change}
    with pytest.raises(SceneError, match=message):
        Scene.from_data(data)


def test_packs_that_lack_lines_and_other_files_are_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    with pytest.raises(SceneError, match="No such file"):
        scenes.read(path)
    scenes.write(path, [scene(), scene(index=1)])
    lines = path.read_text().splitlines(True)
    for kept, message in (
        (lines[:-1], "cut off: expected 2 scenes, got 1"),
        (lines[1:], "lacks the header of a pack"),
        ([], "lacks the header of a pack"),
    ):
        path.write_text("".join(kept))
        with pytest.raises(SceneError, match=message):
            scenes.read(path)


# Difficulty.


def test_a_difficulty_has_one_name():
    mixed = Difficulty.of({"threat": "hard", "light": "medium", "vitals": "simple"})
    assert mixed.name == "simple,light=medium,threat=hard" and mixed.level == "hard"
    assert Difficulty.of(mixed.name) == mixed
    assert Difficulty.of({"level": "custom"}).name == "custom"


@pytest.mark.parametrize(
    "wrong",
    ["easy", 0.5, True, None, {"mood": "hard"}, {"level": "custom", "light": "hard"}],
)
def test_wrong_difficulties_are_refused(wrong):
    with pytest.raises(ValueError, match="difficulty|custom"):
        Task("collect_wood", wrong)


@pytest.mark.parametrize("axis", axes())
def test_an_axis_can_be_set_alone(axis):
    changed = settings_of(Task("place_table", {axis: "hard"}))
    plain = settings_of(Task("place_table", "simple"))
    fields = {"supply": "inventory", "light": "clock"}
    different = {
        f.name
        for f in dataclasses.fields(plain)
        if getattr(plain, f.name) != getattr(changed, f.name)
    }
    assert different == {fields.get(axis, axis)}


def custom(tmp_path, goal, **part):
    """Return a task of a file that says how it begins."""
    spec = {"name": "own", "goal": goal, "text": "Do it.", "scene": {"custom": part}}
    (tmp_path / "own.yaml").write_text(json.dumps(spec))
    return Task(str(tmp_path / "own.yaml"), "custom")


def test_a_task_says_how_it_begins(tmp_path):
    task = custom(
        tmp_path,
        "collect_wood",
        base="meadow",
        clock=30,
        near=[{"what": "table", "ring": [3, 5]}],
        mobs=[{"kind": "zombie", "n": 2, "ring": [6, 9], "health": 1}],
        edits=[["ring", -4, -4, 9, 9, "sand"]],
        marks={"camp": [-4, -4, 9, 9]},
        vitals={"food": 4},
    )
    made = scenes.draw(task, "train", 0)
    world, player = made.build()
    x, y = made.spawn
    assert world[x - 4, y - 4][0] == "sand"
    assert made.marks["camp"] == (x - 4, y - 4, 9, 9)
    assert np.count_nonzero(world.materials == constants.material_ids["table"]) == 1
    assert [m["health"] for m in made.mobs if m["kind"] == "zombie"] == [1, 1]
    assert player.inventory["food"] == 4
    assert made.clock == 30


def test_a_feature_is_put_at_its_distance_and_marked(tmp_path):
    goal = "reach(built('cleared', 'coal', 3, 9))"
    task = custom(tmp_path, goal, features=[{"what": "coal_vein", "ring": [5, 8]}])
    corners = set()
    for index in range(4):
        made = scenes.draw(task, "train", index)
        x, y, width, height = made.marks["coal_vein"]
        beyond = [
            max(low - place, place - low - size + 1, 0)
            for low, size, place in zip((x, y), (width, height), made.spawn)
        ]
        assert 5 <= sum(beyond) <= 8
        world, _ = made.build()
        coal = world.materials[x : x + width, y : y + height]
        assert np.count_nonzero(coal == constants.material_ids["coal"]) >= 3
        corners.add((x > made.spawn[0], y > made.spawn[1]))
    assert len(corners) > 1  # on different sides


def test_a_scene_without_room_for_its_feature_is_refused(tmp_path):
    task = custom(tmp_path, "hurt", features=[{"what": "coal_vein", "ring": [90, 91]}])
    with pytest.raises(scenes.SceneError, match="target_missing"):
        scenes.draw(task, "train", 0)


def test_what_the_rules_lack_is_refused():
    task = Task("eat_cow", "hard")
    near = {"hard": {"near": [{"what": "gold"}]}}
    task.spec = dataclasses.replace(task.spec, scene=near)
    with pytest.raises(
        SceneError, match=r"begins with \['gold'\], which the rules lack"
    ):
        scenes.draw(task, "train", 0)


# What is made.


@pytest.mark.parametrize("level", ["simple", "medium", "hard"])
def test_scenes_are_what_their_level_says(level):
    task = Task("collect_coal", level)
    settings = settings_of(task)
    made = scenes.draw(task, "train", 1)
    near, far = settings.distance["band"]
    world, player = made.build()
    assert_world_is_consistent(world)
    assert_chunks_are_consistent(world)
    land = ground.Ground(
        ground.Land(world.materials.copy(), world.tunnels, (), (0, 0)), task.rules
    )
    steps = land.field(land.where("coal"), **draft.working(made.inventory))[made.spawn]
    assert min(near, 2) <= steps <= far + 16
    hostile = [o for o in world.objects if o.kind in HOSTILE]
    assert all(player.distance(o) > settings.threat["free"] for o in hostile)
    least, largest = settings.vitals["food"]
    assert least <= made.vitals["food"] <= largest
    assert made.wording.startswith("test" if level == "hard" else "train")


def test_scenes_follow_the_rules():
    rules = load({"place": {"table": {"uses": {"wood": 3}}}})
    made = scenes.draw(Task("place_table", "simple", rules), "train", 0)
    assert made.inventory["wood"] == 6


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("train", -1), "index must be an integer of at least 0"),
        (("test", 20), "index must be an integer from 0 to 19"),
        (("dev", 0), "split must be one of"),
        (("train", 0, (8, 8)), "at least 12 columns"),
    ],
)
def test_scenes_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        scenes.draw(Task("collect_wood"), *arguments)


def test_every_index_has_a_world_of_its_own_in_its_split():
    task, splits = Task("hurt", "hard"), ("train", "val", "test")
    made = {split: [scenes.draw(task, split, n) for n in range(3)] for split in splits}
    seeds = [[scene.world_seed for scene in made[split]] for split in splits]
    assert len({*seeds[0], *seeds[1], *seeds[2]}) == 9
    assert [{seed % 3 for seed in found} for found in seeds] == [{0}, {1}, {2}]


MEADOW = [*["." * 9] * 3, "......c..", *["." * 9] * 5]
FAR = [{"kind": "zombie", "position": (x, 7)} for x in (6, 7)]
WEAK = {**VITALS, "health": 5}  # two blows of 2 would leave 1


def board(rows, **changes):
    """Return a draft on a hand-made map."""
    task = changes.pop("task", Task("collect_coal"))
    land = crafter.games.crafter.start.parse_map(rows, (len(rows[0]), len(rows)))
    fields = {
        "task": task,
        "settings": settings_of(task),
        "plain": ground.Ground(land, task.rules),
        "target": "coal",
        "spawn": (3, 3),
        "clock": 30,
        "vitals": VITALS,
        "inventory": {"wood_pickaxe": 1},
    }
    return draft.Draft(**{**fields, **changes})


ZOMBIE = [{"kind": "zombie", "position": (5, 5)}]
#: A player behind rock, with trees; a cow, coal and water are beyond.
CUT_OFF = """
ccccc~ccccc
c.........c
c.#######.c
c.#.....#.c
c.#.....#.c
c.#.TTT.#.c
c.#######.c
c.........c
ccccccccccc
"""


def meadow(changed=(), **fields):
    """Return a draft on a meadow of which some rows are others."""
    rows = [dict(changed).get(number, row) for number, row in enumerate(MEADOW)]
    return board(rows, **fields)


def cut_off(name, trees, inventory, cow=(9, 7)):
    """Return a draft of a task behind rock."""
    rows = CUT_OFF.replace("TTT", "T" * trees + "." * (3 - trees)).split()
    fields = {"task": Task(name), "spawn": (5, 4), "target": None}
    cows = [{"kind": "cow", "position": cow}]
    return board(rows, **fields, inventory=inventory, mobs=cows)


def fenced(*edits):
    """Return a draft with a cow that is out of reach, and edits."""
    cows = [{"kind": "cow", "position": (9, 4)}]
    fields = {"task": Task("eat_cow"), "spawn": (2, 4), "target": None}
    made = board(["........#.#"] * 9, **fields, inventory={}, mobs=cows)
    assert made.steps.max() > 0  # before the edits
    made.edits += edits
    return made


@pytest.mark.parametrize(
    "made, reason",
    [
        (meadow(), None),
        (meadow(mobs=FAR), None),
        (meadow(marks={"a": (5, 5, 9, 1)}), "marks"),
        (meadow(spawn=(1, 3)), "edge"),
        (
            meadow({n: "~" * 9 for n in range(9) if n != 3}, spawn=(3, 2)),
            "spawn_blocked",
        ),
        (meadow({4: "...%....."}), "spawn_danger"),
        (meadow(mobs=ZOMBIE), "spawn_danger"),
        (meadow(mobs=FAR, vitals=WEAK), "outnumbered"),
        (meadow(mobs=FAR, vitals=WEAK, inventory={"iron_sword": 1}), "outnumbered"),
        (meadow({3: "." * 9}), "target_missing"),
        (meadow(spawn=(5, 3), inventory={}), "target_far"),
        (
            meadow({2: ".....~~~.", 3: ".....~c~.", 4: ".....~~~."}, inventory={}),
            "unreachable",
        ),
        # A table and a pickaxe take three wood.
        (cut_off("collect_coal", 2, {}), "unreachable"),
        (cut_off("collect_coal", 3, {}), None),
        (cut_off("collect_coal", 2, {"wood": 1}), None),
        (cut_off("collect_coal", 0, {"wood_pickaxe": 1}), None),
        (cut_off("collect_drink", 2, {}), "unreachable"),
        (cut_off("collect_drink", 3, {}), None),
        # There is no room for other cows within the walls.
        (cut_off("eat_cow", 2, {}), "unreachable"),
        (cut_off("eat_cow", 2, {}, (4, 4)), None),
        (cut_off("eat_cow", 3, {}), None),
        (cut_off("collect_wood", 2, {}), None),
        (cut_off("make_wood_pickaxe", 2, {}), "unreachable"),
        # Others have room to appear, but walls of the scene itself count, too.
        (fenced(), None),
        (fenced(*(("set", 3, y, "stone") for y in range(9))), "unreachable"),
    ],
)
def test_a_draft_is_refused_for_a_reason(made, reason):
    assert checks.problem(made) == reason


def test_repairs_mend_what_they_can():
    made = board(["." * 12] * 12, mobs=ZOMBIE, spawn=(5, 4))
    assert checks.mended(made, Draws("a")) is None
    assert made.repaired == ["spawn_danger", "target_missing"]
    made.mobs += ZOMBIE
    assert checks.mended(made, Draws("a")) == "spawn_danger"  # once is enough
    made.spawn = (1, 4)
    assert checks.mended(made, Draws("a")) == "edge"


def test_a_player_without_defence_gets_health_light_and_fewer_enemies():
    task = Task("place_table", "hard")
    fields = {"task": task, "target": None, "clock": 180, "inventory": {}}
    mobs = [{"kind": "zombie", "position": (x, 7)} for x in (1, 5, 6, 7)]
    rows = ["." * 20] * 20
    made = board(rows, mobs=mobs, **{**fields, "vitals": {**VITALS, "health": 3}})
    assert checks.problem(made) == "outnumbered"
    assert checks.mended(made, Draws("a")) != "outnumbered"
    assert made.vitals["health"] == made.settings.vitals["health"][1]
    assert len(made.mobs) == 1 and made.clock < 180
    fields |= {"vitals": {**VITALS, "health": 6}, "inventory": {"stone_sword": 1}}
    assert checks.problem(board(rows, **fields)) != "outnumbered"  # by night, too


def test_a_scene_whose_goal_is_reached_is_no_scene():
    task = Task("reach(inv.wood >= 2)")
    made = board(["." * 12] * 12, task=task)
    assert checks.settled(made, scene(inventory={"wood": 2})) == "goal_true"
    assert checks.settled(made, scene(inventory={"wood": 1})) is None
    made = board(["." * 12] * 12, task=Task("collect_coal & ~reach(food <= 4)"))
    assert checks.settled(made, scene(vitals={"food": 4})) == "goal_failed"


def test_doing_nothing_is_found_out():
    idle = Task("(~died).within(3)")
    assert is_trivial(idle, scene(task=idle.name))
    task = Task("collect_diamond & ~act_noop", "hard")
    assert not is_trivial(task, scene(task=task.name))
    easy = Task("act_do | act_sleep | act_move_left", "hard")
    assert is_trivial(easy, scene(task=easy.name))
    assert not is_trivial(Task(easy.goal), scene(task=easy.name))


# Commands.


def test_packs_are_made_and_looked_at(tmp_path, capsys):
    pack, picture = str(tmp_path / "a.jsonl.gz"), tmp_path / "a.png"
    order = ["generate", "place_stone", "--difficulty", "simple", "--split", "val"]
    assert main([*order, "--count", "2", "--out", pack]) == 0
    out = capsys.readouterr().out
    assert "Accepted" in out and "place_stone" in out
    found = scenes.read(pack)
    assert [s.index for s in found] == [0, 1]
    assert main(["scene", "show", pack, "--index", "1"]) == 0
    assert Scene.from_data(yaml.safe_load(capsys.readouterr().out)) == found[1]
    assert main(["scene", "render", pack, "--out", str(picture)]) == 0
    assert picture.stat().st_size > 1000
    assert main(["scene", "show", pack, "--index", "7"]) == 2
    for option in (["--difficulty", "hard"], ["--split", "val"]):
        capsys.readouterr()
        assert main(["scene", "show", pack, *option]) == 2
        assert f"{option[0]} does not apply" in capsys.readouterr().err


def test_an_interrupted_generation_goes_on(tmp_path, monkeypatch):
    from crafter.tasks.episodes import generation

    orders = [(Task("place_stone"), 2), (Task("collect_coal", "medium"), 1)]
    whole, parted = tmp_path / "whole.jsonl", tmp_path / "parted.jsonl"
    generation.generate(orders, whole, "val", log=lambda line: None)

    def stop(line):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generation.generate(orders, parted, "val", log=stop)
    unfinished = tmp_path / "parted.jsonl.unfinished.jsonl"
    with unfinished.open("a") as file:
        file.write('{"key": "cut')  # as if it had been killed while writing
    drawn = []
    original = generation.draw
    monkeypatch.setattr(
        generation,
        "draw",
        lambda *a, **k: drawn.append(a[2]) or original(*a, **k),
    )
    generation.generate(orders, parted, "val", log=lambda line: None)
    assert parted.read_bytes() == whole.read_bytes() and not unfinished.exists()
    assert len(drawn) == 2  # the first scene was not made again
