"""Craftax in the app: messages, reachable achievements, side panel, map."""

import copy

import numpy as np
import pytest
from craftax_scenes import RIGHT, Scene, prepared
from helpers import mistakes

from crafter import craftax
from crafter.games.craftax import snapshot, tables
from crafter.games.craftax.app import adapter
from crafter.games.craftax.app.adapter import App
from crafter.games.craftax.lookahead import possible
from crafter.gui.source import Memory

RULES = tables.load()
GAME = App(RULES)
ITEMS = {"wood": 5, "stone": 5, "coal": 5, "iron": 5, "diamond": 5, "sapling": 1}
ITEMS |= {"torches": 2, "arrows": 3, "bow": 1, "books": 1, "ruby": 1, "sapphire": 1}


def moment(scene, told=()):
    return snapshot.take(scene.player, (9, 11), step=1, episode=1, events=told)


def told(scene, action, **values):
    """Return the messages after a step in a scene."""
    happened = scene.step(action, **values)
    return App(scene.tables).messages(moment(scene, happened))


# Reasons for failed actions.


FAILURES = """
place_table: {has: {wood: 1}} => Place table failed: needs 2 wood, you have 1.
make_iron_sword: {has: {wood: 5, stone: 5, coal: 5, iron: 5}}
  => Make iron sword failed: no crafting table or furnace within one cell.
do: {front: iron, has: {pickaxe: 1}} => Iron needs a stone pickaxe.
shoot_arrow: {} => Shoot arrow failed: you have no bow and arrows.
enchant_sword: {} => Enchant sword failed: you do not face an enchantment table.
"""


@pytest.mark.parametrize(("failure", "said"), mistakes(FAILURES))
def test_failed_actions_are_explained(failure, said):
    ((action, scene),) = failure.items()
    assert told(prepared(**scene), action) == [said]


def test_sleepers_are_not_told_that_they_sleep():
    scene = prepared(has={"sleeping": True, "energy": 3})
    assert told(scene, "do") == []


# Events.


def test_chests_tell_what_they_hold():
    scene = prepared("chest", level=1)
    values = {"chest_torch_u": 0.0, "chest_torch_count": 4, "chest_ore_u": 0.0}
    said = told(scene, "do", **values, chest_ore_count=1)
    assert said == [f"You found {what}." for what in ("4 torches", "1 coal", "1 bow")]


def test_potions_tell_what_they_did_and_are_known_from_then_on():
    scene = prepared()
    scene.world.potion_mapping = [1, 0, 2, 3, 4, 5]
    scene.player.inventory["potions"] = [1] * 6
    happened = scene.step("drink_potion_red")
    now = moment(scene, happened)
    assert GAME.messages(now) == ["The red potion cost you 3 health."]
    assert GAME.learned(now) == {"potion_red": "-3 health"}
    assert GAME.learned(moment(scene)) == {}


# Possible actions.


def _surroundings(random):
    """Return a scene with random surroundings and inventory."""
    scene = Scene(level=int(random.integers(9)))
    blocks = ["grass", "path", "water", "stone", "tree", "chest", "crafting_table"]
    blocks += ["furnace", "enchantment_table_fire", "enchantment_table_ice", "fountain"]
    for offset in [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]:
        scene.put(random.choice(blocks), offset)
    if random.random() < 0.5:
        scene.put("crafting_table", (1, 0))
        scene.put("furnace", (1, 1))
    items = ["none", "ladder_down", "ladder_up", "torch"]
    scene.lay(random.choice(items), (0, 0))
    scene.lay(random.choice(["none", "torch"]))
    player = scene.player
    for name, amount in player.inventory.items():
        most = 3 if name in ("pickaxe", "sword", "armour", "bow") else 5
        if name == "bow":
            most = 2
        drawn = [int(n) for n in random.integers(most, size=6)]
        player.inventory[name] = (
            drawn[: len(amount)] if isinstance(amount, list) else drawn[0]
        )
    scene.floor.monsters_killed = int(random.choice([3, 8]))
    player.mana = int(random.choice([1, 9]))
    player.xp = int(random.integers(2))
    player.learned_spells = [bool(n) for n in random.integers(2, size=2)]
    scene.step()
    player.achievements = [name.startswith("enter") for name in RULES.achievement_names]
    for item, amount, number in RULES.possessions:  # those that it already has
        player.achievements[number] = player.inventory[item] >= amount
    for spell, known in zip(RULES.spells.values(), player.learned_spells):
        player.achievements[spell.learned] = known
    if player.level < 8:
        player.achievements[RULES.floors[player.level + 1].achievement] = False
    return scene


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_what_is_marked_as_possible_works_and_all_else_fails(seed):
    scene = _surroundings(np.random.default_rng(seed))
    found = possible(scene.player)
    for action in RULES.actions:
        if action.verb in ("do", "sleep"):
            continue
        played = copy.deepcopy(scene)
        names = RULES.achievement_names
        known = {n for n, got in zip(names, played.player.achievements) if got}
        played.step(action.name)
        gained = {names[number] for number in played.player.unlocked}
        assert gained <= set(found), action.name
        marked = {name for name, by in found.items() if by == action.name}
        if action.verb == "read":  # which spell is random
            assert bool(gained) == bool(marked - known)
        else:
            assert marked - known <= gained, action.name


def test_creatures_and_chests_in_front_mark_their_achievement():
    scene = prepared()
    scene.creature("cow")
    assert possible(scene.player)["eat_cow"] == "do"
    scene = prepared("chest", level=1)
    assert possible(scene.player)["open_chest"] == "do"


def test_spells_that_are_known_are_marked():
    found = possible(prepared(has={"learned_spells": [True, False]}).player)
    assert found["cast_fireball"] == "cast_fireball" and "cast_iceball" not in found


def test_what_is_dark_is_not_marked():
    scene = prepared("chest", level=2)
    scene.floor.light[:] = 0
    assert "open_chest" not in possible(scene.player)


def test_vulnerable_boss_is_marked():
    scene = prepared("necromancer", level=8)
    scene.world.boss_timer = 0
    found = possible(scene.player)
    assert found["damage_necromancer"] == "do"
    scene.creature("zombie", RIGHT)
    assert "damage_necromancer" not in possible(scene.player)


def test_sleepers_can_do_nothing():
    scene = prepared(has={"sleeping": True, "energy": 2})
    assert possible(scene.player) == {}


# The panel and the menu.


def slots(facts):
    return {slot.name: slot for group in facts.groups for slot in group.slots}


def test_panel_shows_all_that_the_player_has():
    scene = prepared(has=ITEMS | {"sword": 4, "armour": [2, 0, 1, 0]})
    scene.player.sword_enchantment, scene.player.armour_enchantments[0] = 1, 2
    now = moment(scene)
    facts = GAME.facts(now.inventory, now, {}, ())
    assert facts.limits == dict.fromkeys(
        ("health", "food", "drink", "energy", "mana"), 9
    )
    found = slots(facts)
    assert found["Sword"].note == "fire"
    assert found["Sword"].icons == ("diamond_sword", "sword_fire_enchantment")
    assert found["Helmet"].note == "ice" and not found["Chestplate"].icons
    assert found["Wood"].amount == "5" and found["Arrows"].action == "shoot_arrow"
    named = {*now.inventory, *RULES.spells} - {*facts.limits, "xp"}
    assert {name.lower() for name in found} == {n.replace("_", " ") for n in named}


def test_potions_are_unknown_until_they_were_drunk():
    scene = prepared()
    scene.player.inventory["potions"] = [2, 0, 0, 0, 0, 0]
    now = moment(scene)
    found = slots(GAME.facts(now.inventory, now, {}, ready=["drink_potion_red"]))
    assert found["Potion red"].note == "?" and found["Potion red"].ready
    assert found["Potion green"].note == "green ?" and not found["Potion green"].ready
    found = slots(GAME.facts(now.inventory, now, {"potion_red": "+8 mana"}, ()))
    assert found["Potion red"].note == "+8 mana"


def test_kills_count_until_the_ladder_opens():
    scene = prepared(level=2)
    scene.floor.monsters_killed = 5
    now = moment(scene)
    (goal,) = GAME.facts(now.inventory, now, {}, ()).goals
    assert (goal.value, goal.most) == (5, 8)
    scene.floor.monsters_killed = 8
    now = moment(scene)
    (goal,) = GAME.facts(now.inventory, now, {}, ()).goals
    assert goal.text == "The ladder down is open"


def test_graveyard_counts_hits_of_the_boss():
    scene = prepared(level=8)
    scene.world.boss_progress = 3
    now = moment(scene)
    facts = GAME.facts(now.inventory, now, {}, ())
    assert (facts.goals[0].value, facts.goals[0].most) == (3, 8)
    assert facts.clock is None and facts.floor == "Floor 8: graveyard"


def test_panel_shows_all_achievements_by_tier():
    names = [name for column in GAME.tiers for tier in column for name in tier.names]
    assert sorted(names) == sorted(RULES.achievement_names)
    sizes = {tier.title: len(tier.names) for column in GAME.tiers for tier in column}
    assert sizes == {
        "Basic": 25,
        "Intermediate": 18,
        "Advanced": 15,
        "Very advanced": 9,
    }


# The map.


def test_map_holds_what_was_seen_and_nothing_that_is_dark():
    env = craftax.Env("pixels")
    env.reset(seed=3, options={"floor": 2, "inventory": {"torches": 3}})
    memory = Memory(GAME)
    memory.see(env.snapshot())
    floor = env.world.floors[2]
    first = memory.seen[2].copy()
    assert first.any() and not memory.seen[[0, 1, *range(3, 9)]].any()
    assert (floor.light[first] > 0.05).all()
    assert np.array_equal(memory.cells[2, ..., 0][first], floor.block_map[first])
    top, left = env.player.row - 4, env.player.col - 5
    around = np.zeros_like(first)
    around[max(top, 0) : top + 9, max(left, 0) : left + 11] = True
    assert np.array_equal(first, around & (floor.light > 0.05))
    for action in ("place_torch", "right", "place_torch"):
        env.step(env.action_names.index(action))
        memory.see(env.snapshot())
    assert memory.seen[2].sum() > first.sum()


@pytest.mark.parametrize(
    ("position", "seen"),
    [
        ((47, 0), (43, 5, 5 * 6)),
        *((far, None) for far in [(-9, 20), (20, 60), (55, 20), (20, -8)]),
    ],
)
def test_map_is_cut_at_the_edge_of_the_world(position, seen):
    env = craftax.Env("pixels", god_mode=True)
    env.reset(seed=3)
    memory = Memory(GAME)
    env.player.row, env.player.col = position
    memory.see(env.snapshot())
    rows, columns = np.nonzero(memory.seen[0])
    assert seen == ((rows.min(), columns.max(), len(rows)) if len(rows) else None)
    assert not memory.seen[1:].any()


def test_seen_map_is_drawn_from_the_textures():
    env = craftax.Env("pixels")
    env.reset(seed=3)
    pack = App.textures(None)
    cells = np.zeros((48, 48, 2), np.uint8)
    cells[..., 0] = RULES.block_ids["grass"]
    picture = GAME.draw_map(pack, cells)
    assert picture.shape == (768, 768, 3)
    assert np.array_equal(picture[:16, :16], pack.get("grass", (16, 16))[..., :3])


def test_goal_and_costs_are_those_of_the_rules():
    game = App(tables.load({"ladders": {"monsters": 5}}))
    assert "5 creatures" in game.goal[1]
    assert game.needs["make_torch"] == (
        "1 wood and 1 coal, next to a crafting table (diagonals count)"
    )
    assert game.title_of("defeat_orc_solider") == "Defeat orc soldier"
    assert game.needs["enchant_bow"].startswith("a bow, a gem and mana")
    assert game.needs["level_up_strength"].startswith("experience; for more health")


def test_keys_are_the_published_ones_and_the_arrows():
    usual = {row.key: row.name for row in RULES.actions}
    arrows = {name: name for name in ("left", "right", "up", "down")}
    assert usual | arrows == adapter.KEYS
    assert len(set(usual.values())) == 43
