"""Plays a policy on a copy of the game, and takes back what goes wrong.

The game is cut into stretches. A stretch that costs more than it brings is played again
from its start with chance actions strewn in, a few times, and the best of these is
kept. If none of them is bearable, the stretches before it are taken back too: mostly
one or two, and now and then many, by the sequence of Luby, Sinclair and Zuckerman
(1993), which begins anew when the player gets farther than ever before.

What comes out is a list of actions. Carried out in the game itself, without any
take-back, it gives exactly what it gave on the copy.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from crafter.core.grid import distance
from crafter.games.craftax.players.progress import milestone, worth
from crafter.games.craftax.players.replica import Mark, Replica

#: Steps of a stretch.
_STRETCH = 24
#: How often a stretch is tried, and how often if what it costs is bearable.
_TRIES, _FEW = 12, 4
#: What a stretch may cost without another try, and what it may cost at all.
_LOSS, _BEARABLE = 3.0, 10.0
#: Failures after which it may cost that much more.
_PATIENCE = 16
#: How likely a chance action is with monsters near, one of these, and without.
_CHANCES, _CALM = (0.05, 0.1, 0.2, 0.35, 0.5), 0.03
#: How near these monsters are.
_NEAR = 8
#: Chance actions.
_ACTIONS = (
    *("noop", "left", "right", "up", "down", "do", "do", "place_stone"),
    *("shoot_arrow", "cast_fireball", "cast_iceball"),
)
#: Stretches without getting farther after which half of them are taken back.
_STALE = 150


class Policy(Protocol):
    """Chooses actions; it can be pickled, and looks at `env` alone."""

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action."""


class Stretch(NamedTuple):
    """A part of a game.

    Attributes:
      actions: What was done.
      mark: The moment after it.
      policy: The policy at this moment, pickled.
      worth: What the moment is worth.
      milestone: How far the player had come.
      over: Whether the game was won.
    """

    actions: list[int]
    mark: Mark
    policy: bytes
    worth: float
    milestone: float
    over: bool


class Takebacks:
    """Lets a policy play on a copy of a game until it wins.

    Args:
      env: An environment of `crafter.games.craftax`, under way; it stays as it is.
      policy: What plays when nothing goes wrong.
      seed: Seed of the chance actions; the same one gives the same game.
      actions: What is done first, and never taken back.

    Attributes:
      replica: The copy of the game, at the end of the latest try.
      record: The farthest that the player ever came, taken back or not.
      tries: How many stretches were played.

    Example:
        takebacks = Takebacks(env, CraftaxPlayer())
        for action in takebacks.play(steps=30_000):
            observation, reward, terminated, truncated, info = env.step(action)
    """

    def __init__(
        self, env: Any, policy: Policy, seed: int = 0, actions: Iterable[int] = ()
    ) -> None:
        self.replica = Replica(env)
        self._random = random.Random(seed)
        known = list(actions)
        ends = [self.replica.step(action) for action in known]
        self._played = [self._stretch(known, policy, over=any(ends))]
        self.record = self._played[0].milestone
        self._failures = self._since = self.tries = 0
        self._fresh = True  # whether what follows was not played yet

    @property
    def actions(self) -> list[int]:
        """What was done and not taken back."""
        return [action for stretch in self._played for action in stretch.actions]

    @property
    def over(self) -> bool:
        """Whether the game is won."""
        return self._played[-1].over

    @property
    def steps(self) -> int:
        """How many actions that are."""
        return self._played[-1].mark.time

    def play(self, steps: int, tries: int = 100_000) -> list[int]:
        """Plays on, and returns what was done and not taken back.

        Args:
          steps: How long the game may get.
          tries: How many stretches may be played in all.
        """
        while not self.over and self.steps < steps and self.tries < tries:
            self.advance()
        return self.actions

    def advance(self) -> None:
        """Plays one stretch, or takes some back."""
        start, best = self._played[-1], self._best()
        if best is None or best.worth < start.worth - self._bearable:
            self._failures += 1
            self._take_back(_luby(self._failures))
            return
        self._played.append(best)
        self._fresh = True
        self._since += 1
        if best.milestone > self.record:
            self.record, self._failures, self._since = best.milestone, 0, 0
        elif self._since >= _STALE and not self.over:
            self._take_back(_STALE // 2)
            self._since = 0

    @property
    def _bearable(self) -> float:
        """What a stretch may cost; with many failures more and more."""
        return _BEARABLE * (1 + self._failures / _PATIENCE)

    def _take_back(self, stretches: int) -> None:
        del self._played[max(len(self._played) - stretches, 1) :]
        self._fresh = False

    def _best(self) -> Stretch | None:
        """Returns the best of some tries, `None` if the player dies in all of them."""
        best = None
        start = self._played[-1]
        for number in range(_TRIES):
            plain = number == 0 and self._fresh
            done = self._try(start, 0.0 if plain else self._random.choice(_CHANCES))
            if done is not None and (best is None or done.worth > best.worth):
                best = done
            allowed = _LOSS if number + 1 < _FEW else self._bearable
            if best is not None and best.worth >= start.worth - allowed:
                break
        return best

    def _try(self, start: Stretch, chance: float) -> Stretch | None:
        """Plays a stretch, with chance actions now and then unless `chance` is 0."""
        self.tries += 1
        replica, policy = self.replica, pickle.loads(start.policy)
        replica.back(start.mark)
        actions: list[int] = []
        for _ in range(_STRETCH):
            action = policy.act(replica, {})
            if chance and self._random.random() < (chance if _near(replica) else _CALM):
                action = replica.action_names.index(self._random.choice(_ACTIONS))
            actions.append(action)
            if replica.step(action):
                dead = replica.player.health <= 0
                return None if dead else self._stretch(actions, policy, over=True)
        return self._stretch(actions, policy)

    def _stretch(
        self, actions: list[int], policy: Policy, over: bool = False
    ) -> Stretch:
        return Stretch(
            actions,
            self.replica.mark(),
            pickle.dumps(policy),
            worth(self.replica),
            milestone(self.replica),
            over,
        )


def _near(replica: Replica) -> bool:
    """Tells whether a monster is near."""
    floor, at = replica.player.floor, replica.player.position
    return any(
        mob.alive and distance(mob.position, at) <= _NEAR
        for mob in (*floor.melee, *floor.ranged)
    )


def _luby(number: int) -> int:
    """Returns an element of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from 1."""
    block = number.bit_length()
    if number == (1 << block) - 1:
        return 1 << (block - 1)
    return _luby(number - (1 << (block - 1)) + 1)
