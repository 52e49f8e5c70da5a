"""Saved games of the app: a folder with one file per game left unfinished.

A file holds the saved game and the options that start the same game, so that it can
be resumed under any options.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import pathlib
import sys
from typing import Any, NamedTuple

import yaml

from crafter.core import journal, npz
from crafter.gui.source import GAME, OPTIONS, STEP, UNLOCKED

#: Environment variable that overrides the default folder.
VARIABLE = "CRAFTER_HOME"


class Save(NamedTuple):
    """A game left unfinished.

    Attributes:
      path: The file.
      game: Name of the game.
      options: Command-line options that start the same game.
      step: Steps played.
      unlocked: Number of achievements.
      left: Time of saving.
    """

    path: pathlib.Path
    game: str
    options: dict[str, Any]
    step: int
    unlocked: int
    left: datetime.datetime


def home() -> pathlib.Path:
    """Returns the app's data folder, for games, settings and records."""
    places = {
        "win32": os.environ.get("LOCALAPPDATA"),
        "darwin": "~/Library/Application Support",
    }
    place = places.get(sys.platform, os.environ.get("XDG_DATA_HOME"))
    usual = pathlib.Path(place or "~/.local/share", "crafter")
    return pathlib.Path(os.environ.get(VARIABLE) or usual).expanduser()


def recall(name: str) -> dict[str, Any]:
    """Returns the content of a YAML file in the data folder; empty if it is damaged."""
    with contextlib.suppress(OSError, ValueError, TypeError, yaml.YAMLError):
        return dict(yaml.safe_load((home() / name).read_text("utf-8")))
    return {}


def remember(name: str, content: dict[str, Any]) -> None:
    """Writes a JSON file to the data folder, if possible."""
    with contextlib.suppress(OSError):
        journal.replace(home() / name, json.dumps(content))


def slot(game: str) -> pathlib.Path:
    """Returns a new file path for a game."""
    now = datetime.datetime.now().strftime("%Y%m%dT%H%M%S%f")
    return home() / "games" / f"{game}-{now}.npz"


def kept() -> list[Save]:
    """Returns saved games, the latest first; damaged files are skipped."""
    saves = []
    for path in (home() / "games").glob("*.npz"):
        with contextlib.suppress(OSError, ValueError):
            saves.append(read(path))
    return sorted(saves, key=lambda save: save.left, reverse=True)


def read(path: str | os.PathLike) -> Save:
    """Reads a saved game.

    Raises:
      OSError: If it cannot be read.
      ValueError: If it is not a saved game.
    """
    place = pathlib.Path(path).expanduser()
    file, left = npz.read(place), place.stat().st_mtime
    missing = sorted({GAME, OPTIONS, STEP, UNLOCKED} - file.keys())
    if missing:
        raise ValueError(f"it is not a saved game: it lacks {', '.join(missing)}")
    return Save(
        place,
        str(file[GAME]),
        dict(json.loads(str(file[OPTIONS]))),
        int(file[STEP]),
        len(file[UNLOCKED]),
        datetime.datetime.fromtimestamp(left),
    )
