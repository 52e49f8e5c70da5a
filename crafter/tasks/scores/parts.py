"""Parts of a goal, and its atoms: how far each came, and what it still lacks.

A part follows a node of the monitor. An atom has milestones, which are what has to be
had before, and a measure of its own. Values never fall; death and a broken rule freeze
them and take a part away.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from crafter.games.crafter.rules import Rules
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.conditions import HOSTILE, VITALS, Around, Comparison, Day, Night
from crafter.tasks.goals import Event, Reach
from crafter.tasks.monitors import Node
from crafter.tasks.records import StepRecord
from crafter.tasks.scores.constants import constants
from crafter.tasks.scores.demands import Atom, closure, demand, start_of
from crafter.tasks.scores.measures import measure
from crafter.tasks.scores.references import Reference
from crafter.tasks.verdicts import Verdict
from crafter.tasks.view import TaskView

#: Events that come by waiting.
_AWAITED = ("dusk", "dawn", "new_day")


class Context(NamedTuple):
    """What the parts of a goal share.

    Attributes:
      rules: The rules of the game.
      reference: A solution, if there is one.
      budget: Steps of the attempt.
    """

    rules: Rules
    reference: Reference | None
    budget: int


def stations_near(view: TaskView) -> set[str]:
    """Returns the stations that are near enough not to be lacking."""
    x, y = view.player.pos
    reach = constants()["near_station"]
    window = view.materials[
        max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1
    ]
    stations = {name for rule in view.rules.make.values() for name in rule["nearby"]}
    return {
        name for name in stations if (window == view.rules.material_ids[name]).any()
    }


class Part(abc.ABC):
    """A part of a goal, and the node that monitors it.

    Args:
      node: Its node.
      context: What the parts share.
      parts: What it is made of, as far as it was begun.

    Attributes:
      node: Its node.
      term: The part.
      parts: What it is made of, as far as it was begun.
      reached: How far it came, 0 to 1.
    """

    def __init__(self, node: Node, context: Context, parts: list[Part]) -> None:
        self.node, self.term, self.parts = node, node.term, parts
        self._context = context
        self.reached = 0.0
        self._over = False

    @property
    def value(self) -> float:
        """How far it came, less what death or a broken rule takes away."""
        return self.reached * self._factor()

    def _factor(self) -> float:
        reason = self.node.reason or ""
        broken = reason.startswith(("died", "violated"))
        if self.node.verdict is Verdict.FAILED and broken:
            penalty: float = constants()["progress"]["penalty"]
            return penalty
        return 1.0

    def update(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        """Takes note of a step.

        Args:
          record: Its record.
          gained: Item -> how much was collected that was not the player's before.
          view: The game after it.
        """
        if self._over:
            return
        self._follow(record, gained, view)
        if self.node.verdict is Verdict.DONE:
            self.reached = 1.0
        elif self._factor() == 1:
            most = constants()["progress"]["almost"]
            self.reached = max(self.reached, min(self._measured(), most))
        self._over = self.node.verdict.final

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        for part in self.parts:
            part.update(record, gained, view)

    @abc.abstractmethod
    def _measured(self) -> float:
        """Returns how far it has come now."""

    def waits(self, view: TaskView) -> bool:
        """Returns whether there is something that comes by waiting only."""
        if self._over:
            return False
        known = all_tasks()
        tags = [known[name].tags for name in self.term.names if name in known]
        return any("waits" in own for own in tags) or self._awaits(view)

    def _awaits(self, view: TaskView) -> bool:
        return any(part.waits(view) for part in self.parts)

    def atoms(self) -> Iterator[AtomPart]:
        """Yields the atoms that were begun."""
        for part in self.parts:
            yield from part.atoms()


class AtomPart(Part):
    """An event or a state.

    Args:
      node: Its node.
      context: What the parts share.
      view: The game as it begins.

    Attributes:
      milestones: What has to be had before -> how much of it there was, 0 to 1.
      own: How much of the atom itself there was.
    """

    def __init__(self, node: Node, context: Context, view: TaskView) -> None:
        super().__init__(node, context, [])
        self._goal = node.term.goal
        atom = Atom(node.term)
        inventory = start_of(atom, view.player.inventory, context.rules)
        found = closure(
            demand(atom, context.rules),
            context.rules,
            inventory,
            stations_near(view),
            context.reference,
        )
        self._wanted = found.milestones
        # Placing a stone is not having one more.
        self._gathered = {*context.rules.items} - {*context.rules.make}
        self.milestones = dict.fromkeys(found.milestones, 0.0)
        self.own = 0.0
        self._gained = dict.fromkeys(found.milestones, 0)
        self._run = self._longest = 0
        self._measure = None
        if isinstance(self._goal, Reach):
            self._measure = measure(self._goal.condition, view)

    def _follow(
        self, record: StepRecord, gained: Mapping[str, int], view: TaskView
    ) -> None:
        for name, wanted in self._wanted.items():
            self._gained[name] += gained.get(name, 0)
            self._gained[name] += sum(
                event["type"] in ("made", "placed") and event["what"] == name
                for event in record.events
                if name not in self._gathered
            )
            share = min(1.0, self._gained[name] / wanted)
            self.milestones[name] = max(self.milestones[name], share)
        if self.node.verdict is Verdict.DONE:
            self.own = 1.0
            self.milestones = dict.fromkeys(self.milestones, 1.0)
        else:
            self.own = max(self.own, self._share(view))

    def _share(self, view: TaskView) -> float:
        if not isinstance(self._goal, Reach):
            return self.node.progress
        near = 0.0 if self._measure is None else self._measure(view)
        hold = self._goal.steps
        if hold == 1:
            return near
        self._run = self._run + 1 if self._holds(view) else 0
        self._longest = max(self._longest, self._run)
        lasted = self._longest / hold
        return lasted if self._measure is None else (near + lasted) / 2

    def _holds(self, view: TaskView) -> bool:
        conditions = self.term.conditions("when", "where")
        return all(c.holds(view) for c in (self._goal.condition, *conditions))

    def _measured(self) -> float:
        return (sum(self.milestones.values()) + self.own) / (len(self.milestones) + 1)

    def _awaits(self, view: TaskView) -> bool:
        times = self.term.conditions("when")
        if any(isinstance(c, (Night, Day)) and not c.holds(view) for c in times):
            return True
        if isinstance(self._goal, Reach):
            return _state_waits(self._goal, self._holds(view))
        return _event_waits(self._goal, view)

    def atoms(self) -> Iterator[AtomPart]:
        """Yields the atom."""
        yield self


def _state_waits(goal: Reach, holds: bool) -> bool:
    condition = goal.condition
    if isinstance(condition, Comparison):
        item = getattr(condition.quantity, "item", None)
        falls = item in VITALS and condition.relation in ("<=", "<")
        if falls or item == "health":
            return True
    if isinstance(condition, Around) and condition.kind in HOSTILE:
        return True  # they come by themselves
    return goal.steps > 1 and holds


def _event_waits(goal: Event, view: TaskView) -> bool:
    if goal.type in _AWAITED:
        return True
    ripens = goal.type == "plant_ripe" or ("what", "plant") in goal.filters
    if ripens and goal.type in ("plant_ripe", "ate"):
        plants = view.objects("plant")
        return bool(plants) and not any(plant.ripe for plant in plants)
    if goal.type == "arrow_stopped":
        return bool(view.objects("skeleton"))
    return False
