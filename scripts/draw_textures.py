"""Draws the textures of both games, 16x16 pixels each, into their asset folders.

The drawings are text; see the package `textures`.

Usage:
  python scripts/draw_textures.py                      write the files of both games
  python scripts/draw_textures.py --check              exit 1 if the files differ
  python scripts/draw_textures.py --game crafter       only one game
  python scripts/draw_textures.py --game crafter --sheet FILE
                                                       write an enlarged sheet
"""

import pathlib
import sys

from pictures.layout import grid
from PIL import Image
from textures import GAMES, Book
from textures.drawing import SIZE

from crafter.core.options import Table, make_parser

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "crafter"
ASSETS = {game: PACKAGE / "games" / game / "assets" for game in ("crafter", "craftax")}


OPTIONS: Table = {
    "game": ("all", [*GAMES, "all"], "whose textures"),
    "folder": (None, pathlib.Path, "texture folder of the game"),
    "check": (False, None, "only compare the files"),
    "sheet": (None, pathlib.Path, "only write a sheet of the game"),
}


def differences(images: dict[str, Image.Image], folder: pathlib.Path) -> list[str]:
    """Lists how the files of a folder differ from images.

    Compares decoded pixels, since the bytes of a PNG file depend on the version of the
    compression library.
    """
    stems = {file.stem for file in folder.glob("*.png")}
    problems = [
        f"{stem}.png is not drawn by this script"
        for stem in sorted(stems - set(images))
    ]
    for stem, image in sorted(images.items()):
        if stem not in stems:
            problems.append(f"{stem}.png is missing")
            continue
        with Image.open(folder / f"{stem}.png") as file:
            parts = [(one.mode, one.size, one.tobytes()) for one in (file, image)]
        if parts[0] != parts[1]:
            problems.append(f"{stem}.png has other pixels")
    return problems


def sheet(game: str) -> Image.Image:
    """Lays out every texture of a game, enlarged, below its name."""
    shown = {folded(stem): tile(one) for stem, one in Book(game).images().items()}
    return grid(shown, columns=8, label=40)


def tile(image: Image.Image, scale: int = 5, width: int = 136) -> Image.Image:
    """Returns an enlarged texture on a background that fits its name."""
    side = SIZE * scale
    enlarged = image.convert("RGBA").resize((side, side), Image.Resampling.NEAREST)
    page = Image.new("RGB", (width, side), "#d9d6cf")
    page.paste(enlarged, ((width - side) // 2, 0), enlarged)
    return page


def folded(stem: str, length: int = 18) -> str:
    """Breaks a long name before its last word."""
    if len(stem) <= length:
        return stem
    first, _, last = stem.rpartition("_")
    return f"{first}_\n{last}"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line program.

    Returns:
      The exit status: 1 if `--check` found a difference, else 0.
    """
    parser = make_parser(__doc__, OPTIONS)
    options = parser.parse_args(arguments)
    if options.game == "all" and (options.folder or options.sheet):
        parser.error(f"--folder and --sheet need a --game: {' or '.join(GAMES)}")
    if options.sheet:
        sheet(options.game).save(options.sheet)
        return 0
    status = 0
    for game in GAMES if options.game == "all" else [options.game]:
        images, folder = Book(game).images(), options.folder or ASSETS[game]
        if options.check:
            problems = differences(images, folder)
            print("\n".join(problems) or f"{len(images)} textures are up to date.")
            status = 1 if problems else status
        else:
            folder.mkdir(parents=True, exist_ok=True)
            for stem, image in images.items():
                image.save(folder / f"{stem}.png", optimize=True)
            print(f"Wrote {len(images)} textures to {folder}.")
    return status


if __name__ == "__main__":
    sys.exit(main())
