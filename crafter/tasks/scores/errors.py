"""Error recognition: what went wrong in an attempt, noticed or not, mended or not."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from crafter.core.grid import distance
from crafter.tasks.conditions import VITALS
from crafter.tasks.scores.constants import constants
from crafter.tasks.scores.references import undone
from crafter.tasks.scores.story import Moment, Story

#: Categories whose tasks say where blocks belong.
BUILT = ("build", "decorate", "defend", "trap")
#: The kind of error that is looked for only there.
MISPLACED = "misplaced"
#: What an error is averaged with, and which one it is.
_Found = Iterator[tuple[str, Any]]
_Find = Callable[[int], _Found]
#: Whether an error was recognised and corrected.
_Judged = tuple[bool, bool]
_Judge = Callable[[int, Any], _Judged]


class Error(NamedTuple):
    """Something that went wrong.

    Attributes:
      kind: `failed`, `misplaced`, `harm`, `neglect` or `bump`.
      group: What it is averaged with: errors of one kind and cause.
      step: When.
      recognised: Whether the player reacted.
      corrected: Whether it was put right.
      needed: Whether what was tried belongs to the goal.
    """

    kind: str
    group: str
    step: int
    recognised: bool
    corrected: bool
    needed: bool = True

    @property
    def value(self) -> float:
        """What it counts."""
        return (self.recognised + self.corrected) / 2


def find(story: Story, useful: Mapping[str, int], places: bool) -> list[Error]:
    """Returns the errors of an attempt, by kind and step.

    Args:
      story: The attempt.
      useful: Deed -> how often the goal takes it.
      places: Whether the goal says where blocks belong.
    """
    return list(_Finder(story, useful).errors(places))


def share(errors: Sequence[Error]) -> float | None:
    """Returns the error recognition; `None` without errors that count.

    Errors are averaged by group first, so that many cheap ones do not make up for
    another one. A failed attempt at what the goal does not need can lower the value
    and not raise it.
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


class _Finder:
    """Finds the errors of an attempt: each kind has a row, how found and how judged."""

    def __init__(self, story: Story, useful: Mapping[str, int]) -> None:
        self._story, self._moments = story, story.moments
        self._useful, self._numbers = useful, constants()["errors"]
        self._died = bool(story.moments) and story.moments[-1].record.dead
        done = (m.record.t for m in story.moments if m.find("goal", verdict="DONE"))
        self._done_at = max(done, default=0)
        self._back = {block.placed for block in undone(story.records)}
        self._kinds: dict[str, tuple[_Find, _Judge]] = {
            "failed": (self._refused, self._after_refusal),
            "harm": (self._hurt, self._after_harm),
            "neglect": (self._neglected, self._after_neglect),
            "bump": (self._bumps, self._after_bump),
            MISPLACED: (self._misplaced, self._after_misplacing),
        }

    def errors(self, places: bool) -> Iterator[Error]:
        """Yields the errors; the same one again soon after is none of its own."""
        for kind, (found, judged) in self._kinds.items():
            last: dict[Any, int] = {}
            awake = 0
            for number, moment in enumerate(self._moments):
                awake += not moment.record.forced
                now = awake if kind == "failed" else number
                for group, key in found(number) if kind != MISPLACED or places else ():
                    again = key in last and now - last[key] <= self._numbers["repeat"]
                    last[key] = now
                    if not again:
                        judged_so = judged(number, key)
                        needed = kind != "failed" or self._needed(moment)
                        yield Error(kind, group, moment.record.t, *judged_so, needed)

    def _soon(self, number: int, kind: str) -> Sequence[Moment]:
        return self._story.after(number, self._numbers["react"][kind])

    def _dies_within(self, number: int, steps: int) -> bool:
        return self._died and number + steps >= len(self._moments) - 1

    # An action is refused by the rules.

    def _refused(self, number: int) -> _Found:
        for event in self._moments[number].record.events:
            if key := _refusal(event):
                yield key, key

    def _after_refusal(self, number: int, key: str) -> _Judged:
        moment = self._moments[number]
        later = [m for m in self._moments[number + 1 :] if not m.record.forced]
        done = [
            bool(m.record.executed == moment.record.executed and m.deeds) for m in later
        ]
        soon = later[: self._numbers["react"]["failed"]]
        tried = itertools.takewhile(lambda pair: not pair[1], zip(soon, done))
        again = any(key == _refusal(e) for m, _ in tried for e in m.record.events)
        recognised = bool(soon) and not again and not self._dies_within(number, 1)
        return recognised, any(done) or moment.record.t < self._done_at

    def _needed(self, moment: Moment) -> bool:
        """Returns whether the goal takes what was refused."""
        verb, _, what = moment.record.executed.partition("_")
        if verb == "do":  # lacks a tool, and not only something to use it on
            refused = moment.find("rejected")
            return refused is not None and bool(refused["missing"])
        deed = {"make": f"made {what}", "place": f"placed {what}"}.get(verb)
        return (deed or "fell_asleep") in self._useful

    # A zombie strikes, or an arrow hits.

    def _hurt(self, number: int) -> _Found:
        if _blows(self._moments[number]):
            yield "harm", "harm"

    def _after_harm(self, number: int, key: str) -> _Judged:
        event = _blows(self._moments[number])[0]
        by_arrow = "arrow" in event["by"]
        foe: dict[str, Any] = {"kind": "skeleton" if by_arrow else "zombie"}
        if not by_arrow:
            foe["id"] = event["id"]

        def far(moment: Moment) -> int:
            return moment.after.far(foe["kind"], id=foe.get("id"))

        recognised = any(
            m.find("placed")
            or m.find("hit", "defeated", **foe)
            or m.find("moved")
            and far(m) > far(self._moments[number])
            for m in self._soon(number, "harm")
        )
        later = self._story.after(number, self._numbers["safe"])
        hurt = any(
            "arrow" in e["by"] if by_arrow else e["id"] == foe["id"]
            for m in later
            for e in _blows(m)
        )
        safe = any(m.find("defeated", **foe) for m in later) or not hurt
        return recognised, safe and not self._dies_within(number, self._numbers["safe"])

    # A need falls too low.

    def _neglected(self, number: int) -> _Found:
        moment, limit = self._moments[number], self._numbers["neglected"]
        changes = zip(VITALS, moment.before.vitals, moment.after.vitals)
        for name, before, after in changes:
            if name != "health" and before > limit >= after:
                yield name, name

    def _after_neglect(self, number: int, name: str) -> _Judged:
        numbers, place = self._numbers, VITALS.index(name)
        wanted, within = numbers["recovered"]
        deeds = {"food": "ate", "drink": "collected drink", "energy": "fell_asleep"}
        start = self._moments[number].after.sources.get(name, 0)
        recognised = any(
            any(deed.startswith(deeds[name]) for deed in m.deeds)
            or m.find("moved")
            and m.after.sources.get(name, start) <= start - numbers["approach"]
            for m in self._soon(number, "neglect")
        )
        values = [m.after.vitals[place] for m in self._story.after(number, within)]
        risen = next((n for n, v in enumerate(values) if v >= wanted), None)
        return recognised, risen is not None and min(values[: risen + 1]) > 0

    # The second of two moves in a row against the same thing.

    def _bumps(self, number: int) -> _Found:
        key = _bump(self._moments[number])
        if number and key is not None and key == _bump(self._moments[number - 1]):
            yield "bump", key

    def _after_bump(self, number: int, key: tuple[str, Any]) -> _Judged:
        action, cell = key
        recognised = any(
            m.record.action != action for m in self._story.after(number, 1)
        )
        later = self._story.after(number, self._numbers["around"])
        return recognised, any(m.find("moved") or _digs(m, cell) for m in later)

    # A stone serves for nothing.

    def _misplaced(self, number: int) -> _Found:
        event = self._moments[number].find("placed", what="stone")
        if event is None:
            return
        cell = event["at"]
        near = self._moments[number : number + 1 + self._numbers["repeat"]]
        serves = cell in self._story.built or event["on"] in ("water", "lava")
        foes = (m.before.far("zombie", "skeleton") for m in near)
        serves = serves or min(foes) <= self._numbers["guard"]
        later = self._moments[number:]
        if not serves and not any(m.find("arrow_stopped", at=cell) for m in later):
            yield "misplaced", cell

    def _after_misplacing(self, number: int, cell: Any) -> _Judged:
        soon = self._soon(number, "misplaced")
        recognised = any(m.find("placed") or _digs(m, cell) for m in soon)
        return recognised, self._moments[number].record.t in self._back


def _refusal(event: Mapping[str, Any]) -> str | None:
    """Returns what was refused, and for lack of what; `None` if nothing was."""
    if event["type"] != "rejected":
        return None
    missing = ", ".join(sorted(event["missing"] or ())) or event["reason"]
    return f"{event['action']}: {missing}"


def _blows(moment: Moment) -> list[Mapping[str, Any]]:
    """Returns the events in which a foe hurts the player."""
    hurt = (e for e in moment.record.events if e["type"] == "hurt")
    return [e for e in hurt if not {"zombie", "arrow"}.isdisjoint(e["by"])]


def _bump(moment: Moment) -> tuple[str, Any] | None:
    """Returns the move and the cell of a step that only bumps."""
    blocked = moment.find("blocked")
    if blocked is None or moment.record.forced or moment.find("turned"):
        return None
    return moment.record.action, blocked["at"]


def _digs(moment: Moment, cell: Any) -> bool:
    """Returns whether the player strikes, takes away or kills what is in a cell."""
    event = moment.find("collected", "defeated", "ate", "hit")
    return event is not None and (
        event.get("at") == cell or distance(moment.record.pos, cell) == 1
    )
