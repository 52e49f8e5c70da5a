"""What a recorder writes of an episode besides statistics: videos and transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import gymnasium
import numpy as np

from crafter.recording.episode import Opener
from crafter.recording.transitions import PREFIXES, Form, Transition, TransitionWriter
from crafter.recording.video import VideoWriter, even_size, find_ffmpeg


class Part(Protocol):
    """What a recorder writes of an episode, besides statistics."""

    suffix: str
    needs: tuple[str, ...]  # The keys of info that are read.

    def opener(self, game: Any, first: Transition) -> Opener:
        """Returns what opens the file of an episode that was just reset."""

    def content(self, game: Any, now: Transition) -> Any:
        """Returns what to write about a step."""


class Video:
    """The frames of the game; see `crafter.VideoRecorder`."""

    suffix = ".mp4"
    needs: tuple[str, ...] = ("achievements",)

    def __init__(self, game: Any, size: int | Sequence[int], fps: float):
        if not callable(getattr(game, "frame", None)):
            raise TypeError(
                "A video needs an environment with a method frame(size), as "
                f"crafter.Env has it, but got {game}."
            )
        if not fps > 0:
            raise ValueError(f"fps must be positive, but got {fps!r}.")
        self.size = even_size(size)
        self._fps = fps
        self._ffmpeg = find_ffmpeg()

    def opener(self, game: Any, first: Transition) -> Opener:
        """Returns what starts ffmpeg with the frame of this moment."""
        frame = game.frame(self.size)
        return lambda workspace: VideoWriter(
            workspace, frame, self.size, self._fps, self._ffmpeg
        )

    def content(self, game: Any, now: Transition) -> np.ndarray:
        """Returns the frame of this moment."""
        return game.frame(self.size)


class Transitions:
    """All that steps returned; see `crafter.EpisodeRecorder`."""

    suffix = ".npz"

    def __init__(self, env: Any):
        space, self._form = env.observation_space, Form.of(env.unwrapped)
        self.needs: tuple[str, ...] = (
            *PREFIXES.values(),
            "discount",
            *self._form.recorded,
            "reward",
        )
        if not isinstance(space, gymnasium.spaces.Box):
            raise TypeError(
                "An episode is stored as arrays and needs an observation space of type "
                f"Box, but got {space}. Put the recorder inside of the wrapper that "
                "changes the observation."
            )

    def opener(self, game: Any, first: Transition) -> Opener:
        """Returns what writes the first row, and the game with which it begins."""
        save = getattr(game, "get_state", None)
        start = save() if callable(save) else None
        return lambda workspace: TransitionWriter(workspace, self._form, first, start)

    def content(self, game: Any, now: Transition) -> Transition:
        """Returns the row of a step."""
        return now
