"""A planner that plays ahead on copies of the game where it is in danger.

It is the rollout algorithm: a planner goes on, on a few copies, as it would in the
game. If that goes well, it is done. Otherwise it is compared with other ways to begin,
each followed by the same planner, and the best one on average is taken.

The copies have random streams of their own, see `crafter.tasks.replicas`, so that
nothing of the game's own future is known. Effort is counted in steps, not in seconds:
the same scene gives the same actions on every machine.

Source: Bertsekas, Tsitsiklis and Wu 1997, "Rollout algorithms for combinatorial
optimization".
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from crafter.games.crafter.planner import Planner
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import flee, hunt, threats
from crafter.games.crafter.planner.moves import some
from crafter.games.crafter.planner.shelter import seal_in, shut_in
from crafter.games.crafter.planner.stand import can_stand, stand
from crafter.games.crafter.planner.upkeep import satisfy
from crafter.tasks.attempt import Attempt
from crafter.tasks.monitors import Monitor
from crafter.tasks.replicas import Moment, Replica
from crafter.tasks.verdicts import Verdict

#: How many steps it plays ahead.
AHEAD = 48
#: Steps in the game between two looks ahead, and with somebody as near as that.
REST, HASTE, CLOSE_BY = 5, 3, 3
#: It stops before if nobody has been near for so many steps.
CALM = 6
#: How often the planner's own way is tried, every other way, and each of the best.
SURE, GLANCE, CLOSE = 5, 1, 5
#: How many of the best ways are looked at closely.
BEST = 3
#: Steps on copies in one attempt; after these it goes on without.
EFFORT = 40_000
#: How near a creature is a danger; and for a player that must not be hurt.
NEAR, WARY = 6, 10
#: What a moment may lose without a search, and what another way has to be better by.
BEARABLE, BETTER = 0.15, 0.03
#: What it loses health without.
NEEDS = ("hunger", "thirst", "fatigue")
#: How long needs are left alone, and how far it runs.
PRESSED, FAR = 30, 12


class Way(NamedTuple):
    """A way to go on.

    Attributes:
      action: What is done first, or `None`.
      begin: Prepares the planner that goes on then.
    """

    action: str | None = None
    begin: Callable[[Planner], None] | None = None


def _attending(method: Callable[[Actor], Plan], planner: Planner) -> None:
    """Lets a planner follow a method first, no longer than was looked ahead."""
    planner.attend(some(method(planner.actor), AHEAD))


def _stand_siege(me: Actor) -> Plan:
    """Stays behind walls while zombies wait outside."""
    yield from seal_in(me)
    while shut_in(me) and me.zombie_within(NEAR):
        yield "noop"


def _make_a_stand(me: Actor) -> Plan:
    """Walls itself in where it is, if it can bear the blows meanwhile."""
    if can_stand(me):
        yield from stand(me)


def _fight(me: Actor) -> Plan:
    """Goes at the zombies that are near."""
    if me.zombie_within(NEAR) and not me.peaceful:
        yield from hunt(me, "zombie", lambda: not me.zombie_within(NEAR))


_METHODS: tuple[Callable[[Actor], Plan], ...] = (
    functools.partial(satisfy, what="night"),
    functools.partial(satisfy, what="health"),
    functools.partial(satisfy, what="thirst"),
    functools.partial(satisfy, what="hunger"),
    functools.partial(flee, far=FAR),
    _stand_siege,
    _make_a_stand,
    _fight,
)
#: What the planner does of its own accord.
_OWN = Way()
_OTHERS = (
    *(Way(begin=functools.partial(_attending, method)) for method in _METHODS),
    Way(begin=functools.partial(Planner.press_on, steps=PRESSED)),
)
_ACTIONS = ("noop", "do", "place_stone")


class Searcher:
    """Says what to do next to reach a goal, with a look ahead where it matters.

    Args:
      env: The `crafter.Env`; only looked at.
      attempt: The attempt at a goal that is made in it.
      name: Decides what happens by chance on the copies.

    Attributes:
      effort: Steps on copies so far.
    """

    def __init__(self, env: Any, attempt: Attempt, name: str) -> None:
        assert attempt.goal is not None and attempt.monitor is not None
        self._env, self._attempt, self._name = env, attempt, name
        view = attempt.watcher.view
        self._monitor: Monitor = attempt.monitor
        self._planner = Planner(attempt.goal, self._monitor, view)
        self._rested = 0
        self.effort = 0

    @property
    def replans(self) -> int:
        """How often a plan was given up."""
        return self._planner.replans

    @property
    def reason(self) -> str | None:
        """Why the goal was given up; `None` before that."""
        return self._planner.reason

    def act(self) -> str:
        """Returns the next action; `noop` when the goal has been given up."""
        step = self._attempt.watcher.steps
        if step >= self._rested and self.effort < EFFORT and self._in_danger():
            close = self._planner.actor.hostile_within(CLOSE_BY)
            self._rested = step + (HASTE if close else REST)
            way = self._best(Moment(self._env, self._attempt, f"{self._name}|{step}"))
            if way is not _OWN:
                self._planner = self._follower(
                    way, self._monitor, self._planner.actor.view
                )
                if way.action is not None:
                    return way.action
        return self._planner.act()

    def _in_danger(self) -> bool:
        """Returns whether it is worth while to look ahead."""
        me = self._planner.actor
        if me.view.player.sleeping or self._monitor.verdict.final:
            return False
        me.thoughts = 0
        near = WARY if me.careful else NEAR
        if me.view.objects("arrow") and me.hostile_within(2 * NEAR):
            return True
        return _starves(me) if shut_in(me) else bool(threats(me, near))

    def _ways(self) -> Sequence[Way]:
        """Returns the other ways to go on."""
        me = self._planner.actor
        actions = [*me.moves.values(), *_ACTIONS]
        if not me.inventory["stone"]:
            actions.remove("place_stone")
        return [*_OTHERS, *(Way(action) for action in actions if me.may(action))]

    def _best(self, moment: Moment) -> Way:
        """Returns the way that is worth most, on average over a few futures."""
        worth = functools.cache(functools.partial(self._worth, moment))

        def mean(way: Way, tries: int) -> float:
            return sum(worth(way, number) for number in range(tries)) / tries

        own = mean(_OWN, SURE)
        if own >= standing(self._planner.actor, self._monitor) - BEARABLE:
            return _OWN
        ways = sorted(self._ways(), key=lambda way: -mean(way, GLANCE))[:BEST]
        best = max(ways, key=lambda way: mean(way, CLOSE))
        return best if mean(best, CLOSE) > mean(_OWN, CLOSE) + BETTER else _OWN

    def _follower(self, way: Way, monitor: Monitor, view: object) -> Planner:
        planner = self._planner.heir(monitor, view)  # type: ignore[arg-type]
        if way.begin is not None:
            way.begin(planner)
        return planner

    def _worth(self, moment: Moment, way: Way, number: int) -> float:
        """Returns what a way came to on a copy."""
        replica = moment.replica(number)
        monitor = replica.monitor
        before, begun = monitor.progress, monitor.steps
        planner = self._follower(way, monitor, replica.view)
        action, calm = way.action, 0
        for _ in range(AHEAD):
            replica.step(planner.act() if action is None else action)
            action = None
            calm = 0 if _threatened(planner.actor) else calm + 1
            over = monitor.verdict.final or planner.reason is not None
            if over or calm == CALM:
                break
        played = monitor.steps - begun
        self.effort += played
        outcome = _outcome(replica, planner, played / AHEAD)
        return outcome + monitor.progress - before


def _outcome(replica: Replica, planner: Planner, part: float) -> float:
    """Returns what the end of a try is worth.

    Args:
      replica: The copy.
      planner: Who played on it.
      part: How much of the look ahead was played.
    """
    verdict = replica.monitor.verdict
    if verdict is Verdict.DONE:
        return 2.0
    if verdict is Verdict.FAILED or planner.reason is not None:
        return part / 2 - 1
    return standing(planner.actor, replica.monitor)


def _starves(me: Actor) -> bool:
    """Returns whether it loses health behind its walls."""
    return min(map(me.vital, NEEDS)) <= 0


def _threatened(me: Actor) -> bool:
    """Returns whether the player may lose health soon."""
    if shut_in(me):
        return _starves(me)
    return bool(me.hostile_within(NEAR + 2))


def standing(me: Actor, monitor: Monitor) -> float:
    """Returns how well a player stands that is alive, 0 to 1."""
    life = me.rules.life
    lacks = sum(max(0, 3 - me.vital(name)) for name in NEEDS) / (3 * len(life))
    health = me.inventory["health"] / int(me.rules.items["health"]["max"])
    exposed = me.dark and not shut_in(me)
    return 1 - (1 - health) ** 2 - lacks / 2 - 0.1 * exposed
