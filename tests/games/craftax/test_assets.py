"""The Craftax textures are complete, match their drawings, and are distinguishable.

Distances are mean absolute differences over the pixels and the three channels of a
texture, in grey levels from 0 to 255. Limits lie somewhat below the actual values,
which are stated beside them.
"""

from __future__ import annotations

import itertools
import pathlib
import shutil

import draw_textures
import numpy as np
import pytest
import yaml
from craftax_golden import FOLDER
from PIL import Image
from textures import Book

import crafter.games.crafter.views
from crafter.games.craftax import sprites, tables
from crafter.games.craftax.icons import ItemView
from crafter.games.craftax.textures import ASSETS, Textures
from crafter.games.craftax.views import MapView, Scene, Sprite

BLOCK = 10  # pixels per cell of an observation
STEMS = sorted(file.stem for file in ASSETS.glob("*.png"))


@pytest.fixture(scope="module")
def textures():
    return Textures(ASSETS)


# The files.


def test_the_files_are_those_that_the_game_shows():
    assert sorted(sprites.required_textures()) == STEMS


def test_published_images_make_a_texture_pack():
    published = (FOLDER / "images.txt").read_text("utf-8").split()
    assert set(sprites.required_textures()) <= set(published)


def test_files_are_small_pictures_without_half_transparent_pixels():
    for stem in STEMS:
        with Image.open(ASSETS / f"{stem}.png") as image:
            assert image.size == (16, 16), stem
            pixels = np.asarray(image.convert("RGBA"))
        assert set(np.unique(pixels[..., 3])) <= {0, 255}, stem
        assert not pixels[pixels[..., 3] == 0].any(), stem


def test_blocks_fill_their_cell(textures):
    for name in sprites.BLOCKS:
        if name not in sprites.PLAIN:
            assert textures.square(sprites.stem(name), 16)[1].all(), name


def test_check_of_all_games_reports_a_fault_of_the_first(tmp_path, monkeypatch, capsys):
    """Not only faults of the last."""
    pack = pathlib.Path(
        shutil.copytree(crafter.games.crafter.views.ASSETS, tmp_path / "pack")
    )
    (pack / "cow.png").unlink()
    monkeypatch.setitem(draw_textures.ASSETS, "crafter", pack)
    assert draw_textures.main(["--check"]) == 1
    assert "cow.png is missing" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--folder", "--sheet"])
def test_one_folder_is_not_for_two_games(option, tmp_path, capsys):
    with pytest.raises(SystemExit):
        draw_textures.main([option, str(tmp_path / "new")])
    assert "need a --game: crafter or craftax" in capsys.readouterr().err


def test_both_games_share_what_is_the_same():
    ours, theirs = Book("craftax"), Book("crafter")
    shared = {"cow", "zombie", "stone", "table", "iron_pickaxe", "player-up", "7"}
    assert shared <= set(ours.stems) & set(theirs.stems)
    for stem in set(ours.stems) & set(theirs.stems):
        assert np.array_equal(ours.picture(stem), theirs.picture(stem)), stem


# The drawings.


def book_of(folder, pictures, **parts):
    """Makes a book of the given drawings."""
    folder.mkdir()
    content = {"pictures": pictures, **parts}
    (folder / "colours.yaml").write_text('black: "#000000"\nred: "#ff0000"\n')
    (folder / "set.yaml").write_text("files: [drawings]\n")
    (folder / "drawings.yaml").write_text(yaml.safe_dump(content))
    return Book(folder)


def test_steps_are_carried_out_in_order(tmp_path):
    dot = {"rows": "k", "key": {"k": "black"}, "at": [[1, 0]]}
    steps = [dot, {"recolour": {"black": "red"}}, {"mirror": True}, {"turn": 1}]
    picture = book_of(tmp_path / "set", {"a": steps}).picture("a")
    assert np.argwhere(picture[..., 3]).tolist() == [[1, 0]]
    assert picture[1, 0].tolist() == [255, 0, 0, 255]


def test_a_picture_can_lie_behind_and_be_cut_out(tmp_path):
    dot = {"rows": "k", "key": {"k": "black"}, "at": [[5, 5]]}
    ring = [{"picture": "dot"}, {"outline": {"colour": "red"}}, {"cut": "dot"}]
    full = [{"picture": "dot"}, {"behind": "ground"}]
    book = book_of(
        tmp_path / "set",
        {"dot": dot, "ring": ring, "ground": {"fill": "red"}, "full": full},
    )
    assert (book.picture("ring")[..., 3] > 0).sum() == 8
    assert not book.picture("ring")[5, 5].any()
    assert book.picture("full")[5, 5].tolist() == [0, 0, 0, 255]
    assert book.picture("full")[0, 0].tolist() == [255, 0, 0, 255]


def test_an_impossible_drawing_is_named(tmp_path):
    book = book_of(tmp_path / "set", {"a": {"fill": "pink"}})
    with pytest.raises(ValueError, match=r"a cannot be drawn: KeyError\('pink'\)"):
        book.images()


def test_transparent_pixels_are_refused_where_there_is_no_alpha(tmp_path):
    dot = {"rows": "k", "key": {"k": "black"}, "at": [[5, 5]]}
    book = book_of(tmp_path / "set", {"a": dot}, rgb=["a"])
    with pytest.raises(ValueError, match="a has transparent pixels"):
        book.images()


# Cells of 10x10 pixels: a block, or something on a ground block.

# Non-solid plants and trees are ground only by rule; gravel, wood and blocks without an
# image never occur on a map.
GROUNDS = ["grass", "sand", "path", "water", "lava", "fire_grass", "ice_grass"]
NEVER_SEEN = {"invalid", "out_of_bounds", "wood", "gravel"}
BLOCKS = [name for name in sprites.BLOCKS if name not in NEVER_SEEN]
SPRITES = [*sprites.PLAYER[1:], sprites.SLEEPER]
SPRITES += [name for names in sprites.CREATURES.values() for name in names]
SPRITES += list(dict.fromkeys(sprites.PROJECTILES))
ITEMS = sprites.ITEMS[1:]


def cell(view, block, item="none", texture=None, light=1.0):
    """Draws one cell, float64 of shape (10, 10, 3)."""
    scene = Scene(
        np.array([[sprites.BLOCKS.index(block)]], np.uint8),
        np.array([[sprites.ITEMS.index(item)]], np.uint8),
        np.array([[light]], np.float32),
        [Sprite(0, 0, texture)] if texture else [],
    )
    return view(scene).astype(float)


def distance(one, other):
    return np.abs(one - other).mean()


def closest(pictures):
    """Returns the smallest distance between two images, and their names."""
    pairs = itertools.combinations(pictures, 2)
    return min((distance(pictures[a], pictures[b]), a, b) for a, b in pairs)


@pytest.fixture(scope="module")
def view(textures):
    return MapView(textures, BLOCK, (1, 1), tables.load())


@pytest.mark.parametrize(
    ("light", "limit"),
    [
        (1.0, 21),  # wall and mossy wall: 23.3
        (0.3, 6.3),  # 7.0
    ],
)
def test_blocks_differ(view, light, limit):
    pictures = {name: cell(view, name, light=light) for name in BLOCKS}
    smallest, *pair = closest(pictures)
    assert smallest > limit, pair


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(
    ("light", "limit"),
    [
        (1.0, 16),  # lava, and a torch on lava: 18.5
        (0.3, 4.8),  # 5.6
    ],
)
def test_what_is_on_a_block_differs(view, ground, light, limit):
    pictures = {"": cell(view, ground, light=light)}
    for item in ITEMS:
        pictures[item] = cell(view, ground, item, light=light)
    for texture in SPRITES:
        pictures[texture] = cell(view, ground, texture=texture, light=light)
    smallest, *pair = closest(pictures)
    assert smallest > limit, pair


def test_creatures_differ_from_blocks(view):
    """The closest are slime on grass and grass: 27.2."""
    for ground in GROUNDS:
        for texture in SPRITES:
            shown = cell(view, ground, texture=texture)
            for block in BLOCKS:
                assert distance(shown, cell(view, block)) > 24, (texture, ground, block)


# Icons of 8x8 pixels and digits of 4x4.


def test_icons_differ(textures):
    """The closest are leggings of iron and of diamond: 9.1."""
    view = ItemView(textures, BLOCK)
    pictures = {}
    for index, icon in enumerate(sprites.ICONS):
        for value in range(1, max(len(icon.stems), 2)):
            pictures[icon.value, value] = view.cell(index, value, 0).astype(float)
    smallest, *pair = closest(pictures)
    assert smallest > 8, pair


def test_enchantments_show(textures):
    """Least of all on a sword: 17.8."""
    view = ItemView(textures, BLOCK)
    for index, icon in enumerate(sprites.ICONS):
        if icon.element:
            looks_like = [
                view.cell(index, 1, element).astype(float) for element in range(3)
            ]
            for one, other in itertools.combinations(looks_like, 2):
                assert distance(one, other) > 15, icon.value


def test_zero_reads_in_4x4_pixels(textures):
    colours, opaque = textures.square("0", 4)
    white = (colours == 255).all(-1) & opaque[..., 0]
    shown = ["".join(".#"[int(pixel)] for pixel in row) for row in white]
    assert shown == [".###", ".#.#", ".#.#", ".###"]
