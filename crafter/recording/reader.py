"""Reads recorded episodes."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from crafter.core import npz
from crafter.recording.episode import DEFAULT_GAME
from crafter.recording.folder import Path
from crafter.recording.transitions import GAME, KEYS, PREFIXES, START, STARTED

# Arrays that saved games of any game have and episodes have not.
_OF_SAVED_GAMES = {"version", "seed", "episode", "ended"}
# Arrays with one number per row, and of which kinds of dtypes it may be.
_SCALARS = {"action": "iu", "reward": "fiu", "done": "biu", "discount": "fiu"}


def load_episode(path: Path) -> dict[str, np.ndarray]:
    """Reads an episode that `EpisodeRecorder` or the published package wrote.

    Nothing is unpickled, so that files of unknown origin are safe to read. Without a
    step limit, the published package stores Python objects as `done`; it is rebuilt
    from `discount` then, because such an episode ends by death only.

    Args:
      path: The npz file.

    Returns:
      The arrays by name, as `EpisodeRecorder` lists them. `done` is always bool.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged or is not an episode.

    Example:
      >>> load_episode("missing.npz")
      Traceback (most recent call last):
      FileNotFoundError: [Errno 2] No such file or directory: 'missing.npz'
    """
    try:
        episode = npz.read(path)
        _game(episode.pop(GAME, None))
        for key in (START, STARTED):
            episode.pop(key, None)
        _check_keys(episode)
        _rebuild_done(episode)
        _check_objects(episode)
        _check_lengths(episode)
        _check_scalars(episode)
    except ValueError as error:
        name = os.fspath(path)
        raise ValueError(f"{name!r} is not a recorded episode: {error}") from error
    episode["done"] = episode["done"].astype(bool)
    return episode


def load_start(path: Path) -> dict[str, np.ndarray]:
    """Reads with which game a recorded episode began, to play it again.

    Its actions are those of `load_episode`, without the first. If the recorder was
    inside of all wrappers that change actions, `Env.set_state` and these actions give
    the game again, at any size of picture.

    Args:
      path: The npz file that `EpisodeRecorder` wrote.

    Returns:
      A value for `Env.set_state`, or for the option `state` of `Env.reset`.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged, or says nothing about the start, as those of
        the published package, and those of episodes in which a saved game was loaded.
    """
    name = os.fspath(path)
    try:
        content = npz.read(path, START).get(START)
        if content is None:
            raise ValueError("it does not say with which game it began")
        return npz.parse(content.tobytes())
    except ValueError as error:
        raise ValueError(f"{name!r} cannot be played again: {error}") from error


def load_game(path: Path) -> str:
    """Reads of which game a recorded episode is.

    Args:
      path: The npz file.

    Returns:
      The name: `crafter`, also for files of the published package, or `craftax`.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged.
    """
    try:
        return _game(npz.read(path, GAME).get(GAME))
    except ValueError as error:
        name = os.fspath(path)
        raise ValueError(f"{name!r} is not a recorded episode: {error}") from error


def _game(value: np.ndarray | None) -> str:
    if value is None:
        return DEFAULT_GAME
    if value.dtype.kind != "U" or value.shape != ():
        raise ValueError(
            f"{GAME} must be one text, but is {value.dtype} of shape {value.shape}"
        )
    return str(value)


def is_saved_game(path: Path) -> bool:
    """Tells whether a file is a saved game, as `Env.get_state` gives it.

    Windows for people put those where they put recordings, and both are npz files.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
    """
    try:
        return npz.names(path) >= _OF_SAVED_GAMES
    except ValueError:
        return False


def _rebuild_done(episode: dict[str, np.ndarray]) -> None:
    discount = episode["discount"]
    if episode["done"].dtype.hasobject and discount.dtype.kind in "fiu":
        episode["done"] = discount == 0
        episode["done"][:1] = False  # The discount of row 0 is a placeholder.


def _check_objects(episode: dict[str, np.ndarray]) -> None:
    objects = [key for key, array in episode.items() if array.dtype.hasobject]
    if objects:
        raise ValueError(
            f"{', '.join(objects)} would have to be unpickled, which is not safe"
        )


def _check_keys(episode: dict[str, np.ndarray]) -> None:
    missing = [key for key in KEYS if key not in episode]
    for prefix in PREFIXES:
        if not any(key.startswith(prefix) for key in episode):
            missing.append(f"{prefix}...")
    if missing:
        present = ", ".join(episode) or "nothing"
        raise ValueError(f"{', '.join(missing)} missing, it holds {present}")


def _check_lengths(episode: dict[str, np.ndarray]) -> None:
    lengths: dict[str, Any] = {key: a.shape[:1] for key, a in episode.items()}
    if len(set(lengths.values())) > 1 or lengths["image"] in [(), (0,)]:
        raise ValueError(
            f"arrays must be equally long, but their lengths are {lengths}"
        )


def _check_scalars(episode: dict[str, np.ndarray]) -> None:
    for key, kinds in _SCALARS.items():
        array = episode[key]
        if array.dtype.kind not in kinds or array.ndim != 1:
            what = "bool" if key == "done" else "number"
            raise ValueError(
                f"{key} must be one {what} per row, but is {array.dtype} of shape "
                f"{array.shape}"
            )
