"""Episode transitions as an npz file."""

from __future__ import annotations

import contextlib
import io
import pathlib
import tempfile
from typing import Any

import gymnasium
import numpy as np

from crafter.core.game import DEFAULT_SETUP
from crafter.recording.episode import DEFAULT_GAME, Episode, Transition

#: Keys of the npz files of every game; the reset has only the first.
KEYS = ("image", "action", "reward", "done", "discount")
#: Prefixes of achievement and item keys -> the counters in info.
PREFIXES = {"achievement_": "achievements", "ainventory_": "inventory"}
#: Key of the saved game at the start of the episode; an npz file as bytes.
START = "start"
#: Key of `Env.started`; missing for a plain reset.
STARTED = "started"
#: Key of the game's name; missing in files of the published package.
GAME = "game"
#: Key of the setup; missing for the published one.
SETUP = "setup"


class TransitionFile:
    """The npz file with all transitions; see `crafter.EpisodeRecorder`.

    Rows of the running episode are in an anonymous temporary file.

    Args:
      env: The environment at the recorder's place in the stack of wrappers.

    Raises:
      TypeError: If its observations are not arrays of a fixed shape.
    """

    suffix = ".npz"

    def __init__(self, env: Any):
        self._game = env.unwrapped
        self._recorded = tuple(getattr(self._game, "recorded", ()))
        self._file: Any = None
        if not isinstance(env.observation_space, gymnasium.spaces.Box):
            raise TypeError(
                "An episode is stored as arrays and needs an observation space of "
                f"type Box, but got {env.observation_space}. Put the recorder inside "
                "the wrapper that changes the observation."
            )

    def begin(self, path: pathlib.Path, first: Transition) -> None:
        """Writes row 0 and stores the saved game at the start."""
        save = getattr(self._game, "get_state", None)
        self._start = None if save is None else save()
        values = self._values(first)
        values |= {key: np.zeros_like(values[key]) for key in KEYS[1:]}
        arrays = ((key, np.asarray(value)) for key, value in values.items())
        fields: Any = [(key, array.dtype, array.shape) for key, array in arrays]
        self._row = np.zeros((), fields)
        self._file = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115
        self._path = path
        self._write(values)

    def add(self, now: Transition) -> None:
        """Adds a step."""
        self._write(self._values(now))

    def _values(self, now: Transition) -> dict[str, Any]:
        """Returns the values of a row by key."""
        info = now.info
        return {
            "image": now.observation,
            "action": np.int64(np.asarray(now.action).item()),
            "reward": np.float64(info["reward"]),
            "done": np.bool_(now.done),
            "discount": np.float64(info["discount"]),
            **{key: info[key] for key in self._recorded},
            **{
                f"{prefix}{name}": value
                for prefix, entry in PREFIXES.items()
                for name, value in info[entry].items()
            },
        }

    def _write(self, values: dict[str, Any]) -> None:
        for key in self._row.dtype.names:
            self._row[key] = values[key]
        self._file.write(self._row.tobytes())

    def complete(self, episode: Episode) -> None:
        """Packs the rows into an npz file."""
        self._file.flush()
        shape = (episode.length + 1,)
        rows = np.memmap(self._file, self._row.dtype, "r", shape=shape)
        arrays = {key: rows[key] for key in self._row.dtype.names}
        if episode.game != DEFAULT_GAME:
            arrays[GAME] = np.asarray(episode.game)
        if episode.setup != DEFAULT_SETUP:
            arrays[SETUP] = np.asarray(episode.setup)
        if episode.start is not None:
            arrays[STARTED] = np.asarray(episode.start)
        if self._start is not None and not episode.reloaded:
            start = io.BytesIO()
            np.savez(start, **self._start)
            arrays[START] = np.frombuffer(start.getvalue(), np.uint8)
        with self._path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def close(self) -> None:
        """Discards the rows."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
