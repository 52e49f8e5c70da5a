"""Session: one game, step by step, its observations, and undo."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.core.validation import integer
from crafter.lm import game as games
from crafter.lm.parsing.parse import Command
from crafter.lm.play import stops
from crafter.lm.play.quest import Quest
from crafter.lm.play.stops import Stop
from crafter.lm.rendering.ascii_map import MemoryMap
from crafter.lm.rendering.facts import StepRecord, Style
from crafter.lm.rendering.observation import Observation
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.phrases import packed
from crafter.lm.rendering.words import LIMITS, Words

CELL = 64  # pixels of a cell in pictures
EVERY = 100  # steps between the states that undo keeps
_FALLING = 10  # steps within which a fall of a vital is told
#: Condition of a macro -> the stop event that it stands for.
_MEANT = {"blocked": {"blocked"}, "awake": {"woke"}}


@dataclasses.dataclass
class History:
    """History of a game.

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
        memory = copy.deepcopy(self.memory)
        return History([*self.records], memory, [*self.observed], self.reason)


class Ending(NamedTuple):
    """Why the execution of a list of actions ended.

    Attributes:
      reason: A name of `stops.REASONS`, `done`, or `None` if all was carried out.
      skipped: Commands that were not carried out.
      note: A sentence about it; empty if nothing was left out.
    """

    reason: str | None = None
    skipped: tuple[str, ...] = ()
    note: str = ""


class Session:
    """Steps an environment and remembers what was seen and what happened.

    Args:
      env: The environment, with events.
      words: The words of the game.
      night: What darkness hides; see `crafter.lm.rendering.perception.Perception`.
      quest: The task that is attempted, or `None`.
      **limits: `max_actions`, `max_calls`, `invalid_limit` and `max_batch`.

    Attributes:
      env: The environment.
      quest: The task, or `None`.
      max_actions: Steps after which a game ends, or `None`.
      max_calls: Calls after which a game ends, or `None`.
      invalid_limit: Invalid calls in a row that end a game, or `None`.
      max_batch: Most actions of one call.
      calls_made: Calls in this game.
      invalid_calls: Those of them that had an error.
      text_game: What is known of the game.
      perception: Reads the moments.
      history: What happened so far.
      undone: Whether undo was used in this game.
      first_step: Step of the environment at which the game began; not 0 if it went on
        from a state.
      moment: What is seen now.
      before: What was seen before the latest step.

    Raises:
      ValueError: If a limit is less than 1.
    """

    moment: Moment
    before: Moment
    quest: Quest | None = None
    max_actions: int | None = None
    max_calls: int | None = None
    invalid_limit: int | None = None
    max_batch: int = LIMITS["batch"]
    undone = False
    calls_made = invalid_calls = first_step = _invalid_in_row = 0

    def __init__(
        self,
        env: Any,
        words: Words,
        night: str = "as_seen",
        quest: Quest | None = None,
        **limits: int | None,
    ) -> None:
        for name, number in limits.items():
            setattr(self, name, None if number is None else integer(name, number, 1))
        self.env, self._words, self.quest = env, words, quest
        self.text_game = games.find(env.game)
        self.perception = self.text_game.perception(words, night)
        self.history = History()

    @property
    def words(self) -> Words:
        """The words of the game, and its rules as texts need them."""
        return self._words

    def _start(self, **arguments: Any) -> None:
        """Starts a game; the arguments are those of `Env.reset`."""
        self.env.reset(**arguments)
        self._begin()

    def _attempt(self, number: int) -> None:
        """Starts an attempt at the task; see `Quest.begin`."""
        assert self.quest is not None
        self.quest.begin(number)
        self._begin()

    def _begin(self) -> None:
        self.history = History()
        self.calls_made = self.invalid_calls = self._invalid_in_row = 0
        self.look()
        self.first_step = self.moment.snapshot.step

    def look(self) -> None:
        """Sees the present moment, after the environment was set to it."""
        self.moment = self.before = self.perception.look(self.env.snapshot())

    @property
    def records(self) -> tuple[StepRecord, ...]:
        """History, step by step."""
        return tuple(self.history.records)

    @property
    def steps_taken(self) -> int:
        """Steps of this game."""
        return len(self.history.records)

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self.history.reason is not None

    @property
    def reason(self) -> str | None:
        """Why the game is over: a name of `reasons` in interface.yaml; or `None`."""
        return self.history.reason

    @property
    def calls_left(self) -> int | None:
        """Calls that may still be made, or `None` for any number."""
        return None if self.max_calls is None else self.max_calls - self.calls_made

    def _count_call(self, valid: bool) -> None:
        """Counts a call."""
        self.calls_made += 1
        self.invalid_calls += not valid
        self._invalid_in_row = 0 if valid else self._invalid_in_row + 1

    def _end_call(self) -> None:
        """Ends the game after a call if no more calls are taken."""
        if self.done:
            return
        limit = self.invalid_limit
        if limit is not None and self._invalid_in_row >= limit:
            self.history.reason = "invalid_limit"
        elif self.calls_left == 0:
            self.history.reason = "cap_calls"

    @property
    def step_limit(self) -> int | None:
        """Step of the environment at which the game ends, or `None`."""
        length = self.text_game.length(self.env)
        limits = [length] if length else []
        if self.max_actions is not None:
            limits.append(self.first_step + self.max_actions)
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
        record = StepRecord(
            t=self.moment.snapshot.step,
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
        history.reason = self._ending(dead, truncated)
        return record

    def _ending(self, terminated: bool, truncated: bool) -> str | None:
        """Returns why the game is over after a step, or `None`."""
        if terminated:
            events = self.moment.snapshot.events
            return "won" if any(e["type"] == "won" for e in events) else "died"
        if truncated:
            return "length"
        if self.quest is not None and self.quest.ending is not None:
            return self.quest.ending
        return "cap_actions" if self.steps_taken == self.max_actions else None

    # Lists of actions.

    def _play(
        self,
        commands: Sequence[Command],
        stop_on: frozenset[str],
        step: Callable[[str], StepRecord],
    ) -> Ending:
        """Carries out commands until something stops them.

        Args:
          commands: What to do.
          stop_on: Names of `stops.REASONS` that end it.
          step: Takes one step by the name of its action.
        """
        for number, command in enumerate(commands, 1):
            stop = self._play_one(command, stop_on, step)
            if self.done:
                stop = Stop("done", self.words.ending(self.history.reason))
            rest = [str(command) for command in commands[number:]]
            if stop and (rest or self.done or command.until):
                left_out = ", ".join(packed(rest))
                note = f"Stopped after {number} of {len(commands)} actions: "
                note += f"{stop.told}; not executed: {left_out}."
                return Ending(stop.reason, tuple(rest), note if rest else "")
        return Ending()

    def _play_one(
        self,
        command: Command,
        stop_on: frozenset[str],
        step: Callable[[str], StepRecord],
    ) -> Stop | None:
        """Carries out a command; a macro until its condition or a reason to stop."""
        for _ in range(1 if command.until is None else LIMITS["until"]):
            record = step(command.action)
            found = stops.reasons(record, self.before, self.moment, self.words)
            wanted = stop_on - _MEANT.get(command.until or "", set())
            stop = next((stop for stop in found if stop.reason in wanted), None)
            if stop or self.done or self._is_fulfilled(command.until):
                return stop
        return None

    def _is_fulfilled(self, condition: str | None) -> bool:
        """Returns whether the condition of a macro holds after the latest step."""
        before, now = self.before, self.moment
        if condition == "awake":
            return not now.idle
        if condition == "day":
            return bool(now.snapshot.daylight >= self.words.book.time["dark"])
        if condition == "blocked":
            events = self.history.records[-1].events
            return any(event["type"] == "blocked" for event in events)
        items = [name for name in now.inventory if name not in self.words.vitals]
        changed = any(now.inventory[n] != before.inventory[n] for n in items)
        return changed or now.front != before.front


@dataclasses.dataclass(frozen=True)
class Observer:
    """Says what an agent may know of the present moment of a game.

    Attributes:
      session: The game.
      style: How it is told.
      hints: Tell which actions would have an effect.
      memory_map: Add a map of everything seen so far.
      privileged: Tell also what players cannot see.
      images: Draw a picture for each observation at once.
    """

    session: Session
    style: Style
    hints: bool = False
    memory_map: bool = False
    privileged: bool = False
    images: bool = False

    def observe(
        self, first: int | None = None, notes: Iterable[str] = ()
    ) -> Observation:
        """Makes the observation of the present moment.

        Args:
          first: Steps taken when the call began; none of them is told by default.
          notes: Sentences of the interface.
        """
        session, moment = self.session, self.session.moment
        snapshot, history, game = moment.snapshot, session.history, session.text_game
        hidden = session.perception.privileged(snapshot) if self.privileged else None
        published = None
        if game.published is not None:
            published = self._while_it_lasts(game.published)
        observation = Observation(
            step=snapshot.step,
            step_limit=session.step_limit,
            calls_left=session.calls_left,
            clock=snapshot.clock,
            daylight=moment.daylight,
            facing=moment.facing,
            asleep=snapshot.sleeping,
            inventory=dict(moment.inventory),
            limits=dict(moment.limits),
            rows=moment.rows,
            things=moment.things,
            falling=self._falling(),
            steps=tuple(history.records[first:]) if first is not None else (),
            status=moment.status,
            achievements=snapshot.unlocked,
            done=session.done,
            reason=history.reason,
            goal=None if session.quest is None else session.quest.goal,
            notes=tuple(notes),
            privileged=hidden,
            style=self.style,
            words=session.words,
            picture=self._painter(),
            published=published,
        )
        history.memory.look(observation)
        history.observed.append(session.steps_taken)
        extra: dict[str, Any] = {}
        if self.memory_map:
            extra["memory"] = self.map()
        if self.hints:
            extra["available"] = game.hints(observation)
        return dataclasses.replace(observation, **extra)

    def map(self) -> str:
        """Returns a map of everything seen so far."""
        moment, glyphs = self.session.moment, self.session.words.glyphs()
        memory = self.session.history.memory
        return memory.draw(moment.snapshot.step, moment.facing, glyphs)

    def _falling(self) -> tuple[str, ...]:
        recent = self.session.history.records[-_FALLING:]
        events = [event for record in recent for event in record.events]
        vitals = [event for event in events if event["type"] == "vital"]
        fell = {event["name"] for event in vitals if event["to"] < event["frm"]}
        if any(event["type"] == "hurt" for event in events):
            fell.add("health")
        return tuple(name for name in self.session.words.vitals if name in fell)

    def _while_it_lasts(self, write: Callable[..., Any]) -> Callable[..., Any]:
        """Makes a function of the environment fail once the game has gone on."""
        session, moment = self.session, self.session.moment

        def checked(*args: Any) -> Any:
            if session.moment is not moment:
                raise ValueError(
                    "The game has gone on, so this observation cannot be drawn or "
                    "written any more. Do it at once, or make the interface with "
                    "images=True."
                )
            return write(session.env, *args)

        return checked

    def _painter(self) -> Callable[[tuple[int, int] | None], np.ndarray]:
        """Returns a function that draws the present moment as long as it lasts."""
        usual, env = picture_size(self.session), self.session.env
        ready = env.frame(usual) if self.images else None
        late = self._while_it_lasts(lambda env, size: env.frame(size))

        def paint(size: tuple[int, int] | None) -> np.ndarray:
            size = usual if size is None else size
            if ready is not None and tuple(size) == usual:
                return ready
            picture: np.ndarray = late(size)
            return picture

        return paint


def picture_size(session: Session) -> tuple[int, int]:
    """Returns width and height of pictures in pixels."""
    columns, rows = session.text_game.cells(session.env)
    return CELL * columns, CELL * rows


class UndoError(ValueError):
    """Undo is not allowed, or there is nothing of this kind to go back to."""


class Checkpoint(NamedTuple):
    """A moment to come back to.

    Attributes:
      state: Value of `Env.get_state`.
      history: What had happened.
    """

    state: Mapping[str, np.ndarray]
    history: History


class Undo:
    """Keeps a state every so many steps, and those that are saved by name.

    To go back to any other step, the actions since the last kept state are repeated;
    the game is exact, so that gives the same.

    Args:
      session: The game.
      allowed: Whether anything is kept, and undo is allowed.
    """

    def __init__(self, session: Session, allowed: bool) -> None:
        self._session, self._allowed = session, allowed
        self._kept: dict[int, Checkpoint] = {}
        self._saved: dict[str, tuple[Checkpoint, dict[int, Checkpoint]]] = {}

    def begin(self) -> None:
        """Forgets the former game; called at the start of each."""
        self._kept, self._saved, self._session.undone = {}, {}, False
        self.keep()

    def keep(self) -> None:
        """Keeps a checkpoint every `EVERY` steps; called after each one."""
        if self._allowed and self._session.steps_taken % EVERY == 0:
            self._kept[self._session.steps_taken] = self._checkpoint()

    def go_back(self, n: int, observe: Callable[[], object]) -> None:
        """Takes back the last steps.

        Args:
          n: Number of steps.
          observe: Makes an observation, where one was made before.

        Raises:
          UndoError: If undo is not allowed or the game is shorter.
        """
        self._need_permission()
        history, steps = self._session.history, self._session.steps_taken
        if not 0 <= n <= steps:
            raise UndoError(f"Expected 0 to {steps} steps, got {n!r}.")
        target = steps - n
        start = max(kept for kept in self._kept if kept <= target)
        self._kept = {at: kept for at, kept in self._kept.items() if at <= start}
        self._put_back(self._kept[start])
        for number, record in enumerate(history.records[start:target], start + 1):
            self._session.step(record.action)
            self.keep()
            if number in history.observed:
                observe()

    def save(self) -> str:
        """Keeps this moment by name and returns the name.

        Raises:
          UndoError: If undo is not allowed.
        """
        self._need_permission()
        name = f"save-{len(self._saved) + 1}"
        self._saved[name] = self._checkpoint(), dict(self._kept)
        return name

    def restore(self, name: str) -> None:
        """Comes back to a saved moment, with the states that led to it.

        Raises:
          UndoError: If undo is not allowed, or there is none of this name.
        """
        self._need_permission()
        if name not in self._saved:
            raise UndoError(f"Unknown save {name!r}; there are {list(self._saved)}.")
        checkpoint, kept = self._saved[name]
        self._kept = dict(kept)
        self._put_back(checkpoint)

    def _need_permission(self) -> None:
        if not self._allowed:
            raise UndoError(
                "Undo is not allowed: make the interface with allow_undo=True."
            )

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self._session.env.get_state(), self._session.history.copy())

    def _put_back(self, checkpoint: Checkpoint) -> None:
        self._session.env.set_state(checkpoint.state)
        self._session.history = checkpoint.history.copy()
        self._session.look()
        self._session.undone = True
