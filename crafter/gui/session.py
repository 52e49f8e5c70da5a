"""A game played by a person: the environment, what is counted and what is printed.

Source:
  Crafter 1.8.3, `run_gui`, for the printed lines and for what happens when an
  episode is done.
"""

import dataclasses
import pathlib
import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.gui import of_crafter, savefile
from crafter.gui.game import Event, Game
from crafter.gui.status import Status, clock_at, vitals
from crafter.rules import Rules

#: What can be done when an episode is done.
DEATHS = ("continue", "reset", "quit")
_REPORT_EVERY = 100  # steps


@dataclasses.dataclass(frozen=True)
class Ending:
    """How an episode ended.

    Attributes:
      died: Whether the player died; else the time is up.
      title: What happened, in a few words.
      cause: What led to it, in a sentence; empty if nothing has to be said.
      steps: How many steps it took.
      episode_return: Sum of the rewards.
      unlocked: The achievements, in order of time.
      achievements: How many there are.
    """

    died: bool
    title: str
    cause: str
    steps: int
    episode_return: float
    unlocked: tuple[str, ...]
    achievements: int


class Session:
    """A game that is played step by step, in one episode after the other.

    Every frame is drawn by `Env.frame`, which never changes the game. So the same
    actions give the same game here and in a loop without a window.

    Args:
      env: An `Env`, inside recorders or not. With `events=True`, notices say what
        failed and why.
      game: What a window has to know of the game; by default that of Crafter.
      death: What to do when an episode is done: "continue" to go on stepping it,
        "reset" to wait for `next_episode`, "quit" to end.

    Attributes:
      env: The environment, with its wrappers.
      rules: The rules of the game.
      game: What a window has to know of the game.
      ending: How the episode ended that waits for the next one, or None.
      over: Whether the session wants to end.
      version: Increases with every change of the picture.
      notices: Short texts for the window; whoever shows them removes them.

    Raises:
      ValueError: If `death` is not one of the three words.
    """

    def __init__(
        self, env: gymnasium.Env, game: Game | None = None, *, death: str = "reset"
    ) -> None:
        if death not in DEATHS:
            raise ValueError(f"death must be one of {', '.join(DEATHS)}, not {death!r}")
        self.env = env
        self.over = False
        self.version = 0
        self.notices: list[str] = []
        self._game: Any = env.unwrapped
        self.rules: Rules = self._game.rules
        self.game = of_crafter.game(self.rules) if game is None else game
        self.ending: Ending | None = None
        self._death = death
        items = self.rules.items
        self._limits = {name: items[name]["max"] for name in vitals(self.rules)}
        self._return: float = 0
        self._unlocked: dict[str, int] = {}
        self._action: str | None = None
        self._done = False
        self._hurt = 0

    def start(self) -> None:
        """Begins the first episode."""
        self._begin_episode()
        if "diamond" in self.rules.materials:
            print(f"Diamonds exist: {self._game.world.count('diamond')}")

    def advance(self, action: str | None) -> None:
        """Plays one step, unless the next episode is waited for.

        Args:
          action: Name of the action; None is noop.
        """
        if self.ending is not None:
            return
        before = self._health
        index = self._game.action_names.index(action or "noop")
        with warnings.catch_warnings():
            if self._done:  # and wanted to go on
                warnings.filterwarnings("ignore", ".*after the episode ended")
            _, reward, terminated, truncated, info = self.env.step(index)
        self.version += 1
        self._action = info["action"]
        self._hurt = max(before - self._health, 0)
        self._count_achievements(info["achievements"])
        self.notices += self.game.tell(info["events"], self._game.snapshot())
        if self._game.step_count % _REPORT_EVERY == 0:
            print(f"Time step: {self._game.step_count}")
        if reward:
            print(f"Reward: {_rounded(reward)}")
            self._return += float(reward)
        if (terminated or truncated) and not self._done:
            self._finish_episode(terminated, info["events"])

    def next_episode(self) -> None:
        """Begins the next episode, if one is waited for."""
        if self.ending is not None:
            print("\nStarting a new episode.")
            self._begin_episode()

    @property
    def proportions(self) -> tuple[int, int]:
        """Width and height of a picture with square cells, in cells."""
        return self._game.view

    @property
    def sleeping(self) -> bool:
        """Whether the player sleeps."""
        return self._game.player.sleeping

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment.

        Args:
          size: (width, height) in pixels; raised to two pixels a cell.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        width, height = (max(n, 2 * cells) for n, cells in zip(size, self._game.view))
        return self._game.frame((width, height))

    def status(self) -> Status:
        """Returns what the side panel tells about this moment."""
        now = self._game.snapshot()
        return Status(
            step=now.step,
            steps=self._game.length or None,
            episode=now.episode,
            episode_return=self._return,
            action=self._action,
            inventory=now.inventory,
            limits=self._limits,
            achievements=self.rules.achievements,
            unlocked=dict(self._unlocked),
            sleeping=now.sleeping,
            clock=clock_at(now.clock, now.daylight, self.rules.time),
            hurt=self._hurt,
            possible={} if now.dead else self.game.possible(now),
        )

    def save(self, path: str | pathlib.Path) -> None:
        """Saves the game to a file.

        Raises:
          savefile.SaveError: If the file cannot be written.
        """
        state = dict(self._game.get_state())
        state["session_return"] = np.array(float(self._return))
        state["session_unlocked"] = np.array(list(self._unlocked), dtype=str)
        state["session_unlocked_at"] = np.array(list(self._unlocked.values()), int)
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
        total, unlocked = _counts(state, path)
        try:
            self.env.reset(options={"state": state})
        except ValueError as error:
            raise savefile.SaveError(f"cannot load {path}: {error}") from error
        self._clear_counts()
        self._return, self._unlocked = total, unlocked
        self.version += 1
        self._tell(f"Loaded {path}.")

    def close(self) -> None:
        """Ends the session; recorders keep the running episode as a partial one."""
        self.env.close()

    def _begin_episode(self) -> None:
        self.env.reset()
        self._clear_counts()
        self.version += 1

    def _clear_counts(self) -> None:
        self._return = 0
        self._unlocked = {}
        self._action = None
        self._hurt = 0
        self._done = False
        self.ending = None

    @property
    def _health(self) -> int:
        return self._game.player.health

    def _count_achievements(self, counters: dict[str, int]) -> None:
        for name in self.rules.achievements:
            if counters[name] and name not in self._unlocked:
                self._unlocked[name] = self._game.step_count
                place = f"{len(self._unlocked)}/{len(self.rules.achievements)}"
                print(f"Achievement ({place}): {name}")
                self.notices.append(f"Achievement {place}: {name.replace('_', ' ')}")

    def _finish_episode(self, died: bool, events: Sequence[Event]) -> None:
        print("Episode done!")
        print(f"Duration: {self._game.step_count}")
        print(f"Return: {_rounded(self._return)}")
        self._done = True
        causes = [by for e in events if e["type"] == "died" for by in e["by"]]
        ending = Ending(
            died=died,
            title="You died" if died else "Time is up",
            cause=self.game.death(causes) if causes else "",
            steps=self._game.step_count,
            episode_return=self._return,
            unlocked=tuple(self._unlocked),
            achievements=len(self.rules.achievements),
        )
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


def _counts(
    state: dict[str, np.ndarray], path: str | pathlib.Path
) -> tuple[float, dict[str, int]]:
    """Takes what the session counted out of a saved game.

    Returns:
      Sum of the rewards; achievement -> step. Nothing where nothing was saved.

    Raises:
      savefile.SaveError: If it is damaged.
    """
    names = state.pop("session_unlocked", np.array([], str))
    steps = state.pop("session_unlocked_at", np.array([], int))
    total = state.pop("session_return", np.array(0.0))
    fits = names.ndim == steps.ndim == 1 and len(names) == len(steps) and not total.ndim
    if not (fits and names.dtype.kind == "U" and steps.dtype.kind in "iu"):
        raise savefile.SaveError(f"cannot load {path}: its achievements are damaged")
    if total.dtype.kind not in "fiu":
        raise savefile.SaveError(f"cannot load {path}: its return is damaged")
    return float(total), dict(zip(names.tolist(), steps.tolist()))
