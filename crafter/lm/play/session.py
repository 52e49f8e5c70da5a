"""Session: one game, step by step."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from crafter.lm import game as games
from crafter.lm.play.quest import Quest
from crafter.lm.rendering.facts import StepRecord
from crafter.lm.rendering.memory import MemoryMap
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.words import Words


@dataclasses.dataclass
class History:
    """What happened in a game so far.

    Attributes:
      records: Its steps.
      memory: The map of what was seen.
      observed: Numbers of steps after which an observation was made, in order.
      reason: Why the game is over, or `None`.
    """

    records: list[StepRecord] = dataclasses.field(default_factory=list)
    memory: MemoryMap = dataclasses.field(default_factory=MemoryMap)
    observed: list[int] = dataclasses.field(default_factory=list)
    reason: str | None = None

    def copy(self) -> History:
        """Returns a copy that does not change with this one."""
        return History(
            list(self.records),
            copy.deepcopy(self.memory),
            list(self.observed),
            self.reason,
        )


@dataclasses.dataclass
class Limits:
    """Counts the calls of a game and says when they are used up.

    Args:
      max_actions: Steps after which a game ends, or `None`.
      max_calls: Calls after which a game ends, or `None`.
      invalid_limit: Invalid calls in a row that end a game, or `None`.
      max_batch: Most actions of one call.

    Attributes:
      calls: Calls so far.
      invalid: Those of them that had an error.

    Raises:
      ValueError: If a limit is less than 1.
    """

    max_actions: int | None = None
    max_calls: int | None = None
    invalid_limit: int | None = None
    max_batch: int = 20
    calls: int = dataclasses.field(default=0, init=False)
    invalid: int = dataclasses.field(default=0, init=False)
    _in_row: int = dataclasses.field(default=0, init=False)

    def __post_init__(self) -> None:
        for name in ("max_actions", "max_calls", "invalid_limit", "max_batch"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be at least 1, got {number!r}.")

    def reset(self) -> None:
        """Starts counting for another game."""
        self.calls = self.invalid = self._in_row = 0

    def count(self, valid: bool) -> None:
        """Counts a call."""
        self.calls += 1
        self.invalid += not valid
        self._in_row = 0 if valid else self._in_row + 1

    @property
    def calls_left(self) -> int | None:
        """Calls that may still be made, or `None` for any number."""
        return None if self.max_calls is None else self.max_calls - self.calls

    def reason(self) -> str | None:
        """Returns why no more calls are taken, or `None`; see `CrafterACI.reason`."""
        if self.invalid_limit is not None and self._in_row >= self.invalid_limit:
            return "invalid_limit"
        return "cap_calls" if self.calls_left == 0 else None


class Session:
    """Steps an environment and remembers what was seen and what happened.

    Args:
      env: The environment, with events.
      words: The words of the game.
      night: What darkness hides; see `crafter.lm.rendering.perception.Perception`.
      limits: Limits that the interface sets.
      quest: The task that is attempted, or `None`.

    Attributes:
      env: The environment.
      limits: Limits, and what counted against them so far.
      quest: The task, or `None`.
      words: The words of the game.
      perception: Reads the moments.
      history: What happened so far.
      first_step: Step of the environment at which the game began; not 0 if it went on
        from a state.
      moment: What is seen now.
      before: What was seen before the latest step.
      game: What is known of the game.
    """

    def __init__(
        self,
        env: Any,
        words: Words,
        night: str = "as_seen",
        limits: Limits | None = None,
        quest: Quest | None = None,
    ) -> None:
        self.env, self.words, self.quest = env, words, quest
        self.limits = Limits() if limits is None else limits
        self.game = games.find(env.game)
        self.perception = self.game.perception(words, night)
        self.history = History()
        self.first_step = 0
        self.moment: Moment
        self.before: Moment

    def start(self, seed: int | None, options: Mapping[str, Any]) -> None:
        """Starts a game.

        Args:
          seed: Of the sequence of worlds; `None` to go on with it.
          options: Options of `Env.reset`.
        """
        self.env.reset(seed=seed, options=options)
        self._begin()

    def attempt(self, number: int) -> None:
        """Starts an attempt at the task; see `Quest.begin`."""
        assert self.quest is not None
        self.quest.begin(number)
        self._begin()

    def _begin(self) -> None:
        self.history = History()
        self.look()
        self.first_step = self.moment.snapshot.step

    def look(self) -> None:
        """Sees the present moment, after the environment was set to it."""
        self.moment = self.before = self.perception.look(self.env.snapshot())

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.history.reason is not None

    @property
    def steps(self) -> int:
        """Steps of this game."""
        return len(self.history.records)

    @property
    def step_limit(self) -> int | None:
        """Step of the environment at which the game ends, or `None`."""
        length = self.game.length(self.env)
        limits = [length] if length else []
        if self.limits.max_actions is not None:
            limits.append(self.first_step + self.limits.max_actions)
        if self.quest is not None:
            limits.append(self.first_step + self.quest.task.budget)
        return min(limits, default=None)

    def step(self, action: str) -> StepRecord:
        """Takes one step and returns what happened in it."""
        book, history = self.words.book, self.history
        outcome = self.env.step(book.actions.index(action))
        _, reward, dead, truncated, info = outcome
        self.before = self.moment
        self.moment = self.perception.look(self.env.snapshot())
        snapshot = self.moment.snapshot
        record = StepRecord(
            t=snapshot.step,
            action=action,
            executed=info["action"],
            forced=self.before.idle,
            reward=float(reward),
            vitals={name: self.moment.inventory[name] for name in self.words.vitals},
            events=self.perception.events(self.moment),
            unlocked=tuple(n for n in book.achievements if n in info["unlocked"]),
            resting=self.before.resting,
        )
        history.records.append(record)
        history.memory.follow(record.events)
        if self.quest is not None:
            self.quest.step(action, info["events"])
        if dead or truncated:
            history.reason = _ending(snapshot, dead)
        elif self.quest is not None and self.quest.ending is not None:
            history.reason = self.quest.ending
        elif (
            self.limits.max_actions is not None
            and self.steps >= self.limits.max_actions
        ):
            history.reason = "cap_actions"
        return record


def _ending(snapshot: Any, terminated: bool) -> str:
    """Returns why an episode is over."""
    if not terminated:
        return "length"
    won = any(event["type"] == "won" for event in snapshot.events)
    return "won" if won else "died"
