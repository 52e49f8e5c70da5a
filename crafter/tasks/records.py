"""Attempts as data: a record of every step, and the files that hold them.

A file has one JSON value a line: the header, one line per step, and the footer. In the
line of a step, what follows from the line before is left out: `executed` if it is
`action`, `forced` if false, `pos`, `facing` and `vitals` if unchanged, `clock` if it
went on by one. An event is a list: its type, then the values of its fields in the
order of `crafter.core.events`. Files whose name ends in `.gz` are packed.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, NamedTuple

from crafter.core.events import FIELDS

#: Raised when the lines, or their meaning, change.
FORMAT = 1

Cell = tuple[int, int]
Event = Mapping[str, Any]

#: Event type -> its fields. Those that `crafter.tasks.attempt` adds to the game's: what
#: came into view for the first time in the attempt, in which zone of the map the player
#: is, and how a goal fares.
EVENT_FIELDS: dict[str, tuple[str, ...]] = {
    **FIELDS,
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
      executed: What the rules carried out; differs from `action` for a sleeper.
      forced: Whether the player was asleep at the start of the step.
      pos: Cell (x, y) of the player after the step.
      facing: Direction (dx, dy) of the player after the step.
      vitals: Health, food, drink and energy after the step.
      clock: Steps on the clock of the day.
      events: What happened, in order; dicts as of `crafter.core.events`.
    """

    t: int
    action: str
    executed: str
    forced: bool
    pos: Cell
    facing: Cell
    vitals: tuple[int, ...]
    clock: int
    events: tuple[Event, ...] = ()

    @property
    def dead(self) -> bool:
        """Whether the health is 0."""
        return self.vitals[0] <= 0


@dataclasses.dataclass(frozen=True)
class Header:
    """What an attempt is and how to repeat it.

    Attributes:
      task: Expression of the goal, or `None`.
      start: How the game begins: arguments of the environment and of its reset.
      agent: Name of the agent.
      budget: Steps of the attempt, or `None`.
      scene: Hash of the scene, or `None`.
      versions: Of the package, the catalogue and this format.
      pos: Cell (x, y) of the player at the start; likewise `facing`, `vitals` and
        `clock`.
      name: Name of the goal, if expressions do not know it, as that of a task file;
        else `None`, and not in the file.
    """

    task: str | None
    start: Mapping[str, Any]
    agent: str
    budget: int | None
    scene: str | None
    versions: Mapping[str, Any]
    pos: Cell
    facing: Cell
    vitals: tuple[int, ...]
    clock: int
    name: str | None = None


@dataclasses.dataclass(frozen=True)
class Footer:
    """How an attempt ended.

    Attributes:
      verdict: Of the goal; `None` without a goal.
      reason: Why it failed, or `None`.
      step: The step of the verdict, or the number of steps without one.
      counts: Event type -> how many there were.
    """

    verdict: str | None
    reason: str | None
    step: int
    counts: Mapping[str, int]


class Attempt(NamedTuple):
    """A file that was read.

    Attributes:
      header: The first line.
      steps: The records of all steps.
      footer: The last line; `None` if the file ends before it.
      cut: Whether the last line is cut off; it is left out then.
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
    """Writes the file of an attempt; it appears when it is whole.

    Args:
      path: Its name; packed if it ends in `.gz`.
      header: What is attempted.
      steps: The records.
      footer: How it ended.
    """
    place = pathlib.Path(path)
    unfinished = place.with_name(f".{place.name}.part")
    packed = place.suffix == ".gz"
    with unfinished.open("wb") as raw:
        # No name and no time in the packed file, so that equal content is equal bytes.
        stream: Any = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if packed else raw
        for line in lines(header, steps, footer):
            stream.write(f"{line}\n".encode())
        if packed:
            stream.close()
    os.replace(unfinished, place)


def lines(
    header: Header, steps: Iterable[StepRecord], footer: Footer | None
) -> Iterator[str]:
    """Yields the lines of an attempt, without line breaks."""
    head = {"attempt": FORMAT, **dataclasses.asdict(header)}
    if header.name is None:
        del head["name"]
    yield _dump(head)
    yield from lines_of_steps(steps, header)
    if footer is not None:
        yield _dump({"end": True, **dataclasses.asdict(footer)})


def lines_of_steps(
    steps: Iterable[StepRecord], previous: Header | StepRecord
) -> Iterator[str]:
    """Yields the lines of steps.

    Args:
      steps: The steps.
      previous: The step before them, or the header.
    """
    for record in steps:
        yield _dump(_packed(record, previous))
        previous = record


def read(path: str | os.PathLike) -> Attempt:
    """Reads the file of an attempt.

    A last line that is cut off, as when a program was killed, is left out.

    Raises:
      RecordError: If the file cannot be read, is damaged, or has another format.
    """
    try:
        with _open(path) as stream:
            return _read(list(_complete_lines(stream)))
    except OSError as error:
        raise RecordError(f"{os.fspath(path)}: {error}") from error
    except RecordError as error:
        raise RecordError(f"{os.fspath(path)}: {error}") from None


def _open(path: str | os.PathLike) -> IO[str]:
    place = pathlib.Path(path)
    if place.suffix == ".gz":
        return gzip.open(place, "rt", encoding="utf-8", errors="replace")
    return place.open(encoding="utf-8", errors="replace")


def _complete_lines(stream: IO[str]) -> Iterator[str]:
    """Yields lines; those of a packed file that is cut off, as far as they go."""
    try:
        yield from stream
    except EOFError:
        yield ""  # stands for the line that is cut off


def _read(texts: list[str]) -> Attempt:
    values, cut = _parsed(texts)
    if not values:
        raise RecordError("The file has no header line.")
    header = _header(values[0])
    steps: list[StepRecord] = []
    footer = None
    previous: Any = header
    for number, value in enumerate(values[1:], 2):
        if footer is not None:
            raise RecordError(f"line {number}: there is a line after the footer.")
        try:
            if "end" in value:
                footer = Footer(**{k: v for k, v in value.items() if k != "end"})
            else:
                previous = _unpacked(value, previous)
                steps.append(previous)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"line {number} is no step of an attempt: {error}") from (
                error
            )
    kept = tuple(text.rstrip("\n") for text in texts[: len(values)])
    return Attempt(header, steps, footer, cut, kept)


def _parsed(texts: list[str]) -> tuple[list[dict[str, Any]], bool]:
    """Returns the values of the lines, and whether the last one is cut off."""
    values: list[dict[str, Any]] = []
    for number, text in enumerate(texts, 1):
        try:
            value = json.loads(text)
            if not isinstance(value, dict):
                raise ValueError("not a JSON object")
        except ValueError as error:
            if number == len(texts) and not text.endswith("\n"):
                return values, True
            raise RecordError(f"line {number} is no JSON object: {error}.") from None
        values.append(value)
    return values, False


def _header(value: dict[str, Any]) -> Header:
    fields = [field.name for field in dataclasses.fields(Header)]
    value = {"name": None, **value}
    if value.get("attempt") != FORMAT:
        raise RecordError(
            f"Expected the file of an attempt, of format {FORMAT}; the first line has "
            f"format {value.get('attempt')!r}."
        )
    missing = [name for name in fields if name not in value]
    if missing:
        raise RecordError(f"The header lacks {missing}; it has to have {fields}.")
    given = {name: value[name] for name in fields}
    for name in ("pos", "facing", "vitals"):
        given[name] = tuple(given[name])
    return Header(**given)


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _packed(record: StepRecord, previous: Any) -> dict[str, Any]:
    """Returns the line of a step, without what follows from the one before."""
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
        line["events"] = [_packed_event(event) for event in record.events]
    return line


def _packed_event(event: Event) -> list[Any]:
    return [event["type"], *(event[name] for name in EVENT_FIELDS[event["type"]])]


def _unpacked(line: dict[str, Any], previous: Any) -> StepRecord:
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
        events=tuple(map(_unpacked_event, line.get("events", ()))),
    )


#: Fields of events that hold a cell or a direction.
_CELLS = frozenset({"at", "frm", "to", "facing"})


def _unpacked_event(values: list[Any]) -> Event:
    type, *rest = values
    if type not in EVENT_FIELDS or len(rest) != len(EVENT_FIELDS[type]):
        raise ValueError(f"{values!r} is no event")
    event = {"type": type}
    for name, value in zip(EVENT_FIELDS[type], rest):
        is_cell = name in _CELLS and isinstance(value, list)
        event[name] = tuple(value) if is_cell else value
    return event
