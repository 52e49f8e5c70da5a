"""Attempts in words: one line per step at which something happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crafter.tasks.records import EVENT_FIELDS, Event, StepRecord

#: Events of the world around, which say nothing of the player.
AROUND = frozenset({"spawned", "despawned"})
#: Fields that only machines need.
_UNSAID = frozenset({"type", "id", "n"})
#: Fields that need no name.
_PLAIN_FIELDS = frozenset(
    {"what", "action", "achievement", "kind", "name", "node", "zone"}
)
#: Events that a step in a run of equal steps may have.
_PLAIN = frozenset({"moved", "turned", *AROUND})


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
        plain = name in _PLAIN_FIELDS
        parts.append(str(value) if plain else f"{_said(name)} {value}")
    words = f"{_said(event['type'])} {', '.join(parts)}".strip()
    return words.replace(", at ", " at ", 1)


def _said(name: str) -> str:
    return {"frm": "from"}.get(name, name.replace("_", " "))


def lines(steps: Sequence[StepRecord]) -> list[str]:
    """Returns the lines of some steps; equal plain steps in a row share one.

    Example:
      >>> walk = [StepRecord(t, "move_left", "move_left", False, (9 - t, 4), (-1, 0),
      ...         (9, 9, 9, 9), t) for t in (1, 2, 3)]
      >>> lines(walk)
      ['steps 1 to 3: move_left, to (6, 4)']
    """
    return [_line(run) for run in _runs(steps)]


def _runs(steps: Iterable[StepRecord]) -> Iterator[list[StepRecord]]:
    run: list[StepRecord] = []
    for step in steps:
        if run and not (_is_plain(step) and _is_plain(run[-1]) and _alike(run, step)):
            yield run
            run = []
        run.append(step)
    if run:
        yield run


def _is_plain(step: StepRecord) -> bool:
    return all(event["type"] in _PLAIN for event in step.events)


def _alike(run: Sequence[StepRecord], step: StepRecord) -> bool:
    return (run[-1].action, run[-1].forced) == (step.action, step.forced)


def _line(run: Sequence[StepRecord]) -> str:
    first, last = run[0], run[-1]
    number = f"step {first.t}" if len(run) == 1 else f"steps {first.t} to {last.t}"
    asleep = " (asleep)" if first.forced else ""
    if _is_plain(last):
        return f"{number}: {last.action}{asleep}, to {last.pos}"
    told = [event_text(e) for e in last.events if e["type"] not in AROUND]
    return f"{number}: {last.action}{asleep} – {'; '.join(told)}"
