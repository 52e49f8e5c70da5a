"""Task progress: how far each part of a goal came, and what it still lacks.

A part follows a node of the monitor. Conjunctions count as the mean of their parts,
alternatives as the best one, sequences stage by stage. An atom has milestones, its
prerequisites, and a measure of its own. Values never fall; death and violations freeze
and reduce them.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping

from crafter.games.crafter.tasks.scoring.demands import closure
from crafter.games.crafter.tasks.scoring.measures import measure
from crafter.games.crafter.tasks.tables import constants
from crafter.games.crafter.tasks.view import HOSTILE, TaskView
from crafter.tasks import game as games
from crafter.tasks.catalogue.tasks import all_tasks
from crafter.tasks.episodes.generation import WAITS
from crafter.tasks.language.goals import Reach
from crafter.tasks.language.monitors import Node, Verdict
from crafter.tasks.scoring.references import Reference
from crafter.tasks.world.common import Around

#: Events that happen by waiting.
_AWAITED = ("dusk", "dawn", "new_day", "plant_ripe", "arrow_stopped")


def stations_near(view: TaskView) -> set[str]:
    """Returns the stations near enough to use."""
    x, y = view.player.pos
    reach = constants()["near_station"]
    window = view.materials[
        max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1
    ]
    stations = {name for rule in view.rules.make.values() for name in rule["nearby"]}
    return {
        name for name in stations if (window == view.rules.material_ids[name]).any()
    }


def part_of(
    node: Node, view: TaskView, reference: Reference | None, budget: int
) -> Part:
    """Returns the part of a goal that follows a node.

    Args:
      node: The node, which was begun.
      view: The game now.
      reference: A solution, if there is one.
      budget: Steps of the attempt.
    """
    kind = AtomPart if node.term.op in ("event", "state") else Part
    return kind(node, view, reference, budget)


class Part:
    """A part of a goal, and the node that monitors it.

    Args:
      node: Its node, which was begun.
      view: The game now.
      reference: A solution, if there is one.
      budget: Steps of the attempt.

    Attributes:
      node: Its node.
      term: The part.
      parts: Its parts that have started, without negated ones.
      reached: Its progress, 0 to 1.
    """

    def __init__(
        self, node: Node, view: TaskView, reference: Reference | None, budget: int
    ) -> None:
        self.node, self.term = node, node.term
        self._shared = reference, budget
        self.parts: list[Part] = []
        self.reached = 0.0
        self._over, self._steps = False, 0
        self._begin(view)

    def _begin(self, view: TaskView) -> None:
        if self.term.op != "not":
            for node in self.node.children[len(self.parts) :]:
                self.parts.append(part_of(node, view, *self._shared))

    @property
    def value(self) -> float:
        """Its progress, reduced by death or a violation."""
        if self.term.op == "any" and self.node.verdict is not Verdict.DONE:
            return self._progress()  # each part has been cut by what broke it
        return self.reached * self._factor()

    def _factor(self) -> float:
        broken = (self.node.reason or "").startswith(("died", "violated"))
        failed = self.node.verdict is Verdict.FAILED
        penalty: float = constants()["progress"]["penalty"]
        return penalty if broken and failed else 1.0

    def update(self, gained: Mapping[str, int], view: TaskView) -> None:
        """Takes note of a step.

        Args:
          gained: Thing -> how many were made, placed or collected, without removed own
            blocks.
          view: The game after it.
        """
        if self._over:
            return
        self._steps += 1
        self._follow(gained, view)
        if self.node.verdict is Verdict.DONE:
            self.reached = 1.0
        elif self._factor() == 1:
            most = constants()["progress"]["almost"]
            self.reached = max(self.reached, min(self._progress(), most))
        self._over = self.node.verdict.final

    def _follow(self, gained: Mapping[str, int], view: TaskView) -> None:
        for part in self.parts:
            part.update(gained, view)
        self._begin(view)

    def _progress(self) -> float:
        """Returns the current progress."""
        if self.term.op == "any":
            return max(part.value for part in self.parts)
        if self.term.op == "sequence":
            return sum(part.reached for part in self.parts) / len(self.term.parts)
        if self.term.op == "all":
            counted = self._to_do()
            return sum(part.reached for part in counted) / len(counted)
        if self.term.is_safety:
            limited = self.term.op == "within"
            return self._steps / (self.term.n if limited else self._shared[1])
        return self.parts[0].reached

    def _to_do(self) -> list[Part]:
        """Returns the parts, without safety constraints if there are others."""
        return [part for part in self.parts if not part.term.is_safety] or self.parts

    def waits(self, view: TaskView) -> bool:
        """Returns whether waiting advances it."""
        if self._over:
            return False
        tasks = all_tasks(games.of(view.rules))
        tags = [tasks[name].tags for name in self.term.names if name in tasks]
        return any(WAITS in task_tags for task_tags in tags) or self._awaits(view)

    def _awaits(self, view: TaskView) -> bool:
        parts = self.parts if self.term.op == "sequence" else self._to_do()
        return self.term.is_safety or any(part.waits(view) for part in parts)

    def atoms(self) -> Iterator[AtomPart]:
        """Yields the atoms that have started."""
        for part in self.parts:
            yield from part.atoms()


class AtomPart(Part):
    """An event or a state.

    Attributes:
      own: Progress of the atom itself, without milestones.
    """

    def _begin(self, view: TaskView) -> None:
        self._goal, inventory = self.term.goal, view.player.inventory
        near, (reference, _) = stations_near(view), self._shared
        taken = closure([self.term], view.rules, inventory, near, reference)
        self._wanted = taken.milestones
        self._gained: collections.Counter[str] = collections.Counter()
        self.own = 0.0
        self._run = self._longest = 0
        state = isinstance(self._goal, Reach)
        self._measure = measure(self._goal.condition, view) if state else None

    @property
    def milestones(self) -> dict[str, float]:
        """Prerequisite -> share of it that was obtained, 0 to 1."""
        done = self.node.verdict is Verdict.DONE
        return {
            name: 1.0 if done else min(1.0, self._gained[name] / wanted)
            for name, wanted in self._wanted.items()
        }

    def _follow(self, gained: Mapping[str, int], view: TaskView) -> None:
        self._gained.update(gained)
        done = self.node.verdict is Verdict.DONE
        self.own = 1.0 if done else max(self.own, self._share(view))

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

    def _progress(self) -> float:
        shares = self.milestones.values()
        return (sum(shares) + self.own) / (len(shares) + 1)

    def _awaits(self, view: TaskView) -> bool:
        goal = self._goal
        if not isinstance(goal, Reach):
            eats_plant = goal.type == "ate" and ("what", "plant") in goal.filters
            return goal.type in _AWAITED or eats_plant
        condition = goal.condition
        comes = isinstance(condition, Around) and condition.kind in HOSTILE
        return comes or (goal.steps > 1 and self._holds(view))

    def atoms(self) -> Iterator[AtomPart]:
        """Yields the atom."""
        yield self
