"""Error recognition: errors in an attempt, recognised or not, corrected or not."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from crafter.core.grid import distance
from crafter.core.regions import FAR
from crafter.games.crafter.tasks.conditions import VITALS
from crafter.games.crafter.tasks.scoring.replay import Moment, Trace
from crafter.games.crafter.tasks.tables import constants

#: Categories whose goals determine where blocks belong.
BUILT = ("build", "decorate", "defend", "trap")
#: Vital -> effect that restores it.
_EFFECTS = {"food": "ate", "drink": "collected drink", "energy": "fell_asleep"}
#: Errors, each with a key that identifies repetitions.
_Errors = Iterator[tuple[Any, "Error"]]


class Error(NamedTuple):
    """An error in an attempt.

    Attributes:
      kind: `failed`, `misplaced`, `harm` or `neglect`.
      group: Errors of one kind and cause, which are averaged first.
      step: The step in which it happened.
      recognised: Whether the player reacted.
      corrected: Whether it was put right.
      needed: Whether the goal requires what was tried.
    """

    kind: str
    group: str
    step: int
    recognised: bool
    corrected: bool
    needed: bool = True

    @property
    def value(self) -> float:
        """Its value in the mean: 0, ½ or 1."""
        return (self.recognised + self.corrected) / 2


def share(errors: Sequence[Error]) -> float | None:
    """Returns the error recognition; `None` without errors.

    Errors are averaged by group first, so that many trivial errors cannot offset a
    serious one. Rejected actions that the goal does not require can only lower it.
    """
    groups: dict[str, list[float]] = collections.defaultdict(list)
    for error in errors:
        if error.needed:
            groups[error.group].append(error.value)
    values = [fmean(group) for group in groups.values()]
    mean = fmean(values) if values else 1.0
    needless = [error.value for error in errors if not error.needed]
    values += [value for value in needless if not groups or value < mean]
    return fmean(values) if values else None


class Finder:
    """Finds the errors of an episode, with a method for each kind.

    Args:
      trace: The episode.
      useful: Effect -> how often the goal takes it.
    """

    def __init__(self, trace: Trace, useful: Mapping[str, int]) -> None:
        self._trace, self._moments = trace, trace.moments
        self._useful, self._numbers = useful, constants()["errors"]
        self._died = bool(trace.moments) and trace.moments[-1].record.dead
        done = [m.record.t for m in trace.moments if m.find("goal", verdict="DONE")]
        self._done_at = max(done, default=0)
        awake = (m.record for m in trace.moments if m.effects and not m.record.forced)
        self._succeeded = {record.executed: record.t for record in awake}
        self._back = {block.placed for block in trace.undone}

    def errors(self, places: bool) -> Iterator[Error]:
        """Yields the errors by kind and step; one repeated soon after counts once.

        Args:
          places: Whether the goal says where blocks belong.
        """
        kinds = [self._failed, self._harm, self._neglect]
        for kind in [*kinds, self._misplaced] if places else kinds:
            last: dict[Any, int] = {}
            awake = 0
            for number, moment in enumerate(self._moments):
                awake += not moment.record.forced
                now = awake if kind == self._failed else number
                for key, error in kind(number, moment):
                    if now - last.get(key, -FAR) > self._numbers["repeat"]:
                        yield error
                    last[key] = now

    def _soon(self, number: int, kind: str) -> Sequence[Moment]:
        return self._trace.after(number, self._numbers["react"][kind])

    def _dies_within(self, number: int, steps: int) -> bool:
        return self._died and number + steps >= len(self._moments) - 1

    def _failed(self, number: int, moment: Moment) -> _Errors:
        """The rules reject an action."""
        if (key := _refusal(moment)) is None:
            return
        action, step = moment.record.executed, moment.record.t
        awake = (m for m in self._moments[number + 1 :] if not m.record.forced)
        soon = list(itertools.islice(awake, self._numbers["react"]["failed"]))
        tries = itertools.takewhile(
            lambda m: not (m.record.executed == action and m.effects), soon
        )
        again = any(_refusal(m) == key for m in tries)
        recognised = bool(soon) and not again and not self._dies_within(number, 1)
        corrected = step < max(self._done_at, self._succeeded.get(action, 0))
        needed = self._needed(moment)
        yield key, Error("failed", key, step, recognised, corrected, needed)

    def _needed(self, moment: Moment) -> bool:
        """Returns whether the goal requires the rejected action."""
        verb, _, what = moment.record.executed.partition("_")
        if verb == "do":  # lacks a tool, and not only something to use it on
            refused = moment.find("rejected")
            return refused is not None and bool(refused["missing"])
        effect = {"make": f"made {what}", "place": f"placed {what}"}.get(verb)
        return (effect or "fell_asleep") in self._useful

    def _harm(self, number: int, moment: Moment) -> _Errors:
        """A zombie strikes, or an arrow hits."""
        for event in _blows(moment):
            by_arrow = "arrow" in event["by"]
            kind, id = ("skeleton", None) if by_arrow else ("zombie", event["id"])
            foe = {"kind": kind} if by_arrow else {"kind": kind, "id": id}
            far = moment.after.far(kind, id=id)
            recognised = any(
                m.find("placed")
                or m.find("hit", "defeated", **foe)
                or (m.find("moved") and m.after.far(kind, id=id) > far)
                for m in self._soon(number, "harm")
            )
            later = self._trace.after(number, self._numbers["safe"])
            blows = [blow for m in later for blow in _blows(m)]
            hurt = any("arrow" in b["by"] if by_arrow else b["id"] == id for b in blows)
            safe = any(m.find("defeated", **foe) for m in later) or not hurt
            safe = safe and not self._dies_within(number, self._numbers["safe"])
            yield "harm", Error("harm", "harm", moment.record.t, recognised, safe)

    def _neglect(self, number: int, moment: Moment) -> _Errors:
        """A vital falls too low."""
        limit, (wanted, within) = self._numbers["neglected"], self._numbers["recovered"]
        for place, name in enumerate(VITALS):
            before, after = moment.before.vitals[place], moment.after.vitals[place]
            if name not in _EFFECTS or not before > limit >= after:
                continue
            start = moment.after.sources.get(name, 0)
            nearer = start - self._numbers["approach"]
            recognised = any(
                any(effect.startswith(_EFFECTS[name]) for effect in m.effects)
                or (m.find("moved") and m.after.sources.get(name, start) <= nearer)
                for m in self._soon(number, "neglect")
            )
            values = [m.after.vitals[place] for m in self._trace.after(number, within)]
            low = list(itertools.takewhile(lambda value: value < wanted, values))
            corrected = len(low) < len(values) and min(low, default=1) > 0
            yield name, Error("neglect", name, moment.record.t, recognised, corrected)

    def _misplaced(self, number: int, moment: Moment) -> _Errors:
        """A stone is placed where it has no use."""
        event, step = moment.find("placed", what="stone"), moment.record.t
        if event is None:
            return
        cell = event["at"]
        near = (moment, *self._trace.after(number, self._numbers["repeat"]))
        guard = self._numbers["guard"]
        serves = (
            cell in self._trace.built
            or event["on"] in ("water", "lava")
            or any(m.before.far("zombie", "skeleton") <= guard for m in near)
            or any(m.find("arrow_stopped", at=cell) for m in self._moments[number:])
        )
        soon = self._soon(number, "misplaced")
        recognised = any(m.find("placed") or _digs(m, cell) for m in soon)
        if not serves:
            corrected = step in self._back
            yield cell, Error("misplaced", "misplaced", step, recognised, corrected)


def _refusal(moment: Moment) -> str | None:
    """Returns the rejected action and what was missing; `None` without one."""
    event = moment.find("rejected")
    if event is None:
        return None
    missing = ", ".join(sorted(event["missing"] or ())) or event["reason"]
    return f"{event['action']}: {missing}"


def _blows(moment: Moment) -> list[Mapping[str, Any]]:
    """Returns the events in which a foe hurts the player."""
    hurt = (e for e in moment.record.events if e["type"] == "hurt")
    return [e for e in hurt if not {"zombie", "arrow"}.isdisjoint(e["by"])]


def _digs(moment: Moment, cell: Any) -> bool:
    """Returns whether the player strikes, takes away or kills what is in a cell."""
    event = moment.find("collected", "defeated", "ate", "hit")
    return event is not None and (
        event.get("at") == cell or distance(moment.record.pos, cell) == 1
    )
