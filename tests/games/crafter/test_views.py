"""Images compared with a simple reference renderer and with Pillow."""

import pathlib
import shutil

import numpy as np
import pytest
from budget import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageEnhance

import crafter
from crafter.core.pictures import nearest_indices
from crafter.engine import World
from crafter.games.crafter import constants, views
from crafter.games.crafter.rules import default
from crafter.games.crafter.state import make_object
from crafter.games.crafter.views import (
    FrameView,
    TextureError,
    Textures,
    required_textures,
)
from crafter.objects import KINDS, Player

ITEMS = list(constants.items)


def write(folder, stem, array):
    Image.fromarray(np.asarray(array, np.uint8)).save(folder / f"{stem}.png")


def plain_pack(folder, **colors):
    """Writes a pack of one-coloured images: grey, unless given."""
    folder.mkdir(exist_ok=True)
    for stem in required_textures():
        color = colors.get(stem.replace("-", "_"), (100, 100, 100))
        write(folder, stem, np.full((16, 16, len(color)), color))
    return folder


# Renders by the rules of Crafter 1.8.3, step by step, on a canvas [x, y, channel];
# Pillow does what it does in the published package.


def load(path):
    with Image.open(path) as image:
        return image.copy()


class Painter:
    """Simple reference renderer."""

    def __init__(self, folder, view, size):
        self.images = {path.stem: load(path) for path in folder.glob("*.png")}
        rows = -(-len(ITEMS) // view[0])
        self.view, self.size = view, size
        self.grid = view[0], view[1] - rows
        self.unit = size[0] // view[0], size[1] // view[1]
        self.border = [(s - u * v) // 2 for s, u, v in zip(size, self.unit, view)]
        self.local = tuple(g * u for g, u in zip(self.grid, self.unit))

    def texture(self, name, size):
        image = self.images.get(name, self.images["unknown"])
        return np.array(image.resize(size, Image.Resampling.NEAREST)).swapaxes(0, 1)

    def draw(self, canvas, x, y, texture):
        """Blends a texture over a canvas, as documented, in single precision."""
        part = canvas[x : x + texture.shape[0], y : y + texture.shape[1]]
        color = texture[..., :3]
        if texture.shape[-1] == 4:
            f32 = np.float32
            alpha = texture[..., 3:].astype(f32) / f32(255)
            top, below = (a.astype(f32) / f32(255) for a in (color, part))
            color = f32(255) * ((alpha * top) + ((f32(1) - alpha) * below))
        part[...] = color.astype(np.uint8)

    def map_canvas(self, world, player):
        canvas = np.full((*self.local, 3), 127, np.uint8)
        corner = [p - g // 2 for p, g in zip(player.position, self.grid)]
        ux, uy = self.unit
        for gx, gy in np.ndindex(self.grid):
            material, _ = world[corner[0] + gx, corner[1] + gy]
            if material:
                tile = self.texture(material, self.unit)[..., :3]
                self.draw(canvas, gx * ux, gy * uy, tile)
        for obj in world.objects:
            gx, gy = obj.x - corner[0], obj.y - corner[1]
            if 0 <= gx < self.grid[0] and 0 <= gy < self.grid[1]:
                texture = self.texture(obj.texture, self.unit)
                self.draw(canvas, gx * ux, gy * uy, texture)
        return canvas

    def light(self, canvas, daylight, noise):
        night = canvas
        if daylight < 0.5:
            xs, ys = (np.linspace(-1, 1, n) for n in self.local)
            hidden = 1 - np.exp(((-0.5) * (xs[:, None] ** 2 + ys[None] ** 2)) / 0.25)
            m = ((2 * (0.5 - daylight)) * hidden)[..., None]
            night = (1 - m) * canvas + m * noise[..., None]
        image = Image.fromarray(night.astype(np.uint8))
        night = np.array(ImageEnhance.Color(image).enhance(0.4))
        night = 0.5 * night + 0.5 * np.array([0, 16, 64])
        return daylight * canvas + (1 - daylight) * night

    def close_eyes(self, canvas):
        image = Image.fromarray(canvas.astype(np.uint8))
        grey = np.array(ImageEnhance.Color(image).enhance(0.0))
        return 0.5 * grey + 0.5 * np.array([0, 0, 16])

    def item_canvas(self, inventory):
        columns, rows = self.view[0], self.view[1] - self.grid[1]
        (ux, uy), unit = self.unit, np.array(self.unit)
        canvas = np.zeros((columns * ux, rows * uy, 3), np.uint8)
        for index, (item, amount) in enumerate(inventory.items()):
            if amount < 1:
                continue
            cell = np.array([index % columns, index // columns]) * unit
            self.stamp(canvas, cell, item, (0.1, 0.1), (0.8, 0.8))
            if amount <= 9 or "0" not in self.images:
                number = str(amount) if amount <= 9 else "unknown"
                self.stamp(canvas, cell, number, (0.4, 0.4), (0.6, 0.6))
                continue
            # Not in the published package: digits from right to left.
            width = min(0.6, 0.9 / len(str(amount)))
            height = min(0.6, 1.4 * width)
            for index, digit in enumerate(str(amount)[::-1], 1):
                place = (1 - index * width, 1 - height)
                self.stamp(canvas, cell, digit, place, (width, height))
        return canvas

    def stamp(self, canvas, cell, name, offset, size):
        """Draws a texture into a cell; offset and size are fractions of it."""
        unit = np.array(self.unit)
        x, y = (cell + (offset * unit).astype(int)).tolist()
        size = tuple(np.maximum((size * unit).astype(int), 1).tolist())
        self.draw(canvas, x, y, self.texture(name, size))

    def __call__(self, world, player, noise=None):
        canvas = self.map_canvas(world, player)
        canvas = self.light(canvas, world.daylight, noise)
        if player.sleeping:
            canvas = self.close_eyes(canvas)
        canvas = np.concatenate([canvas, self.item_canvas(player.inventory)], axis=1)
        frame = np.zeros((*self.size, 3), np.uint8)
        x, y = self.border
        frame[x : x + canvas.shape[0], y : y + canvas.shape[1]] = canvas
        return frame.transpose(1, 0, 2)


def random_moment(rng, area, daylight, crowd=0.3):
    """Returns a random world and player."""
    world = World(area, 0)
    world.fill(rng.integers(1, 13, area).astype(np.uint8))
    world.daylight = daylight
    player = Player(world, tuple(rng.integers(0, area).tolist()))
    world.add(player)
    player.facing = tuple(rng.permutation(list(constants.directions.values()))[0])
    player.facing = tuple(map(int, player.facing))
    player.sleeping = bool(rng.random() < 0.3)
    for name in player.inventory:
        player.inventory[name] = int(rng.choice([0, 1, 5, 9, 10, 99, 3]))
    for x, y in np.ndindex(area):
        if rng.random() < crowd and (x, y) != player.position:
            kind = str(rng.choice([kind for kind in KINDS if kind != "player"]))
            obj = make_object(kind, world, (x, y), player)
            if kind == "arrow":
                obj.facing = tuple(rng.choice(list(constants.directions.values())))
                obj.facing = tuple(map(int, obj.facing))
            if kind == "plant":
                obj.grown = int(rng.choice([0, 300, 301]))
            world.add(obj)
    return world, player


def assert_drawn_by_the_rules(folder, view, size, rng, daylights, area=(11, 8)):
    frame_view = FrameView(Textures(folder), view, size, default())
    painter = Painter(folder, view, size)
    assert frame_view.noise_shape == painter.local
    for daylight in daylights:  # one view for all, since it caches
        world, player = random_moment(rng, area, daylight)
        noise = None
        if daylight < 0.5:
            noise = rng.uniform(32, 127, painter.local)
        found = frame_view(world, player, noise)
        assert found.dtype == np.uint8
        np.testing.assert_array_equal(found, painter(world, player, noise))


LIGHTS = st.one_of(
    st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, np.nextafter(0.5, 0), 1e-9])
)


@settings(max_examples=40)
@given(
    columns=st.integers(1, 13),
    map_rows=st.integers(1, 9),
    unit=st.tuples(st.integers(2, 13), st.integers(2, 13)),
    rest=st.tuples(st.integers(0, 12), st.integers(0, 12)),
    daylights=st.lists(LIGHTS, min_size=1, max_size=3),
    seed=st.integers(0, 2**32 - 1),
)
def test_frames_are_drawn_by_the_rules(
    synthetic, columns, map_rows, unit, rest, daylights, seed
):
    view = columns, map_rows - (-len(ITEMS) // columns)
    size = tuple(
        v * u + r % v for v, u, r in zip(view, unit, rest)
    )  # the remainder is less than a cell
    rng = np.random.default_rng(seed)
    assert_drawn_by_the_rules(synthetic, view, size, rng, daylights)


@pytest.mark.parametrize(
    ("view", "size"),
    [
        ((9, 9), (200, 200)),  # more pixels than are darkened at once
        ((30, 25), (61, 51)),  # past the map on all sides
    ],
)
def test_frames_of_own_textures_are_drawn_by_the_rules(view, size):
    rng = np.random.default_rng(size)
    daylights = [*rng.random(4), 0.0, 1.0, 0.4999, 0.5]
    assert_drawn_by_the_rules(views.ASSETS, view, size, rng, daylights)


def test_all_tints_by_day_and_night_are_drawn_by_the_rules(tmp_path):
    """Every grey and many colours, at many daylights, awake and asleep."""
    rng = np.random.default_rng(0)
    colors = rng.integers(0, 256, (64, 64, 3))
    colors[:4] = np.arange(256).reshape(4, 64, 1)
    folder = plain_pack(tmp_path / "pack")
    for stem in constants.materials:
        write(folder, stem, colors)
    view, size = (2, 9), (128, 64 * 9)
    daylights = [*rng.random(6), 0.0, 0.25]
    assert_drawn_by_the_rules(folder, view, size, rng, daylights, area=(3, 3))


# Parts of the image.


@pytest.mark.parametrize("length", [1, 2, 7, 15, 16, 17, 32, 48, 64])
def test_pixels_kept_are_those_of_pillow(length):
    ramp = Image.fromarray(np.arange(length, dtype=np.uint8)[None])
    column = Image.fromarray(np.arange(length, dtype=np.uint8)[:, None])
    for target in range(1, 130):
        expected = np.array(ramp.resize((target, 1), Image.Resampling.NEAREST))[0]
        np.testing.assert_array_equal(nearest_indices(length, target), expected)
        down = np.array(column.resize((1, target), Image.Resampling.NEAREST))[:, 0]
        np.testing.assert_array_equal(down, expected)


# Texture packs.


def test_the_environment_variable_names_a_pack(synthetic, monkeypatch, tmp_path):
    usual, named = Textures().get("cow", (16, 16)), Textures(synthetic)
    monkeypatch.setenv("CRAFTER_TEXTURES", str(synthetic))
    found = Textures()
    assert found.folder == synthetic
    np.testing.assert_array_equal(
        found.get("cow", (16, 16)), named.get("cow", (16, 16))
    )
    env, twin = crafter.Env(), crafter.Env(textures=synthetic)
    np.testing.assert_array_equal(env.reset(seed=0)[0], twin.reset(seed=0)[0])
    monkeypatch.setenv("HOME", str(synthetic.parent))
    monkeypatch.setenv("USERPROFILE", str(synthetic.parent))
    assert Textures(f"~/{synthetic.name}").folder == synthetic
    # An argument takes precedence, and an empty variable counts as none.
    assert Textures(views.ASSETS).folder == views.ASSETS
    monkeypatch.setenv("CRAFTER_TEXTURES", "")
    np.testing.assert_array_equal(Textures().get("cow", (16, 16)), usual)


def test_all_faults_of_a_pack_are_listed(synthetic, tmp_path):
    folder = shutil.copytree(synthetic, tmp_path / "pack")
    missing = ["cow", "player-sleep", "7"]
    for stem in missing:
        (folder / f"{stem}.png").unlink()
    (folder / "grass.png").write_bytes(b"This is no image.")
    (folder / "extra.png").write_bytes(b"")
    (folder / "sand.png").write_bytes((folder / "sand.png").read_bytes()[:60])
    (folder / "water.png").unlink()
    (folder / "water.png").mkdir()
    with pytest.raises(TextureError) as error:
        Textures(folder)
    lines = str(error.value).splitlines()
    assert str(folder) in lines[0]
    assert sorted(line.strip().split(".png")[0] for line in lines[1:]) == sorted(
        [*missing, "grass", "extra", "sand", "water"]
    )
    for stem in missing:
        assert f"  {stem}.png is missing" in lines
    for stem in ("grass", "extra", "sand", "water"):
        assert any(line.startswith(f"  {stem}.png cannot be read: ") for line in lines)


def test_a_file_that_was_changed_is_read_again(synthetic, tmp_path):
    folder = pathlib.Path(shutil.copytree(synthetic, tmp_path / "pack"))
    before = Textures(folder).get("cow", (16, 16))
    (folder / "cow.png").write_bytes((folder / "zombie.png").read_bytes())
    after = Textures(folder)
    zombie = after.get("zombie", (16, 16))
    assert not np.array_equal(before, zombie)
    np.testing.assert_array_equal(after.get("cow", (16, 16)), zombie)


@settings(max_examples=examples(150))
@given(data=st.data())
def test_damaged_images_are_faults_or_images(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp() / "damaged"
    if not folder.exists():
        shutil.copytree(views.ASSETS, folder)
    content = bytearray((views.ASSETS / "cow.png").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    (folder / "cow.png").write_bytes(content)
    try:
        image = Textures(folder).get("cow", (7, 7))
    except TextureError as error:
        assert "cow.png cannot be read: " in str(error)
    else:
        assert image.shape in [(7, 7, 3), (7, 7, 4)]


@pytest.mark.parametrize(
    ("mode", "channels"),
    [("L", 3), ("1", 3), ("P", 3), ("LA", 4), ("RGB", 3), ("RGBA", 4)],
)
def test_images_of_all_modes_are_read(tmp_path, mode, channels):
    folder = plain_pack(tmp_path / "pack")
    rng = np.random.default_rng(0)
    colors = Image.fromarray(rng.integers(0, 256, (16, 16, 4)).astype(np.uint8))
    image = (
        colors.convert("RGB").convert(mode) if mode in "L1P" else colors.convert(mode)
    )
    image.save(folder / "cow.png")
    found = Textures(folder).get("cow", (16, 16))
    expected = image.convert("RGBA" if channels == 4 else "RGB")
    np.testing.assert_array_equal(found, np.array(expected))


@pytest.mark.parametrize("shape", [(32, 32), (8, 20), (1, 1), (100, 3)])
def test_packs_of_other_sizes(tmp_path, shape):
    folder = tmp_path / "pack"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for stem in required_textures():
        channels = int(rng.integers(3, 5))
        write(folder, stem, rng.integers(0, 256, (*shape, channels)))
    assert_drawn_by_the_rules(folder, (9, 9), (64, 70), rng, [0.9, 0.3])


@pytest.mark.parametrize("name", [None, "no such thing", "10"])
def test_names_without_an_image_are_unknown(name):
    pack = Textures()
    found = pack.get(name, (9, 11))
    np.testing.assert_array_equal(found, pack.get("unknown", (9, 11)))
    assert found.shape[:2] == (11, 9)
