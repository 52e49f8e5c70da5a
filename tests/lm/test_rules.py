"""The rules text says what the tables say."""

from __future__ import annotations

import re

import pytest
from lm_helpers import numbers

import crafter
from crafter import constants
from crafter.games.crafter.rules import default
from crafter.lm import game as games
from crafter.lm import rules, tutorial
from crafter.lm.rendering.rules_text import SECRETS

CRAFTER = games.find("crafter").words()

STAGES = [s["crafts"] for s in CRAFTER.more("tutorial")["stages"] if "crafts" in s]


def tables(path, value):
    """Return the rules with a change, such as 5 at `items__health__max`."""
    *outer, last = path.split("__")
    place = default().data
    for key in outer:
        place = place[key]
    assert place[last] != value
    change = {last: value}
    if isinstance(value, dict):
        change = {last: {**dict.fromkeys(place[last]), **value}}  # None takes away
    for key in reversed(outer):
        change = {key: change}
    return default().changed(change)


CHANGES = [
    {"place__table__uses": {"wood": 3}},
    {"make__iron_sword__uses": {"wood": 1, "coal": 2}},
    {"make__wood_sword__nearby": ["furnace"]},
    {"collect__grass__probability": 0.2},
    {"collect__iron__require": {"wood_pickaxe": 1}},
    {"items__health__max": 12},
    {"items__wood__max": 20},
    {"life__hunger__limit": 40},
    {"life__recover__loss": -5},
    {"creatures__zombie__damage": 3},
    {"creatures__zombie__health": 9},
    {"do__cow__food": 2},
    {"creatures__plant__ripe": 500},
    {"creatures__arrow__damage": 1},
    {"damage__wood_sword": 4},
    {"time__day": 400},
    {"world__nearby": 2},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_a_change_of_the_rules_changes_the_text(change):
    ((path, value),) = change.items()
    assert rules("full", tables=tables(path, value)) != rules("full")


def test_every_name_occurs_in_few_words():
    text = rules("full")
    for names in (
        constants.actions,
        constants.items,
        constants.materials,
        constants.achievements,
        [kind for kind in constants.objects if kind != "player"],
    ):
        for name in names:
            assert re.search(rf"(?<![\w]){name}(?![\w])", text), name
    assert len(text) <= 6000 and len(rules("brief")) <= 1800
    assert len(tutorial()) <= 4000 and "\n4. Diamonds. " in tutorial()


@pytest.mark.parametrize("name", ["crafter", "craftax"])
def test_no_template_hides_a_section_of_the_rules(name):
    words = games.find(name).words()
    assert not words.more("rules").keys() & words.rules.data.keys()


def test_every_number_is_in_the_rules():
    known = {*numbers(dict(vars(constants)))}
    # What follows from them: strokes, amounts of achievements, and the interface.
    strokes = {
        -(-kind["health"] // damage)
        for kind in constants.creatures.values()
        for damage in constants.damage.values()
        if kind["health"]
    }
    known |= strokes | {len(constants.achievements)}
    for level in ("full", "brief"):
        text = rules(level, max_batch=1)
        found = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
        assert found <= known
    text = re.sub(r"^\d+\. ", "", tutorial(), flags=re.MULTILINE)
    found = {float(number) for number in re.findall(r"\d+", text)}
    totals = {float(n) for stage in STAGES for n in CRAFTER.total_uses(stage).values()}
    assert found <= known | totals


def test_secrets():
    hidden = rules("full", ["creatures"])
    assert "zombies" not in hidden and "skeleton:" not in hidden
    assert set(re.findall(r"\d+", rules("full", ["numbers"], max_batch=1))) == {"0"}
    free = rules("full", ["costs"])
    assert "2 wood" not in free and "nearby table" in free
    assert "nearby table" not in rules("full", ["stations"])
    for level in ("full", "brief"):
        everything = rules(level, SECRETS)
        assert "near table" not in everything and "uses" not in everything
    assert "place_table 2" not in rules("brief", ["costs"])
    with pytest.raises(ValueError, match="hide must be one of .*'x'"):
        rules("full", ["x"])
    with pytest.raises(ValueError, match="level must be one of"):
        rules("long")


def test_the_interface_is_explained():
    assert "up to 7 actions" in rules("brief", max_batch=7)
    assert "one action at a time" in rules("brief", max_batch=1)
    assert "until awake" in rules("full")
    assert "until awake" not in rules("full", macros=False)
    assert "ends early" not in rules("full", stop_on="none")
    assert "you are hurt." in rules("full", stop_on={"hurt"})


def test_the_claims_of_the_tutorial_hold():
    # With the amounts that it names, everything that it names can be made.
    for stage in STAGES:
        total = CRAFTER.total_uses(stage)
        told = " and ".join(f"{n} {item}" for item, n in total.items())
        first = f"{next(iter(total.values()))} {next(iter(total))}"
        assert first in tutorial() and told
        env = crafter.Env(area=(9, 9), events=True)
        plain = ["........."] * 3
        rows = [*plain, "...t.....", "....@....", "....f....", *plain]
        options = {"map": rows, "inventory": total, "facing": (1, 0)}
        env.reset(seed=0, options=options)
        for action in stage:
            _, _, _, _, info = env.step(env.action_names.index(action))
            kinds = [event["type"] for event in info["events"]]
            assert "made" in kinds or "placed" in kinds, (action, info["events"])
            if action.startswith("place"):  # make room for the next one
                env.world[env.player.target] = "grass"
        left = {item: env.player.inventory[item] for item in total}
        assert not any(left.values())
