"""Reading of recorded episodes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from crafter.core import npz
from crafter.core.game import DEFAULT_SETUP
from crafter.core.validation import raising
from crafter.recording.episode import DEFAULT_GAME
from crafter.recording.folder import Path
from crafter.recording.transitions import (
    GAME,
    KEYS,
    PREFIXES,
    SETUP,
    START,
    STARTED,
)

# Arrays with one number per row -> valid dtype kinds.
_SCALARS = {"action": "iu", "reward": "fiu", "discount": "fiu", "done": "biu"}

# Keys with a single text -> default.
_NAMES = {GAME: DEFAULT_GAME, SETUP: DEFAULT_SETUP}


def load_episode(path: Path) -> dict[str, np.ndarray]:
    """Loads an episode written by `EpisodeRecorder` or the published package.

    Nothing is unpickled, so that files of unknown origin are safe to read. Without a
    step limit, the published package stores Python objects as `done`; it is then
    rebuilt from `discount`, also if it is missing, because such an episode can only end
    by death.

    Args:
      path: The npz file.

    Returns:
      The arrays by name, as listed in `EpisodeRecorder`. `done` is always bool.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged or is not an episode.

    Example:
      >>> load_episode("missing.npz")
      Traceback (most recent call last):
      FileNotFoundError: [Errno 2] No such file or directory: 'missing.npz'
    """
    with raising(ValueError, f"{os.fspath(path)!r} is not a recorded episode: "):
        episode = npz.read(path, objects=["done"])
        for key, usual in _NAMES.items():
            _name(key, episode.pop(key, None), usual)
        for key in (START, STARTED):
            episode.pop(key, None)
        _check(episode)
    return episode


def episode_of(
    steps: Iterable[tuple[int, Mapping[str, Any]]],
) -> dict[str, np.ndarray]:
    """Returns steps as an episode, as from `load_episode`, but without images.

    Args:
      steps: Action index and info of each step; the first is the reset.
    """
    rows = [
        {
            "action": action,
            **{name: info[name] for name in ("reward", "player_pos")},
            **{f"achievement_{name}": n for name, n in info["achievements"].items()},
            **{f"ainventory_{name}": n for name, n in info["inventory"].items()},
        }
        for action, info in steps
    ]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def load_start(path: Path) -> dict[str, np.ndarray]:
    """Loads the saved game at the start of a recorded episode, for replaying it.

    The actions are in `load_episode`, from row 1. If the recorder was inside all
    wrappers that change actions, `Env.set_state` and these actions replay the game, at
    any picture size.

    Args:
      path: The npz file, written by `EpisodeRecorder`.

    Returns:
      A value for `Env.set_state`, or for the option `state` of `Env.reset`.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged, or does not contain the start, as in files of
          the published package or of episodes in which a saved game was loaded.
    """
    with raising(ValueError, f"{os.fspath(path)!r} cannot be replayed: "):
        content = npz.read(path, START).get(START)
        if content is None:
            raise ValueError("it does not record how the game began")
        return npz.read(content.tobytes())


def load_game(path: Path) -> str:
    """Loads the name of the game of a recorded episode.

    Args:
      path: The npz file.

    Returns:
      The name: `crafter`, also for files of the published package, or `craftax`.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged.
    """
    return _load_name(path, GAME, DEFAULT_GAME)


def load_setup(path: Path) -> str:
    """Loads the name of the setup of a recorded episode.

    Args:
      path: The npz file.

    Returns:
      Same as `setup` of the environment; `published` for files that name none.

    Raises:
      FileNotFoundError: If there is no such file.
      OSError: If it cannot be read.
      ValueError: If the file is damaged.
    """
    return _load_name(path, SETUP, DEFAULT_SETUP)


def _load_name(path: Path, key: str, usual: str) -> str:
    with raising(ValueError, f"{os.fspath(path)!r} is not a recorded episode: "):
        return _name(key, npz.read(path, key).get(key), usual)


def _name(key: str, value: np.ndarray | None, usual: str) -> str:
    if value is None:
        return usual
    if value.dtype.kind != "U" or value.shape != ():
        raise ValueError(
            f"{key} must be one text, but is {value.dtype} of shape {value.shape}"
        )
    return str(value)


def _check(episode: dict[str, np.ndarray]) -> None:
    """Checks the arrays, and converts `done` to bool."""
    prefixes = [p for p in PREFIXES if not any(key.startswith(p) for key in episode)]
    missing = [key for key in KEYS if key not in episode and key != "done"]
    missing += [f"{prefix}..." for prefix in prefixes]
    if missing:
        present = ", ".join(episode) or "nothing"
        raise ValueError(f"{', '.join(missing)} missing, it holds {present}")
    for key, kinds in _SCALARS.items():
        array = episode.get(key, episode["action"])
        if array.dtype.kind not in kinds or array.ndim != 1:
            raise ValueError(
                f"{key} must be one {'bool' if key == 'done' else 'number'} per row, "
                f"but is {array.dtype} of shape {array.shape}"
            )
    if "done" not in episode:
        episode["done"] = episode["discount"] == 0
        episode["done"][:1] = False  # The discount of row 0 is a placeholder.
    episode["done"] = episode["done"].astype(bool)
    lengths = {key: array.shape[:1] for key, array in episode.items()}
    if len(set(lengths.values())) > 1 or lengths["image"] in [(), (0,)]:
        raise ValueError(
            f"arrays must be equally long, but their lengths are {lengths}"
        )
