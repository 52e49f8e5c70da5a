"""Action control: the share of steps that were useful.

Each step of an awake player gets the first class that applies: null (no effect), idle,
off_task, oscillating, or else useful or fine.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Mapping, Sequence

from crafter.games.crafter.tasks.scoring.references import EFFECTS
from crafter.games.crafter.tasks.scoring.replay import Moment, Trace
from crafter.games.crafter.tasks.tables import constants

#: Classes of wasted steps.
WASTED = ("null", "idle", "off_task", "oscillating")
#: Materials on which a removed block has served as a stepping stone.
_BRIDGED = ("water", "lava")


def share(classes: Sequence[str | None], progress: float, left: int = 0) -> float:
    """Returns the action control of an attempt.

    Args:
      classes: The classes of its steps.
      progress: Its task progress; control counts in part where it is small.
      left: Steps of the budget that were lost to death or a violated subgoal; some of
        them count as idle, so that ending an attempt early does not pay.
    """
    counted = [kind for kind in classes if kind is not None]
    used = sum(kind not in WASTED for kind in counted)
    lost = min(left, constants()["control"]["cut"])
    return engaged(progress) * used / max(1, len(counted) + lost)


def engaged(progress: float) -> float:
    """Returns how much an attempt engages with the task, 0 to 1."""
    return min(1.0, progress / float(constants()["control"]["engaged"]))


class Classifier:
    """Assigns a class to every step of an episode.

    Args:
      trace: The episode.
      useful: Effect -> how often the goal takes it.
    """

    def __init__(self, trace: Trace, useful: Mapping[str, int]) -> None:
        self._numbers = constants()["control"]
        self._moments = trace.moments
        factor, plus = self._numbers["surplus"]
        self._limits = {effect: factor * n + plus for effect, n in useful.items() if n}
        self._hunts = any(effect.startswith("hit ") for effect in self._limits)
        self._chances = {
            f"collected {item}": rule.get("probability", 1.0)
            for rule in trace.rules.collect.values()
            for item in rule["receive"]
        }
        self._done: collections.Counter[str] = collections.Counter()
        self._visits: collections.Counter[object] = collections.Counter()
        self._needless_sleep = False
        self._stale = 0
        self._defences: set[int] = set()
        back = [b for b in trace.undone if b.on not in _BRIDGED]
        makes_roads = any("road" in atom.node.label for atom in trace.part.atoms())
        self._undone = {
            step
            for block in back
            if not makes_roads or block.on == "path"  # it leaves a new path
            for step in (block.placed, block.taken)
        }

    def classes(self) -> list[str | None]:
        """Returns the class of every step; `None` for sleep that is needed."""
        classes: list[str | None] = []
        for number, moment in enumerate(self._moments):
            before, after = moment.before, moment.after
            kind = self._class(number, moment)
            if kind == "useful" and not moment.find("made"):
                _excuse_turn(classes)
            classes.append(kind)
            gains = kind == "useful" or after.progress > before.progress
            if gains or number in self._defences:
                self._visits.clear()
                self._stale = 0
            self._stale = 0 if after.seen > before.seen else self._stale + 1
            self._visits[_pose(moment)] += 1
        return classes

    def _class(self, number: int, moment: Moment) -> str | None:
        record = moment.record
        if record.forced:
            return "off_task" if self._needless_sleep else None
        if record.action == "noop":
            return "fine" if self._may_wait(moment) else "idle"
        if not moment.find("moved", "turned", "missed", *EFFECTS):
            return "null"
        effects = dict.fromkeys(moment.effects, 1.0)
        for event in record.events:
            if event["type"] == "missed":  # a try counts as the luck to be hoped for
                effect = f"collected {event['what']}"
                effects[effect] = self._chances[effect]
        if effects:
            return self._class_of_effects(number, moment, effects)
        return "oscillating" if self._oscillates(number, moment) else "fine"

    def _may_wait(self, moment: Moment) -> bool:
        """Returns whether waiting has a reason: the goal, a foe, or the night."""
        now = moment.before
        return now.waits or now.crowded or now.shut_in

    def _class_of_effects(
        self, number: int, moment: Moment, effects: Mapping[str, float]
    ) -> str:
        upkeep = all(self._keeps_up(moment, effect) for effect in effects)
        within = all(
            self._done[effect] < self._limits.get(effect, 0) for effect in effects
        )
        self._done.update(effects)
        if "fell_asleep" in effects:
            self._needless_sleep = not (upkeep or within)
        if upkeep:
            self._defences.add(number)
            return "fine"
        if moment.record.t in self._undone:
            return "off_task"
        return "useful" if within else "fine" if self._enters(number) else "off_task"

    def _keeps_up(self, moment: Moment, effect: str) -> bool:
        """Returns whether an effect serves survival."""
        upkeep, now = self._numbers["upkeep"], moment.before
        health, food, drink, energy = now.vitals
        match effect.split():
            case ["ate", _] | ["hit", "cow"]:
                return bool(food <= upkeep["food"])
            case ["collected", "drink"]:
                return bool(drink <= upkeep["drink"])
            case ["fell_asleep"]:
                weak = energy <= upkeep["energy"] or health <= upkeep["health"]
                return bool(now.dark or weak)
            case ["hit" | "defeated", foe]:
                return bool(now.far(foe) <= upkeep["strike"])
            case ["placed", _]:
                return now.dark or now.far("zombie", "skeleton") <= upkeep["block"]
        return False

    def _enters(self, number: int) -> bool:
        """Returns whether the player digs a cell and enters it soon after."""
        dug = self._moments[number].find("collected")
        soon = itertools.islice(self._moments, number + 1, number + 4)
        return dug is not None and any(m.record.pos == dug["at"] for m in soon)

    def _oscillates(self, number: int, moment: Moment) -> bool:
        numbers, now = self._numbers, moment.before
        if now.far("zombie", "skeleton") <= numbers["chase"]:
            return False
        if now.crowded and self._hunts:
            return False  # what it hunts walks to and fro
        last = self._moments[number - 1].find("moved") if number else None
        if last and moment.find("moved") and last["frm"] == moment.record.pos:
            return True
        if now.waits or now.crowded:
            return False
        lost = self._stale >= numbers["patience"]
        return lost or bool(self._visits[_pose(moment)] >= numbers["laps"])


def _excuse_turn(classes: list[str | None]) -> None:
    """Excuses an oscillating step before a useful effect.

    A player can only face an open cell by moving: it steps away and comes back.
    """
    number = len(classes) - 1
    while number >= 0 and classes[number] == "idle":
        number -= 1
    if number >= 0 and classes[number] == "oscillating":
        classes[number] = "fine"


def _pose(moment: Moment) -> object:
    """Returns the position of the player, with its facing if it only turned."""
    record = moment.record
    return record.pos if moment.find("moved") else (record.pos, record.facing)
