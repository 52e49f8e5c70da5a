"""A recorded episode, played back."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from crafter.gui.game import Game
from crafter.gui.memory import Memory
from crafter.gui.rerun import Rerun, RerunError
from crafter.gui.status import Group, Status


class Replay:
    """A position in a recorded episode, with the interface of a `Session`.

    Args:
      episode: The arrays that `crafter.load_episode` returns. Row 0 is the reset.
      game: The adapter of the game.
      rerun: The game played again, for pictures of any size; without it, those are
        shown that were recorded.

    Attributes:
      game: The adapter of the game.
      index: The row that is shown.
      last: The last row.
      over: Always false: a replay waits at its end.
      version: Increases with every change of the picture.
      notices: Short texts for the window; whoever shows them removes them.

    Raises:
      ValueError: If an array that is shown is missing or too short, or one is there
        that the rules do not know.
    """

    def __init__(
        self,
        episode: dict[str, np.ndarray],
        game: Game,
        rerun: Rerun | None = None,
    ) -> None:
        self.game = game
        _check(episode, game)
        self.over = False
        self.version = 0
        self.notices: list[str] = []
        self.index = 0
        self.last = len(episode["image"]) - 1
        self._episode = episode
        self._rerun = rerun
        self._returns = np.cumsum(episode["reward"].astype(float))
        self._unlocked = _first_steps(episode, game)
        self._nothing = Memory(game)

    @property
    def at_end(self) -> bool:
        """Whether the last row is shown."""
        return self.index == self.last

    def advance(self, action: str | None = None) -> None:
        """Shows the next row; at the end, stays there.

        Args:
          action: Ignored; the actions are those of the recording.
        """
        self.seek(self.index + 1)

    def seek(self, index: int) -> None:
        """Shows a row; beyond either end, the first or last one."""
        index = min(max(index, 0), self.last)
        if index == self.index:
            return
        next_one = index == self.index + 1
        self.index = index
        self.version += 1
        self._play_again(next_one)
        for name, step in self._unlocked.items():
            if step == index:
                self.notices.append(f"Achievement: {name.replace('_', ' ')}")

    def _play_again(self, next_one: bool) -> None:
        """Plays the game to the row that is shown, if it can be played."""
        if self._rerun is None:
            return
        try:
            self._rerun.seek(self.index)
        except RerunError as error:
            self._rerun = None
            self.notices.append(f"As recorded from here on: {error}.")
            return
        if next_one:
            now = self._rerun.snapshot()
            self.notices += self.game.messages(now.events, now)

    @property
    def proportions(self) -> tuple[int, int]:
        """Width and height of a picture with square cells, in any unit."""
        if self._rerun is not None:
            return self._rerun.view
        height, width = self._episode["image"].shape[1:3]
        return width, height

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """Returns the picture of this moment.

        Args:
          size: (width, height) in pixels, raised to the least of a cell. A recorded
            image comes as it is; the window scales it.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        if self._rerun is None:
            return self._episode["image"][self.index]
        least = self.game.least_cell
        width, height = (max(n, least * c) for n, c in zip(size, self._rerun.view))
        return self._rerun.frame((width, height))

    def status(self) -> Status:
        """Returns what the side panel tells about this moment."""
        unlocked = {n: step for n, step in self._unlocked.items() if step <= self.index}
        action = int(self._episode["action"][self.index])
        now = None if self._rerun is None else self._rerun.snapshot()
        facts = self.game.facts(self._inventory(self.index), now, self.memory.learned)
        facts = dataclasses.replace(
            facts,
            limits=self._limits(facts.limits),
            groups=tuple(map(_to_be_looked_at, facts.groups)),
        )
        return Status(
            **vars(facts),
            step=self.index,
            steps=self.last,
            episode=None,
            episode_return=float(self._returns[self.index]),
            action=self.game.action_names[action] if self.index else None,
            unlocked=unlocked,
            hurt=self._lost_health(),
        )

    @property
    def memory(self) -> Memory:
        """What the player has seen and learned; nothing if it is not played again."""
        return self._nothing if self._rerun is None else self._rerun.memory

    def place(self) -> tuple[int, tuple[int, int]]:
        """Returns floor and cell (row, column) of the player on the map."""
        if self._rerun is None:
            return 0, (0, 0)
        return self.memory.place(self._rerun.snapshot())

    def close(self) -> None:
        """Does nothing; there is nothing to keep."""

    def _inventory(self, index: int) -> dict[str, float] | None:
        """Returns the amounts of a row; those of the published reset are unknown."""
        amounts = {
            name: self._episode[f"ainventory_{name}"][index].item()
            for name in self.game.items
        }
        return amounts if index or any(amounts.values()) else None

    def _lost_health(self) -> float:
        """Returns how much health the step to the row that is shown cost."""
        before = self._inventory(max(self.index - 1, 0))
        now = self._inventory(self.index)
        if before is None or now is None:
            return 0
        return max(before["health"] - now["health"], 0)

    def _limits(self, usual: Mapping[str, int]) -> dict[str, int]:
        """Returns limits of the vitals that what was recorded so far does not exceed.

        The rules of a game that is not played again may not be those of the window.
        """
        if self._rerun is not None:
            return dict(usual)
        so_far = np.s_[: self.index + 1]
        return {
            name: max(most, int(self._episode[f"ainventory_{name}"][so_far].max()))
            for name, most in usual.items()
        }


def _to_be_looked_at(group: Group) -> Group:
    """Returns a group in which there is nothing to click on."""
    slots = (dataclasses.replace(s, action=None, ready=False) for s in group.slots)
    return dataclasses.replace(group, slots=tuple(slots))


def _check(episode: dict[str, np.ndarray], game: Game) -> None:
    """Checks what `crafter.load_episode` cannot know."""
    counted = [
        *(f"achievement_{name}" for name in game.achievements),
        *(f"ainventory_{name}" for name in game.items),
    ]
    missing = [name for name in counted if name not in episode]
    if missing:
        raise ValueError(
            f"arrays that a replay shows are missing: {', '.join(missing)}"
        )
    counters = [n for n in episode if n.startswith(("achievement_", "ainventory_"))]
    foreign = [name for name in counters if name not in counted]
    if foreign:
        raise ValueError(
            f"it was played by other rules, which have {', '.join(foreign)}; "
            "give them with --rules"
        )
    image, action = episode["image"], episode["action"]
    if image.ndim != 4 or image.shape[-1] != 3 or image.dtype != np.uint8:
        raise ValueError(
            "image must be uint8 of shape (rows, height, width, 3), "
            f"not {image.dtype} of shape {image.shape}"
        )
    if action.min() < 0 or action.max() >= len(game.action_names):
        raise ValueError(
            f"actions must lie in 0 ... {len(game.action_names) - 1}, "
            f"not in {action.min()} ... {action.max()}"
        )


def _first_steps(episode: dict[str, np.ndarray], game: Game) -> dict[str, int]:
    """Returns the unlocked achievements and their steps, in order of time."""
    steps = {}
    for name in game.achievements:
        (reached,) = np.nonzero(episode[f"achievement_{name}"])
        if len(reached):
            steps[name] = int(reached[0])
    return dict(sorted(steps.items(), key=lambda pair: pair[1]))
