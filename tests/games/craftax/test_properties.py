"""Invariants of the game."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.craftax import Env
from crafter.games.craftax import fields
from crafter.games.craftax.state import check_fields

PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "god_mode": st.booleans(),
        "map_size": st.sampled_from([16, 32, 48]),
        "max_melee_mobs": st.integers(1, 5),
        "max_ranged_mobs": st.integers(1, 5),
        "max_mob_projectiles": st.integers(1, 5),
        "mob_despawn_distance": st.integers(1, 20),
        "max_attribute": st.integers(1, 8),
        "day_length": st.integers(1, 500),
    },
)
PLAYS = {
    "seed": st.integers(0, 2**31),
    "level": st.integers(0, 8),
    "rules": st.sampled_from(["published", "repaired"]),
    "parameters": PARAMETERS,
}


def games(seed, level, rules, parameters, count=80):
    """Yields (env, info) for every step of a random game with a rich player."""
    env = Env("compact", rules=rules, **parameters)
    inventory = dict.fromkeys(("wood", "stone", "sapling", "torches", "arrows"), 20)
    inventory |= {"pickaxe": 4, "bow": 1, "potion_red": 9, "potion_blue": 9, "books": 2}
    options = {"inventory": inventory, "spells": ["fireball"], "daytime": 0}
    if level:
        options["floor"] = level
    env.reset(seed=seed, options=options)
    random = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in random.integers(0, 43, count):
            yield env, env.step(action)[4]


@settings(max_examples=12)
@given(**PLAYS)
def test_every_step_keeps_the_rules(seed, level, rules, parameters):
    before, health, known = None, 9.0, set()
    for env, info in games(seed, level, rules, parameters):
        now = env.get_state()
        check_fields(now, env.tables, env.parameters)
        check_creatures(env)
        new = env.unlocked - known
        assert new == info["unlocked"]
        weights = dict(zip(env.tables.achievement_names, env.tables.weights))
        change = env.player.health - health
        expected = sum(weights[name] for name in new) + 0.1 * change
        np.testing.assert_allclose(info["reward"], expected, atol=1e-5)
        health, known = env.player.health, env.unlocked
        if before is not None and before[0] == info["floor"]:
            check_other_floors(info["floor"], before[1], now)
        before = info["floor"], now


def check_creatures(env):
    """Check that creatures are on valid cells."""
    floor, graves = env.player.floor, env.tables.graveyard_blocks
    for kind, slots in floor.creatures():
        for mob in slots:
            block = floor.block_map[mob.position]
            if mob.alive and not graves[block]:
                assert not env.tables.species[kind][mob.type].barred[block]


def check_other_floors(floor, before, now):
    """Check that floors other than the player's do not change."""
    levels = [n for n in range(1, 9) if n != floor]
    for name in ("map", "item_map", "mob_map", "melee_mobs.position"):
        np.testing.assert_array_equal(now[name][levels], before[name][levels])


@settings(max_examples=8)
@given(**PLAYS)
def test_fields_are_restored_as_they_were(seed, level, rules, parameters):
    *_, (env, _) = games(seed, level, rules, parameters, 30)
    state = fields.capture(env.world, env.player)
    again = fields.capture(*fields.restore(state, env.tables, env.parameters))
    np.testing.assert_equal(again, state)


@settings(max_examples=8)
@given(**PLAYS)
def test_observations_lie_in_their_space(seed, level, rules, parameters):
    for env, _ in games(seed, level, rules, parameters, 40):
        for kind in ("symbolic", "compact", "semantic", "puffer"):
            obs = env.observer.observe(kind, env.player)
            assert env.observer.space(kind).contains(obs), kind
