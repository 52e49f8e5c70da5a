"""What the window says of a game of Craftax."""

import copy

import numpy as np
import pytest
from craftax_scenes import RIGHT, Scene, prepared
from helpers import mistakes

from crafter import craftax
from crafter.games.craftax import events, snapshot, tables
from crafter.games.craftax.app import adapter, messages
from crafter.games.craftax.app.adapter import App
from crafter.games.craftax.lookahead import possible
from crafter.gui.memory import Memory

RULES = tables.load()
GAME = App(RULES)
ITEMS = {"wood": 5, "stone": 5, "coal": 5, "iron": 5, "diamond": 5, "sapling": 1}
ITEMS |= {"torches": 2, "arrows": 3, "bow": 1, "books": 1, "ruby": 1, "sapphire": 1}


def moment(scene, told=()):
    return snapshot.take(scene.player, (9, 11), step=1, episode=1, events=told)


def told(scene, action, **values):
    """Return what is said of a step of a scene."""
    happened = scene.step(action, **values)
    return App(scene.tables).messages(happened, moment(scene, happened))


# Why an action failed.


FAILURES = """
place_table: {has: {wood: 1}} => Table needs 2 wood, you have 1.
place_torch: {} => Torch needs 1 torch, you have 0.
place_plant: {} => Plant can only be placed on grass.
place_torch: {front: stone, has: {torches: 1}}
  => Torch can only be placed on grass, path, sand, fire grass or ice grass.
place_stone: {front: tree, has: {stone: 1}}
  => Stone can only be placed on water or free ground.
make_wood_pickaxe: {} => Wood pickaxe needs a table nearby, and 1 wood, you
make_iron_sword: {has: {wood: 5, stone: 5, coal: 5, iron: 5}}
  => Iron sword needs a table and a furnace nearby.
make_wood_sword: {near: [crafting_table], has: {wood: 1, sword: 2}}
  => Wood sword would be no better than what you have.
make_arrow: {near: [crafting_table], has: {wood: 5, stone: 5, arrows: 99}}
  => You cannot carry any more.
do: {front: iron, has: {pickaxe: 1}} => Iron needs a stone pickax
do: {front: sapphire} => Sapphire needs a diamond pickaxe.
do: {front: wall} => There is nothing to use.
do: {front: plant} => The plant is not ripe yet.
do: {front: necromancer, level: 8} => The necromancer is protected:
sleep: {} => You are not tired: energy is full.
rest: {} => You are not hurt: health is full.
descend: {} => You do not stand on a ladder down.
ascend: {} => You do not stand on a ladder up.
shoot_arrow: {} => You have no bow.
shoot_arrow: {has: {bow: 1}} => You have no arrows.
cast_iceball: {} => You do not know how to cast iceballs: find a book.
cast_fireball: {has: {learned_spells: [true, false], mana: 1}}
  => That needs 1 mana more.
drink_potion_green: {} => You have no green potion.
read_book: {} => You have no books.
enchant_sword: {} => You have to face an enchantment table.
enchant_bow: {front: enchantment_table_ice} => This table needs a sapph
enchant_armour: {front: enchantment_table_fire, has: {ruby: 1}}
  => You have no armour.
level_up_strength: {} => You have no experience to spend;
"""


@pytest.mark.parametrize(("failure", "said"), mistakes(FAILURES))
def test_failed_actions_are_explained(failure, said):
    ((action, scene),) = failure.items()
    made = prepared(**scene)
    if scene.get("level") == 8:
        made.creature("zombie", RIGHT)
        made.world.boss_timer = -1
    (sentence,) = told(made, action)
    assert sentence.startswith(said)
    assert sentence.endswith(".")


def test_shut_ladder_says_how_many_creatures_are_left():
    scene = Scene(level=1)
    scene.lay("ladder_down", (0, 0))
    scene.floor.monsters_killed = 7
    (said,) = told(scene, "descend")
    assert said == "The ladder is shut: defeat 1 monster more on this floor."


def test_every_reason_has_words():
    now = moment(Scene())
    actions = {"no_item": "place_table", "no_station": "make_iron_sword"}
    actions |= {"has_better": "make_wood_sword", "full": "make_arrow"}
    actions |= {"bad_target": "place_table", "not_learned": "cast_fireball"}
    actions |= {"no_ladder": "descend", "at_maximum": "level_up_strength"}
    missing = {"no_item": {"wood": 2}, "no_station": {"furnace": 1}}
    missing |= {"no_tool": {"pickaxe": 1}, "no_weapon": {"bow": 1}}
    missing |= {"ladder_shut": {"monsters": 2}, "no_mana": {"mana": 1}}
    missing |= {"no_gem": {"ruby": 1}}
    for reason in {*events.REASONS} - {"asleep", "resting"}:
        event = {"action": actions.get(reason, "do"), "reason": reason}
        event |= {"type": "rejected", "missing": missing.get(reason, {})}
        (said,) = GAME.messages([event], now)
        assert said[0].isupper() and said.endswith(".")


def test_sleepers_are_not_told_that_they_sleep():
    scene = prepared(has={"sleeping": True, "energy": 3})
    assert told(scene, "do") == []


# What happened.


def test_chests_tell_what_they_hold():
    scene = prepared("chest", level=1)
    values = {"chest_torch_u": 0.0, "chest_torch_count": 4, "chest_ore_u": 0.0}
    said = told(scene, "do", **values, chest_ore_count=1)
    assert said == [f"You find {what}." for what in ("4 torches", "1 coal", "1 bow")]


def test_potions_tell_what_they_did_and_are_known_from_then_on():
    scene = prepared()
    scene.world.potion_mapping = [1, 0, 2, 3, 4, 5]
    scene.player.inventory["potions"] = [1] * 6
    happened = scene.step("drink_potion_red")
    now = moment(scene, happened)
    said = GAME.messages(happened, now)
    assert said == ["The red potion: -3 health."]
    assert GAME.learned(now) == {"potion_red": "-3 health"}
    assert GAME.learned(moment(scene)) == {}


EVENTS = """
type: hurt, amount: 2.8, by: arrow2 => An arrow hits you: health -2.8.
type: hurt, amount: 1.0, by: hunger => Hunger weakens you: health -1.
type: missed, what: sapling => No sapling this time: try again.
type: read, spell: fireball => The book teaches you to cast fireballs.
type: read, spell: null => The book teaches you nothing new.
type: enchanted, what: boots, element: ice => You enchant your boots with ice.
type: levelled_up, attribute: strength, to: 3 => Your strength is 3 now.
type: entered, floor: 4, frm: 3, at: [1, 2] => Floor 4: the vaults.
type: boss_hit, progress: 3, needed: 8 => You hit the necromancer: 3 of 8.
type: limited, name: wood, frm: 100, to: 99 => You cannot carry more than 99 wood.
type: limited, name: potion_red, frm: 101, to: 99
  => You cannot carry more than 99 red potions.
type: woke, cause: rested => You wake up, rested.
type: stood_up, cause: thirsty => You get up: you need to drink.
type: station_lost, what: crafting_table => A shot destroys the table.
"""


@pytest.mark.parametrize(("event", "said"), mistakes(EVENTS))
def test_what_happens_is_told(event, said):
    assert GAME.messages([event], moment(Scene())) == [said]


def test_low_vitals_are_told_once():
    def fall(frm, to):
        event = {"type": "vital", "name": "food", "frm": frm, "to": to}
        return GAME.messages([event], moment(Scene()))

    assert fall(5, 4) == [] and fall(4, 3) == ["Food is low."] and fall(3, 2) == []


@pytest.mark.parametrize(
    ("causes", "said"),
    [
        (["orc_mage"], "You were killed by an orc mage."),
        (["potion", "fatigue"], "You drank poison. You died of exhaustion."),
    ],
)
def test_death_has_its_causes(causes, said):
    assert adapter.Words(GAME, {"type": "died", "by": causes}, None).death == said


# What is possible.


def _surroundings(random):
    """Return a scene with random things around and in the hands of the player."""
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
    for item, amount, number in RULES.possessions:  # those that it has already
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
    found = possible(RULES, moment(scene))
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
        if action.verb == "read":  # which of the spells is up to chance
            assert bool(gained) == bool(marked - known)
        else:
            assert marked - known <= gained, action.name


def test_creatures_and_chests_in_front_mark_their_achievement():
    scene = prepared()
    scene.creature("cow")
    assert possible(RULES, moment(scene))["eat_cow"] == "do"
    scene = prepared("chest", level=1)
    assert possible(RULES, moment(scene))["open_chest"] == "do"


def test_what_is_dark_is_not_marked():
    scene = prepared("chest", level=2)
    scene.floor.light[:] = 0
    assert "open_chest" not in possible(RULES, moment(scene))


def test_vulnerable_boss_is_marked():
    scene = prepared("necromancer", level=8)
    scene.world.boss_timer = 0
    found = possible(RULES, moment(scene))
    assert found["damage_necromancer"] == "do"
    scene.creature("zombie", RIGHT)
    assert "damage_necromancer" not in possible(RULES, moment(scene))


def test_sleepers_can_do_nothing():
    scene = prepared(has={"sleeping": True, "energy": 2})
    assert possible(RULES, moment(scene)) == {}


# The panel and the menu.


def slots(facts):
    return {slot.name: slot for group in facts.groups for slot in group.slots}


def test_panel_shows_all_that_the_player_has():
    scene = prepared(has=ITEMS | {"sword": 4, "armour": [2, 0, 1, 0]})
    scene.player.sword_enchantment, scene.player.armour_enchantments[0] = 1, 2
    now = moment(scene)
    facts = GAME.facts(now.inventory, now, {})
    assert facts.limits == dict.fromkeys(
        ("health", "food", "drink", "energy", "mana"), 9
    )
    found = slots(facts)
    assert found["Sword"].note == "fire"
    assert found["Sword"].icons == ("diamond_sword", "sword_fire_enchantment")
    assert found["Helmet"].note == "ice" and not found["Chestplate"].icons
    assert found["Wood"].amount == "5" and found["Arrows"].action == "shoot_arrow"
    named = {*now.inventory, *RULES.spells} - {*facts.limits, "xp"}
    assert {name.lower() for name in found} == {
        messages.called(name).lower() for name in named
    }


def test_potions_are_unknown_until_they_were_drunk():
    scene = prepared()
    scene.player.inventory["potions"] = [2, 0, 0, 0, 0, 0]
    now = moment(scene)
    found = slots(GAME.facts(now.inventory, now, {}, ready=["drink_potion_red"]))
    assert found["Red potion"].note == "?" and found["Red potion"].ready
    assert found["Green potion"].note == "green ?" and not found["Green potion"].ready
    found = slots(GAME.facts(now.inventory, now, {"potion_red": "+8 mana"}))
    assert found["Red potion"].note == "+8 mana"


def test_kills_count_until_the_ladder_opens():
    scene = prepared(level=2)
    scene.floor.monsters_killed = 5
    now = moment(scene)
    (goal,) = GAME.facts(now.inventory, now, {}).goals
    assert (goal.value, goal.most) == (5, 8)
    scene.floor.monsters_killed = 8
    now = moment(scene)
    (goal,) = GAME.facts(now.inventory, now, {}).goals
    assert goal.text == "The ladder down is open"


def test_graveyard_counts_hits_of_the_boss():
    scene = prepared(level=8)
    scene.world.boss_progress = 3
    now = moment(scene)
    facts = GAME.facts(now.inventory, now, {})
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


def test_memory_comes_back_from_its_arrays():
    env = craftax.Env("pixels")
    env.reset(seed=3)
    memory = Memory(GAME)
    memory.see(env.snapshot())
    memory.learned["potion_red"] = "+8 health"
    again = Memory.restored(GAME, memory.state())
    assert np.array_equal(again.seen, memory.seen)
    assert np.array_equal(again.cells, memory.cells)
    assert again.learned == memory.learned
    assert not Memory.restored(GAME, {}).seen.any()


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
    assert game.needs["make_torch"] == "1 wood and 1 coal, near a crafting table"
    assert game.needs["enchant_bow"].startswith("a bow, a gem and mana")
    assert game.needs["level_up_strength"].startswith("experience; for more health")


def test_keys_are_the_published_ones_and_the_arrows():
    usual = {row.key: row.name for row in RULES.actions}
    arrows = {name: name for name in ("left", "right", "up", "down")}
    assert usual | arrows == adapter.KEYS
    assert len(set(usual.values())) == 43
