"""Crafter in the app: messages, reachable achievements, map."""

import dataclasses
import functools

import numpy as np
import pytest
from helpers import mistakes

import crafter
from crafter.games.crafter import constants
from crafter.games.crafter.app.adapter import App
from crafter.games.crafter.rules import default
from crafter.gui.source import Memory

GAME = App(default())


@functools.cache
def shared_env():
    return crafter.Env(area=(9, 9), seed=0, events=True)


def make(front=".", inventory=None, near=".", **options):
    """Return a small game whose player faces something to the right."""
    rows = ["." * 9] * 4 + [f"...{near}@{front}..."] + ["." * 9] * 4
    env = shared_env()
    start = {"map": rows, "facing": (1, 0), "inventory": inventory or {}, **options}
    env.reset(options=start)
    return env


def told(env, action):
    """Return the messages after a step."""
    env.step(env.action_names.index(action))
    return GAME.messages(env.snapshot())


def told_of(event):
    """Return the message of an event."""
    return GAME.messages(dataclasses.replace(make().snapshot(), events=(event,)))


FAILURES = """
action: place_table, inventory: {wood: 1}
  => Place table failed: needs 2 wood, you have 1.
action: make_wood_pickaxe, inventory: {wood: 1}
  => Make wood pickaxe failed: no table within one cell.
action: do, front: "#" => Stone needs a wood pickaxe.
action: do, front: P => The plant is not ripe yet.
action: do, front: T, inventory: {wood: 9}
  => You got no more wood, because you cannot carry more than 9.
"""
IN_FRONT = """
front: T => collect_wood
front: . => collect_sapling
front: "~" => collect_drink
front: C => eat_cow
front: Z => defeat_zombie
front: "#", inventory: {wood_pickaxe: 1} => collect_stone
front: "#" =>
front: d, inventory: {stone_pickaxe: 1} =>
front: P =>
front: t =>
"""


@pytest.mark.parametrize(("scene", "said"), mistakes(FAILURES))
def test_failed_actions_are_explained(scene, said):
    action = scene.pop("action")
    assert told(make(**scene), action) == [said]


def test_chance_that_failed_is_told():
    env = make()
    for _ in range(50):
        said = told(env, "do")
        if said:
            break
    assert said == ["You found no sapling this time."]


@pytest.mark.parametrize("action", ["noop", "move_left", "move_right"])
def test_what_works_needs_no_words(action):
    assert told(make(), action) == []


def test_wounds_are_told_with_their_cause():
    now = told_of({"type": "hurt", "amount": 2, "by": ["hunger", "thirst"], "id": None})
    assert now == ["Hunger hurts you and thirst hurts you: health -2."]


def test_a_hit_says_what_is_left():
    env = make("Z")
    assert told(env, "do")[0] == "You hit the zombie: damage 1 (4 of 5 left)."


def test_vitals_are_told_when_they_become_low():
    def fall(frm, to):
        return told_of({"type": "vital", "name": "food", "frm": frm, "to": to})

    assert fall(5, 4) == [] and fall(4, 3) == ["Food fell to 3."] and fall(3, 2) == []
    assert fall(3, 4) == []


def test_deaths_have_a_cause():
    assert GAME.notices.death(["zombie", "thirst"]) == "A zombie and thirst killed you."
    assert GAME.notices.death(["lava"]) == "Lava killed you."
    assert GAME.notices.death([]) == ""


def test_recipes_are_those_of_the_rules():
    needs = GAME.needs
    assert needs["place_table"] == "2 wood"
    assert needs["make_stone_pickaxe"] == (
        "1 wood and 1 stone, next to a table (diagonals count)"
    )
    assert needs["make_iron_sword"] == (
        "1 wood, 1 coal and 1 iron, next to a table and a furnace (diagonals count)"
    )
    building = [a for a in constants.actions if a.startswith(("place_", "make_"))]
    assert list(needs) == building


@pytest.mark.parametrize("front", [*".#T~CZPtcid%"])
@pytest.mark.parametrize("carried", [0, 1, 4])
def test_what_is_marked_as_possible_works_and_all_else_fails(front, carried):
    items = dict.fromkeys(["wood", "stone", "coal", "iron", "sapling"], carried)
    env = make(front, items, near="t")
    state = env.get_state()
    possible = GAME.possible(env)
    building = [a for a in env.action_names if a.startswith(("place_", "make_"))]
    for action in building:
        env.set_state(state)
        _, _, _, _, info = env.step(env.action_names.index(action))
        worked = info["achievements"][action] == 1
        assert worked == (possible.get(action) == action), action


@pytest.mark.parametrize(("scene", "achievement"), mistakes(IN_FRONT))
def test_what_is_in_front_marks_its_achievement(scene, achievement):
    possible = GAME.possible(make(**scene))
    found = [name for name, action in possible.items() if action == "do"]
    assert found == achievement.split()


def test_ripe_plants_can_be_eaten():
    env = make("P")
    (plant,) = [obj for obj in env.world.objects if obj.kind == "plant"]
    plant.grown = 301
    assert GAME.possible(env)["eat_plant"] == "do"


def test_the_tired_can_sleep_and_sleepers_can_do_nothing():
    env = make(inventory={"energy": 5})
    assert GAME.possible(env)["wake_up"] == "sleep"
    env.step(env.action_names.index("sleep"))
    assert GAME.possible(env) == {}


def test_game_follows_other_rules():
    rules = default().changed(
        {
            "make": {"stone_axe": {"uses": {"stone": 2}, "nearby": [], "gives": 1}},
            "items": {"stone_axe": {"max": 9, "initial": 0}},
        }
    )
    game = App(rules)
    assert game.needs["make_stone_axe"] == "2 stone"
    assert game.keys["7"] == "make_stone_axe"
    assert "23 achievements" in game.goal[0]


def test_map_holds_what_the_view_has_shown_and_is_drawn_from_the_textures():
    env = crafter.Env(area=(24, 30), seed=4, events=True)
    env.reset(options={"daytime": "noon"})
    game = App(default(), env)
    memory = Memory(game)
    now = env.snapshot(whole_map=True)
    memory.see(now)
    x, y = now.position
    rows, columns = np.nonzero(memory.seen[0])
    assert memory.seen.shape == (1, 30, 24) and memory.seen.sum() == 9 * 7
    assert (rows.min(), rows.max()) == (y - 3, y + 3)
    assert (columns.min(), columns.max()) == (x - 4, x + 4)
    seen = memory.seen[0]
    assert np.array_equal(memory.cells[0, ..., 0][seen], now.materials.T[seen])
    pack = App.textures(None)
    cells = np.full((30, 24, 1), default().materials.index("water") + 1, np.uint8)
    picture = game.draw_map(pack, cells)
    assert picture.shape == (30 * 16, 24 * 16, 3)
    assert np.array_equal(picture[-16:, -16:], pack.get("water", (16, 16))[..., :3])
