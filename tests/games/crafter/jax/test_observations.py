"""JAX observations compared with the single environment."""

import functools

import numpy as np
import pytest
from budget import sample
from helpers import daylight

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
from batches import Sleeper

from crafter.games.crafter import constants
from crafter.games.crafter import observations as single
from crafter.games.crafter.jax import clock, observations
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.players.random import Wanderer
from crafter.games.crafter.views import FrameView, Textures

CONFIG = Config()
GAMES = 16


@functools.cache
def moments():
    """Return games in mid-episode, by day, at night and asleep."""
    games = [jax_games.Game(CONFIG, i, clock_offset=i * 53 % 300) for i in range(GAMES)]
    for game in games:
        player = (Wanderer, Sleeper)[game.seed % 2](game.seed)
        for _ in range(100):
            game.step(player.act(None, {}))
            if game.player.health <= 0:
                game.reset()
        game.player.sleeping |= game.seed % 4 == 1
    assert any(game.player.sleeping for game in games)
    assert any(game.world.daylight < 0.5 for game in games)
    return games


@functools.cache
def states():
    """Return `moments()` as a batch."""
    return jax_games.stack([jax.device_get(game.state()) for game in moments()])


@functools.cache
def compiled_pixels(textures):
    """Return a compiled function that draws images of `GAMES` games."""
    palette = observations.make_palette(CONFIG, (64, 64), textures)
    return jax.jit(jax.vmap(lambda s, n: observations.pixels(CONFIG, palette, s, n)))


def test_numbers_wanted_depend_on_the_time_of_day_alone():
    table = clock.target_table(CONFIG.rules)
    rules = constants.balance["kinds"].values()
    for step in range(10001):
        light = daylight(step)
        for rule, wanted in zip(rules, table[step % CONFIG.rules.time["day"]].tolist()):
            bounds = (rule["minimum"], rule["maximum"])
            expected = [int(b["constant"] + b["per_daylight"] * light) for b in bounds]
            assert wanted == expected


def test_days_beyond_the_table_of_daylight_repeat_its_last():
    state, day = jax_games.Game(CONFIG, 3).state(), CONFIG.rules.time["day"]
    for step in (39 * day + 17, 40 * day + 17, 97 * day + 17):
        light = clock.daylight(CONFIG, state._replace(step=step))
        assert light == np.float32(daylight(39 * day + 17))


@pytest.mark.parametrize("kind", ["compact", "symbolic"])
def test_numbers(kind):
    see = getattr(observations, kind)
    found = jax.jit(jax.vmap(lambda state: see(CONFIG, state)))(states())
    for row, game in zip(np.asarray(found), moments()):
        expected = single.observe(kind, game.world, game.player, CONFIG.view)
        assert row.dtype == expected.dtype
        np.testing.assert_array_equal(row, expected)


@pytest.mark.parametrize("pack", sample(["own", "synthetic"]))
def test_pixels(pack, synthetic):
    textures = None if pack == "own" else synthetic
    view = FrameView(Textures(textures), CONFIG.view, (64, 64), CONFIG.rules)
    noise = np.random.RandomState(0).uniform(32, 127, (GAMES, *view.noise_shape))
    noise = noise.astype(np.float32)
    found = np.asarray(compiled_pixels(textures)(states(), noise))
    for frame, game, grain in zip(found, moments(), noise):
        expected = view(game.world, game.player, grain.astype(np.float64))
        np.testing.assert_array_equal(frame, expected)


def test_pixels_at_every_hour():
    game = jax_games.Game(CONFIG, 3)
    view = FrameView(Textures(None), CONFIG.view, (64, 64), CONFIG.rules)
    noise = np.full((GAMES, *view.noise_shape), 80, np.float32)
    state = jax_games.stack([jax.device_get(game.state())] * GAMES)
    for steps in np.arange(0, 9184, 41, dtype=np.int32).reshape(-1, GAMES):
        frames = compiled_pixels(None)(state._replace(step=steps), noise)
        for frame, step in zip(np.asarray(frames), steps.tolist()):
            game.world.daylight = daylight(step)
            expected = view(game.world, game.player, noise[0].astype(np.float64))
            np.testing.assert_array_equal(frame, expected, err_msg=f"step {step}")


def test_craftax_layout():
    """Index by index, from the documentation of Craftax-Classic."""
    see = jax.jit(jax.vmap(lambda state: observations.craftax_classic(CONFIG, state)))
    for row, game in zip(np.asarray(see(states())), moments()):
        world, player = game.world, game.player
        assert row.shape == (1345,)
        assert row.dtype == np.float32
        expected = np.zeros(1345, np.float32)
        names = (
            "grass water stone tree _ path coal iron diamond table furnace sand lava"
        )
        blocks = {name: number for number, name in enumerate(names.split(), 2)}
        mobs = {"zombie": 17, "cow": 18, "skeleton": 19, "arrow": 20}
        for i in range(7):
            for j in range(9):
                material, obj = world[player.x - 4 + j, player.y - 3 + i]
                base = 21 * (9 * i + j)
                block = blocks.get(material, 1)
                if obj is not None and obj.kind == "plant":
                    block = 16 if obj.ripe else 15
                expected[base + block] = 1
                if obj is not None and obj.kind in mobs:
                    expected[base + mobs[obj.kind]] = 1
        names = "wood stone coal iron diamond sapling wood_pickaxe stone_pickaxe "
        names += "iron_pickaxe wood_sword stone_sword iron_sword health food drink "
        names += "energy"
        for k, name in enumerate(names.split()):
            share = np.float16(player.inventory[name]) / np.float16(10)
            expected[1323 + k] = share
        facing = [(-1, 0), (1, 0), (0, -1), (0, 1)].index(player.facing)
        expected[1339 + facing] = 1
        expected[1343] = world.daylight
        expected[1344] = player.sleeping
        np.testing.assert_array_equal(row, expected)


def test_fading_of_colours_is_that_of_single_precision():
    grey, value = np.indices((256, 256)).astype(np.int32)
    single = (value - grey).astype(np.float32) * np.float32(0.4)
    expected = np.floor(single + grey.astype(np.float32)).astype(np.int32)
    np.testing.assert_array_equal(grey + 2 * (value - grey) // 5, expected)
