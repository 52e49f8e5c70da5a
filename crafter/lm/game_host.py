"""Named games behind a server, several at a time."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import imageio.v3 as iio

from crafter.lm import game as games
from crafter.lm.rendering.words import Words
from crafter.lm.runs import scores
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogWriter
from crafter.lm.runs.protocols import Protocol

_LARGEST = 2048  # pixels


class GameError(ValueError):
    """There is no such game, or it does not allow the call."""


class GameHost:
    """Holds games and plays them, for one caller at a time.

    Without a name, calls apply to the latest game. The docstrings of the methods, up to
    the errors, are tool descriptions that models read.

    Args:
      seed: Seed of games started without one.
      record: Folder for logs; nothing is written if omitted.
      max_games: Maximum number of games at a time.
      allow_undo: Whether to allow `save` and `restore`.
      memory_map: Whether to allow `map`.
      rules: The rules, as the argument `rules` of the environment.
      game: `crafter` or `craftax`.
      task: The task of games started without one.
      difficulty: Difficulty of that task, `simple` by default.

    Attributes:
      game: The text adapter of the game.
      tables: The rules of the games.
      words: Vocabulary of the game under its rules.
      allow_undo: Whether games can be saved.

    Raises:
      ValueError: If the game is unknown or the rules are invalid.
    """

    def __init__(
        self,
        seed: int = 0,
        record: pathlib.Path | None = None,
        max_games: int = 16,
        allow_undo: bool = False,
        memory_map: bool = False,
        rules: Any = None,
        game: str = games.DEFAULT,
        task: str | None = None,
        difficulty: str | None = None,
    ) -> None:
        self.game = games.find(game)
        self.tables = self.game.load(rules)
        self.words: Words = self.game.words(self.tables)
        self._record, self.allow_undo, self._memory_map = record, allow_undo, memory_map
        self._seed, self._most = seed, max_games
        self._usual = {"task": task, "difficulty": difficulty, "allow_undo": allow_undo}
        if task is not None:
            self.game.task(task, difficulty or "simple", self.tables)  # validated here
        self._games: dict[str, Game] = {}
        self._count = 0
        self._lock = threading.Lock()

    def actions(self) -> str:
        """List all actions and what they need."""
        names, needs = self.words.actions, self.words.needs
        return "\n".join(f"{n}: {needs[n]}" if n in needs else n for n in names)

    def rules(self, level: str = "full") -> str:
        """Return the rules of the game. level: full, brief or actions.

        Raises:
          ValueError: If the level is unknown.
        """
        return games.rules(level, game=self.game.name, tables=self.tables)

    def new_game(
        self,
        seed: int | None = None,
        format: str = "text",
        max_actions: int | None = None,
        task: str | None = None,
        difficulty: str | None = None,
    ) -> tuple[dict[str, Any], str]:
        """Start a game. Returns its id, the rules and the first observation.

        format: text, md, xml, json, ascii, or several such as text+ascii.
        max_actions: steps after which the game ends. task: what is to be achieved,
        see crafter://tasks. difficulty: simple, medium or hard.

        Raises:
          GameError: If there are too many games.
          ValueError: If an argument is impossible.
        """
        games.refuse_file(task)
        interface = {**self._usual, "format": format, "max_actions": max_actions}
        if task is not None:
            interface |= {"task": task, "difficulty": difficulty}
        elif difficulty:
            interface["difficulty"] = difficulty
        seed = self._seed if seed is None else seed
        score, rules = self.game.score, {"tables": self.tables, "game": self.game.name}
        protocol = Protocol("mcp", (seed,), score, "brief", interface, **rules)
        with self._lock:
            if len(self._games) >= self._most:
                raise GameError(f"There are {self._most} games already; end one first.")
            game = Game(protocol, seed)
            name = f"game-{self._count + 1}"
            if self._record is not None:
                self._open_record(self._record, name, game)
            self._games[name] = game
            self._count += 1
        text = game.briefing().rules
        return {"game": name}, f"Game {name}.\n\n{text}\n\n{game.message.text}"

    def _open_record(self, folder: pathlib.Path, name: str, game: Game) -> None:
        """Starts the log of a game, under an unused name."""
        names = itertools.chain([name], (f"{name}-{n}" for n in itertools.count(2)))
        paths = (folder / f"{one}.jsonl" for one in names)
        game.log = LogWriter(next(path for path in paths if not path.exists()))
        settings, rules = game.protocol.as_dict(), game.aci.rules.digest
        game.write("run_start", seed=game.seed, protocol=settings, rules=rules)

    def act(
        self,
        actions: str | list[Any] | dict[str, Any],
        game: str | None = None,
        stop_on: str | list[str] | None = None,
    ) -> tuple[dict[str, Any], str]:
        """Carry out one or more actions, such as "move_left x2, do".

        The list ends early when something happens. stop_on: none, default, all, or
        names of events. Unknown actions are refused and no step is taken.

        Raises:
          GameError: If there is no such game, it is over, or an action is unknown; no
            step was taken then.
        """
        with self._game(game) as played:
            if played.done:
                raise GameError("The game is over; start another one with new_game.")
            lines = played.play(actions, stop_on)
            *steps, turn = lines
            number = played.aci.calls_made
            played.write("call", n=number, reply=actions, stop_on=stop_on)
            for line in lines:
                played.write(**line)
            if played.aci.reason is not None:
                played.write("rollout_end", **played.end())
            if turn["error"] is not None:
                raise GameError(played.message.text)
            data = {
                "steps": [step["action"] for step in steps],
                "rewards": [step["reward"] for step in steps],
                "stopped_by": turn["stopped_by"],
                "skipped": turn["skipped"],
                "done": played.done,
                **_goal_of(played),
            }
            return data, played.message.text

    def observe(
        self, game: str | None = None, format: str = "text", detail: str = "nearest"
    ) -> tuple[dict[str, Any], str]:
        """Look around without taking a step.

        format: text, md, xml, json, ascii. detail: nearest, octant or all.
        """
        with self._game(game) as played:
            obs = played.aci.observe()
            style = dataclasses.replace(obs.style, detail=detail)
            obs = dataclasses.replace(obs, style=style)
            return obs.json(), obs.render(format)

    def look(self, game: str | None = None, size: int = 576) -> bytes:
        """Return the picture of the game, size pixels wide and high."""
        if size > _LARGEST:
            raise GameError(f"size must be at most {_LARGEST} pixels, got {size}.")
        with self._game(game) as played:
            columns, rows = played.aci.view
            height = max(1, round(size * rows / columns))
            frame = played.aci.env.frame((size, height))
            return iio.imwrite("<bytes>", frame, extension=".png")

    def progress(self, game: str | None = None) -> dict[str, Any]:
        """Return achievements reached and open, scores so far, and the goal."""
        with self._game(game) as played:
            aci, words = played.aci, played.aci.words
            reached = list(aci.moment.snapshot.unlocked)
            shares = scores.reached([reached], words.achievements)[0]
            values = {n: formula(shares) for n, formula in scores.FORMULAS.items()}
            if self.game.score == scores.RETURN:
                values[scores.RETURN] = 100 * played.total / math.fsum(words.rewards)
            return {
                "achievements": reached,
                "open": [n for n in words.achievements if n not in reached],
                "scores": {n: round(float(value), 2) for n, value in values.items()},
                "steps": aci.steps_taken,
                "calls": aci.calls_made,
                "done": aci.done,
                "reason": aci.reason,
                **_goal_of(played),
            }

    def map(self, game: str | None = None) -> str:
        """Return a map of everything seen so far, if the server allows it.

        Raises:
          GameError: If that is not allowed.
        """
        if not self._memory_map:
            raise GameError(
                "The map is not allowed: start the server with --memory-map."
            )
        with self._game(game) as played:
            return played.aci.memory_text()

    def save(self, game: str | None = None) -> str:
        """Keep this moment; returns an id for restore."""
        with self._game(game) as played:
            name = played.aci.save()
            played.write("save", id=name)
            return name

    def restore(self, id: str, game: str | None = None) -> str:
        """Come back to a kept moment."""
        with self._game(game) as played:
            obs = played.aci.restore(id)
            played.write("restore", id=id)
            return played.aci.describe(obs)

    def end_game(self, game: str | None = None) -> dict[str, Any]:
        """End a game. Returns the achievements and where the record is, if any."""
        name = self._game_name(game)
        result = self.progress(name)
        with self._game(name) as played:
            if not played.done:
                played.aci.terminate()
                played.write("rollout_end", **played.end())
            path = None if played.log is None else str(played.log.path)
            if played.log is not None:
                played.log.close()
            del self._games[name]
            return result | {"reason": played.aci.reason, "record": path}

    def log(self, game: str) -> str:
        """Returns the actions of a game so far, one step per line."""
        with self._game(game) as played:
            records = played.aci.records
            return "\n".join(f"{r.t} {r.action} {r.reward:+.1f}" for r in records)

    def close(self) -> None:
        """Ends all games."""
        for name in list(self._games):
            self.end_game(name)

    def _game_name(self, game: str | None) -> str:
        if not self._games:
            raise GameError("There is no game; start one with new_game.")
        name = next(reversed(self._games)) if game is None else game
        if name not in self._games:
            raise GameError(f"Unknown game {name!r}; there are {list(self._games)}.")
        return name

    @contextlib.contextmanager
    def _game(self, game: str | None) -> Iterator[Game]:
        with self._lock:
            yield self._games[self._game_name(game)]


def _goal_of(game: Game) -> dict[str, Any]:
    """Returns the progress on the goal of a game, if it has one."""
    goal = game.aci.goal
    return {} if goal is None else {"goal": dataclasses.asdict(goal)}
