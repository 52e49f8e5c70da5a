"""Kept games: a folder with one file for each game that was left.

A file is a saved game with the options that begin the same game, so that it can be
resumed whatever options it was started with.
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

#: Environment variable that names another folder than the usual one.
VARIABLE = "CRAFTER_HOME"


class Save(NamedTuple):
    """A game that was left.

    Attributes:
      path: The file.
      game: Name of the game.
      options: Those of the command line that begin the same game.
      step: Steps that were played.
      unlocked: Number of achievements.
      left: When it was left.
    """

    path: pathlib.Path
    game: str
    options: dict[str, Any]
    step: int
    unlocked: int
    left: datetime.datetime


def home() -> pathlib.Path:
    """Returns the folder in which the app keeps games, settings and records."""
    places = {
        "win32": os.environ.get("LOCALAPPDATA"),
        "darwin": "~/Library/Application Support",
    }
    place = places.get(sys.platform, os.environ.get("XDG_DATA_HOME"))
    usual = pathlib.Path(place or "~/.local/share", "crafter")
    return pathlib.Path(os.environ.get(VARIABLE) or usual).expanduser()


def recall(name: str) -> dict[str, Any]:
    """Returns the content of a YAML file of the folder; nothing if it is damaged."""
    with contextlib.suppress(OSError, ValueError, TypeError, yaml.YAMLError):
        return dict(yaml.safe_load((home() / name).read_text("utf-8")))
    return {}


def remember(name: str, content: dict[str, Any]) -> None:
    """Writes a JSON file of the folder, if it can be written."""
    with contextlib.suppress(OSError):
        journal.replace(home() / name, json.dumps(content))


def slot(game: str) -> pathlib.Path:
    """Returns a new path for a game."""
    now = datetime.datetime.now().strftime("%Y%m%dT%H%M%S%f")
    return home() / "games" / f"{game}-{now}.npz"


def kept() -> list[Save]:
    """Returns the games that were left, the latest first, without damaged files."""
    found = []
    for path in (home() / "games").glob("*.npz"):
        with contextlib.suppress(OSError, ValueError):
            found.append(read(path))
    return sorted(found, key=lambda save: save.left, reverse=True)


def read(path: str | os.PathLike) -> Save:
    """Reads a game that was left.

    Raises:
      OSError: If it cannot be read.
      ValueError: If it is none.
    """
    place = pathlib.Path(path).expanduser()
    file, left = npz.read(place), place.stat().st_mtime
    missing = sorted({GAME, OPTIONS, STEP, UNLOCKED} - file.keys())
    if missing:
        raise ValueError(f"it is not a kept game: it lacks {', '.join(missing)}")
    return Save(
        place,
        str(file[GAME]),
        dict(json.loads(str(file[OPTIONS]))),
        int(file[STEP]),
        len(file[UNLOCKED]),
        datetime.datetime.fromtimestamp(left),
    )
