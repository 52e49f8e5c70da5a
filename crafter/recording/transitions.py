"""The transitions of an episode, as an npz file."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.recording.folder import Workspace

#: Keys of the npz file of every game.
KEYS = ("image", "action", "reward", "done", "discount")
#: Prefixes of the keys of achievements and items -> the counters of info.
PREFIXES = {"achievement_": "achievements", "ainventory_": "inventory"}
#: Key of the saved game with which the episode began; an npz file as bytes.
START = "start"
#: Key of the name of the game; files of `CRAFTER` are as published and have none.
GAME = "game"
CRAFTER = "crafter"
#: Game -> which entries of info its files hold as they are. A game that is not listed
#: says it as `recorded`, an attribute of its environment.
RECORDED = {CRAFTER: ("semantic", "player_pos")}

_ROWS, _LAYOUT, _START, _PACKED = "rows", "rows.json", "start.npz", "episode.npz"


class Transition(NamedTuple):
    """What a step or a reset returned, and the action that led to it."""

    observation: Any
    action: Any
    done: bool
    info: dict[str, Any]


class Form(NamedTuple):
    """What the episodes of a game consist of.

    Attributes:
      game: Name of the game.
      recorded: Entries of info that are recorded as they are.
    """

    game: str
    recorded: tuple[str, ...]

    @classmethod
    def of(cls, env: Any) -> Form:
        """Returns that of an environment, which names its game as `game`."""
        game = getattr(env, "game", CRAFTER)
        return cls(game, getattr(env, "recorded", RECORDED[CRAFTER]))


class TransitionWriter:
    """The rows of an episode: raw in a file first, packed when it is over.

    Args:
      workspace: Where the files come to be.
      form: What the episode consists of.
      first: What reset returned: the observation is an array of the shape of all.
      start: The saved game with which the episode begins, if there is one.

    Raises:
      OSError: If the files cannot be written.
    """

    suffix = ".npz"

    def __init__(
        self,
        workspace: Workspace,
        form: Form,
        first: Transition,
        start: Mapping[str, np.ndarray] | None,
    ):
        self._folder = workspace.path
        self._recorded = form.recorded
        # Key of a counter -> where it is in info.
        self._counters = {
            f"{prefix}{name}": (entry, name)
            for prefix, entry in PREFIXES.items()
            for name in first.info[entry]
        }
        self._row = np.zeros((), self._dtype(first))
        layout = {"row": self._row.dtype.descr, "game": form.game}
        (self._folder / _LAYOUT).write_text(json.dumps(layout), "utf-8")
        if start is not None:
            with (self._folder / _START).open("wb") as file:
                np.savez(file, **start)  # type: ignore[arg-type]
        self._file = (self._folder / _ROWS).open("wb", buffering=0)
        try:
            self._fill(first)
            self._append()
        except BaseException:
            self.release()
            raise

    def _dtype(self, first: Transition) -> Any:
        image = np.asarray(first.observation)
        fields: list[Any] = [
            ("image", image.dtype, image.shape),
            ("action", np.int64),
            ("reward", np.float64),
            ("done", np.bool_),
            ("discount", np.float64),
        ]
        for key in self._recorded:
            value = np.asarray(first.info[key])
            fields.append((key, value.dtype, value.shape))
        for key, (entry, name) in self._counters.items():
            fields.append((key, np.asarray(first.info[entry][name]).dtype))
        return np.dtype(fields)

    def write(self, content: Transition) -> None:
        """Adds a step."""
        self._fill(content)
        row, info = self._row, content.info
        row["action"] = np.asarray(content.action).item()
        row["reward"] = info["reward"]
        row["done"] = content.done
        row["discount"] = info["discount"]
        self._append()

    def resumed(self) -> None:
        """Leaves out the start: from there, the actions do not lead to these rows."""
        (self._folder / _START).unlink(missing_ok=True)

    def _fill(self, content: Transition) -> None:
        """Sets what is true at this moment, after a reset too."""
        row, info = self._row, content.info
        row["image"] = content.observation
        for key in self._recorded:
            row[key] = info[key]
        for key, (entry, name) in self._counters.items():
            row[key] = info[entry][name]

    def _append(self) -> None:
        data = memoryview(self._row.tobytes())
        while data:
            data = data[self._file.write(data) :]

    def close(self, steps: int) -> pathlib.Path:
        """Packs the rows of a reset and so many steps into an npz file, returns it."""
        return pack(self._folder, steps)

    def release(self) -> None:
        """Stops writing."""
        with contextlib.suppress(OSError):
            self._file.close()


def has_rows(folder: pathlib.Path) -> bool:
    """Tells whether transitions were written in a workspace."""
    return all((folder / name).exists() for name in (_ROWS, _LAYOUT))


def pack(folder: pathlib.Path, steps: int) -> pathlib.Path:
    """Packs the rows in a workspace into an npz file.

    Args:
      folder: The workspace.
      steps: How many steps; rows beyond them are left out.

    Returns:
      The file.

    Raises:
      OSError: If it cannot be written.
      ValueError: If there are not as many rows, or the layout is damaged.
    """
    layout = json.loads((folder / _LAYOUT).read_text("utf-8"))
    fields = [(name, kind, *map(tuple, shape)) for name, kind, *shape in layout["row"]]
    rows = np.memmap(folder / _ROWS, np.dtype(fields), "r", shape=(steps + 1,))
    arrays = {key: rows[key] for key, *_ in fields}
    if layout["game"] != CRAFTER:
        arrays[GAME] = np.asarray(layout["game"])
    start = folder / _START
    if start.exists():
        arrays[START] = np.frombuffer(start.read_bytes(), np.uint8)
    path = folder / _PACKED
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    return path
