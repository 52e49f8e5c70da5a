"""Rules as values, and games played with changed ones."""

from __future__ import annotations

import copy
import pathlib

import gymnasium
import numpy as np
import pytest
import yaml
from budget import sample
from helpers import mistakes, scenes, show

import crafter
from crafter.core.ruleset import thaw
from crafter.games.crafter import constants, rules
from crafter.games.crafter.rules import Rules, RulesError, default, load
from crafter.games.crafter.state import StateError

SWORD = {
    "items": {"diamond_sword": {"max": 9, "initial": 0}},
    "make": {
        "diamond_sword": {
            "uses": {"wood": 1, "diamond": 1},
            "nearby": ["table"],
            "gives": 1,
        }
    },
    "damage": {"diamond_sword": 8},
}
BRIDGE = {
    "materials": {"add": ["bridge"]},
    "walkable": {"add": ["bridge"]},
    "walkable_by": {"player": {"add": ["bridge"]}},
    "place": {"bridge": {"uses": {"wood": 1}, "where": ["water"], "type": "material"}},
}
RUBY = {
    "items": {"ruby": {"max": 9, "initial": 0}},
    "materials": {"add": ["ruby"]},
    "collect": {
        "ruby": {
            "require": {"wood_pickaxe": 1},
            "receive": {"ruby": 1},
            "leaves": "path",
        }
    },
    "terrain": {"ores": {"add": [{"material": "ruby", "draw_above": 0.5}]}},
}


def start(changes, picture="", **options):
    """Returns an environment with changed rules and a hand-made map."""
    rows = picture.split() or ["...", ".@.", "..."]
    area = (len(rows[0]), len(rows))
    env = crafter.Env(area, size=(27, 27), events=True, length=None, rules=changes)
    env.reset(seed=0, options={"map": rows, **options})
    return env


def do(env, *actions):
    """Takes actions by name; returns the last info."""
    for action in actions:
        _, reward, _, _, info = env.step(env.action_names.index(action))
    return {**info, "reward": reward}


# The rules value.


def test_the_default_rules_are_those_of_the_file():
    path = pathlib.Path(rules.__file__).with_name("data.yaml")
    data = yaml.safe_load(path.read_text("utf-8"))
    assert thaw(default().data) == data
    assert Rules(data) == default()
    assert hash(Rules(data)) == hash(default())
    assert default() is default() is load() is load(default())


def test_the_names_of_rules_are_those_of_the_constants():
    for name in rules.Rules.__annotations__:
        if name not in ("data", "digest", "walkable_ids"):
            assert thaw(getattr(default(), name)) == thaw(getattr(constants, name)), (
                name
            )


def test_equal_changes_make_equal_rules_and_others_do_not():
    assert load(SWORD) == load(copy.deepcopy(SWORD)) != default()
    assert load({}) == default()
    assert load(SWORD).digest != load(BRIDGE).digest
    assert default() != "rules"
    actions = {"add": ["make_diamond_sword"]}  # the recipe adds it by itself
    assert load({**SWORD, "actions": actions, "achievements": actions}) == load(SWORD)


def test_ids_follow_the_tables():
    value = load(BRIDGE)
    assert value.material_ids["bridge"] == 13
    assert value.object_ids["player"] == 14
    assert value.semantic_names[13:15] == ("bridge", "player")
    assert value.walkable_ids["cow"] == {2, 4, 5, 13}
    assert value.walkable_ids["arrow"] == {1, 2, 4, 5, 7}


# Sources of rules.


def test_a_file_holds_changes_or_all_rules(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(SWORD), "utf-8")
    assert load(path) == load(str(path)) == load(SWORD)
    data = thaw(load(SWORD).data)
    del data["make"]["iron_sword"]
    data["actions"].remove("make_iron_sword")
    data["achievements"].remove("make_iron_sword")
    path.write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    assert "iron_sword" not in load(path).make
    assert load(path) == Rules(data)


def test_errors_in_a_file_name_it(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("make: {iron_sword: {uses: {irn: 1}}}", "utf-8")
    with pytest.raises(
        RulesError, match=r"mine\.yaml: make\.iron_sword\.uses\.irn must"
    ):
        load(path)
    path.write_text("- a\n- b\n", "utf-8")
    with pytest.raises(RulesError, match=r"mine\.yaml: rules must be a mapping"):
        load(path)
    with pytest.raises(RulesError, match="Cannot read the rules"):
        crafter.Env(rules=tmp_path / "nowhere.yaml")


@pytest.mark.parametrize("source", [5, ["a"], b"rules.yaml", True])
def test_rules_of_another_kind_are_refused(source):
    with pytest.raises(
        RulesError, match="rules must be one of published, the path of a"
    ):
        load(source)


def test_rules_come_through_gymnasium(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(SWORD), "utf-8")
    for source in (SWORD, str(path), path, load(SWORD)):
        env = gymnasium.make("CrafterReward-v1", rules=source)
        assert env.unwrapped.rules == load(SWORD)
        added = ["make_diamond_sword"]
        assert env.unwrapped.action_names == [*constants.actions, *added]
        assert env.action_space.n == 18
    assert load(SWORD).achievements == (*constants.achievements, *added)


# Errors.

WRONG = """
make: {iron_sword: {uses: {irn: 1}}} => make.iron_sword.uses.irn must be one of the
make: {iron_sword: {gives: null}} => make.iron_sword.gives is missing.
make: {iron_sword: {give: 1}} => make.iron_sword: 'give' is unknown; valid ones are
place: {stone: {type: thing}} => place.stone.type must be one of material, object, got
place: {stone: {type: object}} => place.stone must be one of the objects that can be
do: {cow: {verb: eat}} => do.cow.verb must be one of the verbs for a cow (strike), got
items: {two words: {}} => items.two words must be a name of letters, digits and
items: {health: null} => items.health is missing; the game needs health.
items: {wood: {initial: 10}} => items.wood.initial must be at most the maximum of 9,
items: {stone: null} => collect.stone.receive.stone must be one of the items (health,
actions: {add: [dance]} => actions.17 must be one of the actions (noop, move_left,
actions: [do] => actions.noop is missing; the game needs noop.
achievements: {add: [fly]} => achievements.22 must be one of the achievements
achievements: {add: [wake_up]} => achievements.22: 'wake_up' appears twice in
materials: [water] => materials.grass is missing; the game needs water, grass,
materials: {add: [cow]} => materials.12: 'cow' is already the name of an object.
objects: {add: [sheep]} => objects.6 must be one of the kinds (player, cow, zombie,
directions: {left: [1, 0]} => directions.left must be [-1, 0], got [1, 0].
damage: {axe: 3} => damage.axe must be one of the weapons (unarmed, health, food,
world: {chunk: [12]} => world.chunk must be a list of 2, got [12].
time: {moments: {}} => time: 'moments' is unknown; valid ones are day, start, dark.
terrain: {water: {noise: {octaves: []}}} => terrain.water.noise.octaves must not be
terrain: {ores: {0: {above: null}}} => terrain.ores.0: noise and above must be given
symbols: {materials: {ab: sand}} => symbols.materials.ab must be a single character,
symbols: {objects: {'~': [cow, sand]}} => symbols.objects.~: already the symbol of a
recipes: {} => rules: 'recipes' is unknown; valid ones are actions, directions,
make: 5 => make must be a mapping, got 5.
make: {iron_swrd: null} => make.iron_swrd: cannot remove what does not exist; entries
"""


@pytest.mark.parametrize(("changes", "message"), mistakes(WRONG))
def test_a_mistake_is_found_on_loading_with_its_path(changes, message):
    with pytest.raises(RulesError) as error:
        crafter.Env(rules=changes)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("section", list(default().data))
def test_every_section_is_needed_and_checked(section):
    data = thaw(default().data)
    del data[section]
    if section == "switches":  # missing in older rules
        assert Rules(data) == default()
    else:
        with pytest.raises(RulesError, match=f"^{section} is missing"):
            Rules(data)
    with pytest.raises(RulesError, match=f"^{section}"):
        Rules({**data, section: 5})


# Changes, each played.


@pytest.mark.parametrize("films", scenes("changes"))
def test_changes_are_played(films, request):
    title = request.node.callspec.id
    changes = globals().get(title) or yaml.safe_load(f"{{{title}}}")
    for film in films:
        show(film, changes)


def test_a_recipe_taken_away_takes_its_action_and_achievement_along():
    value = load({"make": {"iron_sword": None}})
    assert "make_iron_sword" not in value.actions
    assert "make_iron_sword" not in value.achievements
    assert len(value.actions) == 16
    value = load({"collect": {"grass": None}})
    assert "collect_sapling" not in value.achievements


def test_whole_lists_of_actions_and_achievements_are_followed_to_the_letter():
    changes = {
        "actions": ["noop", "move_left", "do"],
        "achievements": ["collect_wood"],
    }
    value = load({**SWORD, **changes})
    assert value.actions == ("noop", "move_left", "do")
    assert value.achievements == ("collect_wood",)
    env = start({**SWORD, **changes}, "... T@. ...", facing=(-1, 0))
    assert env.action_space.n == 3
    info = do(env, "do")
    assert info["achievements"] == {"collect_wood": 1}
    assert info["reward"] == 1


def test_a_day_is_as_long_as_the_rules_say():
    env = start({"time": {"day": 40}})
    assert env.rules.time["moments"] == {
        "morning": 0,
        "noon": 8,
        "dusk": 20,
        "midnight": 28,
        "dawn": 37,
    }
    light, types = [], []
    for _ in range(80):
        info = do(env, "noop")
        light.append(info["daylight"])
        types.append([event["type"] for event in info["events"]])
    assert light[7] == light[47] == max(light) == 1
    assert light[27] == light[67] == min(light) == 0
    assert [s + 1 for s in range(80) if "dusk" in types[s]] == [20, 60]
    assert [s + 1 for s in range(80) if "dawn" in types[s]] == [37, 77]
    assert [s + 1 for s in range(80) if "new_day" in types[s]] == [40, 80]
    with pytest.raises(ValueError, match="daytime must be an integer from 0 to 39"):
        env.reset(options={"daytime": 40})


def test_a_day_without_a_night_has_no_dusk():
    env = start({"time": {"dark": 0}}, daytime="midnight")
    assert set(env.rules.time["moments"]) == {"morning", "noon", "midnight"}
    before = env.world.random.get_words()
    do(env, "noop")
    assert env.world.random.get_words()[1] == before[1]  # no noise was drawn


def test_spawning_follows_the_rules():
    cows = {
        "space": 1,
        "minimum": {"constant": 50, "per_daylight": 0},
        "maximum": {"constant": 60, "per_daylight": 0},
        "spawn": {"distance": 0, "chance": 1},
    }
    changes = {"balance": {"interval": 2, "kinds": {"cow": cows, "zombie": None}}}
    env = start(changes, "\n".join(["." * 12] * 6 + ["@" + "." * 11] + ["." * 12] * 5))
    for _ in range(20):
        do(env, "noop")
    kinds = [obj.kind for obj in env.world.objects]
    assert kinds.count("cow") >= 8
    assert "zombie" not in kinds


def test_terrain_follows_the_thresholds():
    flat = {"terrain": {"mountain": {"threshold": 9}, "lake": 9, "tree": {"above": 9}}}
    env = crafter.Env(seed=1, rules=flat)
    env.reset()
    found = {m for m in env.rules.materials if env.world.count(m)}
    assert found <= {"grass", "sand"}
    diamonds = {"terrain": {"ores": {2: {"draw_above": 0.5}}}}
    rich = crafter.Env(seed=1, rules=diamonds)
    rich.reset()
    assert rich.world.count("diamond") > 50


def test_terrain_can_do_without_tunnels_ores_and_creatures():
    changes = {"terrain": {"tunnels": [], "ores": [], "creatures": {}}}
    changes["terrain"]["creatures"] = dict.fromkeys(("cow", "zombie", "skeleton"))
    env = crafter.Env(seed=1, rules=changes)
    env.reset()
    assert [obj.kind for obj in env.world.objects] == ["player"]
    assert not any(env.world.count(ore) for ore in ("coal", "iron", "diamond"))
    assert env.world.count("stone") > 100


def test_a_new_ore_is_generated_collected_and_drawn_as_unknown():
    env = crafter.Env(seed=1, rules=RUBY, size=90)
    env.reset()
    assert env.world.count("ruby") > 100
    env = start(RUBY, "#.. #@# ...", facing=(1, 0), inventory={"wood_pickaxe": 1})
    env.world[2, 1] = "ruby"
    view = env._view_of(env.size).local_view
    unknown = view._textures.get("unknown", (3, 3))[..., :3]
    np.testing.assert_array_equal(view._tiles[13], unknown)
    info = do(env, "do")
    assert info["inventory"]["ruby"] == 1
    assert info["unlocked"] == {"collect_ruby"}


def test_light_changes_pictures_and_no_game():
    changes = {"light": {"night_tint": [255, 0, 0], "outside": 0}}
    red, blue = (start(c, daytime="midnight") for c in (changes, None))
    for _ in range(5):
        do(red, "noop")
        do(blue, "noop")
    assert red.frame()[..., 0].mean() > blue.frame()[..., 0].mean() + 50
    for name, value in blue.get_state().items():
        if name not in ("config_rules", "noise"):
            np.testing.assert_array_equal(red.get_state()[name], value, name)


# Spaces and observations.


@pytest.mark.parametrize("kind", ["pixels", "compact", "symbolic", "semantic"])
@pytest.mark.parametrize(
    "changes", sample([SWORD, BRIDGE, RUBY]), ids=["sword", "bridge", "ruby"]
)
def test_observations_are_in_the_space_of_the_rules(kind, changes):
    env = crafter.Env(observation=kind, rules=changes, seed=3)
    obs, _ = env.reset()
    random = np.random.default_rng(0)
    for action in random.integers(0, env.action_space.n, 30).tolist():
        assert env.observation_space.contains(obs)
        obs = env.step(action)[0]


def test_a_row_of_the_view_is_added_for_more_items():
    items = {f"thing{i}": {"max": 9, "initial": 0} for i in range(3)}
    env = crafter.Env(rules={"items": items}, seed=0)
    env.reset()
    assert env.snapshot().local_view.shape == (9, 6)


# The item table.


def test_the_argument_items_is_short_for_a_section():
    items = {"health": {"max": 5, "initial": 5}}
    assert crafter.Env(items=items).rules == load({"items": items})
    both = crafter.Env(items=items, rules=SWORD).rules
    assert both == load({**SWORD, "items": {**SWORD["items"], **items}})
    with pytest.raises(RulesError, match="items: 'gold' is unknown"):
        crafter.Env(items={"gold": {"max": 9, "initial": 0}})


def test_the_table_of_the_constants_reaches_later_environments(monkeypatch):
    before = crafter.Env()
    monkeypatch.setitem(constants.items["health"], "max", 4)
    monkeypatch.setitem(constants.items["health"], "initial", 4)
    assert crafter.Env().rules.items["health"]["max"] == 4
    assert crafter.Env(rules=SWORD).rules.items["health"]["max"] == 4
    assert crafter.Env(rules=default()).rules.items["health"]["max"] == 9
    assert before.rules == default()


# Environments with different rules.


def test_rules_that_change_no_number_of_the_game_give_the_same_game():
    plain, other = crafter.Env(seed=5), crafter.Env(seed=5, rules=SWORD)
    first = plain.reset()[0], other.reset()[0]
    np.testing.assert_array_equal(*first)
    for action in np.random.default_rng(2).integers(0, 17, 150).tolist():
        found, expected = other.step(action), plain.step(action)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[1:4] == expected[1:4]


# States.


def test_a_state_is_refused_under_other_rules():
    env = start(SWORD)
    do(env, "noop")
    value = env.get_state()
    assert str(value["config_rules"]) == env.rules.digest
    size = {"size": (27, 27), "length": None}
    again = crafter.Env((3, 3), rules=SWORD, **size)
    again.set_state(value)
    assert again.get_state().keys() == value.keys()
    changes = {**SWORD, "damage": {"diamond_sword": 9}}
    other = crafter.Env((3, 3), rules=changes, **size)
    with pytest.raises(StateError, match="taken with rules="):
        other.set_state(value)
    plain = crafter.Env((3, 3), **size)
    with pytest.raises(StateError, match="limits="):
        plain.set_state(value)
    assert plain.world is other.world is None


# Other programs.
