"""Recording of an episode, from reset to finished files.

At the end of an episode, its npz file is completed under a hidden name and renamed,
then its mp4, and then its line is appended to the statistics. A killed process thus
leaves only complete files. A missing line can be restored from the npz file; see
`crafter.recording.rebuild`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from crafter.core.game import DEFAULT_SETUP
from crafter.recording.folder import claim, warn_dropped
from crafter.recording.stats import StatsFile

#: Game of files that name none, such as those of the published package.
DEFAULT_GAME = "crafter"


class Transition(NamedTuple):
    """Result of a step or a reset, with the action that led to it."""

    observation: Any
    action: Any
    done: bool
    info: dict[str, Any]


@dataclasses.dataclass
class Episode:
    """Summary of an episode, for statistics and file names.

    Attributes:
      start: How it started: `options`, `state`, or `None` for a plain reset. Only the
        latter counts in scores.
      game: Name of the game.
      length: Number of steps.
      reward: Sum of `info['reward']`.
      achievements: Achievement -> count.
      reloaded: Whether a saved game was loaded mid-episode, so that the actions do not
        lead from the start to the end.
      setup: Name of the setup, as in the environment.
      ticks: Steps of the game, if known; written to the line if they differ from
        `length`.
    """

    start: str | None
    game: str = DEFAULT_GAME
    length: int = 0
    reward: float = 0.0
    achievements: Mapping[str, int] = dataclasses.field(default_factory=dict)
    reloaded: bool = False
    setup: str = DEFAULT_SETUP
    ticks: int | None = None

    def count(self, info: Mapping[str, Any]) -> None:
        """Adds a step."""
        self.length += 1
        self.reward += float(info.get("reward", 0.0))
        self.achievements = dict(info["achievements"])

    def name(self, complete: bool) -> str:
        """Returns the file name without suffix if the episode ends now."""
        timestamp = time.strftime("%Y%m%dT%H%M%S")
        partial = "" if complete else "partial-"
        unlocked = sum(map(bool, self.achievements.values()))
        return f"{timestamp}-{partial}ach{unlocked}-len{self.length}"

    def line(self, file: str | None = None) -> dict[str, Any]:
        """Returns the episode's line of the statistics.

        Args:
          file: File name without suffix, if there are files.
        """
        counts = self.achievements.items()
        game = None if self.game == DEFAULT_GAME else self.game
        setup = None if self.setup == DEFAULT_SETUP else self.setup
        ticks = None if self.ticks == self.length else self.ticks
        optional: dict[str, Any] = {"start": self.start, "file": file, "game": game}
        optional |= {"setup": setup, "ticks": ticks}
        return {
            "length": self.length,
            "reward": round(self.reward, 1),
            **{f"achievement_{name}": int(count) for name, count in counts},
            **{name: value for name, value in optional.items() if value is not None},
        }


#: One file per episode, of `transitions` or `video`. It has `begin(path, first)` with
#: the `Transition` of a reset, `add` with that of a step, `complete(episode)`, and
#: `close()`; all but the last may raise OSError. `suffix` is the file suffix.
File = Any


class Recording:
    """Records a game into a directory, episode by episode.

    It holds no reference to the wrapper that owns it, because it completes the files
    after the wrapper was collected.

    Args:
      game: The unwrapped environment.
      directory: Folder of finished files.
      stats: File of statistics, if any.
      files: The other files of an episode, in the order of completion.
    """

    def __init__(
        self,
        game: Any,
        directory: pathlib.Path,
        stats: StatsFile | None,
        files: Sequence[File],
    ):
        self._game, self._name = game, getattr(game, "game", DEFAULT_GAME)
        self._setup = getattr(game, "setup", DEFAULT_SETUP)
        self._directory, self._stats, self._files = directory, stats, files
        self._number = 0
        self._episode: Episode | None = None
        # Hidden files of the running episode, until they are complete.
        self._paths: dict[File, pathlib.Path] = {}
        self._process = os.getpid()

    @property
    def _world(self) -> Any:
        return getattr(self._game, "world", None)

    def begin(self, first: Transition, start: str | None) -> None:
        """Starts recording an episode; no other may be running.

        Args:
          first: Result of the reset.
          start: See `Episode`.
        """
        self._number += 1
        self._episode_world = self._world
        for file in self._files:
            hidden = f".recording-{uuid.uuid4().hex}{file.suffix}.part"
            self._paths[file] = self._directory / hidden
            with self._dropped_on_error(file):
                file.begin(self._paths[file], first)
        self._episode = Episode(start, self._name, setup=self._setup)

    def add(self, now: Transition) -> None:
        """Adds a step of the running episode, if any; the last step ends it."""
        if self._episode is None:
            return
        try:
            self._add(self._episode, now)
        except BaseException:  # After a missing step, none may follow.
            self.end()
            raise
        if now.done:
            self.end(complete=True)

    def _add(self, episode: Episode, now: Transition) -> None:
        if self._world is not self._episode_world:
            self._episode_world = self._world
            episode.reloaded, episode.start = True, "state"
        for file in list(self._paths):
            with self._dropped_on_error(file):
                file.add(now)
        episode.count(now.info)

    def end(self, complete: bool = False) -> None:
        """Ends a running episode, as a partial one unless complete."""
        episode, self._episode = self._episode, None
        try:
            if episode is not None and episode.length:
                self._finish(episode, complete)
        finally:
            for file in list(self._paths):
                self._discard(file)

    def abandon(self) -> None:
        """Ends a running episode when the wrapper is collected or the program exits."""
        if self._process == os.getpid():  # not in a forked child
            self.end()

    def _finish(self, episode: Episode, complete: bool) -> None:
        """Renames the files and appends the line."""
        name = None
        for file, path in list(self._paths.items()):
            with self._dropped_on_error(file):
                file.complete(episode)
                wanted = episode.name(complete)
                name = name or claim(self._directory, wanted, file.suffix)
                path.replace(self._directory / f"{name}{file.suffix}")
        if complete and self._stats is not None:
            if episode.start != "state":  # otherwise the clock started elsewhere
                episode.ticks = getattr(self._game, "step_count", None)
            self._stats.append(episode.line(name))

    def _discard(self, file: File) -> None:
        """Closes a file and deletes it if it is still hidden."""
        path = self._paths.pop(file)
        file.close()
        path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _dropped_on_error(self, file: File) -> Iterator[None]:
        """Drops a file that cannot be written."""
        try:
            yield
        except OSError as error:
            self._discard(file)
            what = f"{file.suffix} file of episode {self._number}"
            warn_dropped(what, self._directory, error)
