"""Images of Craftax: published frames, and properties of others."""

from __future__ import annotations

import functools
import shutil

import numpy as np
import pytest
from craftax_golden import Steps, load
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.textures import write_textures

from crafter.craftax import Env
from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax import sprites as looks
from crafter.games.craftax.engine import World
from crafter.games.craftax.icons import ItemView
from crafter.games.craftax.player import Player
from crafter.games.craftax.textures import ASSETS, TextureError, Textures
from crafter.games.craftax.views import (
    FrameView,
    SizedView,
    draw_floor,
    look,
    night_noise,
)

RULES = tables.load()
DEFAULTS = parameters.make(RULES.data["parameters"], {})
BLOCK, ITEM = RULES.block_ids, RULES.item_ids


@pytest.fixture(scope="module")
def formula_folder(tmp_path_factory):
    """A texture pack with a unique pattern for every image."""
    folder = tmp_path_factory.mktemp("formula")
    return write_textures(folder, looks.required_textures())


@pytest.fixture(scope="module")
def formula(formula_folder):
    return Textures(formula_folder)


def new_game():
    """Returns a world of grass in full light on all floors, and its player."""
    world = World(RULES, DEFAULTS)
    for floor in world.floors:
        floor.block_map[:] = BLOCK["grass"]
        floor.light[:] = 1
    world.light_level = 1.0
    return world, Player(world)


@pytest.fixture
def game():
    return new_game()


@functools.cache
def steps(name):
    return Steps(name)


def recorded(file, number):
    """Returns the world and the player before a recorded transition."""
    name = file.removeprefix("steps-").removesuffix(".npz")
    return fields.restore(steps(name).before(number), RULES, DEFAULTS)


# Published frames.

FRAMES = load("frames")


@pytest.mark.parametrize("index", range(len(FRAMES["number"])))
def test_frame_is_the_published_one(formula, index):
    """Exact, except where the fraction is one half and float32 rounding decides."""
    world, player = recorded(str(FRAMES["steps"][index]), int(FRAMES["number"][index]))
    noisy = np.cumsum(FRAMES["noise"])
    noise = FRAMES["grey"][noisy[index] - 1] if FRAMES["noise"][index] else None
    frame = FrameView(10, formula)(world, player, noise).astype(int)
    apart = np.abs(frame - FRAMES["frame"][index])
    assert apart.max() <= 1
    assert (apart > 0).mean() < 0.01


def seen(world, player):
    """Returns the player's view."""
    corner = player.row - 4, player.col - 5
    return look(world, player.level, player, corner, (9, 11))


# Frames.


def picture(cells, size=None, floor=0):
    """Returns an image by rules with the given number of rows and columns."""
    env = Env("pixels", rules={"view": {"cells": cells}}, seed=4)
    frame, _ = env.reset(options={"floor": floor})
    assert frame.shape == env.observation_space.shape
    assert env.observer.view == tuple(cells)
    return frame if size is None else env.frame(size)


@pytest.mark.parametrize("floor", [0, 2, 3])
def test_pictures_show_the_view_of_the_rules(floor):
    usual = picture([9, 11], floor=floor)
    narrow = picture([7, 9], floor=floor)
    assert narrow.shape == (110, 110, 3)
    np.testing.assert_array_equal(narrow[:70, 10:100], usual[10:80, 10:100])
    assert not narrow[:70, :10].any() and not narrow[:70, 100:].any()
    np.testing.assert_array_equal(narrow[70:], usual[90:])
    wide = picture([11, 13], floor=floor)
    assert wide.shape == (150, 130, 3)
    np.testing.assert_array_equal(wide[10:100, 10:120], usual[:90])
    np.testing.assert_array_equal(wide[110:, 10:120], usual[90:])
    assert not wide[110:, :10].any() and not wide[110:, 120:].any()


def test_cells_need_pixels():
    with pytest.raises(ValueError, match="at least 3 pixels, got 2"):
        FrameView(2)


def test_frames_do_not_share_memory(game):
    view = FrameView()
    first = view(*game)
    kept = first.copy()
    game[1].food = 3
    game[1].col += 1
    second = view(*game)
    assert np.array_equal(first, kept)
    assert not np.array_equal(second, kept)


def test_what_was_added_last_is_on_top(game):
    world, player = game
    floor = world.floors[0]
    slots = [floor.player_projectiles[2], floor.mob_projectiles[0]]
    slots += [floor.ranged[1], floor.passive[0], floor.melee[2], floor.melee[0]]
    for slot, kind in zip(slots, [2, 1, 0, 1, 4, 0]):
        slot.alive, slot.type = True, kind
        slot.row, slot.col = player.row, player.col
    sprites = seen(world, player).sprites
    textures = ["player-up", "zombie", "knight", "bat", "skeleton", "dagger"]
    assert [sprite.texture for sprite in sprites] == [*textures, "fireball"]


@pytest.mark.parametrize(
    ("killed", "item"), [(7, "ladder_down_blocked"), (8, "ladder_down")]
)
def test_the_way_down_opens_with_the_eighth_kill(game, killed, item):
    world, player = game
    floor = world.floors[0]
    floor.item_map[player.row + 1, player.col] = ITEM["ladder_down"]
    floor.monsters_killed = killed
    assert seen(world, player).items[5, 5] == ITEM[item]
    assert floor.item_map[player.row + 1, player.col] == ITEM["ladder_down"]


@pytest.mark.parametrize(
    ("timer", "block"), [(1, "necromancer"), (0, "necromancer_vulnerable")]
)
def test_the_boss_looks_vulnerable_when_it_is(game, timer, block):
    world, player = game
    player.level = 8
    world.floors[8].block_map[player.row - 1, player.col] = BLOCK["necromancer"]
    world.boss_timer = timer
    assert seen(world, player).blocks[3, 5] == BLOCK[block]
    assert world.floors[8].block_map[player.row - 1, player.col] == BLOCK["necromancer"]


# Nights.


@pytest.mark.parametrize(
    ("level", "light", "noisy"),
    [(0, 0.49, True), (0, 0.5, False), (0, 1.0, False), (4, 0.0, False)],
)
def test_noise_shows_in_the_nights_of_the_overworld(game, level, light, noisy):
    world, player = game
    player.level, world.light_level = level, light
    view = FrameView()
    one, other = (
        view(world, player, night_noise(np.random.default_rng(seed), (90, 110)))
        for seed in (1, 2)
    )
    assert np.array_equal(one, other) != noisy
    assert np.array_equal(one[90:], other[90:])
    # Noise is weakest in the middle of the image.
    assert np.abs(one[44:47, 54:57].astype(int) - other[44:47, 54:57]).max() <= 3


def test_nights_without_noise_dim_evenly(game):
    world, player = game
    view = FrameView()
    day = view(world, player)[:40].astype(float)
    world.light_level = 0.2
    hidden = 2 * (0.5 - 0.2) * 0.5
    night = (1 - hidden) * day + hidden * 64
    night = 0.5 * np.array([0, 16, 64]) + 0.5 * night
    expected = 0.2 * day + 0.8 * night
    assert np.abs(view(world, player)[:40] - expected).max() <= 0.501


# Inventory.


def test_enchanted_bow_shows_on_arrows_only(game):
    plain = ItemView(Textures(), 10)(game[1])
    game[1].bow_enchantment = 1
    np.testing.assert_array_equal(ItemView(Textures(), 10)(game[1]), plain)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_view_that_has_drawn_before_draws_the_same(formula, data):
    player = new_game()[1]
    used = ItemView(formula, 10)
    for _ in range(4):
        name = data.draw(st.sampled_from(["wood", "arrows", "sword", "books"]))
        player.inventory[name] = data.draw(st.integers(0, 12))
        player.inventory["armour"][0] = data.draw(st.integers(0, 2))
        player.armour_enchantments[0] = data.draw(st.integers(0, 2))
        player.mana = data.draw(st.integers(0, 12))
        assert np.array_equal(used(player), ItemView(formula, 10)(player))


# Frames for humans.


@pytest.mark.parametrize("size", [(600, 600), (110, 130), (33, 39), (1000, 300)])
def test_sized_frames_have_their_size_and_stand_in_the_middle(game, size):
    frame = SizedView(size)(*game)
    assert frame.shape == (size[1], size[0], 3)
    block = min(size[0] // 11, size[1] // 13)
    x, y = (size[0] - 11 * block) // 2, (size[1] - 13 * block) // 2
    outside = frame.copy()
    outside[y : y + 13 * block, x : x + 11 * block] = 0
    assert not outside.any()
    assert frame[y : y + 9 * block, x : x + 11 * block].any(-1).all()


def test_sized_frames_are_those_of_agents_where_they_fit(game):
    assert np.array_equal(SizedView((110, 130))(*game), FrameView(10)(*game))
    assert np.array_equal(SizedView((352, 416))(*game), FrameView(32)(*game))


def test_a_size_without_room_is_refused():
    with pytest.raises(ValueError, match="20x600 pixels leave 1 .* least 33x39"):
        SizedView((20, 600))


def test_a_floor_is_drawn_whole_with_the_player(game):
    world, player = game
    mob = world.floors[0].passive[0]
    mob.alive, mob.row, mob.col = True, 3, 5
    empty = draw_floor(world, 1, 4)
    picture = draw_floor(world, 0, 4, player)
    assert picture.shape == (192, 192, 3)
    changed = (picture != empty).any(-1).reshape(48, 4, 48, 4).any((1, 3))
    assert np.argwhere(changed).tolist() == [[3, 5], [24, 24]]
    assert np.array_equal(draw_floor(world, 1, 4, player), empty)


# Texture packs.


def test_the_pack_can_be_named_in_the_environment(formula_folder, monkeypatch):
    monkeypatch.setenv("CRAFTAX_TEXTURES", str(formula_folder))
    assert Textures().folder == formula_folder
    assert Textures(ASSETS).folder == ASSETS


def test_a_pack_needs_all_that_is_shown(tmp_path):
    folder = shutil.copytree(ASSETS, tmp_path / "pack")
    (folder / "snail.png").unlink()
    with pytest.raises(TextureError, match="snail.png is missing"):
        Textures(folder)
