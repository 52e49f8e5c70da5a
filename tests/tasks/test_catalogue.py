"""Tasks: files, the catalogue, instructions, scenes, and the linter."""

from __future__ import annotations

import re

import pytest

from crafter.games.crafter.rules import load
from crafter.games.crafter.tasks.scenes.settings import settings_of
from crafter.tasks import Task, TaskFileError, all_tasks, parse, scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.files import categories
from crafter.tasks.cli import main
from crafter.tasks.game import find
from crafter.tasks.language.encoding import LENGTH, encode, vocabulary
from crafter.tasks.language.goals import walk_over
from crafter.tasks.language.instructions import instruction
from crafter.tasks.scenes import lint

TEN_LINES = """
version: 1
name: night_smith
category: compositional
goal: (place_table >> make_stone_sword).when(night) & ~damaged
text:
  - Build a table and then make a stone sword during the night, without being hit.
  - {text: Make a stone sword at a table of your own by night., split: test}
budget: {simple: 300, medium: 800, hard: 1600}
needs: [tree, stone]
scene:
  simple: {clock: [150, 160], inventory: {wood: 6, stone: 2, wood_pickaxe: 1}}
tags: [craft, night]
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="task.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


# The catalogue.


def test_there_are_at_least_100_atomic_tasks_and_no_two_are_the_same():
    atomic = [s for s in all_tasks().values() if s.category != "compositional"]
    goals = [str(parse(spec.goal)) for spec in atomic]
    assert len(atomic) >= 100 and len(set(goals)) == len(goals)


def test_names_are_unique_and_categories_are_files():
    paths = list((find().data / "catalogue").glob("*.yaml"))
    for path in paths:
        assert {spec.category for spec in files.load(path)} == {path.stem}
    count = sum(len(files.load(path)) for path in paths)
    assert count == len(all_tasks())


def of(category):
    """Return the tasks of a category by name."""
    return {n: spec for n, spec in all_tasks().items() if spec.category == category}


@pytest.mark.parametrize("category", categories())
def test_tasks_are_complete(category):
    for name, spec in of(category).items():
        texts = [*spec.texts, *spec.held_out]
        assert len(spec.texts) >= 2 and len(spec.held_out) >= 1, name
        assert len(set(texts)) == len(texts), name
        for level in files.levels():
            task = Task(name, level)
            assert settings_of(task).vitals.keys() >= {"health", "food"}, name
            texts = [*task.texts("train"), *task.texts("test"), task.generated_text()]
            assert all(not set(text) & set("{}") for text in texts), name
            if category != "compositional":
                assert all(len(text) <= 300 for text in texts), texts
            assert encode(task.goal, task.rules).shape == (LENGTH,), name


@pytest.mark.parametrize("category", sorted(set(categories()) - {"compositional"}))
def test_numbers_in_a_text_are_those_of_the_goal(category):
    for spec in of(category).values():
        goal = re.sub(r"'[#.?TFP/]+'", "", str(walk_over(parse(spec.goal))))
        known = set(re.findall(r"\d+(?:\.\d+)?", goal)) | {"1", "0"}
        known |= {f"{100 * float(number):g}" for number in known}  # in per cent
        for text in (*spec.texts, *spec.held_out):
            assert set(re.findall(r"\d+(?:\.\d+)?", text)) <= known, text


@pytest.mark.parametrize("category", categories())
def test_texts_name_what_the_goal_is_about(category):
    usual = {"placed", "collected", "made", "defeated", "ate", "woke", "rested"}
    usual |= {"hit", "fell_asleep"}
    extra = {"woods": "wood", "drink": "drink"}
    pattern = r"what='(\w+)'|kind='(\w+)'|inv\.(\w+)|'(\w+)'"
    for name, spec in of(category).items():
        words = set(re.findall(pattern, spec.goal))
        stems = {word[:5].lower() for found in words for word in found if len(word) > 2}
        wanted = [extra.get(s, s) for s in stems - {u[:5] for u in usual}]
        for text in spec.texts:
            said = text.lower().replace("_", " ")
            assert not wanted or any(s.split("_")[0] in said for s in wanted), name


def test_the_catalogue_has_nothing_to_object_to(capsys):
    assert main(["lint"]) == 0
    assert capsys.readouterr().out == "No findings.\n"


# Task files.


def test_a_task_is_added_in_ten_lines(write):
    path = write(TEN_LINES)
    task = Task(path)
    assert task.name == "night_smith" and task.budget == 300
    assert task.scene["inventory"]["wood"] == 6
    scene = scenes.draw(task, "train", 4)
    assert 150 <= scene.clock <= 160 and scene.inventory["stone"] == 2
    assert main(["lint", path]) == 0 and main(["show", path]) == 0


def test_files_may_hold_several_tasks(write):
    other = TEN_LINES.replace("night_smith", "other_smith")
    path = write(f"{TEN_LINES}\n---\n{other}")
    assert [spec.name for spec in files.load(path)] == ["night_smith", "other_smith"]
    assert Task(f"{path}:other_smith").name == "other_smith"
    with pytest.raises(TaskFileError, match="choose one of the tasks"):
        Task(path)
    with pytest.raises(TaskFileError, match="there is no 'third'"):
        Task(f"{path}:third")


@pytest.mark.parametrize(
    "change, message",
    [
        (("version: 1", "version: 2"), "version must be one of 1, got 2"),
        (
            ("name: night_smith", "name: Night"),
            "name must be a name such as night_smith",
        ),
        (("goal: (", "goal: 3 #"), "goal must be a text, got 3"),
        (("simple: 300,", ""), "budget.simple is missing"),
        (("{simple: 300, medium: 800, hard: 1600}", "Z"), "budget must be one of XS"),
        (("[tree, stone]", "tree"), "needs must be a list"),
        (
            ("clock: [150, 160]", "clock: [160, 150]"),
            "scene.simple.clock must be a number or",
        ),
        (("wood: 6", "wood: lots"), "scene.simple.inventory.wood must be a number"),
        (("simple: {clock", "easy: {clock"), "'easy' is unknown"),
        (("[tree, stone]", "[unicorn]"), "needs.0 must be one of water, grass"),
        (("tags: [", "criteria: {task_progress: a}\ntags: ["), "expected 1 to 6 lines"),
        (("wood: 6", "wood: 30"), "inventory.wood must be an integer from 0 to 9"),
        (("wood: 6", "wod: 6"), "scene.simple.inventory: 'wod' is unknown; valid"),
    ],
)
def test_a_wrong_field_is_named(write, change, message):
    text = TEN_LINES.replace(*change)
    assert text != TEN_LINES
    with pytest.raises(TaskFileError) as error:
        files.load(write(text))
    assert message in str(error.value) and "task.yaml" in str(error.value)


@pytest.mark.parametrize(
    "setting, message",
    [
        ("threat: 9", "threat must be a mapping"),
        ("threat: {free: [1, 2]}", "threat.free must be an integer"),
        ("edits: 3", "edits must be a list, got 3"),
        ("edits: [x]", "edits.0: An edit must be a list such as"),
        ("edits: [[set, 1, 1, stoone]]", "edits.0: The material of the edit"),
        ("edits: [[disc, 1, 1, -1, stone]]", "edits.0: The radius of the edit"),
        ("vitals: {health: 0}", "vitals.health must be an integer from 1 to 9, got 0"),
        ("vitals: {food: [0, 12]}", "vitals.food must be an integer from 0 to 9, got"),
        ("clock: 500", "clock must be an integer from 0 to 299, got 500"),
        ("near: [{what: tabel}]", "near.0.what must be one of water"),
        ("features: [{what: volcano, ring: 3}]", "features.0.what must be one of"),
        ("features: [{what: grove}]", "features.0.ring is missing"),
        ("marks: {a: [1, 2]}", "marks.a must be a list of 4"),
        ("terrain: [{what: volcano}]", "terrain.0.what must be one of maze"),
        ("terrain: [{what: maze, radius: 3}]", "terrain.0: 'radius' is unknown"),
    ],
)
def test_a_wrong_start_is_named(write, setting, message):
    text = TEN_LINES.replace("clock: [150, 160]", setting)
    with pytest.raises(TaskFileError) as error:
        files.load(write(text))
    assert f"(night_smith): scene.simple.{message}" in str(error.value)


@pytest.mark.parametrize(
    "setting",
    [
        "threat: {extra: 2, ring: 6}",
        "distance: {band: 5}",
        "distance: 5",
        "obstruction: 1",
        "edits: [[set, -3, -4, stone], [line, -2, 0, 2, 0, sand]]",
        "vitals: {health: 1, food: 0}, clock: 299",
    ],
)
def test_what_passes_the_schema_makes_a_scene(write, setting):
    text = TEN_LINES.replace("clock: [150, 160]", setting)
    scene = scenes.draw(Task(write(text)), "train", 0)
    assert scene.task == "night_smith" and scene.inventory["wood"] == 6


def test_a_file_is_checked_by_the_rules_that_it_is_used_with(write):
    path = write(TEN_LINES.replace("wood: 6", "wood: 30"))
    rules = load({"items": {"wood": {"max": 40}}, "time": {"day": 155}})
    with pytest.raises(TaskFileError, match="from 0 to 154"):
        Task(path, rules=rules)
    rules = load({"items": {"wood": {"max": 40}}})
    assert Task(path, rules=rules).scene["inventory"]["wood"] == 30
    assert lint.lint_file(path, rules) == []
    assert len(lint.lint_file(path)) == 1


@pytest.mark.parametrize("text", ["", "3", "[1]", "{", "a: b: c", "\x00"])
def test_what_is_no_task_file_is_refused(write, tmp_path, text):
    with pytest.raises(TaskFileError):
        files.load(write(text))
    with pytest.raises(TaskFileError, match="No such file"):
        Task(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "text, place",
    [
        (
            "name: x\ngoal: !!python/object/apply:os.system ['true']\ntext: x",
            "line 2, column 7",
        ),
        ("name: x\ngoal: \"__import__('os')\"\ntext: x", "line 1, column 1"),
        ("name: x\ngoal: hurt.__class__\ntext: x", "line 1, column 6"),
    ],
)
def test_hostile_files_are_refused_with_the_place(write, text, place, capsys):
    path = write(text)
    assert main(["lint", path]) == 1
    assert place in capsys.readouterr().out
    with pytest.raises(ValueError, match=place):
        Task(path)


# The linter.


@pytest.mark.parametrize(
    "goal, message",
    [
        ("reach(inv.wood >= 10)", "the player can have at most 9"),
        ("event('collected', what='gold')", "Unknown what of the event 'collected'"),
        ("hurt & ~event('ate', what='zombie')", "There are cow, plant"),
        ("reach(near('gold', 1))", "Unknown material or object 'gold'"),
        ("died.when(inv.wood >= 10)", "the player can have at most 9"),
        ("died.without(reach(inv.wood >= 10))", "the player can have at most 9"),
        ("died.when(night & ~night)", "never holds"),
        ("died.where(in_mark('mazee'))", "no scene marks that; there are ["),
        ("reach(inv.wood >= 0)", "true at the start already"),
        ("hurt & ~hurt", "asks for hurt and forbids it"),
        ("reach(night & ~night)", "never holds"),
        ("colect_iron", "Did you mean collect_iron?"),
    ],
)
def test_the_linter_says_what_cannot_be_meant(write, goal, message, capsys):
    path = write(f'name: x\ngoal: "{goal}"\ntext: x\nbudget: XS\n')
    code = main(["lint", path])
    assert code == 1 and message in capsys.readouterr().out


def test_a_cost_that_the_rules_lack_is_an_error(write, capsys):
    path = write("name: x\ngoal: hurt\ntext: 'It takes {cost(tabel)}.'\n")
    assert main(["lint", path]) == 1
    assert "unknown recipe" in capsys.readouterr().out


# Rules.


def test_costs_follow_the_rules():
    rules = load({"place": {"table": {"uses": {"wood": 5}}}})
    assert "5 wood" in Task("place_table", "simple", rules).text()
    assert "2 wood" in Task("place_table").text()
    scene = scenes.draw(Task("place_table", "medium", rules), "train", 0)
    assert scene.inventory["wood"] == 5


def test_amounts_stay_within_the_maximum():
    rules = load({"items": {"wood": {"max": 3}}})
    task = Task("make_stone_sword", "simple", rules)
    assert scenes.draw(task, "train", 0).inventory["wood"] == 3


def test_what_the_rules_lack_cannot_be_given():
    without = {"make": {"iron_pickaxe": None}, "items": {"iron_pickaxe": None}}
    rules = load({**without, "collect": {"diamond": None}})
    with pytest.raises(ValueError, match="which the rules lack"):
        scenes.draw(Task("stock_diamonds", "simple", rules), "train", 0)


# Instructions and levels.


@pytest.mark.parametrize(
    "goal, text",
    [
        ("collect_iron & ~damaged", "Collect iron and never be hurt by a zombie, an "
         "arrow or lava."),
        ("place_table.where('forest')", "Place a table in a forest."),
        ("hurt.times(3).within(20)", "Be hurt 3 times within 20 steps."),
        ("slept >> reach(night, hold=5)", "Fall asleep, and then make sure that it "
         "is night for 5 steps in a row."),
        ("reach(inv.coal >= 3)", "Have at least 3 coal."),
        ("reach(inv.iron_sword >= 1) & ~reach(food <= 3)", "Have an iron sword and "
         "never have 3 food or less."),
        ("(~died).within(9) >> reach(drink >= 1)", "Stay alive for 9 steps, and then "
         "have at least 1 drink."),
        ("slept.using('none:sword')", "Fall asleep without owning a sword."),
    ],
)  # fmt: skip
def test_an_instruction_is_made_from_the_goal(goal, text):
    assert instruction(parse(goal)) == text


def test_only_train_and_test_have_wordings():
    with pytest.raises(ValueError, match="split must be"):
        Task("collect_wood").texts("val")


def test_tasks_from_scratch_begin_with_nothing():
    spec_like = Task("stock_iron.from_scratch()")
    assert spec_like.from_scratch and scenes.draw(spec_like, "train", 0).inventory == {}


def test_encodings_are_told_apart_and_padded():
    task = Task("collect_wood")
    words = vocabulary(task.rules)
    first = encode(parse("hurt"), task.rules)
    assert words[first[0]] == "Event" and words[first[1]] == "hurt"
    assert words[first[-1]] == "pad"
    numbers = {tuple(encode(parse(s.goal), task.rules)) for s in all_tasks().values()}
    assert len(numbers) == len({parse(s.goal) for s in all_tasks().values()})


def test_a_goal_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="at most 64 fit"):
        encode(parse("hurt" + " >> died" * 30), Task("collect_wood").rules)


# The command.


def test_the_command_lists_and_shows(capsys):
    assert main(["list", "--category", "trap"]) == 0
    assert "trap_cow" in capsys.readouterr().out
    assert main(["list", "--tag", "turbo", "--json"]) == 0
    assert '"name": "collect_wood"' in capsys.readouterr().out
    assert main(["list", "--tag", "none"]) == 1
    assert main(["show", "collect_iron & ~damaged", "--difficulty", "hard"]) == 0
    assert "not: ~damaged" in capsys.readouterr().out
    assert main(["show", "collect_iorn"]) == 2
    assert "Did you mean collect_iron" in capsys.readouterr().err


def test_wrong_use_of_the_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2
    assert main(["replay", "nothing.jsonl"]) == 2
