"""Rule changes that JAX rejects; test_parity plays the others."""

import functools
import pathlib

import numpy as np
import pytest
import yaml

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import jax
from craftax_jax import config

from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.engine import World
from crafter.games.craftax.jax import EnvParams, StaticEnvParams, make, worldgen
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.player import Player
from crafter.games.craftax.rules import RulesError
from crafter.games.craftax.worldgen import WorldGenerator

PATH = str(pathlib.Path(__file__).parents[3] / "support" / "craftax_changed.yaml")
CHANGES = yaml.safe_load(pathlib.Path(PATH).read_text("utf-8"))


def test_all_other_sections_are_changed():
    """Directions and items cannot change, symbols are for hand-made floors.

    Switches are compared in separate games.
    """
    unchanged = {"directions", "items", "symbols", "switches"}
    assert CHANGES.keys() == tables.load().data.keys() - unchanged


def test_games_start_as_in_the_object_oriented_game():
    rules = config(PATH).tables
    found = craftax_convert.save(config(PATH), worldgen.empty(config(PATH)))
    player = Player(World(rules, parameters.make(rules.data["parameters"], {})))
    expected = fields.capture(player.world, player)
    names = [name for name in expected if name.startswith(("player_", "monsters"))]
    assert found["player_health"] == 7 and found["player_strength"] == 3
    for name in names:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)


def test_parameters_follow_the_rules():
    env = make("Craftax-Symbolic-v1", rules=PATH)
    assert env.default_params == EnvParams(
        day_length=40, mob_despawn_distance=12, max_attribute=4
    )
    static = StaticEnvParams(
        max_melee_mobs=4,
        max_passive_mobs=2,
        max_ranged_mobs=3,
        max_mob_projectiles=2,
        max_player_projectiles=2,
        max_growing_plants=3,
    )
    assert env.static_env_params == static
    small = make("Craftax-Symbolic-v1", rules={"parameters": {"map_size": 32}})
    assert small.static_env_params == StaticEnvParams(map_size=(32, 32))
    own = StaticEnvParams(max_melee_mobs=5)
    env = make("Craftax-Symbolic-v1", rules=PATH, static_env_params=own)
    assert env.static_env_params == own


@functools.cache
def drawn():
    """Returns the draws of a world."""
    rules = config(PATH).tables
    default = parameters.make(rules.data["parameters"], {})
    draws = WorldGenerator(rules, default).draw(np.random.default_rng(5))
    return {
        name: value.astype(np.int32) if value.dtype.kind == "i" else value
        for name, value in draws.items()
    }


def test_ladders_and_the_light_of_lava_follow_the_rules():
    rules = config(PATH).tables
    default = parameters.make(rules.data["parameters"], {})
    expected = WorldGenerator(rules, default).generate(drawn())
    published = WorldGenerator(tables.load(), default).generate(drawn())
    make_world = jax.jit(
        lambda draws: worldgen.generate(config(PATH), EnvParams.of(rules), draws, 0)
    )
    found = jax.device_get(make_world(drawn()))
    dark = list(t.DARK_FLOORS)
    np.testing.assert_array_equal(found.cells >> t.ITEM_SHIFT, expected.item_map)
    np.testing.assert_array_equal(found.down_ladders, expected.down_ladders)
    np.testing.assert_allclose(found.dark_light, expected.light_map[dark], atol=1e-6)
    for floor in (0, 2, 3):
        assert (expected.item_map[floor] != published.item_map[floor]).any()
    assert not np.allclose(expected.light_map, published.light_map)


#: Rejected entry -> the change, which is valid in the other engines.
REFUSED = {
    "names of blocks": "blocks: {gold: {kind: solid}}",
    "items": "items: {add: [flower]}",
    "inventory.wood.max": "inventory: {wood: {max: 40000}}",
    "ladders.killed_at_start": "ladders: {killed_at_start: 40000}",
    "terrain.glow": "terrain: {glow: {beside: -0.5}}",
    "inventory.potions.each": "inventory: {potions: {each: {add: [black]}}}\n"
    "potions: {effects: {add: [{food: 1}]}}",
    "names of actions": "actions: {make_x: {verb: make, what: torch, key: '?'}}",
    "names of achievements": "achievements: {rest: basic}",
    "names of creatures.passive": "creatures: {passive: {wolf: "
    "{health: 6, moves: land, achievement: eat_cow}}}",
    "names of spells": "spells: {iceball: null}\n"
    "actions: {cast_iceball: {what: fireball}}",
    "view.cells": "view: {cells: [7, 9]}",
    "terrain.floors.overworld.blocks": "terrain: "
    "{floors: {overworld: {blocks: {sea: lava}}}}",
    "rooms.count": "rooms: {count: 5}",
    "rooms.floors.vaults.blocks": "rooms: {floors: {vaults: {blocks: {rare: lava}}}}",
    "collect.tree.restores": "collect: {tree: {restores: {energy: 1}}}",
    "maxima.mana.per": "maxima: {mana: {per: 3.5}}",
}


@pytest.mark.parametrize("place", REFUSED)
def test_what_the_code_does_not_read_is_refused(place):
    changes = yaml.safe_load(REFUSED[place])
    tables.load(changes)
    message = rf"these changes: {place}\b.*\. crafter.craftax.Env supports all"
    with pytest.raises(RulesError, match=message):
        make("Craftax-Symbolic-v1", rules=changes)


def test_rules_without_possessions_are_compiled():
    things = dict.fromkeys(tables.load().data["possessions"])
    env = make("Craftax-Compact-v1", rules={"possessions": things}, auto_reset=False)
    state = worldgen.empty(env.config)
    *_, reward, _, _ = jax.eval_shape(
        env.step, jax.random.key(0), state, np.int32(0), env.default_params
    )
    assert reward.dtype == np.float32
