"""What a judge is shown of an attempt: pictures, events, and what was given.

Pictures are drawn while the record is played again, without the noise of the night;
drawing has a random stream of its own and never changes the game.
"""

from __future__ import annotations

import dataclasses
import io
import itertools
import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image

from crafter.core.grid import distance
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.replay import played
from crafter.tasks.judge.criteria import Rubric, criteria
from crafter.tasks.judge.opinions import EVIDENCE
from crafter.tasks.world import records
from crafter.tasks.world.conditions import VITALS
from crafter.tasks.world.records import EVENT_FIELDS, Event, StepRecord
from crafter.tasks.world.view import TaskView

#: Events of the world around, which say nothing of the player.
AROUND = frozenset({"spawned", "despawned"})
#: Events that a step in a run of equal steps may have.
_PLAIN = frozenset({"moved", "turned", *AROUND})
#: Fields of events that only machines need, and those that need no name.
_UNSAID = frozenset({"type", "id", "n"})
_PLAIN_FIELDS = frozenset(
    {"what", "action", "achievement", "kind", "name", "node", "zone"}
)
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
      criteria: Whether the criteria of the task are shown.

    Raises:
      ValueError: If there is no such evidence, or a number is not positive.
    """

    evidence: str = "frames"
    every: int | None = None
    most: int = MOST
    size: int = SIZE
    criteria: bool = True

    def __post_init__(self) -> None:
        if self.evidence not in EVIDENCE:
            raise ValueError(
                f"evidence must be one of {EVIDENCE}, got {self.evidence!r}."
            )
        for name in ("every", "most", "size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value!r}.")

    def rubric(self, task: Task) -> Rubric:
        """Returns the criteria that are shown; without them, bare dimensions."""
        found = criteria(task)
        if self.criteria:
            return found
        return dataclasses.replace(found, lines=dict.fromkeys(found.lines, ()))


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
    moments = played(attempt, path)
    start = next(moments)
    had = given(start.attempt.view)
    told, frames = transcript(attempt.steps), []
    if look.evidence != "events":
        chosen, before, told = frame_steps(attempt.steps, look.every, look.most), 0, ()
        for t, moment in enumerate(itertools.chain([start], moments)):
            if t not in chosen:
                continue
            picture = moment.env.frame((look.size, look.size), noise=False)
            stream = io.BytesIO()
            Image.fromarray(picture).save(stream, "PNG")
            since = attempt.steps[before:t] if look.evidence == "both" else ()
            frames.append(Frame(t, stream.getvalue(), transcript(since)))
            before = t
    length = len(attempt.steps)
    return Evidence(tuple(frames), told, had, length, attempt.header.budget)


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


# What happened, in words.


def event_text(event: Event) -> str:
    """Returns an event in words.

    Example:
      >>> event_text({"type": "collected", "what": "wood", "at": (3, 4), "gain": 1,
      ...             "tool": None})
      'collected wood at (3, 4), gain 1'
    """
    parts = []
    for name in EVENT_FIELDS[event["type"]]:
        value = event[name]
        if name in _UNSAID or value in (None, {}, []):
            continue
        if isinstance(value, list):
            value = " and ".join(map(str, value))
        if isinstance(value, dict):
            value = " ".join(f"{item} {amount}" for item, amount in value.items())
        named = "" if name in _PLAIN_FIELDS else f"{_said(name)} "
        parts.append(f"{named}{value}")
    words = f"{_said(event['type'])} {', '.join(parts)}".strip()
    return words.replace(", at ", " at ", 1)


def _said(name: str) -> str:
    return {"frm": "from"}.get(name, name.replace("_", " "))


def transcript(steps: Iterable[StepRecord]) -> tuple[str, ...]:
    """Returns some steps in lines; equal ones at which nothing happened share one.

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
    told = [event_text(e) for e in last.events if e["type"] not in AROUND]
    return f"{did} – {'; '.join(told)}"


# What was given.


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
    rules = view.rules
    stations = {name for rule in rules.make.values() for name in rule["nearby"]}
    for name in sorted(stations):
        xs, ys = (view.materials == rules.material_ids[name]).nonzero()
        cells = [(int(a), int(b)) for a, b in zip(xs, ys)]
        near = [cell for cell in cells if distance(cell, view.player.pos) <= NEAR]
        told += [f"a {name} at {cell}" for cell in near]
    return tuple(told)
