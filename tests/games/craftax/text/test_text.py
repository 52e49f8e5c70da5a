"""Craftax in words: the text reveals nothing that the image does not show."""

from __future__ import annotations

import itertools
import json
import math
import re
import xml.etree.ElementTree as ElementTree

import jsonschema
import numpy as np
import pytest
from lm_helpers import SCHEMA, numbers, run

from crafter.craftax import Env
from crafter.games.craftax.text.words import ALIKE
from crafter.games.craftax.views import look
from crafter.lm import CrafterACI, rules, tutorial
from crafter.lm import game as games
from crafter.lm.agents.players import RandomAgent
from crafter.lm.rendering.facts import DARKNESS, OUTSIDE, UNCLEAR
from crafter.lm.runs import summary
from crafter.lm.runs.protocols import from_dict, protocol

GAME = games.find("craftax")
TABLES = GAME.load(None)
WORDS = GAME.words(TABLES)
ACTIONS = WORDS.actions
RICH = dict.fromkeys(("wood", "stone", "coal", "iron", "diamond"), 9)
RICH |= dict.fromkeys(("sapling", "ruby", "sapphire", "sword", "pickaxe"), 2)
RICH |= {"torches": 3, "arrows": 4, "books": 1, "bow": 1, "helmet": 1, "potion_red": 2}


@pytest.fixture(scope="module")
def aci():
    return CrafterACI(game="craftax", seed=5)


def start(aci, **options):
    """Start a game of an interface with the environment's reset options."""
    return aci.reset(seed=5, options=options)


def wander(aci, steps, seed=0):
    """Take random steps; yield the observation after each."""
    rng = np.random.default_rng(seed)
    useful = [*ACTIONS[1:6] * 4, *ACTIONS]
    for _ in range(steps):
        if aci.done:
            return
        yield aci.act([str(rng.choice(useful))], stop_on="none").observation


def moments(aci, steps=12):
    """Yield observations on all floors, by day and night, of rich and poor players."""
    for floor in range(9):
        daytime = ["noon", "midnight"][floor % 2]
        yield start(aci, floor=floor, daytime=daytime, inventory=RICH)
        yield from wander(aci, steps, floor)
    yield start(aci, daytime="midnight", creatures=[("zombie", (24, 28))])


def shown(aci):
    """Return the content of the image cell by cell: ground, then what is on it."""
    env = aci.env
    player = env.player
    corner = player.row - 4, player.col - 5
    scene = look(env.world, player.level, player, corner, (9, 11))
    below = env.player.level > 0
    cells = {}
    for row, col in itertools.product(range(9), range(11)):
        offset = col - 5, row - 4
        ground = TABLES.block_names[scene.blocks[row, col]]
        if not scene.blocks[row, col] and not below:
            cells[offset] = [OUTSIDE]
        elif scene.light[row, col] <= 0.05:
            cells[offset] = [DARKNESS]
        else:
            item = TABLES.item_names[scene.items[row, col]]
            cells[offset] = [ALIKE.get(ground, ground), *([item] * (item != "none"))]
    creatures = {
        name: ALIKE.get(name, name)
        for name in [*WORDS.creatures, *TABLES.projectile_ids]
    }
    stems = {"arrow-up": "arrow", **{name: name for name in creatures.values()}}
    for sprite in scene.sprites[1:]:
        offset = sprite.column - 5, sprite.row - 4
        if cells[offset] not in ([DARKNESS], [OUTSIDE]):
            cells[offset].append(stems[sprite.texture])
    return cells


def is_noisy(offset, daylight):
    """Return whether night noise hides a cell, by the share of noise in the image."""
    share = math.hypot(*offset) / math.hypot(4.5, 5.5)
    return 2 * (0.5 - daylight) * share > 0.6


def told(data):
    """Return the content of a JSON observation, cell by cell."""
    legend = data["view"]["legend"]
    cells = {
        (x, y): [legend[char]]
        for y, row in enumerate(data["view"]["rows"], -4)
        for x, char in enumerate(row, -5)
    }
    for thing in data["objects"]:
        cells[thing["dx"], thing["dy"]].append(thing["kind"])
    return cells


def test_json_tells_what_the_picture_shows(aci):
    seen = set()
    for obs in moments(aci):
        if aci.done:
            continue
        data, picture = obs.json(), shown(aci)
        night = data["light"] if data["light"] is not None else 1.0
        for offset, cell in told(data).items():
            expected = picture[offset]
            if is_noisy(offset, night):
                assert cell[0] == UNCLEAR and cell[1:] in ([], [UNCLEAR])
            else:
                assert sorted(cell) == sorted(expected), (offset, obs.text())
            seen.update(cell)
    assert {DARKNESS, UNCLEAR, "ladder_up", "ladder_down_blocked", "torch"} <= seen
    assert {"wall", "water", "lava", "fire_grass", "ice_grass", "grave"} <= seen


def test_json_fits_the_schema_and_the_ascii_map_has_the_same_cells(aci):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    table = {}
    for name, char in WORDS.glyphs().items():
        table.setdefault(char, set()).add(name.rsplit(" ", 1)[0])
    for obs in moments(aci, 4):
        data = json.loads(json.dumps(obs.json()))
        validator.validate(data)
        rows, cells = obs.ascii().split("\n")[:9], told(data)
        assert [len(row) for row in rows] == [11] * 9
        for y, row in enumerate(rows, -4):
            for x, char in enumerate(row, -5):
                if (x, y) != (0, 0):
                    assert table[char] & set(cells[x, y]), (char, cells[x, y])


def test_every_glyph_is_one_character_and_creatures_differ_from_blocks():
    table = WORDS.glyphs()
    assert all(len(char) == 1 for char in table.values())
    flying = set("()'!")
    chars = [char for char in table.values() if char not in flying]
    assert len(chars) == len(set(chars))
    assert {*WORDS.materials, *WORDS.creatures} <= table.keys()


def test_text_names_every_cell_that_matters_once(aci):
    for obs in moments(aci, 3):
        text = obs.text(detail="all")
        listed = text.split("You see:")[-1]
        expected = {}
        for offset, cell in told(obs.json()).items():
            for name in cell:
                left_out = {*WORDS.background, OUTSIDE, UNCLEAR}
                on_top = any(n in {*WORDS.dangers, *WORDS.creatures} for n in cell[1:])
                if offset == (0, 0) or name in left_out or (on_top and name == cell[0]):
                    continue
                expected.setdefault(WORDS.name(name), []).append(offset)
        for name, offsets in expected.items():
            line = next(x for x in listed.split("\n") if x.startswith(f"- {name}: "))
            assert line.count(";") == len(offsets) - 1, (name, line, offsets)


# Darkness.


def dark_cell(aci):
    """Return a completely dark cell (row, column) in view, and its offset."""
    env = aci.env
    row0, col0 = env.player.position
    light = env.player.floor.light
    for dx, dy in itertools.product(range(-5, 6), range(-4, 5)):
        cell = row0 + dy, col0 + dx
        if env.player.floor.block_map.shape > cell > (0, 0) and light[cell] == 0:
            return cell, (dx, dy)
    raise AssertionError("no dark cell in view")


@pytest.mark.parametrize("format", ["text", "md", "xml", "json", "ascii"])
def test_what_is_in_the_dark_changes_neither_picture_nor_words(aci, format):
    obs = start(aci, floor=2)
    (row, col), offset = dark_cell(aci)
    assert told(obs.json())[offset] == [DARKNESS]
    before = obs.render(format), aci.env.frame()
    floor = aci.env.player.floor
    for block in ("diamond", "lava", "water", "chest"):
        floor.blocks[row * floor.size + col] = TABLES.block_ids[block]
        aci.look()
        assert (aci.env.frame() == before[1]).all()
        assert aci.observe().render(format) == before[0]


def blind(aci, *creatures, **inventory):
    """Start in full darkness, in the open; return the observation."""
    layout = ["<" + "_" * 47] + ["_" * 48] * 47
    options = {"floors": {8: layout}, "floor": 8, "position": (40, 40)}
    options |= {"creatures": list(creatures), "inventory": inventory}
    start(aci, **options, facing="right")
    floor = aci.env.player.floor
    floor.light[:] = 0
    aci.look()
    return aci.observe()


def test_in_the_dark_nobody_is_named(aci):
    obs = blind(aci, ("troll", (40, 41)))
    assert obs.text().count("darkness") == 2 and "troll" not in obs.text()
    assert obs.things == () and obs.open_ground == ()
    hurt = []
    for _ in range(8):
        turn = aci.act(["noop"], stop_on="none")
        assert "troll" not in turn.text and "troll" not in json.dumps(
            turn.observation.json()
        )
        hurt += [e for s in turn.steps for e in s.events if e["type"] == "hurt"]
        if hurt:
            break
    assert hurt[0]["by"] == ["unseen"]
    assert "omething that you cannot see hit you" in turn.text


def test_a_torch_shows_what_was_dark(aci):
    blind(aci, torches=1)
    assert set(map(tuple, told(aci.observe().json()).values())) == {(DARKNESS,)}
    cells = told(aci.act(["place_torch"]).observation.json())
    assert cells[1, 0] == ["path", "torch"] and cells[-3, 0] == ["path"]
    assert cells[-4, 0] == cells[-5, 0] == [DARKNESS]


def test_what_happens_in_the_dark_is_something(aci):
    blind(aci, ("knight", (40, 41)))
    turn = aci.act(["right"], stop_on="none")
    assert "omething is in the way" in turn.text and "knight" not in turn.text
    blind(aci, bow=1, arrows=2)
    floor = aci.env.player.floor
    floor.blocks[40 * floor.size + 42] = TABLES.block_ids["wall"]
    turn = aci.act("shoot_arrow, noop x2", stop_on="none")
    assert "ou shot an arrow right" in turn.text and "hit" not in turn.text


def test_why_it_fails_is_not_told_of_what_cannot_be_seen(aci):
    blind(aci)
    floor = aci.env.player.floor
    for block in ("stone", "wall", "path", "necromancer"):
        floor.blocks[40 * floor.size + 41] = TABLES.block_ids[block]
        turn = aci.act(["do"], stop_on="none")
        (event,) = (e for s in turn.steps for e in s.events if e["type"] == "rejected")
        assert event["reason"] == "unseen" and not event["missing"]
    assert "too dark to see" in turn.text


def test_below_ground_the_sky_is_not_told(aci):
    obs = start(aci, floor=3, daytime=147)
    assert obs.daylight is None and "light" not in obs.text().split("\n")[0]
    turn = aci.act(["noop x3"], stop_on="none")
    assert "night falls" not in turn.text
    above = start(aci, daytime=147)
    assert above.daylight and "(light " in above.text()
    assert "night falls" in aci.act(["noop x3"], stop_on="none").text


def test_hidden_numbers_are_not_told(aci):
    for obs in moments(aci, 6):
        text = json.dumps(obs.json()) + obs.text(verbosity=2)
        for word in ("monsters_killed", "cooldown", "slot", "absorbed", '"left":'):
            assert word not in text
    extra = CrafterACI(game="craftax", seed=5, privileged=True)
    assert "monsters_killed" in extra.starting_obs.text()


# The inventory and the vitals.


def test_vitals_are_the_numbers_of_the_picture(aci):
    for health, shown in ((0.4, 1), (5.7, 5)):
        obs = start(aci, inventory={"health": health})
        assert obs.inventory["health"] == shown
    obs = start(aci, inventory={"strength": 5, "dexterity": 3})
    assert obs.limits["health"] == 13 and obs.limits["food"] == 13
    assert "health 9/13" in obs.text().lower() and "Strength" not in obs.text()
    assert obs.json()["maxima"]["mana"] == 9


def test_tools_spells_and_enchantments_are_told(aci):
    start(aci, inventory=RICH, spells=["iceball"])
    player = aci.env.player
    player.sword_enchantment, player.armour_enchantments[0] = 1, 2
    aci.look()
    text, data = aci.observe().text(), aci.observe().json()
    assert "tools: stone_pickaxe, stone_sword, bow; armour: iron_helmet" in text
    assert "potions: potion_red 2" in text and "Spells: iceball." in text
    assert "Enchanted: sword (fire) and helmet (ice)." in text
    assert data["enchantments"] == {"sword": "fire", "helmet": "ice"}
    assert data["spells"] == ["iceball"] and data["inventory"]["stone_pickaxe"] == 1


def test_one_is_told_what_lies_underfoot(aci):
    obs = start(aci, floor=1)
    assert "You stand on path (here: a ladder up)" in obs.text()
    assert {"kind": "ladder_up", "dx": 0, "dy": 0} in obs.json()["objects"]


# Events.


def test_failures_say_what_is_missing(aci):
    options = {"inventory": {"wood": 1, "mana": 3}, "spells": ["fireball"]}
    start(aci, facing="left", **options)
    for action, said in {
        "place_table": "place_table failed: needs 2 wood, you have 1",
        "make_arrow": "make_arrow failed: no crafting table within one cell",
        "drink_potion_red": "drink_potion_red failed: needs 1 potion_red, you have 0",
        "read_book": "read_book failed: needs 1 book, you have 0",
        "descend": "descend failed: you do not stand on a ladder that leads there",
        "level_up_strength": "you have no experience to spend",
        "cast_iceball": "you do not know this spell",
    }.items():
        assert said in aci.act([action], stop_on="none").text


def test_a_closed_ladder_says_so_and_not_how_many_are_left(aci):
    start(aci, floor=1)
    player, floor = aci.env.player, aci.env.player.floor
    player.row, player.col = floor.down_ladder
    aci.look()
    assert "here: a closed ladder down" in aci.observe().text()
    turn = aci.act(["descend"])
    assert "the ladder is closed until" in turn.text
    (event,) = (e for e in turn.steps[0].events if e["type"] == "rejected")
    assert event["missing"] == {}
    floor.monsters_killed = 8
    aci.look()
    assert "here: a ladder down" in aci.observe().text()
    turn = aci.act(["descend"])
    assert "you came to floor 2: gnomish mines" in turn.text


# Sleeping and resting.


def test_rest_and_sleep_are_told(aci):
    start(aci, inventory={"health": 8})
    turn = aci.act(["rest", "left"], stop_on="none")
    assert "you lie down to rest" in turn.text
    assert "left – you are resting, so it was ignored" in turn.text
    assert "You rest; actions are ignored" in turn.text
    assert turn.observation.json()["resting"] and turn.stopped_by is None
    turn = aci.act("rest until rested", stop_on=["woke"])
    assert not turn.observation.status["resting"]
    start(aci, inventory={"energy": 8})
    turn = aci.act("sleep until awake", stop_on=["woke"])
    assert not turn.observation.asleep and turn.steps[1].forced
    assert len(turn.steps) < 40


# Stops.


def test_what_stops_a_batch(aci):
    start(aci, inventory={"bow": 1, "arrows": 3}, facing="up")
    assert aci.act(["shoot_arrow", "noop"], stop_on=["threat"]).stopped_by is None
    start(aci, creatures=[("zombie", (24, 26))], facing="up")
    assert aci.moment.dangers
    start(aci, inventory={"mana": 4}, spells=["fireball"])
    turn = aci.act("cast_fireball, noop", stop_on=["low"])
    assert turn.stopped_by is None and turn.observation.inventory["mana"] == 2
    assert "critical" not in turn.text


# Hints.


@pytest.mark.parametrize("floor", [0, 1, 6])
def test_hints_are_what_would_not_be_refused(floor):
    aci = CrafterACI(game="craftax", seed=7, hints=True)
    aci.reset(options={"floor": floor, "daytime": "noon", "inventory": RICH})
    for obs in wander(aci, 3, floor):
        if aci.done:
            break
        state = aci.env.get_state()
        for number, action in enumerate(ACTIONS):
            aci.env.set_state(state)
            aci.env.step(number)
            happened = [e["type"] for e in aci.env.snapshot().events]
            refused = "rejected" in happened or happened[:1] == ["blocked"]
            if obs.asleep or obs.status["resting"] or "shoot" in action:
                continue
            assert refused != (action in obs.available), (action, happened, obs.text())
        aci.env.set_state(state)


def test_hints_do_not_say_what_is_in_the_dark():
    aci = CrafterACI(game="craftax", seed=7, hints=True)
    aci.reset(options={"floor": 2, "inventory": {"wood": 2}})
    aci.env.world.floors[2].light[:] = 0
    aci.look()
    obs = aci.observe()
    assert obs.front == "darkness"
    assert {"do", "place_table"} <= {*obs.available}
    assert "place_stone" not in obs.available


# Undo, memory, formats.


def test_the_memory_map_keeps_floors_apart():
    aci = CrafterACI(game="craftax", seed=5, memory_map=True)
    aci.reset(options={"position": aci.env.world.floors[0].down_ladder})
    memory = aci.history.memory
    above = set(memory.cells)
    aci.act("descend")
    assert memory.position == (0, 0)
    below = set(memory.cells)
    assert "wall" in {name for name, _ in memory.cells.values()}
    assert "Map of what you have seen" in aci.observe().text()
    aci.act("ascend")
    assert memory.position == (0, 0) and above <= set(memory.cells)
    assert "wall" not in {name for name, _ in memory.cells.values()}
    aci.act("descend")
    assert below <= set(memory.cells)


def test_xml_is_well_formed_and_text_is_short(aci):
    lengths = []
    start(aci)
    for obs in wander(aci, 30):
        ElementTree.fromstring(obs.render("xml"))
        lengths.append((len(obs.text(verbosity=0)), len(obs.text())))
    terse, normal = np.percentile(lengths, 95, axis=0)
    assert terse < 450 and normal < 900


# Games and environments.


def test_the_game_of_an_environment_is_played():
    aci = CrafterACI(Env(seed=2, events=True))
    assert aci.game == "craftax" and aci.title == "Craftax"
    assert CrafterACI(seed=2).game == "crafter"
    with pytest.raises(ValueError, match="plays craftax"):
        CrafterACI(Env(seed=2, events=True), game="crafter")
    with pytest.raises(ValueError, match="Unknown game 'chess'"):
        CrafterACI(game="chess")


def test_other_rules_change_the_text():
    changes = {"recipes": {"wood_pickaxe": {"uses": {"wood": 7}}}}
    text = rules("full", game="craftax", tables=changes)
    assert "make_wood_pickaxe: uses 7 wood" in text
    longer = rules("full", game="craftax", tables={"parameters": {"day_length": 600}})
    assert "from about step 296 to 545 " in longer
    aci = CrafterACI(game="craftax", rules=changes, seed=1)
    aci.reset(options={"inventory": {"wood": 6}, "facing": "up"})
    turn = aci.act("place_table, make_wood_pickaxe", stop_on="none")
    assert "needs 7 wood, you have 4" in turn.text


def test_setups_are_played_in_words():
    text = rules("full", game="craftax", tables="puffer")
    assert "# Other rules\n- New tiers of armour" in text
    assert "# Other rules" not in rules("full", game="craftax", tables="repaired")
    hidden = rules("full", ["numbers"], game="craftax", tables="puffer")
    assert "as a byte" in text and "as a byte" not in hidden
    aci = CrafterACI(game="craftax", rules="puffer", seed=3)
    aci.reset(options={"inventory": {"energy": 8}})
    turn = aci.act("sleep")
    assert aci.env.unwrapped.setup == "puffer" and not aci.env.unwrapped.player.sleeping
    assert "you fell asleep" in turn.text and aci.env.unwrapped.step_count > 1
    other = protocol("craftax-300", tables="puffer")
    again = from_dict(json.loads(json.dumps(other.as_dict())))
    assert again.tables.applied == other.tables.applied


# Rules.


def test_the_rules_name_everything_and_invent_no_number():
    text = rules("full", game="craftax")
    data = TABLES.data
    known = [*ACTIONS, *WORDS.achievements]
    known += [WORDS.name(n) for n in data["blocks"] if n not in (*ALIKE, "invalid")]
    known += [WORDS.name(n) for n in [*data["floors"], *data["items"][1:]]]
    known += [WORDS.name(n) for kind in data["creatures"].values() for n in kind]
    assert [name for name in known if name not in text] == []
    found = {float(n) for n in re.findall(r"\d+\.?\d*", text.split("# Controls")[0])}
    percents = {100 * n for n in numbers(data)}
    counts = {float(len(part)) for part in data.values() if hasattr(part, "__len__")}
    counts |= {float(n) for n in range(len(data["floors"]))} | {6.0}
    moments = numbers(WORDS.time["moments"])
    assert found <= {*numbers(data), *percents, *counts, *moments}


def test_facts_can_be_withheld():
    told = {"costs": "uses 2 wood", "stations": "nearby crafting table"}
    for secret, gone in {**told, "creatures": "gnome archer"}.items():
        assert gone in rules("full", game="craftax")
        assert gone not in rules("full", [secret], game="craftax")
    text = rules("full", ["numbers"], game="craftax").split("# Controls")[0]
    outside = re.sub(r"floor \d|health 0|food or drink is 0", "", text)
    assert not re.findall(r"(?<![\w*])\d", outside)
    assert len(rules("full", game="craftax")) < 11_000
    assert len(rules("brief", game="craftax")) < 4_000


def test_the_tutorial_has_the_amounts_of_its_recipes():
    text = tutorial(game="craftax")
    assert len(text) < 4_000
    first = {"wood": 2 + 1 + 1}
    assert f"Collect {first['wood']} wood: enough for place_table" in text
    stages = WORDS.more("tutorial")["stages"]
    assert all(set(stage.get("crafts", ())) <= set(ACTIONS) for stage in stages)
    assert text.split("\n")[len(stages)].startswith(f"{len(stages)}. Graveyard. ")
    assert "{" not in text


def test_replies_that_need_a_remark(aci):
    start(aci, facing="up")
    assert "not a gnome archer." in aci.act("attack the gnome archer").text
    steps = aci.steps_taken
    turn = aci.act("teleport")
    assert turn.error.kind == "unknown" and aci.steps_taken == steps
    assert "enchant_bow" in turn.error.message


# Runs and servers.


def short(rollouts=2, actions=25):
    """Return a short protocol of Craftax."""
    changes = {"max_actions": actions}
    return protocol("craftax-300", rollouts=rollouts, interface=changes)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("craftax")
    run(short(), RandomAgent, folder)
    return folder


def test_a_run_is_scored_by_its_return_and_by_tier(finished):
    found = summary.summarise(finished)
    returns = [rollout["return"] for rollout in found["rollouts"]]
    percent = found["scores"]["craftax"]["value"]
    assert percent == pytest.approx(100 * np.mean(returns) / 226)
    assert list(found["tiers"]) == list(WORDS.tiers)
    basic = WORDS.tiers["basic"]
    reached = [len({*r["achievements"]} & {*basic}) for r in found["rollouts"]]
    assert found["tiers"]["basic"]["value"] == pytest.approx(4 * np.mean(reached))
    text = summary.markdown(found)
    assert "| craftax (main) |" in text and "| very advanced |" in text
    assert "human experts" not in text
