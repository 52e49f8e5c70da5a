"""Agent-computer interface: a game for agents that read and write text."""

from __future__ import annotations

import copy
import dataclasses
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.core.phrases import packed
from crafter.core.validation import integer, one_of
from crafter.lm import game as games
from crafter.lm.game import TextGame
from crafter.lm.parsing.parse import Command, ParseError, ParseResult, parse_for
from crafter.lm.play import stops
from crafter.lm.play.stops import Stop
from crafter.lm.rendering.ascii_map import MemoryMap
from crafter.lm.rendering.facts import DARKNESS, UNCLEAR, StepRecord, Style
from crafter.lm.rendering.observation import Observation, split_format
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.text import Delta
from crafter.lm.rendering.words import LIMITS, Words
from crafter.tasks import game as tasks
from crafter.tasks.env.single import GoalState, TaskEnv
from crafter.tasks.language.monitors import Verdict

Options = Mapping[str, Any] | None  # of `Env.reset`
ON_INVALID = ("reject", "noop", "skip")
CELL = 64  # pixels of a cell in pictures
_DIGEST = 16  # hexadecimal digits
_FALLING = 10  # steps for which a drop of a vital is reported
#: Reasons that terminate an episode rather than truncate it.
_FINAL = ("died", "won", "goal_done", "goal_failed")
#: Fields of an observation copied from the moment, and from the interface.
_OF_MOMENT = ("daylight", "facing", "rows", "things", "status", "inventory", "limits")
_OF_GAME = ("step_limit", "calls_left", "done", "reason", "goal", "words")


class UndoError(ValueError):
    """Undo is not allowed, or there is no such moment."""


@dataclasses.dataclass
class History:
    """History of a game.

    Attributes:
      records: Records of its steps.
      memory: Map of what was seen.
      observed: Step counts at which an observation was made, in order.
      reason: Why the game is over, or `None`.
    """

    records: list[StepRecord] = dataclasses.field(default_factory=list)
    memory: MemoryMap = dataclasses.field(default_factory=MemoryMap)
    observed: list[int] = dataclasses.field(default_factory=list)
    reason: str | None = None

    def falling(self, vitals: Iterable[str]) -> tuple[str, ...]:
        """Returns the vitals that dropped in the last steps."""
        events = [e for record in self.records[-_FALLING:] for e in record.events]
        changes = [event for event in events if event["type"] == "vital"]
        fell = {event["name"] for event in changes if event["to"] < event["frm"]}
        if any(event["type"] == "hurt" for event in events):
            fell.add("health")
        return tuple(name for name in vitals if name in fell)


@dataclasses.dataclass(frozen=True)
class Turn:
    """Result of a call of `act`.

    Attributes:
      observation: The observation after the call.
      text: The observation in the format of the interface.
      rewards: Reward of each step.
      steps: Records of the executed actions.
      stopped_by: Why execution ended early, a name of `stops.REASONS` or `done`.
      skipped: Actions that were not executed.
      error: The parse error, or `None`.
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

    @property
    def reward(self) -> float:
        """Sum of the rewards of all steps."""
        return float(sum(self.rewards))

    @property
    def terminated(self) -> bool:
        """Whether the game itself is over: death, win, or end of the task."""
        return self.done and self.observation.reason in _FINAL

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off, for example by a limit."""
        return self.done and not self.terminated


class CrafterACI:
    """Plays a game through text: parses actions, renders observations.

    Args:
      env: A `crafter.Env(events=True)` or `crafter.craftax.Env(events=True)`; created
        if omitted.
      game: `crafter` or `craftax`; by default the game of `env`, or else Crafter.
      seed: Seed of the sequence of worlds; with a task the number of the first scene.
        By default that of `env`, or else a random one, so that games differ.
      task: The goal: the name of a task, an expression, a `Goal` or a task file; by
        default none.
      difficulty: Difficulty of the task, `simple` by default.
      split: Split of scenes, `train`, `val` or `test`; `train` by default.
      scene: Number of a fixed scene, or a `crafter.tasks.scenes.Scene`; by default it
        changes with the seed.
      format: `text`, `md`, `xml`, `json`, `ascii`, or several such as `text+ascii`.
      verbosity: 0 terse, 1 normal, 2 full.
      directions: `screen` (left), `compass` (west) or `both`.
      detail: `nearest` of each kind, nearest per `octant`, or `all` cells.
      reach: Whether to give the number of moves to each place.
      night: `as_seen` hides what darkness hides in the picture; `clear` does not.
      glyphs: Characters of the map, `crafter` or `craftaxlm`.
      legend: Whether to explain the characters below the map.
      hints: Whether to list the actions that would have an effect.
      memory_map: Whether to add a map of everything seen so far.
      mode: `full`, or `delta` for changes only (format `text`).
      stop_on: Events that end a batch: `none`, `default`, `all` or names.
      on_invalid: `reject` takes no step, `noop` takes one, `skip` plays what is valid.
      invalid_limit: Consecutive invalid calls that end the game; `None` for no limit.
      max_batch: Maximum number of actions per call.
      macros: Whether to allow `X until Y`.
      indices: Whether to read integers as action numbers.
      images: Whether to draw a picture with each observation, so that it remains
        available later; `"uri"` means the same.
      allow_undo: Whether to allow `go_back`, `save` and `restore`.
      privileged: Whether to include information that players cannot see.
      max_actions: Maximum number of steps per game.
      max_calls: Maximum number of calls per game.
      rules: The rules, as the argument `rules` of the environment; excludes `env`,
        which has its own.

    Attributes:
      env: The environment.
      text_game: The text adapter of the game.
      format: Format of the texts.
      task_env: The task environment, or `None`.
      starting_obs: First observation of this game.
      seed: Seed of the sequence of worlds; with a task the number of the scene.
      history: History of this game.
      moment: The visible state now.
      before: The visible state before the latest step.
      calls_made: Calls in this game.
      invalid_calls: Calls that had an error.
      undone: Whether undo was used in this game.
      max_actions: Maximum number of steps per game, or `None`.
      max_calls: Maximum number of calls per game, or `None`.
      invalid_limit: Consecutive invalid calls that end a game, or `None`.
      max_batch: Maximum number of actions per call.
      images: Whether a picture is drawn with each observation.
      macros: Whether `X until Y` is allowed.
      stop_on: Names of the events that end a batch.

    Raises:
      ValueError: If an argument is invalid.

    Example:
      >>> aci = CrafterACI(seed=1)
      >>> turn = aci.act("left x2, do")
      >>> [step.action for step in turn.steps]
      ['move_left', 'move_left', 'do']
    """

    starting_obs: Any
    max_actions: int | None = None
    max_calls: int | None = None
    invalid_limit: int | None = None
    max_batch: int = LIMITS["batch"]
    task_env: TaskEnv | None = None
    seed: int | None = None
    calls_made = invalid_calls = 0
    undone = False

    def __init__(
        self,
        env: gymnasium.Env | None = None,
        *,
        game: str | None = None,
        seed: int | None = None,
        task: Any = None,
        difficulty: Any = None,
        split: str | None = None,
        scene: Any = None,
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
        rules: Any = None,
    ) -> None:
        one_of("on_invalid", on_invalid, ON_INVALID)
        one_of("images", images, (False, True, "uri"))
        self.text_game, self.env = _game_and_env(env, game, seed, rules)
        one_of("mode", mode, ("full", "delta"))
        split_format(format)  # raises if a part is unknown
        if mode == "delta" and format != "text":
            raise ValueError(f"mode 'delta' needs the format 'text', not {format!r}.")
        self._words = self.text_game.words(self.env.rules)
        self.words.glyphs(glyphs)  # raises if the game has no such characters
        self._perception = self.text_game.perception(self.words, night)
        chosen = {"difficulty": difficulty, "split": split, "scene": scene}
        self.task_env = _task_env(self.env, task, allow_undo, chosen)
        limits = {"max_actions": max_actions, "max_calls": max_calls}
        limits |= {"invalid_limit": invalid_limit, "max_batch": max_batch}
        for name, number in limits.items():
            setattr(self, name, None if number is None else integer(name, number, 1))
        self._style = Style(verbosity, directions, detail, reach, glyphs, legend)
        self._hints, self._memory_map = hints, memory_map
        self._privileged, self.images = privileged, bool(images)
        self.format, self._allow_undo = format, allow_undo
        self.stop_on, self.macros = stops.chosen(stop_on), macros
        self._on_invalid, self._indices = on_invalid, indices
        self._delta = Delta() if mode == "delta" else None
        self._listeners: list[Callable[[CrafterACI], None]] = []
        self.seed, self._episode = seed, 1
        self.reset()

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.text_game.name

    @property
    def title(self) -> str:
        """Name of the game in sentences."""
        return self.text_game.title

    @property
    def rules(self) -> Any:
        """The rules of the environment."""
        return self._words.rules

    @property
    def words(self) -> Words:
        """Vocabulary of the game under its rules."""
        return self._words

    @property
    def view(self) -> tuple[int, int]:
        """Width and height of pictures in cells, including the inventory."""
        return self.env.cells

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of pictures in pixels."""
        columns, rows = self.view
        return CELL * columns, CELL * rows

    @property
    def goal(self) -> GoalState | None:
        """Progress on the task, if there is one."""
        return None if self.task_env is None else self.task_env.goal

    # Games.

    def reset(
        self, seed: int | None = None, next: bool = False, options: Options = None
    ) -> Observation:
        """Starts a game and returns its first observation.

        Args:
          seed: Seed of another sequence of worlds; by default the same world again.
          next: Whether to continue with the next world of the sequence.
          options: Further options of `Env.reset`, such as a hand-made map or a state.
            Not allowed with a task, where the scene determines them.

        Raises:
          ValueError: If there are options and a task, or no scene can be made.
          crafter.games.crafter.start.OptionsError: If the options are invalid.
          crafter.games.crafter.state.StateError: If a state does not fit.
        """
        chosen = dict(options or {})
        if self.task_env is None:
            first = {}
            if "state" not in chosen:  # a state has its own seed and episode
                next_game = self.seed, self._episode + next
                seed, first["episode"] = next_game if seed is None else (seed, 1)
            self.env.reset(seed=seed, options={**first, **chosen})
            self.seed, self._episode = self.env.world_seed, self.env.episode
        elif chosen:
            raise ValueError(
                f"With a task, the scene determines the start; omit {list(chosen)}."
            )
        else:
            if seed is None:
                drawn = int(np.random.default_rng().integers(2**31))
                seed = drawn if self.seed is None else self.seed + next
            self.task_env.reset(seed=seed)
            self.seed = seed
        self.history, self.undone = History(), False
        self.calls_made = self.invalid_calls = self._invalid_in_row = 0
        self.look()
        self._first_step = self.moment.snapshot.step
        self._saved: dict[str, tuple[Any, History]] = {}
        self._first_checkpoint = self._checkpoint() if self._allow_undo else None
        if self._delta is not None:
            self._delta.reset()
        self.starting_obs = observation = self.observe()
        self._tell_listeners()
        return observation

    def look(self) -> None:
        """Updates the visible state from the environment."""
        self.moment = self.before = self._perception.look(self.env.snapshot())

    def terminate(self) -> dict[str, int]:
        """Ends the game and returns the achievements."""
        if not self.done:
            self.history.reason = "terminated"
        return self.achievements

    def listen(self, listener: Callable[[CrafterACI], None]) -> None:
        """Registers a function to call after every reset and step, for recordings."""
        self._listeners.append(listener)

    def _tell_listeners(self) -> None:
        for listener in self._listeners:
            listener(self)

    @property
    def state(self) -> Any:
        """Snapshot of the current state, with the whole map."""
        return self.env.snapshot(whole_map=True)

    @property
    def records(self) -> tuple[StepRecord, ...]:
        """Records of the steps so far."""
        return tuple(self.history.records)

    @property
    def steps_taken(self) -> int:
        """Steps in this game."""
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
        """Remaining calls, or `None` if unlimited."""
        return None if self.max_calls is None else self.max_calls - self.calls_made

    @property
    def step_limit(self) -> int | None:
        """Environment step at which the game ends, or `None`."""
        length = self.env.length
        budget = None if self.task_env is None else self.task_env.task.budget
        caps = (self._first_step + most for most in (self.max_actions, budget) if most)
        return min([*caps, *([length] if length else [])], default=None)

    @property
    def action_history(self) -> list[str]:
        """Names of the chosen actions, in order."""
        return [record.action for record in self.records]

    @property
    def achievements(self) -> dict[str, int]:
        """Achievement -> number of times reached."""
        counts = self.moment.snapshot.achievements
        return {name: int(count) for name, count in counts.items()}

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """Achievements unlocked in each step."""
        return [list(record.unlocked) for record in self.records]

    def state_digest(self) -> str:
        """Returns a short hash of the whole game state, including its random stream."""
        total = hashlib.sha256()
        for name, array in sorted(self.env.get_state().items()):
            value = np.ascontiguousarray(array)
            total.update(f"{name} {value.dtype.str} {value.shape}".encode())
            total.update(value.tobytes())
        return total.hexdigest()[:_DIGEST]

    # Acting.

    def act(self, actions: str | Sequence | Mapping, stop_on: Any = None) -> Turn:
        """Executes the actions in model output.

        Args:
          actions: Text, or decoded JSON: a list or mapping.
          stop_on: Overrides the setting of the interface for this call.

        Returns:
          The turn. Invalid input raises no exception: the turn then has an `error`, and
          no step was taken, unless `on_invalid` says otherwise.
        """
        chosen = self.stop_on if stop_on is None else stops.chosen(stop_on)
        if self.done:
            message = "The game is over; call reset() to start another one."
            error = ParseError("over", 0, "", (), message)
            observation = self.observe(self.steps_taken, [message])
            return Turn(observation, self._short(observation), error=error, done=True)
        options = {"indices": self._indices, "front": self.moment.front}
        options |= {"max_batch": self.max_batch, "macros": self.macros}
        result = parse_for(self.words, actions, **options)
        self.calls_made += 1
        self.invalid_calls += result.error is not None
        self._invalid_in_row = self._invalid_in_row + 1 if result.error else 0
        return self._carry_out(result, chosen)

    def _carry_out(self, result: ParseResult, stop_on: frozenset[str]) -> Turn:
        notes, commands, error = list(result.notes), result.commands, result.error
        if error is not None:
            notes = [error.message]
            instead = {"reject": (), "noop": (Command("noop"),)}
            commands = instead.get(self._on_invalid, commands)
        first = self.steps_taken
        reason, skipped = self._play(commands, stop_on, notes)
        if not self.done and self._invalid_in_row == self.invalid_limit:
            self.history.reason = "invalid_limit"
        elif not self.done and self.calls_left == 0:
            self.history.reason = "cap_calls"
        observation = self.observe(first, notes)
        short = error is not None and self.steps_taken == first
        text = self._short(observation) if short else self.describe(observation)
        steps, done = observation.steps, self.done
        rewards = tuple(step.reward for step in steps)
        return Turn(observation, text, rewards, steps, reason, skipped, error, done)

    def _play(
        self, commands: Sequence[Command], stop_on: frozenset[str], notes: list[str]
    ) -> tuple[str | None, tuple[str, ...]]:
        """Executes commands until something stops them.

        Args:
          commands: The commands.
          stop_on: Names of `stops.REASONS` that end execution.
          notes: Receives a sentence about commands left out.

        Returns:
          Why execution ended early, and the commands that were not executed.
        """
        for number, command in enumerate(commands, 1):
            stop = self._play_one(command, stop_on)
            if self.done:
                stop = Stop("done", self.words.ending(self.reason))
            rest = [str(command) for command in commands[number:]]
            if stop and rest:
                notes.append(
                    f"Stopped after {number} of {len(commands)} actions: "
                    f"{stop.sentence}; not executed: {', '.join(packed(rest))}."
                )
            if stop and (rest or self.done or command.until):
                return stop.reason, tuple(rest)
        return None, ()

    def _play_one(self, command: Command, stop_on: frozenset[str]) -> Stop | None:
        """Executes a command; a macro repeats until its condition or a stop."""
        wanted = stop_on - stops.MEANT.get(command.until or "", set())
        for _ in range(1 if command.until is None else LIMITS["until"]):
            record = self.step(command.action)
            self._tell_listeners()
            moments = self.before, self.moment
            reasons = stops.reasons(record, *moments, self.words)
            stop = next((stop for stop in reasons if stop.reason in wanted), None)
            fulfilled = stops.is_fulfilled(command.until, record, *moments, self.words)
            if stop or self.done or fulfilled:
                return stop
        return None

    def step(self, action: str) -> StepRecord:
        """Takes one step and returns its record."""
        words, history = self.words, self.history
        index = words.actions.index(action)
        reward, dead, truncated, info = self.env.advance(index)
        self.before = self.moment
        self.moment = self._perception.look(self.env.snapshot())
        record = StepRecord(
            t=self.moment.snapshot.step,
            action=action,
            executed=info["action"],
            forced=self.before.idle,
            reward=float(reward),
            vitals={name: self.moment.inventory[name] for name in words.vitals},
            events=self._perception.events(self.moment),
            unlocked=tuple(n for n in words.achievements if n in info["unlocked"]),
            resting=self.before.resting,
        )
        history.records.append(record)
        history.memory.follow(record.events)
        if self.task_env is not None:
            self.task_env.tracker.step(action, info["events"])
        history.reason = self._ending(dead, truncated)
        return record

    def _ending(self, terminated: bool, truncated: bool) -> str | None:
        """Returns why the game is over after a step, or `None`."""
        if terminated:
            events = self.moment.snapshot.events
            return "won" if any(e["type"] == "won" for e in events) else "died"
        if truncated:
            return "length"
        monitor = None if self.task_env is None else self.task_env.tracker.monitor
        if monitor is not None and monitor.verdict.final:
            if monitor.verdict is Verdict.DONE:
                return "goal_done"
            return "budget" if monitor.reason == "timeout" else "goal_failed"
        return "cap_actions" if self.steps_taken == self.max_actions else None

    # Observing.

    def observe(
        self, first: int | None = None, notes: Iterable[str] = ()
    ) -> Observation:
        """Returns the observation of the current state, without a step.

        Args:
          first: Step count at the start of the call; by default no steps are reported.
          notes: Notes of the interface.
        """
        moment, history = self.moment, self.history
        snapshot, hidden = moment.snapshot, self._perception.privileged
        frame = self.env.frame(self.picture_size) if self.images else None
        history.memory.look(moment)
        history.observed.append(self.steps_taken)
        return Observation(
            **{name: getattr(moment, name) for name in _OF_MOMENT},
            **{name: getattr(self, name) for name in _OF_GAME},
            step=snapshot.step,
            clock=snapshot.clock,
            asleep=snapshot.sleeping,
            falling=history.falling(self.words.vitals),
            steps=tuple(history.records[first:]) if first is not None else (),
            achievements=snapshot.unlocked,
            notes=tuple(notes),
            memory=self.memory_text() if self._memory_map else None,
            available=tuple(self.available()) if self._hints else None,
            privileged=hidden(snapshot) if self._privileged else None,
            style=self._style,
            picture=functools.partial(self._draw, moment, frame),
        )

    def available(self) -> Iterator[str]:
        """Yields the actions that may have an effect, as far as visible."""
        now, recipes = self.moment, self.words.recipes
        unseen = now.front in (UNCLEAR, DARKNESS)
        for name, possible in zip(self.words.actions, self.env.action_masks()):
            if unseen and name in recipes and recipes[name].where:
                uses = recipes[name].uses.items()
                possible = all(now.inventory.get(item, 0) >= n for item, n in uses)
            if possible or (unseen and name == "do"):
                yield name

    def memory_text(self) -> str:
        """Returns a map of everything seen so far."""
        moment, memory = self.moment, self.history.memory
        return memory.draw(moment.snapshot.step, moment.facing, self.words.glyphs())

    def _draw(
        self, moment: Moment, frame: np.ndarray | None, size: tuple[int, int] | None
    ) -> np.ndarray:
        """Draws a moment while it is current, or returns its stored frame."""
        if frame is not None and size in (None, self.picture_size):
            return frame
        if self.moment is not moment:
            raise ValueError(
                "The game has gone on, so this observation cannot be drawn any "
                "more. Do it at once, or make the interface with images=True."
            )
        return self.env.frame(size or self.picture_size)

    def describe(self, observation: Observation) -> str:
        """Returns an observation in the format of this interface."""
        if self._delta is not None:
            return self._delta.tell(observation)
        return observation.render(self.format)

    def _short(self, observation: Observation) -> str:
        if self.format in ("json", "ascii"):
            return observation.render(self.format)
        return observation.text(verbosity=0)

    # Undo.

    def go_back(self, n: int) -> Observation:
        """Undoes the last steps exactly, with all their effects.

        The remaining actions are repeated from the start; the game is deterministic, so
        the result is the same.

        Args:
          n: Number of steps.

        Raises:
          UndoError: If undo is not allowed or the game is shorter.
        """
        self._need_undo()
        history, steps = self.history, self.steps_taken
        if not 0 <= n <= steps:
            raise UndoError(f"Expected 0 to {steps} steps, got {n!r}.")
        assert self._first_checkpoint is not None
        self._put_back(*self._first_checkpoint)
        for number, record in enumerate(history.records[: steps - n]):
            if number in history.observed:
                self.observe()
            self.step(record.action)
        return self.observe()

    def save(self) -> str:
        """Saves the current state and returns its id.

        Raises:
          UndoError: If undo is not allowed.
        """
        self._need_undo()
        name = f"save-{len(self._saved) + 1}"
        self._saved[name] = self._checkpoint()
        return name

    def restore(self, id: str) -> Observation:
        """Returns to a saved state.

        Raises:
          UndoError: If undo is not allowed or there is no such state.
        """
        self._need_undo()
        if id not in self._saved:
            raise UndoError(f"Unknown save {id!r}; there are {list(self._saved)}.")
        self._put_back(*self._saved[id])
        return self.observe()

    def _need_undo(self) -> None:
        if not self._allow_undo:
            raise UndoError(
                "Undo is not allowed: make the interface with allow_undo=True."
            )

    def _checkpoint(self) -> tuple[Any, History]:
        """Returns the state of the game, and its history."""
        return self.env.get_state(), copy.deepcopy(self.history)

    def _put_back(self, state: Any, history: History) -> None:
        self.env.set_state(state)
        self.history, self.undone = copy.deepcopy(history), True
        self.look()


def _task_env(
    env: Any, task: Any, allow_undo: bool, chosen: Mapping[str, Any]
) -> TaskEnv | None:
    """Returns the task environment, if there is a task.

    Args:
      env: The environment.
      task: The goal.
      allow_undo: Whether steps can be undone.
      chosen: Further arguments of `TaskEnv`; `None` for defaults.
    """
    chosen = {name: value for name, value in chosen.items() if value is not None}
    if task is None:
        if chosen:
            raise ValueError(f"{list(chosen)} need a task.")
        return None
    if allow_undo:
        raise ValueError(
            "allow_undo cannot be combined with a task: what a goal has seen cannot be "
            "taken back."
        )
    tasks.find(games.of(env).name)  # raises if the game has no tasks
    return TaskEnv(task, base=env, **chosen)


def _game_and_env(
    env: gymnasium.Env | None, name: str | None, seed: int | None, rules: Any
) -> tuple[TextGame, Any]:
    """Returns the text adapter, and the environment to play in."""
    if env is None:
        game = games.find(name or games.DEFAULT)
        return game, game.make_env(seed, game.load(rules))
    if rules is not None:
        raise ValueError(
            "rules cannot be combined with env: pass them to crafter.Env instead."
        )
    game = games.of(env)
    if name not in (None, game.name):
        raise ValueError(f"The environment plays {game.name}, not {name!r}.")
    return game, env.unwrapped
