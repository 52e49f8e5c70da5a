"""What a judge is shown of an attempt: pictures, events, and what was given.

Pictures are drawn while the record is played again; drawing draws no random number of
the game.
"""

from __future__ import annotations

import dataclasses
import io
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

from PIL import Image

from crafter.tasks import records
from crafter.tasks.attempt import attempt_of
from crafter.tasks.conditions import VITALS
from crafter.tasks.frames import played
from crafter.tasks.judge.transcript import lines
from crafter.tasks.records import Attempt, StepRecord
from crafter.tasks.replay import env_of
from crafter.tasks.view import TaskView

#: Width and height of a picture, in pixels.
SIZE = 288
#: Most pictures of an attempt.
MOST = 40
#: Steps (L1) from the start within which a station counts as given.
NEAR = 12


@dataclasses.dataclass(frozen=True)
class Look:
    """How an attempt is looked at.

    Attributes:
      evidence: `frames`, `events` or `both`.
      every: One picture in so many steps; `None` for as many as there may be.
      most: Most pictures, apart from those that are always shown.
      size: Width and height of a picture, in pixels.
      as_seen: Whether pictures have the noise of the night.

    Raises:
      ValueError: If there is no such evidence, or a number is not positive.
    """

    evidence: str = "frames"
    every: int | None = None
    most: int = MOST
    size: int = SIZE
    as_seen: bool = False

    def __post_init__(self) -> None:
        if self.evidence not in ("frames", "events", "both"):
            raise ValueError(
                f"evidence must be 'frames', 'events' or 'both', got {self.evidence!r}."
            )
        for name in ("every", "most", "size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value!r}.")

    @property
    def shows_frames(self) -> bool:
        """Whether there are pictures."""
        return self.evidence != "events"


@dataclasses.dataclass(frozen=True)
class Frame:
    """A picture of an attempt.

    Attributes:
      step: The step after which it was taken; 0 for the start.
      png: The picture.
      lines: What happened since the picture before, where events are shown, too.
    """

    step: int
    png: bytes
    lines: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Evidence:
    """What is shown of an attempt.

    Attributes:
      frames: Pictures; none where only events are shown.
      transcript: What happened; empty where only pictures are shown.
      given: What there was at the start; see `given`.
      steps: Number of steps.
      budget: How many there might have been, or `None`.
    """

    frames: tuple[Frame, ...]
    transcript: tuple[str, ...]
    given: tuple[str, ...]
    steps: int
    budget: int | None


def evidence(path: str | os.PathLike, look: Look) -> Evidence:
    """Returns what a judge is shown of a recorded attempt.

    Args:
      path: The file of the attempt.
      look: How it is looked at.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be played again.
    """
    attempt = records.read(path)
    env = env_of(attempt.header, path)
    had = given(attempt_of(env).view)
    frames: tuple[Frame, ...] = ()
    if look.shows_frames:
        chosen = frame_steps(attempt.steps, look.every, look.most)
        pictures = _pictures(attempt, env, chosen, look, path)
        told = _told(attempt.steps, chosen) if look.evidence == "both" else {}
        frames = tuple(Frame(t, png, told.get(t, ())) for t, png in pictures)
    transcript = tuple(lines(attempt.steps)) if look.evidence == "events" else ()
    return Evidence(frames, transcript, had, len(attempt.steps), attempt.header.budget)


def frame_steps(
    steps: Sequence[StepRecord], every: int | None = None, most: int = MOST
) -> list[int]:
    """Returns after which steps pictures are taken.

    The first, the last, and those at which the goal changed are always there; the rest
    are evenly spread, as far as there is room.

    Args:
      steps: The steps of the attempt.
      every: One picture in so many steps; by default what gives at most 40.
      most: Most pictures, unless those that are always there are more.
    """
    last = len(steps)
    always = {0, last}
    for record in steps:
        if any(event["type"] == "goal" for event in record.events):
            always.add(record.t)
    every = max(1, math.ceil(last / MOST)) if every is None else every
    others = [t for t in range(0, last + 1, every) if t not in always]
    room = max(0, most - len(always))
    return sorted(always.union(_spread(others, room)))


def _spread(values: Sequence[int], count: int) -> list[int]:
    """Returns a number of values, evenly spread."""
    if len(values) <= count:
        return list(values)
    return [values[(2 * n + 1) * len(values) // (2 * count)] for n in range(count)]


def _pictures(
    attempt: Attempt,
    env: Any,
    chosen: Sequence[int],
    look: Look,
    path: str | os.PathLike,
) -> Iterator[tuple[int, bytes]]:
    wanted = set(chosen)
    for step in played(attempt, env, path):
        if step in wanted:
            picture = env.frame((look.size, look.size), noise=look.as_seen)
            stream = io.BytesIO()
            Image.fromarray(picture).save(stream, "PNG")
            yield step, stream.getvalue()


def _told(
    steps: Sequence[StepRecord], chosen: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    """Returns what happened between each picture and the one before."""
    return {
        now: tuple(lines(steps[before:now])) for before, now in zip(chosen, chosen[1:])
    }


def given(view: TaskView) -> tuple[str, ...]:
    """Returns what there is at the start, and is therefore no progress.

    Args:
      view: The game at the start.

    Returns:
      Such as `3 wood in the inventory` and `a table at (30, 32)`.
    """
    items = view.player.inventory.items()
    told = [
        f"{amount} {item.replace('_', ' ')} in the inventory"
        for item, amount in items
        if amount and item not in VITALS
    ]
    rules, (x, y) = view.rules, view.player.pos
    stations = {name for rule in rules.make.values() for name in rule["nearby"]}
    for name in sorted(stations):
        xs, ys = (view.materials == rules.material_ids[name]).nonzero()
        near = [(int(a), int(b)) for a, b in zip(xs, ys) if _is_near(a - x, b - y)]
        told += [f"a {name} at {cell}" for cell in near]
    return tuple(told)


def _is_near(dx: int, dy: int) -> bool:
    return abs(dx) + abs(dy) <= NEAR
