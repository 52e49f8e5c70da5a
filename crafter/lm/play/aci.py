"""Agent-computer interface: a game for agents that read and write text."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.core.ruleset import thaw
from crafter.core.validation import one_of
from crafter.lm import game as games
from crafter.lm.game import TextGame
from crafter.lm.parsing.parse import Command, ParseError, ParseResult, parser_of
from crafter.lm.play import stops
from crafter.lm.play.quest import Quest
from crafter.lm.play.session import Observer, Session, Undo, picture_size
from crafter.lm.rendering.facts import StepRecord, Style
from crafter.lm.rendering.observation import Observation, split_format
from crafter.lm.rendering.text import Delta
from crafter.lm.rendering.words import LIMITS

ON_INVALID = ("reject", "noop", "skip")
_DIGEST = 16  # hexadecimal digits
_LONGEST = 200  # characters of an option that logs keep as they are


@dataclasses.dataclass(frozen=True)
class Turn:
    """Result of one call of `act`.

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


class CrafterACI(Session):
    """Plays a game through text: parses actions, renders observations.

    Args:
      env: A `crafter.Env(events=True)` or `crafter.craftax.Env(events=True)`, to
        play in; made if not given.
      game: `crafter` or `craftax`; by default that of `env`, and Crafter without one.
      seed: Of the sequence of worlds; with a task the number of the first scene.
      task: What is to be achieved, in Crafter: name of a task, an expression, a `Goal`
        or a task file; by default nothing in particular.
      difficulty: That of the task, `simple` by default.
      split: `train`, `val` or `test`, from which scenes attempts begin; `train` by
        default.
      scene: Number of the one scene to begin from, or a `crafter.tasks.scenes.Scene`;
        by default they change with the seed.
      format: `text`, `md`, `xml`, `json`, `ascii`, `craftax` (the published text of
        that game), or several such as `text+ascii`.
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
      rules: The rules of the game, as `rules` of its environment; not together with
        `env`, which has its own.

    Attributes:
      env: The environment.
      format: Format of the texts.
      starting_obs: First observation of this game.
      seed: Seed of the sequence of worlds; with a task the number of the scene.
      started_from: Options that the game was started with, as data for JSON; a state
        and a long map as checksums.

    Raises:
      ValueError: If an argument is impossible.

    Example:
      >>> aci = CrafterACI(seed=1)
      >>> turn = aci.act("left x2, do")
      >>> [step.action for step in turn.steps]
      ['move_left', 'move_left', 'do']
    """

    seed: int = 0
    started_from: dict[str, Any]
    starting_obs: Any

    def __init__(
        self,
        env: gymnasium.Env | None = None,
        *,
        game: str | None = None,
        seed: int = 0,
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
        played, made = _made(env, game, seed, rules)
        _check_format(format, mode, played)
        words = played.words(played.rules_of(made))
        words.glyphs(glyphs)  # raises if the game has no such characters
        chosen = {"difficulty": difficulty, "split": split, "scene": scene}
        quest = _quest(made, played, task, allow_undo, chosen)
        limits = {"max_actions": max_actions, "max_calls": max_calls}
        limits |= {"invalid_limit": invalid_limit, "max_batch": max_batch}
        super().__init__(made, words, night, quest, **limits)
        style = Style(verbosity, directions, detail, reach, glyphs, legend)
        self._observer = Observer(
            self, style, hints, memory_map, privileged, bool(images)
        )
        self.format, self._parser = format, parser_of(words)
        self._undo = Undo(self, allow_undo)
        self._stop_on = stops.chosen(stop_on)
        self._on_invalid, self._macros, self._indices = on_invalid, macros, indices
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
        """Name of the game."""
        return self.text_game.title

    @property
    def rules(self) -> Any:
        """The rules of the game, as the environment has them."""
        return self.text_game.rules_of(self.env)

    @property
    def view(self) -> tuple[int, int]:
        """Cells that pictures are wide and high, the inventory included."""
        return self.text_game.cells(self.env)

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of pictures in pixels."""
        return picture_size(self)

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
          options: Further options of `Env.reset`, such as a hand-made map or a state.
            With a task there are none: the scene decides.

        Raises:
          ValueError: If there are options and a task, or no scene can be made.
          crafter.games.crafter.start.OptionsError: If the options are wrong.
          crafter.games.crafter.state.StateError: If a state does not fit.
        """
        chosen, quest = dict(options or {}), self.quest
        if quest is not None and chosen:
            raise ValueError(f"With a task the scene decides, not {list(chosen)}.")
        if quest is not None:
            number = self.seed + next if seed is None else seed
            self._attempt(number)
            self.seed, chosen = number, quest.described()
        else:
            first = {}
            if "state" not in chosen:  # which has its own seed and episode
                known = self.seed, self._episode + next
                seed, first["episode"] = known if seed is None else (seed, 1)
            self._start(seed=seed, options={**first, **chosen})
            self.seed, self._episode = self.env.world_seed or 0, self.env.episode
        self.started_from = {name: _told(value) for name, value in chosen.items()}
        self._undo.begin()
        if self._delta is not None:
            self._delta.reset()
        self.starting_obs = observation = self._observer.observe()
        self._tell_listeners()
        return observation

    def terminate(self) -> dict[str, int]:
        """Ends the game and returns the achievements."""
        if not self.done:
            self.history.reason = "terminated"
        return self.achievements

    def listen(self, listener: Callable[[CrafterACI], None]) -> None:
        """Calls a function after every reset and step, for recordings."""
        self._listeners.append(listener)

    @property
    def state(self) -> Any:
        """The present moment, frozen; with the whole map."""
        return self.env.snapshot(whole_map=True)

    @property
    def action_history(self) -> list[str]:
        """Names of the chosen actions, in order."""
        return [record.action for record in self.records]

    @property
    def achievements(self) -> dict[str, int]:
        """Achievement -> how often it was reached."""
        found = self.moment.snapshot.achievements
        return {name: int(count) for name, count in found.items()}

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """For each step, the achievements unlocked in it."""
        return [list(record.unlocked) for record in self.records]

    def state_digest(self) -> str:
        """Returns a short checksum of the whole game, its random stream included."""
        return _digest(self.env.get_state())

    # Acting.

    def act(self, actions: str | Sequence | Mapping, stop_on: Any = None) -> Turn:
        """Carries out what a model wrote.

        Args:
          actions: Text, or a list or mapping as JSON would give it.
          stop_on: Overrides the setting of the interface for this call.

        Returns:
          The turn. Nothing is raised for input that is not understood: the turn has an
          `error` then, and no step was taken unless `on_invalid` says so.
        """
        chosen = self._stop_on if stop_on is None else stops.chosen(stop_on)
        if self.done:
            return self._refuse_after_end()
        result = self._parser.parse(
            actions,
            front=self.moment.front,
            indices=self._indices,
            max_batch=self.max_batch,
            macros=self._macros,
        )
        self._count_call(valid=result.error is None)
        return self._carry_out(result, chosen)

    def _carry_out(self, result: ParseResult, stop_on: frozenset[str]) -> Turn:
        notes, commands, error = list(result.notes), result.commands, result.error
        if error is not None:
            notes = [error.message]
            instead = {"reject": (), "noop": (Command("noop"),)}
            commands = instead.get(self._on_invalid, commands)
        first = self.steps_taken
        ending = self._play(commands, stop_on, self._advance)
        if ending.note:
            notes.append(ending.note)
        self._end_call()
        observation = self._observer.observe(first, notes)
        short = error is not None and self.steps_taken == first
        return Turn(
            observation=observation,
            text=self._short(observation) if short else self.describe(observation),
            rewards=tuple(step.reward for step in observation.steps),
            steps=observation.steps,
            stopped_by=ending.reason,
            skipped=ending.skipped,
            error=error,
            done=self.done,
        )

    def _advance(self, action: str) -> StepRecord:
        record = self.step(action)
        self._undo.keep()
        self._tell_listeners()
        return record

    def _refuse_after_end(self) -> Turn:
        message = "The game is over; call reset() to start another one."
        error = ParseError("over", 0, "", (), message)
        observation = self._observer.observe(self.steps_taken, [message])
        return Turn(observation, self._short(observation), error=error, done=True)

    # Observing.

    def observe(self) -> Observation:
        """Returns the present observation again, without a step."""
        return self._observer.observe()

    def memory_text(self) -> str:
        """Returns a map of everything seen so far."""
        return self._observer.map()

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
        """Takes back the last steps, exactly, with everything that happened in them.

        Args:
          n: Number of steps.

        Raises:
          UndoError: If undo is not allowed or the game is shorter.
        """
        self._undo.go_back(n, self._observer.observe)
        return self._observer.observe()

    def save(self) -> str:
        """Keeps this moment and returns an id to come back to it.

        Raises:
          UndoError: If undo is not allowed.
        """
        return self._undo.save()

    def restore(self, id: str) -> Observation:
        """Comes back to a kept moment.

        Raises:
          UndoError: If undo is not allowed or there is no such moment.
        """
        self._undo.restore(id)
        return self._observer.observe()

    def _tell_listeners(self) -> None:
        for listener in self._listeners:
            listener(self)


def _quest(
    env: Any, game: TextGame, task: Any, allow_undo: bool, chosen: Mapping[str, Any]
) -> Quest | None:
    """Returns the task that is attempted, if there is one.

    Args:
      env: The environment.
      game: What is known of its game.
      task: What is to be achieved.
      allow_undo: Whether steps can be taken back.
      chosen: Further arguments of `Quest`; `None` for their defaults.
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
    game.check_tasks()
    return Quest(env, task, **chosen)


def _check_format(format: str, mode: str, game: TextGame) -> None:
    one_of("mode", mode, ("full", "delta"))
    parts = split_format(format)
    if mode == "delta" and format != "text":
        raise ValueError(f"mode 'delta' needs the format 'text', not {format!r}.")
    if "craftax" in parts and game.published is None:
        raise ValueError(
            f"The format 'craftax' needs the game craftax, not {game.name}."
        )


def _made(
    env: gymnasium.Env | None, name: str | None, seed: int, rules: Any
) -> tuple[TextGame, Any]:
    """Returns the game, and the environment to play it in."""
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


def _digest(state: Mapping[str, Any]) -> str:
    """Returns a short checksum of a value of `Env.get_state`."""
    total = hashlib.sha256()
    for name, array in sorted(state.items()):
        value = np.ascontiguousarray(array)
        total.update(f"{name} {value.dtype.str} {value.shape}".encode())
        total.update(value.tobytes())
    return total.hexdigest()[:_DIGEST]


def _told(value: Any) -> Any:
    """Returns an option of `Env.reset` as data for JSON; a long one as a checksum."""
    if isinstance(value, Mapping) and "version" in value:
        return f"sha256:{_digest(value)}"  # a state
    text = json.dumps(thaw(value), default=str)
    if len(text) <= _LONGEST:
        return json.loads(text)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]}"
