"""A batch must equal Gymnasium's sync vector environment of single ones."""

import pickle

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same, assert_same_games, make_pair, play_both, singles
from budget import LONG, sample
from craftax_scenes import random_setup

from crafter.games.craftax import Env
from crafter.games.craftax.cpu import reset
from crafter.games.craftax.cpu.env import INFO_KEYS, VectorEnv
from crafter.games.craftax.observations import KINDS
from crafter.games.craftax.state import StateError

GAME = "Craftax-Symbolic-v1"
MODES = ["NextStep", "SameStep", "Disabled"]
FLOORS = 9
TOOLS = "wood stone coal iron diamond sapling arrows torches ruby sapphire books"
COLOURS = "red green blue pink cyan yellow"
ATTRIBUTES = ("dexterity", "strength", "intelligence")


def pair(num_envs, mode="NextStep", **arguments):
    arguments = {"game": GAME, "action_masks": "exact", **arguments}
    return make_pair(num_envs, mode, **arguments)


def equipped(floor, random):
    """Returns reset options for a well-equipped player on a floor."""
    items = dict.fromkeys(TOOLS.split(), 9)
    items |= {f"potion_{colour}": 3 for colour in COLOURS.split()}
    items |= {name: int(random.integers(1, 6)) for name in ATTRIBUTES}
    items |= {"pickaxe": 4, "bow": 1, "sword": int(random.integers(5)), "xp": 5}
    items |= {"helmet": int(random.integers(3)), "boots": int(random.integers(3))}
    daytime = int(random.integers(300))
    return {"floor": floor, "inventory": items, "daytime": daytime}


def start_everywhere(batch, loop, random):
    """Starts consecutive games on each floor."""
    for both in (batch, loop):
        both.reset(seed=3)
    for i, env in enumerate(singles(loop)):
        env.reset(options=equipped(i % FLOORS, random))
    batch.set_state([env.get_state() for env in singles(loop)])


def choose(loop, random):
    """Returns actions: mostly valid ones, or `do`."""
    actions = []
    for env in singles(loop):
        works = np.flatnonzero(env.action_masks())
        draw = random.random()
        actions.append(5 if draw < 0.25 else random.choice(works))
        if draw > 0.9:
            actions[-1] = random.integers(43)
    return np.array(actions)


def play(batch, loop, steps, random):
    floors, chosen = set(), set()

    def act():
        actions = choose(loop, random)
        floors.update(batch.latest_infos()["floor"].tolist())
        chosen.update(actions.tolist())
        return actions

    tally = play_both(batch, loop, steps, act)
    assert_same_games(batch, loop)
    tally |= {"steps": steps * batch.num_envs, "floors": floors, "actions": len(chosen)}
    print(tally)
    return tally


GAMES, STEPS = (64, 2000) if LONG else (FLOORS, 120)


@pytest.mark.parametrize("rules", ["published", "repaired"])
@pytest.mark.parametrize("kind", sample([*KINDS, "pixels"]))
def test_games_on_all_floors(kind, rules):
    batch, loop = pair(GAMES, observation=kind, rules=rules, threads=2)
    random = np.random.default_rng(0)
    start_everywhere(batch, loop, random)
    tally = play(batch, loop, STEPS, random)
    assert tally["ends"] and len(tally["floors"]) == FLOORS
    assert tally["actions"] == 43 or not LONG


@pytest.mark.parametrize("kind", ["pixels", "semantic"])
def test_what_sleepers_and_others_see_at_any_time_of_day(kind):
    batch, loop = pair(2 * FLOORS, observation=kind)
    random = np.random.default_rng(5)
    start_everywhere(batch, loop, random)
    for i, env in enumerate(singles(loop)[FLOORS:]):
        start = {"daytime": 32 * i, "inventory": {"energy": 2}}
        env.reset(options={**start, "creatures": [("zombie", (23, 25))]})
    batch.set_state([env.get_state() for env in singles(loop)])
    sleep = loop.get_attr("action_names")[0].index("sleep")
    for _ in range(6):
        actions = choose(loop, random)
        actions[FLOORS:] = sleep
        assert_same(batch.step(actions), loop.step(actions))


@pytest.mark.slow
def test_pictures_of_a_narrow_view_of_a_floor_that_stores_light():
    floors = {"overworld": {"light": 0.4}}
    rules = {"view": {"cells": [7, 7]}, "terrain": {"floors": floors}}
    batch, loop = pair(FLOORS, observation="pixels", rules=rules)
    start_everywhere(batch, loop, np.random.default_rng(7))
    for i, env in enumerate(singles(loop)):
        env.reset(options={"floor": i // 7, "daytime": 30 * i})
    batch.set_state([env.get_state() for env in singles(loop)])
    for action in (1, 0, 6):
        actions = np.full(FLOORS, action)
        assert_same(batch.step(actions), loop.step(actions))


@pytest.mark.parametrize("setup", ["puffer", *range(20 if LONG else 2)])
def test_setups(setup):
    named = setup == "puffer"
    setup = setup if named else random_setup(setup)
    masks = "puffer" if named else "exact"
    batch, loop = pair(2 * FLOORS, setup=setup, action_masks=masks, threads=2)
    assert batch.get_attr("setup") == loop.get_attr("setup")
    random = np.random.default_rng(6)
    start_everywhere(batch, loop, random)
    steps = 560 if LONG else STEPS
    assert play(batch, loop, steps, random)["ends"]


@pytest.mark.parametrize("mode", MODES)
def test_autoreset(mode):
    batch, loop = pair(5, mode, max_timesteps=30)
    assert_same(batch.reset(seed=1), loop.reset(seed=1), "reset")
    assert play(batch, loop, 70, np.random.default_rng(1))["ends"] >= 10


def test_god_mode():
    batch, loop = pair(3, god_mode=True)
    assert_same(batch.reset(seed=1), loop.reset(seed=1), "reset")
    play(batch, loop, STEPS, np.random.default_rng(2))


NUMBERS = {
    "boss": {"hits": 2, "wave_steps": 3},
    "intrinsics": {"hunger": {"limit": 5}, "recover": {"gain": 3}},
    "rewards": {"basic": 0.3, "health": 0.25},
    "chest": {"torches": {"chance": 0.9, "count": [1, 9]}},
    "spawning": {"beyond": {"melee": 2}, "uncleared": 5},
    "collect": {"grass": {"chance": 0.7}},
    "terrain": {"mountain": {"above": 0.4}, "glow": {"beside": 0.3}},
    "rooms": {"rare": 0.4, "size": [4, 8]},
}


def test_other_numbers_play_without_compiling_again():
    kernel = VectorEnv(1)._engine.observer._kernel
    VectorEnv(1).reset(seed=0)
    before = len(kernel.signatures)
    batch, loop = pair(FLOORS, rules=NUMBERS)
    random = np.random.default_rng(4)
    start_everywhere(batch, loop, random)
    play(batch, loop, 60, random)
    assert len(kernel.signatures) == before


@pytest.mark.slow
@pytest.mark.parametrize("map_size", [32, 144])  # cells fit a byte, or do not
def test_other_names_play(map_size):
    rules = {"blocks": {"marble": {"kind": "solid"}}, "terrain": {"floors": {
        "overworld": {"blocks": {"mountain": "marble"}}}}}  # fmt: skip
    batch, loop = pair(2, rules=rules, max_melee_mobs=5, map_size=map_size)
    assert_same(batch.reset(seed=1), loop.reset(seed=1), "reset")
    play(batch, loop, 20, np.random.default_rng(5))


@pytest.mark.parametrize("rules", ["published", "repaired"])
@pytest.mark.parametrize("seeds", sample([range(30), range(30, 2000)]))
def test_worlds(seeds, rules):
    batch, loop = pair(1, rules=rules, always_diamond=rules == "repaired")
    for seed in seeds:
        batch.reset(seed=seed), loop.reset(seed=seed)
        assert_same_games(batch, loop)


def test_looking_at_games():
    batch, loop = pair(2, render_mode="rgb_array")
    batch.reset(seed=1), loop.reset(seed=1)
    for found, env in zip(batch.snapshots(), singles(loop)):
        assert found.position == env.snapshot().position
    pictures = batch.frames()
    for picture, env in zip(pictures, singles(loop)):
        np.testing.assert_array_equal(picture, env.frame())


def test_floors_are_made_when_they_are_entered():
    batch = VectorEnv(1)
    batch.reset(seed=1)
    games = batch._engine.games
    assert games["made"][0].tolist() == [1] + [0] * (FLOORS - 1)
    engine, first = batch._engine, np.zeros(1, np.int64)
    reset.make_floors(engine.games, first, engine._rules, engine._worldgen_scratch)
    assert games["made"].all()


def test_projectiles_whose_numbers_no_game_changes():
    batch = VectorEnv(1)
    batch.reset(seed=1)
    (state,) = batch.get_state()
    state["mob_projectiles.health"] += 1
    with pytest.raises(StateError, match="requires mob_projectiles.health to be 1"):
        batch.set_state([state])


def test_all_infos_are_offered():
    env = gymnasium.make(GAME).unwrapped
    _, info = env.reset(seed=0)
    assert set(INFO_KEYS) == set(info) - {"events"}


# Worlds from a pool.

POOL = {"observation": "compact", "autoreset_mode": "SameStep", "world_pool": 5}


def play_pool(num_envs, steps=60, **arguments):
    """Returns a batch after some steps, and its maps and world indices on the way."""
    batch = VectorEnv(num_envs, **{**POOL, "max_timesteps": 20, **arguments})
    obs, infos = batch.reset(seed=3)
    seen = [(obs["map"], infos["world_pool"])]
    actions = np.random.default_rng(0).integers(43, size=(steps, 8))
    for row in actions:
        obs, *_, infos = batch.step(row[:num_envs])
        seen.append((obs["map"], infos["world_pool"]))
    return batch, seen


def test_worlds_of_a_pool_are_those_of_the_first_episodes():
    batch, seen = play_pool(8)
    worlds = np.stack([numbers for _, numbers in seen])
    assert set(np.unique(worlds)) == set(range(5))
    batch = VectorEnv(8, **POOL)
    _, infos = batch.reset(seed=3)
    single = Env()
    for state, number in zip(batch.get_state(), infos["world_pool"].tolist()):
        single.reset(seed=3, options={"episode": number + 1})
        expected = single.get_state()
        differ = {"seed", "episode", "random_words", "random_buffer"}
        for name in expected.keys() - differ:
            np.testing.assert_array_equal(state[name], expected[name], name)


def test_games_of_a_pool_are_saved_and_copied():
    batch, _ = play_pool(4)
    other = VectorEnv(4, **POOL, max_timesteps=20)
    other.set_state(batch.get_state())
    copied = pickle.loads(pickle.dumps(batch))
    actions = np.full(4, 5)
    for _ in range(5):
        found = [one.step(actions)[0]["map"] for one in (batch, other, copied)]
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], found[2])
    batch = VectorEnv(2, **POOL)
    _, infos = batch.reset(seed=1, options={"floor": 1})
    assert infos["world_pool"].tolist() == [-1, -1]
    _, infos = batch.reset(options={"reset_mask": np.array([True, False])})
    assert infos["world_pool"][0] >= 0


@pytest.mark.parametrize("size", [0, -1, 2**16 + 1, 1.5, "many"])
def test_impossible_pools(size):
    with pytest.raises(ValueError, match="world_pool"):
        VectorEnv(1, world_pool=size)
    with pytest.raises(TypeError, match="world_pool"):
        gymnasium.make_vec("CrafterReward-v1", num_envs=1, world_pool=5)
