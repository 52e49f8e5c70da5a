"""Planning loop: chooses the next action from the goal and its monitor."""

from __future__ import annotations

from crafter.games.crafter.planner import methods
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import dodge, strike_back
from crafter.games.crafter.planner.gather import open_up
from crafter.games.crafter.planner.survival import need, satisfy
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Monitor, Node

#: Maximum number of replans, in total and per step.
REPLANS, AT_ONCE = 200, 8
#: Steps for which an unsatisfiable need is ignored, and the need for health after an
#: escape.
LATER, BREATH = 40, 8
#: Maximum number of needs considered in one step.
NEEDS = 3
#: Steps reserved for the goal when waiting for the day.
WORK = 60
#: Steps for which a failed subgoal is ignored, by number of failures.
PAUSES = (5, 20, 60, 150)
#: Steps after which failures are forgotten.
FORGIVEN = 300
#: Reasons that are final.
FINAL = ("no_method", "cap", "missing")


class Planner:
    """Chooses actions that reach a goal.

    Args:
      goal: The goal.
      monitor: Its monitor, started.
      view: The known game.

    Attributes:
      actor: State that the methods read.
      reason: Why the goal was given up, one of `REASONS`; `None` before that.
    """

    def __init__(self, goal: Goal, monitor: Monitor, view: TaskView) -> None:
        self.actor = Actor(view)
        self._replans = 0
        self.reason: str | None = None
        self._monitor = monitor
        self._aim: Node | None = None
        self._plan: Plan | None = None
        self._what, self._need = "", None
        self._step, self._opened = 0, -FORGIVEN
        self._later: dict[str, int] = {}
        self._failures: dict[str, list[int]] = {}
        self._last = "planner_error"
        self._unhurried = not methods.of_night(goal)

    _need: Plan | None

    def act(self) -> str:
        """Returns the next action; `noop` when the goal has been given up."""
        self._step += 1
        me, monitor = self.actor, self._monitor
        me.watch()
        if me.view.player.sleeping or monitor.verdict.final:
            return "noop"
        methods.set_limits(me, monitor.root)
        # Waiting does not help a player that must not sleep.
        unhurried = self._unhurried and me.may("sleep")
        budget = float("inf") if monitor.budget is None else monitor.budget
        me.patience = budget - monitor.steps - WORK if unhurried else 0.0
        action = self._reflex() or self._look_after() or self._pursue()
        return action if me.may(action) else "noop"

    def _reflex(self) -> str | None:
        """Returns an urgent action: dodging, or striking an adjacent creature.

        An injured player runs from several enemies instead.
        """
        hurt = self._need is not None and self._what == "health"
        runs = hurt and len(self.actor.hostile_within(3)) > 1
        return dodge(self.actor) or (None if runs else strike_back(self.actor))

    def _look_after(self) -> str | None:
        """Returns the next action for a need that interrupts."""
        for _ in range(NEEDS):
            if self._need is None:
                what = need(self.actor)
                if what is None or self._later.get(what, 0) > self._step:
                    return None
                self._what, self._need = what, satisfy(self.actor, what)
            try:
                return next(self._need)
            except StopIteration:
                if self._what == "health":
                    self._later["health"] = self._step + BREATH
            except Unsolved:
                self._later[self._what] = self._step + LATER
            self._need = None
        return None

    def _pursue(self) -> str:
        """Returns the next action for the goal itself."""
        for _ in range(AT_ONCE):
            aim = self._choose()
            if aim is None:
                return "noop"
            fruitful = self._plan is not None and aim is self._aim
            if not fruitful:
                self.actor.keep = set()
                self._aim, self._plan = aim, methods.method(self.actor, aim)
            try:
                assert self._plan is not None
                return next(self._plan)
            except StopIteration:
                self._plan = None
                if not fruitful:
                    self._failed(aim, Unsolved("planner_error"))
            except Unsolved as error:
                self._plan = None
                self._failed(aim, error)
                opened_again = self._opened + FORGIVEN <= self._step
                if error.reason == "unreachable" and opened_again:
                    self._opened, self._plan = self._step, open_up(self.actor)
        return "noop"

    def _choose(self) -> Node | None:
        """Returns the subgoal to pursue: the present one if it is not done yet.

        Negated subgoals give way to others.
        """
        aims = methods.aims(self._monitor.root)
        for aim in aims if self._plan else ():
            if aim is self._aim and not methods.is_waiting(aim):
                return aim
        left = [aim for aim in aims if len(self._failed_at(aim)) < len(PAUSES)]
        left.sort(key=lambda aim: (methods.is_waiting(aim), len(self._failed_at(aim))))
        for aim in left:
            failures = self._failed_at(aim)
            if not failures or failures[-1] + PAUSES[len(failures) - 1] <= self._step:
                return aim
        if aims and not left or self._replans > REPLANS:
            self.reason = self._last
        return None

    def _failed_at(self, aim: Node) -> list[int]:
        """Returns the steps at which plans for a subgoal failed."""
        return self._failures.setdefault(aim.label, [])

    def _failed(self, aim: Node, error: Unsolved) -> None:
        """Records a failed plan."""
        self._replans += 1
        self._last = str(error)
        failures = self._failed_at(aim)
        if failures and self._step - failures[-1] > FORGIVEN:
            failures.clear()
        again = len(PAUSES) if error.reason in FINAL else 1
        failures.extend([self._step] * again)
