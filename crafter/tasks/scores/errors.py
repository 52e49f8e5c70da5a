"""Error recognition: what went wrong in an attempt, noticed or not, mended or not."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from crafter.core.grid import distance
from crafter.tasks.conditions import VITALS
from crafter.tasks.scores.constants import constants
from crafter.tasks.scores.references import deeds_in, regained
from crafter.tasks.scores.story import Moment, Story

#: Categories whose tasks say where blocks belong.
BUILT = ("build", "decorate", "defend", "trap")


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
    done_at = [
        moment.record.t
        for moment in story.moments
        for event in moment.record.events
        if event["type"] == "goal" and event["verdict"] == "DONE"
    ]
    finder = _Finder(story, useful, max(done_at, default=0))
    found = [*finder.failed(), *finder.harm(), *finder.neglect(), *finder.bumps()]
    return [*found, *finder.misplaced()] if places else found


def share(errors: Sequence[Error]) -> float | None:
    """Returns the error recognition; `None` without errors that count.

    Errors are averaged by group first, so that many cheap ones do not make up for
    another one. A failed attempt at what the goal does not need can lower the value
    and not raise it.
    """
    needless = [e for e in errors if not e.needed]
    groups: dict[str, list[float]] = collections.defaultdict(list)
    for error in errors:
        if error.needed:
            groups[error.group].append(error.value)
    values = [fmean(group) for group in groups.values()]
    mean = fmean(values) if values else None
    for error in needless:
        if mean is None or error.value < mean:
            values.append(error.value)
    return fmean(values) if values else None


class _Finder:
    def __init__(self, story: Story, useful: Mapping[str, int], done_at: int) -> None:
        self._moments, self._story = story.moments, story
        self._useful, self._done_at = useful, done_at
        self._numbers = constants()["errors"]
        self._died = story.moments[-1].record.dead if story.moments else False

    def _after(self, number: int, steps: int) -> Sequence[Moment]:
        return self._moments[number + 1 : number + 1 + steps]

    def _dies_within(self, number: int, steps: int) -> bool:
        return self._died and number + steps >= len(self._moments) - 1

    # Failed attempts.

    def failed(self) -> Iterator[Error]:
        """Yields actions that were refused by the rules."""
        last: dict[str, int] = {}
        awake = 0
        for number, moment in enumerate(self._moments):
            awake += not moment.record.forced
            for event in moment.record.events:
                if event["type"] == "rejected":
                    key = _key(event)
                    again = key in last and awake - last[key] <= self._numbers["repeat"]
                    last[key] = awake
                    if not again:
                        yield self._failure(number, event, key)

    def _failure(self, number: int, event: Mapping[str, Any], key: str) -> Error:
        action = self._moments[number].record.executed
        later = [m for m in self._moments[number + 1 :] if not m.record.forced]
        soon = later[: self._numbers["react"]["failed"]]
        recognised = bool(soon) and not self._dies_within(number, 1)
        for moment in soon:
            if moment.record.executed == action and _succeeds(moment):
                break
            if any(key == _key(e) for e in moment.record.events if "missing" in e):
                recognised = False
                break
        succeeds = any(m.record.executed == action and _succeeds(m) for m in later)
        step = self._moments[number].record.t
        corrected = succeeds or step < self._done_at
        needed = self._needed(action, bool(event["missing"]))
        return Error("failed", key, step, recognised, corrected, needed)

    def _needed(self, action: str, lacks: bool) -> bool:
        """Returns whether the goal takes what was refused."""
        verb, _, what = action.partition("_")
        if action == "do":
            return lacks  # a tool, and not only something to use it on
        deed = {"make": f"made {what}", "place": f"placed {what}"}.get(verb)
        return (deed or "fell_asleep") in self._useful

    # Harm.

    def harm(self) -> Iterator[Error]:
        """Yields blows and shots that the player took."""
        last = -1
        for number, moment in enumerate(self._moments):
            for event in moment.record.events:
                if event["type"] == "hurt" and set(event["by"]) & {"zombie", "arrow"}:
                    step = moment.record.t
                    if last < 0 or step - last > self._numbers["repeat"]:
                        yield self._harm(number, event)
                    last = step

    def _harm(self, number: int, event: Mapping[str, Any]) -> Error:
        numbers, moment = self._numbers, self._moments[number]
        by_arrow = "arrow" in event["by"]
        kind = "skeleton" if by_arrow else "zombie"
        id = None if by_arrow else event["id"]
        far = _distance(moment.foes_after, kind, id)
        soon = self._after(number, numbers["react"]["harm"])
        recognised = any(
            _strikes(m, kind, id)
            or _moved(m)
            and _distance(m.foes_after, kind, id) > far
            or any(deed.startswith("placed") for deed in deeds_in(m.record))
            for m in soon
        )
        later = self._after(number, numbers["safe"])
        defeated = any(_defeats(m, kind, id) for m in later)
        hurt = any(_hurts(m, "arrow" if by_arrow else "zombie", id) for m in later)
        dies = self._dies_within(number, numbers["safe"])
        corrected = (defeated or not hurt) and not dies
        return Error("harm", "harm", moment.record.t, recognised, corrected)

    # Neglect.

    def neglect(self) -> Iterator[Error]:
        """Yields needs that fell too low."""
        limit = self._numbers["neglected"]
        for number, moment in enumerate(self._moments):
            for place, name in enumerate(VITALS[1:], 1):
                after = moment.record.vitals[place]
                if moment.before[place] > limit >= after:
                    yield self._neglected(number, place, name)

    def _neglected(self, number: int, place: int, name: str) -> Error:
        numbers = self._numbers
        wanted, within = numbers["recovered"]
        soon = self._after(number, numbers["react"]["neglect"])
        start = self._moments[number].sources.get(name, 0)
        nearer = start - numbers["approach"]
        recognised = any(
            _keeps(m, name) or _moved(m) and m.sources.get(name, nearer + 1) <= nearer
            for m in soon
        )
        values = [m.record.vitals[place] for m in self._after(number, within)]
        risen = next((n for n, v in enumerate(values) if v >= wanted), None)
        corrected = risen is not None and min(values[: risen + 1]) > 0
        step = self._moments[number].record.t
        return Error("neglect", name, step, recognised, corrected)

    # Bumps.

    def bumps(self) -> Iterator[Error]:
        """Yields the second of two moves in a row against the same thing."""
        last: dict[Any, int] = {}
        for number, (one, two) in enumerate(itertools.pairwise(self._moments), 1):
            key = _bump(two)
            if key is None or key != _bump(one):
                continue
            step = two.record.t
            known = key in last and step - last[key] <= self._numbers["repeat"]
            last[key] = step
            if not known:
                after = self._after(number, 1)
                other = any(m.record.action != two.record.action for m in after)
                around = self._after(number, self._numbers["around"])
                corrected = any(_moved(m) or _digs(m, key[1]) for m in around)
                yield Error("bump", "bump", step, other, corrected)

    # Blocks in the wrong place.

    def misplaced(self) -> Iterator[Error]:
        """Yields own blocks that served for nothing."""
        taken = {put: step for step, (put, _) in regained(self._story.records).items()}
        for number, moment in enumerate(self._moments):
            for event in moment.record.events:
                is_stone = event["type"] == "placed" and event["what"] == "stone"
                if is_stone and not self._serves(number, event):
                    yield self._misplaced(number, event, taken)

    def _serves(self, number: int, event: Mapping[str, Any]) -> bool:
        cell = event["at"]
        if cell in self._story.in_structures or event["on"] in ("water", "lava"):
            return True
        guard = self._numbers["guard"]
        near = (self._moments[number], *self._after(number, self._numbers["repeat"]))
        if any(m.foe_within(guard, "zombie", "skeleton") for m in near):
            return True
        return any(
            e["type"] == "arrow_stopped" and e["at"] == cell
            for m in self._moments[number:]
            for e in m.record.events
        )

    def _misplaced(
        self, number: int, event: Mapping[str, Any], taken: Mapping[int, int]
    ) -> Error:
        step = self._moments[number].record.t
        soon = self._after(number, self._numbers["react"]["misplaced"])
        recognised = any(
            deed.startswith("placed") for m in soon for deed in deeds_in(m.record)
        ) or any(_digs(m, event["at"]) for m in soon)
        return Error("misplaced", "misplaced", step, recognised, step in taken)


def _key(event: Mapping[str, Any]) -> str:
    missing = ", ".join(sorted(event.get("missing") or ())) or event.get("reason")
    return f"{event.get('action')}: {missing}"


def _succeeds(moment: Moment) -> bool:
    return bool(deeds_in(moment.record)) or any(
        event["type"] == "fell_asleep" for event in moment.record.events
    )


def _moved(moment: Moment) -> bool:
    return any(event["type"] == "moved" for event in moment.record.events)


def _distance(foes: Sequence[Any], kind: str, id: int | None) -> int:
    """Returns how far the nearest foe of a kind, or one of them, is."""
    return min(
        (foe.far for foe in foes if foe.kind == kind and id in (None, foe.id)),
        default=99,
    )


def _strikes(moment: Moment, kind: str, id: int | None) -> bool:
    return any(
        event["type"] in ("hit", "defeated")
        and event["kind"] == kind
        and id in (None, event["id"])
        for event in moment.record.events
    )


def _defeats(moment: Moment, kind: str, id: int | None) -> bool:
    return any(
        event["type"] == "defeated"
        and event["kind"] == kind
        and id in (None, event["id"])
        for event in moment.record.events
    )


def _hurts(moment: Moment, by: str, id: int | None) -> bool:
    return any(
        event["type"] == "hurt" and by in event["by"] and id in (None, event["id"])
        for event in moment.record.events
    )


def _keeps(moment: Moment, name: str) -> bool:
    """Returns whether the player does something for a need."""
    wanted = {"food": "ate", "drink": "collected drink", "energy": "fell_asleep"}[name]
    deeds = [*deeds_in(moment.record)]
    deeds += [e["type"] for e in moment.record.events if e["type"] == "fell_asleep"]
    return any(deed.startswith(wanted) for deed in deeds)


def _bump(moment: Moment) -> tuple[str, Any] | None:
    """Returns the move and the cell of a step that only bumps."""
    if moment.record.forced:
        return None
    kinds = {"moved", "turned", "collected", "placed", "made", "hit", "ate"}
    found = None
    for event in moment.record.events:
        if event["type"] in kinds:
            return None
        if event["type"] == "blocked":
            found = moment.record.action, event["at"]
    return found


def _digs(moment: Moment, cell: Any) -> bool:
    """Returns whether the player strikes, takes away or kills what is in a cell."""
    return any(
        event["type"] in ("collected", "defeated", "ate", "hit")
        and (event.get("at") == cell or distance(moment.record.pos, cell) == 1)
        for event in moment.record.events
    )
