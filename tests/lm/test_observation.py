"""Observations: they say what the picture shows, in every form."""

from __future__ import annotations

import itertools
import json
import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import yaml
from helpers import stream_crc
from lm_helpers import GOLDEN, SCHEMA, WRITE, random_game, recorded_game, start

from crafter import constants
from crafter.lm import CrafterACI
from crafter.lm import game as games
from crafter.lm.rendering.facts import Style
from crafter.lm.rendering.text import Delta, lines

CRAFTER = games.find("crafter").words()

GLYPHS = CRAFTER.glyphs()
IDS = {**constants.material_ids, **constants.object_ids, "outside": 0}


def crop(aci):
    """Return the semantic ids of the view, [x, y], from the whole map."""
    semantic = np.pad(aci.env._sem_view(), 9)
    (x, y), (columns, rows) = aci.env.player.position, (9, 7)
    left, top = x + 9 - columns // 2, y + 9 - rows // 2
    return semantic[left : left + columns, top : top + rows]


@pytest.fixture(scope="module")
def states():
    """500 states of recorded and random play, with what the map says about them."""
    games = [recorded_game(night="clear"), random_game(3, 120, night="clear")]
    games.append(random_game(8, 120, night="clear"))
    found = []
    for game in games:
        found += [(obs, crop(aci), aci.env.player.facing) for aci, obs in game]
    assert len(found) >= 500
    return found


def test_json_gives_the_semantic_map_of_the_view(states):
    for obs, semantic, _ in states:
        form = obs.json()
        view = form["view"]
        grid = np.zeros((view["width"], view["height"]), int)
        for y, row in enumerate(view["rows"]):
            for x, glyph in enumerate(row):
                grid[x, y] = IDS[view["legend"][glyph]]
        middle = view["width"] // 2, view["height"] // 2
        for thing in form["objects"]:
            grid[middle[0] + thing["dx"], middle[1] + thing["dy"]] = IDS[thing["kind"]]
        grid[middle] = IDS["player"]
        assert (grid == semantic).all()


def test_ascii_gives_the_same_map_and_the_facing(states):
    names = {glyph: name.split()[-1] for name, glyph in GLYPHS.items()}
    names |= {
        glyph: name.split()[0] for name, glyph in GLYPHS.items() if "arrow" in name
    }
    facings = {GLYPHS[f"player {f}"]: v for f, v in constants.directions.items()}
    for obs, semantic, facing in states:
        rows, *below = obs.ascii().split("\n")[:7], *obs.ascii().split("\n")[7:]
        me = rows[3][4]
        if obs.asleep:
            assert me == "@" and below == [f"(asleep, facing {obs.facing})"]
        else:
            assert facings[me] == facing and not below
        for (x, y), id in np.ndenumerate(semantic):
            if (x, y) != (4, 3):
                assert IDS[names[rows[y][x]]] == id


def test_text_with_all_detail_mentions_each_cell_once(states):
    for obs, semantic, _ in states:
        told = dict(lines(obs, Style(detail="all")))
        mentioned = {}
        for name, line in told.items():
            if line.startswith("- ") and name != "edge of the world":
                for place in line.removeprefix(f"- {name}: ").split("; "):
                    offset = place_of(place)
                    assert offset not in mentioned
                    mentioned[offset] = name.removeprefix("ripe ")
        expected = {
            (x - 4, y - 3): constants.semantic_names[id]
            for (x, y), id in np.ndenumerate(semantic)
            if id
            and constants.semantic_names[id] not in CRAFTER.background
            and (x, y) != (4, 3)
        }
        assert mentioned == expected


def place_of(words):
    """Return the offset that words such as `4 right, 2 up (in front)` mean."""
    dx = dy = 0
    for count, way in re.findall(r"(\d+) (left|right|up|down)", words.split(" (")[0]):
        vector = constants.directions[way]
        dx, dy = dx + int(count) * vector[0], dy + int(count) * vector[1]
    return dx, dy


@pytest.mark.slow
def test_equal_pictures_by_day_give_equal_json():
    pictures, compared = {}, 0
    for seed in range(4):
        for _, obs in itertools.chain(random_game(seed, 60), random_game(seed, 60)):
            if obs.asleep or obs.daylight < constants.time["dark"]:
                continue
            key = obs.image((36, 36)).tobytes()
            left_out = "step clock day phase light events reward achievements new done"
            form = {n: v for n, v in obs.json().items() if n not in left_out.split()}
            compared += key in pictures
            assert pictures.setdefault(key, form) == form
    assert compared > 100


def test_hidden_things_are_absent_and_arrows_say_where_they_fly():
    aci = start(".........\n....Z....\n....@....\n.........", facing=(0, -1))
    first = aci.act("do").observation.json()
    hit = next(event for event in first["events"] if event["type"] == "hit")
    assert set(hit) == {"t", "type", "kind", "damage"}
    text = json.dumps(first)
    for word in ("position", "grown", "cooldown", 'health": 4', '"id"'):
        assert word not in text
    arrow = {"kind": "arrow", "position": (1, 3), "facing": (1, 0)}
    obs = start(WORDS["worlds"]["cave"], objects=[arrow]).starting_obs
    told = {"kind": "arrow", "dx": -3, "dy": 0, "facing": "right"}
    assert obs.json()["objects"] == [told]
    told = CrafterACI(seed=1, privileged=True).starting_obs
    assert told.json()["privileged"]["position"] == [32, 32]
    assert "Privileged" in told.text()


def test_looking_changes_nothing():
    # The recorded game, with everything looked at and without.
    crcs = []
    for look in (True, False):
        aci = CrafterACI(seed=107, memory_map=look, hints=look, privileged=look)
        for _ in range(160):
            obs = aci.act("noop", stop_on="none").observation
            if look:
                for form in ("text", "json", "ascii", "md", "xml"):
                    obs.render(form)
                obs.image()
        crcs.append((stream_crc(aci.env), aci.state_digest()))
    assert aci.env.daylight < 0.5  # noise was drawn
    assert crcs[0] == crcs[1]


def test_json_fits_the_schema_and_forms_are_short(states):
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    every = [obs for obs, _, _ in states]
    for obs in every[::5]:
        validator.validate(json.loads(obs.render("json")))
    forms = {450: {"verbosity": 0}, 900: {}}  # most characters, as a rule
    for most, style in forms.items():
        assert np.percentile([len(obs.text(**style)) for obs in every], 95) <= most
    assert np.percentile([len(obs.render("json")) for obs in every], 95) <= 1600
    assert max(len(obs.ascii()) for obs in every) <= 120
    full = CrafterACI(seed=1, hints=True, memory_map=True, privileged=True, max_calls=1)
    validator.validate(full.act("jump").observation.json())
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**every[0].json(), "secret": 1})


def test_golden_texts():
    game = recorded_game(format="text+ascii", legend=True)
    kept = (f"===== {o.step}\n{a.describe(o)}\n" for a, o in game if o.step % 15 == 0)
    path, texts = GOLDEN / "observations.txt", "".join(kept)
    if WRITE:
        path.write_text(texts, "utf-8")
    assert texts == path.read_text("utf-8")


# The words.

WORDS = yaml.safe_load((GOLDEN / "words.yaml").read_text("utf-8"))
WORLD = WORDS["worlds"]["meadow"]


@pytest.mark.parametrize("case", WORDS["cases"], ids=str)
def test_words(case):
    world = WORDS["worlds"][case["world"]]
    told = start(world, **case.get("start", {})).starting_obs
    told = told.text(**case.get("text", {}))
    assert all(part in told for part in case.get("has", [])), told
    assert not any(part in told for part in case.get("lacks", [])), told


def is_hidden(dx, dy, darkness=0.5):
    """Return whether the noise of the night hides a cell, by its formula."""
    x, y = 2 * dx / 9, 2 * dy / 7
    return 2 * darkness * (1 - math.exp(-(x * x + y * y) / 0.5)) > 0.6


def test_darkness_hides_what_the_picture_hides():
    plain = ".........\n" * 2
    picture = f"d.......d\n{plain}C...@...Z\n{plain}........."
    seen = start(picture, daytime="midnight").starting_obs
    clear = start(picture, daytime="midnight", settings={"night": "clear"}).starting_obs
    cells = itertools.product(range(-4, 5), range(-3, 4))
    expected = {cell for cell in cells if is_hidden(*cell)}
    for obs, hidden in ((seen, expected), (clear, set())):
        assert {
            (x - 4, y - 3)
            for y, row in enumerate(obs.rows)
            for x, name in enumerate(row)
            if name == "unclear"
        } == hidden
    assert "zombie" not in seen.text() and seen.ascii()[0] == "?"
    assert "something unclear: 4 right; 3 more" in seen.text()
    assert "zombie: 4 right" in clear.text()
    dusk = start(WORLD, daytime=147).starting_obs.rows
    assert "unclear" not in itertools.chain.from_iterable(dusk)


def test_events_in_the_dark_are_not_told():
    # A skeleton shoots where it cannot be seen; by day it is told.
    path = "\n".join(["_________"] * 3 + ["____@____"] + ["_________"] * 3)
    told = {}
    for moment in ("noon", "midnight"):
        aci = start(path, daytime=moment, objects=[("skeleton", (8, 0))])
        turn = aci.act("noop x15", stop_on="none")
        log = [event for step in turn.steps for event in step.events]
        told[moment] = [e for e in log if e["type"] == "arrow_shot"]
    assert told["noon"]
    assert not any(is_hidden(e["dx"], e["dy"]) for e in told["midnight"])


# Forms.


def test_xml_and_markdown_have_the_sections(states):
    sections = ["map", "inventory", "player", "environment"]
    for obs, _, _ in states[::25]:
        root = ElementTree.fromstring(obs.render("xml"))
        assert [child.tag for child in root][:4] == sections
    headings = re.findall(r"^## (.*)$", obs.render("md"), re.MULTILINE)
    assert headings[:4] == [name.capitalize() for name in sections]
    obs = CrafterACI(seed=1).act("x<&>y").observation
    root = ElementTree.fromstring(obs.render("xml"))
    assert "x<&>y" in root.find("last_actions").text


def test_glyphs_are_all_different():
    table = CRAFTER.glyphs()
    assert len(set(table.values())) == len(table)
    assert set(constants.materials) < set(table)
    legend = CrafterACI(seed=1).starting_obs.ascii(legend=True).split("\n")[-1]
    assert "v player down" in legend
    craftaxlm = CRAFTER.glyphs("craftaxlm")
    assert craftaxlm["tree"] == "T" and craftaxlm["outside"] == "#"


def test_pictures():
    aci = CrafterACI(seed=1, images=True)
    obs = aci.starting_obs
    assert obs.image().shape == (576, 576, 3) and obs.image().dtype == np.uint8
    assert obs.image((90, 70)).shape == (70, 90, 3)
    assert obs.image_uri().startswith("data:image/png;base64,")
    aci.act("left")
    assert obs.image().shape == (576, 576, 3)  # was drawn at once
    with pytest.raises(ValueError, match="has gone on"):
        obs.image((90, 70))
    lazy = CrafterACI(seed=1)
    lazy.act("left")
    with pytest.raises(ValueError, match="has gone on"):
        lazy.starting_obs.image()


def test_memory_map():
    aci = CrafterACI(seed=3, memory_map=True)
    first = aci.starting_obs.memory.split("\n")
    assert first[1:8] == [row.rstrip() for row in aci.starting_obs.ascii().split("\n")]
    aci.act("left x20", stop_on="none")
    obs = aci.act("up x10", stop_on="none").observation
    rows = obs.memory.split("\n")
    end = next(i for i, row in enumerate(rows) if row.startswith("Steps since"))
    drawn = rows[1:end]
    assert len(drawn) > 7 and max(map(len, drawn)) > 9
    assert max(map(len, drawn)) <= 40 and len(drawn) <= 40
    assert sum(row.count("^") for row in drawn) == 1
    # Everything drawn was seen: the map agrees with the world.
    world = aci.env.world
    x0, y0 = aci.env.player.position
    me = next(
        (x, y) for y, row in enumerate(drawn) for x, c in enumerate(row) if c == "^"
    )
    names = {glyph: name for name, glyph in GLYPHS.items()}
    for y, row in enumerate(drawn):
        for x, glyph in enumerate(row):
            name = names.get(glyph)
            if name in constants.materials:
                assert world[x0 + x - me[0], y0 + y - me[1]][0] == name


@pytest.mark.slow
def test_deltas_give_the_full_text():
    delta, known, full = Delta(), {}, 0
    for number, (_, obs) in enumerate(recorded_game()):
        told = delta.tell(obs)
        now = lines(obs, obs.style)
        if number % 10 == 0:
            assert told == obs.text()
            full += 1
        else:
            changed = told.split("\n")[1:]
            gone = []
            if changed and changed[-1].startswith("No longer there: "):
                gone = changed.pop()[len("No longer there: ") : -1].split(", ")
            rebuilt = {k: v for k, v in known.items() if k not in gone}
            rest = "\n".join(changed)
            for key, line in now:
                if rebuilt.get(key) != line:
                    assert rest.startswith(line), (key, rest)
                    rest = rest[len(line) :].lstrip("\n")
                    rebuilt[key] = line
            assert not rest
            assert [rebuilt[key] for key, _ in now] == [line for _, line in now]
        known = dict(now)
    assert full > 10


def test_delta_mode():
    aci = CrafterACI(seed=3, mode="delta")
    assert aci.describe(aci.starting_obs) == aci.starting_obs.text()
    told = aci.act("noop").text
    assert told.startswith("Changed since") and "Inventory" not in told
    with pytest.raises(ValueError, match="needs the format 'text'"):
        CrafterACI(mode="delta", format="json")


def test_hints():
    wood = {"inventory": {"wood": 9}, "settings": {"hints": True}}
    far = start(WORLD, facing=(0, 1), **wood).starting_obs
    assert "do" in far.available and "sleep" not in far.available
    assert "make_wood_pickaxe" not in far.available
    near = start(".t.\n.@.\n...\n", facing=(0, 1), **wood).starting_obs
    assert "make_wood_pickaxe" in near.available
    assert "place_table" in near.available and "place_stone" not in near.available
    assert "Possible now: noop, move_left" in near.text()
    assert start(WORLD).starting_obs.available is None
