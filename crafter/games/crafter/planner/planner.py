"""The loop: one action at a time, from the goal, its monitor and what is known."""

from __future__ import annotations

from crafter.games.crafter.planner import agenda, methods, upkeep
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.agenda import Aim
from crafter.games.crafter.planner.combat import dodge, frail, strike_back
from crafter.games.crafter.planner.needs import need, overtaken
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Monitor
from crafter.tasks.world.view import TaskView

#: How often a plan may be given up and made again.
REPLANS = 200
#: For how many steps a need is left alone that could not be satisfied.
LATER = 40
#: For how many steps it goes on after it got away from its enemies; and if it is weak.
BREATH, SHORT = 8, 3
#: Needs that have led it into the open when night falls.
MEALS = ("hunger", "thirst")
#: How many needs are looked after in one step, if those before it were met at once.
NEEDS = 3
#: Steps to keep for the goal itself when waiting for the day.
WORK = 60
#: For how many steps an aim is left alone that could not be reached, by attempt.
PAUSES = (5, 20, 60, 150)
#: A failure that lies back so many steps does not count any more.
FORGIVEN = 300
#: Reasons that waiting does not change.
FINAL = ("no_method", "cap", "missing")


class Planner:
    """Says what to do next to reach a goal.

    Args:
      goal: The goal.
      monitor: How it fares; has been started.
      view: The game as far as it is known.

    Attributes:
      actor: What the methods see.
      replans: How often a plan was given up.
      reason: Why the goal was given up, one of `REASONS`; `None` before that.
    """

    def __init__(self, goal: Goal, monitor: Monitor, view: TaskView) -> None:
        self.actor = Actor(view)
        self.replans = 0
        self.reason: str | None = None
        self._goal, self._monitor = goal, monitor
        self._aim: Aim | None = None
        self._plan: Plan | None = None
        self._need: Plan | None = None
        self._step = 0
        self._fruitful = False
        self._what = ""
        self._later: dict[str, int] = {}
        self._failures: dict[str, list[int]] = {}
        self._last = "planner_error"
        self._unhurried = not agenda.of_night(goal)

    def act(self) -> str:
        """Returns the next action; `noop` when the goal has been given up."""
        self._step += 1
        me = self.actor
        me.watch()
        if me.view.player.sleeping or self._monitor.verdict.final:
            return "noop"
        me.left = self._left()
        agenda.set_limits(me, self._monitor.root)
        # Who may not sleep gets no fresher by waiting.
        unhurried = self._unhurried and me.may("sleep")
        me.patience = me.left - WORK if unhurried else 0.0
        me.on_guard = self._plan is None or me.on_guard
        reflex = self._reflex() if me.on_guard else None
        action = reflex or self._look_after() or self._pursue()
        return action if me.may(action) else "noop"

    def _reflex(self) -> str | None:
        """Returns what cannot wait: a step aside, or a stroke at a creature beside it.

        A player that is hurt runs from several enemies, and does not look for one.
        """
        aside = dodge(self.actor)
        if aside is not None:
            return aside
        hurt = self._need is not None and self._what == "health"
        if hurt and len(self.actor.hostile_within(3)) > 1:
            return None
        return strike_back(self.actor)

    def _look_after(self) -> str | None:
        """Returns the next action for a need that interrupts."""
        me = self.actor
        if self._what in MEALS and self._need is not None and overtaken(me):
            self._what, self._need = "night", upkeep.satisfy(me, "night")
        if self._endangered():
            self._what, self._need = "health", upkeep.satisfy(self.actor, "health")
        elif self._what == "means" and need(me):
            self._need = None
        for _ in range(NEEDS):
            if self._need is None and not self._begin_need():
                return None
            assert self._need is not None
            try:
                return next(self._need)
            except StopIteration:
                if self._what == "health":
                    self._later["health"] = self._step + (
                        SHORT if frail(me) else BREATH
                    )
            except Unsolved as error:
                self._later[self._what] = self._step + LATER
                if self._opens_up(error):
                    continue
            self._need = None
        return None

    def _opens_up(self, error: Unsolved) -> bool:
        """Begins to get what opens the way to what could not be reached, if it may."""
        if error.reason != "unreachable" or self._later.get("means", 0) > self._step:
            return False
        self._later["means"] = self._step + FORGIVEN
        self._what, self._need = "means", upkeep.satisfy(self.actor, "means")
        return True

    def _endangered(self) -> bool:
        """Returns whether its life comes before the need that it looks after."""
        me = self.actor
        other = self._need is not None and self._what != "health"
        rested = self._later.get("health", 0) <= self._step
        return other and rested and me.on_guard and need(me) == "health"

    def _begin_need(self) -> bool:
        """Begins to look after the most urgent need; returns whether there is one."""
        me = self.actor
        if not me.on_guard:
            return False
        what = need(me)
        waits = self._later.get(what or "", 0) > self._step
        if what is None or waits:
            return False
        self._what = what
        self._need = upkeep.satisfy(me, what)
        return True

    def _left(self) -> float:
        """Returns how many steps are left."""
        budget = self._monitor.budget
        return float("inf") if budget is None else budget - self._monitor.steps

    def _pursue(self) -> str:
        """Returns the next action for the goal itself."""
        for _ in range(8):
            aim = self._choose()
            if aim is None:
                return "noop"
            if self._aim is None or aim.node is not self._aim.node:
                self._plan = None
            try:
                return self._advance(aim)
            except StopIteration:
                if not self._fruitful:
                    self._failed(aim, Unsolved("planner_error"))
            except Unsolved as error:
                self._failed(aim, error)
                if self._opens_up(error):
                    self._plan = None
                    return self._look_after() or "noop"
            self._plan = None
        return "noop"

    def _advance(self, aim: Aim) -> str:
        """Returns the next action of the plan for an aim, which is made if need be."""
        if self._plan is None:
            self.actor.keep, self.actor.on_guard = set(), True
            self._aim, self._fruitful = aim, False
            self._plan = methods.method(self.actor, aim)
        action = next(self._plan)
        self._fruitful = True
        return action

    def _choose(self) -> Aim | None:
        """Returns the aim to pursue: the present one if it is not done yet.

        One that is only waited for gives way as soon as there is something to do.
        """
        found = agenda.aims(self._monitor.root, self._estimate)
        at_work = self._aim is not None and not agenda.is_waiting(self._aim)
        if self._aim is not None and self._plan is not None and at_work:
            for aim in found:
                if aim.node is self._aim.node:
                    return aim
        left = [aim for aim in found if not self._hopeless(aim)]
        for aim in left:
            if self._resting(aim) <= self._step:
                return aim
        if found and not left or self.replans > REPLANS:
            self.reason = self._last
        return None

    def _resting(self, aim: Aim) -> int:
        """Returns the step until which an aim is left alone."""
        failures = self._failures.get(aim.node.label, [])
        return failures[-1] + PAUSES[len(failures) - 1] if failures else 0

    def _hopeless(self, aim: Aim) -> bool:
        return len(self._failures.get(aim.node.label, ())) >= len(PAUSES)

    def _estimate(self, aim: Aim) -> float:
        failures = len(self._failures.get(aim.node.label, ()))
        return methods.estimate(self.actor, aim) + 1000 * failures

    def _failed(self, aim: Aim, error: Unsolved) -> None:
        """Takes note of a plan that did not work."""
        self.replans += 1
        self._last = str(error)
        failures = self._failures.setdefault(aim.node.label, [])
        if failures and self._step - failures[-1] > FORGIVEN:
            failures.clear()
        failures.append(self._step)
        if error.reason in FINAL:
            failures.extend([self._step] * len(PAUSES))
