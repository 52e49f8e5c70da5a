"""Plays a policy on a copy of the game, and takes back what goes wrong.

The game is cut into stretches. A stretch that costs more than it brings is played again
from its start with chance actions strewn in, several times, and the best of these is
kept. If none of them is good enough, the stretches before it are taken back, one at
first, then twice as many each time.
"""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from crafter.players.craftax.progress import milestone, worth
from crafter.players.craftax.replica import Mark, Replica
from crafter.players.grid import distance

_STRETCH = 24
_TRIES = 10
_CHANCES = (0.05, 0.1, 0.2, 0.35, 0.5)
_CALM = 0.03
_LOSS = 3.0
_DIRE = 10.0
_NEAR = 8
_GROWTH = 1.25
_STALE = 150
_CHOICES = (
    *("noop", "left", "right", "up", "down", "do", "do", "place_stone"),
    *("shoot_arrow", "cast_fireball", "cast_iceball"),
)


class Stretch(NamedTuple):
    """How a stretch was played.

    Attributes:
      actions: What was done.
      mark: The moment after it.
      policy: The policy then, pickled.
      worth: What the moment after it is worth.
    """

    actions: list[int]
    mark: Mark
    policy: bytes
    worth: float
    milestone: float
    over: bool


class Takebacks:
    def __init__(self, env: Any, policy: Any, seed: int = 0, tell=None) -> None:
        self.replica = Replica(env)
        self._policy = policy
        self._random = random.Random(seed)
        self.played = [
            Stretch([], self.replica.mark(), pickle.dumps(policy), worth(self.replica), 0.0, False)
        ]
        self.tell = tell or (lambda *a: None)
        self.tried = 0

    def play(self, steps: int = 100_000) -> list[int]:
        fails, record, since, fresh = 0, 0.0, 0, True
        while not self.played[-1].over and self.replica.time < steps:
            best = self._best(fresh)
            start = self.played[-1]
            if best is not None and best.worth >= start.worth - _DIRE and since < _STALE:
                self.played.append(best)
                fresh, since = True, since + 1
                if best.milestone > record:
                    record, fails, since = best.milestone, 0, 0
            else:
                fails += 1
                back = math.ceil(_GROWTH**fails)
                if since >= _STALE:
                    back, since = since // 2, since // 2
                self.tell("back", back, self)
                del self.played[max(len(self.played) - back, 1) :]
                fresh = False
            self.tell("on", 0, self)
        return [a for s in self.played for a in s.actions]

    def _best(self, fresh: bool) -> Stretch | None:
        best = None
        start = self.played[-1]
        for number in range(_TRIES):
            chance = 0.0 if fresh and number == 0 else self._random.choice(_CHANCES)
            done = self._try(start, chance)
            if done is None:
                continue
            if best is None or done.worth > best.worth:
                best = done
            if best.worth >= start.worth - _LOSS:
                break
        return best

    def _try(self, start: Stretch, chance: float) -> Stretch | None:
        self.tried += 1
        replica, draw = self.replica, self._random
        replica.back(start.mark)
        policy = pickle.loads(start.policy)
        names = replica.action_names
        actions = []
        for _ in range(_STRETCH):
            action = policy.act(replica, {})
            if chance:
                at = replica.player.position
                floor = replica.player.floor
                near = any(
                    m.alive and distance(m.position, at) <= _NEAR
                    for m in (*floor.melee, *floor.ranged)
                )
                if draw.random() < (chance if near else _CALM):
                    action = names.index(draw.choice(_CHOICES))
            actions.append(action)
            if replica.step(action):
                if replica.player.health <= 0:
                    return None
                return Stretch(actions, replica.mark(), b"", worth(replica), milestone(replica), True)
        return Stretch(actions, replica.mark(), pickle.dumps(policy), worth(replica), milestone(replica), False)
