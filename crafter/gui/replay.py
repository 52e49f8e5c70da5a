"""Replay of a recorded episode."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.gui.game import Game, Status, adapter_of
from crafter.gui.source import Memory, Source
from crafter.recording.reader import load_episode, load_start

Path = str | os.PathLike

_EVERY = 100  # steps between snapshots for seeking


class Replay(Source):
    """A position in a recorded episode.

    The game is re-simulated from its start, which gives pictures of any size, as long
    as it agrees with the recording. Without an environment, or after it diverges, the
    recorded images are shown.

    Args:
      episode: The arrays that `crafter.load_episode` returns. Row 0 is the reset.
      game: The adapter of the game.
      env: An environment at the start of the episode.
      words: Row -> text before its step, shown as a notice.

    Attributes:
      index: The current row.
      last: The last row.
    """

    def __init__(
        self,
        episode: Mapping[str, np.ndarray],
        game: Game,
        env: Any = None,
        words: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__(game, env)
        self._words = words or {}
        self.notices += self._words_at(0)
        self.index = 0
        self.last = len(episode["action"]) - 1
        self._episode = episode
        self._returns = np.cumsum(episode["reward"].astype(float))
        counts = _with_prefix(episode, "achievement_").items()
        steps = {n: int(np.flatnonzero(row)[0]) for n, row in counts if row.any()}
        self._unlocked = dict(sorted(steps.items(), key=lambda pair: pair[1]))
        self._inventory = _with_prefix(episode, "ainventory_")
        if env is not None:
            self.memory.see(env.snapshot())
            self._kept = {0: (env.get_state(), self.memory.state())}

    @property
    def env(self) -> Any:
        """The game at this moment; `None` if it cannot be re-simulated."""
        return self._game

    @property
    def origin(self) -> dict[str, Any]:
        """Options that start in the same world; empty if that is impossible."""
        if self._game is None:
            return {}
        (rows, columns, _), game = self.game.map_shape, self._game
        area = (columns, rows) if rows else self.game.area
        sizes = {"area": area, "view": game.cells, "length": game.length}
        world = {"seed": game.world_seed, "episode": game.episode}
        return {"game": self.game.key, **world, **sizes}

    @property
    def actions(self) -> list[int]:
        """Action of every row."""
        return [int(action) for action in self._episode["action"]]

    @property
    def at_end(self) -> bool:
        """Whether the current row is the last."""
        return self.index == self.last

    def seek(self, index: int) -> None:
        """Moves to a row; clipped to the first and last."""
        index = min(max(index, 0), self.last)
        if index == self.index:
            return
        before, self.index = self.index, index
        self.version, self.effects = self.version + 1, []
        if self._game is not None:
            self._play_from(before)
        self.notices += self._words_at(index)
        if self._game is not None and index == before + 1:
            now = self._game.snapshot()
            self.notices += self.game.messages(now)
            self.effects = self.game.effects(now)
        for name, step in self._unlocked.items():
            if step == index:
                self.notices.append(f"Achievement: {self.game.title_of(name)}")

    def _words_at(self, row: int) -> list[str]:
        return [self._words[row]] if row in self._words else []

    def _play_from(self, row: int) -> None:
        """Steps the game from a row to the current one, unless it diverges."""
        kept = max(step for step in self._kept if step <= self.index)
        if not kept <= row <= self.index:
            start, remembered = self._kept[kept]
            self._game.set_state(start)
            self.memory = Memory.restored(self.game, remembered)
            self.memory.see(self._game.snapshot())
            row = kept
        for step in range(row + 1, self.index + 1):
            info = self._game.step(int(self._episode["action"][step]))[-1]
            if not self._agrees(step, info):
                self._game, self.memory = None, Memory(self.game)
                reason = f"the game diverges from the recording at step {step}"
                self.notices.append(f"Showing the recording from here on: {reason}.")
                return
            self.memory.see(self._game.snapshot())
            if step % _EVERY == 0:
                self._kept[step] = self._game.get_state(), self.memory.state()

    def _agrees(self, step: int, info: Mapping[str, Any]) -> bool:
        """Returns whether position and inventory match the recording."""
        place = np.array_equal(self._episode["player_pos"][step], info["player_pos"])
        return place and self._amounts(step) == info["inventory"]

    @property
    def proportions(self) -> tuple[int, int]:
        """Aspect ratio of a picture with square cells, as (width, height)."""
        if self._game is not None:
            return super().proportions
        height, width = self._episode["image"].shape[1:3]
        return width, height

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment; a recorded image is not resized."""
        if self._game is not None:
            return super().picture(size)
        return self._episode["image"][self.index]

    def status(self) -> Status:
        """Returns the contents of the side panel at this moment."""
        action = int(self._episode["action"][self.index])
        now = None if self._game is None else self._game.snapshot()
        amounts: dict[str, float] | None = self._amounts(self.index)
        if self.index == 0 and amounts and not any(amounts.values()):
            amounts = None  # The published recorder omits those of the reset.
        return Status(
            **vars(self.game.facts(amounts, now, self.memory.learned, ())),
            step=self.index,
            steps=self.last,
            episode=None,
            episode_return=float(self._returns[self.index]),
            action=self.game.action_names[action] if self.index else None,
            seed=None if self._game is None else self._game.world_seed,
            unlocked={n: at for n, at in self._unlocked.items() if at <= self.index},
        )

    def _amounts(self, index: int) -> dict[str, float]:
        """Returns the inventory of a row."""
        return {name: row[index].item() for name, row in self._inventory.items()}


def load(
    path: Path, kind: type[Game], rules: Any, textures: Path | None = None
) -> Replay:
    """Loads a recorded episode; posts a notice if it cannot be re-simulated.

    Args:
      path: The npz file.
      kind: The adapter of its game.
      rules: The rules it was played with, as returned by `Game.load_rules`.
      textures: Folder of a texture pack; the bundled textures if omitted.

    Raises:
      OSError: If the file cannot be read.
      ValueError: If it is not a recorded episode with these rules.
    """
    episode = load_episode(path)
    try:
        env = kind.resume(load_start(path), rules, textures)
        return Replay(episode, adapter_of(env), env)
    except KeyError as error:
        reason = f"its start lacks {error.args[0]}"
    except (TypeError, ValueError) as error:
        reason = str(error).rstrip(".")
    replay = Replay(episode, kind(rules))
    replay.notices.append(f"Showing the recording: {reason}.")
    return replay


def _with_prefix(
    episode: Mapping[str, np.ndarray], prefix: str
) -> dict[str, np.ndarray]:
    """Returns the arrays whose names start with a prefix, without that prefix."""
    names = (name for name in episode if name.startswith(prefix))
    return {name.removeprefix(prefix): episode[name] for name in names}
