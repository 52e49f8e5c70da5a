"""Renders the pictures of the documentation from the game itself, into docs/images.

  python scripts/make_readme_pictures.py                     all of them
  python scripts/make_readme_pictures.py --only terrain.png  one of them

Pictures of the app need the extra `gui`.
"""

import contextlib
import itertools
import os
import pathlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import draw_textures
import yaml
from pictures import films, observations
from pictures.layout import INK, LABEL, grid
from PIL import Image, ImageDraw, ImageFont

import crafter
from crafter import constants
from crafter.core.options import make_parser
from crafter.games import craftax
from crafter.games.craftax import views
from crafter.games.crafter import achievement_graph as graph
from crafter.games.crafter.views import Textures

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"
#: Seeds, starting states and actions of the pictures.
SHOWN = yaml.safe_load(pathlib.Path(__file__).with_suffix(".yaml").read_text("utf-8"))
PAPER, CARD, EDGE = "#f3eee3", "#fffdf8", "#cfc5b0"
FAINT, LINE = "#857a6b", "#a08f73"
PLAY_SEED, PLAY_STEPS = 130, 96
PLAY_SIZE, LESSON_SIZE = 432, 396  # pixels
COLOURS = 128


# Worlds and floors.


def draw_world(seed: int, cell: int = 7) -> Image.Image:
    """Draws the whole map of the first episode of a seed, at noon."""
    items = -(-len(constants.items) // 64)  # rows
    view = 64, 64 + items
    env = crafter.Env(view=view, size=(cell * view[0], cell * view[1]), seed=seed)
    picture, _ = env.reset(options={"daytime": "noon"})
    return Image.fromarray(picture[: 64 * cell])


def draw_terrain() -> Image.Image:
    """Draws whole worlds side by side."""
    worlds = {f"{seed}": draw_world(seed) for seed in SHOWN["worlds"]}
    return grid(worlds, len(worlds), 0)


def draw_floors(*, bright: bool) -> Image.Image:
    """Draws the floors of a Craftax world, in full light or with their darkness."""
    env = craftax.Env()
    env.reset(seed=5, options={"daytime": "midnight"})
    assert env.world is not None
    names = env.world.tables.floor_names
    floors = {
        f"{level}  {name.replace('_', ' ')}": Image.fromarray(
            views.draw_floor(env.world, level, 6, bright=bright)
        )
        for level, name in enumerate(names)
    }
    return grid(floors, 3, LABEL)


def draw_views() -> Image.Image:
    """Draws the player's view on every floor, and by day and by night on the first."""
    names = craftax.Env().tables.floor_names
    moments = [("0  day", 0, 60), ("0  night", 0, 180)]
    moments += [(f"{n}  {names[n].replace('_', ' ')}", n, 60) for n in range(1, 9)]
    return grid({name: draw_view(*when) for name, *when in moments}, 5, LABEL)


def draw_view(floor: int, daytime: int) -> Image.Image:
    """Draws the player's view on a floor, at the step with most lit creatures."""
    env = craftax.Env()
    env.reset(seed=2, options={**SHOWN["views"], "floor": floor, "daytime": daytime})
    best, frame = -1, env.frame((176, 208))
    for _ in range(60):
        if env.step(0)[2]:
            break
        assert env.world is not None
        light = [env.world.floors[mob.level].light for mob in env.snapshot().mobs]
        places = [mob.position for mob in env.snapshot().mobs]
        count = sum(lit[place] > 0.2 for lit, place in zip(light, places))
        if count > best:
            best, frame = count, env.frame((176, 208))
    return Image.fromarray(frame)


# Animations and observations.


def play() -> Iterator[tuple[crafter.Env, str]]:
    """Yields the game of the scripted player and the action that led there."""
    env = crafter.Env(seed=PLAY_SEED)
    return ((env, action) for action in films.play(env, PLAY_STEPS))


def save_play(path: pathlib.Path) -> None:
    """Writes an animation of the scripted player."""
    films.save(path, [env.frame(PLAY_SIZE) for env, _ in play()])


def save_page(path: pathlib.Path) -> None:
    """Writes a longer part of that game as an HTML page."""
    films.save_page(path, crafter.Env(seed=PLAY_SEED), SHOWN["replay"])


def film_task(path: pathlib.Path) -> None:
    """Writes an animation of the planner solving a task."""
    films.save(path, films.task(**SHOWN["tasks"][path.stem]))


def draw_seen() -> Image.Image:
    """Draws the last state of the animation as each kind of observation."""
    *_, (env, _) = play()
    return observations.crafter_kinds(env)


def draw_craftax_seen() -> Image.Image:
    """Draws a Craftax state as each kind of observation."""
    env = craftax.Env("pixels")
    env.reset(seed=3, options=SHOWN["mines"])
    for action in SHOWN["mines_actions"]:
        env.step(env.action_names.index(action))
    return observations.craftax_kinds(env)


def draw_lessons() -> Image.Image:
    """Draws hand-made scenes for the player's guide."""
    pictures = {}
    for title, start in SHOWN["lessons"].items():
        world = start["map"].split()
        env = crafter.Env((len(world[0]), len(world)), seed=0)
        env.reset(options={**start, "map": world})
        pictures[title] = Image.fromarray(env.frame(LESSON_SIZE))
    return grid(pictures, 2, LABEL).quantize(COLOURS)


# The achievements.

CARD_SIZE, PITCH = (152, 108), (192, 128)
MARGIN, ICON, FONT = 28, 64, 14


def draw_achievements() -> Image.Image:
    """Draws the achievements and their prerequisites."""
    places = {name: tuple(place) for name, place in SHOWN["achievements"].items()}
    needs = graph.requirements()
    columns, rows = map(max, zip(*places.values()))
    (left, top), (right, bottom) = corner((0, 0)), corner((columns, rows))
    size = right + CARD_SIZE[0] + MARGIN, bottom + CARD_SIZE[1] + MARGIN
    page = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(page)
    for name, before in needs.items():
        for other in sorted(before):
            draw_line(pen, places[other], places[name])
    for name in places:
        draw_card(page, name, places[name])
    title = f"The {len(needs)} achievements"
    pen.text((left, top), title, INK, ImageFont.load_default(30))
    note = "Each needs all those that lead to it; the bottom row needs none."
    pen.text((left, top + 46), note, FAINT, ImageFont.load_default(FONT + 3))
    return page


def corner(place: tuple[int, int]) -> tuple[int, int]:
    """Returns the upper left pixel of the card at a column and row."""
    return MARGIN + place[0] * PITCH[0], MARGIN + place[1] * PITCH[1]


def draw_line(pen: ImageDraw.ImageDraw, start: Any, end: Any) -> None:
    """Draws an arrow between two cards; it changes rows just before its end."""
    (left, top), (aim, aim_top) = corner(start), corner(end)
    y, aim_y = top + CARD_SIZE[1] // 2, aim_top + CARD_SIZE[1] // 2
    turn = aim - (PITCH[0] - CARD_SIZE[0]) // 2 - 4
    points = [(left + CARD_SIZE[0], y), (turn, y), (turn, aim_y), (aim - 8, aim_y)]
    pen.line(points, LINE, width=4)
    pen.polygon([(aim - 12, aim_y - 7), (aim - 2, aim_y), (aim - 12, aim_y + 7)], LINE)


def draw_card(page: Image.Image, name: str, place: Any) -> None:
    """Draws the picture and the name of an achievement."""
    pen, (left, top), (width, height) = ImageDraw.Draw(page), corner(place), CARD_SIZE
    pen.rounded_rectangle([left, top, left + width, top + height], 10, CARD, EDGE, 2)
    page.paste(icon(name), (left + (width - ICON) // 2, top + 10))
    label, font = name.replace("_", " ").title(), ImageFont.load_default(FONT)
    pen.text((left + width // 2, top + 20 + ICON), label, INK, font, anchor="ma")


def icon(name: str) -> Image.Image:
    """Returns the icon of an achievement, from the textures of the game."""
    verb, what = name.split("_", 1)
    texture = {"wake_up": "player-sleep", "eat_plant": "plant-ripe"}.get(name, what)
    ground = None if verb in ("collect", "make") else "grass"
    ground = "path" if what == "skeleton" else ground
    textures = Textures(draw_textures.ASSETS["crafter"])
    picture = Image.new("RGB", (ICON, ICON), INK)
    for stem in filter(None, [ground, texture]):
        layer = Image.fromarray(textures.get(stem, (ICON, ICON))).convert("RGBA")
        picture.paste(layer, mask=layer)
    return picture


# The app.


def save_window(path: pathlib.Path) -> None:
    """Writes a screenshot of the app after some steps of the scripted player."""
    actions = [action for _, action in play()][1:]
    save_game(path, crafter.Env(seed=PLAY_SEED, events=True), {}, actions)


def save_cave(path: pathlib.Path, actions: Iterable[str]) -> None:
    """Writes a screenshot of a game with a diamond sword, in a cave."""
    rules, start = SHOWN["sword"], SHOWN["cave"]
    start = {**start, "map": start["map"].split(), "position": (4, 4), "facing": (1, 0)}
    with tempfile.TemporaryDirectory() as folder:
        for picture in (
            *draw_textures.ASSETS["crafter"].glob("*.png"),
            draw_textures.ASSETS["craftax"] / "diamond_sword.png",
        ):
            shutil.copy(picture, folder)
        area = len(start["map"][0]), len(start["map"])
        env = crafter.Env(area, rules=rules, events=True, textures=folder)
        save_game(path, env, {"seed": 0, "options": start}, actions, textures=folder)


def save_mines(path: pathlib.Path, **cover: Any) -> None:
    """Writes a screenshot of Craftax, in the dark."""
    env = craftax.Env("pixels", events=True)
    start = {"seed": 3, "options": SHOWN["mines"]}
    save_game(path, env, start, SHOWN["mines_actions"], **cover)


def save_map(path: pathlib.Path) -> None:
    """Writes the map of a Craftax player who walked in a spiral on six floors."""
    ways = itertools.cycle(["right", "up", "left", "down"])
    walk = [way for way, n in zip(ways, SHOWN["spiral"]) for _ in range(n)]
    lit = [action for way in walk for action in (way, "place_torch")]
    env = craftax.Env("pixels", events=True, god_mode=True)
    start = {"seed": 3, "options": {"daytime": "noon"}}
    actions = [*walk, *(["descend", *lit] * 6)]
    save_game(path, env, start, actions, floor=0)


def save_game(
    path: pathlib.Path,
    env: Any,
    start: dict[str, Any],
    actions: Iterable[str],
    **shown: Any,
) -> None:
    """Writes a screenshot of a game after some actions.

    Args:
      path: File to write.
      env: The environment.
      start: Arguments of its `reset`.
      actions: Names of the actions.
      **shown: Further arguments of `save_session`.
    """
    from crafter.gui.session import Session

    reset = env.reset
    env.reset = lambda **_: reset(**start)
    session = Session(env)
    save_session(path, session, ["--game", session.game.key], actions, **shown)


def save_task(path: pathlib.Path) -> None:
    """Writes a screenshot of a task episode."""
    from crafter import run_gui
    from crafter.gui.options import make_parser, read_arguments

    options, actions = SHOWN["task"]["options"].split(), SHOWN["task"]["actions"]
    session = run_gui.open_source(read_arguments(make_parser(), options))
    save_session(path, session, options, actions)


def save_session(
    path: pathlib.Path,
    session: Any,
    options: list[str],
    actions: Iterable[str],
    textures: str | None = None,
    **cover: Any,
) -> None:
    """Writes a screenshot of a session after some actions.

    Args:
      path: File to write.
      session: The session, not yet started.
      options: Command line options of the app.
      actions: Names of the actions.
      textures: Folder of the panel's textures.
      **cover: Attributes of the window that open an overlay.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"  # no display needed
    from crafter import run_gui
    from crafter.gui.options import make_parser, read_arguments

    options = [*options, "--nonstop"]
    if session.game.key == "crafter":
        options += ["--window", "540", "540"]
    args = read_arguments(make_parser(), options)
    bindings = run_gui.bind_keys(args, session.game)
    pack = session.game.textures(textures)
    app = run_gui.open_window(args, session, pack, bindings)
    with contextlib.redirect_stdout(None):
        session.start()
        for action in actions:
            session.advance(action)
    del session.notices[:-2]
    for name, value in cover.items():
        setattr(app, name, value)
    app.draw()
    save_shown(path)


def save_title(path: pathlib.Path) -> None:
    """Writes a screenshot of the title screen, with the tasks selected."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from crafter import run_gui
    from crafter.gui.options import make_parser

    with tempfile.TemporaryDirectory() as nobody:
        os.environ["CRAFTER_HOME"] = nobody
        program = run_gui.Program(make_parser().parse_args([]))
        program.open(None)
        title: Any = program.app
        title.menu.move(2)
        title.draw()
        title.tick()  # What the window says of itself comes first.
        title.tick()
    save_shown(path)


def save_shown(path: pathlib.Path) -> None:
    """Writes a screenshot of the window, and closes it."""
    import pygame

    path.unlink(missing_ok=True)
    window = pygame.display.get_surface()
    assert window is not None
    pygame.image.save(window, path)
    pygame.quit()
    Image.open(path).save(path, optimize=True)


def saving(draw: Callable[[], Image.Image]) -> Callable[[pathlib.Path], None]:
    """Returns a function that draws a picture and writes it to a file."""
    return lambda path: draw().save(path, optimize=True)


PICTURES: dict[str, Callable[[pathlib.Path], None]] = {
    "terrain.png": saving(draw_terrain),
    "play.gif": save_play,
    "replay.html": save_page,
    "lessons.png": saving(draw_lessons),
    "observations.png": saving(draw_seen),
    "achievements.png": saving(draw_achievements),
    "textures.png": saving(lambda: draw_textures.sheet("crafter")),
    "craftax-floors.png": saving(lambda: draw_floors(bright=True)),
    "craftax-dark.png": saving(lambda: draw_floors(bright=False)),
    "craftax-views.png": saving(draw_views),
    "craftax-textures.png": saving(lambda: draw_textures.sheet("craftax")),
    "title.png": save_title,
    "window.png": save_window,
    "death.png": lambda path: save_cave(path, SHOWN["into_lava"]),
    "rules.png": lambda path: save_cave(path, SHOWN["make_sword"]),
    "craftax-window.png": save_mines,
    "craftax-help.png": lambda path: save_mines(path, help=True),
    "craftax-map.png": save_map,
    "craftax-tree.png": lambda path: save_mines(path, tree=True),
    "task-window.png": save_task,
    "craftax-observations.png": saving(draw_craftax_seen),
    "craftax.gif": lambda path: films.save(path, films.craftax(**SHOWN["craftax"])),
    **{f"{name}.gif": film_task for name in SHOWN["tasks"]},
}


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line program."""
    table = {
        "folder": (FOLDER, pathlib.Path, "where to write"),
        "only": (None, list(PICTURES), "one picture"),
    }
    options = make_parser(__doc__, table).parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in [options.only] if options.only else PICTURES:
        path = options.folder / name
        PICTURES[name](path)
        print(f"Wrote {path} ({path.stat().st_size / 1024:.0f} KiB).")


if __name__ == "__main__":
    main()
