"""Recording wrappers: statistics, videos and whole episodes.

Contents:

- `StatsRecorder` appends one line per episode to `stats.jsonl`.
- `VideoRecorder` writes one `.mp4` per episode, while the episode runs.
- `EpisodeRecorder` writes one `.npz` per episode, with every transition.
- `Recorder` does all three.
- `load_episode` reads an `.npz` file, `load_start` the saved game at its start, and
  `load_game` the name of its game.

The recorders are Gymnasium wrappers. Observation, reward and info pass through
untouched, and recording never changes the game. A recorder can be anywhere in a stack
of wrappers and records what is visible there. Put it outside of `TimeLimit`, so that it
sees the truncation (as `gymnasium.make` does), and inside of wrappers that reset by
themselves, such as `Autoreset`. Around `crafter.legacy.Env`, alone or inside of
wrappers of the old Gym, recorders have the old interface.

Files:

- The mp4 and npz of an episode are named `<timestamp>-ach<unlocked>-len<steps>`, with
  local time at the end of the episode. If the name is taken, `-2`, `-3`, ... follows.
  Two processes never take the same name.
- A file appears whole or not at all: first the npz, then the mp4, then the line of
  `stats.jsonl`. Until then it has a hidden name, `.recording-...`. What a killed
  process leaves under such a name can be deleted.
- Finished episodes survive a kill. If it comes between the npz and the line, the
  command `python -m crafter.recording.rebuild FOLDER` adds the line.
- An episode of at least one step that is interrupted by `close()`, `reset()`, an
  exception or the end of the program is kept as `<timestamp>-partial-ach...` and does
  not count in `stats.jsonl`.
- When a file cannot be written, for example because the disk is full or the video
  encoder died, the game goes on. A `RuntimeWarning` names the file, which is missing
  for this episode. Earlier files stay, and the next episode is recorded again.
- An episode that began with options of `reset` or from a saved game, or in which a
  saved game was loaded, has an entry `start` in its line, and `crafter.scoring` leaves
  it out. It does not matter whether the caller of the recorder, a wrapper inside of it
  or the environment chose the start.
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
    """Recorder of any kinds of files.

    Args:
      env: A game of this package, or wrappers around one.
      directory: Where to write; None or '' to record nothing.
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
            # Also called at the end of the program, short of a kill.
            weakref.finalize(self, self._recording.abandon)

    def __getattr__(self, name: str) -> Any:
        """Returns an attribute that is unknown here from the environment inside.

        Gymnasium 1.0 dropped this from its wrappers, but agents rely on it. Names with
        two leading underscores are not handed on.
        """
        if name.startswith("__") or "env" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return self.env.get_wrapper_attr(name)

    def set_wrapper_attr(self, name: str, value: Any, **options: Any) -> bool:
        """Sets an attribute where it lives; see `gymnasium.Wrapper`.

        Gymnasium asks `hasattr`, which is also true for attributes of the inside.
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
            # Wrappers inside may have chosen the start, too: the game knows best.
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
        """Returns what the environment returns; the old interface has arguments."""
        return self.env.render(*args, **kwargs)

    def close(self) -> None:
        """Keeps a running episode as a partial one and closes the environment."""
        try:
            if self._recording is not None:
                self._recording.end()
        finally:
            super().close()


def _modern(env: Any) -> Any:
    """Returns an environment with the interface of Gymnasium."""
    return env if isinstance(env, gymnasium.Env) else Modern(env)


class Recorder(_Recorder, RecordConstructorArgs):
    """Records statistics, videos and episodes of a game into a directory.

    Attributes that the recorder does not have are those of the environment, names with
    one leading underscore included.

    Args:
      env: A game of this package, or wrappers around one.
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
      ValueError: If the video size is not of positive integers.

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
    rounded to one decimal) and `achievement_<name>` for every achievement (how often it
    was done).

    The file is not held open, and a line is written in one piece, so that several
    recorders can append to it. A last line that was cut off by a crash stays as it is,
    and the next episode begins a line of its own.

    Args:
      env: A game of this package, or wrappers around one.
      directory: Where to write; see `Recorder`.

    Raises:
      OSError: If the directory or the file cannot be made or written to.

    Source: Crafter 1.8.3, `StatsRecorder`.
    """

    def __init__(self, env: Any, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        super().__init__(env, writable_directory(directory), True)


class VideoRecorder(_Recorder, RecordConstructorArgs):
    """Writes a video per episode: the frame after reset and after every step.

    The frames are those that `env.unwrapped.frame(size)` draws for people, whatever
    wrappers do to the observation. The video is H.264 and is encoded by an ffmpeg
    process beside the game while the episode runs, so that memory does not grow with
    its length.

    Args:
      env: A game of this package, or wrappers around one.
      directory: Where to write; see `Recorder`.
      size: Width and height in pixels, or one number for both. H.264 needs even
        numbers: an odd one is raised by one, and the frames are drawn at that size.
      fps: Frames per second of the video.

    Attributes:
      video_size: Width and height of the video in pixels, both even.

    Raises:
      OSError: If the directory cannot be made or written to.
      gymnasium.error.DependencyNotInstalled: If imageio-ffmpeg is missing.
      TypeError: If the environment cannot draw frames.
      ValueError: If the size is not of positive integers, or the frame rate not
        positive.

    Source: Crafter 1.8.3, `VideoRecorder`, at its quality and frame rate.
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

    Row t holds the action of step t and all that followed from it. Row 0 holds the
    moment of the reset, and zeros for what only steps have: action, reward, done and
    discount.

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

    A further entry, `start`, is the saved game at the start of the episode, for
    `load_start`. It is missing if `set_state` loaded a saved game on the way, since the
    episode cannot be replayed then. (The option `state` of `reset` begins a new
    episode.) Without a plain reset, `started` is `options` or `state`, as the entry
    `start` of the line.

    Craftax has 67 achievements and more items, amounts of health are float64, and in
    place of `semantic` there are `floor` (int64), `light` (float64), `sleeping` and
    `resting` (bool). In general these are the entries of info that the attribute
    `recorded` of the environment lists, and `game` is the name that it has there.

    `image` is the observation at this place in the stack of wrappers, so that its shape
    and dtype are those of `env.observation_space`.

    While the episode runs, its rows are in a temporary file and not in memory: 17 kB
    per step at the default sizes, about 170 MB for 10,000 steps. They are packed when
    the episode is over, during its last `step`.

    Args:
      env: A game of this package, or wrappers around one.
      directory: Where to write; see `Recorder`.

    Raises:
      OSError: If the directory cannot be made or written to.
      TypeError: If the observations are not arrays of a fixed shape.

    Source: Crafter 1.8.3, `EpisodeRecorder`, whose row 0 has zeros besides the image.
    The prefix `ainventory_` is published.
    """

    def __init__(self, env: Any, directory: Path):
        RecordConstructorArgs.__init__(self, directory=directory)
        transitions = TransitionFile(_modern(env))
        super().__init__(env, writable_directory(directory), False, [transitions])
