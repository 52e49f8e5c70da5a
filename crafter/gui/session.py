"""Play session: environment, counters, printed lines.

Source:
  Crafter 1.8.3, `run_gui`, for the printed lines and the behaviour at the end of an
  episode.
"""

import pathlib
import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from crafter.core import npz
from crafter.core.agents import Agent
from crafter.core.validation import raising
from crafter.gui.autopilot import Autopilot
from crafter.gui.game import Facts, Page, Row, Run, Status, Table, Walkable, adapter_of
from crafter.gui.source import RETURN, SAVED, UNLOCKED, UNLOCKED_AT, Memory, Source

#: What to do when an episode is done.
DEATHS = ("continue", "reset", "quit")
_REPORT_EVERY = 100  # steps
_COLUMNS = 4  # achievement columns at the end; also the minimum height of one
_DIGITS = 6  # of printed returns; further digits are noise


class Session(Source):
    """A game played step by step, one episode after another.

    The same actions give the same game here and in a loop without a window.

    Args:
      env: An environment of a game with an `app` adapter, wrapped in recorders or not.
        With `events=True`, notices say what failed and why.
      death: What to do when an episode is done: "continue" keeps stepping it, "reset"
        waits for `next_episode`, "quit" ends the session.
      episode: Number of the first episode of the seed; 1 by default.
      game: The game environment; `env.unwrapped` by default.
      agent: Agent that plays while no key is pressed, if any.

    Attributes:
      env: The environment, with its wrappers.
      pilot: The agent in this game, or None.
      ending: Page shown between the end of an episode and the next one, else None.
      next: What follows that page, in a word or two.
      happened: Event types of the latest step.
    """

    next = "next world"

    def __init__(
        self,
        env: gymnasium.Env,
        *,
        death: str = "reset",
        episode: int | None = None,
        game: Any = None,
        agent: Agent | None = None,
    ) -> None:
        game = env.unwrapped if game is None else game
        super().__init__(adapter_of(game), game)
        self.pilot = None if agent is None else Autopilot(agent, game)
        self.env, self._death, self._first = env, death, episode
        self._clear_counts()

    @property
    def lasting(self) -> bool:
        """Whether the game is in progress: started, and not over."""
        return bool(self._game.step_count) and not self._done

    @property
    def origin(self) -> dict[str, int]:
        """The options `--seed` and `--episode` that start in the same world."""
        return {"seed": self._game.world_seed, "episode": self._game.episode}

    def _clear_counts(self) -> None:
        if self.pilot:
            self.pilot.forget()
        self.memory = Memory(self.game)
        self.ending: Page | None = None
        self._action: str | None = None
        self._return: float = 0
        self._unlocked: dict[str, int] = {}
        self._done = False
        self.happened: frozenset[str] = frozenset()

    def start(self) -> None:
        """Starts the first episode."""
        self._begin_episode(self._first)
        if greeting := self.game.greeting(self._game):
            print(greeting)

    def advance(self, action: str | None) -> None:
        """Performs one step, unless the episode has ended.

        Args:
          action: Action name; None means the agent's action, or else noop.
        """
        if self.ending is not None:
            return
        if action is None and self.pilot and self.pilot.on:
            action = self.pilot.choose()
        index = self._game.action_names.index(action or "noop")
        with warnings.catch_warnings():
            if self._done:  # continues after the end
                warnings.filterwarnings("ignore", ".*after the episode ended")
            _, reward, terminated, truncated, info = self.env.step(index)
        self._action = info["action"]
        self._count_achievements(info["achievements"])
        self._look()
        now = self._game.snapshot()
        self.notices += self.game.messages(now)
        self.effects = self.game.effects(now)
        self.happened = frozenset(event["type"] for event in info["events"])
        if self._game.step_count % _REPORT_EVERY == 0:
            print(f"Time step: {self._game.step_count}")
        if reward:
            print(f"Reward: {round(float(reward), _DIGITS)}")
            self._return += float(reward)
        if (terminated or truncated) and not self._done:
            self._finish_episode(self._outcome(terminated, info))

    def next_episode(self, same: bool = False) -> None:
        """Starts the next episode, if this one has ended.

        Args:
          same: Whether to replay the same world.
        """
        if self.ending is not None:
            print("\nStarting a new episode.")
            self._begin_episode(self._game.episode if same else None)

    @property
    def ready(self) -> frozenset[str]:
        """Actions that would have an effect now."""
        masks = zip(self._game.action_names, self._game.action_masks())
        return frozenset(name for name, on in masks if on and self.ending is None)

    @property
    def idle(self) -> bool:
        """Whether the player is asleep or resting, and cannot act."""
        return bool(self._facts(self._game.snapshot()).idle)

    def walkable(self) -> Walkable:
        """Returns where the player could walk now, as far as visible."""
        return self.game.walkable(self._game.snapshot())

    def status(self) -> Status:
        """Returns the contents of the side panel at this moment."""
        now = self._game.snapshot()
        return Status(
            **vars(self._facts(now)),
            step=now.step,
            steps=self._game.length or None,
            episode=now.episode,
            episode_return=self._return,
            action=self._action,
            unlocked=dict(self._unlocked),
            possible={} if now.dead else self.game.possible(self._game),
            chances=self.pilot.chances if self.pilot else (),
            seed=self._game.world_seed,
        )

    def _facts(self, now: Any) -> Facts:
        return self.game.facts(now.inventory, now, self.memory.learned, self.ready)

    def load(self, path: pathlib.Path) -> None:
        """Loads a saved game.

        The running episode is abandoned. If it is recorded, its recording ends here,
        incomplete, and a new one starts at the loaded state.

        Raises:
          OSError: If the file cannot be read.
          ValueError: If it is not a saved game, or not of this version and
            configuration. The running game then continues unchanged.
        """
        state, extras = read_saved(path)
        self.env.reset(options={"state": state})
        self._clear_counts()
        self.memory = Memory.restored(self.game, extras)
        self._return = float(extras.get(RETURN, 0))
        steps = map(int, extras.get(UNLOCKED_AT, ()))
        self._unlocked = dict(zip(map(str, extras.get(UNLOCKED, ())), steps))
        self._look()

    def close(self) -> None:
        """Ends the session; recorders keep the running episode as a partial one."""
        self.env.close()

    def _begin_episode(self, number: int | None = None) -> None:
        """Starts an episode of the seed, by default the next."""
        self.env.reset(options=None if number is None else {"episode": number})
        self._clear_counts()
        self._look()

    def _look(self) -> None:
        """Updates memory and agent with a new state."""
        self.version, self.effects = self.version + 1, []
        self.memory.see(self._game.snapshot())
        if self.pilot:
            self.pilot.look()

    def _count_achievements(self, counters: dict[str, int]) -> None:
        for name in self.game.achievements:
            if counters[name] and name not in self._unlocked:
                self._unlocked[name] = self._game.step_count
                place = f"{len(self._unlocked)}/{len(self.game.achievements)}"
                print(f"Achievement ({place}): {name}")
                self.notices.append(f"Achievement {place}: {self.game.title_of(name)}")

    def _outcome(self, terminated: bool, info: Mapping[str, Any]) -> Page:
        """Returns the page on how and why the episode ended."""
        if terminated and not info["dead"]:
            return Page("Victory", (self.game.victory,), verdict="DONE")
        if not info["dead"]:
            return Page("Time is up")
        causes = [e["by"] for e in info["events"] if e["type"] == "died" and e["by"]]
        notices = self.game.notices
        paragraphs = () if notices is None else map(notices.death, causes)
        return Page("You died", tuple(paragraphs), verdict="FAILED")

    def _timeline(self) -> tuple[Table, ...]:
        """Returns achievements and their steps, in columns of equal height."""
        rows = [Row(f"{n}", self.game.title_of(a)) for a, n in self._unlocked.items()]
        high = max(-(-len(rows) // _COLUMNS), _COLUMNS)
        return tuple(
            Table("" if start else "Achievements", tuple(rows[start : start + high]))
            for start in range(0, len(rows), high)
        )

    def _finish_episode(self, outcome: Page) -> None:
        print("Episode done!")
        print(f"Duration: {self._game.step_count}")
        print(f"Return: {round(self._return, _DIGITS)}")
        self._done = True
        self.over = self._death == "quit"
        if self._death == "reset":
            count = self._game.step_count
            steps = "1 step" if count == 1 else f"{count} steps"
            counts = f"{len(self._unlocked)} of {len(self.game.achievements)}"
            text = f"{steps}, return {self._return:.1f}, {counts} achievements."
            seed, episode = self._game.world_seed, self._game.episode
            world = (
                f"Seed {seed}." if episode == 1 else f"Seed {seed}, world {episode}."
            )
            paragraphs = *outcome.paragraphs, text, *([] if seed is None else [world])
            self.ending = outcome._replace(
                paragraphs=paragraphs,
                tables=self._timeline(),
                run=Run(count, self._unlocked),
            )
        else:
            self.notices.append(" ".join([f"{outcome.title}.", *outcome.paragraphs]))


def read_saved(path: pathlib.Path) -> tuple[dict[str, np.ndarray], ...]:
    """Returns the state of a saved game, and the counters of its session.

    Raises:
      OSError: If the file cannot be read.
      ValueError: If it is not a saved game.
    """
    with raising(ValueError, "it is not a saved game: "):
        state = npz.read(path)
    return state, {n: state.pop(n) for n in [*state] if n.startswith(SAVED)}
