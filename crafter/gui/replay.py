"""A recorded episode, played back."""

import numpy as np

from crafter.gui import of_crafter
from crafter.gui.game import Game
from crafter.gui.rerun import Rerun, RerunError
from crafter.gui.status import Status, clock_at, vitals
from crafter.rules import Rules, default


class Replay:
    """A position in a recorded episode, with the interface of a `Session`.

    Args:
      episode: The arrays that `crafter.load_episode` returns. Row 0 is the reset.
      rules: The rules that it was played by; by default those of the published game.
      rerun: The game played again, for pictures of any size; without it, those are
        shown that were recorded.
      game: What a window has to know of the game; by default that of Crafter.

    Attributes:
      rules: The rules that it was played by.
      game: What a window has to know of the game.
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
        rules: Rules | None = None,
        rerun: Rerun | None = None,
        game: Game | None = None,
    ) -> None:
        self.rules = default() if rules is None else rules
        self.game = of_crafter.game(self.rules) if game is None else game
        _check(episode, self.rules)
        self.over = False
        self.version = 0
        self.notices: list[str] = []
        self.index = 0
        self.last = len(episode["image"]) - 1
        self._episode = episode
        self._rerun = rerun
        self._returns = np.cumsum(episode["reward"].astype(float))
        self._unlocked = _first_steps(episode, self.rules)

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
            self.notices += self.game.tell(now.events, now)

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
          size: (width, height) in pixels, raised to two pixels a cell. A recorded
            image comes as it is; the window scales it.

        Returns:
          Array of shape (height, width, 3), uint8.
        """
        if self._rerun is None:
            return self._episode["image"][self.index]
        width, height = (max(n, 2 * cells) for n, cells in zip(size, self._rerun.view))
        return self._rerun.frame((width, height))

    def status(self) -> Status:
        """Returns what the side panel tells about this moment."""
        unlocked = {n: step for n, step in self._unlocked.items() if step <= self.index}
        action = int(self._episode["action"][self.index])
        now = None if self._rerun is None else self._rerun.snapshot()
        return Status(
            step=self.index,
            steps=self.last,
            episode=None,
            episode_return=float(self._returns[self.index]),
            action=self.rules.actions[action] if self.index else None,
            inventory=self._inventory(self.index),
            limits=self._limits(),
            achievements=self.rules.achievements,
            unlocked=unlocked,
            sleeping=now is not None and now.sleeping,
            clock=now and clock_at(now.clock, now.daylight, self.rules.time),
            hurt=self._lost_health(),
        )

    def close(self) -> None:
        """Does nothing; there is nothing to keep."""

    def _inventory(self, index: int) -> dict[str, int] | None:
        """Returns the amounts of a row; those of the published reset are unknown."""
        amounts = {
            name: int(self._episode[f"ainventory_{name}"][index])
            for name in self.rules.items
        }
        return amounts if index or any(amounts.values()) else None

    def _lost_health(self) -> int:
        """Returns how much health the step to the row that is shown cost."""
        before = self._inventory(max(self.index - 1, 0))
        now = self._inventory(self.index)
        if before is None or now is None:
            return 0
        return max(before["health"] - now["health"], 0)

    def _limits(self) -> dict[str, int]:
        rules = self.rules if self._rerun is None else self._rerun.rules
        return {
            name: max(
                rules.items[name]["max"],
                int(self._episode[f"ainventory_{name}"].max()),
            )
            for name in vitals(rules)
        }


def _check(episode: dict[str, np.ndarray], rules: Rules) -> None:
    counted = [
        *(f"achievement_{name}" for name in rules.achievements),
        *(f"ainventory_{name}" for name in rules.items),
    ]
    needed = ["image", "action", "reward", *counted]
    missing = [name for name in needed if name not in episode]
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
    for name in counted:
        if episode[name].ndim != 1 or episode[name].dtype.kind not in "iu":
            raise ValueError(
                f"{name} must be one whole number per row, not "
                f"{episode[name].dtype} of shape {episode[name].shape}"
            )
    image, action = episode["image"], episode["action"]
    if image.ndim != 4 or image.shape[-1] != 3 or image.dtype != np.uint8:
        raise ValueError(
            "image must be uint8 of shape (rows, height, width, 3), "
            f"not {image.dtype} of shape {image.shape}"
        )
    if action.min() < 0 or action.max() >= len(rules.actions):
        raise ValueError(
            f"actions must lie in 0 ... {len(rules.actions) - 1}, "
            f"not in {action.min()} ... {action.max()}"
        )


def _first_steps(episode: dict[str, np.ndarray], rules: Rules) -> dict[str, int]:
    """Returns the unlocked achievements and their steps, in order of time."""
    steps = {}
    for name in rules.achievements:
        (reached,) = np.nonzero(episode[f"achievement_{name}"])
        if len(reached):
            steps[name] = int(reached[0])
    return dict(sorted(steps.items(), key=lambda pair: pair[1]))
