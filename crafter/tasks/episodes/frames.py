"""Pictures of recorded attempts, drawn while they are played again.

Drawing has a random stream of its own and never changes the game.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from crafter.tasks.env.replay import env_of
from crafter.tasks.world import records
from crafter.tasks.world.records import Attempt, RecordError

#: Width and height of a picture in pixels, and most pictures of an attempt.
SIZE, MOST = 288, 60


def steps_shown(last: int, most: int = MOST) -> list[int]:
    """Returns after which steps there is a picture: evenly, with the first and last.

    Example:
      >>> steps_shown(10, 4), steps_shown(2, 4)
      ([0, 3, 7, 10], [0, 1, 2])
    """
    count = min(most, last + 1)
    if count < 2:
        return [last]
    return [round(last * n / (count - 1)) for n in range(count)]


def frames(
    path: str | os.PathLike, size: int = SIZE, most: int = MOST
) -> Iterator[tuple[int, np.ndarray]]:
    """Yields pictures of an attempt.

    Args:
      path: The file of the attempt.
      size: Width and height in pixels.
      most: Most pictures.

    Yields:
      The step, from 0, and the picture after it without the noise of the night, uint8
      (size, size, 3).

    Raises:
      RecordError: If the file is damaged, or the game goes another way than it says.
    """
    attempt = records.read(path)
    chosen = steps_shown(len(attempt.steps), most)
    yield from pictures(attempt, env_of(attempt.header, path), path, chosen, size)


def pictures(
    attempt: Attempt,
    env: Any,
    path: str | os.PathLike,
    chosen: Container[int],
    size: int,
) -> Iterator[tuple[int, np.ndarray]]:
    """Yields pictures after some steps; see `frames` and `played`."""
    for step in played(attempt, env, path):
        if step in chosen:
            yield step, env.frame((size, size), noise=False)


def played(attempt: Attempt, env: Any, path: str | os.PathLike) -> Iterator[int]:
    """Plays an attempt again.

    Args:
      attempt: The attempt.
      env: Its environment at the start.
      path: Its file, for errors.

    Yields:
      The step, from 0, when the environment has played it.

    Raises:
      RecordError: If the game goes another way than the record.
    """
    yield 0
    for record in attempt.steps:
        if record.action not in env.action_names:
            raise RecordError(f"{os.fspath(path)}: unknown action {record.action!r}.")
        info = env.step(env.action_names.index(record.action))[-1]
        if tuple(info["player_pos"]) != tuple(record.pos):
            raise RecordError(
                f"{os.fspath(path)}: the game goes another way at step {record.t}."
            )
        yield record.t
