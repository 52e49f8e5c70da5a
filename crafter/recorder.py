"""Recording wrappers: statistics, videos and whole episodes.

Contents:

- `StatsRecorder` appends one line per episode to `stats.jsonl`.
- `VideoRecorder` writes one `.mp4` per episode, while the episode runs.
- `EpisodeRecorder` writes one `.npz` per episode, with every transition.
- `Recorder` does all three.
- `load_episode` loads an `.npz` file, `load_start` the saved game at its start, and
  `load_game` the name of its game.

The recorders are Gymnasium wrappers. Observations, rewards and infos pass through
unchanged, and recording never changes the game. A recorder can be anywhere in a stack
of wrappers and records what is visible there. Put it outside `TimeLimit`, so that it
sees the truncation (as `gymnasium.make` does), and inside wrappers that reset by
themselves, such as `Autoreset`. Around `crafter.legacy.Env`, with or without old Gym
wrappers, recorders have the old interface.

Files:

- The mp4 and npz of an episode are named `<timestamp>-ach<unlocked>-len<steps>`, with
  local time at the end of the episode. If the name is taken, `-2`, `-3`, ... follows.
  Two processes never take the same name.
- Files are written atomically: first the npz, then the mp4, then the line of
  `stats.jsonl`. Until then they have hidden names, `.recording-...`. Such files left by
  a killed process can be deleted.
- Finished episodes survive a crash. If it happens between the npz and the line, the
  command `python -m crafter.recording.rebuild FOLDER` adds the line.
- An episode of at least one step that is interrupted by `close()`, `reset()`, an
  exception or the end of the program is kept as `<timestamp>-partial-ach...` and does
  not count in `stats.jsonl`.
- If a file cannot be written, for example because the disk is full or the video
  encoder died, the game continues. A `RuntimeWarning` names the file, which is missing
  for this episode. Earlier files stay, and the next episode is recorded again.
- An episode that started with options of `reset` or from a saved game, or in which a
  saved game was loaded, has an entry `start` in its line, and `crafter.scoring`
  excludes it. It does not matter whether the recorder's caller, a wrapper inside it or
  the environment chose the start.
- Files of Crafter are as published. Lines and npz files of other games have an entry
  `game` with the name of the game.

Source: Crafter 1.8.3, `Recorder`: the same file names, keys, dtypes and shapes. Unique
names, partial episodes, streaming, the treatment of errors, the moment of the reset in
row 0, the entries `start` and `started` of npz files and the entries `start` and `file`
of lines are additions.

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

import os
import weakref
from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs

from crafter.recording.episode import File, Recording, Transition
from crafter.recording.folder import Path, check_info, writable_directory
from crafter.recording.old_interface import Modern
from crafter.recording.reader import load_episode, load_game, load_start
from crafter.recording.stats import StatsFile
from crafter.recording.transitions import TransitionFile
from crafter.recording.video import VideoFile

__all__ = [
    "EpisodeRecorder",
    "Recorder",
    "StatsRecorder",
    "VideoRecorder",
    "load_episode",
    "load_game",
    "load_start",
]

_FPS = 10


class _Recorder(gymnasium.Wrapper):
    """Base class of the recorders.

    Args:
      env: A game of this package, wrapped or not.
      directory: Output folder; None or '' to record nothing.
      stats: Whether to append lines to `stats.jsonl`.
      files: The other files of an episode.
    """

    def __init__(
        self, env: Any, directory: Path | None, stats: bool, files: Sequence[File] = ()
    ):
        super().__init__(_modern(env))
        self._old = not isinstance(env, gymnasium.Env)
        self._recording: Recording | None = None
        if directory:
            folder = writable_directory(directory)
            lines = StatsFile(folder) if stats else None
            self._recording = Recording(self.unwrapped, folder, lines, files)
            # Also called when the program exits, unless it is killed.
            weakref.finalize(self, self._recording.abandon)

    def __getattr__(self, name: str) -> Any:
        """Forwards unknown attributes to the wrapped environment.

        Gymnasium 1.0 dropped this from its wrappers, but agents rely on it. Names with
        two leading underscores are not forwarded.
        """
        if name.startswith("__") or "env" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return self.env.get_wrapper_attr(name)

    def set_wrapper_attr(self, name: str, value: Any, **options: Any) -> bool:
        """Sets an attribute where it is defined; see `gymnasium.Wrapper`.

        Gymnasium uses `hasattr`, which is also true for forwarded attributes.
        """
        if name in self.__dict__ or hasattr(type(self), name):
            setattr(self, name, value)
            return True
        return self.env.set_wrapper_attr(name, value, **options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Any:
        """Resets the environment; a running episode is kept as a partial one."""
        observation, info = self.env.reset(seed=seed, options=options)
        if self._recording is not None:
            self._recording.end()
            check_info(self, info, "crafter.Env returns both")
            # Wrappers inside may have chosen the start: the game knows.
            start = getattr(self.unwrapped, "started", None)
            self._recording.begin(Transition(observation, 0, False, info), start)
        return observation if self._old else (observation, info)

    def step(self, action: Any) -> Any:
        """Steps the environment and records the step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        done = bool(terminated or truncated)
        if self._recording is not None:
            self._recording.add(Transition(observation, action, done, info))
        if self._old:
            return observation, reward, done, info
        return observation, reward, terminated, truncated, info

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the environment's result; the old interface takes arguments."""
        return self.env.render(*args, **kwargs)

    def close(self) -> None:
        """Keeps a running episode as a partial one and closes the environment."""
        try:
            if self._recording is not None:
                self._recording.end()
        finally:
            super().close()


def _modern(env: Any) -> Any:
    """Adapts an environment to the Gymnasium interface."""
    return env if isinstance(env, gymnasium.Env) else Modern(env)


class Recorder(_Recorder, RecordConstructorArgs):
    """Records statistics, videos and episodes of a game into a directory.

    Unknown attributes are forwarded to the environment, including names with one
    leading underscore.

    Args:
      env: A game of this package, wrapped or not.
      directory: Output folder, created with its parents if needed; `~` is expanded.
        None or '' disables recording.
      save_stats: Whether to append to `stats.jsonl`; see `StatsRecorder`.
      save_video: Whether to write an mp4 per episode; see `VideoRecorder`.
      save_episode: Whether to write an npz per episode; see `EpisodeRecorder`.
      video_size: Width and height of the video in pixels, or one number for both.

    Raises:
      OSError: If the directory cannot be created or written to.
      gymnasium.error.DependencyNotInstalled: If video is enabled but imageio-ffmpeg is
        missing.
      TypeError: If the environment cannot be recorded.
      ValueError: If the video size is not positive integers.

    Source: Crafter 1.8.3, `Recorder`.
    """

    def __init__(
        self,
        env: Any,
        directory: Path | None,
        save_stats: bool = True,
        save_video: bool = True,
        save_episode: bool = True,
        video_size: int | Sequence[int] = (512, 512),
    ):
        RecordConstructorArgs.__init__(
            self,
            directory=os.fspath(directory) if directory else None,
            save_stats=save_stats,
            save_video=save_video,
            save_episode=save_episode,
            video_size=video_size,
        )
        modern = _modern(env)
        files: list[File] = []
        if directory and save_episode:
            files.append(TransitionFile(modern))
        if directory and save_video:
            video = VideoFile(modern.unwrapped, video_size, _FPS)
            self.video_size = video.size
            files.append(video)
        super().__init__(env, directory, save_stats, files)


class StatsRecorder(_Recorder, RecordConstructorArgs):
    """Appends one line per finished episode to `stats.jsonl`.

    A line is a JSON object with `length` (steps), `reward` (sum of `info['reward']`,
    rounded to one decimal) and `achievement_<name>` for every achievement (its count).

    The file is not kept open, and lines are written in one piece, so that several
    recorders can append to it. A last line truncated by a crash is left as it is, and
    the next episode starts a new line.

    Args:
      env: A game of this package, wrapped or not.
      directory: Output folder; see `Recorder`.

    Raises:
      OSError: If the directory or the file cannot be created or written to.

    Source: Crafter 1.8.3, `StatsRecorder`.
    """

    def __init__(self, env: Any, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        super().__init__(env, writable_directory(directory), True)


class VideoRecorder(_Recorder, RecordConstructorArgs):
    """Writes a video per episode: the frame after reset and after every step.

    The frames are drawn for people by `env.unwrapped.frame(size)`, whatever wrappers do
    to the observation. The video is H.264, encoded by an ffmpeg process while the
    episode runs, so that memory use does not grow with its length.

    Args:
      env: A game of this package, wrapped or not.
      directory: Output folder; see `Recorder`.
      size: Width and height in pixels, or one number for both. H.264 requires even
        numbers; odd ones are raised by one, and frames are drawn at that size.
      fps: Frames per second.

    Attributes:
      video_size: Width and height of the video in pixels, both even.

    Raises:
      OSError: If the directory cannot be created or written to.
      gymnasium.error.DependencyNotInstalled: If imageio-ffmpeg is missing.
      TypeError: If the environment cannot draw frames.
      ValueError: If the size is not positive integers, or the frame rate is not
        positive.

    Source: Crafter 1.8.3, `VideoRecorder`, at the same quality and frame rate.
    """

    def __init__(
        self,
        env: Any,
        directory: Path,
        size: int | Sequence[int] = (512, 512),
        fps: float = _FPS,
    ):
        RecordConstructorArgs.__init__(self, directory=directory, size=size, fps=fps)
        video = VideoFile(_modern(env).unwrapped, size, fps)
        self.video_size = video.size
        super().__init__(env, writable_directory(directory), False, [video])


class EpisodeRecorder(_Recorder, RecordConstructorArgs):
    """Writes all transitions of an episode of T steps into a compressed npz file.

    Row t holds the action of step t and its results. Row 0 holds the reset, with zeros
    for action, reward, done and discount.

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

    The entry `start` is the saved game at the start of the episode, for `load_start`.
    It is missing if `set_state` loaded a saved game mid-episode, since the episode
    cannot be replayed then. (The option `state` of `reset` starts a new episode.)
    Without a plain reset, `started` is `options` or `state`, like the entry `start` of
    the line.

    Craftax has 67 achievements and more items, amounts of health are float64, and
    `semantic` is replaced by `floor` (int64), `light` (float64), `sleeping` and
    `resting` (bool). In general these are the entries of info listed in the
    environment's attribute `recorded`, and `game` is its name of the game.

    `image` is the observation at this place in the stack of wrappers, so its shape and
    dtype are those of `env.observation_space`.

    While the episode runs, its rows are in a temporary file rather than memory: 17 kB
    per step at the default sizes, about 170 MB for 10,000 steps. They are compressed at
    the end of the episode, during its last `step`.

    Args:
      env: A game of this package, wrapped or not.
      directory: Output folder; see `Recorder`.

    Raises:
      OSError: If the directory cannot be created or written to.
      TypeError: If the observations are not arrays of a fixed shape.

    Source: Crafter 1.8.3, `EpisodeRecorder`, whose row 0 has zeros besides the image.
    The prefix `ainventory_` is published.
    """

    def __init__(self, env: Any, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        transitions = TransitionFile(_modern(env))
        super().__init__(env, writable_directory(directory), False, [transitions])
