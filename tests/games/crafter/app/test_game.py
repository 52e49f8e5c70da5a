"""What the window says of a game of Crafter."""

import functools

import pytest
from helpers import mistakes

import crafter
from crafter.core import events
from crafter.games.crafter import constants
from crafter.games.crafter.app.adapter import App, Words
from crafter.games.crafter.rules import default

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
    """Return what is said of a step."""
    _, _, _, _, info = env.step(env.action_names.index(action))
    return GAME.messages(info["events"], env.snapshot())


FAILURES = """
action: place_table, inventory: {wood: 1} => Table needs 2 wood, you have 1.
action: place_furnace, inventory: {stone: 3} => Furnace needs 4 stone, you have 3.
action: place_plant, front: T, inventory: {sapling: 1}
  => Plant can only be placed on grass.
action: place_table, front: "~", inventory: {wood: 2}
  => Table can only be placed on grass, sand or path.
action: place_plant, front: C, inventory: {sapling: 1} => Something stands in the way.
action: make_wood_pickaxe, near: t => Wood pickaxe needs 1 wood, you have 0.
action: make_wood_pickaxe, inventory: {wood: 1} => Wood pickaxe needs a table nearby.
action: make_iron_sword, near: t, inventory: {wood: 1, iron: 1}
  => Iron sword needs a furnace nearby, and 1 coal, you have 0.
action: make_stone_sword, near: t
  => Stone sword needs 1 wood, you have 0; 1 stone, you have 0.
action: do, front: "#" => Stone needs a wood pickaxe.
action: do, front: d => Diamond needs an iron pickaxe.
action: do, front: t => There is nothing to use.
action: do, front: P => The plant is not ripe yet.
action: do, front: T, inventory: {wood: 9} => You cannot carry more than 9 wood.
action: sleep => You are not tired: energy is full.
"""
WOUNDS = """
by: [zombie] => A zombie hits you: health -2.
by: [hunger, thirst] => Hunger weakens you and thirst weakens you: health -2.
by: [big_bear] => A big bear hits you: health -2.
"""
DEATHS = """
causes: [lava] => You walked into lava.
causes: [arrow] => You were shot by a skeleton.
causes: [hunger] => You starved.
causes: [zombie, zombie] => You were killed by a zombie.
causes: [big_bear] => You were killed by a big bear.
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


def test_failure_at_the_edge_is_explained():
    env = shared_env()
    rows = ["." * 9] * 8 + ["@t" + "." * 7]
    env.reset(options={"map": rows, "inventory": {"wood": 1}})
    (said,) = told(env, "make_wood_sword")
    assert said.startswith("At the left and upper edge of the world")
    assert GAME.possible(env).get("make_wood_sword") is None


def test_chance_that_failed_is_told():
    env = make()
    for _ in range(50):
        said = told(env, "do")
        if said:
            break
    assert said == ["No sapling this time: try again."]


@pytest.mark.parametrize("action", ["noop", "move_left", "move_right"])
def test_what_works_needs_no_words(action):
    assert told(make(), action) == []


@pytest.mark.parametrize(("event", "said"), mistakes(WOUNDS))
def test_wounds_are_told_with_their_cause(event, said):
    event |= {"type": "hurt", "amount": 2, "id": None}
    assert GAME.messages([event], make().snapshot()) == [said]


def test_vitals_are_told_when_they_become_low():
    def fall(frm, to):
        event = {"type": "vital", "name": "food", "frm": frm, "to": to}
        return GAME.messages([event], make().snapshot())

    assert fall(5, 4) == [] and fall(4, 3) == ["Food is low."] and fall(3, 2) == []
    assert fall(3, 4) == []


def test_every_reason_has_words():
    """With what the rules emit for it."""
    now = make().snapshot()
    for reason in events.REASONS:
        action = {"no_station": "make_iron_sword", "no_item": "place_table"}
        missing = {"no_station": {"table": 1, "furnace": 1}, "no_item": {"wood": 2}}
        missing["no_tool"] = {"iron_pickaxe": 1}
        event = {"type": "rejected", "action": action.get(reason, "do")}
        event |= {"reason": reason, "missing": missing.get(reason, {})}
        (said,) = GAME.messages([event], now)
        assert said[0].isupper() and said.endswith(".")


@pytest.mark.parametrize(("death", "said"), mistakes(DEATHS))
def test_deaths_have_a_cause(death, said):
    event = {"type": "died", "by": death["causes"]}
    assert Words(GAME, event, None).death == said


def test_recipes_are_those_of_the_rules():
    needs = GAME.needs
    assert needs["place_table"] == "2 wood"
    assert needs["make_stone_pickaxe"] == "1 wood and 1 stone, near a table"
    assert needs["make_iron_sword"] == (
        "1 wood, 1 coal and 1 iron, near a table and a furnace"
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
