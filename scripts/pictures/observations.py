"""One state as each kind of observation shows it."""

from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import crafter
from crafter import constants
from crafter.games import craftax
from crafter.games.crafter import observations
from crafter.games.crafter.sprites import CODES
from pictures.layout import GAP, INK, LABEL, grid

CELL, DOT = 30, 7  # pixels per cell of a board, and of a plane


def crafter_kinds(env: crafter.Env) -> Image.Image:
    """Draws the current state of a game as each kind of observation."""
    assert env.world is not None and env._player is not None
    compact, symbolic, semantic = (
        observations.observe(kind, env.world, env._player, env.view)
        for kind in ("compact", "symbolic", "semantic")
    )
    local = semantic["local"]
    ids, codes = compact[: 2 * local.size].reshape(2, *local.shape)
    looks = [name for name in CODES if not name.startswith("player-")]
    names = ["outside", *constants.materials, "player", *looks]
    parts = np.split(symbolic[: len(names) * local.size], [13 * local.size])
    planes = np.concatenate([part.reshape(*local.shape, -1) for part in parts], -1)
    boards = {"semantic: local": local.T, "compact: materials": ids.T}
    boards["compact: objects"] = codes.T
    return draw(env.frame((64, 64)), boards, planes.swapaxes(0, 1), names)


def craftax_kinds(env: craftax.Env) -> Image.Image:
    """Draws the current state of a game as each kind of observation."""
    assert env.player is not None
    compact = env.observer.compact(env.player)
    planes = env.observer.expand(compact)[env.observer.slices["cells"]]
    planes = planes.reshape(*env.observer.view, -1)
    boards = {
        "semantic: local": env.observer.semantic(env.player)["local"],
        "compact: blocks": compact["map"][..., 0],
        "compact: items": compact["map"][..., 1],
    }
    names = [name.split(" ", 1)[1] for name in env.observer.names[: planes.shape[-1]]]
    return draw(env.frame((110, 130)), boards, planes, names)


def draw(
    pixels: np.ndarray, boards: dict[str, np.ndarray], planes: np.ndarray, names: Any
) -> Image.Image:
    """Draws pixels and arrays of numbers, and below them the planes of `symbolic`."""
    rows, columns, _ = planes.shape
    width = columns * CELL
    picture = Image.fromarray(pixels)
    height = width * picture.height // picture.width
    shown = {"pixels": picture.resize((width, height), Image.Resampling.NEAREST)}
    shade = shown["pixels"].crop((0, 0, width, rows * CELL))
    shade = shade.resize((columns, rows), Image.Resampling.BOX)
    shown |= {name: draw_board(board, shade) for name, board in boards.items()}
    above = grid(shown, len(shown), LABEL)
    below = {
        names[n].translate(str.maketrans("_-", "  ")): Image.fromarray(
            np.where(planes[..., n] > 0, 40, 215).astype(np.uint8)
        ).resize((16 * DOT, rows * 16 * DOT // columns), Image.Resampling.NEAREST)
        for n in range(len(names))
        if planes[..., n].any()
    }
    sheet = grid(below, (above.width + GAP) // (16 * DOT + GAP), LABEL)
    page = Image.new("RGB", (above.width, above.height + sheet.height + 50), "white")
    page.paste(above)
    page.paste(sheet, (0, above.height + 50))
    text = f"symbolic: {len(below)} of {len(names)} planes of cells; the others are 0"
    font = ImageFont.load_default(15)
    ImageDraw.Draw(page).text((0, above.height + 20), text, INK, font)
    return page


def draw_board(numbers: np.ndarray, shade: Image.Image) -> Image.Image:
    """Draws nonzero numbers in cells, over the mean colours of a picture."""
    size = shade.width * CELL, shade.height * CELL
    page = Image.blend(shade, Image.new("RGB", shade.size, "white"), 0.5)
    page = page.resize(size, Image.Resampling.NEAREST)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(14)
    for (row, column), number in np.ndenumerate(numbers):
        middle = column * CELL + CELL // 2, row * CELL + CELL // 2
        pen.text(middle, str(number) if number else "", INK, font, anchor="mm")
    return page
