"""Tasks of Craftax: goals, scenes, the solver, and environments."""

from __future__ import annotations

import re

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from crafter.games.craftax import Env
from crafter.games.craftax.tasks.view import TaskView
from crafter.gui.tasks import TaskReplay
from crafter.lm import CrafterACI
from crafter.lm.agents.base import Message, briefing_of
from crafter.lm.agents.players import OracleAgent
from crafter.tasks import Task, TaskSyntaxError, all_tasks, parse_condition, scenes
from crafter.tasks.catalogue import files
from crafter.tasks.cli import main
from crafter.tasks.env.replay import replay
from crafter.tasks.episodes import results, suites
from crafter.tasks.episodes.generation import is_trivial
from crafter.tasks.episodes.play import EpisodeSpec, episode
from crafter.tasks.episodes.solutions import check, solve
from crafter.tasks.game import find
from crafter.tasks.language.encoding import LENGTH, encode
from crafter.tasks.language.goals import walk_over
from crafter.tasks.language.tracker import Tracker

GAME = find("craftax")
RULES = GAME.rules
CATALOGUE = all_tasks(GAME)

PICKAXE = "make_wood_pickaxe"
#: Rows of a small hand-made room of the dungeon; the rest is wall.
ROOM = ["...>", "._C.", "<...", "~I.t"]


def room(**options):
    """Return an environment that starts in the room, at cell (1, 1)."""
    rows = [row.ljust(48, "W") for row in ROOM] + ["W" * 48] * (48 - len(ROOM))
    env = Env("semantic", events=True)
    given = {"floor": 1, "floors": {1: rows}, "position": (1, 1), "facing": "right"}
    env.reset(seed=1, options={**given, **options})
    return env


def own(**amounts):
    return {"inventory": amounts}


def mob(name, cell):
    return {"creatures": [(name, cell)]}


def holds(text, env):
    return parse_condition(text, RULES).holds(TaskView(env))


@pytest.mark.parametrize(
    "text, options",
    [
        ("floor('dungeon') & ~floor('overworld')", {}),
        ("(floor_number == 1) & (kills == 0) & (boss_hits == 0) & ~boss_open", {}),
        ("way_open", {"floor": 0, "floors": {}, "position": None}),
        ("~way_open & ~asleep & ~resting & day", {}),
        ("facing('chest') & on('path') & near('chest') & ~near('ladder_down')", {}),
        ("near('ladder_down', 2) & sees('ladder_up') & sees('water')", {}),
        ("(inv.potion_red == 2) & (potions_known == 0)", own(potion_red=2)),
        ("(health == 3) & (mana >= 9) & (food > 8)", own(health=3)),
        ("(strength == 4) & (xp == 1)", own(strength=4, xp=1)),
        ("(inv.sword >= 3) & (armour == 3)", own(sword=3, helmet=2, boots=1)),
        ("knows('iceball') & (spells == 1)", {"spells": ["iceball"]}),
        ("~enchanted('sword') & ~enchanted('helmet', 'fire')", {}),
        ("around('orc_soldier', 2) & hostile_within(2)", mob("orc_soldier", (0, 2))),
        ("in_line('snail', 2) & ~hostile_within(9)", mob("snail", (1, 0))),
        ("(glow == 1) & ~shot_within(9) & still(1) | (light > 2)", {}),
    ],
)  # fmt: skip
def test_conditions_hold(text, options):
    given = {n: v for n, v in options.items() if v is not None}
    env = room(**given) if "floors" not in given else Env("semantic", events=True)
    if "floors" in given:
        env.reset(seed=1)
    if "still" in text:
        view = TaskView(env)
        env.step(0)
        view.advance(())
        assert parse_condition(text, RULES).holds(view)
        return
    assert holds(text, env)


@pytest.mark.parametrize(
    "goal, inventory, actions",
    [
        ("open_chest & reach(on('path'))", {}, "do"),
        ("drink_potion", {"potion_pink": 1}, "drink_potion_pink"),
        ("reach(potions_known >= 1)", {"potion_red": 1}, "drink_potion_red"),
        ("event('read')", {"books": 1}, "read_book"),
        ("reach(spells >= 1)", {"books": 1}, "read_book"),
        ("event('levelled_up', attribute='strength')", {"xp": 1}, "level_up_strength"),
        ("shoot_arrow", {"bow": 1, "arrows": 1}, "shoot_arrow"),
        ("place_torch.where('dungeon')", {"torches": 1}, "down right place_torch"),
        ("enter_overworld", {}, "down left ascend"),
        ("enchant_sword & reach(enchanted('sword', 'ice'))",
         {"sword": 1, "sapphire": 1, "intelligence": 2, "mana": 9},
         "down down enchant_sword"),
        (f"{PICKAXE}.using('none:sword')", {"wood": 1}, f"down right {PICKAXE}"),
        ("event('saw', what='chest')", {}, "noop"),
        ("slept", {"energy": 3}, "sleep"),
    ],
)  # fmt: skip
def test_goals_are_done_by_what_happens(goal, inventory, actions):
    env = room(inventory=inventory)
    tracker = Tracker(TaskView(env), Task(goal, rules=RULES).goal, 50)
    for action in actions.split():
        assert not tracker.monitor.verdict.final
        *_, info = env.step(env.action_names.index(action))
        tracker.step(action, info["events"])
    assert tracker.monitor.verdict == "DONE"


@pytest.mark.parametrize(
    "text, message",
    [
        ("event('entered', floor='dungeon')", "There are 0, 1"),
        ("reach(floor('cellar'))", "floor: name must be one of"),
        ("reach(knows('fire'))", "Unknown spell 'fire'"),
        ("reach(inv.golds > 1)", "Unknown item 'golds'"),
        ("defeat_cow", "Unknown name 'defeat_cow'"),
        ("collect_wood.using('gold_sword')", "expected a tier and a kind"),
        ("reach(built('hut'))", "Unknown structure 'hut'"),
    ],
)
def test_mistakes_are_explained(text, message):
    with pytest.raises(TaskSyntaxError, match=re.escape(message)):
        Task(text, rules=RULES)


# The catalogue and its scenes.


def test_there_are_60_tasks_and_more_with_words():
    assert len(CATALOGUE) >= 60
    goals = [spec.goal for spec in CATALOGUE.values()]
    assert len(set(goals)) == len(goals)
    for name, spec in CATALOGUE.items():
        texts = [*spec.texts, *spec.held_out]
        assert len(spec.texts) >= 2 and spec.held_out, name
        assert len(set(texts)) == len(texts), name
        task = Task(name, rules=RULES)
        numbers = set(re.findall(r"\d+", str(walk_over(task.goal))))
        for text in (*texts, task.generated_text()):
            assert set(re.findall(r"\d+", re.sub("{.*?}", "", text))) <= numbers | {"3"}
        assert encode(task.goal, RULES).shape == (LENGTH,)


def test_scenes_begin_on_every_floor_and_splits_share_no_world():
    floors = {
        scene.get("floor") for s in CATALOGUE.values() for scene in s.scene.values()
    }
    assert floors - {None} == set(list(RULES.floors)[1:])
    task = Task("collect_diamond", "hard", RULES)
    made = [scenes.draw(task, split, 0) for split in ("train", "val", "test")]
    assert [scene.world_seed % 3 for scene in made] == [0, 1, 2]
    assert scenes.draw(task, "val", 0) == made[1] and made[1].creatures
    assert scenes.GivenUp and made[0].wording.startswith("test")


@pytest.mark.parametrize("name", ["enter_dungeon", "light_the_mines", "enchant_bow"])
@pytest.mark.parametrize("level", files.levels())
def test_nobody_succeeds_without_trying(name, level):
    task = Task(name, level, RULES)
    assert not is_trivial(task, scenes.draw(task, "val", 2))


def test_solutions_that_come_along_are_solutions():
    solved = [r for r in results.shipped(GAME) if r.certificate and r.steps < 100]
    assert len({one.task for one in solved}) >= 60
    for one in solved[:: len(solved) // 20]:
        task = Task(one.task, one.level, RULES)
        scene = scenes.draw(task, "test", one.index)
        assert scene.hash == one.scene and check(task, scene, one.certificate) is None


def test_the_solver_says_why_it_gave_up():
    task = Task("event('removed')", rules=RULES)
    scene = scenes.draw(Task("collect_coal", rules=RULES), "test", 0)
    assert solve(task, scene).reason == "no_method:removed"


# Playing.


def test_it_is_a_gymnasium_environment():
    env = gymnasium.make(
        "CraftaxTask-v1", task="defeat_knight", goal_obs=["text", "id", "tree"]
    )
    obs, info = env.reset(seed=1)
    assert obs["text"] == "Defeat a knight." and info["floor"] == 4
    assert list(CATALOGUE)[obs["id"]] == "defeat_knight"
    env = gymnasium.make("CraftaxTask-v1", task="place_table")
    check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make(
        "CrafterMultiTask-v1", suite=["place_table", "defeat_lizard"], game="craftax"
    )
    assert many.reset(seed=0)[1]["task"]["name"] in ("place_table", "defeat_lizard")
    with pytest.raises(ValueError, match="default parameters"):
        gymnasium.make("CraftaxTask-v1", god_mode=True)


def test_records_are_replayed(tmp_path):
    spec, path = EpisodeSpec("arrow_kill", "simple", 0, game="craftax"), tmp_path / "a"
    assert episode(spec, GAME.solver, "oracle", path).solved
    assert '"shot"' in path.read_text() and replay(path) is None
    assert TaskReplay(path).status().task.text == "Defeat a gnome archer with an arrow."


def test_commands_take_the_game(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = ["--game", "craftax"]
    assert main(["list", *game, "--category", "magic"]) == 0
    assert main(["show", "enter_dungeon", *game]) == 0 == main(["lint", *game])
    assert main(["scene", "render", "find_chest", *game, "--out", "a.png"]) == 0
    assert "enter_dungeon (descend)" in capsys.readouterr().out
    run = ["run", "--suite", "craftax-smoke", "--out", "runs", "--quiet"]
    assert main([*run, "--agent", "noop", "--record"]) == 0
    assert len(suites.suite("craftax-smoke").entries) == 6
    assert main(["score", "runs"]) == main(["page", "rate", "runs", "--out", "p"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == told[1] and "Craftax has no scores of attempts" in told[0]


def test_the_solver_plays_through_text():
    aci = CrafterACI(game="craftax", task="collect_iron", seed=0)
    agent = OracleAgent()
    agent.reset(briefing_of(aci))
    while not aci.done:
        aci.act(agent.act(Message("", {})))
    assert aci.goal.verdict == "DONE"


def test_the_app_shows_the_task(drive):
    driver = drive("--game", "craftax", "--task", "drink_potion", "--seed", "1")
    assert driver.source.status().task.text == "Find a potion and drink it."
    assert driver.picture().std() > 0 and driver.panel().std() > 0
