"""The agent-computer interface: Crafter for agents that read and write text."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np

import crafter
from crafter import constants
from crafter.lm.hear.parse import ParseError, ParseResult, parse
from crafter.lm.hear.vocabulary import LIMITS
from crafter.lm.play import stops
from crafter.lm.play.history import EVERY, Checkpoint, Checkpoints, History, UndoError
from crafter.lm.tell import hints as hints_module
from crafter.lm.tell import perceive
from crafter.lm.tell.delta import Delta
from crafter.lm.tell.facts import StepRecord, Style
from crafter.lm.tell.observation import Observation, split_format
from crafter.lm.tell.perceive import Moment
from crafter.lm.tell.words import FACINGS, VITALS, WORDS, packed
from crafter.snapshot import Snapshot

CELL = 64  # pixels of a cell in pictures
_FALLING = 10  # steps within which a fall of a vital is told
_DIGEST = 16  # hexadecimal digits
ON_INVALID = ("reject", "noop", "skip")
NIGHTS = ("as_seen", "clear")
MODES = ("full", "delta")


@dataclasses.dataclass(frozen=True)
class Turn:
    """What one call did.

    Attributes:
      observation: The moment after it.
      text: The observation in the format of the interface.
      rewards: Reward of each step.
      steps: Records of the executed actions.
      stopped_by: Why execution ended early, a name of `stops.REASONS` or `done`.
      skipped: Actions that were not executed.
      error: What was not understood, or `None`.
      done: Whether the game is over.
    """

    observation: Observation
    text: str
    rewards: tuple[float, ...] = ()
    steps: tuple[StepRecord, ...] = ()
    stopped_by: str | None = None
    skipped: tuple[str, ...] = ()
    error: ParseError | None = None
    done: bool = False


class CrafterACI:
    """Plays Crafter with words: reads actions from text, tells what can be seen.

    Args:
      env: A `crafter.Env(events=True)` to play in; made if not given.
      seed: Of the sequence of worlds.
      format: `text`, `md`, `xml`, `json`, `ascii`, or several such as `text+ascii`.
      verbosity: 0 terse, 1 normal, 2 full.
      directions: `screen` (left), `compass` (west) or `both`.
      detail: `nearest` of each kind, nearest per `octant`, or `all` cells.
      reach: Tell how many moves each place is away.
      night: `as_seen` hides what darkness hides in the picture; `clear` does not.
      glyphs: Characters of the map, `crafter` or `craftaxlm`.
      legend: Explain the characters below the map.
      hints: Tell which actions would have an effect.
      memory_map: Add a map of everything seen so far.
      mode: `full`, or `delta` to tell only what changed (format `text`).
      stop_on: Events that end a batch: `none`, `default`, `all` or names.
      on_invalid: `reject` takes no step, `noop` takes one, `skip` plays what is valid.
      invalid_limit: Invalid calls in a row that end the game; `None` for no limit.
      max_batch: Most actions of one call.
      macros: Allow `X until Y`.
      indices: Read plain integers as action numbers.
      images: Draw a picture for each observation at once, so that it can be had
        later; `"uri"` is the same.
      allow_undo: Allow `go_back`, `save` and `restore`.
      privileged: Tell also what players cannot see.
      max_actions: Steps after which the game ends.
      max_calls: Calls after which the game ends.

    Attributes:
      env: The environment.
      starting_obs: First observation of this game.
      calls_made: Calls of `act` in this game.
      invalid_calls: Those of them that had an error.
      undone: Whether undo was used in this game.

    Raises:
      ValueError: If an argument is impossible.

    Example:
      >>> aci = CrafterACI(seed=1)
      >>> turn = aci.act("left x2, do")
      >>> [step.action for step in turn.steps]
      ['move_left', 'move_left', 'do']
    """

    def __init__(
        self,
        env: gymnasium.Env | None = None,
        *,
        seed: int = 0,
        format: str = "text",
        verbosity: int = 1,
        directions: str = "screen",
        detail: str = "nearest",
        reach: bool = False,
        night: str = "as_seen",
        glyphs: str = "crafter",
        legend: bool = False,
        hints: bool = False,
        memory_map: bool = False,
        mode: str = "full",
        stop_on: str | Iterable[str] = "default",
        on_invalid: str = "reject",
        invalid_limit: int | None = 10,
        max_batch: int = LIMITS["batch"],
        macros: bool = True,
        indices: bool = False,
        images: bool | str = False,
        allow_undo: bool = False,
        privileged: bool = False,
        max_actions: int | None = None,
        max_calls: int | None = None,
    ) -> None:
        split_format(format)
        for name, value, valid in [
            ("night", night, NIGHTS),
            ("mode", mode, MODES),
            ("on_invalid", on_invalid, ON_INVALID),
            ("images", images, (False, True, "uri")),
        ]:
            if value not in valid:
                raise ValueError(f"{name} must be one of {list(valid)}, got {value!r}.")
        if mode == "delta" and format != "text":
            raise ValueError(f"mode 'delta' needs the format 'text', not {format!r}.")
        for name, number in [
            ("max_actions", max_actions),
            ("max_calls", max_calls),
            ("invalid_limit", invalid_limit),
            ("max_batch", max_batch),
        ]:
            if number is not None and number < 1:
                raise ValueError(f"{name} must be at least 1, got {number!r}.")
        self.env = _checked(env, seed)
        self.format, self.max_batch = format, max_batch
        self.max_actions, self.max_calls = max_actions, max_calls
        self._style = Style(verbosity, directions, detail, reach, glyphs, legend)
        self._night, self._hints, self._memory_map = night, hints, memory_map
        self._stop_on = stops.chosen(stop_on)
        self._on_invalid, self._invalid_limit = on_invalid, invalid_limit
        self._macros, self._indices, self._images = macros, indices, bool(images)
        self._allow_undo, self._privileged = allow_undo, privileged
        self._delta = Delta() if mode == "delta" else None
        self._lock = threading.Lock()
        self._listeners: list[Callable[[CrafterACI], None]] = []
        self._seed = seed
        self._episode = 1
        self.starting_obs: Any = None
        self.reset()

    # Games.

    def reset(
        self,
        seed: int | None = None,
        next: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Observation:
        """Starts a game and returns its first observation.

        Args:
          seed: Another sequence of worlds; by default the same world again.
          next: The next world of the sequence instead.
          options: Further options of `Env.reset`, such as a hand-made map.
        """
        with self._alone():
            if seed is not None:
                self._seed, self._episode = seed, 1
            elif next:
                self._episode += 1
            start = {"episode": self._episode, **(options or {})}
            self.env.reset(seed=self._seed, options=start)
            player = self.env.player
            assert player is not None  # after reset
            self._limits = {name: item["max"] for name, item in player.items.items()}
            self.calls_made = self.invalid_calls = self._invalid_in_row = 0
            self.undone = False
            self._history = History()
            self._checkpoints = Checkpoints()
            self._moment = self._look()
            self._keep_checkpoint()
            if self._delta is not None:
                self._delta.reset()
            observation = self._observe()
            self._tell_listeners()
            self.starting_obs = observation
            return observation

    def terminate(self) -> dict[str, int]:
        """Ends the game and returns the achievements."""
        if self._history.reason is None:
            self._history.reason = "terminated"
        for listener in self._listeners:
            close = getattr(listener, "close", None)
            if close is not None:
                close()
        return self.achievements

    def listen(self, listener: Callable[[CrafterACI], None]) -> None:
        """Calls a function after every reset and step, for recordings."""
        self._listeners.append(listener)

    @property
    def state(self) -> Snapshot:
        """The present moment, frozen; with the whole map."""
        return self._moment.snapshot

    @property
    def action_history(self) -> list[str]:
        """Names of the chosen actions, in order."""
        return [record.action for record in self._history.records]

    @property
    def achievements(self) -> dict[str, int]:
        """Achievement -> how often it was reached."""
        return dict(self._moment.snapshot.achievements)

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """For each step, the achievements unlocked in it."""
        return [list(record.unlocked) for record in self._history.records]

    @property
    def records(self) -> tuple[StepRecord, ...]:
        """What happened, step by step."""
        return tuple(self._history.records)

    @property
    def steps_taken(self) -> int:
        """Steps of this game."""
        return len(self._history.records)

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self._history.reason is not None

    @property
    def reason(self) -> str | None:
        """Why the game is over: a name of `reasons` in words.yaml; or `None`."""
        return self._history.reason

    @property
    def seed(self) -> int:
        """Seed of the sequence of worlds."""
        return self._seed

    def state_digest(self) -> str:
        """Returns a short checksum of the whole game, its random stream included."""
        digest = hashlib.sha256()
        for name, array in sorted(self.env.get_state().items()):
            value = np.ascontiguousarray(array)
            digest.update(f"{name} {value.dtype.str} {value.shape}".encode())
            digest.update(value.tobytes())
        return digest.hexdigest()[:_DIGEST]

    # Acting.

    def act(self, actions: str | Sequence | Mapping, stop_on: Any = None) -> Turn:
        """Carries out what a model wrote.

        Args:
          actions: Text, or a list or mapping as JSON would give it.
          stop_on: Overrides the setting of the interface for this call.

        Returns:
          The turn. Nothing is raised for input that is not understood: the turn has an
          `error` then, and no step was taken unless `on_invalid` says so.

        Raises:
          RuntimeError: If another thread is using this object.
        """
        chosen = self._stop_on if stop_on is None else stops.chosen(stop_on)
        with self._alone():
            if self.done:
                return self._refuse_after_end()
            result = parse(
                actions,
                front=self._moment.front,
                indices=self._indices,
                max_batch=self.max_batch,
                macros=self._macros,
            )
            self.calls_made += 1
            turn = self._carry_out(result, chosen)
            return turn

    def _carry_out(self, result: ParseResult, stop_on: frozenset[str]) -> Turn:
        notes = list(result.notes)
        actions: tuple[str, ...] = result.actions
        if result.error is None:
            self._invalid_in_row = 0
        else:
            self.invalid_calls += 1
            self._invalid_in_row += 1
            notes = [result.error.message]
            actions = {"reject": (), "noop": ("noop",)}.get(self._on_invalid, actions)
        first = self.steps_taken
        stopped, skipped, told = self._play(list(actions), stop_on)
        if told:
            notes.append(told)
        self._check_calls()
        observation = self._observe(first, notes)
        short = result.error is not None and self.steps_taken == first
        steps = observation.steps
        return Turn(
            observation=observation,
            text=self._short(observation) if short else self.describe(observation),
            rewards=tuple(step.reward for step in steps),
            steps=steps,
            stopped_by=stopped,
            skipped=tuple(skipped),
            error=result.error,
            done=self.done,
        )

    def _play(
        self, actions: list[str], stop_on: frozenset[str]
    ) -> tuple[str | None, list[str], str]:
        """Executes actions until something stops them.

        Returns:
          Why they stopped or `None`, those left out, and a sentence about it.
        """
        for number, action in enumerate(actions):
            stopped, said = self._play_one(action, stop_on)
            if self.done:
                stopped = "done"
                said = WORDS["reasons"].get(self.reason, "")
            rest = actions[number + 1 :]
            if stopped and (rest or self.done or " until " in action):
                told = f"Stopped after {number + 1} of {len(actions)} actions: {said}"
                told += f"; not executed: {', '.join(packed(rest))}." if rest else "."
                return stopped, rest, told if rest else ""
        return None, [], ""

    def _play_one(self, action: str, stop_on: frozenset[str]) -> tuple[str | None, str]:
        """Executes an action, or a macro until its condition or a reason to stop."""
        name, _, condition = action.partition(" until ")
        if not condition:
            return self._advance(name, stop_on)
        stop_on = stop_on - _MEANT.get(condition, set())
        for _ in range(LIMITS["until"]):
            before = self._moment
            stopped = self._advance(name, stop_on)
            if stopped[0] or self.done or self._fulfilled(condition, before):
                return stopped
        return None, ""

    def _fulfilled(self, condition: str, before: Moment) -> bool:
        now = self._moment.snapshot
        if condition == "awake":
            return not now.sleeping
        if condition == "day":
            return now.daylight >= constants.time["dark"]
        if condition == "blocked":
            return any(e["type"] == "blocked" for e in self._history.records[-1].events)
        changed = any(
            amount != before.snapshot.inventory[name]
            for name, amount in now.inventory.items()
            if name not in VITALS
        )
        return changed or self._moment.front != before.front

    def _advance(self, action: str, stop_on: frozenset[str]) -> tuple[str | None, str]:
        """Takes one step and returns why a batch should stop here, if it should."""
        before = self._moment
        _, reward, dead, truncated, info = self.env.step(
            constants.actions.index(action)
        )
        self._moment = self._look()
        snapshot = self._moment.snapshot
        record = StepRecord(
            t=snapshot.step,
            action=action,
            executed=info["action"],
            forced=before.snapshot.sleeping,
            reward=float(reward),
            vitals={name: snapshot.inventory[name] for name in VITALS},
            events=perceive.events(snapshot, self._moment.rows),
            unlocked=tuple(
                name for name in constants.achievements if name in info["unlocked"]
            ),
        )
        history = self._history
        history.records.append(record)
        history.memory.follow(record.events)
        if dead or truncated:
            history.reason = "died" if dead else "length"
        elif self.max_actions is not None and self.steps_taken >= self.max_actions:
            history.reason = "cap_actions"
        self._keep_checkpoint()
        self._tell_listeners()
        found = stops.reasons(record, before, self._moment, self._limits)
        return next((pair for pair in found if pair[0] in stop_on), (None, ""))

    def _check_calls(self) -> None:
        if self.done:
            return
        limit = self._invalid_limit
        if limit is not None and self._invalid_in_row >= limit:
            self._history.reason = "invalid_limit"
        elif self.max_calls is not None and self.calls_made >= self.max_calls:
            self._history.reason = "cap_calls"

    def _refuse_after_end(self) -> Turn:
        message = "The game is over; call reset() to start another one."
        error = ParseError("over", 0, "", (), message)
        observation = self._observe(self.steps_taken, [message])
        return Turn(observation, self._short(observation), error=error, done=True)

    # Observing.

    def observe(self) -> Observation:
        """Returns the present observation again, without a step."""
        with self._alone():
            return self._observe(self.steps_taken)

    def memory_text(self) -> str:
        """Returns a map of everything seen so far."""
        snapshot = self._moment.snapshot
        return self._history.memory.draw(snapshot.step, FACINGS[snapshot.facing])

    def describe(self, observation: Observation) -> str:
        """Returns an observation in the format of this interface."""
        if self._delta is not None:
            return self._delta.tell(observation)
        return observation.render(self.format)

    def _short(self, observation: Observation) -> str:
        if self.format in ("json", "ascii"):
            return observation.render(self.format)
        return observation.text(verbosity=0)

    def _look(self) -> Moment:
        return perceive.look(self.env.snapshot(whole_map=True), self._night)

    def _observe(
        self, first: int | None = None, notes: Iterable[str] = ()
    ) -> Observation:
        """Makes the observation of the present moment.

        Args:
          first: Steps taken when the call began.
          notes: Sentences of the interface.
        """
        moment, history = self._moment, self._history
        snapshot = moment.snapshot
        calls = None if self.max_calls is None else self.max_calls - self.calls_made
        observation = Observation(
            step=snapshot.step,
            step_limit=self._step_limit(),
            calls_left=calls,
            clock=snapshot.clock,
            daylight=snapshot.daylight,
            facing=FACINGS[snapshot.facing],
            asleep=snapshot.sleeping,
            inventory=snapshot.inventory,
            limits=self._limits,
            rows=moment.rows,
            things=moment.things,
            falling=self._falling(),
            steps=tuple(history.records[first:]) if first is not None else (),
            achievements=snapshot.unlocked,
            done=self.done,
            reason=self.reason,
            notes=tuple(notes),
            privileged=perceive.hidden(snapshot) if self._privileged else None,
            style=self._style,
            picture=self._painter(),
        )
        return self._extended(observation)

    def _extended(self, observation: Observation) -> Observation:
        """Adds what follows from the observation itself."""
        extra: dict[str, Any] = {}
        memory = self._history.memory
        memory.look(observation)
        if self._memory_map:
            extra["memory"] = memory.draw(observation.step, observation.facing)
        if self._hints:
            extra["available"] = hints_module.available(observation)
        return dataclasses.replace(observation, **extra) if extra else observation

    def _step_limit(self) -> int | None:
        limits = [n for n in (self.env.length, self.max_actions) if n]
        return min(limits, default=None)

    def _falling(self) -> tuple[str, ...]:
        recent = self._history.records[-_FALLING:]
        fell = {
            event["name"]
            for record in recent
            for event in record.events
            if event["type"] == "vital" and event["to"] < event["frm"]
        }
        if any(e["type"] == "hurt" for record in recent for e in record.events):
            fell.add("health")
        return tuple(name for name in VITALS if name in fell)

    def _painter(self) -> Callable[[tuple[int, int]], np.ndarray]:
        """Returns a function that draws the present moment as long as it lasts."""
        moment = self._moment
        default = (CELL * moment.snapshot.view[0], CELL * moment.snapshot.view[1])
        ready = self.env.frame(default) if self._images else None

        def paint(size: tuple[int, int]) -> np.ndarray:
            if ready is not None and tuple(size) == default:
                return ready
            if self._moment is not moment:
                raise ValueError(
                    "The game has gone on, so this observation cannot be drawn any "
                    "more. Draw it at once, or make the interface with images=True."
                )
            return self.env.frame(size)

        return paint

    # Undo.

    def go_back(self, n: int) -> Observation:
        """Takes back the last steps, exactly, with everything that happened in them.

        Args:
          n: Number of steps.

        Raises:
          UndoError: If undo is not allowed or the game is shorter.
        """
        self._need_undo()
        if not 0 <= n <= self.steps_taken:
            raise UndoError(f"Expected 0 to {self.steps_taken} steps, got {n!r}.")
        with self._alone():
            target = self.steps_taken - n
            start, checkpoint = self._checkpoints.back_to(target)
            redo = self.action_history[start:target]
            self._put_back(checkpoint)
            listeners, self._listeners = self._listeners, []
            for action in redo:
                self._advance(action, frozenset())
                self._observe()  # so that the memory map is the same
            self._listeners = listeners
            return self._observe()

    def save(self) -> str:
        """Keeps this moment and returns an id to come back to it."""
        self._need_undo()
        with self._alone():
            return self._checkpoints.save(self._checkpoint())

    def restore(self, id: str) -> Observation:
        """Comes back to a kept moment.

        Raises:
          UndoError: If undo is not allowed or there is no such moment.
        """
        self._need_undo()
        with self._alone():
            self._put_back(self._checkpoints.restore(id))
            return self._observe()

    def _need_undo(self) -> None:
        if not self._allow_undo:
            raise UndoError(
                "Undo is not allowed: make the interface with allow_undo=True."
            )

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self.env.get_state(), self._history.copy())

    def _keep_checkpoint(self) -> None:
        if self._allow_undo and self.steps_taken % EVERY == 0:
            self._checkpoints.keep(self.steps_taken, self._checkpoint())

    def _put_back(self, checkpoint: Checkpoint) -> None:
        self.env.set_state(checkpoint.state)
        self._history = checkpoint.history.copy()
        self._moment = self._look()
        self.undone = True

    # Inside.

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("This interface is in use by another thread.")
        try:
            yield
        finally:
            self._lock.release()

    def _tell_listeners(self) -> None:
        for listener in self._listeners:
            listener(self)


def _checked(env: gymnasium.Env | None, seed: int) -> crafter.Env:
    """Returns the environment to play in."""
    if env is None:
        return crafter.Env(seed=seed, events=True)
    inner = env.unwrapped
    if not isinstance(inner, crafter.Env):
        raise ValueError(f"Expected a crafter.Env, got {inner!r}.")
    if not inner.events:
        raise ValueError("The environment must be made with events=True.")
    return inner


#: Condition of a macro -> the stop event that it stands for.
_MEANT = {"blocked": {"blocked"}, "awake": {"woke"}}
