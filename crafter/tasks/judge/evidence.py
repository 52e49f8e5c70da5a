"""Evidence of an attempt for judges: frames, events, and the initial state.

Frames are rendered while the record is replayed, without the noise of the night.
Rendering has its own random stream and never changes the game.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.replay import played
from crafter.tasks.judge.criteria import Rubric, criteria
from crafter.tasks.world import records
from crafter.tasks.world.records import Event, StepRecord

#: Events that do not involve the player.
AROUND = frozenset({"spawned", "despawned"})
#: Events that do not end a run of equal steps.
_PLAIN = frozenset({"moved", "turned", *AROUND})
#: Fields of events that transcripts omit.
_UNSAID = frozenset({"type", "id", "n"})
#: Kinds of evidence.
EVIDENCE = ("frames", "events", "both")
#: Width and height of a frame, in pixels.
SIZE = 288
#: Approximate number of frames of an attempt, unless `every` is given.
MOST = 40


@dataclasses.dataclass(frozen=True)
class EvidenceSettings:
    """Evidence settings.

    Attributes:
      evidence: `frames`, `events` or `both`.
      every: Steps between frames; `None` for about `MOST` frames.
      criteria: Whether the criteria of the task are shown.
    """

    evidence: str = "frames"
    every: int | None = None
    criteria: bool = True

    def rubric(self, task: Task) -> Rubric:
        """Returns the criteria that are shown, or only the names of dimensions."""
        rubric = criteria(task)
        if self.criteria:
            return rubric
        return dataclasses.replace(rubric, lines=dict.fromkeys(rubric.lines, ()))


@dataclasses.dataclass(frozen=True)
class Frame:
    """Frame of an attempt.

    Attributes:
      step: Number of steps before it.
      png: The image.
      lines: Transcript since the previous frame, if events are shown, too.
    """

    step: int
    png: bytes
    lines: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Evidence:
    """Evidence of an attempt.

    Attributes:
      frames: Frames; empty if only events are shown.
      transcript: Transcript; empty if frames are shown.
      given: What was given at the start and is therefore no progress.
      steps: Number of steps.
      budget: Maximum number of steps, or `None`.
    """

    frames: tuple[Frame, ...]
    transcript: tuple[str, ...]
    given: tuple[str, ...]
    steps: int
    budget: int | None


@functools.lru_cache(maxsize=64)  # comparisons show the same attempts again and again
def evidence(path: str | os.PathLike, settings: EvidenceSettings) -> Evidence:
    """Returns the evidence of a recorded attempt.

    Args:
      path: The file of the attempt.
      settings: Evidence settings.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be replayed.
    """
    attempt = records.read(path)
    moments = played(attempt, path)
    start = next(moments)
    had = attempt.header.game.scoring.given(start.tracker.view)
    lines, frames = transcript(attempt.steps), []
    if settings.evidence != "events":
        chosen, before, lines = frame_steps(attempt.steps, settings.every), 0, ()
        for t, moment in enumerate(itertools.chain([start], moments)):
            if t not in chosen:
                continue
            picture = moment.env.frame((SIZE, SIZE), noise=False)
            stream = io.BytesIO()
            Image.fromarray(picture).save(stream, "PNG")
            since = attempt.steps[before:t] if settings.evidence == "both" else ()
            frames.append(Frame(t, stream.getvalue(), transcript(since)))
            before = t
    length = len(attempt.steps)
    return Evidence(tuple(frames), lines, had, length, attempt.header.budget)


def frame_steps(steps: Sequence[StepRecord], every: int | None = None) -> list[int]:
    """Returns the steps of the frames: regular ones, the first, the last, and changes.

    Args:
      steps: The steps of the attempt.
      every: Steps between frames; by default for about `MOST` frames.
    """
    last = len(steps)
    every = max(1, math.ceil(last / MOST)) if every is None else every
    changed = {
        step.t for step in steps if any(e["type"] == "goal" for e in step.events)
    }
    return sorted({*range(0, last, every), last, *changed})


# Transcripts.


def event_text(event: Event) -> str:
    """Returns an event in words.

    Example:
      >>> event_text({"type": "collected", "what": "wood", "at": (3, 4), "gain": 1,
      ...             "tool": None})
      'collected: what wood, at (3, 4), gain 1'
    """
    fields = [
        f"{'from' if name == 'frm' else name} {value}"
        for name, value in event.items()
        if name not in _UNSAID and value not in (None, {}, [])
    ]
    return f"{event['type']}: {', '.join(fields)}" if fields else event["type"]


def transcript(steps: Iterable[StepRecord]) -> tuple[str, ...]:
    """Returns steps as lines; a run of equal steps without events is one line.

    Example:
      >>> walk = [StepRecord(t, "move_left", "move_left", False, (9 - t, 4), (-1, 0),
      ...         (9, 9, 9, 9), t) for t in (1, 2, 3)]
      >>> transcript(walk)
      ('steps 1 to 3: move_left, to (6, 4)',)
    """
    return tuple(_line(list(run)) for _, run in itertools.groupby(steps, _alike))


def _alike(step: StepRecord) -> tuple[Any, ...]:
    happened = any(event["type"] not in _PLAIN for event in step.events)
    return step.action, step.forced, step.t if happened else None


def _line(run: Sequence[StepRecord]) -> str:
    first, last = run[0], run[-1]
    number = f"step {first.t}" if len(run) == 1 else f"steps {first.t} to {last.t}"
    did = f"{number}: {last.action}{' (asleep)' if first.forced else ''}"
    if _alike(last)[-1] is None:
        return f"{did}, to {last.pos}"
    events = [event_text(e) for e in last.events if e["type"] not in AROUND]
    return f"{did} – {'; '.join(events)}"
