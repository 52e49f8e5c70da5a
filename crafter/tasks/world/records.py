"""Step records, and the files of recorded attempts.

A file has JSON lines: the header, a line per step, and the footer. Lines of steps omit
what follows from the previous line: `executed` if it equals `action`, `forced` if
false, `pos`, `facing` and `vitals` if unchanged, `clock` if it increased by one. An
event is a list: its type, then the values of its fields in the order of the game. Files
ending in `.gz` are compressed.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from crafter.core import journal
from crafter.core.grid import Cell
from crafter.tasks import game as games
from crafter.tasks.game import TaskGame

#: Raised when the lines, or their meaning, change.
FORMAT = 1
#: Fields of the header that are omitted if they are `None`.
_OPTIONAL = ("name", "text")

Event = Mapping[str, Any]
#: Event type -> its fields.
Fields = Mapping[str, tuple[str, ...]]

#: Event type -> its fields, for the events that `tasks.language.tracker` adds: first
#: sightings, changes of the zone, and verdicts.
ADDED: dict[str, tuple[str, ...]] = {
    "saw": ("what", "at"),
    "entered": ("zone",),
    "left": ("zone",),
    "goal": ("node", "verdict"),
}


class RecordError(ValueError):
    """A file of an attempt is damaged or of another format; the message says where."""


class StepRecord(NamedTuple):
    """One step of an attempt.

    Attributes:
      t: Number of the step, from 1.
      action: The action that was chosen.
      executed: The executed action; differs from `action` for a sleeper.
      forced: Whether the player was asleep at the start of the step.
      pos: Cell (x, y) of the player after the step.
      facing: Direction (dx, dy) of the player after the step.
      vitals: Health, food, drink, energy and what else the game has, after the step.
      clock: Steps on the clock of the day.
      events: What happened, in order; dicts as of `crafter.core.events`.
    """

    t: int
    action: str
    executed: str
    forced: bool
    pos: Cell
    facing: Cell
    vitals: tuple[float, ...]
    clock: int
    events: tuple[Event, ...] = ()

    @property
    def dead(self) -> bool:
        """Whether the health is 0."""
        return self.vitals[0] <= 0


@dataclasses.dataclass(frozen=True)
class Header:
    """Header of a record: what is played, and how to replay it.

    Attributes:
      task: Expression of the goal, or `None`.
      start: Arguments of the environment and of its reset.
      agent: Name of the agent.
      budget: Steps of the attempt, or `None`.
      scene: Hash of the scene, or `None`.
      versions: Of the package, the catalogue and this format.
      pos: Cell (x, y) of the player at the start; likewise `facing`, `vitals` and
        `clock`.
      name: Name of the goal, if expressions do not know it, as that of a task file;
        else `None` and omitted.
      text: The instruction; `None` and omitted if there was none.
    """

    task: str | None
    start: Mapping[str, Any]
    agent: str
    budget: int | None
    scene: str | None
    versions: Mapping[str, Any]
    pos: Cell
    facing: Cell
    vitals: tuple[float, ...]
    clock: int
    name: str | None = None
    text: str | None = None

    @property
    def game(self) -> TaskGame:
        """The game that was played."""
        env = self.start.get("env", {}) if isinstance(self.start, Mapping) else {}
        return games.find(env.get("game", games.DEFAULT))


@dataclasses.dataclass(frozen=True)
class Footer:
    """Footer of a record: how the attempt ended.

    Attributes:
      verdict: Of the goal; `None` without a goal.
      reason: Why it failed, or `None`.
      step: The step of the verdict, or the number of steps without one.
      counts: Event type -> count.
    """

    verdict: str | None
    reason: str | None
    step: int
    counts: Mapping[str, int]


class Attempt(NamedTuple):
    """Content of a record file.

    Attributes:
      header: The first line.
      steps: The records of all steps.
      footer: The last line; `None` if the file ends before it.
      cut: Whether the last line is cut off; it is ignored then.
      texts: The complete lines, without line breaks.
    """

    header: Header
    steps: list[StepRecord]
    footer: Footer | None
    cut: bool
    texts: tuple[str, ...]


def write(
    path: str | os.PathLike,
    header: Header,
    steps: Iterable[StepRecord],
    footer: Footer | None,
) -> None:
    """Writes the file of an attempt, atomically.

    Args:
      path: The file; compressed if it ends in `.gz`.
      header: The header.
      steps: The step records.
      footer: The footer, if any.
    """
    packed = os.fspath(path).endswith(".gz")
    journal.replace(path, encoded(lines(header, steps, footer), packed))


def encoded(lines: Iterable[str], packed: bool) -> bytes:
    """Returns the content of a file of these lines."""
    content = "".join(f"{line}\n" for line in lines).encode()
    return gzip.compress(content, mtime=0) if packed else content


def lines(
    header: Header, steps: Iterable[StepRecord], footer: Footer | None
) -> Iterator[str]:
    """Yields the lines of an attempt, without line breaks."""
    head = {"attempt": FORMAT, **dataclasses.asdict(header)}
    for name in _OPTIONAL:
        if head[name] is None:
            del head[name]
    yield _dump(head)
    previous: Header | StepRecord = header
    fields = header.game.language.events
    for record in steps:
        yield _dump(_pack(record, previous, fields))
        previous = record
    if footer is not None:
        yield _dump({"end": True, **dataclasses.asdict(footer)})


def read(path: str | os.PathLike) -> Attempt:
    """Reads the file of an attempt.

    A truncated last line, as after a kill, is ignored.

    Raises:
      RecordError: If the file cannot be read, is damaged, or has another format.
    """
    try:
        data = journal.read_bytes(path)
        return _attempt(journal.parse(data, path), data)
    except (OSError, ValueError) as error:
        text, place = str(error), os.fspath(path)
        raise RecordError(text if place in text else f"{place}: {text}") from error


def _attempt(rows: list[dict[str, Any]], data: bytes) -> Attempt:
    if not rows:
        raise RecordError("The file has no header line.")
    header = header_of(rows[0])
    steps: list[StepRecord] = []
    footer = None
    previous: Any = header
    fields = header.game.language.events
    for number, row in enumerate(rows[1:], 2):
        if footer is not None:
            raise RecordError(f"line {number}: unexpected line after the footer.")
        try:
            if "end" in row:
                footer = Footer(**{k: v for k, v in row.items() if k != "end"})
            else:
                previous = _unpack(row, previous, fields)
                steps.append(previous)
        except (KeyError, TypeError, ValueError) as error:
            text = f"line {number} is not a step of an attempt: {error}"
            raise RecordError(text) from error
    texts = tuple(data.decode().split("\n")[: len(rows)])
    return Attempt(header, steps, footer, not data.endswith(b"\n"), texts)


def header_of(value: Mapping[str, Any]) -> Header:
    """Returns the header of a first line.

    Raises:
      RecordError: If it is none, or of another format.
    """
    fields = [field.name for field in dataclasses.fields(Header)]
    value = {**dict.fromkeys(_OPTIONAL), **value}
    if value.get("attempt") != FORMAT:
        raise RecordError(
            f"Expected the file of an attempt, of format {FORMAT}; the first line has "
            f"format {value.get('attempt')!r}."
        )
    missing = [name for name in fields if name not in value]
    if missing:
        raise RecordError(f"The header lacks {missing}; expected {fields}.")
    given = {name: value[name] for name in fields}
    for name in ("pos", "facing", "vitals"):
        given[name] = tuple(given[name])
    return Header(**given)


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _pack(record: StepRecord, previous: Any, fields: Fields) -> dict[str, Any]:
    """Returns the line of a step, without what follows from the previous one."""
    line: dict[str, Any] = {"t": record.t, "action": record.action}
    if record.executed != record.action:
        line["executed"] = record.executed
    if record.forced:
        line["forced"] = True
    for name in ("pos", "facing", "vitals"):
        value = getattr(record, name)
        if value != getattr(previous, name):
            line[name] = value
    if record.clock != previous.clock + 1:
        line["clock"] = record.clock
    if record.events:
        line["events"] = [_pack_event(event, fields) for event in record.events]
    return line


def _pack_event(event: Event, fields: Fields) -> list[Any]:
    return [event["type"], *(event[name] for name in fields[event["type"]])]


def _unpack(line: dict[str, Any], previous: Any, fields: Fields) -> StepRecord:
    action = line["action"]
    return StepRecord(
        t=line["t"],
        action=action,
        executed=line.get("executed", action),
        forced=line.get("forced", False),
        pos=tuple(line.get("pos", previous.pos)),
        facing=tuple(line.get("facing", previous.facing)),
        vitals=tuple(line.get("vitals", previous.vitals)),
        clock=line.get("clock", previous.clock + 1),
        events=tuple(_unpack_event(e, fields) for e in line.get("events", ())),
    )


#: Fields of events that hold a cell or a direction.
_CELLS = frozenset({"at", "frm", "to", "facing", "direction"})


def _unpack_event(values: list[Any], fields: Fields) -> Event:
    type, *rest = values
    if type not in fields or len(rest) != len(fields[type]):
        raise ValueError(f"{values!r} is not an event")
    event = {"type": type}
    for name, value in zip(fields[type], rest):
        is_cell = name in _CELLS and isinstance(value, list)
        event[name] = tuple(value) if is_cell else value
    return event
