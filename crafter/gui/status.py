"""What the side panel tells about one moment of a game or a replay."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from crafter import clock
from crafter.rules import Rules


def vitals(rules: Rules) -> tuple[str, ...]:
    """Returns the items that keep the player alive, in the order of the panel."""
    needs = [need["item"] for need in rules.life.values() if "item" in need]
    return tuple(dict.fromkeys(["health", *needs]))


@dataclasses.dataclass(frozen=True)
class Clock:
    """The time of day.

    Attributes:
      day: Number of the day, from 1; a day begins in the morning, as episodes do.
      phase: Part of the day cycle in [0, 1): 0 is midnight, 0.5 is noon.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      dark: Whether it is night.
      part: The part of the day in words.
    """

    day: int
    phase: float
    daylight: float
    dark: bool
    part: str


def clock_at(step: int, daylight: float, time: Mapping[str, Any]) -> Clock:
    """Returns the time of day.

    Args:
      step: Steps on the clock of the day.
      daylight: Brightness from 0 to 1.
      time: The section `time` of the rules.
    """
    days = step / time["day"]
    return Clock(
        day=int(days) + 1,
        phase=(days + time["start"]) % 1,
        daylight=daylight,
        dark=clock.is_dark(daylight, time),
        part=clock.part(step, time),
    )


@dataclasses.dataclass(frozen=True)
class Status:
    """What is told about one moment.

    Attributes:
      step: Steps since the episode began.
      steps: Steps after which it ends, or None if there is no limit.
      episode: Number of the episode in this sitting, or None in a replay.
      episode_return: Sum of the rewards of the episode so far.
      action: Name of the last action; None after a reset.
      inventory: Item -> amount; None if it is not known.
      limits: Item -> largest amount, for the vitals, in the order of the panel.
      achievements: Names of all achievements, in order.
      unlocked: Achievement -> step at which it was unlocked.
      sleeping: Whether the player sleeps.
      clock: The time of day; None if it is not known.
      hurt: How much health the last step cost.
      possible: Achievement -> action that would serve it now.
    """

    step: int
    steps: int | None
    episode: int | None
    episode_return: float
    action: str | None
    inventory: dict[str, int] | None
    limits: dict[str, int]
    achievements: tuple[str, ...]
    unlocked: dict[str, int]
    sleeping: bool
    clock: Clock | None
    hurt: int = 0
    possible: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def low(self) -> tuple[str, ...]:
        """The vitals that are down to a third."""
        if self.inventory is None:
            return ()
        amounts = self.inventory
        return tuple(n for n, most in self.limits.items() if is_low(amounts[n], most))


def is_low(amount: int, limit: int) -> bool:
    """Returns whether a vital is down to a third of its limit."""
    return 3 * amount <= limit
