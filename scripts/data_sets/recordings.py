"""Recorded episodes on their way into a data set: found, read and checked."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator

import numpy as np

from crafter import constants
from crafter.games.craftax import tables as craftax_tables
from crafter.recorder import load_episode, load_game
from crafter.recording.reader import is_saved_game

Episode = dict[str, np.ndarray]


#: Game -> names of its actions.
ACTIONS = {
    "crafter": tuple(constants.actions),
    "craftax": craftax_tables.load().action_names,
}


class ExportError(Exception):
    """What keeps a folder from becoming a data set, in words for the user."""


def find_episodes(
    directory: pathlib.Path, pattern: str = "*.npz"
) -> list[pathlib.Path]:
    """Return the npz files of a folder by name, which is by time."""
    if not directory.is_dir():
        raise ExportError(f"{directory} is not a folder.")
    paths = [path for path in directory.glob(pattern) if path.name[0] != "."]
    if not paths:
        raise ExportError(
            f"There are no episodes (*.npz) in {directory}. crafter.Recorder writes "
            "them with save_episode=True."
        )
    return sorted(paths)


def game_of(paths: list[pathlib.Path]) -> str:
    """Return the game of which the episodes are; all must be of one.

    Raises:
        ExportError: If there are several games, or one without known actions.
    """
    games: dict[str, str] = {}
    for path in paths:
        if not is_saved_game(path):
            games.setdefault(game(path), path.name)
    if len(games) > 1:
        told = ", ".join(f"{name} as of {path}" for name, path in games.items())
        raise ExportError(f"The episodes are of several games: {told}.")
    (found,) = games or ["crafter"]
    if found not in ACTIONS:
        raise ExportError(
            f"{games[found]} is of the game {found!r}; known are {', '.join(ACTIONS)}."
        )
    return found


def game(path: pathlib.Path) -> str:
    """Return of which game an episode is, or refuse a damaged file."""
    try:
        return load_game(path)
    except ValueError as error:
        raise ExportError(str(error)) from error


def read_episodes(
    paths: list[pathlib.Path], include_partial: bool
) -> Iterator[tuple[pathlib.Path, Episode]]:
    """Yield the episodes, and show how far it is."""
    for number, path in enumerate(paths, 1):
        show_progress(number, len(paths))
        if is_saved_game(path):
            note(f"Skipped {path.name}: it is a saved game, not a recorded one.")
            continue
        episode = load(path)
        if episode["done"][-1] or include_partial:
            yield path, episode
        else:
            note(f"Skipped {path.name}: it is partial.")


def load(path: pathlib.Path) -> Episode:
    """Read an episode that has steps, all of them with actions of its game."""
    try:
        episode = load_episode(path)
    except ValueError as error:
        raise ExportError(str(error)) from error
    actions, count = episode["action"], len(ACTIONS[game(path)])
    if len(actions) < 2:
        raise ExportError(f"{path.name} has no steps.")
    if actions.min() < 0 or actions.max() >= count:
        raise ExportError(
            f"{path.name} has actions from {actions.min()} to {actions.max()}, but "
            f"the game has 0 to {count - 1}."
        )
    return episode


def check_column(path: pathlib.Path, episode: Episode, key: str, kinds: str) -> None:
    """Refuse what is not one number per row, of some kinds of dtypes."""
    column = episode[key]
    if column.ndim != 1 or column.dtype.kind not in kinds:
        kind = "number" if "f" in kinds else "integer"
        raise ExportError(
            f"{path.name} must have one {kind} per row as {key}, but has "
            f"{column.dtype} of shape {column.shape}."
        )


def note(text: str) -> None:
    """Tell the user something, below the bar if there is one."""
    print(f"\n{text}" if sys.stderr.isatty() else text, file=sys.stderr)


def show_progress(number: int, total: int, width: int = 40) -> None:
    """Draw a bar on the terminal, if there is one."""
    if sys.stderr.isatty():
        bar = "#" * (width * number // total)
        end = "\n" if number == total else ""
        print(f"\r[{bar:<{width}}] {number}/{total}", end=end, file=sys.stderr)
