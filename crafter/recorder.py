"""Keeps what happened in a game: statistics, videos and whole episodes.

Contents:

- `StatsRecorder` appends one line per episode to `stats.jsonl`.
- `VideoRecorder` writes one `.mp4` per episode, while the episode runs.
- `EpisodeRecorder` writes one `.npz` per episode, with every transition.
- `Recorder` stacks the three.
- `load_episode` reads an `.npz` back.

All of them are Gymnasium wrappers that return what they were given: observation,
reward and info pass through untouched, and recording never changes the game. They go
anywhere in a stack of wrappers and record what that place in the stack sees. Put them
outside of `TimeLimit`, so that they see its truncation (`gymnasium.make` leaves it that
way), and inside of wrappers that reset by themselves, such as `Autoreset`.

Files:

- The mp4 and npz of an episode are called `<timestamp>-ach<unlocked>-len<steps>`, with
  local time at the end of the episode. If the name is taken, `-2`, `-3`, ... follows.
- They appear whole or not at all. Until then they are hidden files in the directory,
  called `.recording-...`. A process that is killed outright can leave those behind.
- An episode that was stopped on its way by `close()`, by a `reset()` in the middle, by
  an exception or by the end of the program is kept as `<timestamp>-partial-ach...`, if
  it had at least one step, and does not count in `stats.jsonl`.
- When a file cannot be written, for example because the disk is full or the video
  encoder died, the game goes on. A `RuntimeWarning` says what happened, this file of
  this episode is dropped, all earlier files stay, and the next episode tries again.

Source: Crafter 1.8.3, `Recorder`: the same file names, keys, dtypes and shapes. Unique
names, partial episodes, streaming and the treatment of errors are additions.

Example:
  >>> import pathlib, tempfile
  >>> import crafter
  >>> directory = tempfile.mkdtemp()
  >>> env = crafter.Env(seed=0, length=3)
  >>> env = crafter.Recorder(env, directory, save_video=False)
  >>> observation, info = env.reset()
  >>> for _ in range(3):
  ...     observation, reward, terminated, truncated, info = env.step(0)
  >>> env.close()
  >>> sorted(path.suffix for path in pathlib.Path(directory).iterdir())
  ['.jsonl', '.npz']
"""

from __future__ import annotations

import copy
import errno
import json
import os
import pathlib
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs

from crafter.episode_files import (
    EpisodeFile,
    Names,
    Path,
    TransitionWriter,
    VideoWriter,
    Writer,
    explained,
    load_episode,
    warn_dropped,
    writable_directory,
)

__all__ = [
    "EpisodeRecorder",
    "Recorder",
    "StatsRecorder",
    "VideoRecorder",
    "load_episode",
]


class _PassThrough(gymnasium.Wrapper):
    """A wrapper that also has the attributes of the environment inside.

    Gymnasium 1.0 dropped this from its wrappers, but agents rely on it. Names that
    start with two underscores are not passed through.
    """

    def __getattr__(self, name: str) -> Any:
        """Returns an attribute that is unknown here from the environment inside."""
        if name.startswith("__") or "env" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return self.env.get_wrapper_attr(name)

    def set_wrapper_attr(self, name: str, value: Any, **options: Any) -> bool:
        """Sets an attribute where it lives; see `gymnasium.Wrapper`.

        Gymnasium asks `hasattr`, which is also true for what is passed through.
        """
        if name in self.__dict__ or hasattr(type(self), name):
            setattr(self, name, value)
            return True
        return self.env.set_wrapper_attr(name, value, **options)


class Recorder(_PassThrough):
    """Records statistics, videos and episodes of a game into a directory.

    The parts are stacked in the order of the arguments, statistics innermost.
    Attributes that the recorder does not have are those of the environment, names with
    one leading underscore included.

    Args:
      env: A Crafter environment, or wrappers around one.
      directory: Where to write. It is made if needed, with parents, and `~` stands for
        the home directory. With None or '' nothing is recorded.
      save_stats: Whether to append to `stats.jsonl`; see `StatsRecorder`.
      save_video: Whether to write an mp4 per episode; see `VideoRecorder`.
      save_episode: Whether to write an npz per episode; see `EpisodeRecorder`.
      video_size: Width and height of the video in pixels, or one number for both.

    Raises:
      OSError: If the directory cannot be made or written to.
      gymnasium.error.DependencyNotInstalled: If a video is wanted and imageio-ffmpeg is
        missing.
      TypeError: If the environment is not one that can be recorded.
      ValueError: If the video size is not positive.

    Source: Crafter 1.8.3, `Recorder`.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        directory: Path | None,
        save_stats: bool = True,
        save_video: bool = True,
        save_episode: bool = True,
        video_size: int | Sequence[int] = (512, 512),
    ):
        self._recorded = env
        self._arguments = {
            "directory": os.fspath(directory) if directory else None,
            "save_stats": save_stats,
            "save_video": save_video,
            "save_episode": save_episode,
            "video_size": video_size,
        }
        if directory:
            if save_video:
                _find_ffmpeg()  # Fails before anything is written.
            names = Names(directory, (".mp4", ".npz"))
            if save_stats:
                env = StatsRecorder(env, directory)
            if save_video:
                env = VideoRecorder(env, directory, video_size)
                env.share_names(names)
            if save_episode:
                env = EpisodeRecorder(env, directory)
                env.share_names(names)
        super().__init__(env)

    @property
    def spec(self) -> Any:  # type: ignore[override]
        """The specification of the environment, with one entry for the recorder.

        The parts have no entry of their own, since the recorder brings them.
        """
        spec = copy.deepcopy(self._recorded.spec)
        if spec is not None:
            spec.additional_wrappers += (self.wrapper_spec(**self._arguments),)
        return spec


class _Artefact(_PassThrough, RecordConstructorArgs):
    """A wrapper that writes one kind of file."""

    needs: tuple[str, ...] = ()  # The keys of info that are read.

    def __getstate__(self) -> Any:
        """Refuses copies: two recorders would write one episode."""
        raise TypeError(
            f"A {type(self).__name__} can be neither copied nor pickled, since it owns "
            "the files of the running episode. Copy the environment: env.unwrapped."
        )

    def _check_info(self, info: dict[str, Any]) -> None:
        missing = [key for key in self.needs if key not in info]
        if missing:
            raise ValueError(
                f"{type(self).__name__} reads {', '.join(self.needs)} from info, as "
                f"crafter.Env returns it, but {', '.join(missing)} is missing. "
                f"The keys are {', '.join(info) or 'none'}."
            )


class StatsFile:
    """The `stats.jsonl` of a directory; see `StatsRecorder`.

    Args:
      directory: Where the file is or shall be.

    Raises:
      OSError: If the directory or the file cannot be made or written to.
    """

    def __init__(self, directory: Path):
        self.path = writable_directory(directory) / "stats.jsonl"
        with explained(self.path):
            self.path.open("ab").close()

    def append(
        self,
        episode: int,
        length: int,
        reward: float,
        achievements: Mapping[str, int],
    ) -> None:
        """Appends the line of an episode, or warns that it is dropped.

        Args:
          episode: Which episode it is, for the warning.
          length: Number of steps.
          reward: Sum of `info['reward']`.
          achievements: How often each was done.
        """
        record = {"length": length, "reward": round(reward, 1)}
        for name, count in achievements.items():
            record[f"achievement_{name}"] = int(count)
        try:
            _append_line(self.path, json.dumps(record))
        except OSError as error:
            warn_dropped(f"line of episode {episode}", self.path, error)


class StatsRecorder(_Artefact):
    """Appends one line per finished episode to `stats.jsonl`.

    A line is a JSON object with `length` (steps), `reward` (sum of `info['reward']`,
    rounded to one decimal) and `achievement_<name>` for every achievement (how often it
    was done).

    The file is not held open, and a line is written in one piece, so that several
    recorders can append to it. A last line that was cut off by a crash stays as it is,
    and the next episode begins a line of its own.

    Args:
      env: A Crafter environment, or wrappers around one.
      directory: Where to write; see `Recorder`.

    Raises:
      OSError: If the directory or the file cannot be made or written to.

    Source: Crafter 1.8.3, `StatsRecorder`.
    """

    needs = ("reward", "achievements")

    def __init__(self, env: gymnasium.Env, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        super().__init__(env)
        self._stats_file = StatsFile(directory)
        self._episode = 0
        self._stats: dict[str, Any] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the environment; an unfinished episode is not counted."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._check_info(info)
        self._episode += 1
        self._stats = {"length": 0, "reward": 0.0}
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Steps the environment and writes a line when the episode is over."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._stats is not None:
            self._stats["length"] += 1
            self._stats["reward"] += float(info["reward"])
            if terminated or truncated:
                stats, self._stats = self._stats, None
                stats["achievements"] = info["achievements"]
                self._stats_file.append(self._episode, **stats)
        return observation, reward, terminated, truncated, info


class _EpisodeFileRecorder(_Artefact):
    """What `VideoRecorder` and `EpisodeRecorder` share: one file per episode."""

    def __init__(self, env: gymnasium.Env, directory: Path, suffix: str):
        super().__init__(env)
        self._file = EpisodeFile(Names(directory, (suffix,)), suffix)
        # Also called at the end of the program, whichever way it ends short of a kill.
        weakref.finalize(self, self._file.abandon)

    def share_names(self, names: Names) -> None:
        """Lets several recorders give their files of an episode the same name."""
        self._file.names = names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the environment; a running episode is kept as a partial one."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._file.end(partial=True)
        self._check_info(info)
        self._file.begin(lambda path: self._writer(path, observation, info))
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Steps the environment and records the step if an episode is running."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._file.running:
            done = bool(terminated or truncated)
            self._file.add(info, self._content(observation, action, done, info))
            if done:
                self._file.end()
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Keeps a running episode as a partial one and closes the environment."""
        try:
            self._file.end(partial=True)
        finally:
            super().close()

    def _writer(self, path: pathlib.Path, observation: Any, info: Any) -> Writer:
        """Opens the file of an episode that was just reset."""
        raise NotImplementedError

    def _content(self, observation: Any, action: Any, done: bool, info: Any) -> Any:
        """Returns what to write about a step."""
        raise NotImplementedError


class VideoRecorder(_EpisodeFileRecorder):
    """Writes a video per episode: the frame after reset and after every step.

    The frames are those that `env.unwrapped.frame(size)` draws for people, whatever
    wrappers do to the observation. The video is H.264 and is encoded by an ffmpeg
    process beside the game while the episode runs, so that memory does not grow with
    its length.

    Args:
      env: A Crafter environment, or wrappers around one.
      directory: Where to write; see `Recorder`.
      size: Width and height in pixels, or one number for both. H.264 needs even
        numbers: an odd one is raised by one, and the frames are drawn at that size.
      fps: Frames per second of the video.

    Attributes:
      video_size: Width and height of the video in pixels, both even.

    Raises:
      OSError: If the directory cannot be made or written to.
      gymnasium.error.DependencyNotInstalled: If imageio-ffmpeg is missing.
      TypeError: If the environment cannot draw frames, or the size is not of integers.
      ValueError: If the size or the frame rate is not positive.

    Source: Crafter 1.8.3, `VideoRecorder`, at its quality and frame rate.
    """

    needs = ("achievements",)

    def __init__(
        self,
        env: gymnasium.Env,
        directory: Path,
        size: int | Sequence[int] = (512, 512),
        fps: float = 10,
    ):
        RecordConstructorArgs.__init__(self, directory=directory, size=size, fps=fps)
        if not callable(getattr(env.unwrapped, "frame", None)):
            raise TypeError(
                f"{type(self).__name__} needs an environment with a method "
                f"frame(size), as crafter.Env has it, but got {env.unwrapped}."
            )
        if not fps > 0:
            raise ValueError(f"fps must be positive, but got {fps!r}.")
        self.video_size = _even_size(size)
        self._fps = fps
        self._ffmpeg = _find_ffmpeg()
        super().__init__(env, directory, ".mp4")

    def _writer(self, path: pathlib.Path, observation: Any, info: Any) -> Writer:
        first = self._frame()
        return VideoWriter(path, first, self.video_size, self._fps, self._ffmpeg)

    def _content(self, observation: Any, action: Any, done: bool, info: Any) -> Any:
        return self._frame()

    def _frame(self) -> np.ndarray:
        return self.unwrapped.frame(self.video_size)  # type: ignore[attr-defined]


class EpisodeRecorder(_EpisodeFileRecorder):
    """Writes all transitions of an episode of T steps into a compressed npz file.

    Row 0 holds the first observation and zeros. Row t holds the action of step t and
    all that followed from it.

    | key | dtype | shape |
    |---|---|---|
    | `image` | of the observation: uint8 | (T+1, height, width, 3) |
    | `action` | int64 | (T+1,) |
    | `reward`, from `info['reward']` | float64 | (T+1,) |
    | `done`, terminated or truncated | bool | (T+1,) |
    | `discount` | float64 | (T+1,) |
    | `semantic` | uint8 | (T+1, area x, area y) |
    | `player_pos` | int64 | (T+1, 2) |
    | `achievement_<name>`, 22 counters | int64 | (T+1,) |
    | `ainventory_<item>`, 16 amounts | int64 | (T+1,) |

    `image` is the observation at this place in the stack of wrappers, so that its shape
    and dtype are those of `env.observation_space`.

    While the episode runs, its rows lie in an unnamed file in the directory and not in
    memory: 17 kB per step at the default sizes, about 170 MB for 10,000 steps. They are
    packed when the episode is over, during its last `step`.

    Args:
      env: A Crafter environment, or wrappers around one.
      directory: Where to write; see `Recorder`.

    Raises:
      OSError: If the directory cannot be made or written to.
      TypeError: If the observations are not arrays of a fixed shape.

    Source: Crafter 1.8.3, `EpisodeRecorder`. The prefix `ainventory_` is published.
    """

    needs = (
        "inventory",
        "achievements",
        "discount",
        "semantic",
        "player_pos",
        "reward",
    )

    def __init__(self, env: gymnasium.Env, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        if not isinstance(env.observation_space, gymnasium.spaces.Box):
            raise TypeError(
                f"{type(self).__name__} stores arrays and needs an observation space "
                f"of type Box, but got {env.observation_space}. Put it inside of the "
                "wrapper that changes the observation."
            )
        super().__init__(env, directory, ".npz")

    def _writer(self, path: pathlib.Path, observation: Any, info: Any) -> Writer:
        return TransitionWriter(path, observation, info)

    def _content(self, observation: Any, action: Any, done: bool, info: Any) -> Any:
        return observation, action, done, info


def _even_size(size: int | Sequence[int]) -> tuple[int, int]:
    sides = tuple(size) if isinstance(size, Sequence | np.ndarray) else (size, size)
    if len(sides) != 2 or not all(isinstance(s, int | np.integer) for s in sides):
        raise TypeError(
            f"The video size must be an integer or (width, height), but got {size!r}."
        )
    if min(sides) < 1:
        raise ValueError(f"The video size must be positive, but got {size!r}.")
    width, height = (int(side) + int(side) % 2 for side in sides)
    return width, height


def _find_ffmpeg() -> str:
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError) as error:
        raise gymnasium.error.DependencyNotInstalled(
            "Recording videos needs the package imageio-ffmpeg, which brings ffmpeg. "
            "Run `pip install crafter[video]`, or record with save_video=False."
        ) from error


def _append_line(path: pathlib.Path, line: str) -> None:
    """Appends a line, on a line of its own: all of it or nothing."""
    with path.open("ab+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":
                line = f"\n{line}"
        data = f"{line}\n".encode()
        written = file.write(data)
        if written != len(data):
            if file.seek(0, os.SEEK_END) == end + written:  # Nobody else appended.
                file.truncate(end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
