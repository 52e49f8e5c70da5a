"""The event stream: its format and completeness."""

import warnings

import numpy as np
import pytest
from craftax_scenes import Scene, of_type, types
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.craftax import Env
from crafter.games.craftax.events import FIELDS, REASONS

VITALS = ("health", "food", "drink", "energy", "mana")
COUNTABLE = ("wood", "stone", "coal", "iron", "diamond", "sapling", "arrows", "torches")
COUNTABLE += ("ruby", "sapphire", "books")
EVERYTHING = {
    **dict.fromkeys(COUNTABLE, 9),
    "pickaxe": 2,
    "sword": 2,
    "bow": 1,
    "potion_red": 3,
    "potion_cyan": 3,
    "potion_blue": 3,
    "helmet": 1,
    "xp": 2,
}


def steps(seed, level, count=60):
    """Plays randomly with rich players, and yields (env, before, info)."""
    env = Env(events=True)
    _, info = env.reset(
        seed=seed,
        options={
            "floor": level,
            "inventory": EVERYTHING,
            "spells": ["fireball"],
            "daytime": "midnight",
        },
    )
    random = np.random.default_rng(seed)
    # Often interacts, in case something is in front.
    chances = np.where(np.arange(43) == env.action_names.index("do"), 6, 1) / 48
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in random.choice(43, count, p=chances):
            before = info
            info = env.step(action)[4]
            yield env, before, info


@settings(max_examples=20)
@given(seed=st.integers(0, 2**31), level=st.integers(0, 8))
def test_events_account_for_everything(seed, level):
    creatures = 0
    for env, before, info in steps(seed, level):
        events, last = info["events"], creatures
        check_form(events)
        for name in (*VITALS, *COUNTABLE):
            change = change_of_vital if name in VITALS else change_of_item
            total = before["inventory"][name]
            total += sum(change(env.tables, event, name) for event in events)
            assert total == pytest.approx(info["inventory"][name], abs=1e-5), name
        check_info(before, info)
        floor = env.player.floor
        creatures = sum(mob.alive for _, mobs in floor.creatures() for mob in mobs)
        seen = types(events)
        if "entered" not in seen:
            gone = seen.count("despawned") + seen.count("defeated")
            assert creatures - last == seen.count("spawned") - gone


def check_form(events):
    for event in events:
        assert set(event) == {"type", *FIELDS[event["type"]]}
        assert event.get("reason", REASONS[0]) in REASONS


def check_info(before, info):
    events = info["events"]
    unlocked = {e["achievement"] for e in events if e["type"] == "unlocked"}
    assert unlocked == info["unlocked"]
    place, was = ((i["floor"], *i["player_pos"].tolist()) for i in (info, before))
    assert bool({"moved", "entered"} & set(types(events))) == (place != was)
    assert ("died" in types(events)) == (info["dead"] and not before["dead"])


def change_of_vital(tables, event, name):
    kind = event["type"]
    if kind in ("vital", "limited") and event["name"] == name:
        return event["to"] - event["frm"]
    if kind == "potion" and event["name"] == name != "health":
        return event["change"]
    if kind == "spent" and event["name"] == name:
        return -event["amount"]
    if kind == "ate" and name == "food":
        return event["gain"]
    if kind == "collected" and event["what"] == name:
        return event["gain"]
    if name == "health" and kind in ("hurt", "healed"):
        return event["amount"] if kind == "healed" else -event["amount"]
    return 0


def change_of_item(tables, event, name):
    kind, what = event["type"], event.get("what")
    if kind == "limited" and event["name"] == name:
        return event["to"] - event["frm"]
    if kind in ("collected", "found") and what == name:
        return event["gain"]
    if kind == "made":
        rule = tables.recipes[what]
        return rule.gives.get(name, 0) - rule.uses.get(name, 0)
    if kind == "placed":
        return -tables.place[what].uses.get(name, 0)
    if kind == "shot" and event["by"] == "player" and what == "arrow2":
        return -(name == "arrows")
    if kind == "read":
        return -(name == "books")
    if kind == "enchanted":
        return -(name == {"fire": "ruby", "ice": "sapphire"}[event["element"]])
    return 0


def test_times_of_day():
    scene = Scene()
    seen = {}
    for timestep in range(301):
        scene.world.timestep = timestep
        for event in scene.step():
            if event["type"] in ("dusk", "dawn", "new_day"):
                seen[event["type"]] = (timestep + 1, event["n"])
        scene.player.health = scene.player.food = scene.player.drink = 9
    assert seen == {"dusk": (148, 0), "dawn": (273, 0), "new_day": (300, 1)}


def test_a_death_names_its_causes():
    scene = Scene()
    scene.player.health = 1.0
    scene.creature("zombie", cooldown=0)
    assert of_type(scene.step(), "died") == {"by": ["zombie"]}
