"""The recording of the running episode, from its reset to the names of its files.

All that belongs to an episode appears together when it is over: its files are completed
and written to the disk in a hidden folder, then all get one name, and the line of the
statistics comes last. What happens in between is in a journal, so that whoever finds
the folder of a killed process knows how to go on.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from crafter.core import signals
from crafter.recording.folder import Workspace, free_name, sync, warn_dropped
from crafter.recording.stats import StatsFile, stats_line

JOURNAL = "journal.json"
SUFFIXES = (".mp4", ".npz")


class Writer(Protocol):
    """A file of one episode in the making; every method may raise OSError."""

    suffix: str

    def write(self, content: Any) -> None:
        """Adds a step."""

    def resumed(self) -> None:
        """Notes that a saved game has taken the place of the running one."""

    def close(self, steps: int) -> pathlib.Path:
        """Completes the file of so many steps and returns it; can be called again."""

    def release(self) -> None:
        """Stops writing, if it still does, and lets go of everything but the file."""


#: Opens the file of an episode that was just reset.
Opener = Callable[[Workspace], Writer]


class Recording:
    """What is recorded in a directory, one episode after the other.

    A wrapper owns it, but it does not know the wrapper, because it has to complete the
    files when the wrapper is already gone. Signals are put off while it writes.

    Args:
      directory: Where finished files go.
      stats: Where lines go, if they are wanted.
      game: What lines call the game; `None` for Crafter, whose lines do not.
    """

    def __init__(
        self,
        directory: pathlib.Path,
        stats: StatsFile | None,
        game: str | None = None,
    ):
        self._directory = directory
        self._stats = stats
        self._game = game
        self._episode = 0
        self._running = False
        self._workspace: Workspace | None = None
        self._writers: dict[str, Writer] = {}
        self._process = os.getpid()
        self._mutex = threading.RLock()
        signals.on_termination(self)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Lets one thread write, and no signal come in between."""
        with signals.deferred(), self._mutex:
            yield

    @property
    def running(self) -> bool:
        """Whether an episode is being recorded."""
        return self._running

    def begin(self, openers: Mapping[str, Opener], start: str | None) -> None:
        """Starts with the next episode; a running one is kept as a partial one.

        Args:
          openers: Suffix of a file -> what opens it.
          start: One of `crafter.core.reset_options.STARTS`, or `None`.
        """
        with self._guarded():
            self._end(complete=False)
            signals.prepare()
            self._episode += 1
            self._length, self._reward = 0, 0.0
            self._achievements: dict[str, int] = {}
            self._start = start
            self._complete = False
            self._running = True
            try:
                self._open(openers)
            except BaseException:
                self._let_go()
                raise

    def _open(self, openers: Mapping[str, Opener]) -> None:
        for suffix, opener in openers.items():
            with self._dropped_on_error(suffix):
                if self._workspace is None:
                    self._workspace = Workspace.make(self._directory)
                self._writers[suffix] = opener(self._workspace)

    def resumed(self) -> None:
        """Notes that a saved game has taken the place of the running one."""
        with self._guarded():
            self._start = "state"
            for suffix, writer in list(self._writers.items()):
                with self._dropped_on_error(suffix):
                    writer.resumed()

    def add(
        self,
        contents: Mapping[str, Any],
        reward: float,
        achievements: Mapping[str, int],
        done: bool,
    ) -> None:
        """Adds a step of the running episode, and ends it with the last.

        Args:
          contents: Suffix -> what to write into the file.
          reward: Reward of the step.
          achievements: How often each was done by now.
          done: Whether it is the last step.
        """
        with self._guarded():
            try:
                for suffix, writer in list(self._writers.items()):
                    with self._dropped_on_error(suffix):
                        writer.write(contents[suffix])
                self._count(reward, achievements)
            except BaseException:
                # For example a second Ctrl-C: a step may be missing here, so that
                # nothing that follows may be added.
                self._end(complete=False)
                raise
            if done:
                self._end(complete=True)

    def _count(self, reward: float, achievements: Mapping[str, int]) -> None:
        self._length += 1
        self._reward += reward
        self._achievements = dict(achievements)
        if self._workspace is not None:
            self._workspace.count(self._length, self._unlocked)

    @property
    def _unlocked(self) -> int:
        return sum(map(bool, self._achievements.values()))

    def end(self) -> None:
        """Keeps a running episode as a partial one."""
        with self._guarded():
            self._end(complete=False)

    def abandon(self) -> None:
        """Ends a running episode when the wrapper or the program goes away."""
        if self._process == os.getpid():  # In a fork, the files are the parent's.
            self.end()

    def _end(self, complete: bool) -> None:
        if not self._running:
            return
        # If this is interrupted, the episode is still a whole one the next time.
        self._complete = self._complete or complete
        if self._length:
            self._note(None)
            self._publish(self._close())
        self._let_go()

    def _line(self, file: str | None) -> tuple[Any, ...]:
        """Returns the arguments of `stats_line`."""
        counted = self._length, self._reward, self._achievements
        return *counted, self._start, file, self._game

    def _close(self) -> dict[str, pathlib.Path]:
        """Completes the files and returns those that are whole, by suffix."""
        finished = {}
        for suffix, writer in list(self._writers.items()):
            with self._dropped_on_error(suffix):
                finished[suffix] = writer.close(self._length)
        return finished

    def _publish(self, finished: Mapping[str, pathlib.Path]) -> None:
        """Gives the files their name and appends the line."""
        name = None
        if finished and self._workspace is not None:
            wanted = episode_name(self._length, self._unlocked, self._complete)
            try:
                with free_name(self._workspace, wanted, SUFFIXES) as name:
                    self._note(name)
                    for suffix, path in finished.items():
                        with self._dropped_on_error(suffix):
                            path.replace(self._directory / f"{name}{suffix}")
                sync(self._directory)
            except OSError as error:
                for suffix in finished:
                    self._drop(suffix, error)
        if self._complete and self._stats is not None:
            self._stats.append(self._episode, *self._line(name))

    def _note(self, name: str | None) -> None:
        """Writes into the journal, from which it goes on if the process is killed."""
        if self._workspace is None:
            return
        counts = self._complete and self._stats is not None
        entry = {
            "complete": self._complete,
            "name": name,
            "line": stats_line(*self._line(name)) if counts else None,
        }
        write_journal(self._workspace.path, entry)

    @contextlib.contextmanager
    def _dropped_on_error(self, suffix: str) -> Iterator[None]:
        """Goes on without a file that cannot be written."""
        try:
            yield
        except OSError as error:
            self._drop(suffix, error)

    def _drop(self, suffix: str, error: OSError) -> None:
        writer = self._writers.pop(suffix, None)
        if writer is not None:
            writer.release()
        what = f"{suffix} file of episode {self._episode}"
        warn_dropped(what, self._directory, error)

    def _let_go(self) -> None:
        self._running = False
        while self._writers:
            self._writers.popitem()[1].release()
        if self._workspace is not None:
            workspace, self._workspace = self._workspace, None
            workspace.remove()


def episode_name(
    length: int, unlocked: int, complete: bool, when: float | None = None
) -> str:
    """Returns the name of the files of an episode, without suffix.

    Args:
      length: Number of steps.
      unlocked: Number of achievements.
      complete: Whether it was played to its end.
      when: When it ended, in seconds since the epoch; now by default.
    """
    timestamp = time.strftime("%Y%m%dT%H%M%S", time.localtime(when))
    partial = "" if complete else "partial-"
    return f"{timestamp}-{partial}ach{unlocked}-len{length}"


def write_journal(folder: pathlib.Path, entry: Mapping[str, Any]) -> None:
    """Writes the journal of a workspace, whole or not at all, if that is possible."""
    unfinished = folder / f"{JOURNAL}.unfinished"
    with contextlib.suppress(OSError):
        unfinished.write_text(json.dumps(entry), "utf-8")
        unfinished.replace(folder / JOURNAL)


def read_journal(folder: pathlib.Path) -> dict[str, Any]:
    """Reads the journal of a workspace; nothing if there is none."""
    try:
        return json.loads((folder / JOURNAL).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
