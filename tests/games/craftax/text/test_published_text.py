"""The text of what a player sees: that of the published game, line for line."""

import gzip
import json

import pytest
from craftax_golden import FOLDER, Steps

from crafter.craftax import Env
from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.text import published_text as text

RULES = tables.load()
DEFAULTS = parameters.make(RULES.data["parameters"], {})
OBSERVER = Observer(RULES, DEFAULTS)
ROWS = [
    json.loads(line)
    for line in gzip.decompress((FOLDER / "texts.json.gz").read_bytes()).splitlines()
]


@pytest.fixture(scope="module")
def steps():
    """Recorded transitions by file, read once."""
    return {row["steps"]: Steps(row["steps"][6:-4]) for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['steps']}-{row['number']}")
def test_texts_are_those_of_the_published_game(row, steps):
    state = steps[row["steps"]].before(row["number"])
    _, player = fields.restore(state, RULES, DEFAULTS)
    assert text.render(player, OBSERVER).split("\n") == row["text"].split("\n")


def test_the_recorded_texts_show_what_there_is():
    told = "".join(row["text"] for row in ROWS)
    for number in range(9):
        assert f"\nFloor: {number}\n" in told
    for kind, rows in [*RULES.species.items(), ("mob_projectiles", RULES.projectiles)]:
        for number in range(len(rows)):
            assert f": {text.mob_name(RULES, kind, number)} on " in told
    for phrase in ["Darkness\n", "Is Sleeping: True", "Is Resting: True", "(Player)"]:
        assert phrase in told
    for title in ["Ladder Open", "Is Boss Vulnerable", "Learned Fireball"]:
        assert f"{title}: True" in told and f"{title}: False" in told
    never = {"wood", "gravel", "necromancer_vulnerable"}  # on no map of the game
    for name in set(RULES.block_names[2:]) - never:
        assert f"{name}\n" in told, name
    for thing in ["Sword with Fire", "Sword with Ice", "Bow with", "Boots with"]:
        assert thing in told


def test_looking_changes_nothing():
    env = Env(seed=3)
    env.reset()
    before = {name: value.copy() for name, value in env.get_state().items()}
    assert text.render(env.player, env.observer).startswith("Map:\n")
    after = env.get_state()
    assert all((before[name] == after[name]).all() for name in before)
