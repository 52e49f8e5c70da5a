"""Action control: which steps of an attempt were of no use.

Every step in which the player was awake falls into the first class that fits: null,
idle, stray, dither, or else useful or fine.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Mapping, Sequence

from crafter.tasks.scores.constants import constants
from crafter.tasks.scores.references import deeds_in, undone
from crafter.tasks.scores.story import Moment, Story

#: Classes of steps that are of no use.
WASTED = ("null", "idle", "stray", "dither")
#: Events that the player's own action brings about.
_OWN = frozenset(
    {
        "moved",
        "turned",
        "blocked",
        "collected",
        "missed",
        "placed",
        "made",
        "rejected",
        "hit",
        "defeated",
        "ate",
        "fell_asleep",
    }
)
_HEALTH, _FOOD, _DRINK, _ENERGY = range(4)


def classes(
    story: Story, useful: Mapping[str, int], endless: bool = False
) -> list[str | None]:
    """Returns the class of every step; `None` for a sleeper's that needs the sleep.

    Args:
      story: The attempt.
      useful: Deed -> how often the goal takes it.
      endless: Whether useful deeds are so however often they are done.
    """
    return _Classifier(story, useful, endless).classes()


def share(found: Sequence[str | None], progress: float, left: int = 0) -> float:
    """Returns the action control of an attempt.

    Args:
      found: The classes of its steps.
      progress: Its task progress; with little of it, control counts in part.
      left: Steps of the budget that death or a broken rule has cut off; some of them
        count as idle, so that it does not pay to end a short attempt.
    """
    counted = [kind for kind in found if kind is not None]
    wasted = sum(kind in WASTED for kind in counted)
    lost = min(left, constants()["control"]["cut"])
    used = len(counted) - wasted
    return engaged(progress) * used / max(1, len(counted) + lost)


def engaged(progress: float) -> float:
    """Returns how far an attempt is one at the task at all, 0 to 1."""
    return min(1.0, progress / float(constants()["control"]["engaged"]))


class _Classifier:
    def __init__(self, story: Story, useful: Mapping[str, int], endless: bool) -> None:
        self._numbers = constants()["control"]
        self._moments = story.moments
        factor, plus = self._numbers["surplus"]
        self._limits = {
            deed: float("inf") if endless else factor * n + plus
            for deed, n in useful.items()
            if n
        }
        self._hunts = any(deed.startswith("hit ") for deed in self._limits)
        self._chances = {
            item: rule.get("probability", 1.0)
            for rule in story.rules.collect.values()
            for item in rule["receive"]
        }
        self._done: dict[str, float] = collections.defaultdict(float)
        self._undone = self._steps_undone(story)
        self._entered = _entered(story.moments)
        self._visits: collections.Counter[object] = collections.Counter()
        self._needless_sleep = False
        self._shelters = self._stale = 0
        self._defences: set[int] = set()
        self._put = {taken: put for taken, (put, _) in undone(story.records).items()}

    def _steps_undone(self, story: Story) -> set[int]:
        """Returns the steps in which a block is put down or taken away for nothing."""
        makes_roads = any("road" in atom.node.label for atom in story.part.atoms())
        return {
            step
            for taken, (put, leaves_path) in undone(story.records).items()
            if not (makes_roads and leaves_path)
            for step in (put, taken)
        }

    def classes(self) -> list[str | None]:
        """Returns the class of every step."""
        found: list[str | None] = []
        best = 0.0
        for previous, moment in zip((None, *self._moments), self._moments):
            kind = self._class(previous, moment)
            if kind == "useful" and "made" not in _own(moment):
                _excuse_turn(found)
            found.append(kind)
            kept_up = moment.record.t in self._defences
            if kind == "useful" or kept_up or moment.progress > best:
                self._visits.clear()
                self._stale = 0
            self._stale = 0 if moment.fresh else self._stale + 1
            best = max(best, moment.progress)
            self._visits[_pose(moment)] += 1
        return found

    def _class(self, previous: Moment | None, moment: Moment) -> str | None:
        record = moment.record
        if record.forced:
            return "stray" if self._needless_sleep else None
        own = _own(moment)
        if record.action == "noop":
            return "fine" if self._may_wait(moment) else "idle"
        if not own - {"rejected", "blocked"}:
            return "null"
        deeds = dict.fromkeys(deeds_in(record), 1.0)
        if "fell_asleep" in own:
            deeds["fell_asleep"] = 1.0
        for event in record.events:
            if event["type"] == "missed":  # a try counts as the luck to be hoped for
                deeds[f"collected {event['what']}"] = self._chances[event["what"]]
        if deeds:
            return self._class_of_deeds(moment, deeds)
        return "dither" if self._dithers(previous, moment) else "fine"

    def _may_wait(self, moment: Moment) -> bool:
        """Returns whether there is a reason to wait: the goal, a foe, or the night."""
        danger = moment.foe_within(self._numbers["danger"], "zombie", "arrow")
        return moment.waits or moment.crowded or moment.shut_in or danger

    def _class_of_deeds(self, moment: Moment, deeds: Mapping[str, float]) -> str:
        upkeep = all(self._keeps_up(moment, deed) for deed in deeds)
        within = all(self._done[deed] < self._limits.get(deed, 0) for deed in deeds)
        for deed, count in deeds.items():
            self._done[deed] += count
        if "fell_asleep" in deeds:
            self._needless_sleep = not (upkeep or within)
        if upkeep:
            self._defences.add(moment.record.t)
            return "fine"
        if self._put.get(moment.record.t) in self._defences:
            return "fine"  # takes down what it had put up against a foe
        if moment.record.t in self._undone:
            return "stray"
        if within:
            return "useful"
        return "fine" if moment.record.t in self._entered else "stray"

    def _keeps_up(self, moment: Moment, deed: str) -> bool:
        """Returns whether a deed keeps the player alive."""
        upkeep, before = self._numbers["upkeep"], moment.before
        verb, _, what = deed.partition(" ")
        if verb == "ate" or deed == "hit cow":
            return bool(before[_FOOD] <= upkeep["food"])
        if deed == "collected drink":
            return bool(before[_DRINK] <= upkeep["drink"])
        if verb == "fell_asleep":
            tired = before[_ENERGY] <= upkeep["energy"]
            return bool(moment.dark or tired or before[_HEALTH] <= upkeep["health"])
        if verb in ("hit", "defeated"):
            return moment.foe_within(upkeep["strike"], what)
        if verb == "placed":
            if moment.foe_within(upkeep["block"], "zombie", "skeleton"):
                return True
            self._shelters += moment.dark
            return moment.dark and self._shelters <= upkeep["shelter"]
        return False

    def _dithers(self, previous: Moment | None, moment: Moment) -> bool:
        numbers = self._numbers
        if moment.foe_within(numbers["chase"], "zombie", "skeleton"):
            return False
        if moment.crowded and self._hunts:
            return False  # what it hunts walks to and fro
        if previous is not None and _only_moves(previous) and _only_moves(moment):
            (there,) = (e["frm"] for e in _moves(previous))
            if there == moment.record.pos:
                return True
        if moment.waits or moment.crowded:
            return False
        lost = self._stale >= numbers["patience"]
        return lost or bool(self._visits[_pose(moment)] >= numbers["laps"])


def _excuse_turn(found: list[str | None]) -> None:
    """Makes the step before a useful deed fine if it seemed to lead nowhere.

    A player turns to an open cell only by moving: it steps away and comes back.
    """
    number = len(found) - 1
    while number >= 0 and found[number] == "idle":
        number -= 1
    if number >= 0 and found[number] == "dither":
        found[number] = "fine"


def _own(moment: Moment) -> set[str]:
    return {event["type"] for event in moment.record.events} & _OWN


def _pose(moment: Moment) -> object:
    """Returns where the player stands; also where to it looks, if it only turned."""
    record = moment.record
    return record.pos if _moves(moment) else (record.pos, record.facing)


def _moves(moment: Moment) -> list[Mapping[str, object]]:
    return [event for event in moment.record.events if event["type"] == "moved"]


def _only_moves(moment: Moment) -> bool:
    own = _own(moment)
    return "moved" in own and own <= {"moved", "turned"}


def _entered(moments: Sequence[Moment]) -> set[int]:
    """Returns the steps in which a cell is dug that the player enters soon after."""
    found = set()
    for number, moment in enumerate(moments):
        for event in moment.record.events:
            if event["type"] == "collected":
                later = itertools.islice(moments, number + 1, number + 4)
                if any(after.record.pos == event["at"] for after in later):
                    found.add(moment.record.t)
    return found
