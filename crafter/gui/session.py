"""Session of a person who plays: environment, counts, printed lines.

Source:
  Crafter 1.8.3, `run_gui`, for the printed lines and for what happens when an
  episode is done.
"""

import dataclasses
import pathlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from crafter.gui import savefile
from crafter.gui.game import Event, Game, Menu, adapter_of
from crafter.gui.memory import Memory
from crafter.gui.status import Facts, Status

#: What can be done when an episode is done.
DEATHS = ("continue", "reset", "quit")
_REPORT_EVERY = 100  # steps

# Names in saved games of what the session counted.
_GAME, _RETURN = "session_game", "session_return"
_UNLOCKED, _UNLOCKED_AT = "session_unlocked", "session_unlocked_at"


class Briefing(NamedTuple):
    """Title and paragraphs of the dialog before a game."""

    title: str
    paragraphs: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Ending:
    """How an episode ended.

    Attributes:
      died: Whether the player died.
      won: Whether the player won; if neither, the time is up.
      title: What happened, in a few words.
      cause: What led to it, in a sentence; empty if nothing has to be said.
      steps: How many steps it took.
      episode_return: Sum of the rewards.
      unlocked: The achievements, in order of time.
      achievements: How many there are.
      next: What comes after it, in a word or two.
      failed: Whether a task failed in it.
    """

    died: bool
    won: bool
    title: str
    cause: str
    steps: int
    episode_return: float
    unlocked: tuple[str, ...]
    achievements: int
    next: str = "next world"
    failed: bool = False


class Session:
    """A game that is played step by step, in one episode after the other.

    Every frame is drawn by `Env.frame`, which never changes the game. So the same
    actions give the same game here and in a loop without a window.

    Args:
      env: An environment of a game with the part `app`, inside recorders or not. With
        `events=True`, notices say what failed and why.
      death: What to do when an episode is done: "continue" to go on stepping it,
        "reset" to wait for `next_episode`, "quit" to end.

    Attributes:
      env: The environment, with its wrappers.
      game: The adapter of the game.
      memory: What the player has seen and learned in this episode.
      ending: How the episode ended that waits for the next one, or None.
      over: Whether the session wants to end.
      version: Increases with every change of the picture.
      notices: Short texts for the window; whoever shows them removes them.
    """

    def __init__(self, env: gymnasium.Env, *, death: str = "reset") -> None:
        self.env = env
        self.over = False
        self.version = 0
        self.notices: list[str] = []
        self._game: Any = self._game_in(env)
        self.game: Game = adapter_of(self._game)
        self.memory = Memory(self.game)
        self.ending: Ending | None = None
        self._death = death
        self._return: float = 0
        self._unlocked: dict[str, int] = {}
        self._action: str | None = None
        self._done = False
        self._hurt: float = 0

    def _game_in(self, env: gymnasium.Env) -> Any:
        """Returns the environment of the game itself."""
        return env.unwrapped

    def start(self) -> None:
        """Begins the first episode."""
        self._begin_episode()
        greeting = self.game.greeting(self._game)
        if greeting:
            print(greeting)

    def advance(self, action: str | None) -> None:
        """Plays one step, unless the next episode is waited for.

        Args:
          action: Name of the action; None is noop, and so is all that is wanted while
            the player is idle, in games that have it so.
        """
        if self.ending is not None:
            return
        before = self._health
        wanted = None if self.game.idles and self.idle else action
        index = self._game.action_names.index(wanted or "noop")
        with warnings.catch_warnings():
            if self._done:  # and wanted to go on
                warnings.filterwarnings("ignore", ".*after the episode ended")
            _, reward, terminated, truncated, info = self.env.step(index)
        self.version += 1
        self._action = info["action"]
        self._hurt = max(before - self._health, 0)
        self._count_achievements(info["achievements"])
        now = self._game.snapshot()
        self.memory.see(now)
        self.notices += self.game.messages(info["events"], now)
        if self._game.step_count % _REPORT_EVERY == 0:
            print(f"Time step: {self._game.step_count}")
        if reward:
            print(f"Reward: {_rounded(float(reward))}")
            self._return += float(reward)
        if (terminated or truncated) and not self._done:
            self._finish_episode(self._how_it_ended(terminated, info))

    def next_episode(self) -> None:
        """Begins the next episode, if one is waited for."""
        if self.ending is not None:
            print("\nStarting a new episode.")
            self._begin_episode()

    @property
    def proportions(self) -> tuple[int, int]:
        """Width and height of a picture with square cells, in cells."""
        return self.game.cells(self._game)

    @property
    def briefing(self) -> Briefing:
        """Title and paragraphs of the dialog before the game."""
        return Briefing(self.game.name, tuple(self.game.goal))

    @property
    def idle(self) -> bool:
        """Whether the player sleeps or rests, and can do nothing."""
        return bool(self._facts(self._game.snapshot()).idle)

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment.

        Args:
          size: (width, height) in pixels; raised to the least that a cell needs.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        least = self.game.least_cell
        width, height = (max(n, least * c) for n, c in zip(size, self.proportions))
        return np.asarray(self._game.frame((width, height)))

    def status(self) -> Status:
        """Returns what the side panel tells about this moment."""
        now = self._game.snapshot()
        return Status(
            **vars(self._facts(now)),
            step=now.step,
            steps=self._game.length or None,
            episode=now.episode,
            episode_return=self._return,
            action=self._action,
            unlocked=dict(self._unlocked),
            hurt=self._hurt,
            possible={} if now.dead else self.game.possible(now),
        )

    def _facts(self, now: Any) -> Facts:
        return self.game.facts(now.inventory, now, self.memory.learned)

    def menu(self) -> Sequence[Menu]:
        """Returns the menu of this moment; empty in games without one."""
        return self.game.menu(self._game.snapshot(), self.memory.learned)

    def place(self) -> tuple[int, tuple[int, int]]:
        """Returns floor and cell (row, column) of the player on the map."""
        return self.memory.place(self._game.snapshot())

    def save(self, path: str | pathlib.Path) -> None:
        """Saves the game to a file.

        Raises:
          savefile.SaveError: If the file cannot be written.
        """
        state = dict(self._game.get_state())
        state[_GAME] = np.array(self.game.key)
        state[_RETURN] = np.array(float(self._return))
        state[_UNLOCKED] = np.array(list(self._unlocked), dtype=str)
        state[_UNLOCKED_AT] = np.array(list(self._unlocked.values()), int)
        state |= self.memory.state()
        savefile.write(path, state)
        self._tell(f"Saved to {path}.")

    def load(self, path: str | pathlib.Path) -> None:
        """Goes on with a saved game.

        The running episode is not finished. If it is recorded, its recording ends
        here as a partial one, and a new one starts at the loaded moment.

        Raises:
          savefile.SaveError: If the file is not a saved game or not one of this
            version and configuration. The running game goes on unchanged.
        """
        state = savefile.read(path)
        try:
            total, unlocked = _counts(state)
            self._check_game(state)
            memory = Memory.restored(self.game, Memory.taken_out(state))
            self.env.reset(options={"state": state})
        except ValueError as error:
            raise savefile.SaveError(f"cannot load {path}: {error}") from error
        self._clear_counts()
        self._return, self._unlocked, self.memory = total, unlocked, memory
        self.memory.see(self._game.snapshot())
        self.version += 1
        self._tell(f"Loaded {path}.")

    def close(self) -> None:
        """Ends the session; recorders keep the running episode as a partial one."""
        self.env.close()

    def _begin_episode(self) -> None:
        self.env.reset()
        self._clear_counts()
        self.memory.see(self._game.snapshot())
        self.version += 1

    def _check_game(self, state: dict[str, np.ndarray]) -> None:
        saved = str(state.pop(_GAME, self.game.key))
        if saved != self.game.key:
            raise ValueError(f"it is a game of {saved}, and this is {self.game.key}")

    def _clear_counts(self) -> None:
        self._return = 0
        self._unlocked = {}
        self.memory = Memory(self.game)
        self._action = None
        self._hurt = 0
        self._done = False
        self.ending = None

    @property
    def _health(self) -> float:
        return float(self._game.snapshot().inventory.get("health", 0))

    def _count_achievements(self, counters: dict[str, int]) -> None:
        for name in self.game.achievements:
            if counters[name] and name not in self._unlocked:
                self._unlocked[name] = self._game.step_count
                place = f"{len(self._unlocked)}/{len(self.game.achievements)}"
                print(f"Achievement ({place}): {name}")
                self.notices.append(f"Achievement {place}: {name.replace('_', ' ')}")

    def _how_it_ended(self, terminated: bool, info: Mapping[str, Any]) -> Ending:
        """Returns what is told of the episode that is just over."""
        died = info["dead"]
        won = terminated and not died
        return Ending(
            died=died,
            won=won,
            title="You died" if died else "Victory" if won else "Time is up",
            cause=self.game.victory if won else self._death_in(info["events"]),
            steps=self._game.step_count,
            episode_return=self._return,
            unlocked=tuple(self._unlocked),
            achievements=len(self.game.achievements),
        )

    def _death_in(self, events: Sequence[Event]) -> str:
        """Returns what led to a death in a step, in a sentence; empty without one."""
        causes = [by for e in events if e["type"] == "died" for by in e["by"]]
        return self.game.death(causes) if causes else ""

    def _finish_episode(self, ending: Ending) -> None:
        print("Episode done!")
        print(f"Duration: {self._game.step_count}")
        print(f"Return: {_rounded(self._return)}")
        self._done = True
        if self._death == "reset":
            self.ending = ending
        else:
            self.notices.append(f"{ending.title}. {ending.cause}".strip())
        self.over = self._death == "quit"

    def _tell(self, text: str) -> None:
        print(text)
        self.notices.append(text)


def _rounded(amount: float) -> float:
    """Returns a sum of rewards without the noise of its last digits."""
    return round(amount, 6)


def _counts(state: dict[str, np.ndarray]) -> tuple[float, dict[str, int]]:
    """Takes what the session counted out of a saved game.

    Returns:
      Sum of the rewards; achievement -> step. Nothing where nothing was saved.

    Raises:
      ValueError: If it is damaged.
    """
    names = state.pop(_UNLOCKED, np.array([], str))
    steps = state.pop(_UNLOCKED_AT, np.array([], int))
    total = state.pop(_RETURN, np.array(0.0))
    try:
        counted = {str(n): int(step) for n, step in zip(names, steps, strict=True)}
        return float(total), counted
    except (TypeError, ValueError) as error:
        raise ValueError("its achievements or its return are damaged") from error
