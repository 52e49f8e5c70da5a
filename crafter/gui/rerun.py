"""A recorded game that is played again, to be seen at any size."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.env import Env
from crafter.rules import Rules
from crafter.snapshot import Snapshot

_LARGEST = 4096  # pixels; more would fill the memory
_EVERY = 100  # steps between moments that are kept, to go back to


class RerunError(ValueError):
    """A recording cannot be played again; the text says why."""


class Rerun:
    """A position in a game that is played again from its start.

    Args:
      start: The saved game with which it begins, as `crafter.load_start` gives it.
      episode: The arrays of `crafter.load_episode`. Row 0 is the start.
      rules: The rules that it was played by.
      textures: Folder of a texture pack; by default our own.

    Attributes:
      index: The row that is shown.

    Raises:
      RerunError: If the start does not fit the rules or this version.
    """

    def __init__(
        self,
        start: Mapping[str, np.ndarray],
        episode: Mapping[str, np.ndarray],
        rules: Rules,
        textures: str | os.PathLike | None = None,
    ) -> None:
        self.index = 0
        self._episode = episode
        try:
            self._env = _environment(start, rules, textures)
            self._env.set_state(start)
        except KeyError as error:
            raise RerunError(f"its start lacks {error.args[0]}") from error
        except (TypeError, ValueError) as error:
            raise RerunError(str(error).rstrip(".")) from error
        self._kept: dict[int, Mapping[str, np.ndarray]] = {0: start}

    @property
    def view(self) -> tuple[int, int]:
        """Cells shown (columns, rows), rows of the inventory included."""
        return self._env.view

    @property
    def rules(self) -> Rules:
        """The rules of the game, with the limits of items that it has."""
        return self._env.rules

    def seek(self, index: int) -> None:
        """Plays to a row.

        Raises:
          RerunError: If the game departs from the recording on the way.
        """
        kept = max(step for step in self._kept if step <= index)
        if not kept <= self.index <= index:
            self._env.set_state(self._kept[kept])
            self.index = kept
        while self.index < index:
            self._advance()

    def _advance(self) -> None:
        _, _, _, _, info = self._env.step(int(self._episode["action"][self.index + 1]))
        self.index += 1
        if not self._agrees(info):
            raise RerunError(
                f"the game departs from the recording at step {self.index}"
            )
        if self.index % _EVERY == 0 and self.index not in self._kept:
            self._kept[self.index] = self._env.get_state()

    def _agrees(self, info: Mapping[str, Any]) -> bool:
        """Returns whether place and inventory are those that were recorded."""
        recorded: dict[str, Any] = {"player_pos": info["player_pos"]}
        recorded |= {f"ainventory_{n}": a for n, a in info["inventory"].items()}
        return all(
            np.array_equal(self._episode[name][self.index], value)
            for name, value in recorded.items()
        )

    def frame(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment, (height, width, 3), uint8."""
        return self._env.frame(size)

    def snapshot(self) -> Snapshot:
        """Returns a record of this moment."""
        return self._env.snapshot()


def _environment(
    start: Mapping[str, np.ndarray], rules: Rules, textures: str | os.PathLike | None
) -> Env:
    """Returns an environment of the configuration with which a game was saved."""
    if max(_pair(start["config_size"])) > _LARGEST:
        raise ValueError(f"its observations have more than {_LARGEST} pixels a side")
    return Env(
        area=_pair(start["config_area"]),
        view=_pair(start["config_view"]),
        size=_pair(start["config_size"]),
        reward=bool(start["config_reward"]),
        length=int(start["config_length"]),
        night_noise="published" if start["config_draws_noise"] else "private",
        textures=textures,
        events=True,
        rules=_with_limits(rules, start["config_limits"]),
    )


def _with_limits(rules: Rules, limits: np.ndarray) -> Rules:
    """Returns rules with other limits of items, of which one begins with as much."""
    if len(limits) != len(rules.items):
        return rules
    changes = {
        name: {"max": int(limit), "initial": int(limit)}
        for (name, item), limit in zip(rules.items.items(), limits)
        if item["max"] != limit
    }
    return rules.changed({"items": changes}) if changes else rules


def _pair(values: np.ndarray) -> tuple[int, int]:
    first, second = map(int, values)
    return first, second
