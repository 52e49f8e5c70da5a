"""Makes the pictures of the documentation from the game itself, into docs/images.

  terrain.png           whole worlds
  play.gif              the scripted player at work
  achievements.png      the achievements and what each of them needs
  textures.png          the textures
  craftax-textures.png  those of the larger game
  craftax-floors.png    a whole world of it, in full light
  craftax-dark.png      the same world as dark as it is, by night
  craftax-views.png     what its player sees on every floor, by day and by night
  window.png            the window for people; needs the extra `gui`
  death.png             likewise, at the end of an episode
  rules.png             the window with changed rules; likewise
  craftax-window.png    the window with the larger game; likewise
  craftax-menu.png      likewise, with its menu
  craftax-map.png       likewise, with its map
  spectrum.png          success rates of some methods; needs the extra `analysis`

Usage:
  python scripts/make_readme_pictures.py                     all of them
  python scripts/make_readme_pictures.py --only terrain.png  one of them
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import draw_textures
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import crafter
from crafter import constants, craftax
from crafter.games.craftax import views
from crafter.games.craftax.snapshot import MobRecord
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.views import Textures
from crafter.scoring import graph

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"

PAPER, CARD, EDGE = "#f3eee3", "#fffdf8", "#cfc5b0"
INK, FAINT, LINE = "#2a2226", "#857a6b", "#a08f73"


# Whole worlds.

WORLD_SEEDS = (8, 14, 23, 38)
WORLD_CELL = 7  # pixels
GAP = 14


def draw_terrain() -> Image.Image:
    """Draws whole worlds at noon, side by side."""
    worlds = [Image.fromarray(draw_world(seed)) for seed in WORLD_SEEDS]
    width, height = worlds[0].size
    page = Image.new("RGB", ((width + GAP) * len(worlds) - GAP, height), "white")
    for index, world in enumerate(worlds):
        page.paste(world, (index * (width + GAP), 0))
    return page


def draw_world(seed: int) -> np.ndarray:
    """Draws the whole map of the first episode of a seed.

    Returns:
      uint8 of shape (height, width, 3).
    """
    columns, rows = area = (64, 64)
    item_rows = -(-len(constants.items) // columns)
    view = columns, rows + item_rows
    size = columns * WORLD_CELL, (rows + item_rows) * WORLD_CELL
    env = crafter.Env(area, view, size, seed=seed)
    picture, _ = env.reset(options={"daytime": "noon"})
    env.close()
    return picture[: rows * WORLD_CELL]


# The larger game.

FLOORS_SEED = 5
FLOORS_CELL = 6  # pixels
LABEL = 20  # pixels


def draw_floors(*, bright: bool) -> Image.Image:
    """Draws the nine floors of a world, with their names, from the top.

    Args:
      bright: Whether in full light, or else as dark as they are, by night.
    """
    env = craftax.Env()
    env.reset(seed=FLOORS_SEED, options={"daytime": "midnight"})
    world = env.world
    assert world is not None
    pictures = {
        f"{level}  {name.replace('_', ' ')}": Image.fromarray(
            views.draw_floor(world, level, FLOORS_CELL, bright=bright)
        )
        for level, name in enumerate(world.tables.floor_names)
    }
    return labelled(pictures, columns=3)


def labelled(pictures: Mapping[str, Image.Image], columns: int) -> Image.Image:
    """Draws pictures of one size in rows, each below its label."""
    width, height = next(iter(pictures.values())).size
    across, down = width + GAP, height + GAP + LABEL
    rows = -(-len(pictures) // columns)
    page = Image.new("RGB", (columns * across - GAP, rows * down - GAP), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=15)
    for index, (label, picture) in enumerate(pictures.items()):
        left, top = index % columns * across, index // columns * down
        pen.text((left + width // 2, top), label, INK, font, anchor="ma")
        page.paste(picture, (left, top + LABEL))
    return page


VIEWS_SEED = 2
VIEWS_STEPS = 60  # in which the moment with most creatures is looked for
NOON, NIGHT = 60, 180  # steps of the day
VIEWS_SIZE = (176, 208)  # pixels: 16 a cell
VIEWS_START = {
    "inventory": {"pickaxe": 3, "sword": 3, "torches": 5, "bow": 1, "arrows": 9}
}


def draw_views() -> Image.Image:
    """Draws what a player sees on every floor, on the first by day and by night."""
    names = craftax.Env().tables.floor_names
    moments = [("0  day", 0, NOON), ("0  night", 0, NIGHT)]
    moments += [(f"{n}  {names[n].replace('_', ' ')}", n, NOON) for n in range(1, 9)]
    return labelled(
        {label: draw_view(floor, daytime) for label, floor, daytime in moments}, 5
    )


def draw_view(floor: int, daytime: int) -> Image.Image:
    """Draws the first moments of a player on a floor when most creatures are there."""
    env = craftax.Env()
    env.reset(
        seed=VIEWS_SEED, options={**VIEWS_START, "floor": floor, "daytime": daytime}
    )
    best, frame = -1, env.frame(VIEWS_SIZE)
    for _ in range(VIEWS_STEPS):
        *_, terminated, _, _ = env.step(0)
        if terminated:
            break
        count = sum(is_lit(env, mob) for mob in env.snapshot().mobs)
        if count > best:
            best, frame = count, env.frame(VIEWS_SIZE)
    return Image.fromarray(frame)


def is_lit(env: craftax.Env, mob: MobRecord) -> bool:
    """Tells whether there is light where a creature is."""
    assert env.world is not None
    return bool(env.world.floors[mob.level].light[mob.position] > 0.2)


# The scripted player.

PLAY_SEED = 34
PLAY_STEPS = 96
PLAY_SIZE = 432  # pixels: three for one of a texture, in a view of 9x9 cells
PLAY_DELAY = 120  # milliseconds


def draw_play() -> bytes:
    """Draws a short film of the scripted player.

    Returns:
      The bytes of an animated GIF.
    """
    frames = list(play(PLAY_SEED, PLAY_STEPS))
    palette = common_palette(frames)
    images = [
        Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in frames
    ]
    file = io.BytesIO()
    delays = [PLAY_DELAY] * (len(images) - 1) + [15 * PLAY_DELAY]
    images[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=delays,
        loop=0,
        optimize=False,
    )
    return file.getvalue()


def play(seed: int, steps: int) -> Iterable[np.ndarray]:
    """Plays the first episode of a seed.

    Yields:
      The frame after reset and after every step, uint8 of shape (height, width, 3).
    """
    env = crafter.Env(seed=seed)
    player = ScriptedPlayer()
    _, info = env.reset()
    yield env.frame(PLAY_SIZE)
    for _ in range(steps):
        _, _, terminated, _, info = env.step(player.act(env, info))
        yield env.frame(PLAY_SIZE)
        if terminated:
            break
    env.close()


def common_palette(frames: list[np.ndarray]) -> Image.Image:
    """Returns an image with 255 colours that suit all frames."""
    sample = np.concatenate(frames[:: max(1, len(frames) // 24)])
    return Image.fromarray(sample).quantize(255, Image.Quantize.MEDIANCUT)


# The achievements.

#: Columns and rows of the picture. Lines run from left to right in the rows and change
#: the row just before the column of their aim.
PLACES = {
    "collect_wood": (0, 2),
    "place_table": (1, 2),
    "make_wood_sword": (2, 1),
    "make_wood_pickaxe": (2, 2),
    "collect_stone": (3, 2),
    "collect_coal": (3, 4),
    "place_stone": (4, 0),
    "make_stone_sword": (4, 1),
    "make_stone_pickaxe": (4, 2),
    "place_furnace": (4, 3),
    "collect_iron": (5, 2),
    "make_iron_sword": (6, 1),
    "make_iron_pickaxe": (6, 2),
    "collect_diamond": (7, 2),
    "collect_sapling": (0, 4),
    "place_plant": (1, 4),
    "eat_plant": (2, 4),
    "collect_drink": (0, 5),
    "eat_cow": (1, 5),
    "wake_up": (2, 5),
    "defeat_zombie": (3, 5),
    "defeat_skeleton": (4, 5),
}

CARD_WIDTH, CARD_HEIGHT = 152, 108
PITCH_X, PITCH_Y = 192, 128
MARGIN = 28
ICON = 64
LABEL_SIZE = 14


def draw_achievements() -> Image.Image:
    """Draws the achievements and what each of them needs.

    Raises:
      ValueError: If the places do not suit the rules; see `check_places`.
    """
    needs = graph.requirements()
    check_places(PLACES, needs)
    columns, rows = (max(place) + 1 for place in zip(*PLACES.values()))
    width = 2 * MARGIN + (columns - 1) * PITCH_X + CARD_WIDTH
    height = 2 * MARGIN + (rows - 1) * PITCH_Y + CARD_HEIGHT
    page = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(page)
    for name, before in needs.items():
        for other in sorted(before):
            draw_line(pen, PLACES[other], PLACES[name])
    for name, place in PLACES.items():
        draw_card(page, name, place)
    left, top = corner((0, 0))
    title = ImageFont.load_default(30)
    pen.text((left, top), f"The {len(needs)} achievements", INK, title)
    text = ImageFont.load_default(LABEL_SIZE + 3)
    note = "Each needs all those that lead to it; the bottom row needs none."
    pen.text((left, top + 46), note, FAINT, text)
    return page


def check_places(
    places: Mapping[str, tuple[int, int]], needs: Mapping[str, set[str]]
) -> None:
    """Makes sure that the lines of the picture tell the truth.

    Raises:
      ValueError: If an achievement has no place or two have one; if a line would run
        backwards or through a card; or if lines that meet would suggest a need that
        is none.
    """
    if set(places) != set(needs) or len(set(places.values())) != len(needs):
        raise ValueError(f"Every achievement needs a place of its own: {set(needs)}")
    taken = set(places.values())
    meeting: dict[int, list[tuple[str, str]]] = {}
    for name, before in needs.items():
        for other in before:
            (start, row), (end, _) = places[other], places[name]
            if start >= end or any((x, row) in taken for x in range(start + 1, end)):
                raise ValueError(f"No straight way from {other} to {name}.")
            meeting.setdefault(end, []).append((other, name))
    for lines in meeting.values():
        for (other, name), (other2, name2) in ((a, b) for a in lines for b in lines):
            rows = span(places, other, name), span(places, other2, name2)
            apart = rows[0][1] < rows[1][0] or rows[1][1] < rows[0][0]
            if not apart and (other, name2) not in lines:
                raise ValueError(f"{name2} would seem to need {other}.")


def span(
    places: Mapping[str, tuple[int, int]], one: str, other: str
) -> tuple[int, int]:
    """Returns the first and the last row between two achievements."""
    rows = places[one][1], places[other][1]
    return min(rows), max(rows)


def corner(place: tuple[int, int]) -> tuple[int, int]:
    """Returns the upper left pixel of a card."""
    return MARGIN + place[0] * PITCH_X, MARGIN + place[1] * PITCH_Y


def draw_line(
    pen: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int]
) -> None:
    """Draws a line with an arrowhead from one card to another."""
    left, top = corner(start)
    aim, aim_top = corner(end)
    y, aim_y = top + CARD_HEIGHT // 2, aim_top + CARD_HEIGHT // 2
    turn = aim - (PITCH_X - CARD_WIDTH) // 2 - 4
    points = [(left + CARD_WIDTH, y), (turn, y), (turn, aim_y), (aim - 8, aim_y)]
    pen.line(points, LINE, width=4)
    pen.polygon([(aim - 12, aim_y - 7), (aim - 2, aim_y), (aim - 12, aim_y + 7)], LINE)


def draw_card(page: Image.Image, name: str, place: tuple[int, int]) -> None:
    """Draws an achievement: its picture and its name.

    Raises:
      ValueError: If the name does not fit.
    """
    pen = ImageDraw.Draw(page)
    left, top = corner(place)
    box = [left, top, left + CARD_WIDTH, top + CARD_HEIGHT]
    pen.rounded_rectangle(box, 10, CARD, EDGE, width=2)
    page.paste(icon(name), (left + (CARD_WIDTH - ICON) // 2, top + 10))
    label = name.replace("_", " ").title()
    font = ImageFont.load_default(LABEL_SIZE)
    if pen.textlength(label, font) > CARD_WIDTH - 8:
        raise ValueError(f"{label!r} does not fit on its card.")
    middle = left + CARD_WIDTH // 2
    pen.text((middle, top + 2 * 10 + ICON), label, INK, font, anchor="ma")


def icon(name: str) -> Image.Image:
    """Returns the picture of an achievement, from the textures of the game."""
    verb, what = name.split("_", 1)
    texture = {"wake_up": "player-sleep", "eat_plant": "plant-ripe"}.get(name, what)
    ground = {"collect": None, "make": None}.get(verb, "grass")
    if what == "skeleton":
        ground = "path"
    textures = Textures(draw_textures.ASSETS["crafter"])
    size = ICON, ICON
    picture = Image.new("RGB", size, INK)
    for stem in filter(None, [ground, texture]):
        layer = Image.fromarray(textures.get(stem, size)).convert("RGBA")
        picture.paste(layer, mask=layer)
    return picture


# The window for people.

WINDOW_STEPS = 150
WINDOW_SIZE = (540, 540)  # the picture in it: 60 pixels a cell


def save_window(path: pathlib.Path) -> None:
    """Writes what the window shows after some steps of the scripted player."""
    env = crafter.Env(seed=PLAY_SEED, events=True)
    _save_game(path, env, scripted_actions(PLAY_SEED, WINDOW_STEPS))


# A diamond sword, with the picture of that of Craftax, and a view that has been carved
# out of a mountain by hand.
SWORD = {
    "items": {"diamond_sword": {"max": 9, "initial": 0}},
    "make": {
        "diamond_sword": {
            "uses": {"wood": 1, "diamond": 1},
            "nearby": ["table"],
            "gives": 1,
        }
    },
    "damage": {"diamond_sword": 8},
}
SWORD_PICTURE = "diamond_sword.png"
CAVE = """
###########
##c##dd####
#____d#_i##
#_#t__%_###
#__f____S_#
##____S___#
##i__c#####
#####T..~~#
###,,...~~#
"""
CAVE_STEPS = ["make_diamond_sword", "noop", "noop"]
INTO_LAVA = ["make_diamond_sword", "do", "move_right", "move_up", "move_right"]


def save_rules(path: pathlib.Path) -> None:
    """Writes what the window shows of a game with a diamond sword."""
    _save_cave(path, CAVE_STEPS)


def save_death(path: pathlib.Path) -> None:
    """Writes what the window shows at the end of an episode."""
    _save_cave(path, INTO_LAVA)


def _save_cave(path: pathlib.Path, actions: Iterable[str]) -> None:
    """Writes what the window shows of a game in the cave."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = [*draw_textures.ASSETS["crafter"].glob("*.png")]
        for picture in (*pictures, draw_textures.ASSETS["craftax"] / SWORD_PICTURE):
            shutil.copy(picture, folder)
        _save_game(path, _cave(folder), actions, textures=folder)


def _cave(textures: str) -> Any:
    """Returns an environment whose episodes begin in the cave."""
    rows = CAVE.split()
    size = len(rows[0]), len(rows)
    env = crafter.Env(size, rules=SWORD, events=True, textures=textures)
    tools = ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "stone_sword")
    carried = {"sapling": 1, "wood": 3, "stone": 5, "coal": 2, "iron": 1, "diamond": 2}
    start = {
        "map": rows,
        "position": (4, 4),
        "facing": (1, 0),
        "inventory": {**carried, **dict.fromkeys(tools, 1), "food": 7, "drink": 5},
    }
    return _beginning(env, 0, start)


# A player of Craftax in the dark, with much of what there is.
MINES_SEED = 3
MINES = {
    "floor": "gnomish_mines",
    "inventory": {
        "wood": 6,
        "stone": 12,
        "coal": 3,
        "iron": 1,
        "diamond": 2,
        "sapling": 1,
        "sword": 3,
        "pickaxe": 3,
        "bow": 1,
        "arrows": 9,
        "torches": 7,
        "books": 1,
        "helmet": 2,
        "chestplate": 1,
        "boots": 1,
        "ruby": 1,
        "potion_red": 2,
        "potion_blue": 1,
        "potion_pink": 3,
        "health": 7,
        "food": 6,
        "drink": 4,
        "energy": 5,
    },
    "attributes": {"strength": 3, "dexterity": 2, "xp": 1},
    "spells": ["fireball"],
}
MINES_STEPS = (
    *("up", "place_torch", "left", "place_torch", "right", "right", "place_torch"),
    *("drink_potion_red", "left"),
)
# Sides of a spiral over each floor; nothing stops the player in god mode.
SPIRAL = (6, 6, 12, 12, 18, 18, 24, 10)
MAPPED = 6  # floors
MAP_SHOWN = 0  # the floor that is drawn large


def save_craftax_window(path: pathlib.Path) -> None:
    """Writes what the window shows of Craftax."""
    env = craftax.Env("pixels", events=True)
    _save_game(path, _beginning(env, MINES_SEED, MINES), MINES_STEPS)


def save_craftax_menu(path: pathlib.Path) -> None:
    """Writes what the window shows of Craftax with its menu."""
    env = _beginning(craftax.Env("pixels", events=True), MINES_SEED, MINES)
    _save_game(path, env, MINES_STEPS, lambda session: {"menus": session.menu()})


def save_craftax_map(path: pathlib.Path) -> None:
    """Writes the map of a player of Craftax who has walked over some floors."""
    env = craftax.Env("pixels", events=True, god_mode=True)
    ways = itertools.cycle(["right", "up", "left", "down"])
    spiral = [way for way, side in zip(ways, SPIRAL) for _ in range(side)]
    lit = [act for way in spiral for act in (way, "place_torch")]
    actions = [*spiral, *(["descend", *lit] * MAPPED)]
    _save_game(
        path,
        _beginning(env, MINES_SEED, {"daytime": "noon"}),
        actions,
        lambda session: {"floor": MAP_SHOWN},
    )


def _beginning(env: Any, seed: int, start: Mapping[str, Any]) -> Any:
    """Returns an environment whose episodes begin in a certain way."""
    reset = functools.partial(env.reset, seed=seed, options=start)
    env.reset = lambda: reset()
    return env


def _save_game(
    path: pathlib.Path,
    env: Any,
    actions: Iterable[str],
    cover: Callable[[Any], dict[str, Any]] = lambda session: {},
    textures: str | None = None,
) -> None:
    """Writes what the window shows of a game after some actions.

    Args:
      path: Where to.
      env: The game.
      actions: Names of the actions.
      cover: From the session to what is laid over the window, if anything.
      textures: Folder of the textures of the panel.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"  # nobody has to see it
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    from crafter.gui import cards, games
    from crafter.gui.keys import GAME, Bindings
    from crafter.gui.panel import Mode
    from crafter.gui.screen import Overlay, Screen
    from crafter.gui.session import Session

    pygame.display.init()
    pygame.font.init()
    session = Session(env)
    with contextlib.redirect_stdout(None):
        session.start()
        for action in actions:
            session.advance(action)
    bindings = Bindings(session.game.actions, GAME)
    labels = {name: bindings.label(name) for name in bindings.actions.values()}
    maker = games.MAKERS[session.game.key]
    size = WINDOW_SIZE if maker.key == "crafter" else maker.picture
    card = cards.end(session.ending, bindings) if session.ending else None
    screen = Screen(size, (0, 0), True, maker.textures(textures), session.game, labels)
    notices = tuple(session.notices[-2:])
    hint = bindings.hint(("toggle_help", "help"))
    overlay = Overlay(notices, hint, card=card, **cover(session))
    screen.draw(session, Mode(rate=5), overlay)
    path.unlink(missing_ok=True)
    screen.save(path)
    pygame.quit()
    Image.open(path).save(path, optimize=True)


def scripted_actions(seed: int, steps: int) -> list[str]:
    """Returns what the scripted player does in the first episode of a seed."""
    env = crafter.Env(seed=seed)
    player = ScriptedPlayer()
    _, info = env.reset()
    actions = []
    for _ in range(steps):
        action = player.act(env, info)
        actions.append(env.action_names[action])
        *_, info = env.step(action)
    return actions


# The scores.

SPECTRUM_METHODS = "human,dreamerv2,ppo,random"


def save_spectrum(path: pathlib.Path) -> None:
    """Writes the success rates of some methods, run and published."""
    root = FOLDER.parents[1]
    command = [sys.executable, str(root / "analysis" / "plot_spectrum.py")]
    command += sorted(map(str, (root / "scores").glob("*.json")))
    command += ["--only", SPECTRUM_METHODS, "--output", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


# The command line.


def save_play(path: pathlib.Path) -> None:
    """Writes the film."""
    path.write_bytes(draw_play())


def saving(draw: Callable[[], Image.Image]) -> Callable[[pathlib.Path], None]:
    """Returns a function that draws a picture and writes it."""
    return lambda path: draw().save(path, optimize=True)


PICTURES: dict[str, Callable[[pathlib.Path], None]] = {
    "terrain.png": saving(draw_terrain),
    "play.gif": save_play,
    "achievements.png": saving(draw_achievements),
    "textures.png": saving(lambda: draw_textures.sheet("crafter")),
    "craftax-floors.png": saving(lambda: draw_floors(bright=True)),
    "craftax-dark.png": saving(lambda: draw_floors(bright=False)),
    "craftax-views.png": saving(draw_views),
    "craftax-textures.png": saving(lambda: draw_textures.sheet("craftax")),
    "window.png": save_window,
    "death.png": save_death,
    "rules.png": save_rules,
    "craftax-window.png": save_craftax_window,
    "craftax-menu.png": save_craftax_menu,
    "craftax-map.png": save_craftax_map,
    "spectrum.png": save_spectrum,
}


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(
        description="Make the pictures of the documentation."
    )
    parser.add_argument(
        "--folder", type=pathlib.Path, default=FOLDER, help="where to write"
    )
    parser.add_argument(
        "--only", choices=PICTURES, action="append", help="one picture; may be repeated"
    )
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.only or PICTURES:
        path = options.folder / name
        PICTURES[name](path)
        print(f"Wrote {path} ({path.stat().st_size / 1024:.0f} KiB).")


if __name__ == "__main__":
    main()
